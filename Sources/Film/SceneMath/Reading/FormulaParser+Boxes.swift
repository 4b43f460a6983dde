// SPDX-License-Identifier: MIT
import SceneGraphics

// Commands that place or decorate boxes, and explicit lengths.
extension FormulaParser {
  /// Parses a command that places or decorates its argument; returns `nil` for other commands.
  mutating func boxed(_ word: String, _ start: Int) throws(FormulaError) -> MathNode? {
    switch word {
    case "boxed", "fbox":
      let body =
        word == "fbox"
        ? try words("fbox", start)
        : MathNode(
          .group(
            [node(.style(.display), start), try argument(of: "\\boxed", start)], .ordinary),
          range(from: start))
      return node(.decorated(.frame, body), start)
    case "cancel": return try decorated(.strike([.rising]), by: word, start)
    case "bcancel": return try decorated(.strike([.falling]), by: word, start)
    case "xcancel": return try decorated(.strike([.rising, .falling]), by: word, start)
    case "sout": return try decorated(.strike([.level]), by: word, start)
    case "phantom": return try decorated(.phantom(isWide: true, isHigh: true), by: word, start)
    case "hphantom": return try decorated(.phantom(isWide: true, isHigh: false), by: word, start)
    case "vphantom": return try decorated(.phantom(isWide: false, isHigh: true), by: word, start)
    case "smash":
      let side = try smashSide(start)
      return try decorated(.smash(top: side != "b", bottom: side != "t"), by: word, start)
    case "mathllap": return try decorated(.lap(.right), by: word, start)
    case "mathrlap": return try decorated(.lap(.left), by: word, start)
    case "mathclap": return try decorated(.lap(.center), by: word, start)
    case "llap", "rlap", "clap":
      let column: Table.Column = word == "llap" ? .right : word == "rlap" ? .left : .center
      return node(.decorated(.lap(column), try words(word, start)), start)
    case "raisebox":
      let height = try dimension("\\raisebox", start).em
      return node(.decorated(.raise(height), try words(word, start)), start)
    case "rule": return try rule(start)
    default: return nil
    }
  }

  private mutating func decorated(_ decoration: Decoration, by word: String, _ start: Int)
    throws(FormulaError) -> MathNode
  {
    node(.decorated(decoration, try argument(of: "\\\(word)", start)), start)
  }

  /// Parses `[t]` or `[b]` after `\smash`; returns `nil` if there is neither.
  private mutating func smashSide(_ start: Int) throws(FormulaError) -> Unicode.Scalar? {
    skipBlanks()
    guard next == "[" else { return nil }
    let at = index
    index += 1
    guard let side = next, side == "t" || side == "b" else {
      throw failure(from: at, to: index, "expected [t] or [b] after '\\smash'")
    }
    index += 1
    guard next == "]" else { throw failure(from: at, to: at + 1, "unclosed '['", "expected ']'") }
    index += 1
    return side
  }

  /// Parses `\rule[raise]{width}{height}`.
  private mutating func rule(_ start: Int) throws(FormulaError) -> MathNode {
    skipBlanks()
    var raise = 0.0
    if next == "[" {
      index += 1
      raise = try dimension("\\rule", start).em
      skipBlanks()
      guard next == "]" else {
        throw failure(from: start, to: index, "expected ']' after the raise of '\\rule'")
      }
      index += 1
    }
    let width = try dimension("\\rule", start).em
    let height = try dimension("\\rule", start).em
    return node(.rule(width: width, height: height, raise: raise), start)
  }

  // MARK: Spaces

  /// Parses a space of an explicit length, such as `\kern1em` or `\hspace{1em}`; returns `nil` for
  /// other commands.
  mutating func explicitSpace(_ word: String, _ start: Int) throws(FormulaError) -> MathNode? {
    guard ["kern", "mkern", "hskip", "mskip", "hspace", "mspace"].contains(word) else { return nil }
    if word == "hspace", next == "*" { index += 1 }
    let length = try dimension("\\\(word)", start)
    return node(.space(length.em, in: length.unit), start)
  }

  /// The units of TeX in em at a font size of 10 pt. `mu` is relative to the style.
  private static let units: [String: Double] = [
    "em": 1, "ex": 0.430555, "pt": 0.1, "mm": 0.28453, "cm": 2.8453, "in": 7.227, "bp": 0.100375,
    "pc": 1.2, "mu": 1.0 / 18,
  ]

