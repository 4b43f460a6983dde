// SPDX-License-Identifier: MIT
import SceneCairo
import SceneClips
package import SceneCheck
package import SceneDiagnostics
package import SceneFiles
import SceneGraphics
package import SceneModel
import ScenePixels
package import SceneRaster
import SceneStore
import SceneSyntax
import SceneSystem
package import SceneText

/// A loaded and checked scene file with all resources for rendering.
package struct LoadedScene: Sendable {
  package let path: String
  package let source: SourceFile
  /// The file and its imports, indexed by file id.
  package let sources: [SourceFile]
  package private(set) var model: SceneModel?
  /// The record of elements, with `CheckOptions.recordsElements`.
  package private(set) var record: SceneRecord?
  /// Whether there are errors. A valid file can lack a model: a library has nothing to render.
  package private(set) var isWrong: Bool
  package private(set) var diagnostics: [Diagnostic]
  /// Whether the check was cancelled before its end.
  package private(set) var wasCancelled: Bool
  package let metrics: PangoMetrics
  /// All files that were read, with their state at that time.
  package let inputs: InputFiles
  package let resources: DrawingResources

  /// Warnings about undecodable video frames and audio found during rendering, except for clips
  /// that the check has already reported.
  package var clipDamages: [Diagnostic] { [pictureDamage, soundDamage].compactMap { $0 } }

  private var soundDamage: Diagnostic? {
    guard let silenced = resources.images.clips.silenced, let model else { return nil }
    let place = model.sound.voices.first { $0.path == silenced.path }?.span
    let name = "part of '\(silenced.path)' cannot be played"
    guard !diagnostics.contains(where: { $0.message.hasPrefix(name) }) else { return nil }
    return Diagnostic(
      .incompleteImage, "\(name): its sound is damaged at \(silenced.time.description)",
      at: place ?? model.places.scene, label: "the damaged part is silent")
  }

  private var pictureDamage: Diagnostic? {
    guard let held = resources.images.clips.held, let model else { return nil }
    var place: SourceSpan?
    ElementModel.visit(model.elements) { element in
      if case .clip(let clip, _, _) = element.drawing, clip.path == held.first.path {
        place = place ?? element.span
      }
    }
    let name = "part of '\(held.first.path)' cannot be played"
    guard !diagnostics.contains(where: { $0.message.hasPrefix(name) }) else { return nil }
    return Diagnostic(
      .incompleteImage, "\(name): \(ClipError.remark(count: held.count, first: held.first.time))",
      at: place ?? model.places.scene,
      label: "the nearest valid frame is shown instead")
  }

  /// The scene with the model of the frames that its videos show; see `SceneModel.asBuilt`.
  package var asBuilt: LoadedScene {
    guard let model, model.hidesCaptions else { return self }
    var it = self
    let built = model.asBuilt
    it.model = built
    it.record = record?.following(built.elements, of: model.elements)
    return it
  }

  /// A copy without a model, for strict checks that count warnings as errors.
  fileprivate var wrong: LoadedScene {
    var it = self
    (it.model, it.isWrong) = (nil, true)
    return it
  }

  /// A copy for a cancelled check.
  fileprivate var cancelled: LoadedScene {
    var it = self
    (it.model, it.diagnostics, it.wasCancelled) = (nil, [], true)
    return it
  }

  /// Returns a copy with additional warnings.
  fileprivate func adding(_ warnings: [Diagnostic]) -> LoadedScene {
    var it = self
    it.diagnostics += warnings
    return it
  }
}

/// A scene that is loaded and checked in two steps: first for errors, which is sufficient for
/// rendering, then for warnings. Used by one thread.
package struct SceneLoading {
  /// The scene without warnings, unless it has errors.
  package let scene: LoadedScene
  /// The check, which retains evaluated values.
  package let check: CheckSession

  /// Returns the scene with warnings; `nil` if the check was cancelled.
  package func whole() -> LoadedScene? {
    scene.wasCancelled ? nil : check.warnings().map { scene.adding($0) }
  }
}

