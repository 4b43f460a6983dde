// SPDX-License-Identifier: MIT
import SceneTestSupport
import Testing

/// Images whose pixels keep hard edges when they are enlarged. The image has 16 x 16 pixels of six
/// colors.
@Suite("Pixelated images", .cpuBudget(seconds: 1)) struct PixelatedTests {
  private static let side = 340

  private static func drawn(_ body: String, _ rendering: String = "pixelated") throws -> [UInt8] {
    try Drawing(
      """
      scene {
          size: 340x340;  for: 1s;  background: white;  image-rendering: \(rendering)
          \(body)
      }
      """, folder: "Grammar/pictures/assets"
    ).pixels()
  }

  /// Returns the number of pixels of each color in a frame.
  private static func colors(of pixels: [UInt8]) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for at in stride(from: 0, to: pixels.count, by: 4) {
      let color = Int(pixels[at]) << 16 | Int(pixels[at + 1]) << 8 | Int(pixels[at + 2])
      counts[color, default: 0] += 1
    }
    return counts
  }

  private static func sprite(_ more: String = "", _ rendering: String = "pixelated") throws
    -> [UInt8]
  {
    try drawn("image \"robot.png\" { size: 320x320;  \(more) }", rendering)
  }

  @Test func keepsItsColorsAtIntegerScales() throws {
    for size in [16, 32, 48, 160, 320] {
      let pixels = try Self.drawn(
        "image \"robot.png\" { size: \(size)x\(size);  anchor: top-left;  position: (10, 10) }")
      #expect(Self.colors(of: pixels).count == 7, "\(size)")
    }
    #expect(try Self.colors(of: Self.sprite("", "auto")).count > 100)
  }

  @Test func blendsOnlyAtEdgesElsewhere() throws {
    let pure = try Set(Self.colors(of: Self.sprite()).keys)
    let moved = [
      "translate: (0.5, 0.5)", "rotate: 30deg", "scale: 0.93", "rotate-y: 50deg",
      "rotate-x: 30deg;  rotate: 10deg",
    ]
    for more in moved {
      func share(_ rendering: String) throws -> Double {
        let colors = Self.colors(of: try Self.sprite(more, rendering))
        let count = colors.reduce(0) { $0 + (pure.contains($1.key) ? $1.value : 0) }
        return Double(count) / Double(Self.side * Self.side)
      }
      #expect(try share("pixelated") > 0.85, "\(more)")
      #expect(try share("pixelated") > share("auto") + 0.08, "\(more)")
    }
  }

  @Test func appliesInsideCamerasGroupsAndLayers() throws {
    let whole = try Self.sprite()
    for body in [
      "group { size: 16x16;  scale: 20;  image \"robot.png\" }",
      "group { size: 100%;  opacity: 1;  filter: brightness(1);  image \"robot.png\" { size: 320x320 } }",
      "camera { size: 100%;  zoom: 20;  image \"robot.png\" }",
      "rect { size: 320x320;  fill: pattern(\"robot.png\", size: 320x320) }",
    ] { #expect(try Self.drawn(body) == whole, "\(body)") }
  }
}
