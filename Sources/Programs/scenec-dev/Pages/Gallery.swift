// SPDX-License-Identifier: MIT
import Foundation
import SceneCLI
import SceneCheck
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLibrary
import SceneLower
import SceneModel
import ScenePixels
import SceneRaster
import SceneCairo
import SceneFiles
import SceneSyntax
import SceneText
import SceneTimeline

/// The images of the manual: three frames of every example, or one if nothing moves.
///
/// They also serve as golden images: `check` renders and compares all of them.
struct Gallery {
  private static let folder = "Grammar/pictures"
  /// The assets of the examples.
  static let assets = "Grammar/pictures/assets"
  private static let chapters = ["element", "property", "function", "word"]
  /// The size of one frame in pixels.
  private static let size = PixelSize(256, 144)
  private static let gap = 4

  private let fonts = FontLibrary()
  private let decoder = Decoder()

  /// Renders all images and writes the page that shows them.
  func write() throws {
    for chapter in Gallery.chapters {
      try FileManager.default.createDirectory(
        atPath: "\(Gallery.folder)/\(chapter)", withIntermediateDirectories: true)
    }
    let assets = try openAssets()
    for (page, path) in Gallery.pages {
      try Data(try png(of: page, assets)).write(to: URL(fileURLWithPath: path))
    }
    try text.write(toFile: "Grammar/GALLERY.md", atomically: true, encoding: .utf8)
  }

