// SPDX-License-Identifier: MIT
import SceneText

// Stretchy brackets and tables.
extension FormulaParser {
  /// Parses `\left( … \middle| … \right)`.
  mutating func fenced(_ start: Int) throws(FormulaError) -> MathNode {
    try enter(start)
    defer { depth -= 1 }
    let left = try bracket(after: "\\left", start)
    var parts: [FencedPart] = []
    while true {
      parts.append(.nodes(try row()))
      let at = index
      switch peekCommand() {
      case "right":
        _ = command()
        let right = try bracket(after: "\\right", at)
        return node(.fenced(left, parts, right), start)
      case "middle":
        _ = command()
        parts.append(.middle(try bracket(after: "\\middle", at)))
      default:
        throw failure(
          from: start, to: start + 5, "'\\left' has no matching '\\right'",
          "add a bracket, such as '\\right)', or '\\right.' for an invisible one")
      }
    }
  }

  /// Parses the bracket after a command; returns `nil` for the empty bracket, `.`.
  mutating func bracket(after name: String, _ start: Int) throws(FormulaError) -> Bracket? {
    skipBlanks()
    let at = index
    guard let next else {
      throw failure(
        from: start, to: index, "'\(name)' must be followed by a bracket", "such as \(name)(")
    }
    if next == "\\" {
      let word = command() ?? ""
      if let scalar = MathSymbols.brackets[word] {
        return Bracket(scalar: scalar, range: range(from: at))
      }
      throw failure(
        from: at, to: index, "'\\\(word)' is not a bracket",
        "the brackets are ( ) [ ] \\{ \\} | \\| / \\langle \\lceil \\lfloor and '.' for none")
    }
    index += 1
    if next == "." { return nil }
    let own: [Unicode.Scalar: Unicode.Scalar] = ["<": "⟨", ">": "⟩", "∣": "|", "∥": "‖"]
    let scalar = own[next] ?? next
    guard "()[]|/⟨⟩⌈⌉⌊⌋‖↑↓↕⟦⟧".unicodeScalars.contains(scalar) else {
      throw failure(
        from: at, to: index, "'\(next)' is not a bracket",
        "the brackets are ( ) [ ] \\{ \\} | \\| / \\langle \\lceil \\lfloor and '.' for none",
        fix: next == "{" || next == "}" ? "\\\(next)" : nil)
    }
    return Bracket(scalar: scalar, range: range(from: at))
  }

  // MARK: Environments

  static let environments = [
    "matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix", "cases",
    "rcases", "dcases", "aligned", "align", "align*", "alignedat", "alignat", "alignat*",
    "gathered", "gather", "gather*", "split", "array", "equation", "equation*", "matrix*",
    "pmatrix*", "bmatrix*", "Bmatrix*", "vmatrix*", "Vmatrix*",
  ]

  mutating func environment(_ start: Int) throws(FormulaError) -> MathNode {
    try enter(start)
    defer { depth -= 1 }
    let nameStart = index
    guard let name = try braced() else {
      throw failure(
        from: start, to: index, "'\\begin' requires a name in braces", "such as \\begin{matrix}")
    }
    guard FormulaParser.environments.contains(name) else {
      let near = nearest(name, in: FormulaParser.environments)
      throw failure(
        from: nameStart, to: index, "unknown environment '\(name)'",
        near == nil
          ? "such as matrix, pmatrix, bmatrix, vmatrix, cases, aligned, gathered or array" : "",
        fix: near.map { "{\($0)}" })
    }
    let opening = range(from: start)
    var columns: [Table.Column] = []
    var bars: [Int] = []
    if name == "array" { (columns, bars) = try columnLetters(start) }
    if name.hasSuffix("matrix*") { columns = [try columnOption() ?? .center] }
    if name.hasPrefix("align"), name.contains("at"), try braced() == nil {
      throw failure(
        from: start, to: index, "'\\begin{\(name)}' requires the number of column pairs",
        "such as \\begin{\(name)}{2}")
    }
    let before = alphabet
    defer { alphabet = before }
    let rows = try rows(upTo: name, from: start)
    let closing = offsets[index]..<offsets[index]
    var table = FormulaParser.table(
      name, rows: rows.cells, columns: columns, opening: opening, closing: closing)
    (table.skips, table.lines, table.bars) = (rows.skips, rows.lines, bars)
    return node(.table(table), start)
  }

