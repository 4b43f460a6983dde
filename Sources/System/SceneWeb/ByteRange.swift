// SPDX-License-Identifier: MIT

/// The byte range in a `Range` header field.
package struct ByteRange {
  package let bytes: Range<Int>

  /// Parses a header value. Returns `nil` for an unsatisfiable or invalid range and for multiple
  /// ranges.
  package init?(_ text: String, of size: Int) {
    guard text.hasPrefix("bytes="),
      case let parts = text.dropFirst(6).split(
        separator: "-", omittingEmptySubsequences: false), parts.count == 2
    else { return nil }
    let (first, last) = (Int(parts[0]), Int(parts[1]))
    switch (first, last) {
    case (let first?, let last?) where 0 <= first && first <= last && first < size:
      bytes = first..<min(size, last == .max ? size : last + 1)
    case (let first?, nil) where 0 <= first && first < size && parts[1].isEmpty:
      bytes = first..<size
    case (nil, let count?) where count > 0 && parts[0].isEmpty: bytes = max(0, size - count)..<size
    default: return nil
    }
  }
}
