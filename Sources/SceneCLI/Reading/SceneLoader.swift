// SPDX-License-Identifier: MIT
import CLinux
package import SceneCheck
package import SceneDiagnostics
package import SceneFiles
import SceneGraphics
package import SceneModel
import SceneCairo
import ScenePixels
package import SceneRaster
import SceneSyntax
import SceneSystem
package import SceneText

/// A scene file, read and checked, with all that is needed to draw it.
package struct LoadedScene {
  package let path: String
  package let source: SourceFile
  /// The file and all that it imports, each at the place of its id.
  package let sources: [SourceFile]
  package let model: SceneModel?
  package let diagnostics: [Diagnostic]
  package let metrics: PangoMetrics
  package let assets: AssetFolder
  /// Every file that was read, with its state then.
  package let inputs: InputFiles
  package let resources: DrawingResources
}

/// Reads scene files as the options of a call want it.
package struct SceneLoader {
  private let root: String?
  package var options: CheckOptions
  /// Fonts and files, read once for all scenes of a folder.
  private let shared = Shared()

  private final class Shared {
    var fonts = FontLibrary()
    let decoder = Decoder()
    var folders: [String: (FontLibrary, AssetFolder, ImageStore)] = [:]
  }

  package init(_ load: LoadOptions) {
    root = load.root
    options = load.check
  }

  /// With the fonts that another loader has read, and with files that are read anew.
  package func sharingFonts(with other: SceneLoader?) -> SceneLoader {
    if let other { shared.fonts = other.shared.fonts }
    return self
  }

  /// A loader for each row of the table that a call names, or for the one row of `--row`; without a
  /// table one loader.
  package static func each(_ load: LoadOptions, _ path: String) throws
    -> [(loader: SceneLoader, row: DataRows.Row?)]
  {
    let loader = SceneLoader(load)
    guard let data = load.data else { return [(loader, nil)] }
    let table = try DataRows(data, for: path)
    let rows = try load.row.map { [try table.row($0, of: data)] } ?? table.rows
    return rows.map { row in
      var own = loader
      // What the call sets counts for each row.
      own.options.parameters = table.parameters(of: row) + load.check.parameters
      return (own, row)
    }
  }

  /// Reads and checks a file. What the world refuses is thrown, what is wrong in it is told of.
  ///
  /// `bytes` stand in for what the file holds.
  package func load(_ path: String, isStrict: Bool = false, bytes: [UInt8]? = nil)
    throws(OutputFault) -> LoadedScene
  {
    let own = InputFiles(path == "-" ? [] : [path])
    let bytes: [UInt8] = if let bytes { bytes } else { try SceneLoader.read(path) }
    let source = SourceFile(id: FileID(0), name: path, bytes: bytes)
    let folder: String
    if path == "-" {
      folder = "."
    } else {
      let slash = path.lastIndex(of: "/")
      folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
    let (fonts, assets, images) = try files(in: folder)
    let metrics = PangoMetrics(fonts)
    let parsed = parse(source)
    let checked = check(parsed, options: options, metrics: metrics, assets: assets)
    let isWrong =
      checked.diagnostics.hasErrors || (isStrict && !checked.diagnostics.isEmpty)
    return LoadedScene(
      path: path, source: source, sources: checked.sources, model: isWrong ? nil : checked.model,
      diagnostics: checked.diagnostics, metrics: metrics, assets: assets,
      inputs: own.adding(assets.inputs), resources: DrawingResources(fonts: fonts, images: images))
  }

  private func files(in folder: String) throws(OutputFault)
    -> (FontLibrary, AssetFolder, ImageStore)
  {
    if let known = shared.folders[folder] { return known }
    let fonts = shared.fonts
    guard
      let assets = AssetFolder(
        root: root ?? folder, folder: folder, fonts: fonts, decoder: shared.decoder,
        largestText: options.limits.source, readJSON: JSONData.parse)
    else {
      throw OutputFault("there is no folder '\(root ?? folder)'", help: "check --root")
    }
    let made = (fonts, assets, ImageStore(assets))
    shared.folders[folder] = made
    return made
  }

  package static func read(_ path: String) throws(OutputFault) -> [UInt8] {
    let file = path == "-" ? 0 : Files.open(path, O_RDONLY | O_NONBLOCK)
    guard file >= 0 else { throw unreadable(path) }
    defer { if file != 0 { close(file) } }
    if path != "-" {
      guard let status = FileStatus(file: file) else { throw unreadable(path) }
      if status.isFolder { throw OutputFault("'\(path)' is a folder") }
      if !status.isRegular { throw OutputFault("'\(path)' is no regular file") }
    }
    var bytes: [UInt8] = []
    while bytes.count <= 64 << 20 {
      guard let more = Files.next(file, upTo: 1 << 16) else { throw unreadable(path) }
      if more.isEmpty { return bytes }
      bytes += more
    }
    throw OutputFault("'\(path)' is larger than 64 MiB")
  }

  private static func unreadable(_ path: String) -> OutputFault {
    let reason = Files.reason()
    var help: String?
    if !path.hasSuffix(".scene"), Files.exists(path + ".scene", R_OK) {
      help = "did you mean '\(path).scene'?"
    }
    return OutputFault("cannot read '\(path)': \(reason)", help: help)
  }
}