  /// The rows of an environment.
  private struct Rows {
    var cells: [[MathNode]] = [[]]
    /// Additional space below each row.
    var skips: [Double] = []
    /// The rows that have a horizontal rule above them.
    var lines: Set<Int> = []
  }

  private mutating func rows(upTo name: String, from start: Int) throws(FormulaError)
    -> Rows
  {
    var it = Rows()
    while true {
      skipBlanks()
      while it.cells[it.cells.count - 1].isEmpty, peekCommand() == "hline" {
        _ = command()
        it.lines.insert(it.cells.count - 1)
        skipBlanks()
      }
      let at = index
      let nodes = try row()
      it.cells[it.cells.count - 1].append(MathNode(.group(nodes, .ordinary), range(from: at)))
      if next == "&" {
        index += 1
        continue
      }
      let wordStart = index
      switch command() {
      case "\\", "cr":
        it.skips.append(try rowSkip())
        it.cells.append([])
      case "end":
        guard try braced() == name else {
          throw failure(
            from: wordStart, to: index, "mismatched '\\end', expected '\\end{\(name)}'",
            fix: "\\end{\(name)}")
        }
        // The last row may have a trailing row separator.
        if it.cells.count > 1, it.cells[it.cells.count - 1].count == 1,
          case .group(let nodes, _) = it.cells[it.cells.count - 1][0].kind, nodes.isEmpty
        {
          it.cells.removeLast()
        }
        return it
      default:
        throw failure(
          from: start, to: start + 6, "unclosed '\\begin{\(name)}'",
          "expected \\end{\(name)}")
      }
    }
  }

  /// Parses additional space below a row, such as `\\[4pt]` or `\\[0.5em]`; returns em at a font
  /// size of 10 pt.
  private mutating func rowSkip() throws(FormulaError) -> Double {
    guard next == "[" else { return 0 }
    let start = index
    var text = ""
    index += 1
    while let scalar = next, scalar != "]", text.count < 12 {
      text.unicodeScalars.append(scalar)
      index += 1
    }
    let units = ["pt": 0.1, "em": 1.0, "ex": 0.43, "mm": 0.2845, "cm": 2.845]
    let unit = units.keys.first { text.hasSuffix($0) }
    guard next == "]", let unit, let number = Double(text.dropLast(2)), abs(number) <= 1000,
      let factor = units[unit]
    else {
      throw failure(
        from: start, to: index, "expected a length such as [4pt] or [0.5em]",
        "write \\\\ {} if the next row starts with a bracket")
    }
    index += 1
    return number * factor
  }

  /// Parses a name in braces. Returns `nil` if there is none, or if it is too long or not closed.
  mutating func braced(upTo longest: Int = 20) throws(FormulaError) -> String? {
    skipBlanks()
    guard next == "{" else { return nil }
    index += 1
    var name = ""
    while let scalar = next, scalar != "}", name.count < longest {
      name.unicodeScalars.append(scalar)
      index += 1
    }
    guard next == "}" else { return nil }
    index += 1
    return name
  }

  /// Parses the column of `matrix*` and similar environments, such as `[r]`; returns `nil` if it is
  /// omitted.
  private mutating func columnOption() throws(FormulaError) -> Table.Column? {
    skipBlanks()
    guard next == "[" else { return nil }
    let at = index
    index += 1
    let kinds: [Unicode.Scalar: Table.Column] = ["l": .left, "c": .center, "r": .right]
    guard let next, let column = kinds[next] else {
      throw failure(from: at, to: index, "expected [l], [c] or [r]")
    }
    index += 1
    guard self.next == "]" else {
      throw failure(from: at, to: at + 1, "unclosed '['", "expected ']'")
    }
    index += 1
    return column
  }

