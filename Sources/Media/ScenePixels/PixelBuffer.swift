// SPDX-License-Identifier: MIT
package import SceneGraphics
import Synchronization

/// A buffer of 32-bit pixels, stored as premultiplied BGRA.
///
/// `stride` is `width * 4`. The buffer is written only during creation. After that, any thread may
/// read it.
// Safe: the memory is written before the object is shared, and freed with it.
package final class PixelBuffer: @unchecked Sendable {
  package let size: PixelSize
  package private(set) var memory: PixelMemory
  private let isRecycled: Bool
  /// Whether alpha is 255 everywhere, as declared by the creator.
  package let isOpaque: Bool

  package var stride: Int { size.width * 4 }

  /// Creates a transparent buffer.
  package init(_ size: PixelSize, isOpaque: Bool = false) {
    self.size = size
    self.isOpaque = isOpaque
    isRecycled = false
    memory = PixelMemory(clear: max(4, size.width * size.height * 4))
  }

  /// Creates a buffer with undefined content, for callers that write every pixel. Reuses the memory
  /// of a released buffer if possible, since mapping fresh pages takes as long as converting a
  /// frame.
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

  /// Copies the content of a buffer of the same size.
  package func take(_ other: PixelBuffer) {
    withRows { own in other.withRows { own.copy(from: $0) } }
  }

  /// Provides the pixels as rows.
  package func withRows<T>(_ body: (borrowing PixelRows) -> T) -> T { memory.withRows(size, body) }

  /// Provides the bytes for writing during creation.
  package func withBytes<T>(_ body: (inout MutableSpan<UInt8>) throws -> T) rethrows -> T {
    try memory.withBytes(body)
  }

  /// A premultiplied color.
  package struct Pixel: Hashable, Sendable {
    package let blue: UInt8
    package let green: UInt8
    package let red: UInt8
    package let alpha: UInt8
  }

  /// Returns the premultiplied color of a pixel.
  package func pixel(_ x: Int, _ y: Int) -> Pixel {
    let at = y * stride + x * 4
    return withBytes {
      Pixel(blue: $0[at], green: $0[at + 1], red: $0[at + 2], alpha: $0[at + 3])
    }
  }

  /// The size of the memory in bytes.
  package var byteCount: Int { memory.count }
}

/// A pool of released memory for buffers of the same size.
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
    // Surplus memory is freed outside the lock.
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
