// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneTestSupport
import Testing

/// Properties of single drawing ops, outlines, paints and image references.
@Suite("Drawing ops", .cpuBudget(seconds: 1)) struct DrawOpTests {
  private static let box = Outline.rect(Rect(x: 0, y: 0, width: 4, height: 4), radius: 0)
  private static let fill = DrawOp.fill(box, .color(.black))
  private static let glass = DrawOp.backdrop([.blur(3)], box)
  private static let blended = DrawOp.layer(LayerStyle(blend: .multiply), body: [fill])

  /// The containers of ops, with their names.
  private static let containers: [(name: String, make: @Sendable ([DrawOp]) -> DrawOp)] = [
    ("transformed", { .transformed(.translation(1, 0), body: $0) }),
    ("clipped", { .clipped(box, body: $0) }),
    ("layer", { .layer(opacity: 0.5, body: $0) }),
    ("masked", { .masked(MaskStyle(), mask: [], body: $0) }),
    ("averaged", { .averaged([[fill], $0]) }),
  ]

  @Test func glassReadsTheBackdropInEveryContainer() {
    #expect(!Self.fill.readsBackdrop && Self.glass.readsBackdrop)
    for (name, make) in Self.containers {
      #expect(make([Self.fill, Self.glass]).readsBackdrop, "\(name)")
      #expect(!make([Self.fill]).readsBackdrop, "\(name)")
    }
    // A mask is drawn separately, so a glass effect in it does not read the backdrop.
    #expect(!DrawOp.masked(MaskStyle(), mask: [Self.glass], body: [Self.fill]).readsBackdrop)
    // The same applies to the clips of a transition, and to a layer without its flag.
    let crossed = DrawOp.crossed(
      PixelFunction(
        PixelProgram(
          [], rowCount: 0, registerCount: 0, constants: [0], variableCount: 0, tables: [],
          images: [], sourceCount: 2, color: Array(repeating: .number(0), count: 4)),
        variables: [], box: Rect(x: 0, y: 0, width: 4, height: 4)),
      from: [Self.glass], to: [Self.blended])
    #expect(!crossed.readsBackdrop && !crossed.blendsWithBackdrop)
    #expect(!DrawOp.layer(LayerStyle(), body: [Self.glass]).readsBackdrop)
  }

  @Test func blendModesReachThroughMapsAndClips() {
    #expect(!Self.fill.blendsWithBackdrop && !Self.glass.blendsWithBackdrop)
    #expect(Self.blended.blendsWithBackdrop)
    let through = ["transformed", "clipped", "averaged"]
    for (name, make) in Self.containers {
      #expect(make([Self.blended]).blendsWithBackdrop == through.contains(name), "\(name)")
    }
    for mode in BlendMode.allCases {
      let op = DrawOp.layer(LayerStyle(blend: mode), body: [])
      #expect(op.blendsWithBackdrop == (mode != .normal), "\(mode)")
    }
  }

  // MARK: Outlines

  /// The cheap bounds contain the bounds of the exact path.
  @Test(arguments: 0..<200) func boundsHoldThePath(_ seed: Int) {
    var random = RandomOps(seed: seed)
    let outline = random.outline()
    let (rough, exact) = (outline.bounds, outline.path.bounds)
    #expect(rough.x <= exact.x + 1e-9 && rough.y <= exact.y + 1e-9, "\(outline)")
    #expect(rough.maxX >= exact.maxX - 1e-9 && rough.maxY >= exact.maxY - 1e-9, "\(outline)")
  }

  // MARK: Paints

  private func opacities(_ paint: Paint) -> [Double] {
    switch paint {
    case .color(let color): [color.alpha]
    case .linear(_, _, let stops), .radial(_, _, let stops), .conic(_, _, let stops):
      stops.map(\.color.alpha)
    case .pattern(_, _, let opacity), .pixels(_, let opacity): [opacity]
    }
  }

  @Test(arguments: 0..<100) func fadingMultipliesEveryAlpha(_ seed: Int) {
    var random = RandomOps(seed: seed)
    let image = ImageReference(path: "a.png", digest: 1, size: PixelSize(4, 4))
    let pattern = Paint.pattern(image, tile: Rect(x: 0, y: 0, width: 4, height: 4), opacity: 0.75)
    let pixels = Paint.pixels(random.function(), opacity: 0.75)
    for paint in [random.paint(), pattern, pixels] {
      #expect(paint.faded(1) == paint)
      #expect(opacities(paint.faded(0.5)) == opacities(paint).map { $0 * 0.5 })
      #expect(paint.faded(0.5).faded(0.25) == paint.faded(0.125))
      #expect(!paint.isInvisible && paint.faded(0).isInvisible)
    }
  }

  @Test func aGradientIsInvisibleOnlyAsAWhole() {
    let stops = [GradientStop(.transparent, at: 0), GradientStop(.black, at: 1)]
    #expect(!Paint.linear(from: .zero, to: Point(1, 0), stops: stops).isInvisible)
    let clear = [GradientStop(.transparent, at: 0)]
    #expect(Paint.radial(center: .zero, radius: 1, stops: clear).isInvisible)
  }

  // MARK: Images

  @Test(arguments: [0..<1, 3..<7, 0..<500, 127..<128]) func layersOfADrawing(_ layers: Range<Int>) {
    let image = ImageReference(
      path: "a.svg", digest: 1, size: PixelSize(4, 4), kind: .vector)
    #expect(image.layers.isEmpty && image.showing(layers: layers).layers == layers)
    #expect(image.showing(layers: layers) != image)
  }

  @Test func kindsOfImages() {
    func image(_ kind: ImageReference.Kind) -> ImageReference {
      ImageReference(path: "a", digest: 1, size: PixelSize(4, 4), frame: 5, kind: kind)
    }
    let all = [
      image(.raster), image(.vector), image(.clip(1)), image(.clip(2)),
      image(.clip(1, ClipReading(alpha: .premultiplied))),
      image(.clip(1, ClipReading(damage: .error))),
    ]
    #expect(Set(all).count == all.count)
    #expect(all.map(\.isVector) == [false, true, false, false, false, false])
    #expect(all.map(\.isClip) == [false, false, true, true, true, true])
    #expect(image(.raster).layers.isEmpty && image(.clip(1)).layers.isEmpty)
  }

  /// Test vectors by the authors of FNV.
  @Test(arguments: [
    ("", UInt64(0xCBF2_9CE4_8422_2325)), ("a", 0xAF63_DC4C_8601_EC8C),
    ("foobar", 0x8594_4171_F739_67E8), ("chongo was here!\n", 0x4681_0940_EFF5_F915),
  ]) func digestsAreFNV1a(_ text: String, _ digest: UInt64) {
    #expect(Digest.fnv1a(Array(text.utf8)) == digest)
  }

  // MARK: Texts

  @Test func fadedUnitsKeepTheRest() {
    let styles = [
      TextUnitStyle(opacity: 0.5, map: .scale(2, 2), blur: 3), TextUnitStyle(opacity: 1),
    ]
    let units = TextUnits(kind: .glyph, styles: styles, shown: 4)
    let faded = units.faded(0.5)
    #expect(faded.styles.map(\.opacity) == [0.25, 0.5])
    #expect(faded.styles.map(\.map) == styles.map(\.map) && faded.styles.map(\.blur) == [3, 0])
    #expect(faded.shown == 4 && faded.kind == .glyph && units.faded(1) == units)
  }

  @Test func aBlockIsTheTextOfItsRuns() {
    let font = FontSpec(families: ["Inter"], size: 10)
    let block = TextBlock(runs: [TextRun("one ", font: font), TextRun("two", font: font)])
    #expect(block.string == "one two")
  }
}