  /// Parses the columns of an `array`, and the number of vertical rules before each column and
  /// after the last one.
  private mutating func columnLetters(_ start: Int) throws(FormulaError)
    -> (columns: [Table.Column], bars: [Int])
  {
    let at = index
    let letters = try braced(upTo: 400) ?? ""
    var columns: [Table.Column] = []
    var bars = [0]
    for letter in letters where letter != " " {
      switch letter {
      case "l": columns.append(.left)
      case "c": columns.append(.center)
      case "r": columns.append(.right)
      case "|":
        bars[bars.count - 1] += 1
        continue
      default:
        throw failure(
          from: at, to: index, "unknown column type '\(letter)'",
          "the column types are l, c and r, with | for a line: {l|cr}")
      }
      bars.append(0)
    }
    guard !columns.isEmpty else {
      throw failure(
        from: start, to: index, "'\\begin{array}' requires column types",
        "such as \\begin{array}{lcr}")
    }
    return (columns, bars)
  }

  /// Parses `\substack{a \\ b}`: stacked lines in script size.
  mutating func substack(_ start: Int) throws(FormulaError) -> MathNode {
    skipBlanks()
    guard next == "{" else {
      throw failure(
        from: start, to: index, "'\\substack' requires lines in braces",
        "write \\substack{a \\\\ b}")
    }
    index += 1
    try enter(start)
    defer { depth -= 1 }
    var rows: [[MathNode]] = []
    while true {
      let at = index
      let nodes = try row()
      rows.append([MathNode(.group(nodes, .ordinary), range(from: at))])
      if next == "}" {
        index += 1
        break
      }
      guard command() == "\\" else {
        throw failure(from: start, to: start + 9, "unclosed '\\substack'", "expected '}'")
      }
    }
    var table = Table(rows, [.center], gap: 0)
    (table.pitch, table.leading, table.slack) = (0.68, 0.1, 0.1)
    return node(.table(table), start)
  }

  /// Returns the layout of an environment, with the dimensions of LaTeX and amsmath at 10 pt in em.
  private static func table(
    _ name: String, rows: [[MathNode]], columns: [Table.Column], opening: Range<Int>,
    closing: Range<Int>
  ) -> Table {
    var table = Table(rows, [.center], gap: 1)
    (table.strut, table.cellStyle) = (1.2, .text)
    func fence(_ left: Unicode.Scalar?, _ right: Unicode.Scalar?) {
      table.left = left.map { Bracket(scalar: $0, range: opening) }
      table.right = right.map { Bracket(scalar: $0, range: closing) }
    }
    if name.hasSuffix("matrix*") { table.columns = columns }
    switch name {
    case "pmatrix", "pmatrix*": fence("(", ")")
    case "bmatrix", "bmatrix*": fence("[", "]")
    case "Bmatrix", "Bmatrix*": fence("{", "}")
    case "vmatrix", "vmatrix*": fence("|", "|")
    case "Vmatrix", "Vmatrix*": fence("‖", "‖")
    case "cases", "rcases", "dcases":
      if name == "rcases" { fence(nil, "}") } else { fence("{", nil) }
      (table.columns, table.strut) = ([.left], 1.44)
      if name == "dcases" { table.cellStyle = .display }
    case "smallmatrix":
      (table.gaps, table.strut, table.cellStyle) = ([5.0 / 18], 0, .script)
      (table.pitch, table.leading) = (0.6, 0.15)
    case "array": (table.columns, table.margin) = (columns, 0.5)
    case "aligned", "align", "align*", "alignedat", "alignat", "alignat*", "split", "gathered",
      "gather", "gather*", "equation", "equation*":
      if name.hasPrefix("align") || name == "split" {
        let gap = name.contains("at") ? 0.0 : 1
        (table.columns, table.gaps, table.isAligned) = ([.right, .left], [0, gap], true)
      }
      (table.pitch, table.leading, table.slack) = (1.5, 0.4, 0.3)
      table.cellStyle = .display
    default: break
    }
    return table
  }
}
