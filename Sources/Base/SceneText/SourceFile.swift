// SPDX-License-Identifier: MIT

/// The file that a span belongs to: an index into the list of files of a check.
package struct FileID: Hashable, Sendable, Comparable {
  package let rawValue: Int32

  package init(_ rawValue: Int) { self.rawValue = Int32(truncatingIfNeeded: rawValue) }

  package static func < (a: FileID, b: FileID) -> Bool { a.rawValue < b.rawValue }
}

/// A half-open byte range of a source file.
package struct SourceSpan: Hashable, Sendable, Comparable {
  package let file: FileID
  package let start: Int
  /// The offset after the last byte; at least `start`.
  package let end: Int

  package init(file: FileID, start: Int, end: Int) {
    self.file = file
    self.start = start
    self.end = max(start, end)
  }

  /// Hashes the offsets only, since few spans differ only in their file.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(truncatingIfNeeded: start) << 32 | UInt64(truncatingIfNeeded: end))
  }

  /// Returns the smallest span that covers both, in the file of `self`.
  package func union(_ other: SourceSpan) -> SourceSpan {
    SourceSpan(file: file, start: min(start, other.start), end: max(end, other.end))
  }

  package static func < (a: SourceSpan, b: SourceSpan) -> Bool {
    (a.file, a.start, a.end) < (b.file, b.start, b.end)
  }
}

/// The bytes of a source file, with an index of its lines.
///
/// Lines end with `\n`, `\r\n` or a lone `\r`, as in the Language Server Protocol.
package struct SourceFile: Hashable, Sendable {
  package let id: FileID
  /// The name in messages: the path that the caller passed.
  package let name: String
  package let bytes: [UInt8]
  /// The offset of the first byte of each line; never empty.
  package let lineStarts: [Int]

  package init(id: FileID, name: String, bytes: [UInt8]) {
    self.id = id
    self.name = name
    self.bytes = bytes
    var starts = [0]
    for offset in bytes.indices where SourceFile.endsLine(bytes, at: offset) {
      starts.append(offset + 1)
    }
    lineStarts = starts
  }

  package init(id: FileID = FileID(0), name: String, text: String) {
    self.init(id: id, name: name, bytes: Array(text.utf8))
  }

  /// Returns whether a byte is the last one of a line.
  package static func endsLine(_ bytes: [UInt8], at offset: Int) -> Bool {
    switch bytes[offset] {
    case UInt8(ascii: "\n"): true
    case UInt8(ascii: "\r"):
      offset + 1 == bytes.count || bytes[offset + 1] != UInt8(ascii: "\n")
    default: false
    }
  }

  package func span(_ start: Int, _ end: Int) -> SourceSpan {
    SourceSpan(file: id, start: start, end: end)
  }

  /// Returns the text of a span; invalid UTF-8 is replaced.
  package func text(_ span: SourceSpan) -> String {
    let start = min(span.start, bytes.count)
    return String(decoding: bytes[start..<min(max(span.end, start), bytes.count)], as: UTF8.self)
  }

  /// Returns the line and column of a byte, both from 1; columns count Unicode scalars.
  package func position(at offset: Int) -> (line: Int, column: Int) {
    let line = lineIndex(at: offset)
    let start = lineStarts[line]
    let end = min(max(offset, start), bytes.count)
    var column = 1
    for byte in bytes[start..<end] where byte & 0xC0 != 0x80 { column += 1 }
    return (line + 1, column)
  }

  /// Returns the bytes of a line, counted from 0, without the line end.
  package func lineRange(_ line: Int) -> Range<Int> {
    let start = lineStarts[line]
    var end = line + 1 < lineStarts.count ? lineStarts[line + 1] - 1 : bytes.count
    if end > start, end < bytes.count, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return start..<max(start, end)
  }

  /// Returns the line that contains a byte, counted from 0.
  package func lineIndex(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the offset of the first byte that is not part of a well-formed UTF-8 sequence, if any.
  ///
  /// Follows table 3-7 of the Unicode Standard, version 15.
  package func firstInvalidUTF8() -> Int? {
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      if lead < 0x80 {
        index += 1
        continue
      }
      let length: Int
      var low: UInt8 = 0x80
      var high: UInt8 = 0xBF
      switch lead {
      case 0xC2...0xDF: length = 2
      case 0xE0...0xEF:
        length = 3
        if lead == 0xE0 { low = 0xA0 }
        if lead == 0xED { high = 0x9F }
      case 0xF0...0xF4:
        length = 4
        if lead == 0xF0 { low = 0x90 }
        if lead == 0xF4 { high = 0x8F }
      default: return index
      }
      guard index + length <= bytes.count, (low...high).contains(bytes[index + 1]) else {
        return index
      }
      for next in (index + 2)..<(max(index + length, index + 2))
      where bytes[next] & 0xC0 != 0x80 {
        return index
      }
      index += length
    }
    return nil
  }
}

extension Character {
  /// Whether the character ends a line of a source file. `"\r\n"` is a single character.
  package var endsLine: Bool { self == "\n" || self == "\r\n" || self == "\r" }
}
