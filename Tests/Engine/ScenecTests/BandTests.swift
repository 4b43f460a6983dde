// SPDX-License-Identifier: MIT
import SceneTestSupport
import Scenec
import Testing

/// Bands in encoded videos.
@Suite("Bands", .cpuBudget(seconds: 1)) struct BandTests {
  init() { Programs.find }

  /// In an MP4 file of default quality, no run of equal values along a radius of a glow is longer
  /// than four times the ideal one.
  @Test func glowsSurviveEncoding() throws {
    let folder = try Folder()
    try folder.write(
      "glow.scene",
      """
      scene { size: 960x540;  for: 0.5s;  background: #14143a
          circle { radius: 268;  fill: radial-gradient([#2a2a80b0, #2a2a8000]) }
      }
      """)
    let built = try Program.scenec("build", "glow.scene", in: folder.path)
    #expect(built.status == 0, "\(built.errors)")
    let frame = try ClipReader(folder.path + "/glow.mp4").frame(10)
    let pixels = try frame.withPixels { bytes in bytes.indices.map { bytes[$0] } }
    for (channel, ends) in [(58.0, 128.0), (20, 42), (20, 42)].enumerated() {
      let bands = Bands(around: (480, 270), radii: 3..<262) { distance in
        ends.0 + (ends.1 - ends.0) * 176 / 255 * (1 - distance / 268)
      } value: { x, y in
        Int(pixels[(y * 960 + x) * 4 + channel])
      }
      // One step of chroma corresponds to two steps of blue.
      #expect(
        bands.greatestRun <= (channel == 0 ? 5 : 4),
        "channel \(channel) changes by \(bands.greatestRun)")
    }
  }
}
