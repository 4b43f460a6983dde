// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneTestSupport
import Testing

/// Equality, hashes and the text form of frame programs, and programs scaled to another size.
@Suite("Frame programs", .cpuBudget(seconds: 1)) struct FrameProgramTests {
  private func text(_ ops: DrawOp...) -> [String] {
    let program = FrameProgram(size: PixelSize(8, 6), background: nil, ops: ops)
    return program.description.split(separator: "\n").dropFirst().map(String.init)
  }

  private static let red = Paint.color(Color(red: 1, green: 0, blue: 0))
  private static let box = Outline.rect(Rect(x: 1, y: 2, width: 3, height: 4), radius: 0)

  // MARK: Equality

  @Test(arguments: 0..<200) func equalProgramsHaveEqualTextsAndHashes(_ seed: Int) {
    var (one, two) = (RandomOps(seed: seed), RandomOps(seed: seed))
    let (a, b) = (one.program(), two.program())
    #expect(a == b && a.hashValue == b.hashValue && a.description == b.description)
  }

  /// The numbers of the random programs are short enough that the text shows every difference.
  @Test func differentProgramsHaveDifferentTexts() {
    let programs = (0..<200).map { seed in
      var random = RandomOps(seed: seed)
      return random.program()
    }
    #expect(Set(programs.map(\.description)).count == Set(programs).count)
  }

  /// Equality includes each part of a program.
  @Test func everyPartCounts() {
    let size = PixelSize(8, 6)
    let fill = DrawOp.fill(Self.box, Self.red)
    let all = [
      FrameProgram(size: size, background: nil, ops: [fill]),
      FrameProgram(size: PixelSize(6, 8), background: nil, ops: [fill]),
      FrameProgram(size: size, background: Self.red, ops: [fill]),
      FrameProgram(size: size, background: nil, ops: []),
      FrameProgram(size: size, background: nil, ops: [fill, fill]),
      FrameProgram(size: size, background: nil, ops: [.fill(Self.box, .color(.black))]),
      FrameProgram(size: size, background: nil, ops: [.clipped(Self.box, body: [fill])]),
      FrameProgram(size: size, background: nil, ops: [.layer(opacity: 0.5, body: [fill])]),
      FrameProgram(size: size, background: nil, ops: [.averaged([[fill], []])]),
      FrameProgram(size: size, background: nil, ops: [.averaged([[], [fill]])]),
      FrameProgram(
        size: size, background: nil, ops: [.masked(MaskStyle(), mask: [], body: [fill])]),
      FrameProgram(
        size: size, background: nil, ops: [.masked(MaskStyle(), mask: [fill], body: [])]),
      FrameProgram(
        size: size, background: nil,
        ops: [.crossed(Self.function(alpha: 1), from: [fill], to: [])]),
      FrameProgram(
        size: size, background: nil,
        ops: [.crossed(Self.function(alpha: 1), from: [], to: [fill])]),
    ]
    #expect(Set(all).count == all.count)
  }

  // MARK: Text form

  @Test func headerNamesSizeAndBackground() {
    let size = PixelSize(1920, 1080)
    let empty = FrameProgram(size: size, background: nil, ops: [])
    #expect(empty.description == "frame 1920x1080 background none\n")
    let red = FrameProgram(size: size, background: Self.red, ops: [])
    #expect(red.description == "frame 1920x1080 background #ff0000\n")
  }

  @Test(arguments: [
    (DrawOp.fill(box, red), ["  fill rect [1 2 3 4] #ff0000"]),
    (
      .fill(.rect(Rect(x: 0, y: 0, width: 9, height: 9), radius: 2.5), red),
      ["  fill rect [0 0 9 9] radius 2.5 #ff0000"]
    ),
    (
      .stroke(.ellipse(center: Point(1, 2), rx: 3, ry: 4), StrokeStyle(width: 2), red),
      ["  stroke ellipse (1, 2) 3 4 width 2 #ff0000"]
    ),
    (
      .stroke(
        box,
        StrokeStyle(
          width: 1, cap: .round, join: .bevel, miterLimit: 9, dash: [3, 1], dashOffset: 0.5), red),
      [
        "  stroke rect [1 2 3 4] width 1 cap round join bevel miter-limit 9 dash [3 1] offset 0.5 #ff0000"
      ]
    ),
    (
      .fill(
        .path(Path([.move(Point(0, 0)), .line(Point(5, 0)), .close])),
        .linear(
          from: .zero, to: Point(5, 0),
          stops: [GradientStop(.black, at: 0), GradientStop(.white, at: 1)])),
      [#"  fill path "M 0 0 L 5 0 Z" linear((0, 0) (5, 0); #000000 0, #ffffff 1)"#]
    ),
    (
      .transformed(.translation(4, -1), body: [.fill(box, red)]),
      ["  transform 1 0 0 1 4 -1", "    fill rect [1 2 3 4] #ff0000"]
    ),
    (
      .masked(
        MaskStyle(.luminance, isInverted: true), mask: [.fill(box, red)], body: [.fill(box, red)]),
      [
        "  masked luminance inverted", "    fill rect [1 2 3 4] #ff0000", "  of",
        "    fill rect [1 2 3 4] #ff0000",
      ]
    ),
    (
      .averaged([[], [.fill(box, red)]]),
      ["  sample 0 of 2", "  sample 1 of 2", "    fill rect [1 2 3 4] #ff0000"]
    ),
    (.backdrop([.blur(4)], box), ["  backdrop rect [1 2 3 4] blur 4"]),
    (
      .layer(
        LayerStyle(
          opacity: 0.5, blend: .colorDodge, filters: [.blur(2)],
          shadow: Shadow(offset: Point(1, 2), deviation: 3, color: .black)), body: []),
      ["  layer opacity 0.5 blend color-dodge blur 2 shadow (1, 2) 3 #000000"]
    ),
    (
      .image(
        ImageReference(path: "a.png", digest: 1, size: PixelSize(4, 2), frame: 3),
        source: Rect(x: 0, y: 0, width: 4, height: 2),
        destination: Rect(x: 0, y: 0, width: 8, height: 4)),
      [#"  image "a.png" frame 3 4x2 from [0 0 4 2] to [0 0 8 4]"#]
    ),
    (
      .image(
        ImageReference(path: "a.mp4", digest: 1, size: PixelSize(4, 2), frame: 0, kind: .clip(7)),
        source: Rect(x: 0, y: 0, width: 4, height: 2),
        destination: Rect(x: 0, y: 0, width: 8, height: 4)),
      [#"  clip "a.mp4" #0 4x2 from [0 0 4 2] to [0 0 8 4]"#]
    ),
  ]) func eachOpIsALine(_ op: DrawOp, _ lines: [String]) {
    #expect(text(op) == lines)
  }

  @Test func textIsQuoted() {
    let font = FontSpec(families: ["Inter", "sans-serif"], size: 20, weight: 700, italic: true)
    let block = TextBlock(
      runs: [TextRun("a\n\"b\\\"", font: font, letterSpacing: 2, underline: true, rise: -1)],
      width: 90, align: .center, direction: .rightToLeft, wrap: .balance)
    let paint = TextPaint(fill: Self.red, stroke: .color(.black), strokeIsFirst: true)
    var units = TextUnits(kind: .word, styles: [TextUnitStyle(), TextUnitStyle(opacity: 0.5)])
    units.shown = 3
    #expect(
      text(.text(block, paints: [paint], at: Point(1, 2), units: units)) == [
        "  text at (1, 2) center line-height 1.2 width 90 right-to-left balance",
        #"    run "a\n\"b\\\"" Inter|sans-serif 20px 700 italic spacing 2 underline rise -1"#
          + " fill #ff0000 stroke width 1 #000000 below",
        "    shown 3", "    word 1 opacity 0.5 map 1 0 0 1 0 0",
      ])
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (-0.00001, "0"), (0.00005, "0.0001"), (1.5, "1.5"), (-1.25, "-1.25"),
    (0.1 + 0.2, "0.3"), (100, "100"), (1234.56789, "1234.5679"), (0.0101, "0.0101"),
    (-0.5, "-0.5"), (.infinity, "inf"),
  ]) func numbersHaveFourDecimals(_ value: Double, _ wanted: String) {
    let lines = text(.fill(.ellipse(center: Point(value, 1), rx: 1, ry: 1), Self.red))
    #expect(lines == ["  fill ellipse (\(wanted), 1) 1 1 #ff0000"])
  }

  /// Parsing a formatted number returns its value to four decimals.
  @Test func numbersCanBeReadBack() throws {
    var random = Generator(seed: 5)
    for _ in 0..<1000 {
      let value = Double.random(in: -1e5...1e5, using: &random)
      let line = text(.fill(.rect(Rect(x: value, y: 0, width: 0, height: 0), radius: 0), Self.red))[
        0]
      let word = try #require(line.split(whereSeparator: { " []".contains($0) }).dropFirst(2).first)
      #expect(abs(try #require(Double(word)) - value) <= 0.50001e-4, "\(value) is \(word)")
      #expect(!word.hasSuffix("0") || !word.contains("."), "\(value) is \(word)")
    }
  }

  // MARK: Opacity and background

  @Test func aBackgroundIsOpaqueIfAllOfItIs() {
    let (whole, half) = (
      Color(red: 1, green: 0, blue: 0), Color(red: 1, green: 0, blue: 0, alpha: 0.5)
    )
    func stops(_ end: Color) -> [GradientStop] {
      [GradientStop(whole, at: 0), GradientStop(end, at: 1)]
    }
    let image = ImageReference(path: "a.png", digest: 1, size: PixelSize(1, 1))
    let rows: [(Paint?, Bool)] = [
      (nil, false), (.color(whole), true), (.color(half), false),
      (.linear(from: .zero, to: Point(1, 1), stops: stops(whole)), true),
      (.linear(from: .zero, to: Point(1, 1), stops: stops(half)), false),
      (.radial(center: .zero, radius: 1, stops: stops(half)), false),
      (.conic(center: .zero, angle: 0, stops: stops(whole)), true),
      (.pattern(image, tile: Rect(x: 0, y: 0, width: 1, height: 1), opacity: 1), false),
      (.pixels(Self.function(alpha: 1), opacity: 1), true),
      (.pixels(Self.function(alpha: 1), opacity: 0.5), false),
      (.pixels(Self.function(alpha: 0.5), opacity: 1), false),
    ]
    for (background, isOpaque) in rows {
      let program = FrameProgram(size: PixelSize(2, 2), background: background, ops: [])
      #expect(program.isOpaque == isOpaque, "\(program)")
    }
  }

  private static func function(alpha: Float) -> PixelFunction {
    let program = PixelProgram(
      [PixelProgram.Instruction(.x, target: 0, operands: [])], rowCount: 0, registerCount: 1,
      constants: [0, alpha], variableCount: 0, tables: [], images: [],
      color: [.register(0), .number(0), .number(0), .number(1)])
    return PixelFunction(program, variables: [], box: Rect(x: 0, y: 0, width: 1, height: 1))
  }

  @Test func theBackgroundIsTheFirstOp() {
    let fill = DrawOp.fill(Self.box, Self.red)
    let plain = FrameProgram(size: PixelSize(8, 6), background: nil, ops: [fill])
    #expect(plain.opsWithBackground == [fill])
    let covered = FrameProgram(size: PixelSize(8, 6), background: Self.red, ops: [fill])
    #expect(
      covered.opsWithBackground == [
        .fill(.rect(Rect(x: 0, y: 0, width: 8, height: 6), radius: 0), Self.red), fill,
      ])
  }

  // MARK: Other sizes

  @Test(arguments: 0..<50) func theSameSizeChangesNothing(_ seed: Int) {
    var random = RandomOps(seed: seed)
    let program = random.program()
    for fit in FrameFit.allCases { #expect(program.placed(in: program.size, fit) == program) }
  }

  /// Canvases reuse the pixels of the common prefix of two programs.
  @Test(arguments: 0..<50) func scaledProgramsBeginAlike(_ seed: Int) {
    var random = RandomOps(seed: seed)
    let program = random.program()
    let longer = FrameProgram(
      size: program.size, background: program.background, ops: program.ops + [random.op(depth: 1)])
    let size = PixelSize(random.int(1...900), random.int(1...900))
    for fit in FrameFit.allCases {
      let (short, long) = (program.placed(in: size, fit), longer.placed(in: size, fit))
      #expect(short.size == size && long.size == size)
      #expect(Array(long.ops.dropLast()) == short.ops && long.background == short.background)
    }
  }

  /// The placement of a frame of 400x200 in a frame of 100x100.
  @Test(arguments: [
    (FrameFit.fill, Affine(a: 0.25, b: 0, c: 0, d: 0.5, e: 0, f: 0)),
    (.contain, Affine(a: 0.25, b: 0, c: 0, d: 0.25, e: 0, f: 25)),
    (.cover, Affine(a: 0.5, b: 0, c: 0, d: 0.5, e: -50, f: 0)),
  ]) func framesOfAnotherForm(_ fit: FrameFit, _ map: Affine) throws {
    let fill = DrawOp.fill(Self.box, Self.red)
    let program = FrameProgram(size: PixelSize(400, 200), background: .color(.white), ops: [fill])
    let placed = program.placed(in: PixelSize(100, 100), fit)
    #expect(placed.background == program.background)
    let moved = DrawOp.transformed(map, body: [fill])
    let bars = Outline.rect(Rect(x: 0, y: 25, width: 100, height: 50), radius: 0)
    #expect(placed.ops == [fit == .contain ? .clipped(bars, body: [moved]) : moved])
  }

  /// A background gradient is scaled with the frame and covers the whole output.
  @Test(arguments: FrameFit.allCases) func gradientsAreScaledWithThePicture(_ fit: FrameFit) throws
  {
    let stops = [GradientStop(.black, at: 0), GradientStop(.white, at: 1)]
    let gradient = Paint.linear(from: .zero, to: Point(400, 0), stops: stops)
    let program = FrameProgram(size: PixelSize(400, 200), background: gradient, ops: [])
    let placed = program.placed(in: PixelSize(100, 100), fit)
    #expect(placed.background == nil)
    guard case .transformed(let map, let body)? = placed.ops.first,
      case .fill(let outline, let paint)? = body.first
    else {
      Issue.record("\(placed)")
      return
    }
    #expect(paint == gradient)
    let covered = map.apply(outline.bounds)
    for (own, wanted) in [
      (covered.x, 0.0), (covered.y, 0), (covered.width, 100), (covered.height, 100),
    ] {
      #expect(abs(own - wanted) < 1e-9, "\(covered)")
    }
  }
}
