// SPDX-License-Identifier: MIT
import CLinux
package import SceneGraphics

/// Sole owner of memory for pixels.
// Safe: whoever holds it alone writes; then it is only read.
@safe package final class PixelMemory: @unchecked Sendable {
  package let bytes: UnsafeMutableBufferPointer<UInt8>
  /// Pages of its own, rather than a part of the heap.
  private let isMapped: Bool

  /// With any content.
  package init(count: Int) {
    isMapped = false
    unsafe bytes = .allocate(capacity: max(4, count))
  }

  /// Clear, in pages as large as there are where it is large: to be given ten megabytes in small
  /// ones takes longer than to decode a photograph into them.
  package init(clear count: Int) {
    isMapped = count >= 1 << 20
    unsafe bytes = isMapped ? PixelMemory.pages(count) : .allocate(capacity: max(4, count))
    if !isMapped { clear() }
  }

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

  package var count: Int { unsafe bytes.count }

  package func clear() { unsafe bytes.update(repeating: 0) }

  /// Lends the bytes, to be read or changed.
  package func withBytes<T>(_ body: (inout MutableSpan<UInt8>) throws -> T) rethrows -> T {
    var span = unsafe bytes.mutableSpan
    return try body(&span)
  }

  /// Lends as many rows without padding as are asked for.
  package func withRows<T>(_ size: PixelSize, _ body: (borrowing PixelRows) -> T) -> T {
    precondition(size.width * size.height * 4 <= count)
    // Safe: the memory is never empty, and lives as long as this object.
    let rows = unsafe PixelRows(
      bytes.baseAddress!, width: size.width, height: size.height, stride: size.width * 4)
    return body(rows)
  }
}
