// SPDX-License-Identifier: MIT
import CLinux
import CProcess
package import SceneCLI
import SceneCheck
import SceneDiagnostics
import SceneFiles
import SceneGraphics
import SceneIR
import SceneModel
import SceneServer
import SceneSession
import SceneStore
import SceneSyntax
import SceneSystem
import SceneText

/// The command `scenec lsp`: the language server. It runs as two processes; the editor talks to the
/// first one.
package struct ServerCommand {
  private let call: Invocation
  private let console: Console

  package init(call: Invocation, console: Console) {
    self.call = call
    self.console = console
  }

  package func run() throws -> ExitCode {
    guard call.operands.isEmpty else {
      throw Invocation.Failure(
        message: "'lsp' does not accept a file; editors start it and send the open files")
    }
    var reader = OptionReader(call)
    let options = LoadOptions(&reader)
    try console.accept(reader, load: options, paths: [])
    if call.has("worker") {
      scene_limit(3 << 30, 0)
      scene_use_huge_pages()
      LanguageServer(EditorWorld(options), version: version).run()
      return .done
    }
    guard let path = OwnProcess.neighbour("scenec") else {
      console.error("the scenec installation cannot be found")
      return .worldRefused
    }
    var words = ["root", "set", "limit"].flatMap { name in
      call.all(name).flatMap { ["--\(name)", $0] }
    }
    if call.has("trust-project") { words.append("--trust-project") }
    let keeper = Keeper(path, words, version: version, reports: Self.reports)
    keeper.log = call.value("log")
    keeper.client = call.value("clientProcessId").flatMap(Int32.init)
    // Shorter timeouts and no minimum memory, for tests.
    if let seconds = call.value("rest").flatMap(Int.init) {
      (keeper.rest, keeper.largest) = (.seconds(seconds), 0)
    }
    if let seconds = call.value("patience").flatMap(Int.init) {
      keeper.patience = .seconds(seconds)
    }
    return keeper.run() == 0 ? .done : .sceneWrong
  }

  /// The folder of the log of unexpected exits.
  private static var reports: String? {
    let state = OwnProcess.environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (state ?? OwnProcess.environment("HOME").map { $0 + "/.local/state" }).map {
      $0 + "/scenec"
    }
  }
}
