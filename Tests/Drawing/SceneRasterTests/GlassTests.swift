// SPDX-License-Identifier: MIT
import SceneIR
import SceneRaster
import SceneTestSupport
import Testing

/// Tests `backdrop-filter` and `edge`.
@Suite("Glass", .cpuBudget(seconds: 1)) struct GlassTests {
  private static let side = 96

  /// Renders stripes eight pixels wide with elements on top.
  private func pixels(_ body: String, ground: String = GlassTests.stripes, head: String = "") throws
    -> [UInt8]
  {
    try Drawing(
      "scene { size: 96x96;  for: 1s;  fps: 10;  background: black;  \(head)\n\(ground)\n\(body) }"
    ).pixels()
  }

  private static let stripes =
    "for i in 0..5 { rect { size: 8x96;  fill: white;  anchor: left;  position: (16 * i, 50%) } }"

  private func level(_ pixels: [UInt8], _ x: Int, _ y: Int) -> Int {
    Int(pixels[(y * GlassTests.side + x) * 4])
  }

  @Test func whatIsBehindIsFiltered() throws {
    let plain = try pixels("")
    let drawn = try pixels("rect { size: 40;  backdrop-filter: invert(1) }")
    for x in 0..<96 {
      let isInside = (28..<68).contains(x)
      let wanted = isInside ? 255 - level(plain, x, 48) : level(plain, x, 48)
      #expect(level(drawn, x, 48) == wanted, "\(x)")
      #expect(level(drawn, x, 10) == level(plain, x, 10))
    }
  }

  /// The result equals a group with the same filter, clipped to the shape.
  @Test(arguments: [
    "circle { radius: 30 }", "rect { size: 60x40;  corner-radius: 12 }",
    "rect { size: 50;  rotate: 30deg }", "path { data: path(\"M20 20 L80 30 L40 80 Z\") }",
    "star { radius: 40 }",
  ])
  func theFormCuts(_ shape: String) throws {
    let glass = try pixels(shape.replacing("}", with: ";  backdrop-filter: blur(5) }"))
    let filled = try pixels("group { filter: blur(5);  \(GlassTests.stripes) }", ground: "")
    let form = try pixels(shape.replacing("}", with: ";  fill: white }"), ground: "")
    let plain = try pixels("")
    for y in 20..<76 {
      for x in 20..<76 {
        let share = level(form, x, y)
        // Areas outside the frame affect only pixels near its edges.
        let wanted = share == 255 ? level(filled, x, y) : share == 0 ? level(plain, x, y) : nil
        if let wanted { #expect(abs(level(glass, x, y) - wanted) <= 2, "\(x) \(y)") }
      }
    }
  }

  @Test func theFrameGoesOnBeyondItsEdges() throws {
    let drawn = try pixels(
      "rect { size: 100%;  backdrop-filter: blur(12) }", ground: "rect { size: 100%;  fill: white }"
    )
    for y in [0, 48, 95] { for x in [0, 48, 95] { #expect(level(drawn, x, y) >= 254) } }
  }

  /// Groups with opacity, clips or masks do not isolate the backdrop. Partial opacity weakens the
  /// effect.
  @Test(arguments: [
    ("group { opacity: 0.5;  rect { size: 40;  backdrop-filter: invert(1) } }", 0.5),
    ("rect { size: 40;  backdrop-filter: invert(1);  opacity: 0.25 }", 0.25),
    (
      "rect { size: 40;  backdrop-filter: invert(1);  mask { rect { size: 100%;  fill: #00000080 } } }",
      0.5
    ),
    ("group { size: 40;  clip: true;  rect { size: 60;  backdrop-filter: invert(1) } }", 1),
    (
      "group { mask { circle { radius: 200;  fill: #ffffff80 } }  rect { size: 40;  backdrop-filter: invert(1) } }",
      0.5
    ),
    ("camera { rect { size: 40;  backdrop-filter: invert(1) } }", 1),
  ])
  func groupsPassItThrough(_ body: String, _ share: Double) throws {
    let drawn = try pixels(body, ground: "rect { size: 100%;  fill: white }")
    #expect(abs(Double(level(drawn, 48, 48)) - 255 * (1 - share)) <= 2, "\(level(drawn, 48, 48))")
    #expect(level(drawn, 8, 48) == 255)
  }

  /// Layers created by filters or blend modes isolate the backdrop, as in CSS.
  @Test(arguments: ["filter: brightness(1.1)", "blend: multiply", "shadow: shadow(blur: 1)"])
  func layersKeepItApart(_ style: String) throws {
    let drawn = try pixels(
      "group { \(style);  rect { size: 40;  backdrop-filter: invert(1) } }",
      ground: "rect { size: 100%;  fill: white }")
    #expect(level(drawn, 48, 48) == 255)
  }

  @Test func aGroupThatNeverChangesSeesWhatDoes() throws {
    let many = "for i in 0..8 { rect { size: 4;  fill: red;  position: (10 * i + 10, 80) } }"
    let drawing = try Drawing(
      """
      scene { size: 96x96;  for: 1s;  fps: 10;  background: black
        rect { size: 100%;  fill: black -> white }
        group { \(many)  rect { size: 40;  backdrop-filter: invert(1) } } }
      """)
    let canvas = try drawing.canvas()
    for frame in 0..<10 {
      try canvas.draw(drawing.program(frame))
      let alone = try drawing.pixels(frame)
      #expect(canvas.rgba() == alone, "frame \(frame)")
      #expect(abs(level(alone, 48, 48) + level(alone, 8, 8) - 255) <= 1)
    }
  }

  @Test func motionBlurSeesAroundIt() throws {
    let still = try pixels("rect { size: 40;  backdrop-filter: blur(6) }")
    let blurred = try pixels(
      "rect { size: 40;  backdrop-filter: blur(6);  position: (48 + 1e-7 * t / 1s, 50%) }",
      head: "motion-blur: 180deg")
    for y in 0..<96 {
      for x in 0..<96 { #expect(abs(level(still, x, y) - level(blurred, x, y)) <= 2, "\(x) \(y)") }
    }
  }

  @Test func edgesGoOn() throws {
    let clear = try pixels("rect { size: 60;  fill: white;  filter: blur(8) }", ground: "")
    let full = try pixels(
      "rect { size: 60;  fill: white;  filter: blur(8);  edge: extend }", ground: "")
    #expect(level(clear, 19, 48) < 160 && level(clear, 14, 48) > 20)
    for y in 0..<96 {
      for x in 0..<96 {
        let isInside = (18..<78).contains(x) && (18..<78).contains(y)
        #expect(level(full, x, y) == (isInside ? 255 : 0), "\(x) \(y)")
      }
    }
    let turned = try pixels(
      "rect { size: 60;  fill: white;  filter: blur(8);  edge: extend;  rotate: 30deg }", ground: ""
    )
    let sharp = try pixels("rect { size: 60;  fill: white;  rotate: 30deg }", ground: "")
    // Partly covered edge pixels may be rounded differently.
    #expect(
      zip(turned, sharp).allSatisfy { (1..<255).contains($1) || abs(Int($0) - Int($1)) <= 3 })
  }

  @Test func vectorsHoldThePixels() throws {
    let drawing = try Drawing(
      """
      scene { size: 96x96;  for: 1s;  background: white
        \(GlassTests.stripes.replacing("white", with: "red"))
        rect { size: 40;  backdrop-filter: blur(4) }
        circle { radius: 9;  fill: blue } }
      """)
    let svg = String(
      decoding: try VectorCanvas.svg(drawing.program(), resources: drawing.resources), as: UTF8.self
    )
    #expect(svg.contains("<image") && svg.contains("<path"))
    #expect(svg.count { $0 == "\n" } < 40)
  }
}
