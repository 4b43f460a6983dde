// SPDX-License-Identifier: MIT

/// A pool of memory for layers. Reuse is faster than mapping fresh pages.
package final class PixelPool {
  private var free: [PixelMemory] = []
  private static let largestSum = 64 << 20
  package let scratch = FillScratch()

  package init() {}

  /// Returns at least `count` bytes with undefined content.
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
