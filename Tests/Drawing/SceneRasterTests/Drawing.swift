// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneCairo
import SceneFiles
import SceneRaster
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Renders scenes whose files are in a folder of the repository.
struct Drawing {
  let model: SceneModel
  let metrics: PangoMetrics
  let resources: DrawingResources

  init(_ source: String, folder: String = "Tests/Conformance") throws {
    let (drawing, diagnostics) = try Drawing.checking(source, folder: folder)
    self = try #require(drawing, "\(diagnostics.map(\.message))")
  }

  /// The fonts of all drawings that add none, since it takes milliseconds to find the fonts.
  private static let installedFonts = FontLibrary()

  /// Checks a scene and returns its diagnostics; the drawing is `nil` if there are errors.
  static func checking(_ source: String, folder: String = "Tests/Conformance") throws
    -> (Drawing?, [Diagnostic])
  {
    let path = Repository.path + "/" + folder
    let addsFonts = [".ttf", ".otf", ".woff"].contains { source.contains($0) }
    let fonts = addsFonts ? FontLibrary() : installedFonts
    let assets = try #require(AssetFolder(root: path, folder: path, fonts: fonts))
    let metrics = PangoMetrics(fonts)
    let checked = check(
      parse(SourceFile(name: "test.scene", text: source)), options: CheckOptions(),
      metrics: metrics, assets: assets)
    guard let model = checked.model else { return (nil, checked.diagnostics) }
    let resources = DrawingResources(fonts: fonts, images: ImageStore(assets))
    return (
      Drawing(model: model, metrics: metrics, resources: resources), checked.diagnostics
    )
  }

  private init(model: SceneModel, metrics: PangoMetrics, resources: DrawingResources) {
    self.model = model
    self.metrics = metrics
    self.resources = resources
  }

  /// The same scene without the drawings of captions.
  var withoutCaptions: Drawing {
    Drawing(model: model.withoutCaptions, metrics: metrics, resources: resources)
  }

  func program(_ frame: Int = 0) -> FrameProgram {
    var lowerer = Lowerer(model, metrics: metrics)
    return lowerer.lower(frame: frame)
  }

  func canvas() throws -> Canvas {
    try Canvas(model.size, isOpaque: model.background != nil, resources: resources)
  }

  /// Returns the pixels of a frame as straight RGBA.
  func pixels(_ frame: Int = 0) throws -> [UInt8] {
    let canvas = try canvas()
    try canvas.draw(program(frame))
    return canvas.rgba()
  }
}

/// Returns the weighted center of all pixels darker than white.
func centroid(_ rgba: [UInt8], width: Int) -> (x: Double, y: Double) {
  var (sum, x, y) = (0.0, 0.0, 0.0)
  for index in 0..<(rgba.count / 4) {
    let weight = 255 - Double(rgba[index * 4])
    guard weight > 0 else { continue }
    sum += weight
    x += weight * (Double(index % width) + 0.5)
    y += weight * (Double(index / width) + 0.5)
  }
  return (x / sum, y / sum)
}

/// Renders an element that moves right by 1/8 pixel per frame and expects its center to follow
/// within 1/20 pixel. `frame` in the text is replaced by the frame number.
func expectSmooth(_ body: String) throws {
  let element = body.replacing("frame", with: "(t / 1f)")
  let drawing = try Drawing(
    "scene { size: 120x100;  fps: 20;  for: 1s;  background: white\n \(element) }")
  let first = centroid(try drawing.pixels(0), width: 120)
  for frame in 1..<20 {
    let now = centroid(try drawing.pixels(frame), width: 120)
    #expect(abs(now.x - first.x - Double(frame) / 8) <= 0.05, "frame \(frame): \(now.x)")
    #expect(abs(now.y - first.y) <= 0.05)
  }
}

extension [UInt8] {
  /// Returns the red, green and blue of a pixel in rows of `width` RGBA pixels.
  func rgb(_ x: Int, _ y: Int, width: Int = 64) -> [Int] {
    (0..<3).map { Int(self[(y * width + x) * 4 + $0]) }
  }
}
