// SPDX-License-Identifier: MIT
import Foundation
import SceneGraphics
import SceneIR
import SceneLibrary
import SceneModel
import SceneTestSupport
import Testing

/// The measurable design rules of the templates and the library.
@Suite("The look", .cpuBudget(seconds: 5)) struct LookTests {
  /// The frame sizes, one for each aspect ratio.
  private static let sizes = [
    PixelSize(1920, 1080), PixelSize(1080, 1080), PixelSize(1080, 1920),
  ]

  /// The templates and components with intentionally many hues: blocks of color, a warm cover on a
  /// cool background, syntax colors, and a color for each row of a bar race.
  private static let colorful: Set = ["kinetic", "podcast", "code", "Code", "BarRace"]

  private func scene(_ name: String, size: PixelSize? = nil) throws -> (Folder, ExampleScene) {
    let template = try #require(Templates.named(name))
    let folder = try Folder()
    for file in template.files {
      try Data(file.bytes).write(to: URL(fileURLWithPath: folder.path + "/" + file.name))
    }
    try Data(template.scene).write(to: URL(fileURLWithPath: folder.path + "/mine.scene"))
    return (folder, try ExampleScene.shared(folder.path + "/mine.scene", size: size))
  }

  @Test(arguments: Templates.all.map(\.name))
  func templatesKeepTheHouseRules(_ name: String) throws {
    let (folder, scene) = try scene(name)
    withExtendedLifetime(folder) {
      let programs = scene.programs()
      var (still, longest) = (0, 0)
      for (index, program) in programs.enumerated() {
        still = index > 0 && program == programs[index - 1] ? still + 1 : 0
        longest = max(longest, still)
      }
      // The frame never stays unchanged for more than 1.5 s.
      let second = Double(programs.count) / scene.model.duration.seconds
      #expect(Double(longest) <= 1.5 * second, "\(longest) equal frames")
      // The middle of each third is not empty.
      for third in 0..<3 { #expect(!programs[(2 * third + 1) * programs.count / 6].ops.isEmpty) }
      // Players freeze the last frame, so all text must have disappeared by then.
      let texts = Look.visibleTexts(programs.last?.ops ?? [])
      #expect(texts.isEmpty, "the last frame shows \(texts)")
    }
  }

  @Test(arguments: Templates.all.map(\.name), sizes)
  func templatesFitEveryFrame(_ name: String, _ size: PixelSize) throws {
    let (folder, scene) = try scene(name, size: size)
    withExtendedLifetime(folder) {
      var look = Look(size, scene.metrics)
      for program in scene.programs(every: Soak.isRunning ? 6 : 12) { look.add(program.ops) }
      #expect(look.faults.isEmpty, "\(look.faults.sorted().prefix(4))")
      #expect(look.families.count <= 2, "\(look.families)")
      #expect(look.hues <= 1 || Self.colorful.contains(name), "\(look.accents.sorted())")
    }
  }

  @Test(arguments: LibraryUse.all.map(\.name))
  func theLibraryFitsEveryFrame(_ name: String) throws {
    let component = try #require(LibraryUse.all.first { $0.name == name })
    let session = ExampleScene.session()
    for size in Self.sizes {
      // A component fills the frame here; the scene that uses it determines its margins.
      let text = """
        import "std/\(component.file).scene"
        scene {
            size: \(size.width)x\(size.height);  fps: 10;  for: 12s;  background: #0b0c0f
            \(name) { \(component.arguments) }
        }
        """
      let scene = try ExampleScene(
        "library.scene", bytes: Array(text.utf8), isStrict: false, in: session)
      var look = Look(size, scene.metrics, margin: 0)
      look.add(scene.program(Int(component.second * 10)).ops)
      #expect(look.faults.isEmpty, "\(size): \(look.faults.sorted().prefix(4))")
      #expect(look.families.count <= 2, "\(size): \(look.families)")
      #expect(
        look.hues <= 1 || Self.colorful.contains(name), "\(size): \(look.accents.sorted())")
    }
  }
}

/// The properties of the frames of a scene that the design rules restrict: font families, text
/// sizes and positions, and accent colors.
private struct Look {
  private(set) var families: Set<String> = []
  /// The texts that are too small or too close to the edge.
  private(set) var faults: Set<String> = []
  /// The hues of saturated solid colors, in degrees.
  private(set) var accents: Set<Int> = []

  private let safe: Rect
  private let metrics: any TextMetrics

  /// The minimum font size in pixels, for a frame whose shorter side is 1080 pixels.
  private static let smallest = 30.0

  /// `margin` is a fraction of the width and of the height.
  init(_ size: PixelSize, _ metrics: any TextMetrics, margin: Double = 0.05) {
    let (width, height) = (Double(size.width), Double(size.height))
    safe = Rect(
      x: width * margin, y: height * margin, width: width * (1 - 2 * margin),
      height: height * (1 - 2 * margin))
    self.metrics = metrics
  }

  /// The number of accent colors; hues within 25° of each other count as one.
  var hues: Int {
    let sorted = accents.sorted()
    guard let first = sorted.first, let last = sorted.last else { return 0 }
    // The distances between neighbors on the hue circle.
    let gaps = zip(sorted, sorted.dropFirst() + [first + 360]).map { $1 - $0 }
    return max(1, gaps.count { $0 > 25 } + (last - first > 335 ? 1 : 0))
  }

