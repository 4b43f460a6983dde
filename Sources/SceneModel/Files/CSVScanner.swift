// SPDX-License-Identifier: MIT

/// Cuts the text of a table into records of cells, as RFC 4180 has them; where a comma stands between
/// cells elsewhere, a semicolon or a tab may.
struct CSVScanner {
  typealias Cell = CSVTable.Cell

  private let separator: Character
  private let limit: Int
  private var records: [[Cell]] = []
  private var record: [Cell] = []
  private var cell = ""
  private var count = 0
  /// Where the next character is, and where its cell begins.
  private var line = 1, column = 1
  private var start = (line: 1, column: 1)
  private var isQuoted = false
  private var wasQuoted = false

  /// The records of a text, at most `limit` cells in all.
  static func records(of text: String, limit: Int) throws(DataFault) -> [[Cell]] {
    var scanner = CSVScanner(separator: separator(of: text), limit: limit)
    var rest = text[...]
    while let c = rest.popFirst() { try scanner.take(c, &rest) }
    return try scanner.finish()
  }

  private init(separator: Character, limit: Int) {
    self.separator = separator
    self.limit = limit
  }

  /// What separates cells: a comma, or where the first line has none, the semicolon that Excel writes
  /// in many countries, or a tab.
  private static func separator(of text: String) -> Character {
    var isQuoted = false
    var found: Character?
    for c in text {
      if c == "\"" { isQuoted.toggle() }
      if isQuoted { continue }
      if c == "," { return c }
      if c.isNewline { break }
      if found == nil, c == ";" || c == "\t" { found = c }
    }
    return found ?? ","
  }

  private mutating func take(_ c: Character, _ rest: inout Substring) throws(DataFault) {
    let here = (line: line, column: column)
    (line, column) = c.isNewline ? (line + 1, 1) : (line, column + 1)
    if isQuoted {
      takeQuoted(c, &rest)
    } else if c == "\"", cell.isEmpty, !wasQuoted {
      isQuoted = true
    } else if c == separator {
      try endCell()
    } else if c.isNewline {
      try endRecord()
    } else if wasQuoted {
      let names: [Character: String] = [";": "a semicolon", "\t": "a tab"]
      throw DataFault(
        message: "expected \(names[separator] ?? "a comma") after the closing quote",
        line: here.line, column: here.column)
    } else {
      cell.append(c)
    }
  }

  /// Two quotes inside of quotes are one.
  private mutating func takeQuoted(_ c: Character, _ rest: inout Substring) {
    guard c == "\"" else { return cell.append(c) }
    if rest.first == "\"" {
      rest.removeFirst()
      column += 1
      cell.append(c)
    } else {
      isQuoted = false
      wasQuoted = true
    }
  }

  private mutating func endCell() throws(DataFault) {
    count += 1
    record.append(Cell(text: cell, line: start.line, column: start.column))
    cell = ""
    wasQuoted = false
    start = (line, column)
    if count > limit { throw CSVTable.tooMany(limit, line: line, column: column) }
  }

  private mutating func endRecord() throws(DataFault) {
    try endCell()
    if record.count > 1 || !record[0].text.isEmpty { records.append(record) }
    record = []
  }

  private mutating func finish() throws(DataFault) -> [[Cell]] {
    if isQuoted {
      throw DataFault(
        message: "unterminated quoted cell", line: start.line,
        column: start.column)
    }
    if !cell.isEmpty || !record.isEmpty || wasQuoted { try endRecord() }
    return records
  }
}
