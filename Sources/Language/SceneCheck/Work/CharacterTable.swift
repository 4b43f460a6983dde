// SPDX-License-Identifier: MIT

/// The positions of the characters of a text, for access in constant time.
struct CharacterTable {
  let text: String
  /// The number of characters.
  let count: Int
  /// The UTF-8 offsets at which the characters start, and the length of the text; `nil` if each
  /// byte is a character.
  private let offsets: [Int32]?

  init(_ text: String) {
    // CR and LF together are one character.
    let isPlain = text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x0D }
    self.text = text
    guard !isPlain else {
      (offsets, count) = (nil, text.utf8.count)
      return
    }
    var starts: [Int32] = [0]
    for character in text { starts.append(starts[starts.count - 1] + Int32(character.utf8.count)) }
    (offsets, count) = (starts, starts.count - 1)
  }

  /// Accesses the characters in a range of character indices.
  subscript(range: Range<Int>) -> String {
    let bytes = text.utf8
    func index(_ place: Int) -> String.Index {
      bytes.index(bytes.startIndex, offsetBy: offsets.map { Int($0[place]) } ?? place)
    }
    return String(text[index(range.lowerBound)..<index(range.upperBound)])
  }

  /// Returns whether a text has the same storage as the text of the table.
  func hasStorage(of other: String) -> Bool {
    text.utf8Span.span.isIdentical(to: other.utf8Span.span)
  }

  /// Returns whether a few bytes of another text are equal, which takes constant time.
  func mayBe(of other: String) -> Bool {
    let (a, b) = (text.utf8, other.utf8)
    guard a.count == b.count else { return false }
    return (0..<8).allSatisfy {
      let index = a.index(a.startIndex, offsetBy: (a.count - 1) * $0 / 7)
      return a[index] == b[b.index(b.startIndex, offsetBy: (a.count - 1) * $0 / 7)]
    }
  }
}

/// The tables of the last texts whose characters were accessed.
struct CharacterTables {
  /// The length from which a table is worth caching, in bytes.
  static let leastLength = 64
  private static let greatestCount = 8
  private var tables: [CharacterTable] = []
  private var next = 0

  /// Returns the table of a text, if it is cached. Adds the bytes that were compared to `compared`.
  /// Canonically equivalent texts have different tables, since their bytes differ.
  func table(of text: String, compared: inout Int) -> CharacterTable? {
    for table in tables where table.mayBe(of: text) {
      if table.hasStorage(of: text) { return table }
      compared += text.utf8.count
      if table.text.utf8.elementsEqual(text.utf8) { return table }
    }
    return nil
  }

  mutating func add(_ table: CharacterTable) {
    if tables.count < CharacterTables.greatestCount {
      tables.append(table)
    } else {
      tables[next] = table
      next = (next + 1) % CharacterTables.greatestCount
    }
  }
}
