// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneVideo
import Testing

/// That the parts of a video fit together.
@Suite("Segments") struct SegmentTests {
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
