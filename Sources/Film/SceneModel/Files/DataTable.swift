// SPDX-License-Identifier: MIT

/// The position of a cell in a data file; lines and columns count from 1.
package struct DataPlace: Hashable, Sendable {
  package let file: String
  package let line: Int
  package let column: Int

  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  package var description: String { "\(file):\(line):\(column)" }
}

/// A value of a data file.
package indirect enum DataValue: Hashable, Sendable {
  case none
  /// An empty cell of a numeric column.
  case empty(DataPlace)
  case bool(Bool)
  case number(Double)
  /// A string, with its position if known.
  case text(String, DataPlace?)
  case list([DataValue])
  /// A record whose fields are in file order.
  case record([Field])

  /// A named value of a record.
  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: DataValue

    package init(_ name: String, _ value: DataValue) {
      self.name = name
      self.value = value
    }
  }
}

/// The reason why a data file cannot be read, with its position.
package struct DataError: Error, Hashable, Sendable {
  package let message: String
  package let line: Int
  package let column: Int
}

/// Comma-separated values according to RFC 4180; the first row holds the column names.
///
/// Cells are separated by commas, or by semicolons or tabs if the first line has no comma. Lines
/// may end in LF or CRLF. A byte order mark is skipped, short rows are padded with empty cells, and
/// empty lines are ignored.
package struct CSVTable: Sendable {
  /// The text of a cell and its position in the file.
  package struct Cell: Hashable, Sendable {
    package let text: String
    package let line: Int
    package let column: Int
  }

  /// The maximum number of cells, including the padding of short rows.
  package static let greatestCount = 1_000_000

  package private(set) var columns: [String] = []
  package private(set) var rows: [[Cell]] = []

  package init(_ bytes: [UInt8], limit: Int = greatestCount) throws(DataError) {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let text = String(validating: bytes[start...], as: UTF8.self) else {
      throw DataError(message: "the file is not UTF-8", line: 1, column: 1)
    }
    var records = try CSVScanner.records(of: text, limit: limit)
    guard !records.isEmpty else {
      throw DataError(message: "missing header row with the column names", line: 1, column: 1)
    }
    let head = records.removeFirst()
    columns = head.map { $0.text.filter { !$0.isNewline } }
    var names: Set<String> = []
    for (name, cell) in zip(columns, head) where !names.insert(name).inserted {
      throw DataError(
        message: "duplicate column '\(cell.text)'", line: cell.line, column: cell.column)
    }
    guard columns.count <= limit / max(1, records.count) else {
      throw CSVTable.tooMany(limit, line: 1, column: 1)
    }
    for record in records {
      if record.count > columns.count {
        let extra = record[columns.count]
        throw DataError(
          message: "the row has \(record.count) cells, but the table has \(columns.count) columns",
          line: extra.line, column: extra.column)
      }
      let end = record.last ?? Cell(text: "", line: 1, column: 1)
      let missing = Cell(text: "", line: end.line, column: end.column + end.text.count)
      rows.append(record + Array(repeating: missing, count: columns.count - record.count))
    }
  }

  static func tooMany(_ limit: Int, line: Int, column: Int) -> DataError {
    DataError(
      message: "the table has more than \(limit) cells; raise the limit with --limit cells=…",
      line: line, column: column)
  }

  /// Returns the rows as records. A column is numeric if it has values and all of them are numbers.
  package func values(file: String) -> DataValue {
    let numeric = columns.indices.map { column in
      let filled = rows.map { $0[column].text }.filter { !$0.isEmpty }
      return !filled.isEmpty && filled.allSatisfy { CSVTable.number($0) != nil }
    }
    return .list(
      rows.map { row in
        .record(
          columns.indices.map { column in
            let cell = row[column]
            let place = DataPlace(file: file, line: cell.line, column: cell.column)
            guard numeric[column] else {
              return .init(columns[column], .text(cell.text, place))
            }
            return .init(
              columns[column], CSVTable.number(cell.text).map(DataValue.number) ?? .empty(place))
          })
      })
  }

  private static func number(_ text: String) -> Double? {
    let text = NumberFormat.withHyphens(text)
    guard let first = text.first(where: { $0 != "-" && $0 != "+" }), first.isNumber || first == "."
    else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
