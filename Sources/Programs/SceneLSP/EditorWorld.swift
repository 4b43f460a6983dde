// SPDX-License-Identifier: MIT
import CLinux
import SceneCLI
import SceneCheck
package import SceneDiagnostics
import SceneFiles
import SceneGraphics
import SceneIR
import SceneModel
package import SceneServer
package import SceneSession
import SceneStore
import SceneSyntax
package import SceneSystem
import SceneText

/// The files and fonts for the checks of an editor.
package final class EditorWorld: ServerWorld {
  private var session: Session
  /// The options of the command line, which the client's settings extend.
  private let given: LoadOptions
  private var options: LoadOptions
  private let watcher: Watcher
  /// The input files of each scene, by the scene's path.
  private var inputs: [String: InputFiles] = [:]

  package init(_ options: LoadOptions, clock: any TimeSource = SystemClock()) {
    watcher = Watcher(clock: clock)
    var options = options
    options.drawsNothing = true
    given = options
    self.options = options
    session = Session(options)
  }

  package func use(_ settings: Settings) {
    var new = given
    if let root = settings.root { new.root = root }
    if settings.trustsProject { new.trustsProject = true }
    new.check.parameters += settings.set.sorted { $0.key < $1.key }
      .map { GivenParameter($0.key, $0.value) }
    for (name, value) in settings.limits { _ = new.check.limits.set(name, value) }
    let isOther = new.root != options.root || new.trustsProject != options.trustsProject
    options = new
    if isOther { session = Session(new) }
  }

  package func check(
    _ path: String, _ bytes: [UInt8], open: [String: [UInt8]],
    isCancelled: @escaping @Sendable () -> Bool
  ) -> CheckedScene? {
    var check = options.check
    check.purpose = .edit
    check.recordsElements = true
    check.recordsValues = true
    check.isCancelled = isCancelled
    let linked = LinkedFolder(of: path)
    do throws(FileError) {
      let loading = try session.begin(path, check, bytes: bytes, open: linked.opened(open))
      guard let scene = loading.whole() else { return nil }
      inputs[path] = scene.inputs
      watch()
      let sources = scene.sources.map { linked.source($0) }
      return CheckedScene(
        diagnostics: scene.diagnostics, sources: sources, record: scene.record,
        session: loading.check)
    } catch {
      // The folder of an unsaved text may not exist.
      let parsed = parse(SourceFile(id: FileID(0), name: path, bytes: bytes))
      return CheckedScene(
        diagnostics: parsed.diagnostics, sources: [parsed.tree.file], record: nil)
    }
  }

  package func forget(_ path: String) {
    inputs[path] = nil
    watch()
  }

  private func watch() {
    watcher.watch(.union(inputs.values))
  }

  package var changes: [Int32] { watcher.events }

  package func outdated() -> [String] {
    watcher.drain()
    let changed = inputs.filter { $0.value.haveChanged }.map(\.key)
    // The next check records the input files again.
    for path in changed { inputs[path] = InputFiles() }
    return changed
  }

  package var fontFamilies: [String] { session.fontFamilies }

  package func stamp(of path: String, within folders: [String]) -> Int? {
    // Not a lazy sequence: its `first` would evaluate twice, and the file may disappear in between.
    for root in roots(folders) {
      guard let status = root.status(of: path) else { continue }
      guard status.isRegular else { return nil }
      return status.written.0 &* 1_000_003 &+ status.written.1 &* 31 &+ status.size
    }
    return nil
  }

  package func description(of path: String, besides scene: String) -> String? {
    let folder = SceneFile.folder(of: scene)
    let place = path.hasPrefix("/") ? path : "\(folder)/\(path)"
    guard let status = ReadableRoot(session.root(of: scene))?.status(of: place), status.isRegular
    else { return nil }
    let kibibytes = Double(status.size) / 1024
    let size =
      kibibytes < 1
      ? "\(status.size) bytes"
      : kibibytes < 1024
        ? "\(Int(kibibytes.rounded())) KiB" : "\((kibibytes / 102.4).rounded() / 10) MiB"
    guard let assets = try? session.assets(besides: scene) else { return size }
    if let image = try? assets.image(path) {
      return "\(image.size.width)×\(image.size.height), \(size)"
    }
    guard let clip = try? assets.clip(path) else { return size }
    var parts = [size]
    if clip.sound != nil { parts.insert("with audio", at: 0) }
    if let pictures = clip.pictures {
      parts.insert("\(pictures.size.width)×\(pictures.size.height), \(pictures.codec)", at: 0)
    }
    return parts.joined(separator: ", ")
  }

  package func read(_ path: String, within folders: [String]) -> [UInt8]? {
    for root in roots(folders) {
      guard let file = try? root.open(path) else { continue }
      defer { close(file) }
      guard let size = FileStatus(file: file)?.size, size <= options.check.limits.source
      else { return nil }
      return Files.head(of: file, count: size)
    }
    return nil
  }

  /// Returns the readable roots: the given folders, and the root of the checks.
  private func roots(_ folders: [String]) -> [ReadableRoot] {
    (folders + [options.root].compactMap { $0 }).compactMap { ReadableRoot($0) }
  }

  package func libraryName(of path: String) -> String? {
    guard let place = libraryPath, path.hasPrefix(place + "/") else { return nil }
    return String(path.dropFirst(place.count + 1))
  }

  package func page(of code: Code) -> String? {
    libraryFile("\(code.rawValue).txt", Array(Explanation.of(code).text.utf8))
  }

  package func libraryFile(_ name: String, _ bytes: [UInt8]) -> String? {
    guard let folder = libraryFolder else { return nil }
    let path = "\(folder)/\(name)"
    if read(path, within: [folder]) == bytes { return path }
    let file = Files.open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o444)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard Files.write(file, bytes) == 0, Files.rename(path + ".new", path) else { return nil }
    return path
  }

  /// The path of the library files, inside the cache folder.
  private lazy var libraryPath: String? = StorePlace.ofUser.path.flatMap {
    $0.hasPrefix("/") ? "\($0)/library-\(version)" : nil
  }

  private lazy var libraryFolder: String? = {
    guard let path = libraryPath else { return nil }
    var folder = ""
    for part in path.split(separator: "/") {
      folder += "/" + part
      if !Files.exists(folder) { _ = Files.makeFolder(folder, permissions: 0o700) }
    }
    return FileStatus(path: folder)?.isFolder == true ? folder : nil
  }()

  package func files(in folder: String) -> [String] {
    guard let root = ReadableRoot(folder) else { return [] }
    var found: [String] = []
    // Breadth-first, since a deeply nested folder may contain thousands of images.
    var waiting = [""][...]
    while let inner = waiting.popFirst(), found.count < 5000 {
      guard let file = try? root.open("\(root.path)/\(inner)", isFolder: true) else { continue }
      defer { close(file) }
      let names = Files.names(in: "/proc/self/fd/\(file)", limit: 5000) { !$0.hasPrefix(".") }
      for name in names.sorted() {
        let path = inner.isEmpty ? name : "\(inner)/\(name)"
        guard let status = root.status(of: "\(root.path)/\(path)") else { continue }
        if status.isRegular { found.append(path) }
        let isWanted = name != "build" && path.utf8.count { $0 == 47 } < 8
        if status.isFolder, isWanted { waiting.append(path) }
      }
    }
    return found
  }
}

