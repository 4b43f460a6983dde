// SPDX-License-Identifier: MIT
import ScenePreview
import SceneTestSupport
import Testing

/// The cache of drawn frames.
@Suite("Kept frames", .cpuBudget(seconds: 1)) struct FrameCacheTests {
  private func key(_ digest: Int, width: Int = 960, isFine: Bool = true) -> FrameCache.Key {
    FrameCache.Key(digest: digest, width: width, ground: .scene, isFine: isFine)
  }

  @Test func aPictureIsKnownByAllThatItFollowsFrom() {
    let cache = FrameCache()
    cache.keep([1, 2, 3], as: key(1))
    #expect(cache[key(1)] == [1, 2, 3])
    #expect(cache[key(2)] == nil)
    #expect(cache[key(1, width: 480)] == nil)
    #expect(cache[key(1, isFine: false)] == nil)
    #expect(cache.byteCount == 3)
  }

  @Test func whatWasNotUsedForLongestGoes() {
    let cache = FrameCache(limit: 100)
    for number in 0..<10 { cache.keep([UInt8](repeating: 0, count: 10), as: key(number)) }
    #expect(cache[key(0)] != nil)
    cache.keep([UInt8](repeating: 0, count: 10), as: key(10))
    #expect(cache.byteCount <= 100)
    #expect(cache.contains(key(0)))
    #expect(cache.contains(key(10)))
    #expect(!cache.contains(key(1)))
    cache.keep([UInt8](repeating: 0, count: 101), as: key(11))
    #expect(!cache.contains(key(11)))
  }
}
