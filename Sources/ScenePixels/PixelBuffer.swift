// SPDX-License-Identifier: MIT
package import SceneGraphics
import Synchronization

/// Rows of 32-bit pixels, B G R A in memory, alpha premultiplied.
///
/// `stride` is `width * 4`. Written only while it is made; then it may be read from any thread.
// Safe: the memory is written before the value is handed on, and freed with it.
package final class PixelBuffer: @unchecked Sendable {
  package let size: PixelSize
  package private(set) var memory: PixelMemory
  private let isRecycled: Bool
  /// Whether alpha is 255 everywhere, as the maker knows it.
  package let isOpaque: Bool

  package var stride: Int { size.width * 4 }

  /// Clear pixels.
  package init(_ size: PixelSize, isOpaque: Bool = false) {
    self.size = size
    self.isOpaque = isOpaque
    isRecycled = false
    memory = PixelMemory(clear: max(4, size.width * size.height * 4))
  }

  /// With any content, for who writes every pixel of many pictures in turn: in the memory of one that was
  /// let go of, since fresh pages cost as much as to convert a picture.
  package init(toFill size: PixelSize, isOpaque: Bool) {
    self.size = size
    self.isOpaque = isOpaque
    isRecycled = true
    let count = max(4, size.width * size.height * 4)
    memory = RecycledMemory.take(count) ?? PixelMemory(clear: count)
  }

  deinit {
    if isRecycled, isKnownUniquelyReferenced(&memory) { RecycledMemory.give(memory) }
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

/// Memory of pictures that nobody holds any more, for the next of the same size.
private enum RecycledMemory {
  private static let most = 4
  private static let largestSum = 64 << 20
  private static let free = Mutex<[PixelMemory]>([])

  static func take(_ count: Int) -> PixelMemory? {
    free.withLock { free in
      free.lastIndex { $0.count == count }.map { free.remove(at: $0) }
    }
  }

  static func give(_ memory: PixelMemory) {
    guard memory.count <= largestSum else { return }
    // What is too much is freed behind the lock.
    _ = free.withLock { free in
      var surplus: [PixelMemory] = []
      free.append(memory)
      while free.count > most || free.reduce(0, { $0 + $1.count }) > largestSum {
        surplus.append(free.removeFirst())
      }
      return surplus
    }
  }
}
