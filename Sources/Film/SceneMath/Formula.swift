// SPDX-License-Identifier: MIT
package import SceneGraphics

/// A typeset formula: the parts to draw, with their positions.
///
/// Lengths are in em; y grows downward from the top of the ink, x rightward from its left.
package struct Formula: Hashable, Sendable {
  /// A part that moves as a unit: a glyph, a root with its rule, a bracket.
  package struct Part: Hashable, Sendable {
    package let outline: Path
    /// The ink bounds.
    package let box: Rect
    /// The byte range in the source.
    package let range: Range<Int>
    package let term: Int
    /// The row of the outermost environment with rows, from 0.
    package let line: Int
    /// The character that the part represents, in any form; `nil` for a rule.
    package let sign: Unicode.Scalar?
    /// The glyphs; empty for a rule.
    package let glyphs: [Glyph]
    package let rules: [Rect]
    /// The color that the formula sets, or `nil`.
    package let color: Color?
    /// The role in the formula, such as exponent, as a number; 0 in the main row.
    package let role: Int
    /// The word of upright letters that the part belongs to, as in `\text` and `\sin`; otherwise,
    /// empty.
    fileprivate let word: String

    /// The outline with its character. All rules have the same character.
    package var glyph: GlyphOutline {
      GlyphOutline(sign: String(sign ?? "\u{2500}"), outline: outline, role: role, word: word)
    }
  }

  /// A glyph of a part, with its origin and its em relative to the formula's.
  package struct Glyph: Hashable, Sendable {
    package let id: GlyphID
    package let origin: Point
    package let scale: Double
  }

  package let source: String
  package let parts: [Part]
  package let width: Double
  package let height: Double
  /// The distance from the top to the baseline.
  package let baseline: Double
  /// A character that the font lacks, and its first occurrence.
  package let missing: (scalar: Unicode.Scalar, range: Range<Int>)?

  /// Parses and typesets a formula, in display style or in text style.
  package init(_ source: String, font: any MathFont, isDisplay: Bool = true) throws(FormulaError) {
    var parser = FormulaParser(source)
    let nodes = try parser.read()
    var setter = FormulaSetter(font)
    let style = SetStyle(level: isDisplay ? .display : .text)
    let box = setter.row(nodes, style, isTop: true)
    let drawn = box.pieces.map { ($0, Formula.outline(of: $0, font)) }.filter { !$0.1.isEmpty }
    var ink: Rect?
    for (_, path) in drawn { ink = ink.map { $0.union(path.bounds) } ?? path.bounds }
    let bounds = ink ?? Rect(x: 0, y: 0, width: 0, height: 0)
    let move = Affine.translation(-bounds.x, -bounds.y)
    self.source = source
    let words = Formula.words(of: drawn.map(\.0))
    parts = zip(drawn, words).map { drawn, word in
      let (piece, outline) = drawn
      let path = outline.transformed(by: move)
      let (glyphs, rules) = piece.shapes(movedBy: Point(-bounds.x, -bounds.y))
      return Part(
        outline: path, box: path.bounds, range: piece.range, term: piece.term, line: piece.line,
        sign: piece.sign, glyphs: glyphs, rules: rules, color: piece.color, role: piece.role,
        word: word)
    }
    (width, height, baseline) = (bounds.width, bounds.height, -bounds.y)
    missing = setter.missing.min { $0.value.lowerBound < $1.value.lowerBound }
      .map { ($0.key, $0.value) }
  }

  /// Returns the word of each piece; an empty text for pieces outside words. Letters with other
  /// roles, such as scripts, end a word.
  private static func words(of pieces: [FormulaPiece]) -> [String] {
    var words = [String](repeating: "", count: pieces.count)
    var start = 0
    for end in pieces.indices.map({ $0 + 1 })
    where end == pieces.count || pieces[end].word != pieces[start].word
      || pieces[end].role != pieces[start].role
    {
      if pieces[start].word != nil {
        let word = String(String.UnicodeScalarView(pieces[start..<end].compactMap(\.sign)))
        for index in start..<end { words[index] = word }
      }
      start = end
    }
    return words
  }

  /// Returns the outlines of a piece, with y downward.
  private static func outline(of piece: FormulaPiece, _ font: any MathFont) -> Path {
    let (glyphs, rules) = piece.shapes(movedBy: .zero)
    var path = Path()
    for it in glyphs {
      let map = Affine(a: it.scale, b: 0, c: 0, d: -it.scale, e: it.origin.x, f: it.origin.y)
      path.elements += font.outline(of: it.id).transformed(by: map).elements
    }
    for rect in rules { path.elements += Formula.rule(rect).elements }
    for case .line(let a, let b, let width) in piece.shapes {
      let from = Point(piece.origin.x + a.x * piece.scale, -piece.origin.y - a.y * piece.scale)
      let to = Point(piece.origin.x + b.x * piece.scale, -piece.origin.y - b.y * piece.scale)
      path.elements += Formula.line(from, to, width: width * piece.scale).elements
    }
    return path
  }

  /// Returns a rectangle with the orientation of PostScript outlines after the y axis is flipped.
  private static func rule(_ r: Rect) -> Path {
    var path = Path()
    path.move(Point(r.x, r.y))
    path.line(Point(r.x, r.y + r.height))
    path.line(Point(r.x + r.width, r.y + r.height))
    path.line(Point(r.x + r.width, r.y))
    path.close()
    return path
  }

  /// Returns the outline of a line with butt caps.
  private static func line(_ a: Point, _ b: Point, width: Double) -> Path {
    let length = max(1e-9, a.distance(to: b))
    let side = Point((b.y - a.y) / length * width / 2, -(b.x - a.x) / length * width / 2)
    var path = Path()
    path.move(a + side)
    path.line(a - side)
    path.line(b - side)
    path.line(b + side)
    path.close()
    return path
  }

  package static func == (a: Formula, b: Formula) -> Bool {
    (a.source, a.parts, a.baseline) == (b.source, b.parts, b.baseline)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(parts)
  }

  /// The outlines of all parts.
  package var outline: Path { Path(parts.flatMap(\.outline.elements)) }

  /// Returns parts in the order of the source.
  package func readingOrder(of indices: [Int]) -> [Int] {
    indices.sorted { (parts[$0].range.lowerBound, $0) < (parts[$1].range.lowerBound, $1) }
  }

  // MARK: Lookup of parts

  /// Returns the parts that draw each occurrence of a text in the source, ignoring white space.
  package func parts(writtenAs text: String) -> [[Int]] {
    let wanted = text.unicodeScalars.filter { !$0.properties.isWhitespace }
    guard !wanted.isEmpty else { return [] }
    var scalars: [(Unicode.Scalar, Int)] = []
    var offset = 0
    for scalar in source.unicodeScalars {
      if !scalar.properties.isWhitespace { scalars.append((scalar, offset)) }
      offset += UTF8.width(scalar)
    }
    var places: [[Int]] = []
    var index = 0
    while index + wanted.count <= scalars.count {
      let isThere = zip(wanted, scalars[index...]).allSatisfy { $0 == $1.0 }
      guard isThere, !cutsCommand(scalars, at: index, count: wanted.count) else {
        index += 1
        continue
      }
      let last = scalars[index + wanted.count - 1]
      let range = scalars[index].1..<(last.1 + UTF8.width(last.0))
      let found = parts.indices.filter { range.contains(parts[$0].range) }
      if !found.isEmpty { places.append(found) }
      index += wanted.count
    }
    return places
  }

  /// Returns whether an occurrence begins or ends within a command name.
  private func cutsCommand(_ scalars: [(Unicode.Scalar, Int)], at index: Int, count: Int) -> Bool {
    func isInside(_ place: Int) -> Bool {
      guard place > 0, place < scalars.count, FormulaParser.isLetter(scalars[place].0) else {
        return false
      }
      // White space ends a command.
      var at = place - 1
      while FormulaParser.isLetter(scalars[at].0), scalars[at].1 + 1 == scalars[at + 1].1, at > 0 {
        at -= 1
      }
      return scalars[at].0 == "\\" && scalars[at].1 + 1 == scalars[at + 1].1
        && scalars[place - 1].1 + 1 == scalars[place].1
    }
    return isInside(index) || isInside(index + count)
  }

  /// All formula commands, for editors.
  package static var commands: [String] { FormulaParser.commands }

  /// Returns the character that a command stands for; empty for other commands.
  package static func sign(of command: String) -> String {
    let scalar =
      MathSymbols.all[command]?.scalar ?? MathSymbols.largeOperators[command]
      ?? MathSymbols.integrals[command]
    return scalar.map { String($0) } ?? ""
  }
}

extension FormulaPiece {
  /// Returns the positioned glyphs and rules, with y downward.
  func shapes(movedBy offset: Point) -> (glyphs: [Formula.Glyph], rules: [Rect]) {
    var glyphs: [Formula.Glyph] = []
    var rules: [Rect] = []
    for shape in shapes {
      switch shape {
      case .glyph(let id, let place):
        let at = Point(
          origin.x + place.x * scale + offset.x, -origin.y - place.y * scale + offset.y)
        glyphs.append(Formula.Glyph(id: id, origin: at, scale: scale))
      case .rule(let r):
        rules.append(
          Rect(
            x: origin.x + r.x * scale + offset.x,
            y: -origin.y - (r.y + r.height) * scale + offset.y, width: r.width * scale,
            height: r.height * scale))
      case .line: break
      }
    }
    return (glyphs, rules)
  }
}

extension Range<Int> {
  func contains(_ other: Range<Int>) -> Bool {
    lowerBound <= other.lowerBound && upperBound >= other.upperBound
  }
}
