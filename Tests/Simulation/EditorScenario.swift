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
  private var reader = FrameReader()
  private var open: [String: Open] = [:]
  private var asked: [Int: String] = [:]
  private var lastID = 0
  private var hasEnded = false

  init(run: Run) {
    self.run = run
    world = SimulatedKeeperWorld(run)
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
    ask("initialize", ["capabilities": .object([:])])
    tell("initialized", .object([:]))
    for _ in 0..<run.random.int(5...30) {
      run.rest(upTo: 600)
      act()
      if run.random.chance(0.5) { read(atMost: .zero) }
    }
    settle()
    judge()
    ask("shutdown", .null)
    settle()
    run.expect(asked.isEmpty, "no answer to \(asked)")
    tell("exit", .null)
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
      tell(
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
      tell(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .string(uri), "version": .int(it.version + 1)],
          "contentChanges": [["text": .string(text.scene)]],
        ])
    case (5, .some):
      open[uri] = nil
      run.note("closes \(uri.suffix(7))")
      tell("textDocument/didClose", ["textDocument": ["uri": .string(uri)]])
    case (6...8, .some):
      let id = ask(
        run.random.pick(EditorScenario.questions), ["textDocument": ["uri": .string(uri)]])
      if run.random.chance(0.2) { tell("$/cancelRequest", ["id": .int(id)]) }
    case (9, _):
      run.save(
        "\(run.folder)/part.scene", Films.part(run.random.pick(Films.colors)),
        as: run.random.pick(Run.SaveStyle.allCases))
    case (10, _): world.worker?.signal(SIGKILL)
    case (11, _): ask("workspace/executeCommand", ["command": "scenec.restart"])
    default: break
    }
  }

  /// Checks the promises that hold when nothing is left to do.
  private func judge() {
    run.expect(!hasEnded, "the keeper has closed the connection")
    run.expect(asked.isEmpty, "no answer to \(asked)")
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

  private func settle() {
    let end = run.scheduler.now + .seconds(90)
    while run.scheduler.now < end { read(atMost: .seconds(1)) }
  }

  // MARK: Messages

  @discardableResult
  private func ask(_ method: String, _ parameters: JSON) -> Int {
    lastID += 1
    asked[lastID] = method
    run.note("asks \(lastID): \(method)")
    send(["jsonrpc": "2.0", "id": .int(lastID), "method": .string(method), "params": parameters])
    return lastID
  }

  private func tell(_ method: String, _ parameters: JSON) {
    send(["jsonrpc": "2.0", "method": .string(method), "params": parameters])
  }

  private func send(_ message: JSON) {
    let bytes = FrameReader.frame(message.bytes)
    // The bytes are sent in pieces, as a pipe delivers them.
    let cut = run.random.chance(0.3) ? run.random.int(1...bytes.count - 1) : bytes.count
    for part in [bytes[..<cut], bytes[cut...]] where !part.isEmpty {
      run.expect(Files.write(world.editor, Array(part)) == 0, "the keeper reads nothing")
    }
  }

  private func read(atMost limit: Duration) {
    let wait = Int32(limit / .milliseconds(1))
    guard !hasEnded, Files.hasInput([world.editor], within: wait) else {
      if hasEnded { run.scheduler.sleep(for: limit) }
      return
    }
    guard let bytes = Files.next(world.editor, upTo: 1 << 16), !bytes.isEmpty else {
      hasEnded = true
      return
    }
    reader.add(bytes)
    while case .message(let body)? = reader.next() {
      if let message = JSON(bytes: body) { take(message) }
    }
  }

  private func take(_ message: JSON) {
    if message["method"].isNull {
      guard let id = message["id"].int else { run.fail("an answer without a number") }
      run.expect(asked.removeValue(forKey: id) != nil, "request \(id) is answered twice")
      return
    }
    if !message["id"].isNull {
      return send(["jsonrpc": "2.0", "id": message["id"], "result": .null])
    }
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
