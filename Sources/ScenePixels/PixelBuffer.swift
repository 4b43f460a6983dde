// SPDX-License-Identifier: MIT
import CLinux
package import SceneGraphics

/// Sole owner of rows of 32-bit pixels, B G R A in memory, alpha premultiplied.
///
/// `stride` is `width * 4`. Written only while it is made; then it may be read from any thread.
// Safe: the memory is written before the value is handed on, and freed with it.
@safe package final class PixelBuffer: @unchecked Sendable {
  package let size: PixelSize
  package let bytes: UnsafeMutableBufferPointer<UInt8>
  /// Whether alpha is 255 everywhere, as the maker knows it.
  package let isOpaque: Bool
  /// Pages of its own, rather than a part of the heap.
  private let isMapped: Bool

  package var stride: Int { size.width * 4 }

  package init(_ size: PixelSize, isOpaque: Bool = false) {
    self.size = size
    self.isOpaque = isOpaque
    let count = max(4, size.width * size.height * 4)
    isMapped = count >= 1 << 20
    if isMapped {
      unsafe bytes = PixelBuffer.pages(count)
    } else {
      unsafe bytes = .allocate(capacity: count)
      unsafe bytes.initialize(repeating: 0)
    }
  }

  /// Clear memory in pages as large as there are: to be given ten megabytes in small ones takes
  /// longer than to decode a photograph into them.
  private static func pages(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    let start = unsafe mmap(
      nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | Int32(MAP_ANONYMOUS), -1, 0)
    guard let start = unsafe start, Int(bitPattern: start) != -1 else {
      // Safe: as the heap does without memory.
      fatalError("cannot allocate \(count) bytes")
    }
    unsafe madvise(start, count, MADV_HUGEPAGE)
    return unsafe UnsafeMutableBufferPointer(
      start: start.assumingMemoryBound(to: UInt8.self), count: count)
  }

  deinit {
    guard isMapped else { return unsafe bytes.deallocate() }
    unsafe munmap(bytes.baseAddress, bytes.count)
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
  package func withRows<T>(_ body: (borrowing PixelRows) -> T) -> T {
    // Safe: the memory is never empty, and lives as long as this object.
    let rows = unsafe PixelRows(
      bytes.baseAddress!, width: size.width, height: size.height, stride: stride)
    return body(rows)
  }

  /// Lends the bytes to be written, while the picture is made.
  package func withBytes<T>(_ body: (inout MutableSpan<UInt8>) -> T) -> T {
    var span = unsafe bytes.mutableSpan
    return body(&span)
  }

  /// Blue, green, red, alpha of a pixel, premultiplied.
  package func pixel(_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8, UInt8) {
    let at = (y * size.width + x) * 4
    return unsafe (bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3])
  }

  /// Memory that it holds, in bytes.
  package var byteCount: Int { unsafe bytes.count }
}
