// SPDX-License-Identifier: MIT
import SceneGraphics

/// The class of an atom, which determines the spacing between atoms (The TeXbook, chapter 18).
package enum AtomClass: Int, Hashable, Sendable {
  case ordinary, `operator`, binary, relation, opening, closing, punctuation, inner
}

/// The position of an operator's scripts: above and below, to the right, or depending on the style.
package enum LimitPlace: Hashable, Sendable { case limits, sides, display }

/// The four styles of TeX, from large to small.
package enum FormulaStyle: Int, Hashable, Sendable, Comparable {
  case display, text, script, scriptScript

  package static func < (a: FormulaStyle, b: FormulaStyle) -> Bool { a.rawValue < b.rawValue }
}

/// The em in which a space is given: that of the formula, that of the current style, or that of the
/// style in scripts only.
enum SpaceUnit: Hashable, Sendable { case formula, style, script }

/// The Unicode alphabet for letters and digits.
enum MathAlphabet: Hashable, Sendable {
  /// Italic letters, but upright digits and Greek capitals.
  case standard
  case upright, italic, bold, boldItalic, doubleStruck, script, fraktur, sans, monospace
}

/// A part of a formula, with its byte range in the source.
struct MathNode: Hashable, Sendable {
  var kind: Kind
  var range: Range<Int>
  /// The byte offset of the word that a symbol is a letter of, such as the letters of `\sin` or an
  /// argument of `\text`; `nil` for other parts.
  var word: Int?

  init(_ kind: Kind, _ range: Range<Int>, word: Int? = nil) {
    self.kind = kind
    self.range = range
    self.word = word
  }

  /// The kind of a part.
  indirect enum Kind: Hashable, Sendable {
    /// A Unicode character.
    case symbol(Unicode.Scalar, AtomClass)
    /// A large operator, such as a sum.
    case largeOperator(Unicode.Scalar, LimitPlace)
    /// A named operator, such as `sin`.
    case namedOperator([MathNode], LimitPlace)
    /// Upright text.
    case words([MathNode])
    /// A group that forms a single atom of a class.
    case group([MathNode], AtomClass)
    case scripts(base: MathNode?, lower: MathNode?, upper: MathNode?)
    case fraction(Fraction)
    case root(MathNode, degree: MathNode?)
    /// An accent above or below; with `isWide` it is stretched to the width of its base.
    case accent(Unicode.Scalar, MathNode, isWide: Bool, isBelow: Bool)
    /// A rule above or below.
    case bar(MathNode, isBelow: Bool)
    /// A brace above or below, which takes scripts.
    case brace(Unicode.Scalar, MathNode, isBelow: Bool)
    /// Small parts above or below an atom, with the class of the whole.
    case stack(MathNode, above: MathNode?, below: MathNode?, AtomClass)
    /// Content between two brackets that are stretched to its height; `nil` for an empty bracket.
    case fenced(Bracket?, [FencedPart], Bracket?)
    /// A bracket of a fixed height, in em.
    case sizedBracket(Bracket, height: Double, AtomClass)
    case table(Table)
    /// A style for the rest of the group.
    case style(FormulaStyle)
    /// A color for the rest of the group.
    case color(Color)
    /// A space in em.
    case space(Double, in: SpaceUnit)
    /// Content with a frame or strike, or with another extent or position.
    case decorated(Decoration, MathNode)
    /// A filled rectangle, in em.
    case rule(width: Double, height: Double, raise: Double)
    /// An arrow as wide as its labels.
    case labeledArrow(Unicode.Scalar, above: MathNode, below: MathNode?)
    /// An arrow above or below content, as wide as the content.
    case coveringArrow(Unicode.Scalar, MathNode, isBelow: Bool)
    /// Syntax without output, such as `\relax`.
    case nothing
  }
}

/// A change to a box.
enum Decoration: Hashable, Sendable {
  /// A line through a box.
  enum Strike: Hashable, Sendable { case rising, falling, level }

  case frame
  case strike([Strike])
  /// Content that is not drawn but has its width, its height and depth, or both.
  case phantom(isWide: Bool, isHigh: Bool)
  /// Content without height or without depth.
  case smash(top: Bool, bottom: Bool)
  /// Content without width: to the right of its position, centered, or to the left.
  case lap(Table.Column)
  /// Content that is moved up by a length in em.
  case raise(Double)
}

/// A bracket in the source.
struct Bracket: Hashable, Sendable {
  let scalar: Unicode.Scalar
  let range: Range<Int>
}

/// A part of the content between brackets, which is split at each `\middle`.
enum FencedPart: Hashable, Sendable {
  case nodes([MathNode])
  case middle(Bracket?)
}

/// A fraction or another vertical pair, such as a binomial.
struct Fraction: Hashable, Sendable {
  var upper: MathNode
  var lower: MathNode
  var hasRule = true
  var left: Unicode.Scalar?
  var right: Unicode.Scalar?
  /// A fixed style, regardless of the context.
  var style: FormulaStyle?
}

/// Rows of cells; lengths are in em.
struct Table: Hashable, Sendable {
  enum Column: Hashable, Sendable { case left, center, right }

  var rows: [[MathNode]]
  /// Column alignments, repeated cyclically.
  var columns: [Column]
  var left: Bracket?
  var right: Bracket?
  /// The spaces after each column, repeated cyclically.
  var gaps: [Double]
  var margin = 0.0
  /// The minimum height of a row, of which 70% is above the baseline.
  var strut = 0.0
  /// The distance between baselines. If it leaves less than `slack` between two rows, they are
  /// separated by `leading` instead.
  var pitch = 0.0
  var leading = 0.0
  var slack = 0.0
  /// The style of the cells; `nil` for the style of the context.
  var cellStyle: FormulaStyle?
  /// Whether cells that begin with a relation have a space before it.
  var isAligned = false
  /// The numbers of vertical rules before each column and after the last one.
  var bars: [Int] = []
  /// The rows that have a horizontal rule above them; the number of rows stands for the bottom.
  var lines: Set<Int> = []
  /// Additional space below each row.
  var skips: [Double] = []

  /// Returns the additional space below a row.
  func skip(below row: Int) -> Double { row < skips.count ? skips[row] : 0 }

  init(_ rows: [[MathNode]], _ columns: [Column], gap: Double) {
    self.rows = rows
    self.columns = columns
    gaps = [gap]
  }
}