/// Loads scene files repeatedly. Fonts and data derived from unchanged files are cached between
/// loads.
///
/// One thread loads. Other threads may render previously loaded scenes at the same time.
package final class Session {
  private let options: LoadOptions
  private let fonts = FontLibrary()
  private let metrics: PangoMetrics
  private let decoder = Decoder()
  private let clips: ClipStore
  private var folders: [OpenFolder] = []

  package init(_ options: LoadOptions) {
    self.options = options
    metrics = PangoMetrics(fonts)
    clips = ClipStore(
      cache: options.store.clips.map(ClipIndexCache.init), workers: OwnProcess.processorCount)
  }

  /// Loads and checks a file. Throws environment errors; errors in the scene are reported as
  /// diagnostics.
  ///
  /// `check` overrides the options of the session, `bytes` the content of the file, and `open` the
  /// content of other files by absolute path. If `isStrict`, a scene with warnings has no model.
  package func load(
    _ path: String, _ check: CheckOptions? = nil, isStrict: Bool = false, bytes: [UInt8]? = nil,
    open: [String: [UInt8]] = [:]
  ) throws(FileError) -> LoadedScene {
    let loading = try begin(path, check, bytes: bytes, open: open)
    guard let whole = loading.whole() else { return loading.scene.cancelled }
    return isStrict && !whole.diagnostics.isEmpty ? whole.wrong : whole
  }

  /// Performs only the first step of `load`.
  package func begin(
    _ path: String, _ check: CheckOptions? = nil, bytes: [UInt8]? = nil,
    open: [String: [UInt8]] = [:]
  ) throws(FileError) -> SceneLoading {
    let folder = SceneFile.folder(of: path)
    let search = try Project.search(for: path, in: folder, open: open)
    let own = InputFiles(path == "-" ? [] : [path]).adding(search.inputs)
    let bytes: [UInt8] = if let bytes { bytes } else { try SceneFile.read(path) }
    let source = SourceFile(id: FileID(0), name: path, bytes: bytes)
    var check = check ?? options.check
    search.project?.apply(to: &check, isTrusted: options.trustsProject)
    let (assets, images) = try files(
      in: folder, root: search.project?.root, largestText: check.limits.source)
    assets.beginReading(open)
    let parsed = parse(source)
    assets.prepare(clips: FileOutline.clips(of: parsed.tree))
    let session = CheckSession(
      parsed, options: check, metrics: metrics, assets: assets)
    let checked = session.checked
    clips.forgetSpectra()
    images.forget(assets.takeReplaced())
    let isWrong = checked.diagnostics.hasErrors
    let scene = LoadedScene(
      path: path, source: source, sources: checked.sources, model: isWrong ? nil : checked.model,
      record: checked.record, isWrong: isWrong, diagnostics: checked.diagnostics,
      wasCancelled: checked.wasCancelled, metrics: metrics, inputs: own.adding(assets.inputs),
      resources: DrawingResources(fonts: fonts, images: images))
    return SceneLoading(scene: scene, check: session)
  }

  /// The installed font families and those of font files in scenes, sorted.
  package var fontFamilies: [String] { fonts.families }

  /// Returns the files that a scene at a path can refer to.
  package func assets(besides path: String) throws(FileError) -> any AssetProvider {
    try files(
      in: SceneFile.folder(of: path), root: try projectRoot(of: path),
      largestText: options.check.limits.source
    ).0
  }

  /// Returns the folder that contains all files of a scene.
  package func root(of path: String) -> String {
    let project = try? projectRoot(of: path)
    return options.root ?? project ?? SceneFile.folder(of: path)
  }

  private func projectRoot(of path: String) throws(FileError) -> String? {
    try Project.search(for: path, in: SceneFile.folder(of: path)).project?.root
  }

  private func files(
    in folder: String, root: String?, largestText: Int
  ) throws(FileError) -> (AssetFolder, ImageStore) {
    let root = options.root ?? root ?? folder
    let known = folders.first {
      $0.folder == folder && $0.root == root && $0.largestText == largestText
    }
    if let known { return (known.assets, known.images) }
    guard
      let assets = AssetFolder(
        root: root, folder: folder, fonts: fonts, decoder: decoder, clips: clips,
        known: options.store.images.map { ImageCache($0) }, keepsPictures: !options.drawsNothing,
        largestText: largestText, readJSON: JSONData.parse)
    else { throw FileError("folder '\(root)' not found", help: "check --root") }
    let images = ImageStore(assets)
    folders.append(
      OpenFolder(
        folder: folder, root: root, largestText: largestText, assets: assets, images: images))
    return (assets, images)
  }

  /// The files of a scene's folder, as limited by a root and the maximum size of texts.
  private struct OpenFolder {
    let folder: String
    let root: String
    let largestText: Int
    let assets: AssetFolder
    let images: ImageStore
  }
}
