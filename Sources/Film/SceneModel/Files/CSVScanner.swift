// SPDX-License-Identifier: MIT

/// Splits the text of a table into records of cells according to RFC 4180. Also accepts a semicolon
/// or tab as the separator.
struct CSVScanner {
  typealias Cell = CSVTable.Cell

  private let separator: Character
  private let limit: Int
  private var records: [[Cell]] = []
  private var record: [Cell] = []
  private var cell = ""
  private var count = 0
  /// The position of the next character, and the start of its cell.
  private var line = 1, column = 1
  private var start = (line: 1, column: 1)
  private var isQuoted = false
  private var wasQuoted = false

  /// Returns the records of `text`, with at most `limit` cells in total.
  static func records(of text: String, limit: Int) throws(DataError) -> [[Cell]] {
    var scanner = CSVScanner(separator: separator(of: text), limit: limit)
    var rest = text[...]
    while let c = rest.popFirst() { try scanner.take(c, &rest) }
    return try scanner.finish()
  }

  private init(separator: Character, limit: Int) {
    self.separator = separator
    self.limit = limit
  }

  /// Returns the separator: a comma or, if the first line has none, the semicolon that Excel writes
  /// in many locales, or a tab.
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

  private mutating func take(_ c: Character, _ rest: inout Substring) throws(DataError) {
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
      throw DataError(
        message: "expected \(names[separator] ?? "a comma") after the closing quote",
        line: here.line, column: here.column)
    } else {
      cell.append(c)
    }
  }

  /// Parses a character of a quoted cell, in which a doubled quote represents a single one.
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

  private mutating func endCell() throws(DataError) {
    count += 1
    record.append(Cell(text: cell, line: start.line, column: start.column))
    cell = ""
    wasQuoted = false
    start = (line, column)
    if count > limit { throw CSVTable.tooMany(limit, line: line, column: column) }
  }

  private mutating func endRecord() throws(DataError) {
    try endCell()
    if record.count > 1 || !record[0].text.isEmpty { records.append(record) }
    record = []
  }

  private mutating func finish() throws(DataError) -> [[Cell]] {
    if isQuoted {
      throw DataError(
        message: "unterminated quoted cell", line: start.line,
        column: start.column)
    }
    if !cell.isEmpty || !record.isEmpty || wasQuoted { try endRecord() }
    return records
  }
}