  /// Returns the images that differ by more than 1/255. A sheet with the expected image, the
  /// difference and the result is written to `build/gallery`.
  func differences() throws -> [String] {
    var found: [String] = []
    let assets = try openAssets()
    for (page, path) in Gallery.pages {
      guard let old = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
        found.append("\(path) is missing")
        continue
      }
      let new = try png(of: page, assets)
      if Array(old) == new { continue }
      let wanted = try decoder.picture(of: Array(old))
      let drawn = try decoder.picture(of: new)
      guard wanted.size == drawn.size else {
        found.append("\(path) is \(wanted.size), drawn is \(drawn.size)")
        continue
      }
      var greatest = 0
      for y in 0..<wanted.size.height {
        for x in 0..<wanted.size.width {
          let (a, b) = (wanted.pixel(x, y), drawn.pixel(x, y))
          for channel in [\PixelBuffer.Pixel.blue, \.green, \.red, \.alpha] {
            let (p, q) = (a[keyPath: channel], b[keyPath: channel])
            greatest = max(greatest, abs(Int(p) - Int(q)))
          }
        }
      }
      guard greatest > 1 else { continue }
      found.append("\(path) differs by \(greatest)/255")
      try sheet(path, wanted: Array(old), found: new)
    }
    if (try? String(contentsOfFile: "Grammar/GALLERY.md", encoding: .utf8)) != text {
      found.append("Grammar/GALLERY.md is not the page that is made now")
    }
    return found
  }

  // MARK: Pages

  /// The pages with an example, each with the path of its image.
  static var pages: [(Manual.Page, String)] {
    Manual.pages.filter { Gallery.chapters.contains($0.chapter) && Gallery.example(of: $0) != nil }
      .map { ($0, "\(Gallery.folder)/\($0.chapter)/\(Gallery.fileName($0.word)).png") }
  }

  /// Returns the file name of a word, with operators spelled out.
  private static func fileName(_ word: String) -> String {
    ["->": "motion", "..": "range", "?": "choice"][word] ?? word
  }

  private static func example(of page: Manual.Page) -> String? {
    let parts = page.text.components(separatedBy: "```scene\n").dropFirst()
    return parts.first?.components(separatedBy: "\n```").first
  }

  /// Returns the example of a page as a complete file.
  static func source(of page: Manual.Page) -> String {
    let source = Gallery.example(of: page) ?? ""
    let isWhole = source.split(separator: "\n").contains { $0.hasPrefix("scene ") }
    return isWhole ? source : "scene {\nfor: 2s;  background: #1e293b\n\(source)\n}"
  }

  private var text: String {
    var text = "# Gallery\n\nEvery example of the manual, at its start, middle and end.\n"
    for chapter in Gallery.chapters {
      text += "\n## \(chapter == "property" ? "Properties" : chapter.capitalized + "s")\n\n"
      let own = Gallery.pages.filter { $0.0.chapter == chapter }
      for (page, _) in own {
        let file = Gallery.fileName(page.word)
        text += "`\(page.word)`\n\n![\(page.word)](pictures/\(chapter)/\(file).png)\n\n"
      }
    }
    return text.trimmingCharacters(in: .newlines) + "\n"
  }

  // MARK: Images

  /// Opens the folder of the assets. It is the same for all pages, so that its files are read and
  /// their decoders are started only once.
  private func openAssets() throws -> AssetFolder {
    guard let assets = AssetFolder(root: Gallery.assets, folder: Gallery.assets, fonts: fonts)
    else { throw Failure(description: "no folder \(Gallery.assets)") }
    return assets
  }

  private func png(of page: Manual.Page, _ assets: AssetFolder) throws -> [UInt8] {
    let metrics = PangoMetrics(fonts)
    var options = CheckOptions()
    options.recordsElements = true
    let checked = check(
      parse(SourceFile(name: "\(page.word).scene", text: Gallery.source(of: page))),
      options: options, metrics: metrics, assets: assets)
    guard let model = checked.model, let record = checked.record else {
      throw Failure(
        description: "\(page.word): \(checked.diagnostics.first?.message ?? "has errors")")
    }
    if model.elements.isEmpty, !model.sound.voices.isEmpty || model.descriptions != nil {
      var maker = TimelineMaker(
        model, record: record, sources: checked.sources, metrics: metrics, columns: 240)
      return try png(ofSVG: maker.timeline([]).svg)
    }
    var lowerer = Lowerer(model, metrics: metrics)
    let count = model.frameCount
    let programs = [count / 6, count / 2, max(0, count - 2)].map { lowerer.lower(frame: $0) }
    let shown = Set(programs).count == 1 ? [programs[1]] : programs
    return try strip(shown, assets)
  }

  /// Renders the timeline of an example with sounds or descriptions only.
  private func png(ofSVG text: String) throws -> [UInt8] {
    let folder = "build/gallery"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: "\(folder)/timeline.svg", atomically: true, encoding: .utf8)
    guard let assets = AssetFolder(root: folder, folder: folder, fonts: fonts) else {
      throw Failure(description: "no folder \(folder)")
    }
    let image = try assets.image("timeline.svg")
    let whole = Rect(x: 0, y: 0, width: Double(image.size.width), height: Double(image.size.height))
    return try draw(
      FrameProgram(
        size: image.size, background: nil,
        ops: [.image(image, source: whole, destination: whole)]), assets)
  }

  /// Renders frames side by side, each scaled to fit.
  private func strip(_ programs: [FrameProgram], _ assets: AssetFolder) throws -> [UInt8] {
    let (w, h) = (Double(Gallery.size.width), Double(Gallery.size.height))
    let ops = programs.enumerated().map { index, program -> DrawOp in
      let scale = min(w / Double(program.size.width), h / Double(program.size.height))
      let (ownW, ownH) = (Double(program.size.width) * scale, Double(program.size.height) * scale)
      let left = Double(index) * (w + Double(Gallery.gap)) + (w - ownW) / 2
      let frame = Outline.rect(
        Rect(x: 0, y: 0, width: Double(program.size.width), height: Double(program.size.height)),
        radius: 0)
      return .transformed(
        Affine(a: scale, b: 0, c: 0, d: scale, e: left, f: (h - ownH) / 2),
        body: [.clipped(frame, body: program.opsWithBackground)])
    }
    let width = programs.count * Gallery.size.width + (programs.count - 1) * Gallery.gap
    return try draw(
      FrameProgram(size: PixelSize(width, Gallery.size.height), background: nil, ops: ops), assets)
  }

  private func draw(_ program: FrameProgram, _ assets: AssetFolder) throws -> [UInt8] {
    let canvas = try Canvas(
      program.size, isOpaque: false,
      resources: DrawingResources(fonts: fonts, images: ImageStore(assets)))
    try canvas.draw(program)
    return try canvas.png()
  }

  /// Writes the expected image, the difference and the result, one above the other.
  private func sheet(_ path: String, wanted: [UInt8], found: [UInt8]) throws {
    let folder = "build/gallery"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(wanted).write(to: URL(fileURLWithPath: "\(folder)/wanted.png"))
    try Data(found).write(to: URL(fileURLWithPath: "\(folder)/found.png"))
    guard let assets = AssetFolder(root: folder, folder: folder, fonts: fonts) else { return }
    let images = [try assets.image("wanted.png"), try assets.image("found.png")]
    let size = images[0].size
    let box = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    func place(_ row: Double, _ body: [DrawOp]) -> DrawOp {
      .transformed(.translation(0, row * (box.height + 4)), body: body)
    }
    let both = images.map { DrawOp.image($0, source: box, destination: box) }
    let difference = DrawOp.layer(LayerStyle(blend: .difference), body: [both[1]])
    let bright = DrawOp.layer(
      LayerStyle(filters: [.matrix(.brightness(16))]), body: [both[0], difference])
    let program = FrameProgram(
      size: PixelSize(size.width, size.height * 3 + 8), background: .color(.black),
      ops: [place(0, [both[0]]), place(1, [bright]), place(2, [both[1]])])
    let name = path.split(separator: "/").suffix(2).joined(separator: "-")
    try Data(try draw(program, assets)).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
  }
}
