// SPDX-License-Identifier: MIT
import Foundation
import SceneCLI
import SceneCheck
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneRaster
import SceneCairo
import SceneFiles
import SceneSystem
import SceneSyntax
import SceneText

/// Measures the CPU time of rendering one frame at 1080p on one thread, without conversion and
/// encoding.
struct DrawingBenchmark {
  private struct MeasuredScene {
    let name: String
    /// The limit in milliseconds.
    let limit: Double
    let body: String
    /// Whether the time of lowering counts as well.
    let countsLowering: Bool

    init(_ name: String, limit: Double, countsLowering: Bool = false, body: String) {
      (self.name, self.limit, self.body) = (name, limit, body)
      self.countsLowering = countsLowering
    }
  }

  let board: Scoreboard
  /// The scenes with their limits in milliseconds.
  private let scenes = [
    MeasuredScene(
      "gradient ground, standing, under 3 moving circles", limit: 1.5,
      body: """
        rect { size: 100%;  fill: linear-gradient(#1b2a49, #3a6073, from: top-left, to: bottom-right) }
        for k in 0..3 { circle { radius: 30;  fill: gold;  position: (0% -> 100%, 200 + 300 * k) } }
        """
    ),
    MeasuredScene(
      "moving glow of a radial gradient to transparency", limit: 14,
      body: """
        rect { size: 100%;  fill: #14143a }
        circle {
            radius: 900;  position: (40% -> 41%, 50%)
            fill: radial-gradient([#3d3dd0b0, #3d3dd000])
        }
        """
    ),
    MeasuredScene(
      "blur of 20 px in linear light over the whole frame", limit: 26,
      body: """
        group {
            filter: blur(20);  light: linear
            rect { size: 100%;  fill: steelblue }
            circle { radius: 200;  fill: gold;  position: (0% -> 100%, 50%) }
        }
        """
    ),
    MeasuredScene(
      "group with an opacity in linear light", limit: 5,
      body: """
        rect { size: 100%;  fill: #14143a }
        group {
            opacity: 0.5;  light: linear
            rect { size: 100%;  fill: steelblue }
            circle { radius: 200;  fill: gold;  position: (0% -> 100%, 50%) }
        }
        """
    ),
    MeasuredScene(
      "blur of 20 px over the whole frame", limit: 13,
      body: """
        group {
            filter: blur(20)
            rect { size: 100%;  fill: steelblue }
            circle { radius: 200;  fill: gold;  position: (0% -> 100%, 50%) }
        }
        """
    ),
    MeasuredScene(
      "opacity of a group over the whole frame", limit: 1.5,
      body: """
        group {
            opacity: 0.2 -> 0.9
            rect { size: 100%;  fill: steelblue }
            for k in 0..8 { circle { radius: 100;  fill: gold;  position: (200 * k, 50%) } }
        }
        """
    ),
    MeasuredScene(
      "shadow of a moving card of 400x200", limit: 2,
      body: """
        rect {
            size: 400x200;  corner-radius: 20;  fill: white;  position: (20% -> 80%, 40% -> 60%)
            shadow: shadow(offset: (0, 12), blur: 30)
        }
        """
    ),
    MeasuredScene(
      "a small thing in a busy picture", limit: 1,
      body: """
        for i in 0..2000 { circle { radius: 12;  fill: hsl(1turn * 0.618 * i, 70%, 60%)
            position: (1920 * random(i), 1080 * random(i + 0.5)) } }
        circle { radius: 40;  fill: black;  position: (40% -> 60%, 50%) }
        """
    ),
    MeasuredScene(
      "a photo of the size of the frame that turns over", limit: 26,
      body: "image \"Examples/cookbook/photo-1.jpg\" { size: 100%;  rotate-y: 0deg -> 1800deg }"
    ),
    MeasuredScene(
      "a card with a gradient and 6 texts that turns over", limit: 6,
      body: """
        group {
            size: 900x560;  rotate-y: 0deg -> 1800deg
            rect { size: 100%;  fill: linear-gradient(#ff8a3d, #d6336c);  corner-radius: 32 }
            for n in 0..6 { text "Line of text {n}" { font-size: 50;  position: (50%, 60 + n * 80) } }
        }
        """
    ),
    MeasuredScene(
      "a photo on a plane with depth of field", limit: 300,
      body: """
        camera {
            orbit: (20deg, 60deg);  aperture: 60;  focus-distance: 90% -> 110%
            image "Examples/cookbook/photo-1.jpg" { size: 150% }
        }
        """
    ),
    MeasuredScene(
      "10,000 particles of up to 6 pixels", limit: 4,
      body: """
        particles {
            from: (50%, 60%);  rate: 3333Hz;  prewarm: 3s;  life: 3s;  spread: 90deg;  speed: 300 .. 700
            gravity: (0, 200);  drag: 0.5;  turbulence: 100
            size: (2 .. 6) * (1 -> 0.4);  fill: gold -> tomato;  opacity: 0 -> 1 over 10% -> 0 over 90%
        }
        """
    ),
    MeasuredScene(
      "10,000 particles with a drawing of 20 pixels", limit: 15,
      body: """
        particles {
            from: (0% .. 100%, 0% .. 100%);  rate: 3333Hz;  prewarm: 3s;  life: 3s;  speed: 10 .. 90
            rotate: 0deg .. 360deg;  star { radius: 10;  fill: #d6336c }
        }
        """
    ),
    MeasuredScene(
      "25 letters of a variable font with other axes in each frame", limit: 0.6,
      body: """
        text "Breathing letters of type" {
            font: "Examples/cookbook/breathing.ttf";  font-size: 120;  font-weight: 200 -> 800
        }
        """
    ),
    MeasuredScene(
      "300 letters that move one by one", limit: 6,
      body: """
        text "\(String(repeating: "Pack my box with five dozen jugs ", count: 12).prefix(360))" {
            width: 1700;  font-size: 60
            each glyph { stagger: 10ms;  enter: [fade, slide(by: 80)] over 3s;  rotate: 20deg -> 0deg over 9s }
        }
        """
    ),
    MeasuredScene(
      "200 rough rectangles with hachure under a moving circle, with lowering", limit: 12,
      countsLowering: true,
      body: """
        group { size: 100%;  rough: 2
        \(DrawingBenchmark.hatchedRectangles) }
        circle { radius: 40;  fill: black;  position: (40% -> 60%, 50%) }
        """
    ),
    // Each frame computes a pixel function and strokes 8 lines for each of the rectangles.
    MeasuredScene(
      "200 rough rectangles with hachure that boil, with lowering", limit: 80,
      countsLowering: true,
      body: """
        group { size: 100%;  rough: 2;  boil: 1f
        \(DrawingBenchmark.hatchedRectangles) }
        """
    ),
    MeasuredScene(
      "2,000 stamps of a brush along a moving path, with lowering", limit: 240,
      countsLowering: true,
      body: """
        path {
            move (60, 300);  curve (700, -200), (1100, 1300), (1860, 500)
            stroke: brush("Examples/cookbook/leaf.svg", spacing: 1.2, jitter: 20%);  stroke-width: 40
            translate: (0, 0 -> 100)
        }
        """
    ),
    MeasuredScene(
      "100 bent letters along a changing path, with lowering", limit: 20, countsLowering: true,
      body: """
        path wave { move (0, 300 -> 500);  curve (700, -200), (1100, 1300), (1900, 500) }
        text "\(String(repeating: "bent letters ", count: 8))" {
            along: wave;  along-shape: bent;  font-size: 40
        }
        """
    ),
  ]

