// SPDX-License-Identifier: MIT
package import SceneGraphics

/// Rows of 32-bit pixels, B G R A in memory, alpha premultiplied.
///
/// `stride` is `width * 4`. Written only while it is made; then it may be read from any thread.
// Safe: the memory is written before the value is handed on, and freed with it.
package final class PixelBuffer: @unchecked Sendable {
  package let size: PixelSize
  package let memory: PixelMemory
  /// Whether alpha is 255 everywhere, as the maker knows it.
  package let isOpaque: Bool

  package var stride: Int { size.width * 4 }

  /// Clear pixels.
  package init(_ size: PixelSize, isOpaque: Bool = false) {
    self.size = size
    self.isOpaque = isOpaque
    memory = PixelMemory(clear: max(4, size.width * size.height * 4))
  }

  package func copy() -> PixelBuffer {
    let it = PixelBuffer(size, isOpaque: isOpaque)
    it.take(self)
    return it
  }

  /// Becomes what another of the same size holds.
  package func take(_ other: PixelBuffer) {
    withRows { own in other.withRows { own.copy(from: $0) } }
  }

  /// Lends the pixels as rows.
  package func withRows<T>(_ body: (borrowing PixelRows) -> T) -> T { memory.withRows(size, body) }

  /// Lends the bytes to be written, while the picture is made.
  package func withBytes<T>(_ body: (inout MutableSpan<UInt8>) throws -> T) rethrows -> T {
    try memory.withBytes(body)
  }

  /// Blue, green, red, alpha of a pixel, premultiplied.
  package func pixel(_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8, UInt8) {
    let at = y * stride + x * 4
    return withBytes { ($0[at], $0[at + 1], $0[at + 2], $0[at + 3]) }
  }

  /// Memory that it holds, in bytes.
  package var byteCount: Int { memory.count }
}
