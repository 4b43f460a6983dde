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
  package let model: SceneModel?
  /// With `CheckOptions.recordsElements`.
  package let record: SceneRecord?
  /// It may be right without a model: a library has nothing to draw.
  package let isWrong: Bool
  package let diagnostics: [Diagnostic]
  /// It was no longer wanted, and was not checked to the end.
  package let wasCancelled: Bool
  package let metrics: PangoMetrics
  /// Every file that was read, with its state then.
  package let inputs: InputFiles
  package let resources: DrawingResources
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
    let own = InputFiles(path == "-" ? [] : [path])
    let bytes: [UInt8] = if let bytes { bytes } else { try SceneFile.read(path) }
    let source = SourceFile(id: FileID(0), name: path, bytes: bytes)
    let (assets, images) = try files(in: SceneFile.folder(of: path))
    assets.beginReading(open)
    let checked = SceneCheck.check(
      parse(source), options: check ?? options.check, metrics: metrics, assets: assets)
    images.forget(assets.takeReplaced())
    let isWrong = checked.diagnostics.hasErrors || (isStrict && !checked.diagnostics.isEmpty)
    return LoadedScene(
      path: path, source: source, sources: checked.sources, model: isWrong ? nil : checked.model,
      record: checked.record,
      isWrong: isWrong,
      diagnostics: checked.diagnostics, wasCancelled: checked.wasCancelled, metrics: metrics,
      inputs: own.adding(assets.inputs),
      resources: DrawingResources(fonts: fonts, images: images))
  }

  private func files(in folder: String) throws(FileFault) -> (AssetFolder, ImageStore) {
    if let known = folders[folder] { return known }
    let root = options.root ?? folder
    guard
      let assets = AssetFolder(
        root: root, folder: folder, fonts: fonts, decoder: decoder, clips: clips,
        largestText: options.check.limits.source, readJSON: JSONData.parse)
    else { throw FileFault("there is no folder '\(root)'", help: "check --root") }
    let made = (assets, ImageStore(assets))
    folders[folder] = made
    return made
  }
}
