// SPDX-License-Identifier: MIT
import CLinux
package import SceneCheck
package import SceneDiagnostics
import SceneGraphics
package import SceneModel
package import SceneRaster
import SceneSyntax
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
  package let resources: DrawingResources
}

/// Reads scene files as the options of a call want it.
package struct SceneLoader {
  private let root: String?
  package var options: CheckOptions
  /// Fonts and files, read once for all scenes of a folder.
  private let shared = Shared()

  private final class Shared {
    var folders: [String: (FontLibrary, AssetFolder, ImageStore)] = [:]
  }

  package init(_ call: Invocation) throws(Invocation.Fault) {
    root = call.value("root")
    var options = CheckOptions()
    options.sceneName = call.value("scene")
    for text in call.all("set") {
      let (name, value) = try SceneLoader.pair(text, "set")
      options.parameters.append(GivenParameter(name, value))
    }
    for text in call.all("limit") {
      let (name, value) = try SceneLoader.pair(text, "limit")
      guard let number = Double(value), number >= 0 else {
        throw Invocation.Fault(message: "'--limit \(name)' needs a number, not '\(value)'")
      }
      guard options.limits.set(name, number) else {
        var message = "there is no limit '\(name)'"
        if let near = nearest(name, in: Limits.names) { message += "; did you mean '\(near)'?" }
        throw Invocation.Fault(
          message: message + "; limits are \(Limits.names.joined(separator: ", "))")
      }
    }
    if let text = call.value("size") { options.size = try SceneLoader.size(text, options.limits) }
    if let text = call.value("fps") { options.frameRate = try SceneLoader.frameRate(text) }
    self.options = options
  }

  private static func pair(_ text: String, _ option: String) throws(Invocation.Fault)
    -> (String, String)
  {
    guard let equal = text.firstIndex(of: "="), equal > text.startIndex else {
      throw Invocation.Fault(message: "'--\(option)' is written --\(option) name=value")
    }
    return (String(text[..<equal]), String(text[text.index(after: equal)...]))
  }

  private static func size(_ text: String, _ limits: Limits) throws(Invocation.Fault)
    -> PixelSize
  {
    let parts = text.split(separator: "x").compactMap { Int($0) }
    guard parts.count == 2, parts.allSatisfy({ $0 >= 1 }) else {
      throw Invocation.Fault(message: "'--size' is written WxH, such as 1280x720, not '\(text)'")
    }
    guard parts.allSatisfy({ $0 <= limits.side }), parts[0] * parts[1] <= limits.area else {
      throw Invocation.Fault(message: "'--size \(text)' is over the limits 'side' or 'area'")
    }
    return PixelSize(parts[0], parts[1])
  }

  private static func frameRate(_ text: String) throws(Invocation.Fault) -> FrameRate {
    let parts = text.split(separator: "/").compactMap { Double($0) }
    if parts.count == 2, parts[0] >= 1, parts[1] >= 1, parts[0] == parts[0].rounded(),
      parts[1] == parts[1].rounded(), parts[0] <= 1e6, parts[1] <= 1e6
    {
      return FrameRate(Int64(parts[0]), Int64(parts[1]))
    }
    guard parts.count == 1, let rate = FrameRate(parts[0]), parts[0] <= 1000 else {
      throw Invocation.Fault(
        message: "'--fps' is a number or a ratio such as 30000/1001, not '\(text)'")
    }
    return rate
  }

  /// A time on the command line: `1.5s`, `300ms`, `12f` or plain seconds.
  package static func time(_ text: String, _ option: String, _ rate: FrameRate)
    throws(Invocation.Fault) -> Ticks
  {
    let units: [(String, Double)] = [
      ("ms", Double(Ticks.perSecond) / 1000), ("min", Double(Ticks.perSecond) * 60),
      ("s", Double(Ticks.perSecond)), ("f", rate.frameTicks), ("", Double(Ticks.perSecond)),
    ]
    for (unit, ticks) in units where text.hasSuffix(unit) {
      guard let number = Double(text.dropLast(unit.count)), number >= 0,
        let time = Ticks(rounding: number * ticks)
      else { break }
      return time
    }
    throw Invocation.Fault(message: "'--\(option)' is a time such as 1.5s or 12f, not '\(text)'")
  }

  /// Reads and checks a file. What the world refuses is thrown, what is wrong in it is told of.
  ///
  /// `bytes` stand in for what the file holds.
  package func load(_ path: String, isStrict: Bool = false, bytes: [UInt8]? = nil)
    throws(OutputFault) -> LoadedScene
  {
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
      resources: DrawingResources(fonts: fonts, images: images))
  }

  /// The names of the params of a file.
  package func parameterNames(_ path: String) throws(OutputFault) -> Set<String> {
    let bytes = try SceneLoader.read(path)
    let parsed = parse(SourceFile(id: FileID(0), name: path, bytes: bytes))
    return Set(
      declarations(of: parsed.tree).compactMap {
        if case .param(let name, _, _, _, _) = $0 { name.text } else { nil }
      })
  }

  private func files(in folder: String) throws(OutputFault)
    -> (FontLibrary, AssetFolder, ImageStore)
  {
    if let known = shared.folders[folder] { return known }
    let fonts = FontLibrary()
    guard
      let assets = AssetFolder(
        root: root ?? folder, folder: folder, fonts: fonts, readJSON: JSONData.parse)
    else {
      throw OutputFault("there is no folder '\(root ?? folder)'", help: "check --root")
    }
    let made = (fonts, assets, ImageStore(assets))
    shared.folders[folder] = made
    return made
  }

  package static func read(_ path: String) throws(OutputFault) -> [UInt8] {
    let file = path == "-" ? 0 : unsafe scene_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard file >= 0 else { throw unreadable(path) }
    defer { if file != 0 { close(file) } }
    if path != "-" {
      var info = stat()
      guard unsafe fstat(file, &info) == 0 else { throw unreadable(path) }
      if unsafe scene_is_directory(&info) != 0 { throw OutputFault("'\(path)' is a folder") }
      if unsafe scene_is_regular(&info) == 0 { throw OutputFault("'\(path)' is no regular file") }
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= 64 << 20 {
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe CLinux.read(file, $0.baseAddress, $0.count)
      }
      if count < 0, scene_errno() == EINTR { continue }
      guard count >= 0 else { throw unreadable(path) }
      if count == 0 { return bytes }
      bytes += chunk.prefix(count)
    }
    throw OutputFault("'\(path)' is larger than 64 MiB")
  }

  private static func unreadable(_ path: String) -> OutputFault {
    let reason = unsafe String(cString: strerror(scene_errno()))
    var help: String?
    if !path.hasSuffix(".scene"), unsafe access(path + ".scene", R_OK) == 0 {
      help = "did you mean '\(path).scene'?"
    }
    return OutputFault("cannot read '\(path)': \(reason)", help: help)
  }
}
