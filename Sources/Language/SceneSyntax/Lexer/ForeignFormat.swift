// SPDX-License-Identifier: MIT

/// The format of a number in other languages, as in `{x:.2f}` and `{x:,.0f}`.
struct ForeignFormat {
  /// The maximum length in bytes.
  static let longest = 12
  /// The offset after the format, which is that of the closing brace.
  let end: Int
  let decimals: Int
  let hasGroups: Bool
  /// Whether the format has only a number of decimals.
  let isPlain: Bool

  /// Reads the format between an offset and the next `}`; `nil` for other text.
  init?(_ bytes: [UInt8], at start: Int) {
    let rest = bytes[start...].prefix(ForeignFormat.longest + 1)
    guard let end = rest.firstIndex(of: UInt8(ascii: "}")),
      let type = rest[..<end].last, "dfg".utf8.contains(type)
    else { return nil }
    let parts = rest[start..<end - 1].split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    guard parts.count <= 2, parts[0].allSatisfy({ isDigit($0) || "+-,".utf8.contains($0) }) else {
      return nil
    }
    var decimals = 0
    if parts.count == 2 {
      guard (1...2).contains(parts[1].count), parts[1].allSatisfy(isDigit) else { return nil }
      decimals = parts[1].reduce(0) { $0 * 10 + Int($1 - 48) }
    }
    self.end = end
    self.decimals = decimals
    hasGroups = parts[0].contains(UInt8(ascii: ","))
    isPlain = parts.count == 2 && parts[0].isEmpty && decimals <= 9 && type == UInt8(ascii: "f")
  }
}
