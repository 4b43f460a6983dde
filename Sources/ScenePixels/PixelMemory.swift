// SPDX-License-Identifier: MIT

/// Sole owner of memory for pixels, with any content at first.
@safe package final class PixelMemory {
  package let bytes: UnsafeMutableBufferPointer<UInt8>

  package init(count: Int) { unsafe bytes = .allocate(capacity: max(4, count)) }

  deinit { unsafe bytes.deallocate() }

  package var count: Int { unsafe bytes.count }

  package func clear() { unsafe bytes.update(repeating: 0) }

  /// Lends as many rows without padding as are asked for.
  package func withRows<T>(width: Int, height: Int, _ body: (borrowing PixelRows) -> T) -> T {
    precondition(width * height * 4 <= count)
    // Safe: the memory is never empty, and lives as long as this object.
    let rows = unsafe PixelRows(
      bytes.baseAddress!, width: width, height: height, stride: width * 4)
    return body(rows)
  }
}

/// Memory of layers that were drawn, for those that come: fresh pages cost more than clearing.
package final class PixelPool {
  private var free: [PixelMemory] = []
  private static let largestSum = 64 << 20
  package let scratch = FillScratch()

  package init() {}

  /// At least so many bytes, with any content.
  package func take(_ count: Int) -> PixelMemory {
    let fitting = free.indices.filter {
      free[$0].count >= count && free[$0].count <= 2 * count + 4096
    }
    let best = fitting.min { free[$0].count < free[$1].count }
    return best.map { free.remove(at: $0) } ?? PixelMemory(count: count)
  }

  package func give(_ memory: PixelMemory) {
    free.append(memory)
    while free.count > 8 || free.reduce(0, { $0 + $1.count }) > PixelPool.largestSum {
      free.removeFirst()
    }
  }
}
