// SPDX-License-Identifier: MIT

// Bytes that somebody lends, as bytes and as numbers of which any bytes are one.

extension RawSpan {
  package func byte(_ place: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: place, as: UInt8.self)
  }

  /// A sample by its number.
  package func float(_ index: Int) -> Float {
    unsafe unsafeLoad(fromByteOffset: index * 4, as: Float.self)
  }

  /// The first samples in them.
  package func floats(_ count: Int) -> [Float] { (0..<count).map { float($0) } }

  package var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

extension [UInt8] {
  /// Lends them.
  package func lend<T>(_ body: (RawSpan) throws -> T) rethrows -> T {
    try unsafe body(span.bytes)
  }
}
