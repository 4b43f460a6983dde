// SPDX-License-Identifier: MIT
package import SceneGraphics

/// Sole owner of rows of 32-bit pixels, B G R A in memory, alpha premultiplied.
///
/// `stride` is `width * 4`. Written only while it is made; then it may be read from any thread.
// Safe: the memory is written before the value is handed on, and freed with it.
@safe package final class PixelBuffer: @unchecked Sendable {
  package let size: PixelSize
  let bytes: UnsafeMutableBufferPointer<UInt8>
  /// Whether alpha is 255 everywhere, as the maker knows it.
  let isOpaque: Bool

  package var stride: Int { size.width * 4 }

  init(_ size: PixelSize, isOpaque: Bool = false) {
    self.size = size
    self.isOpaque = isOpaque
    unsafe bytes = .allocate(capacity: max(4, size.width * size.height * 4))
    unsafe bytes.initialize(repeating: 0)
  }

  deinit { unsafe bytes.deallocate() }

  func copy() -> PixelBuffer {
    let it = PixelBuffer(size, isOpaque: isOpaque)
    it.take(self)
    return it
  }

  /// Becomes what another of the same size holds.
  func take(_ other: PixelBuffer) {
    guard let from = unsafe other.bytes.baseAddress else { return }
    unsafe bytes.baseAddress?.update(from: from, count: min(byteCount, other.byteCount))
  }

  /// Blue, green, red, alpha of a pixel, premultiplied.
  package func pixel(_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8, UInt8) {
    let at = (y * size.width + x) * 4
    return unsafe (bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3])
  }

  /// Memory that it holds, in bytes.
  package var byteCount: Int { unsafe bytes.count }
}
