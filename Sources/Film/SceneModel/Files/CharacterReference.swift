// SPDX-License-Identifier: MIT
import CResources
import SceneResources

/// The character references of HTML: `&amp;`, `&copy`, `&#8217;`, `&#x2019;`.
enum CharacterReference {
  /// Returns the characters of the reference at the start of `text`, and its length in bytes.
  /// Returns `nil` if the text does not start with a reference, so that `&` stands for itself.
  static func first(in text: Substring) -> (String, Int)? {
    let bytes = Array(text.utf8.prefix(40))
    guard bytes.count > 1, bytes[0] == UInt8(ascii: "&") else { return nil }
    if bytes[1] == UInt8(ascii: "#") { return numeric(bytes) }
    // The longest name wins; some names do not require a semicolon.
    let letters = bytes.dropFirst().prefix {
      $0 < 128 && (Character(.init($0)).isLetter || $0 < 58 && $0 > 47)
    }
    var length = letters.count
    if 1 + length < bytes.count, bytes[1 + length] == UInt8(ascii: ";") { length += 1 }
    while length > 1 {
      let name = String(decoding: bytes[1...length], as: UTF8.self)
      if let characters = named[name] { return (characters, length + 1) }
      length -= 1
    }
    return nil
  }

  private static func numeric(_ bytes: [UInt8]) -> (String, Int)? {
    let isHex = bytes.count > 2 && (bytes[2] | 0x20) == UInt8(ascii: "x")
    let start = isHex ? 3 : 2
    var value: UInt32 = 0
    var end = start
    while end < bytes.count,
      let digit = Character(.init(bytes[end])).hexDigitValue, isHex || digit < 10
    {
      value = min(0x11_0000, value * (isHex ? 16 : 10) + UInt32(digit))
      end += 1
    }
    guard end > start else { return nil }
    if end < bytes.count, bytes[end] == UInt8(ascii: ";") { end += 1 }
    // HTML section 13.2.5.80: the numbers of control characters are read as Windows-1252.
    let scalar =
      (0x80...0x9F).contains(value)
      ? windows1252(UInt8(value)) : value == 0 ? nil : Unicode.Scalar(value)
    return (String(Character(scalar ?? "\u{FFFD}")), end)
  }

  /// Decodes a byte of Windows-1252, which replaces the control characters of Latin-1 at 0x80 to
  /// 0x9F.
  static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    let others: [UInt32] = [
      0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039,
      0x152, 0x8D, 0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
      0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
    ]
    guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(others[Int(byte) - 0x80]) ?? "\u{FFFD}"
  }

  /// The names without `&`, with a semicolon unless it is optional.
  private static let named: [String: String] = {
    var table: [String: String] = [:]
    let file = scene_references["references.txt"] ?? []
    for line in String(decoding: file, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count > 1 else { continue }
      let scalars = parts.dropFirst().compactMap {
        UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
      }
      table[String(parts[0])] = String(String.UnicodeScalarView(scalars))
    }
    return table
  }()
}