  /// Parses a length such as `1em`, `{-2pt}` or `18mu`.
  mutating func dimension(_ name: String, _ start: Int) throws(FormulaError)
    -> (em: Double, unit: SpaceUnit)
  {
    skipBlanks()
    let isBraced = next == "{"
    if isBraced { index += 1 }
    skipBlanks()
    var digits = ""
    while let scalar = next, "+-.0123456789".unicodeScalars.contains(scalar), digits.count < 16 {
      digits.unicodeScalars.append(scalar)
      index += 1
    }
    skipBlanks()
    var unit = ""
    while unit.count < 2, let scalar = next, FormulaParser.isLetter(scalar) {
      unit.unicodeScalars.append(scalar)
      index += 1
    }
    guard let number = Double(digits), abs(number) <= 1000, let factor = FormulaParser.units[unit]
    else {
      throw failure(
        from: start, to: index, "'\(name)' requires a length",
        "write a number with a unit, such as 1em or 18mu")
    }
    skipBlanks()
    if isBraced {
      guard next == "}" else {
        throw failure(from: start, to: index, "expected '}' after the length of '\(name)'")
      }
      index += 1
    }
    return (number * factor, unit == "mu" ? .style : .formula)
  }

  // MARK: Colors

  /// Parses `\color{red}` for the rest of the group, or `\textcolor{red}{…}`; returns `nil` for
  /// other commands.
  mutating func colored(_ word: String, _ start: Int) throws(FormulaError) -> MathNode? {
    guard word == "color" || word == "textcolor" else { return nil }
    skipBlanks()
    let at = index
    let name = try braced() ?? ""
    let color = name.hasPrefix("#") ? Color(hexDigits: name.dropFirst()) : Color(name: name)
    guard let color else {
      throw failure(
        from: at, to: max(at + 1, index), "expected a color after '\\\(word)'",
        "such as {red} or {#f80}")
    }
    let mark = node(.color(color), start)
    if word == "color" { return mark }
    let body = try argument(of: "\\textcolor", start)
    return node(.group([mark, body], body.soleClass ?? .ordinary), start)
  }

  // MARK: Arrows

  /// Parses `\xrightarrow[below]{above}` and similar commands; returns `nil` for other commands.
  mutating func labeledArrow(_ word: String, _ start: Int) throws(FormulaError) -> MathNode? {
    if let scalar = MathSymbols.labeledArrows[word] {
      let below = try option()
      let above = try argument(of: "\\\(word)", start)
      return node(.labeledArrow(scalar, above: above, below: below), start)
    }
    if let (scalar, isBelow) = MathSymbols.coveringArrows[word] {
      let body = try argument(of: "\\\(word)", start)
      return node(.coveringArrow(scalar, body, isBelow: isBelow), start)
    }
    return nil
  }

  // MARK: Abbreviations

  /// Parses abbreviations for combinations of other commands; returns `nil` for other commands.
  mutating func abbreviation(_ word: String, _ start: Int) throws(FormulaError) -> MathNode? {
    switch word {
    case "bra", "ket", "braket":
      let body = try argument(of: "\\\(word)", start)
      let left: Unicode.Scalar = word == "ket" ? "|" : "⟨"
      let right: Unicode.Scalar = word == "bra" ? "|" : "⟩"
      return node(
        .group(
          [node(.symbol(left, .opening), start), body, node(.symbol(right, .closing), start)],
          .inner), start)
    case "Bra", "Ket", "Braket":
      let body = try argument(of: "\\\(word)", start)
      let left = Bracket(scalar: word == "Ket" ? "|" : "⟨", range: range(from: start))
      let right = Bracket(scalar: word == "Bra" ? "|" : "⟩", range: range(from: start))
      return node(.fenced(left, [.nodes([body])], right), start)
    case "mod":
      let body = try argument(of: "\\mod", start)
      return node(
        .group(
          [
            node(.space(12.0 / 18, in: .style), start),
            node(.words(letters("mod", start)), start),
            node(.space(6.0 / 18, in: .style), start), body,
          ], .ordinary), start)
    case "tag":
      let isPlain = next == "*"
      if isPlain { index += 1 }
      let number = try words("tag", start)
      func sign(_ scalar: Unicode.Scalar) -> [MathNode] {
        isPlain ? [] : [node(.symbol(scalar, .ordinary), start)]
      }
      return node(
        .group(
          [node(.space(2, in: .formula), start)] + sign("(") + [number] + sign(")"), .inner),
        start)
    case "TeX": return node(.group(tex(start), .ordinary), start)
    case "LaTeX":
      let small = node(
        .group([node(.style(.script), start), node(.symbol("A", .ordinary), start)], .ordinary),
        start)
      let parts = [
        node(.symbol("L", .ordinary), start), node(.space(-0.36, in: .style), start),
        node(.decorated(.raise(0.205), small), start),
        node(.space(-0.15, in: .style), start),
      ]
      return node(.group(parts + tex(start), .ordinary), start)
    default: return nil
    }
  }

  /// Returns the logo of TeX, with the dimensions of plain TeX.
  private func tex(_ start: Int) -> [MathNode] {
    let letters = letters("TEX", start)
    return [
      letters[0], node(.space(-0.1667, in: .style), start),
      node(.decorated(.raise(-0.215), letters[1]), start),
      node(.space(-0.125, in: .style), start), letters[2],
    ]
  }
}