  /// Records the ops inside a clip, in frame coordinates.
  mutating func add(_ ops: [DrawOp], _ map: Affine = .identity, in clip: Rect? = nil) {
    for op in ops {
      switch op {
      case .text(let block, let paints, let at, let units):
        add(block, paints, at, isCurved: units?.along != nil, map, in: clip)
      case .transformed(let inner, let body): add(body, map.concat(inner), in: clip)
      case .projected(let projection, let body):
        let center = projection.inverted?.apply(safe.center) ?? .zero
        add(body, map.concat(projection.tangent(at: center)), in: clip)
      case .clipped(let outline, let body):
        let bounds = map.apply(outline.bounds)
        add(body, map, in: clip.map { Look.common($0, bounds) } ?? bounds)
      case .layer(_, let body), .masked(_, _, let body): add(body, map, in: clip)
      case .crossed(_, let from, let to): add(from + to, map, in: clip)
      case .averaged(let bodies): for body in bodies { add(body, map, in: clip) }
      case .fill(_, let paint), .stroke(_, _, let paint): add(paint)
      case .image, .backdrop, .particles: break
      }
    }
  }

  private mutating func add(
    _ block: TextBlock, _ paints: [TextPaint], _ at: Point, isCurved: Bool, _ map: Affine,
    in clip: Rect?
  ) {
    var isVisible = false
    for (run, paint) in zip(block.runs, paints)
    where !(paint.fill?.isInvisible ?? true) && run.text.contains(where: { !$0.isWhitespace }) {
      isVisible = true
      families.insert(run.font.families[0].replacingOccurrences(of: " Display", with: ""))
      let size = run.font.size * map.maximumStretch
      if size < Look.smallest - 0.01 { faults.insert("'\(run.text)' has \(size) px") }
      if let fill = paint.fill { add(fill) }
    }
    guard isVisible, !isCurved else { return }
    let extent = metrics.measure(block)
    var box = Rect(x: at.x, y: at.y, width: extent.width, height: extent.height)
    if isInside(box, mappedBy: map, clippedTo: clip) { return }
    // The glyphs take less space than the lines.
    let ink = metrics.outline(of: block).controlBounds
    box = Rect(x: at.x + ink.x, y: at.y + ink.y, width: ink.width, height: ink.height)
    if isInside(box, mappedBy: map, clippedTo: clip) { return }
    box = map.apply(box)
    let sides = [box.x, box.y, box.maxX, box.maxY].map { "\(Int($0))" }
    faults.insert("'\(block.string)' covers \(sides.joined(separator: ", "))")
  }

  /// Returns the texts that the ops draw with an opacity above 5%.
  static func visibleTexts(_ ops: [DrawOp], opacity: Double = 1) -> [String] {
    guard opacity > 0.05 else { return [] }
    return ops.flatMap { op -> [String] in
      switch op {
      case .text(let block, let paints, _, let units):
        let alpha = paints.map { $0.fill?.isInvisible ?? true ? 0 : opacity }.max() ?? 0
        let units = units.map { $0.styles.map(\.opacity).max() ?? 1 } ?? 1
        return alpha * units > 0.05 ? [block.string] : []
      case .layer(let style, let body): return visibleTexts(body, opacity: opacity * style.opacity)
      case .transformed(_, let body), .projected(_, let body), .clipped(_, let body),
        .masked(_, _, let body):
        return visibleTexts(body, opacity: opacity)
      case .crossed(_, let from, let to): return visibleTexts(from + to, opacity: opacity)
      case .averaged(let bodies): return bodies.flatMap { visibleTexts($0, opacity: opacity) }
      case .fill, .stroke, .image, .backdrop, .particles: return []
      }
    }
  }

  /// Returns whether the visible part of a box is inside the margins.
  private func isInside(_ box: Rect, mappedBy map: Affine, clippedTo clip: Rect?) -> Bool {
    var box = map.apply(box)
    if let clip { box = Look.common(box, clip) }
    if box.width <= 0 || box.height <= 0 { return true }
    return box.x >= safe.x - 0.5 && box.maxX <= safe.maxX + 0.5 && box.y >= safe.y - 0.5
      && box.maxY <= safe.maxY + 0.5
  }

  private static func common(_ a: Rect, _ b: Rect) -> Rect {
    let (x, y) = (max(a.x, b.x), max(a.y, b.y))
    return Rect(
      x: x, y: y, width: max(0, min(a.maxX, b.maxX) - x), height: max(0, min(a.maxY, b.maxY) - y))
  }

  /// Records a solid color whose chroma in OKLCH exceeds 0.08.
  private mutating func add(_ paint: Paint) {
    guard case .color(let color) = paint, color.alpha > 0.25 else { return }
    let lab = OKLab(color)
    guard (lab.a * lab.a + lab.b * lab.b).squareRoot() > 0.08 else { return }
    let hue = atan2(lab.b, lab.a) * 180 / .pi
    accents.insert(Int((hue + 360).truncatingRemainder(dividingBy: 360)))
  }
}
