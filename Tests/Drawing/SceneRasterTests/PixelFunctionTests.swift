// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneModel
import ScenePixels
import SceneTestSupport
import Testing

/// Pixel functions: the interpreter compared with a simple one, and filters and paints in scenes.
@Suite("Pixel functions", .cpuBudget(seconds: 6)) struct PixelFunctionTests {
  // MARK: The interpreter

  /// The operations of random programs, without those whose results depend on a polynomial.
  private static let exact: [PixelProgram.Operation] = [
    .add, .subtract, .multiply, .divide, .negate, .absolute, .minimum, .maximum, .floor, .ceiling,
    .round, .squareRoot, .modulo, .less, .lessOrEqual, .equal, .and, .or, .not, .select, .noise,
    .random,
  ]

  /// Returns a program of random exact operations, each on its own register.
  private static func program(_ random: inout Generator) -> PixelProgram {
    let constants = (0..<8).map { _ in Float(Int.random(in: -40...40, using: &random)) / 8 }
    var code = [
      PixelProgram.Instruction(.x, target: 0, operands: []),
      PixelProgram.Instruction(.y, target: 1, operands: []),
    ]
    for target in 2..<24 {
      let operation = exact[Int.random(in: 0..<exact.count, using: &random)]
      let operands = (0..<3).map { _ -> PixelProgram.Operand in
        Bool.random(using: &random)
          ? .number(Int.random(in: 0..<constants.count, using: &random))
          : .register(Int.random(in: max(0, target - 6)..<target, using: &random))
      }
      code.append(PixelProgram.Instruction(operation, target: target, operands: operands))
    }
    return PixelProgram(
      code, rowCount: 0, registerCount: 24, constants: constants, variableCount: 0, tables: [],
      images: [], color: [.register(20), .register(21), .register(22), .register(23)])
  }

  /// Computes a pixel with the simple interpreter.
  private static func pixel(_ program: PixelProgram, _ x: Int, _ y: Int) -> [Float] {
    var registers = [Float](repeating: 0, count: program.registerCount)
    func value(_ operand: PixelProgram.Operand) -> Float {
      switch operand {
      case .register(let index): registers[index]
      case .number(let index): program.constants[index]
      }
    }
    func truth(_ condition: Bool) -> Float { condition ? 1 : 0 }
    for it in program.instructions {
      let (a, b, c) = (value(it.a), value(it.b), value(it.c))
      let result: Float =
        switch it.operation {
        case .x: Float(x) + 0.5
        case .y: Float(y) + 0.5
        case .add: a + b
        case .subtract: a - b
        case .multiply: a * b
        case .divide: a / b
        case .negate: -a
        case .absolute: abs(a)
        case .minimum: b < a ? b : a
        case .maximum: b > a ? b : a
        case .floor: a.rounded(.down)
        case .ceiling: a.rounded(.up)
        case .round: a.rounded(.toNearestOrAwayFromZero)
        case .squareRoot: a.squareRoot()
        case .modulo: a - b * (a / b).rounded(.down)
        case .less: truth(a < b)
        case .lessOrEqual: truth(a <= b)
        case .equal: truth(a == b)
        case .and: truth(a != 0 && b != 0)
        case .or: truth(a != 0 || b != 0)
        case .not: truth(a == 0)
        case .select: a != 0 ? b : c
        case .noise: Float(Noise.smooth(x: Double(a), y: Double(b), seed: Double(c)))
        case .random: Float(Noise.random(x: Double(a), y: Double(b), seed: Double(c)))
        default: .nan
        }
      registers[it.target] = result
    }
    return program.color.map(value)
  }

  /// Returns the BGRA bytes of a function on a device of some size.
  private static func bytes(
    _ function: PixelFunction, _ size: PixelSize, inverse: Projection = Projection(.identity),
    at: PixelPosition = PixelPosition(0, 0)
  ) -> [UInt8] {
    let target = PixelBuffer(size)
    return target.withRows { own in
      var code = PixelCode(function, inverse: inverse)
      PixelRows.addNothing(to: &code)
      let isDrawn = own.fill(code, at: at)
      #expect(isDrawn)
      return own.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }
  }

  /// The pattern of the dithering, as in `Dither.h`.
  private static let bayer = [
    [0, 32, 8, 40, 2, 34, 10, 42], [48, 16, 56, 24, 50, 18, 58, 26],
    [12, 44, 4, 36, 14, 46, 6, 38], [60, 28, 52, 20, 62, 30, 54, 22],
    [3, 35, 11, 43, 1, 33, 9, 41], [51, 19, 59, 27, 49, 17, 57, 25],
    [15, 47, 7, 39, 13, 45, 5, 37], [63, 31, 55, 23, 61, 29, 53, 21],
  ]

  private static let box = Rect(x: 0, y: 0, width: 100, height: 100)

  @Test(arguments: 0..<500) func programsAreComputedBitByBit(_ seed: Int) {
    var random = Generator(seed: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15)
    let program = Self.program(&random)
    let size = PixelSize(37, 5)
    let drawn = Self.bytes(PixelFunction(program, variables: [], box: Self.box), size)
    var differences: [String] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let color = Self.pixel(program, x, y).map { $0 > 0 ? ($0 < 1 ? $0 : 1) : Float(0) }
        let scale = color[3] * 255
        let threshold = 0.5 + (Float(Self.bayer[y & 7][x & 7]) - 31.5) / 128
        let wanted = [color[2] * scale, color[1] * scale, color[0] * scale, scale].map {
          UInt8($0 + threshold)
        }
        let at = (y * size.width + x) * 4
        let found = Array(drawn[at..<(at + 4)])
        if found != wanted { differences.append("(\(x), \(y)): \(found), expected \(wanted)") }
      }
    }
    #expect(differences.isEmpty, "\(differences.prefix(3)) in \(program)")
  }

  /// The functions that the interpreter approximates, compared with those of double precision.
  @Test(arguments: [
    (PixelProgram.Operation.sine, -2000.0...2000, 2e-4), (.cosine, -2000...2000, 2e-4),
    (.exponential, -20...0, 2e-6), (.logarithm, 1e-3...20, 1e-5), (.toLinear, 0...1, 4e-6),
    (.fromLinear, 0...1, 4e-6), (.cubeRoot, -1...1, 2e-6), (.arcTangent, -1...1, 2e-4),
  ])
  func approximations(
    _ operation: PixelProgram.Operation, _ range: ClosedRange<Double>, _ most: Double
  ) {
    func exact(_ x: Double) -> Double {
      switch operation {
      case .sine: Math.sinDegrees(x)
      case .cosine: Math.cosDegrees(x)
      case .exponential: Math.exp(x)
      case .logarithm: Math.log(x) / 10
      case .toLinear: Color.linear(x)
      case .fromLinear: Color.encoded(x)
      case .cubeRoot: Math.cbrt(x)
      default: Math.atan2(x, 0.5) * 180 / .pi / 100
      }
    }
    // 8 bits of a result are not enough: its fraction is stretched to the range of a channel.
    for step in 0...400 {
      let x = Float(range.lowerBound + (range.upperBound - range.lowerBound) * Double(step) / 400)
      let wanted = exact(Double(x))
      let scale: Float = operation == .logarithm ? 0.1 : operation == .arcTangent ? 0.01 : 1
      let program = PixelProgram(
        [
          PixelProgram.Instruction(operation, target: 0, operands: [.number(1), .number(2)]),
          PixelProgram.Instruction(.multiply, target: 1, operands: [.register(0), .number(3)]),
          PixelProgram.Instruction(.subtract, target: 2, operands: [.register(1), .number(4)]),
          PixelProgram.Instruction(.multiply, target: 3, operands: [.register(2), .number(5)]),
          PixelProgram.Instruction(.add, target: 4, operands: [.register(3), .number(6)]),
        ], rowCount: 0, registerCount: 5,
        constants: [0, x, 0.5, scale, Float(wanted), Float(0.4 / most), 0.5, 1], variableCount: 0,
        tables: [], images: [], color: [.register(4), .number(7), .number(7), .number(7)])
      let drawn = Self.bytes(
        PixelFunction(program, variables: [], box: Self.box), PixelSize(1, 1))
      #expect(drawn[2] > 20 && drawn[2] < 235, "\(operation) \(x): \(drawn[2])")
    }
  }

  @Test func aRowIsComputedOnceOnlyWithoutRotation() {
    let program = PixelProgram(
      [
        PixelProgram.Instruction(.y, target: 0, operands: []),
        PixelProgram.Instruction(.x, target: 1, operands: []),
        PixelProgram.Instruction(.multiply, target: 2, operands: [.register(0), .number(1)]),
      ], rowCount: 1, registerCount: 3, constants: [0, 0.01, 1], variableCount: 0, tables: [],
      images: [], color: [.register(2), .register(2), .register(2), .number(2)])
    let function = PixelFunction(program, variables: [], box: Self.box)
    let upright = Self.bytes(function, PixelSize(300, 4))
    #expect(upright[2] == upright[299 * 4 + 2])
    let turned = Self.bytes(
      function, PixelSize(300, 1), inverse: Projection(Affine(a: 0, b: 1, c: -1, d: 0, e: 0, f: 0)))
    #expect(turned[2] < 5 && turned[90 * 4 + 2] > 200)
  }

  // MARK: Scenes

  /// Returns the RGB values of a 64x64 scene.
  private func pixels(_ body: String, above: String = "") throws -> [UInt8] {
    try Drawing("\(above)\nscene { size: 64x64;  for: 1s;  fps: 10\n\(body)\n}").pixels(0)
  }

  private static let content = """
    circle { radius: 20;  fill: linear-gradient(#ff804080, #2040ff) }
    text "Ag" { font-size: 30;  fill: gold;  rotate: 20deg }
    """

  /// Every byte is kept: loading, converting to straight alpha and back is exact.
  @Test(arguments: ["", "rotate: 30deg", "scale: 1.3", "opacity: 0.5", "translate: (0.5, 0.25)"])
  func aFilterThatChangesNothing(_ property: String) throws {
    let plain = try pixels("group { size: 100%;  filter: sepia(1);  \(property)\n\(Self.content) }")
    let filtered = try pixels(
      "group { size: 100%;  filter: [same(), sepia(1)];  \(property)\n\(Self.content) }",
      above: "filter same() { color: sample(source, xy) }")
    #expect(plain == filtered)
  }

  @Test func aFilterThatMovesPixels() throws {
    let shift = "filter shift(by: pair) { color: sample(source, xy - by) }"
    let moved = try pixels(
      "group { size: 100%;  filter: [shift((8, 8)), sepia(1)]\n\(Self.content) }", above: shift)
    let wanted = try pixels(
      "group { size: 100%;  filter: sepia(1);  translate: (8, 8)\n\(Self.content) }")
    #expect(zip(moved, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    // Coordinates are those of the element, whatever its transformation.
    let turned = try pixels(
      "group { size: 100%;  rotate: 90deg;  filter: shift((8, 0))\nrect { size: 10;  fill: red } }",
      above: shift)
    #expect(turned.rgb(32, 40)[0] > 250 && turned.rgb(40, 32)[0] < 5)
  }

  @Test func positionsAreThoseOfTheBox() throws {
    let drawn = try pixels(
      "rect { size: 32x16;  fill: place() }",
      above: "paint place() { color: srgb(uv.x, uv.y, xy.x / size.x) }")
    // The box begins at (16, 24).
    let (left, right) = (drawn.rgb(16, 24), drawn.rgb(47, 39))
    #expect(left[0] <= 5 && left[1] <= 9 && left[2] <= 5)
    #expect(right[0] >= 250 && right[1] >= 246 && right[2] >= 250)
    #expect(drawn.rgb(15, 30) == [0, 0, 0])
  }

  @Test func aSharpEdgeAtEveryScale() throws {
    let half =
      "paint half() { color: mix(black, white, smooth-step(-pixel / 2, pixel / 2, xy.x - size.x / 2)) }"
    for scale in ["1", "4", "0.25"] {
      let drawn = try pixels(
        "rect { size: 40;  scale: \(scale);  fill: half() }", above: half)
      let row = (24..<40).map { drawn.rgb($0, 32)[0] }
      #expect(row.filter { $0 > 2 && $0 < 253 }.count <= 1, "\(scale): \(row)")
    }
  }

  @Test func whatAFilterWritesOutsideNeedsReach() throws {
    func drawn(_ reach: String) throws -> [Int] {
      try pixels(
        "rect { size: 20;  fill: red;  filter: moved() }",
        above: "filter moved() { \(reach) color: sample(source, xy - (15, 0)) }"
      ).rgb(50, 32)
    }
    #expect(try drawn("") == [0, 0, 0])
    #expect(try drawn("reach: 15;") == [255, 0, 0])
  }

  @Test func nothingIsDrawnOutsideTheBox() throws {
    let drawn = try pixels(
      "rect { size: 20x16;  fill: red;  filter: filled() }",
      above: "filter filled() { color: lime }")
    for (place, isInside) in [
      ((22, 24), true), ((41, 39), true), ((21, 30), false), ((42, 30), false),
    ] {
      #expect(drawn.rgb(place.0, place.1) == (isInside ? [0, 255, 0] : [0, 0, 0]), "\(place)")
    }
    #expect(drawn.rgb(30, 23) == [0, 0, 0] && drawn.rgb(30, 40) == [0, 0, 0])
  }

  @Test func edgesAreExtended() throws {
    let far = "filter far() { color: sample(source, xy + (100, 0)) }"
    #expect(
      try pixels("rect { size: 20;  fill: red;  filter: far() }", above: far).rgb(32, 32) == [
        0, 0, 0,
      ])
    #expect(
      try pixels("rect { size: 20;  fill: red;  edge: extend;  filter: far() }", above: far).rgb(
        32,
        32) == [255, 0, 0])
  }

  /// A paint in perspective has the colors of the points that the eye sees.
  @Test func paintsInPerspective() throws {
    let halves = "paint halves() { color: uv.x < 0.5 ? red : blue }"
    let drawn = try pixels(
      "perspective: 100;  rect { size: 60;  rotate-y: 60deg;  fill: halves() }", above: halves)
    #expect(drawn.rgb(28, 32) == [255, 0, 0] && drawn.rgb(36, 32) == [0, 0, 255])
  }

  @Test func aBackdropIsFiltered() throws {
    let drawn = try pixels(
      """
      rect { size: 100%;  fill: #ff8040 }
      rect { size: 20;  backdrop-filter: swapped() }
      """,
      above: """
        filter swapped() {
            let c = sample(source, xy)
            color: srgb(c.blue, c.green, c.red, c.alpha)
        }
        """)
    #expect(drawn.rgb(32, 32) == [64, 128, 255] && drawn.rgb(5, 5) == [255, 128, 64])
  }

  @Test func numbersThatAreNotFiniteAreBlack() throws {
    let drawn = try pixels(
      "background: bad()",
      above: "paint bad() { color: srgb(sqrt(-uv.x), 1 / max(0, -uv.x), log(-1 - uv.x)) }")
    #expect(drawn.rgb(30, 30) == [0, 255, 0])
  }

  /// The output of a filter is clipped to the box of the element, even if the element is rotated or
  /// later effects need more space.
  @Test func filledBoxesKeepTheirShape() throws {
    let solid = "filter solid() { color: lime }"
    for effect in ["rotate: 45deg", "rotate: 30deg;  scale: 1.2", "skew: 30deg"] {
      let plain = try pixels("rect { size: 24;  fill: lime;  \(effect) }")
      let filled = try pixels(
        "rect { size: 24;  fill: red;  filter: solid();  \(effect) }", above: solid)
      let wrong = zip(plain, filled).count { abs(Int($0) - Int($1)) > 100 }
      #expect(wrong < 12, "\(effect): \(wrong)")
    }
    for effect in ["shadow: shadow((0, 0), 20, #00000001)", "filter: [solid(), blur(0.1)]"] {
      let filled = try pixels(
        "rect { size: 20;  fill: red;  filter: solid();  \(effect) }".replacing(
          "filter: solid();  filter", with: "filter"), above: solid)
      #expect(filled.rgb(32, 32)[1] > 250 && filled.rgb(32, 18)[1] < 20, "\(effect)")
    }
  }

  /// Library filters with neutral arguments preserve all colors, including translucent ones.
  @Test(arguments: [
    "rgb-split((0, 0))", "glitch(amount: 0)", "displace(map: \"checker.png\", amount: 0)",
    "ripple(amount: 0)", "flutter(amount: 0)", "vignette(amount: 0)", "grain(amount: 0)",
    "scanlines(amount: 0)", "wobble(amount: 0)", "posterize(levels: 256)",
  ])
  func neutralFilters(_ filter: String) throws {
    let image = filter.replacing(
      "checker.png", with: "svg-render/paint-servers__linearGradient__invalid-gradientTransform.png"
    )
    let plain = try pixels("group { size: 100%\n\(Self.content) }")
    let filtered = try pixels(
      "group { size: 100%;  filter: \(image)\n\(Self.content) }",
      above: "import \"std/pixels.scene\"")
    let worst = zip(plain, filtered).map { abs(Int($0) - Int($1)) }.max() ?? 0
    #expect(worst <= 2)
  }

  /// Lines with `boil` are constant between two steps.
  @Test(arguments: [
    "fill: hachure(boil: 5Hz)", "fill: dots(boil: 5Hz)", "fill: cross-hatch(boil: 5Hz)",
    "fill: red;  filter: wobble(boil: 5Hz)",
  ])
  func linesBoil(_ property: String) throws {
    let drawing = try Drawing(
      """
      import "std/pixels.scene"
      scene { size: 64x64;  for: 1s;  fps: 10;  background: white;  rect { size: 50;  \(property) } }
      """)
    let frames = try (0..<4).map { try drawing.pixels($0) }
    #expect(frames[0] == frames[1] && frames[2] == frames[3])
    #expect(frames[1] != frames[2])
  }

  /// Straight lines cover their share of the area.
  @Test func hatchingHasItsWidth() throws {
    let drawn = try pixels(
      "background: white;  rect { size: 100%;  fill: hachure(gap: 8, width: 2, angle: 0deg, rough: 0) }",
      above: "import \"std/pixels.scene\"")
    let mean = stride(from: 0, to: drawn.count, by: 4).reduce(0) { $0 + Int(drawn[$1]) } / (64 * 64)
    #expect(abs(mean - 191) <= 2, "\(mean)")
  }

  /// A white element has no dots.
  @Test func halftonesOfWhite() throws {
    let drawn = try pixels(
      "rect { size: 100%;  fill: white;  filter: halftone(cell: 7, paper: white, ink: black) }",
      above: "import \"std/pixels.scene\"")
    #expect(drawn.allSatisfy { $0 == 255 })
  }

  /// With `stroke-scale: none`, the paint of a stroke fills the scaled box.
  @Test func paintsOfSteadyStrokes() throws {
    let halves = "paint halves() { color: uv.x < 0.5 ? red : lime }"
    func drawn(_ more: String) throws -> [UInt8] {
      try pixels(
        "rect { size: 20x40;  scale: (2, 1);  fill: none;  stroke: halves();  stroke-width: 4;  \(more) }",
        above: halves)
    }
    let (plain, steady) = (try drawn(""), try drawn("stroke-scale: none"))
    for x in [18, 26, 30, 34, 40] { #expect(plain.rgb(x, 12) == steady.rgb(x, 12), "\(x)") }
  }

  // MARK: Limits

  private static let heavy =
    "sum([for i in 0..390: noise(xy * 0.01, seed: i)]) * 0.01"

  /// Everything that a pixel function computes counts as drawing.
  @Test(arguments: [
    "fill: circle { radius: 500;  fill: heavy() }",
    "stroke: circle { radius: 500;  fill: none;  stroke: heavy();  stroke-width: 2 }",
    "arrow: arrow { from: (0, 0);  to: (1900, 1000);  stroke: heavy() }",
    "text: text \"HELLO\" { font-size: 600;  fill: heavy() }",
    "text with a filter: text \"HELLO\" { font-size: 600;  filter: around() }",
    "narrow: for k in 0..12 { rect { size: (2, 1000);  fill: heavy() } }",
    "reach: rect { size: 1;  filter: around() }",
    "in space: rect { size: 1000;  rotate-y: 80deg;  filter: around() }",
    "backdrop: rect { size: 1000;  backdrop-filter: around() }",
  ])
  func pixelsCount(_ row: String) throws {
    let body = row.drop { $0 != ":" }.dropFirst()
    let (_, diagnostics) = try Drawing.checking(
      """
      paint heavy() { color: srgb(\(Self.heavy), 0.5, 0.2) }
      filter around() { reach: 1000;  color: srgb(\(Self.heavy), sample(source, xy).green, 0.2) }
      scene { for: 1s;  size: 1920x1080;  for i in 0..20 { \(body) } }
      """)
    #expect(diagnostics.contains { $0.message.hasSuffix("takes too long to draw") })
  }

  /// Sums of many samples and of products of rows and columns need few registers.
  @Test(arguments: [
    "sum([for i in 0..64: sample(source, xy + (i, 0)).red]) / 64",
    "sum([for i in 1..80: sin(xy.x * i * 1deg) * sin(xy.y * i * 1deg) / 70])",
    "sum([for i in 0..30: sample(source, xy + (i, sin(xy.y * i * 1deg))).green / 30])",
  ])
  func longSumsCompile(_ sum: String) throws {
    _ = try pixels(
      "rect { size: 20;  filter: long() }", above: "filter long() { color: srgb(\(sum), 0, 0) }")
  }
}