  private static let hatchedRectangles = """
    for k in 0..200 {
        rect {
            size: 80x60;  position: (60 + 94 * mod(k, 20), 60 + 100 * floor(k / 20))
            stroke: black;  stroke-width: 3;  fill: hachure(gold, gap: 12, width: 3)
        }
    }
    """

  /// Pixel functions of the library over the whole frame: 30 frames a second on two cores.
  private static let pixelFunctions: [MeasuredScene] = {
    let filters = [
      "halftone()", "duotone()", "posterize()", "vignette()", "grain()", "rgb-split()", "glitch()",
      "displace(\"Examples/cookbook/photo-2.jpg\")", "ripple()", "flutter()", "pixelate()",
      "scanlines()", "wobble()",
    ]
    let paints = [
      "plasma()", "clouds()", "caustics()", "mesh-gradient()", "grid-lines()", "hachure()",
      "cross-hatch()", "dots()",
    ]
    let transitions = [
      "ripple", "swirl", "water-drop", "dreamy", "morph", "cross-warp", "directional-warp",
      "hexagonalize", "perlin", "window-slice", "polka-dots-curtain", "burn", "film-burn",
      "kaleidoscope", "glitch-memories",
    ]
    func name(_ call: String) -> String { String(call.prefix { $0 != "(" }) }
    let photo = "image \"Examples/cookbook/photo-1.jpg\" { size: 100%;  fit: cover;  "
    // The motion makes all frames different.
    return filters.map { call in
      MeasuredScene(
        "the filter \(name(call)) on a photo of the size of the frame", limit: 66,
        body: "\(photo)scale: 1 -> 1.02;  filter: \(call) }")
    }
      + paints.map { call in
        MeasuredScene(
          "the paint \(name(call)) over the whole frame", limit: 66,
          body: "rect { size: 100%;  scale: 1 -> 1.02;  fill: \(call) }")
      }
      + transitions.map { name in
        // The transition takes all of the measured time.
        MeasuredScene(
          "the transition \(name) between two photos of the size of the frame", limit: 66,
          body: """
            fps: 60
            sequence {
              transition: gl.\(name) over 1.5s with linear
              \(photo)for: 3s }
              \(photo.replacing("photo-1", with: "photo-2"))for: 9s }
            }
            """)
      }
  }()

