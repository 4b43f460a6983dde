// SPDX-License-Identifier: MIT
import SceneCLI
import SceneDiagnostics
import SceneDigest
import SceneFiles
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import ScenePixels
import SceneRaster
import SceneSession

/// Compares the golden frames of one scene and layout with their stored images.
struct GoldenFrames {
  /// A stored image and the frame that differs from it.
  struct Difference: Sendable {
    let name: String
    /// The path of the stored image; `nil` without one.
    let old: String?
    let new: String
  }

  /// The fraction of the pixels that may differ by more than the tolerance.
  private static let greatestShare = 0.0002

  private let scene: LoadedScene
  private let model: SceneModel
  private var folder: GoldenFolder
  private let accepts: Bool
  private var lowerer: Lowerer
  private var names: Set<String> = []
  private(set) var differences: [Difference] = []
  private(set) var acceptedCount = 0

  init(
    _ scene: LoadedScene, _ model: SceneModel, details: [String], accepts: Bool
  ) throws(FileError) {
    self.scene = scene
    self.model = model
    self.accepts = accepts
    lowerer = Lowerer(model, metrics: scene.metrics)
    let parts = scene.path.split(separator: "/", omittingEmptySubsequences: false)
    let stem = parts.last.map { $0.hasSuffix(".scene") ? $0.dropLast(6) : $0 } ?? "scene"
    let around = parts.dropLast().joined(separator: "/")
    let own = ([model.name ?? "scene"] + details).joined(separator: "-")
      .replacing(" ", with: "-")
    folder = try GoldenFolder(
      "goldens/\(stem)/\(own)", below: parts.count > 1 ? around + "/" : "")
  }

  /// Returns a warning if a frame differs from its stored image.
  mutating func diagnostic(about golden: ExpectationModel.Golden, tolerance: Double) throws
    -> Diagnostic?
  {
    names.insert(golden.name)
    try folder.refuseLinks(of: golden.name)
    let next = model.frameRate.frames(before: Ticks(golden.time.rawValue + 1))
    let program = lowerer.lower(frame: min(max(0, next - 1), model.frameCount - 1))
    let canvas = try Canvas(
      program.size, isOpaque: program.isOpaque, resources: scene.resources)
    try canvas.draw(program)
    let png = try canvas.png(isCompressed: true)
    let entry = GoldenIndex.Entry(
      pixels: SHA256(of: canvas.rgba()).description, file: SHA256(of: png).description,
      program: SHA256(of: Array(program.description.utf8)).description,
      width: program.size.width, height: program.size.height)
    guard let reason = try difference(of: golden.name, entry, png: png, tolerance: tolerance) else {
      // Another expectation can compare the same frame with less tolerance.
      if !differences.contains(where: { $0.name == golden.name }) { folder.removeNew(golden.name) }
      return nil
    }
    try folder.writeNew(golden.name, png)
    if accepts {
      try folder.accept(golden.name, entry)
      acceptedCount += 1
      return nil
    }
    differences.append(
      Difference(
        name: golden.name, old: folder.exists(golden.name) ? folder.file(of: golden.name) : nil,
        new: folder.newFile(of: golden.name)))
    return Diagnostic(
      .goldenDiffers, reason.message, at: golden.span, label: reason.cause,
      notes: (reason.detail.map { [Note($0)] } ?? []) + [
        Note("the frame is '\(folder.newFile(of: golden.name))'"),
        Note(help: reason.help ?? "if it is right, run '\(accepting)'"),
      ])
  }

  /// The reason why a frame does not equal its stored image.
  private struct Reason {
    let message: String
    let cause: String
    /// The description of the difference.
    var detail: String?
    /// An instruction, unless the frame can be accepted as it is.
    var help: String?
  }

  /// The command that replaces the stored images of the scene.
  private var accepting: String { "scenec test \(visible(scene.path)) --accept" }

  private func difference(
    of name: String, _ entry: GoldenIndex.Entry, png: [UInt8], tolerance: Double
  ) throws -> Reason? {
    let frame = "the golden frame '\(name)'"
    guard let stored = folder.entry(name) else {
      return Reason(message: "\(frame) has no stored image", cause: "nothing to compare it with")
    }
    guard folder.exists(name) else {
      return Reason(
        message: "the stored image of '\(name)' is missing",
        cause: "the index names '\(folder.file(of: name))'")
    }
    let bytes = try SceneFile.readUnlinked(folder.file(of: name))
    guard SHA256(of: bytes).description == stored.file else {
      return Reason(
        message: "the stored image of '\(name)' was changed",
        cause: "'\(folder.file(of: name))' is not the image that was accepted",
        help: "restore it, or run '\(accepting)' to replace it with the frame")
    }
    if stored.pixels == entry.pixels { return nil }
    guard (stored.width, stored.height) == (entry.width, entry.height) else {
      return Reason(
        message: "\(frame) has a different size",
        cause:
          "the stored image has \(stored.width)x\(stored.height) pixels, the frame \(entry.width)x\(entry.height)"
      )
    }
    let isSameProgram = stored.program == entry.program
    let cause =
      isSameProgram
      ? stored.scenec == entry.scenec
        ? "the scene did not change; fonts or libraries did"
        : "the scene did not change; fonts, libraries or scenec did" : "the scene changed"
    let pixels = pixelDifference(of: bytes, png, tolerance: Int(tolerance))
    let area = Double(entry.width * entry.height)
    if tolerance > 0, let pixels, Double(pixels.count) <= GoldenFrames.greatestShare * area {
      return nil
    }
    return Reason(
      message: "\(frame) differs from its stored image", cause: cause,
      detail: pixels?.description)
  }

  /// Compares the pixels of two PNG files, which are decoded in a process of their own. Returns `nil`
  /// if that fails.
  private func pixelDifference(of a: [UInt8], _ b: [UInt8], tolerance: Int) -> PixelDifference? {
    let decoder = Decoder()
    guard let a = try? decoder.picture(of: a), let b = try? decoder.picture(of: b),
      a.size == b.size
    else { return nil }
    return PixelDifference(a, b, tolerance: tolerance)
  }

  /// Returns the names of stored images that no expectation names; deletes them if frames are
  /// accepted.
  mutating func finish() throws(FileError) -> [String] {
    let stale = folder.stale(besides: names)
    guard accepts else { return stale }
    for name in stale { folder.remove(name) }
    if !stale.isEmpty { try folder.save() }
    return []
  }
}
