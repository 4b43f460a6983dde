// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLibrary
import SceneRaster
import SceneTestSupport
import Testing

/// Transitions that compute each pixel from both clips.
@Suite("Pixel transitions", .cpuBudget(seconds: 1)) struct PixelTransitionTests {
  private static let clips = """
    rect { for: 1s;  size: 100%;  fill: linear-gradient(#204060, #c0a040, angle: 30deg) }
    rect { for: 1s;  size: 100%;  fill: linear-gradient(#d05030, #30c0a0, angle: 120deg) }
    """

  /// Returns a 64x36 scene of two clips. The transition takes frames 5 to 9.
  private func drawing(
    _ transition: String, above: String = "", clips: String = clips, size: String = "64x36",
    more: String = ""
  ) throws -> Drawing {
    try Drawing(
      """
      import "std/gl-transitions.scene"
      \(above)
      scene {
          size: \(size);  fps: 10
          \(more)
          sequence { transition: \(transition);  \(clips) }
      }
      """)
  }

  /// The names of the pixel functions in the library.
  private static let names: [String] = {
    let text = String(decoding: Library.file("gl-transitions.scene") ?? [], as: UTF8.self)
    return text.split(separator: "\ntransition ").dropFirst().compactMap { part in
      part.prefix { $0 != "}" }.contains("    color: ") ? String(part.prefix { $0 != "(" }) : nil
    }
  }()

  @Test func thereAreMany() { #expect(Self.names.count == 31, "\(Self.names)") }

  /// With a progress of 0, the frame is that of the old clip, and with 1 that of the new one.
  @Test(arguments: names) func endsAreExact(_ name: String) throws {
    // Gradients are dithered, and edges antialiased, slightly differently in a layer.
    let clips = """
      group { for: 1s;  size: 100%;  rect { size: 100%;  fill: #204060 };  rect { size: 20;  fill: gold } }
      group { for: 1s;  size: 100%;  rect { size: 100%;  fill: #d05030 };  rect { size: 8x22;  fill: teal } }
      """
    for (position, clip) in [("jump-end", 3), ("jump-start", 12)] {
      let drawing = try drawing("\(name) over 0.5s with steps(1, \(position))", clips: clips)
      #expect(try drawing.pixels(7) == drawing.pixels(clip), "\(position)")
    }
  }

  @Test func bothClipsAreSampled() throws {
    let drawn = try drawing(
      "halves over 0.5s",
      above: "transition halves { color: uv.x < 0.5 ? sample(from, xy) : sample(to, xy) }",
      clips:
        "rect { for: 1s;  size: 100%;  fill: red };  rect { for: 1s;  size: 100%;  fill: lime }"
    ).pixels(7)
    #expect(drawn.rgb(31, 18) == [255, 0, 0] && drawn.rgb(32, 18) == [0, 255, 0])
  }

  /// `progress` has the easing of the transition, and parameters have defaults.
  @Test func namesInTheBody() throws {
    let above = """
      transition shown(level: number = 0.5) { color: srgb(progress, level, t / 1s, sample(from, xy).alpha) }
      """
    let frames = try (5..<10).map {
      try drawing("shown(level: 0.2) over 0.5s with linear", above: above).pixels($0).rgb(30, 18)
    }
    for (index, frame) in frames.enumerated() {
      #expect(abs(frame[0] - 51 * index) <= 1 && frame[1] == 51, "\(frame)")
    }
    let eased = try drawing("shown over 0.5s with hold", above: above).pixels(8)
    #expect(eased.rgb(30, 18)[0] == 0 && abs(eased.rgb(30, 18)[1] - 128) <= 1)
  }

  @Test func edgesAreRepeatedAndImagesSampled() throws {
    let far = "transition far { color: sample(from, xy + (1000, 0)) }"
    let clips = "rect { for: 1s;  size: 100%;  fill: red };  rect { for: 1s;  size: 50% }"
    #expect(
      try drawing("far over 0.5s", above: far, clips: clips).pixels(7).rgb(5, 5) == [255, 0, 0])
    let file = "svg-render/paint-servers__linearGradient__invalid-gradientTransform.png"
    let image =
      "transition masked(map: image) { color: alpha(sample(to, xy), sample(map, xy).red) }"
    _ = try drawing("masked(\"\(file)\") over 0.5s", above: image).pixels(7)
  }

  @Test func aTranslucentClipStaysTranslucent() throws {
    let same = "transition same { color: sample(from, xy) }"
    let clips = "rect { for: 1s;  size: 20;  fill: #ff000080 };  rect { for: 1s;  size: 8 }"
    let drawing = try drawing("same over 0.5s", above: same, clips: clips, more: "background: none")
    #expect(try drawing.pixels(7) == drawing.pixels(3))
  }

  /// A scene at half the size has the same look.
  @Test(arguments: ["ripple", "swirl", "perlin", "hexagonalize", "window-slice", "morph"])
  func halfTheSize(_ name: String) throws {
    let whole = try drawing("\(name) over 0.5s", size: "256x144")
    let half = try Canvas(PixelSize(128, 72), isOpaque: true, resources: whole.resources)
    try half.draw(whole.program(7).scaled(to: PixelSize(128, 72)))
    let (small, large) = (half.rgba(), try whole.pixels(7))
    var sum = 0
    for y in 0..<72 {
      for x in 0..<128 {
        let a = small.rgb(x, y, width: 128)
        let b = large.rgb(2 * x, 2 * y, width: 256)
        for channel in 0..<3 { sum += abs(a[channel] - b[channel]) }
      }
    }
    #expect(sum < 128 * 72 * 3 * 6, "\(Double(sum) / (128 * 72 * 3))")
  }

  /// A sequence that is moved, rotated or placed in space moves its transition.
  @Test func placesOfTheSequence() throws {
    func drawn(_ place: String) throws -> [UInt8] {
      try Drawing(
        """
        transition split { color: uv.x < 0.5 ? sample(from, xy) : sample(to, xy) }
        scene {
            size: 64x64;  fps: 10;  for: 1.5s
            group {
                size: 40;  \(place)
                sequence {
                    transition: split over 0.5s
                    rect { for: 1s;  size: 100%;  fill: red }
                    rect { for: 1s;  size: 100%;  fill: lime }
                }
            }
        }
        """
      ).pixels(7)
    }
    let moved = try drawn("translate: (10, 0)")
    #expect(moved.rgb(40, 32) == [255, 0, 0] && moved.rgb(44, 32) == [0, 255, 0])
    #expect(moved.rgb(20, 32) == [0, 0, 0] && moved.rgb(32, 10) == [0, 0, 0])
    let turned = try drawn("rotate: 90deg")
    #expect(turned.rgb(32, 28) == [255, 0, 0] && turned.rgb(32, 36) == [0, 255, 0])
    let space = try drawn("rotate-y: 60deg")
    #expect(space.rgb(29, 32) == [255, 0, 0] && space.rgb(35, 32) == [0, 255, 0])
  }

  @Test func motionBlur() throws {
    let drawn = try drawing(
      "wipe-sharp over 0.5s with linear",
      above: """
        transition wipe-sharp { color: uv.x < progress ? sample(to, xy) : sample(from, xy) }
        """,
      clips:
        "rect { for: 1s;  size: 100%;  fill: black };  rect { for: 1s;  size: 100%;  fill: white }",
      more: "motion-blur: 180deg"
    ).pixels(7)
    #expect(drawn.rgb(2, 18)[0] == 255 && drawn.rgb(60, 18)[0] == 0)
    let edge = drawn.rgb(25, 18)[0]
    #expect(edge > 10 && edge < 245, "\(edge)")
  }

  @Test func numbersThatAreNotFiniteAreBlack() throws {
    let drawn = try drawing(
      "bad over 0.5s",
      above:
        "transition bad { color: srgb(0 / max(0, -uv.x), sqrt(-1 - uv.x), sample(from, xy / max(0, -uv.x)).red) }"
    ).pixels(7)
    #expect(drawn.rgb(30, 18).prefix(2) == [0, 0])
  }

  @Test func transitionsCount() throws {
    let (_, diagnostics) = try Drawing.checking(
      """
      transition heavy {
          color: srgb(sum([for i in 0..390: noise(xy * 0.01, seed: i)]), 0, 0)
      }
      scene {
          size: 1920x1080;  motion-blur: 180deg
          sequence { transition: heavy over 1s;  rect { for: 1.2s };  rect { for: 1.2s } }
      }
      """)
    #expect(diagnostics.contains { $0.message.hasSuffix("takes too long to draw") })
  }
}
