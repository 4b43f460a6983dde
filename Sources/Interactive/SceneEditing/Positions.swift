// SPDX-License-Identifier: MIT
package import SceneText

/// The code units in which an editor counts characters.
package enum PositionEncoding: String, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"

  /// Returns the number of code units of the UTF-8 sequence that begins with a byte.
  func width(_ lead: UInt8) -> Int {
    switch self {
    case .utf8: lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    case .utf16: lead < 0xF0 ? 1 : 2
    case .utf32: 1
    }
  }
}

/// A position in the terms of the Language Server Protocol; both numbers count from 0.
package struct Position: Hashable, Sendable, Comparable {
  package var line: Int
  package var character: Int

  package init(_ line: Int, _ character: Int) {
    self.line = line
    self.character = character
  }

  package static func < (a: Position, b: Position) -> Bool {
    (a.line, a.character) < (b.line, b.character)
  }
}

extension SourceFile {
  /// Returns the offset of a position. A position beyond the end of a line is clamped to it; a
  /// position inside a character is moved to the character's start.
  package func offset(of position: Position, _ encoding: PositionEncoding) -> Int {
    if position.line < 0 { return 0 }
    guard position.line < lineStarts.count else { return bytes.count }
    let line = lineRange(position.line)
    var (offset, character) = (line.lowerBound, 0)
    while offset < line.upperBound {
      let next = character + encoding.width(bytes[offset])
      if next > position.character { break }
      character = next
      offset += 1
      while offset < line.upperBound, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    }
    return offset
  }

  package func position(of offset: Int, _ encoding: PositionEncoding) -> Position {
    let offset = min(max(0, offset), bytes.count)
    let line = lineIndex(at: offset)
    var character = 0
    for byte in bytes[lineStarts[line]..<offset] where byte & 0xC0 != 0x80 {
      character += encoding.width(byte)
    }
    return Position(line, character)
  }
}

/// An edit of a file.
package struct TextEdit: Hashable, Sendable {
  /// The bytes to replace; empty to insert.
  package let range: Range<Int>
  package let text: String

  package init(_ range: Range<Int>, _ text: String) {
    self.range = range
    self.text = text
  }
}

extension [TextEdit] {
  /// Returns the text after applying all edits, which must not overlap.
  package func applied(to bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for edit in sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(edit.range.clamped(to: 0..<bytes.count), with: edit.text.utf8)
    }
    return bytes
  }
}