/// A folder that an editor may access through a symbolic link. Files in it are named by the
/// editor's path.
private struct LinkedFolder {
  /// The differing prefixes of the resolved path and of the editor's path.
  private let real: String
  private let given: String

  init(of path: String) {
    let folder = SceneFile.folder(of: path)
    var given = folder.split(separator: "/")[...]
    var real = (Files.resolved(folder) ?? folder).split(separator: "/")[...]
    guard given != real else {
      (self.real, self.given) = ("", "")
      return
    }
    while let last = given.last, last == real.last {
      given.removeLast()
      real.removeLast()
    }
    (self.real, self.given) = (LinkedFolder.path(real), LinkedFolder.path(given))
  }

  private static func path(_ parts: ArraySlice<Substring>) -> String {
    parts.map { "/" + $0 }.joined() + "/"
  }

  /// Returns the texts under both names of their files.
  func opened(_ texts: [String: [UInt8]]) -> [String: [UInt8]] {
    guard !given.isEmpty else { return texts }
    var found = texts
    for (path, bytes) in texts where path.hasPrefix(given) {
      found[real + path.dropFirst(given.count)] = bytes
    }
    return found
  }

  func source(_ source: SourceFile) -> SourceFile {
    guard !real.isEmpty, source.name.hasPrefix(real) else { return source }
    return SourceFile(
      id: source.id, name: given + source.name.dropFirst(real.count), bytes: source.bytes)
  }
}
