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

@Suite("Drawing", .cpuBudget(seconds: 1)) struct DrawingTests {
  /// Every glyph of Ahem is a full em square, which makes text layout exact to the pixel.
  @Test func ahemIsExact() throws {
    let drawing = try Drawing(
      """
      scene { size: 200x100;  for: 1s;  background: white
        text "XXXX" { font: "font/Ahem.ttf";  font-size: 20;  fill: black;  anchor: top-left
          position: (10, 20);  line-height: 1 } }
      """)
    let pixels = try drawing.pixels()
    for y in 0..<100 {
      for x in 0..<200 {
        let inside = (10..<90).contains(x) && (20..<40).contains(y)
        #expect(pixels[(y * 200 + x) * 4] == (inside ? 0 : 255), "\(x) \(y)")
        if pixels[(y * 200 + x) * 4] != (inside ? 0 : 255) { return }
      }
    }
  }

  @Test func ahemWrapsAndAligns() throws {
    let drawing = try Drawing(
      """
      scene { size: 200x100;  for: 1s;  background: white
        text "XX XX X" { font: "font/Ahem.ttf";  font-size: 10;  fill: black;  anchor: top-left
          position: (0, 0);  line-height: 2;  width: 60;  align: right } }
      """)
    let pixels = try drawing.pixels()
    // Two lines, "XX XX" and "X", with each square centered in its line of 20 pixels.
    func isDark(_ x: Int, _ y: Int) -> Bool { pixels[(y * 200 + x) * 4] == 0 }
    #expect(isDark(10, 10) && isDark(59, 10) && !isDark(5, 10) && !isDark(35, 10))
    #expect(isDark(55, 30) && !isDark(45, 30))
    #expect(!isDark(15, 2) && isDark(15, 5) && isDark(15, 14) && !isDark(15, 16))
  }

  /// Slow motion has no jitter: the rendered center follows the exact position.
  @Test(arguments: [
    "circle { radius: 20;  fill: black;  position: (50 + frame / 8, 50) }",
    "rect { size: 30x30;  fill: black;  position: (50 + frame / 8, 50);  rotate: 20deg }",
    "text \"XX\" { font: \"font/Ahem.ttf\";  font-size: 20;  fill: black;  position: (50 + frame / 8, 50) }",
    "text \"Og\" { font: \"DejaVu Sans\";  font-size: 24;  fill: black;  position: (50 + frame / 8, 50) }",
  ])
  func slowMotionIsSmooth(_ body: String) throws {
    try expectSmooth(body)
  }

  @Test func growingTextIsSmooth() throws {
    let drawing = try Drawing(
      """
      scene { size: 200x100;  fps: 20;  for: 1s;  background: white
        text "Hop" { font: "DejaVu Sans";  font-size: 30;  fill: black;  scale: 1 + t / 1f / 200 } }
      """)
    var last = 0.0
    for frame in 0..<20 {
      let pixels = try drawing.pixels(frame)
      var ink = 0.0
      for at in stride(from: 0, to: pixels.count, by: 4) { ink += 255 - Double(pixels[at]) }
      #expect(ink > last, "frame \(frame)")
      last = ink
    }
  }

  /// Caching between frames does not change any pixel.
  @Test func keptLayersChangeNothing() throws {
    let source = """
      scene { size: 160x90;  fps: 10;  for: 2s
        background: linear-gradient(#1b2a49, #3a6073, from: top-left, to: bottom-right)
        rect { size: 60x40;  fill: orange }
        text "still" { font-size: 20;  position: (50%, 20%) }
        circle { radius: 10;  fill: white;  position: (t / 1s * 80, 50%) }
        text "{format(t, "s.s")}" { font-size: 14;  position: (80%, 80%);  opacity: 0.7 }
        group { opacity: 0.5;  rect { size: 20x20;  position: (20, 20) };  circle { radius: 9;  position: (30, 30) } }
        group { rotate: 10deg;  opacity: 0.9;  for i in 0..8 { circle { radius: 12;  position: (i * 12 + 20, 70);  fill: gold } } } }
      """
    let drawing = try Drawing(source)
    let canvas = try drawing.canvas()
    for frame in [0, 1, 2, 3, 3, 10, 9, 2, 19] {
      try canvas.draw(drawing.program(frame))
      #expect(canvas.rgba() == (try drawing.pixels(frame)), "frame \(frame)")
    }
  }

  @Test func transparencyIsStraight() throws {
    let drawing = try Drawing(
      "scene { size: 16x16;  for: 1s;  background: none;  rect { size: 8x8;  fill: #ff800080 } }")
    let pixels = try drawing.pixels()
    let middle = (8 * 16 + 8) * 4
    #expect(pixels[3] == 0)
    #expect(pixels[middle + 3] == 128)
    #expect(pixels[middle] == 255)
    #expect(abs(Int(pixels[middle + 1]) - 128) <= 1)
  }

  @Test func shrunkImagesDoNotAlias() throws {
    // One-pixel lines at a seventh of their size become uniform gray, independent of their
    // position.
    let lines = try Drawing(
      """
      scene { size: 280x280;  for: 1s;  background: white
        for x in 0..140 { rect { anchor: top-left;  position: (x * 2, 0);  size: 1x280;  fill: black } } }
      """)
    let canvas = try lines.canvas()
    try canvas.draw(lines.program())
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scenec-lines")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("lines.png")
    try Data(try canvas.png()).write(to: file)
    let fonts = FontLibrary()
    let assets = try #require(AssetFolder(root: folder.path, folder: folder.path, fonts: fonts))
    let image = try assets.image("lines.png")
    let small = try Canvas(
      PixelSize(60, 60), isOpaque: true,
      resources: DrawingResources(fonts: fonts, images: ImageStore(assets)))
    for shift in [0.0, 0.25, 0.5, 0.9] {
      let op = DrawOp.image(
        image, source: Rect(x: 0, y: 0, width: 280, height: 280),
        destination: Rect(x: 10 + shift, y: 10, width: 40, height: 40))
      try small.draw(
        FrameProgram(size: PixelSize(60, 60), background: .color(.white), ops: [op]))
      let pixels = small.rgba()
      let values = (15..<45).map { Int(pixels[(30 * 60 + $0) * 4]) }
      #expect(values.allSatisfy { abs($0 - 128) < 16 }, "\(values)")
    }
  }

  /// Emoji have the colors of the color font, if installed, and fade with their text.
  @Test func emojiHaveColours() throws {
    func drawn(_ opacity: Double) throws -> [UInt8] {
      try Drawing(
        "scene { size: 80x80;  for: 1s;  background: white;  text \"\u{1F600}\" { font-size: 60;  opacity: \(opacity) } }"
      ).pixels()
    }
    let whole = try drawn(1)
    let middle = (30 * 80 + 40) * 4
    guard FontLibrary().families.contains("Noto Color Emoji") else { return }
    #expect(whole[middle] > 200 && whole[middle + 2] < 120)
    let faded = try drawn(0.5)
    #expect(abs(Int(faded[middle + 2]) - (Int(whole[middle + 2]) + 255) / 2) <= 3)
  }

  @Test func vectorsHoldTheShapes() throws {
    let drawing = try Drawing(
      "scene { size: 64x64;  for: 1s;  background: white;  circle { radius: 20;  fill: red };  text \"a\" { font-size: 20 } }"
    )
    let svg = String(
      decoding: try VectorCanvas.svg(drawing.program(), resources: drawing.resources), as: UTF8.self
    )
    #expect(svg.contains("<svg") && svg.contains("<path"))
    let pdf = try VectorCanvas.pdf(drawing.program(), resources: drawing.resources)
    #expect(pdf.starts(with: Array("%PDF".utf8)))
    #expect(pdf == (try VectorCanvas.pdf(drawing.program(), resources: drawing.resources)))
  }

  /// Extreme numbers are rendered in limited time.
  @Test(arguments: [
    "circle { radius: 1e300 }", "rect { size: (1e9, 1e9);  stroke: red }",
    "line { from: (0, 0);  to: (1e12, 1e12) }",
    "circle { radius: 40;  stroke: red;  stroke-width: 1e8 }",
    "path { dash: [0.0001, 0.0001];  stroke-width: 1e6;  stroke: red;  move (0, 0);  curve (1e5, 0), (0, 1e5), (1e5, 1e5) }",
    "path { dash: [max(0, -t / 1s), 0];  stroke: red;  move (0, 0);  line (90, 0) }",
    "path { dash: [-t / 1s - 0.01, 2];  stroke: red;  move (0, 0);  line (90, 0) }",
    "rect { scale: 1e9 }", "rect { scale: 0 }", "rect { skew: 90deg }",
    "text \"A\" { font-size: 1e6 }",
    "text \"A\" { font-size: 0 }", "text \"a b c\" { width: 0.001 }",
    "text \"a\" { letter-spacing: 1e9 }",
    "rect { fill: radial-gradient(red, blue, radius: 0) }",
    "rect { fill: linear-gradient(red, blue, from: (0, 0), to: (0, 0)) }",
    "circle { radius: -5 - t / 1s }", "star { points: 1000;  radius: 1e7 }",
    "arc { sweep: 1e9deg }",
    "rect { rotate: 1e12deg }",
    "group { opacity: 0.5;  rect { size: (1e6, 1e6) };  circle { radius: 1e6 } }",
  ])
  func hostileNumbersEnd(_ body: String) throws {
    let spent = try threadSeconds {
      _ = try Drawing("scene { size: 320x180;  for: 1s;  background: white\n \(body) }").pixels()
    }
    #expect(spent < 5, "\(body): \(spent)")
  }
}
