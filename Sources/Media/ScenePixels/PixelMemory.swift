// SPDX-License-Identifier: MIT
import CLinux
package import SceneGraphics

/// Exclusively owned memory for pixels.
// Safe: the memory is written by its only owner and read-only afterward.
@safe package final class PixelMemory: @unchecked Sendable {
  package let bytes: UnsafeMutableBufferPointer<UInt8>
  /// Whether the memory was mapped with `mmap` instead of allocated on the heap.
  private let isMapped: Bool

  /// Allocates memory with undefined content.
  package init(count: Int) {
    isMapped = false
    unsafe bytes = .allocate(capacity: max(4, count))
  }

  /// Allocates zeroed memory. Large blocks use huge pages, since mapping ten megabytes of small
  /// pages takes longer than decoding a photograph into them.
  package init(clear count: Int) {
    isMapped = count >= 1 << 20
    unsafe bytes = isMapped ? PixelMemory.pages(count) : .allocate(capacity: max(4, count))
    if !isMapped { clear() }
  }

  private static func pages(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    let start = unsafe mmap(
      nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | Int32(MAP_ANONYMOUS), -1, 0)
    guard let start = unsafe start, Int(bitPattern: start) != -1 else {
      // Safe: heap allocation also aborts if out of memory.
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

  /// Provides the bytes for reading and writing.
  package func withBytes<T>(_ body: (inout MutableSpan<UInt8>) throws -> T) rethrows -> T {
    var span = unsafe bytes.mutableSpan
    return try body(&span)
  }

  /// Provides rows without padding.
  package func withRows<T>(_ size: PixelSize, _ body: (borrowing PixelRows) -> T) -> T {
    precondition(size.width * size.height * 4 <= count)
    // Safe: the memory is never empty and lives as long as this object.
    let rows = unsafe PixelRows(
      bytes.baseAddress!, width: size.width, height: size.height, stride: size.width * 4)
    return body(rows)
  }
}