  /// Measures all rows, or only the scenes whose name contains a text.
  func run(only part: String? = nil) throws {
    print("\nCPU ms a frame of drawing at 1080p, one thread (the most it should take)")
    for scene in scenes + DrawingBenchmark.pixelFunctions
    where part.map({ scene.name.contains($0) }) ?? true {
      let source = """
        import "std/pixels.scene"
        import "std/gl-transitions.scene" as gl
        scene { for: 10s;  background: #f4f1ea
        \(scene.body)
        }
        """
      let cost = try drawing(
        Array(source.utf8), path: "bench.scene", folder: ".",
        countsLowering: scene.countsLowering)
      let limit = board.judge(scene.name, milliseconds: cost, atMost: scene.limit)
      print("  \(pad(number(cost), 8))\(pad(limit, 15))\(scene.name)")
    }
    if part != nil { return }
    let path = "Examples/bench-busy/scene.scene"
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let cost = try drawing(bytes, path: path, folder: "Examples/bench-busy")
    let name = "S4: 500 circles, 500 turning rectangles, 50 labels"
    print(
      "  \(pad(number(cost), 8))\(pad(board.judge(name, milliseconds: cost, atMost: 20), 15))\(name)"
    )
    depthOrder()
    frontEnd()
    try MorphBenchmark.run(board)
    try SoundBenchmark.run(board)
    try PlanBenchmark.run(board)
    try FlashBenchmark.run(board)
  }

