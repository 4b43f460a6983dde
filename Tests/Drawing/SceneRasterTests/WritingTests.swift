// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneRaster
import SceneTestSupport
import Testing

/// Tests the effects `draw` and `write`, which outline shapes and glyphs before they fill them.
@Suite("Writing", .cpuBudget(seconds: 1)) struct WritingTests {
  private static func scene(_ body: String) throws -> Drawing {
    try Drawing("scene { size: 400x120;  fps: 20;  for: 3s;  background: white\n \(body) }")
  }

  private static let star = "star { position: center;  radius: 50"
  private static let title = "text \"Write\" { position: center;  font-size: 80;  fill: black"

  /// Returns the fills and strokes of a frame, as path and opacity of the paint.
  private static func ops(_ ops: [DrawOp]) -> (fills: [Double], strokes: [StrokeStyle]) {
    var (fills, strokes) = ([Double](), [StrokeStyle]())
    for op in ops {
      switch op {
      case .fill(_, .color(let color)): fills.append(color.alpha)
      case .stroke(_, let style, _): strokes.append(style)
      case .transformed(_, let body):
        let inner = Self.ops(body)
        fills += inner.fills
        strokes += inner.strokes
      default: break
      }
    }
    return (fills, strokes)
  }

  /// A filled shape first consists of a line alone, then also of its fill, and finally of its fill
  /// alone.
  @Test(arguments: ["draw over 1s with linear", "write over 1s"])
  func shapesAreFilledAfterTheirLine(_ effect: String) throws {
    let drawing = try Self.scene("\(Self.star);  fill: red;  enter: \(effect) }")
    let (early, late, end) = (
      Self.ops(drawing.program(5).ops), Self.ops(drawing.program(17).ops),
      Self.ops(drawing.program(20).ops)
    )
    #expect(early.fills.isEmpty && early.strokes.count == 1)
    #expect(early.strokes[0].width == Writing.shapeLine)
    #expect(late.fills.count == 1 && late.fills[0] > 0 && late.fills[0] < 1)
    #expect(late.strokes.count == 1 && late.strokes[0].width < Writing.shapeLine)
    #expect(end.fills == [1] && end.strokes.isEmpty)
    let still = try Self.scene("\(Self.star);  fill: red }")
    #expect(drawing.program(20) == still.program(20))
  }

  /// The line of a stroked shape is its stroke.
  @Test func strokesAreTheLine() throws {
    let drawing = try Self.scene(
      "\(Self.star);  fill: red;  stroke: black;  stroke-width: 6;  enter: write over 1s }")
    for frame in 1..<30 {
      #expect(Self.ops(drawing.program(frame).ops).strokes.map(\.width) == [6], "\(frame)")
    }
  }

  /// A line without a fill is drawn as by `trim`, and so are arrows and stroked texts.
  @Test(arguments: [
    "\(star);  fill: none;  stroke: black", "arrow { from: (20, 20);  to: (300, 90)",
    "line { from: (20, 20);  to: (300, 90)",
    "text \"W\" { position: center;  fill: none;  stroke: black",
  ])
  func linesAreTrimmed(_ element: String) throws {
    let drawn = try Self.scene("\(element);  enter: draw over 1s }")
    let trimmed = try Self.scene(
      "\(element);  trim: 0% .. 100% * (0 -> 1 over 1s with ease-out) }")
    for frame in stride(from: 0, to: 30, by: 3) {
      #expect(drawn.program(frame) == trimmed.program(frame), "\(frame)")
    }
  }

  /// An explicit `trim` still cuts the fill.
  @Test func trimCutsTheFill() throws {
    let drawing = try Self.scene("\(Self.star);  fill: red;  trim: 0% .. 40% }")
    let ops = Self.ops(drawing.program(0).ops)
    #expect(ops.fills == [1] && ops.strokes.isEmpty)
    let own = try Drawing(
      "effect cut() { trim: 0 .. progress }\n"
        + "scene { size: 400x120;  for: 3s\n \(Self.star);  fill: red;  enter: cut over 1s } }")
    #expect(Self.ops(own.program(10).ops).strokes.isEmpty)
  }

  /// Returns the number of dark pixels in each fifth of the width, which contains one letter.
  private static func ink(_ drawing: Drawing, _ frame: Int) throws -> [Int] {
    let pixels = try drawing.pixels(frame)
    var sums = [Int](repeating: 0, count: 5)
    for y in 0..<120 {
      for x in 0..<400 { sums[x / 80] += 255 - Int(pixels[(y * 400 + x) * 4]) }
    }
    return sums.map { $0 / 255 }
  }

  /// Letters are written one after another: as lines, then filled.
  @Test(arguments: [
    "enter: write over 1s", "each glyph { stagger: 0.1s;  enter: write over 0.6s }",
    "each glyph { stagger: 0.1s;  enter: draw over 0.6s }",
  ])
  func lettersAreWrittenInOrder(_ effect: String) throws {
    let letters =
      "text \"XXXXX\" { font: \"font/Ahem.ttf\";  position: center;  font-size: 80;  fill: black"
    let whole = try Self.ink(try Self.scene("\(letters) }"), 0)
    let drawing = try Self.scene("\(letters);  \(effect) }")
    #expect(try Self.ink(drawing, 0) == [0, 0, 0, 0, 0])
    let early = try Self.ink(drawing, 6)
    #expect(early[0] > 0 && early[0] < whole[0] / 4)
    #expect(early[4] == 0 && early[0] > early[2])
    let late = try Self.ink(drawing, 13)
    #expect(late[0] > whole[0] * 9 / 10 && late[4] < whole[4] / 2)
    #expect(try Self.ink(drawing, 25) == whole)
    #expect(
      drawing.program(25) == (try Self.scene("\(letters) }")).program(25)
        || effect.hasPrefix("each"))
  }

  /// Returns whether a frame shows nothing.
  private static func isEmpty(_ drawing: Drawing, _ frame: Int) throws -> Bool {
    try drawing.pixels(frame).allSatisfy { $0 == 255 }
  }

  /// Words with few letters are written in a second, longer texts in two seconds, as in Manim. An
  /// `exit` runs backwards.
  @Test func durationsFollowTheLength() throws {
    let short = try Self.scene("\(Self.title);  enter: write;  exit: write }")
    let rest = short.program(20)
    #expect(short.program(19) != rest && short.program(39) == rest)
    #expect(try Self.isEmpty(short, 0))
    let (came, left) = (try short.pixels(10), try short.pixels(50))
    #expect(came == left)
    let long = try Self.scene(
      "text \"Fifteen letters!\" { position: center;  font-size: 40;  enter: write }")
    #expect(long.program(39) != long.program(40) && long.program(40) == long.program(50))
  }

  /// The glyphs of a formula are written in the order of its source, including those of parts.
  @Test func formulasAreWritten() throws {
    let formula = "math $a + b = c$ { position: center;  font-size: 80;  fill: black"
    let drawing = try Self.scene("\(formula);  enter: write over 1s }")
    let parted = try Self.scene("\(formula);  enter: write over 1s;  part $b$ {} }")
    let still = try Self.scene("\(formula) }")
    #expect(drawing.program(20) == still.program(20))
    for frame in [4, 9, 14] {
      let pixels = try drawing.pixels(frame)
      #expect(pixels == (try parted.pixels(frame)), "\(frame)")
      let ops = Self.ops(drawing.program(frame).ops)
      #expect(!ops.strokes.isEmpty)
    }
    let units = try Self.scene(
      "\(formula);  each glyph { stagger: 0.1s;  enter: draw over 0.5s } }")
    let middle = Self.ops(units.program(5).ops)
    #expect(!middle.strokes.isEmpty && middle.strokes.count < 5)
  }

  /// Texts with spans of different paints, gradients, underlines, emoji, on paths and in space are
  /// written, and end as they are without the effect.
  @Test(arguments: [
    "text { position: center;  font-size: 60;  span \"red\" { fill: red }\n"
      + "span \"blue\" { fill: blue;  underline: true }",
    "text \"שלום עולם\" { position: center;  font-size: 60;  font: \"DejaVu Sans\"",
    "path way \"M20 100Q200 0 380 100\" { visible: false }\n"
      + "text \"path\" { along: way;  font-size: 50;  along-shape: bent",
    "text \"space\" { position: center;  font-size: 60;  rotate-y: 40deg",
    "text \"rough\" { position: center;  font-size: 60;  rough: 3",
    "text \"grad\" { position: center;  font-size: 60;  fill: linear-gradient(red, blue)",
    "text \"shadow\" { position: center;  font-size: 60;  shadow: shadow(offset: (0, 4), blur: 8)",
  ])
  func allTextsAreWritten(_ text: String) throws {
    let drawing = try Self.scene("\(text);  enter: write over 1s }")
    #expect(try Self.isEmpty(drawing, 0))
    #expect(!(try Self.isEmpty(drawing, 6)))
    let still = try Self.scene("\(text) }")
    #expect(try drawing.pixels(20) == still.pixels(20))
    #expect(try drawing.pixels(12) != still.pixels(12))
  }

  /// The outlines of a part of an SVG are written one after another.
  @Test func partsOfDrawingsAreWritten() throws {
    let drawing = try Drawing(
      "scene { size: 400x120;  fps: 20;  for: 3s;  background: white\n"
        + "svg \"svg-render/painting__shape-rendering__crispEdges-on-circle.svg\" { size: 100x100;  position: center\n"
        + "each part { enter: write over 1s } } }")
    #expect(!Self.ops(drawing.program(5).ops).strokes.isEmpty)
  }

  /// A stroke without a width is written like no stroke.
  @Test(arguments: [
    "text \"Hi\" { font-size: 90", "circle { radius: 40", "math $x$ { font-size: 90",
  ])
  func strokesWithoutWidthAreWritten(_ element: String) throws {
    func drawn(_ stroke: String) throws -> Drawing {
      try Self.scene("\(element);  fill: gold;  stroke: \(stroke);  enter: write over 1s }")
    }
    let (thin, plain) = (try drawn("red;  stroke-width: 0"), try drawn("none"))
    for frame in [0, 5, 12, 20] {
      #expect(try thin.pixels(frame) == plain.pixels(frame), "frame \(frame)")
    }
  }

  /// A change of a formula that starts before the previous one ends shortens it: the formula at the
  /// start of the second change is the complete second formula.
  @Test func overlappingChangesOfAFormulaDoNotJump() throws {
    func scene(_ length: String) throws -> Drawing {
      try Self.scene(
        """
        math $a$ {
            position: center;  font-size: 60
            change { at: 0.5s;  for: \(length);  content: $a + b$ }
            change { at: 1s;  for: 1s;  content: $a + b + c$ }
        }
        """)
    }
    let (overlapping, separate) = (try scene("2s"), try scene("0.5s"))
    for frame in 0..<40 {
      #expect(try overlapping.pixels(frame) == separate.pixels(frame), "frame \(frame)")
    }
  }
}
