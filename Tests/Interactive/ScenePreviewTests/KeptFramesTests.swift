// SPDX-License-Identifier: MIT
import ScenePreview
import SceneTestSupport
import Testing

/// The cache of drawn frames.
@Suite("Kept frames", .cpuBudget(seconds: 1)) struct KeptFramesTests {
  private func key(_ digest: Int, width: Int = 960, isFine: Bool = true) -> KeptFrames.Key {
    KeptFrames.Key(digest: digest, width: width, ground: .scene, isFine: isFine)
  }

  @Test func aPictureIsKnownByAllThatItFollowsFrom() {
    let kept = KeptFrames()
    kept.keep([1, 2, 3], as: key(1))
    #expect(kept[key(1)] == [1, 2, 3])
    #expect(kept[key(2)] == nil)
    #expect(kept[key(1, width: 480)] == nil)
    #expect(kept[key(1, isFine: false)] == nil)
    #expect(kept.byteCount == 3)
  }

  @Test func whatWasNotUsedForLongestGoes() {
    let kept = KeptFrames(limit: 100)
    for number in 0..<10 { kept.keep([UInt8](repeating: 0, count: 10), as: key(number)) }
    #expect(kept[key(0)] != nil)
    kept.keep([UInt8](repeating: 0, count: 10), as: key(10))
    #expect(kept.byteCount <= 100)
    #expect(kept.contains(key(0)))
    #expect(kept.contains(key(10)))
    #expect(!kept.contains(key(1)))
    kept.keep([UInt8](repeating: 0, count: 101), as: key(11))
    #expect(!kept.contains(key(11)))
  }
}