  /// Measures the sorting of a ring of 64 cards that fill it.
  private func depthOrder() {
    let eye = SpaceMap.perspective(3000, from: Point(960, 540))
      .concat(.translation(Point(960, 540))).concat(.rotationX(-12))
    let cards = (0..<64).compactMap { index in
      DepthPolygon(
        Rect(x: -42, y: -60, width: 84, height: 120),
        under: eye.concat(.rotationY(Double(index) * 360 / 64)).concat(.translation(.zero, z: 900)))
    }
    let rounds = 200
    let started = OwnProcess.cpuSeconds
    for _ in 0..<rounds { precondition(DepthOrder(cards).fragments.count >= cards.count) }
    let cost = (OwnProcess.cpuSeconds - started) * 1000 / Double(rounds)
    let name = "the order of a ring of 64 cards"
    print(
      "  \(pad(number(cost), 8))\(pad(board.judge(name, milliseconds: cost, atMost: 0.2), 15))\(name)"
    )
  }

  /// Returns the CPU time per frame in milliseconds, averaged over 60 consecutive frames.
  private func drawing(
    _ bytes: [UInt8], path: String, folder: String, countsLowering: Bool = false
  ) throws -> Double {
    let fonts = FontLibrary()
    guard let assets = AssetFolder(root: folder, folder: folder, fonts: fonts) else {
      throw Failure(description: "no folder \(folder)")
    }
    let metrics = PangoMetrics(fonts)
    let parsed = parse(SourceFile(id: FileID(0), name: path, bytes: bytes))
    let checked = check(parsed, options: CheckOptions(), metrics: metrics, assets: assets)
    guard let model = checked.model else {
      let what = checked.diagnostics.first?.message ?? ""
      throw Failure(description: "the scene has errors: \(what)")
    }
    var lowerer = Lowerer(model, metrics: metrics)
    let canvas = try Canvas(
      model.size, isOpaque: true,
      resources: DrawingResources(fonts: fonts, images: ImageStore(assets)))
    for frame in 100..<105 { try canvas.draw(lowerer.lower(frame: frame)) }
    let before = OwnProcess.cpuSeconds
    let programs = (105..<165).map { lowerer.lower(frame: $0) }
    let started = countsLowering ? before : OwnProcess.cpuSeconds
    for program in programs { try canvas.draw(program) }
    return (OwnProcess.cpuSeconds - started) * 1000 / 60
  }

  /// Measures the speed of parsing, and of checking elements in loops.
  private func frontEnd() {
    let line =
      "    circle { radius: 10 -> 20 over 1s;  position: (10% + 4 * 3, noise(t / 1s, 7)) }\n"
    let count = (1 << 20) / line.utf8.count
    let source = Array("scene {\n    for: 1s\n\(String(repeating: line, count: count))}\n".utf8)
    let best =
      (0..<5).map { _ -> Double in
        let started = OwnProcess.cpuSeconds
        _ = parse(SourceFile(id: FileID(0), name: "large.scene", bytes: source)).diagnostics
        return OwnProcess.cpuSeconds - started
      }.min() ?? 0
    let speed = Double(source.count) / best / 1e6
    print("parsing 1 MB: \(number(best * 1000)) ms, \(number(speed)) MB/s")
    for elements in [10_000, 100_000] {
      let text =
        "scene { for: 1s\n for i in 0..\(elements) { circle { radius: 4;  position: (i, 40 + t / 1s) } } }"
      var options = CheckOptions()
      options.limits.elements = elements + 10
      let parsed = parse(SourceFile(name: "many.scene", text: text))
      let fonts = PangoMetrics(FontLibrary())
      guard let assets = AssetFolder(root: ".", folder: ".", fonts: FontLibrary()) else { return }
      let best =
        (0..<3).map { _ -> Double in
          let started = OwnProcess.cpuSeconds
          _ = check(parsed, options: options, metrics: fonts, assets: assets)
          return OwnProcess.cpuSeconds - started
        }.min() ?? 0
      print("checking \(elements) elements from a loop: \(number(best * 1000)) ms")
    }
  }

  private func number(_ value: Double) -> String { String(format: "%.2f", value) }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
