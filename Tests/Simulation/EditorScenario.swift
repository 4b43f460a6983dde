// SPDX-License-Identifier: MIT
import CLinux
import SceneJSON
import SceneServer
import SceneSystem

/// An editor that types, sends and cancels requests, and closes files, while files change and
/// worker processes die.
///
/// Each request gets one response. When no work is left, the editor has the diagnostics of the
/// newest version of each open text. Only the editor ends the connection.
final class EditorScenario {
  private struct Open {
    var version: Int
    var text: Films.Text
    /// Whether the check of this text ended a worker process twice, so that it is not checked
    /// again.
    var isGivenUp = false
    /// The version and the number of errors of the last diagnostics.
    var shown: (version: Int, errors: Int)?
  }

  private static let questions = [
    "textDocument/documentSymbol", "textDocument/foldingRange", "textDocument/documentColor",
    "textDocument/semanticTokens/full",
  ]

  private let run: Run
  private let world: SimulatedKeeperWorld
  private let editor: EditorClient
  private var open: [String: Open] = [:]

  init(run: Run) {
    self.run = run
    world = SimulatedKeeperWorld(run)
    editor = EditorClient(run, socket: world.editor)
  }

  func play() {
    run.write("\(run.folder)/part.scene", Array(Films.part("red").utf8))
    let outcome = Outcome()
    let keeper = run.thread("keeper") { [run, world] in
      let keeper = Keeper(
        "scenec", [], version: "simulated", reports: nil, world: world, clock: run.scheduler)
      outcome.status = keeper.run()
      close(world.input)
    }
    editor.receive = { [unowned self] in take($0) }
    editor.ask("initialize", ["capabilities": .object([:])])
    editor.tell("initialized", .object([:]))
    for _ in 0..<run.random.int(5...30) {
      run.rest(upTo: 600)
      act()
      if run.random.chance(0.5) { editor.read(atMost: .zero) }
    }
    editor.settle()
    judge()
    editor.ask("shutdown", .null)
    editor.settle()
    run.expect(editor.asked.isEmpty, "no answer to \(editor.asked)")
    editor.tell("exit", .null)
    keeper.join()
    close(world.editor)
    run.expect(outcome.status == 0, "the keeper ended with \(outcome.status)")
    // Worker processes end with their sockets.
    run.settle()
  }

  // MARK: The editor

  private func act() {
    let uri = "file://\(run.folder)/\(run.random.pick(["a", "b"])).scene"
    let text = Films.text(&run.random)
    switch (run.random.int(0...11), open[uri]) {
    case (0...1, nil), (2...6, nil):
      open[uri] = Open(version: 1, text: text)
      run.note("opens \(uri.suffix(7)): \(text)")
      editor.tell(
        "textDocument/didOpen",
        [
          "textDocument": [
            "uri": .string(uri), "languageId": "scene", "version": 1, "text": .string(text.scene),
          ]
        ])
    case (0...4, let it?):
      open[uri]?.version = it.version + 1
      open[uri]?.text = text
      open[uri]?.isGivenUp = false
      run.note("changes \(uri.suffix(7)) to version \(it.version + 1): \(text)")
      editor.tell(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .string(uri), "version": .int(it.version + 1)],
          "contentChanges": [["text": .string(text.scene)]],
        ])
    case (5, .some):
      open[uri] = nil
      run.note("closes \(uri.suffix(7))")
      editor.tell("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
    case (6...8, .some):
      let id = editor.ask(
        run.random.pick(EditorScenario.questions), ["textDocument": ["uri": .string(uri)]])
      if run.random.chance(0.2) { editor.tell("$/cancelRequest", ["id": .int(id)]) }
    case (9, _):
      run.save(
        "\(run.folder)/part.scene", Films.part(run.random.pick(Films.colors)),
        as: run.random.pick(Run.SaveStyle.allCases))
    case (10, _): world.worker?.signal(SIGKILL)
    case (11, _): editor.ask("workspace/executeCommand", ["command": "scenec.restart"])
    default: break
    }
  }

  /// Checks the promises that hold when nothing is left to do.
  private func judge() {
    run.expect(!editor.hasEnded, "the keeper has closed the connection")
    run.expect(editor.asked.isEmpty, "no answer to \(editor.asked)")
    for (uri, it) in open.sorted(by: { $0.key < $1.key }) {
      if it.isGivenUp { continue }
      guard let shown = it.shown else { run.fail("no diagnostics for \(uri)") }
      run.expect(
        shown.version == it.version,
        "\(uri) has diagnostics of version \(shown.version), not of \(it.version)")
      run.expect(
        (shown.errors > 0) == it.text.isWrong, "\(uri) has \(shown.errors) errors: \(it.text)")
    }
  }

  // MARK: Messages

  private func take(_ message: JSON) {
    if message["method"].isNull { return }
    if !message["id"].isNull { return editor.answer(message, .null) }
    if message["method"] == "window/showMessage", let said = message["params"]["message"].string {
      run.note(said)
      for uri in open.keys where said.contains("could not check \(uri.dropFirst(7)):") {
        open[uri]?.isGivenUp = true
      }
    }
    guard message["method"] == "textDocument/publishDiagnostics",
      let uri = message["params"]["uri"].string, open[uri] != nil
    else { return }
    let list = message["params"]["diagnostics"].array
    let errors = list.count { $0["severity"] == 1 }
    let version = message["params"]["version"].int ?? 0
    run.note("\(uri.suffix(7)) version \(version) has \(errors) errors")
    open[uri]?.shown = (version, errors)
  }

  // Safe: only the thread that holds the baton accesses it.
  private final class Outcome: @unchecked Sendable {
    var status: Int32 = -1
  }
}
