// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneCheck
import SceneDiagnostics
import SceneFiles
import SceneModel
import SceneServer
import SceneSession
import SceneStore
import SceneSyntax
import SceneSystem
import SceneText

/// `scenec lsp`: the language server. It runs as two processes, of which the editor knows the first.
struct ServerCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    guard call.operands.isEmpty else {
      throw Invocation.Fault(
        message: "'lsp' takes no file; an editor starts it and says what is open")
    }
    if call.has("worker") {
      scene_limit(3 << 30, 0)
      LanguageServer(EditorWorld(LoadOptions(root: call.value("root")))).run()
      return .done
    }
    guard let path = OwnProcess.neighbour("scenec") else {
      console.error("cannot find where scenec is installed")
      return .worldRefused
    }
    return Keeper(path).run() == 0 ? .done : .sceneWrong
  }
}

/// Files and fonts as the checks of an editor see them.
private final class EditorWorld: ServerWorld {
  private let session: Session
  private let options: LoadOptions

  init(_ options: LoadOptions) {
    self.options = options
    session = Session(options)
  }

  func check(
    _ path: String, _ bytes: [UInt8], open: [String: [UInt8]],
    isCancelled: @escaping @Sendable () -> Bool
  ) -> CheckedScene? {
    var check = options.check
    check.purpose = .edit
    check.recordsElements = true
    check.isCancelled = isCancelled
    do throws(FileFault) {
      let scene = try session.load(path, check, bytes: bytes, open: open)
      if scene.wasCancelled { return nil }
      return CheckedScene(
        diagnostics: scene.diagnostics, sources: scene.sources, record: scene.record)
    } catch {
      // The folder of a text that was never saved need not be there.
      let parsed = parse(SourceFile(id: FileID(0), name: path, bytes: bytes))
      return CheckedScene(
        diagnostics: parsed.diagnostics, sources: [parsed.tree.file], record: nil)
    }
  }

  func read(_ path: String) -> [UInt8]? {
    guard let status = FileStatus(path: path), status.isRegular,
      status.size <= options.check.limits.source
    else { return nil }
    let file = Files.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return Files.head(of: file, count: status.size)
  }

  func page(of code: Code) -> String? {
    libraryFile("\(code.rawValue).txt", Array(Explanation.of(code).text.utf8))
  }

  func libraryFile(_ name: String, _ bytes: [UInt8]) -> String? {
    guard let folder = libraryFolder else { return nil }
    let path = "\(folder)/\(name)"
    if read(path) == bytes { return path }
    let file = Files.open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o444)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard Files.write(file, bytes) == 0, Files.rename(path + ".new", path) else { return nil }
    return path
  }

  /// Beside what else is kept from one run to the next.
  private lazy var libraryFolder: String? = {
    guard let path = StorePlace.ofUser.path, path.hasPrefix("/") else { return nil }
    var folder = ""
    for part in "\(path)/library-\(version)".split(separator: "/") {
      folder += "/" + part
      if !Files.exists(folder) { _ = Files.makeFolder(folder, permissions: 0o700) }
    }
    return FileStatus(path: folder)?.isFolder == true ? folder : nil
  }()

  func files(in folder: String) -> [String] {
    var found: [String] = []
    var waiting = [""]
    while let inner = waiting.popLast(), found.count < 5000 {
      let names = Files.names(in: inner.isEmpty ? folder : "\(folder)/\(inner)", limit: 5000) {
        !$0.hasPrefix(".")
      }
      for name in names.sorted() {
        let path = inner.isEmpty ? name : "\(inner)/\(name)"
        guard let status = FileStatus(path: "\(folder)/\(path)") else { continue }
        if status.isRegular { found.append(path) }
        let isWanted = name != "build" && path.utf8.count { $0 == 47 } < 8
        if status.isFolder, isWanted { waiting.append(path) }
      }
    }
    return found
  }
}
