// SPDX-License-Identifier: MIT
import Foundation
import SceneGraphics
import SceneIR
import SceneModel
import SceneCairo
import SceneFiles
import SceneRaster
import SceneTestSupport
import Testing

/// Tests filters, masks, shadows, gradients and averages against their formulas.
@Suite("Layers", .cpuBudget(seconds: 1)) struct LayerTests {
  /// Renders a scene of 64x64 pixels.
  private func pixels(_ body: String, background: String = "black", frame: Int = 0) throws
    -> [UInt8]
  {
    try Drawing(
      "scene { size: 64x64;  for: 1s;  fps: 10;  background: \(background)\n\(body)\n}"
    ).pixels(frame)
  }

  /// `isUnwanted` is polled before each op, so a frame with many ops is aborted quickly.
  @Test func aFrameThatIsNotWantedIsGivenUp() throws {
    let drawing = try Drawing(
      "scene { size: 64x64; for: 1s; for i in 0..50 { circle { radius: i } } }")
    var asked = 0
    #expect(throws: DrawingError.givenUp) {
      try drawing.canvas().draw(drawing.program()) {
        asked += 1
        return asked == 20
      }
    }
    #expect(asked == 20)
    asked = 0
    try drawing.canvas().draw(drawing.program()) {
      asked += 1
      return false
    }
    #expect(asked > 20)
  }

  /// The expected results for the color 255, 128, 64, computed by hand from the matrices of Filter
  /// Effects Level 1.
  @Test(arguments: [
    ("brightness(0.5)", [128, 64, 32]), ("contrast(0)", [128, 128, 128]),
    ("contrast(2)", [255, 128, 1]), ("invert(1)", [0, 127, 191]),
    ("grayscale(1)", [150, 150, 150]),
    ("saturate(0)", [150, 150, 150]), ("sepia(1)", [211, 188, 146]),
    ("hue-rotate(180deg)", [46, 173, 237]), ("brightness(1)", [255, 128, 64]),
  ])
  func filtersFollowTheirFormulas(_ row: (String, [Int])) throws {
    let drawn = try pixels("rect { size: 40;  fill: #ff8040;  filter: \(row.0) }").rgb(32, 32)
    for (a, b) in zip(drawn, row.1) { #expect(abs(a - b) <= 1, "\(row.0): \(drawn)") }
  }

  /// The blur of a half-plane is the integral of the Gaussian.
  @Test(arguments: [0.6, 1, 2, 4, 5.5, 9, 14])
  func blursAreGaussian(_ deviation: Double) throws {
    let size = 160
    let drawing = try Drawing(
      """
      scene { size: \(size)x\(size);  for: 1s;  background: black
        rect { anchor: left;  position: (80, 80);  size: 2000x4000;  fill: white;  filter: blur(\(deviation)) } }
      """)
    let pixels = try drawing.pixels()
    var greatest = 0.0
    for x in 0..<size {
      let wanted = 127.5 * (1 + erf((Double(x) + 0.5 - 80) / (deviation * 2.0.squareRoot())))
      greatest = max(greatest, abs(Double(pixels[(80 * size + x) * 4]) - wanted))
    }
    // Three box blurs are within 3% of a Gaussian; below one pixel they are less accurate.
    #expect(greatest <= (deviation < 1 ? 15 : 5), "\(greatest)")
  }

  @Test func masksMultiply() throws {
    let half = try pixels("rect { size: 40;  fill: white;  mask { rect { fill: #00000080 } } }")
    #expect(abs(half.rgb(32, 32)[0] - 128) <= 1)
    let bright = try pixels(
      "rect { size: 40;  fill: white;  mask { luminance: true;  rect { fill: rgb(0, 255, 0) } } }")
    #expect(abs(bright.rgb(32, 32)[0] - 182) <= 2)
    let rest = try pixels(
      "rect { size: 40;  fill: white;  mask { invert: true;  circle { radius: 10 } } }")
    #expect(rest.rgb(32, 32) == [0, 0, 0] && rest.rgb(15, 15) == [255, 255, 255])
    let clipped = try pixels(
      "rect { size: 40;  fill: white;  clip { circle { radius: 10 } } }")
    #expect(clipped.rgb(32, 32) == [255, 255, 255] && clipped.rgb(15, 15) == [0, 0, 0])
  }

  @Test func shadowsLieBelow() throws {
    let drawn = try pixels(
      "rect { size: 20;  fill: white;  shadow: shadow(offset: (15, 0), blur: 0, color: red) }",
      background: "blue")
    #expect(drawn.rgb(32, 32) == [255, 255, 255])
    #expect(drawn.rgb(50, 32) == [255, 0, 0])
    #expect(drawn.rgb(60, 32) == [0, 0, 255])
  }

  @Test func chromaKeyClears() throws {
    let drawn = try pixels(
      """
      group { filter: chroma-key(#00b140)
        rect { size: 100%;  fill: #00b140 }
        rect { size: 20;  fill: #d03040 } }
      """, background: "white")
    #expect(drawn.rgb(5, 5) == [255, 255, 255])
    for (a, b) in zip(drawn.rgb(32, 32), [0xd0, 0x30, 0x40]) { #expect(abs(a - b) <= 2) }
  }

  /// A half-covered exposure in linear light has the sRGB value 188.
  @Test func motionBlurIsLinear() throws {
    let source = """
      scene { size: 64x64;  for: 1s;  fps: 10;  background: black;  motion-blur: 360deg;  samples: 64
        rect { anchor: left;  position: (320 * t / 1s, 50%);  size: 64x64;  fill: white } }
      """
    // A frame lasts 0.1 s, in which the edge moves by 32 pixels.
    let drawn = try Drawing(source).pixels(1)
    let row = (0..<64).map { drawn.rgb($0, 32)[0] }
    #expect(row[10] == 0 && row[55] == 255)
    #expect(abs(row[32] - 188) <= 3, "\(row[32])")
    #expect(zip(row, row.dropFirst()).allSatisfy { $0 <= $1 })
  }

  /// On a gradient of 8 levels over 1000 pixels, dithering keeps block averages within half of the
  /// quantization error.
  @Test func gradientsHaveNoBands() throws {
    let drawing = try Drawing(
      """
      scene { size: 1024x64;  for: 1s;  mixing: srgb
        background: linear-gradient(#202020, #282828, from: left, to: right) }
      """)
    let pixels = try drawing.pixels()
    for block in 0..<64 {
      var sum = 0.0
      for y in 0..<16 {
        for x in 0..<16 { sum += Double(pixels[(y * 1024 + block * 16 + x) * 4]) }
      }
      let wanted = 32 + 8 * (Double(block * 16) + 8) / 1024
      #expect(abs(sum / 256 - wanted) <= 0.27, "block \(block): \(sum / 256), not \(wanted)")
    }
  }

  @Test func conicGradientsTurn() throws {
    let drawn = try pixels(
      "mixing: srgb;  rect { size: 64;  fill: conic-gradient(black, white, angle: 0deg) }")
    for (x, y, wanted) in [(60, 33, 4.0), (32, 60, 64), (3, 32, 128), (32, 3, 191)] {
      #expect(abs(Double(drawn.rgb(x, y)[0]) - wanted) <= 4, "\(x) \(y) \(drawn.rgb(x, y))")
    }
  }

  /// Colors do not become darker at transparent edges of layers.
  @Test(arguments: [
    "circle { radius: 20;  fill: #ff8040;  filter: blur(3) }",
    "group { opacity: 0.5;  circle { radius: 20;  fill: #ff8040 };  star { radius: 25;  fill: #ff8040 } }",
    "circle { radius: 20;  fill: #ff8040;  mask { circle { radius: 12 } } }",
    "text \"O\" { font-size: 50;  fill: #ff8040 }",
    "rect { size: 30;  rotate: 20deg;  fill: linear-gradient(#ff8040, #ff804000) }",
  ])
  func edgesHaveNoFringe(_ body: String) throws {
    let drawn = try pixels(body, background: "none")
    var seen = 0
    for at in stride(from: 0, to: drawn.count, by: 4) where drawn[at + 3] >= 16 {
      seen += 1
      // The quantization error of premultiplied 8-bit values grows with transparency.
      let step = 1.5 * 255 / Double(drawn[at + 3]) + 1
      for (k, wanted) in [255.0, 128, 64].enumerated() {
        #expect(abs(Double(drawn[at + k]) - wanted) <= step, "\(drawn[at..<(at + 4)])")
      }
    }
    #expect(seen > 100)
  }

  /// Small fills agree with Cairo to a mean of 0.5/255 over the covered pixels.
  @Test func smallFillsAgreeWithCairo() throws {
    let fonts = FontLibrary()
    let assets = try #require(
      AssetFolder(root: Repository.path, folder: Repository.path, fonts: fonts))
    let resources = DrawingResources(fonts: fonts, images: ImageStore(assets))
    func drawn(_ outline: Outline, _ map: Affine) throws -> [UInt8] {
      let canvas = try Canvas(PixelSize(96, 96), isOpaque: true, resources: resources)
      let op = DrawOp.transformed(map, body: [.fill(outline, .color(.black))])
      try canvas.draw(FrameProgram(size: PixelSize(96, 96), background: .color(.white), ops: [op]))
      return canvas.rgba()
    }
    let forms: [Outline] = [
      .ellipse(center: Point(48, 48), rx: 30, ry: 20),
      .rect(Rect(x: 20, y: 30, width: 50, height: 33), radius: 8),
      .rect(Rect(x: 20, y: 30, width: 50, height: 33), radius: 0),
    ]
    for (index, form) in forms.enumerated() {
      for angle in [0.0, 17, 45] {
        let (c, s) = (Math.cosDegrees(angle), Math.sinDegrees(angle))
        let map = Affine.translation(48.3, 47.6).concat(Affine(a: c, b: s, c: -s, d: c, e: 0, f: 0))
          .concat(.translation(-48, -48))
        // The same shape as a path, which Cairo fills.
        let (own, other) = (try drawn(form, map), try drawn(.path(form.path), map))
        var sum = 0.0
        var count = 0.0
        for at in stride(from: 0, to: own.count, by: 4) where own[at] < 255 || other[at] < 255 {
          sum += abs(Double(own[at]) - Double(other[at]))
          count += 1
        }
        #expect(sum / count <= 0.8, "form \(index) at \(angle): \(sum / count)")
      }
    }
  }

  /// The total coverage of a small circle equals its area.
  @Test(arguments: [0.4, 1, 3, 7.7]) func smallFillsAreExact(_ radius: Double) throws {
    let drawn = try pixels(
      "circle { radius: \(radius);  fill: black;  position: (31.3, 32.8) }", background: "white")
    var ink = 0.0
    for at in stride(from: 0, to: drawn.count, by: 4) { ink += (255 - Double(drawn[at])) / 255 }
    #expect(abs(ink / (.pi * radius * radius) - 1) < 0.01 + 0.01 / radius)
  }

  /// All kinds of layers follow slow motion as precisely as their content.
  @Test(arguments: [
    "group { translate: (frame / 8, 0);  filter: blur(2);  circle { radius: 20;  fill: black } }",
    "group { translate: (frame / 8, 0);  opacity: 0.6;  circle { radius: 20;  fill: black };  rect { size: 20;  fill: black } }",
    "circle { radius: 20;  fill: black;  position: (50 + frame / 8, 50);  mask { star { radius: 20 } } }",
    "rect { size: 30;  fill: black;  position: (50 + frame / 8, 50);  shadow: shadow(offset: (0, 0), blur: 8) }",
    "camera { look-at: (60 - frame / 8, 50);  rect { size: 20;  fill: black } }",
    "row { translate: (frame / 8, 0);  gap: 3;  circle { radius: 8;  fill: black };  rect { size: 12;  fill: black } }",
    "star { radius: 25;  fill: black;  position: (50 + frame / 8, 50) }",
    "text \"Og\" { font-size: 24;  fill: black;  position: (50 + frame / 8, 50);  each glyph { opacity: 0.9 } }",
    "image \"image/libjpeg-turbo/testorig.jpg\" { size: 30x30;  position: (50 + frame / 8, 50);  filter: brightness(0) }",
  ])
  func layersMoveSmoothly(_ body: String) throws {
    try expectSmooth(body)
  }

  /// Letters that are moved far away keep their gradients.
  @Test func movedLettersKeepGradients() throws {
    func ink(_ shift: Int) throws -> Int {
      let drawn = try pixels(
        """
        text "HH" { font-size: 20;  position: (50%, 20%);  fill: linear-gradient(red, orange)
          each glyph { translate: (0, \(shift)) } }
        """)
      return (0..<(64 * 64)).count { drawn[$0 * 4] > 128 }
    }
    let (rest, moved) = (try ink(0), try ink(35))
    #expect(rest > 30 && abs(rest - moved) <= 2, "\(rest) \(moved)")
  }

  /// Each pixel of a dissolve is a weighted mean of both clips, including transparent areas.
  @Test func dissolvesAreMeans() throws {
    let body = """
      sequence {
          transition: dissolve over 1s with linear
          rect { for: 1.5s;  size: 100%;  fill: #c08040 }
          rect { for: 1.5s;  size: 50%;  fill: #204060 }
      }
      """
    let drawing = try Drawing(
      "scene { size: 64x64;  fps: 10;  background: #804020\n\(body)\n}")
    // The transition is limited to 0.75 s and starts at 0.75 s; the tenth frame is a third of the
    // way.
    let pixels = try drawing.pixels(10)
    let share = 0.25 / 0.75
    func mixed(_ a: [Double], _ b: [Double]) -> [Int] {
      zip(a, b).map { Int(($0 + ($1 - $0) * share).rounded()) }
    }
    let middle = mixed([192, 128, 64], [32, 64, 96])
    let edge = mixed([192, 128, 64], [128, 64, 32])
    #expect(zip(pixels.rgb(32, 32), middle).allSatisfy { abs($0 - $1) <= 1 }, "\(middle)")
    #expect(zip(pixels.rgb(4, 4), edge).allSatisfy { abs($0 - $1) <= 1 }, "\(edge)")
  }

  /// The opacity of a pattern applies to every kind of paint.
  @Test(arguments: [
    "rect { size: 40;  fill: PATTERN }",
    "rect { size: 40;  stroke: PATTERN;  stroke-width: 10 }",
    "text \"HH\" { font-size: 40;  fill: PATTERN }",
    "text \"HH\" { font-size: 40;  fill: PATTERN;  each glyph { translate: (1, 1) } }",
  ])
  func patternsFade(_ element: String) throws {
    func sum(_ opacity: Double) throws -> Int {
      let paint = "pattern(\"image/libjpeg-turbo/testorig.jpg\", size: 20)"
      let with = element.replacing("PATTERN", with: paint).dropLast(2)
      let drawn = try pixels("\(with);  opacity: \(opacity) }")
      return (0..<(64 * 64 * 4)).reduce(0) { $0 + ($1 % 4 == 3 ? 0 : Int(drawn[$1])) }
    }
    let (whole, half) = (Double(try sum(1)), Double(try sum(0.5)))
    #expect(whole > 20_000 && abs(half / whole - 0.5) < 0.02, "\(whole) \(half)")
  }

  @Test func vectorsKeepGradientsAndPutFiltersAsPictures() throws {
    let drawing = try Drawing(
      """
      scene { size: 64x64;  for: 1s;  background: linear-gradient(red, blue)
        circle { radius: 20;  fill: conic-gradient(red, gold);  position: (20, 20) }
        rect { size: 20;  filter: blur(3);  fill: white } }
      """)
    let svg = String(
      decoding: try VectorCanvas.svg(drawing.program(), resources: drawing.resources),
      as: UTF8.self)
    #expect(svg.contains("linearGradient") && svg.contains("<image"))
  }
}
