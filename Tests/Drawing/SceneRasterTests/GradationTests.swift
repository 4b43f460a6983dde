// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneTestSupport
import Testing

/// Smooth gradations show no contours, although pixels have 8 bits: means over many pixels follow
/// the formula more closely than one pixel can.
@Suite("Gradations", .cpuBudget(seconds: 2)) struct GradationTests {
  /// A glow of radius 280 in the center of a square of 600 pixels.
  private static let glow =
    "circle { radius: 280;  fill: radial-gradient([#5a5af0b0, #5a5af000]) }"

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: String
    /// The factor of the glow's alpha.
    var share = 1.0
    /// The largest difference of a ring's mean from the formula.
    var most = 0.3
  }

  private static func pixels(_ body: String) throws -> [UInt8] {
    try Drawing(
      "scene { size: 600x600;  for: 1s;  background: #14143a\n\(body)\n}"
    ).pixels()
  }

  /// Calls `visit` with the distance of each pixel from the center and its offset in the bytes.
  private static func forEachPixel(_ visit: (Double, Int) -> Void) {
    for y in 0..<600 {
      for x in 0..<600 {
        visit(Math.hypot(Double(x) - 299.5, Double(y) - 299.5), (y * 600 + x) * 4)
      }
    }
  }

  @Test(arguments: [
    Row(testDescription: "direct", body: glow),
    Row(
      testDescription: "in a rounded clip",
      body: "group { size: 600;  clip { rect { size: 600;  corner-radius: 9 } }\n\(glow) }"),
    Row(
      testDescription: "in a group with an opacity", body: "group { opacity: 0.5\n\(glow) }",
      share: 0.5),
    Row(
      testDescription: "in a mask",
      body: "group { mask { rect { size: 700;  fill: #00000080 } }\n\(glow) }", share: 128 / 255,
      most: 0.45),
  ])
  func glowsHaveNoRings(_ row: Row) throws {
    let pixels = try Self.pixels(row.body)
    let (below, above) = ([20.0, 20, 58], [90.0, 90, 240])
    var sums = Array(repeating: 0.0, count: 50)
    var counts = Array(repeating: 0.0, count: 50)
    Self.forEachPixel { distance, at in
      guard distance < 276 else { return }
      let alpha = row.share * 176 / 255 * (1 - distance / 280)
      for channel in 0..<3 {
        let wanted = below[channel] + (above[channel] - below[channel]) * alpha
        sums[Int(distance / 6)] += Double(pixels[at + channel]) - wanted
        counts[Int(distance / 6)] += 1
      }
    }
    for (ring, sum) in sums.enumerated().dropFirst() where counts[ring] > 0 {
      let mean = sum / counts[ring]
      #expect(abs(mean) <= row.most, "the ring from \(ring * 6) px differs by \(mean)")
    }
  }

  /// A blurred disc only becomes darker outward.
  @Test(arguments: [24, 80]) func blursHaveNoRings(_ deviation: Int) throws {
    let pixels = try Self.pixels(
      "circle { radius: 90;  fill: #5a5af0;  filter: blur(\(deviation)) }")
    var sums = Array(repeating: 0.0, count: 150)
    var counts = Array(repeating: 0.0, count: 150)
    Self.forEachPixel { distance, at in
      guard distance < 297 else { return }
      sums[Int(distance / 2)] += Double(pixels[at + 2])
      counts[Int(distance / 2)] += 1
    }
    let means = zip(sums, counts).filter { $1 > 0 }.map { $0 / $1 }
    var (lowest, greatest) = (Double.infinity, 0.0)
    for mean in means {
      lowest = min(lowest, mean)
      greatest = max(greatest, mean - lowest)
    }
    #expect(greatest <= 0.15, "the brightness rises outward by \(greatest)")
  }

  private static let faint = "circle { radius: 280;  fill: radial-gradient([#3d3d96b0, #3d3d9600])"
  private static let soft = "circle { radius: 90;  fill: #3d3d96b0;  filter: blur(80)"

  /// No run of equal values along a radius is longer than twice the ideal one.
  @Test(arguments: [
    "\(faint) }", "\(faint);  light: linear }", "\(faint);  light: linear;  blend: plus-lighter }",
    "group { opacity: 0.5\n\(faint) } }", "\(soft) }", "\(soft);  light: linear }",
    "\(soft);  blend: screen }", "group { opacity: 0.5\n\(soft) } }",
    "group { mask { circle { radius: 280;  fill: radial-gradient([white, #ffffff00]) } }\n"
      + "rect { size: 600;  fill: #34347a } }",
  ])
  func runsAreShort(_ body: String) throws {
    let pixels = try Self.pixels(body)
    for channel in 0..<3 {
      let bands = Bands(around: (300, 300), radii: 3..<275) { x, y in
        Int(pixels[(y * 600 + x) * 4 + channel])
      }
      #expect(bands.greatestRun <= 2, "channel \(channel) changes by \(bands.greatestRun)")
    }
  }

  @Test(arguments: ["srgb", "linear"]) func shadowsHaveShortRuns(_ light: String) throws {
    let pixels = try Self.pixels(
      """
      rect { z: -1;  size: 600;  fill: #d8dcf0 }
      circle {
          radius: 100;  fill: white;  light: \(light)
          shadow: shadow(offset: (0, 0), blur: 160, color: #00000066)
      }
      """)
    for channel in 0..<3 {
      let bands = Bands(around: (300, 300), radii: 104..<290) { x, y in
        Int(pixels[(y * 600 + x) * 4 + channel])
      }
      #expect(bands.greatestRun <= 2, "channel \(channel) changes by \(bands.greatestRun)")
    }
  }

  /// Dither adds no noise to areas of one color.
  @Test(arguments: [
    "rect { size: 500;  fill: linear-gradient([#5a5af05e, #5a5af05e]) }",
    "rect { size: 500;  fill: linear-gradient([#5a5af05e, #5a5af05e]);  light: linear }",
    "rect { size: 500;  fill: #ff88334d;  filter: blur(12) }",
    "rect { size: 500;  fill: #ff88334d;  filter: blur(12);  light: linear }",
    "group { opacity: 0.3;  rect { size: 500;  fill: #ff8833;  filter: blur(12) } }",
    "rect { size: 600;  fill: #11223347;  shadow: shadow(blur: 30, color: #ff883355) }",
    "circle { radius: 20;  fill: radial-gradient([#5a5af0b0, #5a5af000]);  translate: (-200, 0) }",
  ])
  func flatAreasStayFlat(_ body: String) throws {
    let pixels = try Self.pixels(body)
    var colors: Set<[UInt8]> = []
    for y in 250..<350 {
      for x in 250..<350 {
        colors.insert(Array(pixels[((y * 600 + x) * 4)..<((y * 600 + x) * 4 + 3)]))
      }
    }
    #expect(colors.count == 1, "\(colors.count) colors")
  }
}
