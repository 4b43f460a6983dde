// SPDX-License-Identifier: MIT
import SceneBuild
import SceneGraphics
import SceneVideo
import Testing

/// Where a video is cut, and that its parts fit together.
@Suite("Segments") struct SegmentTests {
  /// The lengths of the segments of a video of 10 frames a second; a still one is negative.
  ///
  /// Each letter is how a frame stands to the one before: `=` the same, `~` moved, `|` a seam.
  private func cut(_ steps: String, from first: Int = 0) -> [Int] {
    let steps = Array(steps)
    var planner = SegmentPlanner(
      frames: first..<(first + steps.count),
      lengths: SegmentPlanner.Lengths(framesPerSecond: 10))
    var asked = first
    var lengths: [Int] = []
    while let segment = planner.next({ frame in
      asked += 1
      #expect(frame == asked, "each frame is asked for once, in order")
      return switch steps[frame - first] {
      case "=": .same
      case "|": .seam
      default: .moved
      }
    }) {
      lengths.append(segment.isStill ? -segment.frames.count : segment.frames.count)
    }
    return lengths
  }

  private func times(_ letter: String, _ count: Int) -> String {
    String(repeating: letter, count: count)
  }

  @Test func aStandingPictureIsItsOwn() {
    #expect(cut("~") == [1])
    #expect(cut(times("=", 20)) == [-20])
    // Seven that move, then one that stands for 20, then two that move.
    #expect(cut(times("~", 7) + "~" + times("=", 19) + "~~") == [7, -20, 2])
    // Shorter than a second does not count.
    #expect(cut(times("~", 5) + times("=", 5) + times("~", 5)) == [15])
  }

  @Test func lengthsAreBounded() {
    #expect(cut(times("~", 65)) == [30, 30, 5])
    #expect(cut(times("=", 170)) == [-80, -80, -10])
    #expect(cut(times("~", 65), from: 1000) == [30, 30, 5])
  }

  @Test func aSeamIsACutOnceThereIsALength() {
    #expect(cut(times("~", 10) + "|" + times("~", 9) + "|" + times("~", 9)) == [20, 10])
  }

  @Test(
    "stretches of all kinds have the same headers",
    arguments: [
      "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower",
      "veryslow", "placebo",
    ])
  func headersAreEqual(preset: String) throws {
    var settings = VideoSettings(
      container: .mp4, size: PixelSize(320, 180), rateNumerator: 25, rateDenominator: 1)
    settings.preset = preset
    for isSubsampled in [true, false] {
      settings.isSubsampled = isSubsampled
      let moving = try VideoEncoder(settings, .moving).headers
      let still = try VideoEncoder(settings, .still).headers
      #expect(moving == still && !moving.isEmpty)
    }
  }
}
