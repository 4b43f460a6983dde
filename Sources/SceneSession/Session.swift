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

/// A scene file, read and checked, with all that is needed to draw it.
package struct LoadedScene: Sendable {
  package let path: String
  package let source: SourceFile
  /// The file and all that it imports, each at the place of its id.
  package let sources: [SourceFile]
  package private(set) var model: SceneModel?
  /// With `CheckOptions.recordsElements`.
  package let record: SceneRecord?
  /// It may be right without a model: a library has nothing to draw.
  package private(set) var isWrong: Bool
  package private(set) var diagnostics: [Diagnostic]
  /// It was no longer wanted, and was not checked to the end.
  package private(set) var wasCancelled: Bool
  package let metrics: PangoMetrics
  /// Every file that was read, with its state then.
  package let inputs: InputFiles
  package let resources: DrawingResources

  /// A warning of the frames of clips that could not be decoded while it was drawn, if there are any
  /// and the check has not already warned of the same clip.
  package var clipDamage: Diagnostic? {
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
      .incompleteImage, "\(name): \(ClipFault.remark(count: held.count, first: held.first.time))",
      at: place ?? model.places.scene,
      label: "the nearest valid frame is shown instead")
  }

  /// Without a model: its warnings count as errors.
  fileprivate var wrong: LoadedScene {
    var it = self
    (it.model, it.isWrong) = (nil, true)
    return it
  }

  /// Nobody wants it any more.
  fileprivate var cancelled: LoadedScene {
    var it = self
    (it.model, it.diagnostics, it.wasCancelled) = (nil, [], true)
    return it
  }

  /// With what is suspicious in it.
  fileprivate func adding(_ warnings: [Diagnostic]) -> LoadedScene {
    var it = self
    it.diagnostics += warnings
    return it
  }
}

/// A scene that is read and checked in two steps: at first what is wrong, which is all that drawing needs,
/// then what is only suspicious. Used by one thread.
package struct SceneLoading {
  /// Without warnings, unless there are errors.
  package let scene: LoadedScene
  /// Knows values of what was checked.
  package let check: CheckSession

  /// With warnings; `nil` when the check was no longer wanted.
  package func whole() -> LoadedScene? {
    scene.wasCancelled ? nil : check.warnings().map { scene.adding($0) }
  }
}

/// Loads scene files, each as often as it changes. Fonts, and what was made of a file that is still
/// the same, are kept from one load to the next.
///
/// One thread loads; what was loaded before may be drawn by others meanwhile.
package final class Session {
  private let options: LoadOptions
  private let fonts = FontLibrary()
  private let metrics: PangoMetrics
  private let decoder = Decoder()
  private let clips: ClipStore
  private var folders: [String: (assets: AssetFolder, images: ImageStore)] = [:]

  package init(_ options: LoadOptions) {
    self.options = options
    metrics = PangoMetrics(fonts)
    clips = ClipStore(
      cache: options.store.clips.map(ClipIndexCache.init), workers: OwnProcess.processorCount)
  }

  /// Reads and checks a file. What the world refuses is thrown; what is wrong in it is reported.
  ///
  /// `check` stands in for the options of the session, `bytes` for what the file holds, `open` for
  /// what the files of these absolute paths hold. If `isStrict`, a scene with warnings has no model.
  package func load(
    _ path: String, _ check: CheckOptions? = nil, isStrict: Bool = false, bytes: [UInt8]? = nil,
    open: [String: [UInt8]] = [:]
  ) throws(FileFault) -> LoadedScene {
    let loading = try begin(path, check, bytes: bytes, open: open)
    guard let whole = loading.whole() else { return loading.scene.cancelled }
    return isStrict && !whole.diagnostics.isEmpty ? whole.wrong : whole
  }

  /// The same up to the first step.
  package func begin(
    _ path: String, _ check: CheckOptions? = nil, bytes: [UInt8]? = nil,
    open: [String: [UInt8]] = [:]
  ) throws(FileFault) -> SceneLoading {
    let own = InputFiles(path == "-" ? [] : [path])
    let bytes: [UInt8] = if let bytes { bytes } else { try SceneFile.read(path) }
    let source = SourceFile(id: FileID(0), name: path, bytes: bytes)
    let (assets, images) = try files(in: SceneFile.folder(of: path))
    assets.beginReading(open)
    let parsed = parse(source)
    assets.prepare(clips: FileOutline.clips(of: parsed.tree))
    let session = CheckSession(
      parsed, options: check ?? options.check, metrics: metrics, assets: assets)
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

  /// The families of fonts that are installed, and those of files that scenes named, sorted.
  package var fontFamilies: [String] { fonts.families }

  /// The files that the scene at a path can name.
  package func assets(besides path: String) throws(FileFault) -> any AssetProvider {
    try files(in: SceneFile.folder(of: path)).0
  }

  private func files(in folder: String) throws(FileFault) -> (AssetFolder, ImageStore) {
    if let known = folders[folder] { return known }
    let root = options.root ?? folder
    guard
      let assets = AssetFolder(
        root: root, folder: folder, fonts: fonts, decoder: decoder, clips: clips,
        known: options.store.images.map { ImageCache($0) }, keepsPictures: !options.drawsNothing,
        largestText: options.check.limits.source, readJSON: JSONData.parse)
    else { throw FileFault("folder '\(root)' not found", help: "check --root") }
    let made = (assets, ImageStore(assets))
    folders[folder] = made
    return made
  }
}
