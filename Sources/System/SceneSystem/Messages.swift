// SPDX-License-Identifier: MIT

/// Serializes a message: numbers of eight bytes, little endian, and optionally a text at the end.
package func message(_ numbers: Int...) -> [UInt8] { message(numbers) }

package func message(_ numbers: [Int]) -> [UInt8] {
  numbers.flatMap { number in
    (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}

package func message(_ number: Double) -> [UInt8] {
  message(Int(bitPattern: UInt(number.bitPattern)))
}

package func message(_ text: String) -> [UInt8] { Array(text.utf8.prefix(1000)) }

/// Deserializes messages.
package struct MessageReader {
  /// The bytes that were not read yet.
  package private(set) var rest: ArraySlice<UInt8>
  package private(set) var isWhole = true

  package init(_ bytes: [UInt8]) { rest = bytes[...] }

  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  package mutating func number() -> Int {
    guard rest.count >= 8 else {
      isWhole = false
      return -1
    }
    var number = 0
    for byte in 0..<8 { number |= Int(rest[rest.startIndex + byte]) << (8 * byte) }
    rest = rest.dropFirst(8)
    return number
  }

  package mutating func double() -> Double {
    Double(bitPattern: UInt64(bitPattern: Int64(number())))
  }

  package mutating func text() -> String {
    defer { rest = [] }
    return String(decoding: rest, as: UTF8.self)
  }

  /// Returns the next `count` bytes; `nil` if fewer remain.
  package mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else {
      isWhole = false
      return nil
    }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Whether everything was read and nothing was missing.
  package var isAtEnd: Bool { isWhole && rest.isEmpty }
}
