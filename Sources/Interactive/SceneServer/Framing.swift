// SPDX-License-Identifier: MIT

/// Splits a byte stream into messages: a header with the length of the body, a blank line, and the
/// body. Recovers from any malformed input.
package struct FrameReader: Sendable {
  /// A frame of the stream.
  package enum Frame: Hashable, Sendable {
    case message([UInt8])
    /// A body that is too long, or an invalid header; the content is discarded.
    case unreadable
  }

  package static let largestBody = 64 << 20
  static let largestHeader = 8 << 10
  private static let largestSkipped = 1 << 30

  private var bytes: [UInt8] = []
  private var start = 0
  /// The number of remaining bytes of a discarded body.
  private var skipped = 0
  /// The length of the next body; `nil` until its header has been read.
  private var expected: Int?
  /// Whether input is skipped until the next header.
  private var isLost = false

  package init() {}

  package mutating func add(_ more: [UInt8]) {
    if start > 1 << 16, start > bytes.count / 2 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += more
  }

  /// Returns the next complete frame, if any.
  package mutating func next() -> Frame? {
    while true {
      if skipped > 0 {
        let count = min(skipped, bytes.count - start)
        start += count
        skipped -= count
        if skipped > 0 { return nil }
      }
      if let count = expected {
        guard bytes.count - start >= count else { return nil }
        expected = nil
        defer { start += count }
        return .message(Array(bytes[start..<(start + count)]))
      }
      if isLost {
        guard find() else { return nil }
        continue
      }
      guard let (end, next) = headerEnd() else {
        guard bytes.count - start > FrameReader.largestHeader else { return nil }
        isLost = true
        return .unreadable
      }
      let count = FrameReader.length(bytes[start..<end])
      start = next
      guard let count, count <= FrameReader.largestSkipped else {
        isLost = true
        return .unreadable
      }
      if count <= FrameReader.largestBody {
        expected = count
      } else {
        skipped = count
        return .unreadable
      }
    }
  }

  /// Returns the end of the header at the current position, and the start of its body; `nil` if the
  /// header is incomplete.
  private func headerEnd() -> (end: Int, next: Int)? {
    var index = start
    let last = min(bytes.count, start + FrameReader.largestHeader)
    while index < last {
      if bytes[index] == 10 {
        let after = index + 1
        if after < bytes.count, bytes[after] == 10 { return (index, after + 1) }
        if after + 1 < bytes.count, bytes[after] == 13, bytes[after + 1] == 10 {
          return (index, after + 2)
        }
      }
      index += 1
    }
    return nil
  }

  /// Returns the value of `Content-Length`, ignoring the case of the name; `nil` if missing or
  /// invalid.
  private static func length(_ header: ArraySlice<UInt8>) -> Int? {
    for line in header.split(separator: 10) {
      let text = String(decoding: line, as: UTF8.self)
      let parts = text.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
      let digits = parts[1].filter { !$0.isWhitespace }
      return digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int(digits) : nil
    }
    return nil
  }

  private static let name = Array("content-length:".utf8)

  /// Skips to the next header; returns `false` if no complete one has arrived yet.
  private mutating func find() -> Bool {
    var index = start
    while index + FrameReader.name.count <= bytes.count {
      let isName = zip(bytes[index...], FrameReader.name).allSatisfy {
        ($0 | 0x20) == $1 || $0 == $1
      }
      if isName {
        start = index
        guard let (end, _) = headerEnd() else {
          // The header may be incomplete.
          return false
        }
        if FrameReader.length(bytes[start..<end]) != nil {
          isLost = false
          return true
        }
      }
      index += 1
    }
    start = max(start, bytes.count - FrameReader.name.count)
    return false
  }

  /// Returns a message with its header.
  package static func frame(_ body: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }
}
