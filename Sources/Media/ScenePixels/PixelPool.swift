// SPDX-License-Identifier: MIT

/// A pool of memory for layers. Reuse is faster than mapping fresh pages.
package final class PixelPool {
  private struct Entry {
    let memory: PixelMemory
    let lastFrame: Int
  }

  private var free: [Entry] = []
  private var frame = 0
  private static let largestSum = 64 << 20
  /// The number of frames after which unused memory is released.
  private static let rest = 8
  package let scratch = FillScratch()

  package init() {}

  /// Releases the memory that no recent frame used.
  package func beginFrame() {
    frame += 1
    free.removeAll { $0.lastFrame < frame - PixelPool.rest }
  }

  /// Returns at least `count` bytes with undefined content.
  package func take(_ count: Int) -> PixelMemory {
    let fitting = free.indices.filter {
      free[$0].memory.count >= count && free[$0].memory.count <= 2 * count + 4096
    }
    let best = fitting.min { free[$0].memory.count < free[$1].memory.count }
    return best.map { free.remove(at: $0).memory } ?? PixelMemory(count: count)
  }

  package func give(_ memory: PixelMemory) {
    free.append(Entry(memory: memory, lastFrame: frame))
    while free.count > 8 || free.reduce(0, { $0 + $1.memory.count }) > PixelPool.largestSum {
      free.removeFirst()
    }
  }
}
