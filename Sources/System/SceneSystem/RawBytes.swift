// SPDX-License-Identifier: MIT

// Access to borrowed bytes as values of types without invalid bit patterns.

extension RawSpan {
  package func byte(_ place: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: place, as: UInt8.self)
  }

  /// Returns the sample at an index.
  package func float(_ index: Int) -> Float {
    unsafe unsafeLoad(fromByteOffset: index * 4, as: Float.self)
  }

  /// Returns the first `count` samples.
  package func floats(_ count: Int) -> [Float] { (0..<count).map { float($0) } }

  package var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

extension [UInt8] {
  /// Provides the bytes.
  package func lend<T>(_ body: (RawSpan) throws -> T) rethrows -> T {
    try unsafe body(span.bytes)
  }
}
