// SPDX-License-Identifier: MIT

/// Finds the first JSON syntax error (RFC 8259) with its location, which Foundation does not
/// report.
struct JSONScanner {
  private let bytes: [UInt8]
  private var index = 0

  /// The nesting limit. Foundation rejects deeper files.
  private static let depthLimit = 500

  private struct Failure: Error {
    let message: String
    let offset: Int
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  /// Returns a message such as "line 3, column 7: expected ',' or ']', found 'x'"; `nil` if there
  /// is no error.
  mutating func firstError() -> String? {
    do throws(Failure) {
      try value(0)
      skipBlanks()
      if index < bytes.count { throw expected("the end of the file") }
      return nil
    } catch {
      let before = bytes[..<min(error.offset, bytes.count)]
      let line = before.count { $0 == 10 } + 1
      let start = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
      // Columns count characters, so UTF-8 continuation bytes are skipped.
      let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
      return "line \(line), column \(column): \(error.message)"
    }
  }

  private func expected(_ what: String) -> Failure {
    guard index < bytes.count else {
      return Failure(message: "expected \(what), found the end of the file", offset: bytes.count)
    }
    let found = String(decoding: bytes[index...].prefix(4), as: UTF8.self).first.map(String.init)
    return Failure(message: "expected \(what), found '\(found ?? "?")'", offset: index)
  }

  private mutating func skipBlanks() {
    while index < bytes.count, [32, 9, 10, 13].contains(bytes[index]) { index += 1 }
  }

  private mutating func take(_ character: Character) -> Bool {
    skipBlanks()
    guard index < bytes.count, bytes[index] == character.asciiValue else { return false }
    index += 1
    return true
  }

  private mutating func value(_ depth: Int) throws(Failure) {
    skipBlanks()
    guard depth < JSONScanner.depthLimit else {
      throw Failure(
        message: "values are nested more than \(JSONScanner.depthLimit) levels deep", offset: index)
    }
    guard index < bytes.count else { throw expected("a value") }
    switch bytes[index] {
    case UInt8(ascii: "{"): try object(depth)
    case UInt8(ascii: "["): try list(depth)
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "-"), 48...57: try number()
    default:
      for word in ["true", "false", "null"] where bytes[index...].starts(with: word.utf8) {
        index += word.utf8.count
        return
      }
      throw expected("a value")
    }
  }

  private mutating func object(_ depth: Int) throws(Failure) {
    index += 1
    if take("}") { return }
    repeat {
      skipBlanks()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
        throw expected("a name in double quotes")
      }
      try string()
      guard take(":") else { throw expected("':'") }
      try value(depth + 1)
    } while take(",")
    guard take("}") else { throw expected("',' or '}'") }
  }

  private mutating func list(_ depth: Int) throws(Failure) {
    index += 1
    if take("]") { return }
    repeat { try value(depth + 1) } while take(",")
    guard take("]") else { throw expected("',' or ']'") }
  }

  private mutating func string() throws(Failure) {
    let start = index
    index += 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] < 32 {
        throw Failure(
          message: "a string contains a control character; write a line break as \\n", offset: index
        )
      }
      if bytes[index] == UInt8(ascii: "\\") {
        index += 1
        let next = index < bytes.count ? bytes[index] : 0
        let hex = bytes[min(index + 1, bytes.count)...].prefix(4)
        let isCode =
          next == UInt8(ascii: "u") && hex.count == 4
          && hex.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        guard isCode || Array("\"\\/bfnrt".utf8).contains(next) else {
          throw Failure(message: "unknown escape in a string", offset: index - 1)
        }
      }
      index += 1
    }
    guard index < bytes.count else {
      throw Failure(message: "unterminated string", offset: start)
    }
    index += 1
  }

  private mutating func number() throws(Failure) {
    func digits() throws(Failure) {
      guard index < bytes.count, (48...57).contains(bytes[index]) else { throw expected("a digit") }
      while index < bytes.count, (48...57).contains(bytes[index]) { index += 1 }
    }
    let start = index
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    try digits()
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < bytes.count, [43, 45].contains(bytes[index]) { index += 1 }
      try digits()
    }
    let number = String(decoding: bytes[start..<index], as: UTF8.self)
    guard Double(number)?.isFinite == true else {
      throw Failure(message: "the number \(number.prefix(40)) is too large", offset: start)
    }
    let unit = bytes[index...].prefix { $0 == UInt8(ascii: "%") || (97...122).contains($0 | 0x20) }
    if !unit.isEmpty {
      let written = String(decoding: bytes[start..<index] + unit, as: UTF8.self)
      throw Failure(
        message: "a number with a unit must be in double quotes: \"\(written)\"", offset: index)
    }
  }
}
