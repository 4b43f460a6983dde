// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneTestSupport
import Testing

/// Strokes that consist of images.
@Suite("Brushes", .cpuBudget(seconds: 1)) struct BrushTests {
  private static let leaf = "brush(\"leaf.svg\", spacing: 20"

  private func drawing(_ body: String, scene: String = "") throws -> Drawing {
    try Drawing(
      "scene { size: 400x300;  for: 10f;  fps: 10;  background: white;  \(scene)\n\(body)\n}",
      folder: "Grammar/pictures/assets")
  }

  /// Returns the maps of the stamps of a frame.
  private func stamps(_ body: String, frame: Int = 0, scene: String = "") throws -> [Affine] {
    func stamps(_ ops: [DrawOp]) -> [Affine] {
      ops.flatMap { op -> [Affine] in
        switch op {
        case .transformed(let map, let body):
          if case .image(_, _, let box)? = body.first {
            return [map.concat(.scale(box.width, box.height))]
          }
          return stamps(body)
        case .masked(_, let mask, _): return stamps(mask)
        case .layer(_, let body): return stamps(body)
        default: return []
        }
      }
    }
    return stamps(try drawing(body, scene: scene).program(frame).ops)
  }

  private static let shapes = [
    "rect { size: 200x120", "circle { radius: 80", "star { radius: 90", "arc { radius: 90",
    "polygon { points: [(100, 100), (300, 120), (200, 200)]",
    "line { from: (40, 40);  to: (360, 200)",
    "path { data: \"M 40 260 C 120 100 240 300 360 160\"",
    "arrow { from: (40, 40);  to: (360, 250)",
    "text \"ab\" { font-size: 120", "math $x$ { font-size: 160", "row { size: 200x100",
  ]

  @Test(arguments: shapes) func everyStrokeCanBeABrush(_ shape: String) throws {
    let style = "stroke: \(Self.leaf));  stroke-width: 12"
    let plain = try stamps("\(shape);  fill: none;  \(style) }")
    #expect(plain.count > 5)
    #expect(plain.allSatisfy { abs(abs($0.determinant) - 12 * 8) < 1e-6 })
    let tinted = try stamps(
      "\(shape);  fill: none;  stroke: \(Self.leaf), color: red);  stroke-width: 12 }")
    #expect(tinted == plain)
    #expect(try stamps("\(shape);  \(style);  rough: 3 }").count > 5)
    // Brushes also work in space and under motion blur.
    let turned = try drawing(
      "\(shape);  \(style);  rotate-y: 40deg;  translate: (0 -> 90, 0) }",
      scene: "motion-blur: 180deg")
    #expect(try turned.pixels(3).contains { $0 < 200 })
  }

  @Test(arguments: ["path { data: \"M 40 260 C 120 100 240 300 360 160\"", "circle { radius: 80"])
  func trimsRevealTheSameStamps(_ shape: String) throws {
    let style = "fill: none;  stroke: \(Self.leaf), jitter: 30%, seed: 4);  stroke-width: 12"
    let whole = try stamps("\(shape);  \(style) }")
    for part in ["0% .. 35%", "20% .. 80%", "60% .. 100%"] {
      let drawn = try stamps("\(shape);  \(style);  trim: \(part) }")
      #expect(drawn.count > 3 && drawn.count < whole.count)
      #expect(drawn.allSatisfy(whole.contains))
    }
    if shape.hasPrefix("circle") {
      let drawn = try stamps("\(shape);  \(style);  trim: 80% .. 120% }")
      let parts = ["80% .. 100%", "0% .. 20%"]
      let apart = try parts.flatMap { try stamps("\(shape);  \(style);  trim: \($0) }") }
      #expect(drawn.allSatisfy(apart.contains))
      #expect(drawn.count >= whole.count * 2 / 5 - 1)
    }
  }

  @Test func dashesCutStamps() throws {
    let line =
      "line { from: (0, 100);  to: (400, 100);  stroke-width: 10;  stroke: brush(\"leaf.svg\", spacing: 10)"
    let all = try stamps("\(line) }")
    let dashed = try stamps("\(line);  dash: [25, 15] }")
    #expect(all.count == 41)
    let drawn = all.filter { $0.e.truncatingRemainder(dividingBy: 40) < 25 }
    #expect(dashed.map(\.e) == drawn.map(\.e))
  }

  @Test func sizesFollowTheWidth() throws {
    let line = "line { from: (0, 100);  to: (400, 100);  stroke: \(Self.leaf));  stroke-width: 30"
    func heights(_ more: String) throws -> [Double] { try stamps("\(line);  \(more) }").map(\.d) }
    #expect(try heights("").allSatisfy { abs($0 - 30) < 1e-9 })
    let tapered = try heights("taper: 50%")
    #expect(tapered.count == 19)
    #expect(zip(tapered, tapered.dropFirst()).prefix(9).allSatisfy { $0 < $1 })
    let grown = try heights("stroke-profile: [1, 2];  trim: 0% .. 50%")
    #expect((grown.last ?? 0) > 44 && (grown.last ?? 0) < 46)
    let part = try heights("stroke-profile: [1, 2];  trim: 0% .. 50%;  profile-of: trim")
    #expect(abs((part.last ?? 0) - 60) < 1e-6)
  }

  @Test func jitterDependsOnTheSeedOnly() throws {
    func stamps(_ more: String, frame: Int = 0) throws -> [Affine] {
      try self.stamps(
        "circle { radius: 80;  stroke: \(Self.leaf), \(more));  stroke-width: 20 }", frame: frame)
    }
    #expect(try stamps("jitter: 40%") == stamps("jitter: 40%", frame: 7))
    #expect(try stamps("jitter: 40%") != stamps("jitter: 40%, seed: 1"))
    #expect(try stamps("jitter: 0%, seed: 1") == stamps("jitter: 0%"))
  }

  @Test func colorsReplaceThoseOfTheImage() throws {
    let line = "line { from: (0, 150);  to: (400, 150);  stroke-width: 60"
    let red = try drawing("\(line);  stroke: \(Self.leaf), color: red) }").pixels()
    let pixels = stride(from: 0, to: red.count, by: 4).map { red[$0..<$0 + 3] }
    #expect(pixels.contains([255, 0, 0]))
    #expect(pixels.allSatisfy { $0[$0.startIndex] == 255 && $0.dropFirst().first == $0.last })
  }

  /// A fading stroke is composited as a whole, so that overlapping stamps do not add up.
  @Test func motionBlurAndOpacity() throws {
    let line = "line { from: (0, 150);  to: (400, 150);  stroke-width: 60;  stroke: \(Self.leaf))"
    let faded = try drawing("\(line);  opacity: 50% }").pixels()
    #expect(faded.contains { $0 < 200 } && faded.allSatisfy { $0 > 90 })
    let moving = try drawing("\(line);  translate: (0, 0 -> 100) }", scene: "motion-blur: 360deg")
    #expect(try moving.pixels(4) != drawing("\(line);  translate: (0, 0 -> 100) }").pixels(4))
  }

  @Test func manyStampsAreDrawnInBoundedTime() throws {
    let path = "path { data: \"M 0 0 L 400 300 L 0 300 L 400 0\";  fill: none;  stroke-width: 6"
    #expect(try stamps("\(path);  stroke: brush(\"chalk.svg\", spacing: 0.2) }").count > 6000)
  }
}
