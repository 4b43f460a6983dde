// SPDX-License-Identifier: MIT

/// The classes of atoms, which decide the spaces between them (The TeXbook, chapter 18).
package enum AtomClass: Int, Hashable, Sendable {
  case ordinary, `operator`, binary, relation, opening, closing, punctuation, inner
}

/// Where the scripts of an operator are: above and below, at its right, or as the style wants it.
package enum LimitPlace: Hashable, Sendable { case limits, sides, display }

/// The four styles of TeX, from large to small.
package enum FormulaStyle: Int, Hashable, Sendable, Comparable {
  case display, text, script, scriptScript

  package static func < (a: FormulaStyle, b: FormulaStyle) -> Bool { a.rawValue < b.rawValue }
}

/// Which letters of Unicode stand for those that are written.
enum MathAlphabet: Hashable, Sendable {
  /// Letters slant, digits and capital Greek do not.
  case standard
  case upright, italic, bold, boldItalic, doubleStruck, script, fraktur, sans, monospace
}

/// A part of a formula, with the bytes that it is written with.
struct MathNode: Hashable, Sendable {
  var kind: Kind
  var range: Range<Int>

  init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = range
  }

  /// What a part is.
  indirect enum Kind: Hashable, Sendable {
    /// A character of Unicode.
    case symbol(Unicode.Scalar, AtomClass)
    /// A large operator, such as a sum.
    case largeOperator(Unicode.Scalar, LimitPlace)
    /// An operator in letters, such as `sin`.
    case namedOperator([MathNode], LimitPlace)
    /// Upright words.
    case words([MathNode])
    /// What counts as one atom of a class.
    case group([MathNode], AtomClass)
    case scripts(base: MathNode?, lower: MathNode?, upper: MathNode?)
    case fraction(Fraction)
    case root(MathNode, degree: MathNode?)
    /// An accent that is above, or below; `isWide` for one that grows with what it is on.
    case accent(Unicode.Scalar, MathNode, isWide: Bool, isBelow: Bool)
    /// A rule above or below.
    case bar(MathNode, isBelow: Bool)
    /// A brace above or below, which scripts stand at.
    case brace(Unicode.Scalar, MathNode, isBelow: Bool)
    /// Something small above or below an atom, whose class the whole has.
    case stack(MathNode, above: MathNode?, below: MathNode?, AtomClass)
    /// What is between two brackets that are as high as it; `nil` for an empty bracket.
    case fenced(Bracket?, [FencedPart], Bracket?)
    /// A bracket of a given height, in em.
    case sizedBracket(Bracket, height: Double, AtomClass)
    case table(Table)
    /// All that follows in the same group has a style.
    case style(FormulaStyle)
    /// In em; of the style's own size where `isScaled`.
    case space(Double, isScaled: Bool)
    /// What takes the room of its content and draws nothing.
    case phantom(MathNode)
    /// Where a row of a text may not be read on, and other things that draw nothing.
    case nothing
  }
}

/// A bracket as it is written.
struct Bracket: Hashable, Sendable {
  let scalar: Unicode.Scalar
  let range: Range<Int>
}

/// What is between brackets, cut at each `\middle`.
enum FencedPart: Hashable, Sendable {
  case nodes([MathNode])
  case middle(Bracket?)
}

/// Something above something else.
struct Fraction: Hashable, Sendable {
  var upper: MathNode
  var lower: MathNode
  var hasRule = true
  var left: Unicode.Scalar?
  var right: Unicode.Scalar?
  /// The style that it is set in whatever is around it.
  var style: FormulaStyle?
}

/// Rows of cells; lengths in em.
struct Table: Hashable, Sendable {
  enum Column: Hashable, Sendable { case left, center, right }

  var rows: [[MathNode]]
  /// They repeat.
  var columns: [Column]
  var left: Bracket?
  var right: Bracket?
  /// Space after each column; they repeat.
  var gaps: [Double]
  var margin = 0.0
  /// The height of a row at least, of which 0.7 are above the baseline.
  var strut = 0.0
  /// The distance of two baselines, and what is between rows where less than `slack` would be left.
  var pitch = 0.0
  var leading = 0.0
  var slack = 0.0
  /// `nil` for that around the table.
  var cellStyle: FormulaStyle?
  /// Whether cells that begin with a relation have a space before it.
  var isAligned = false
  /// More space below each row.
  var skips: [Double] = []

  init(_ rows: [[MathNode]], _ columns: [Column], gap: Double) {
    self.rows = rows
    self.columns = columns
    gaps = [gap]
  }
}
