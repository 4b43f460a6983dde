// SPDX-License-Identifier: MIT
import CLinux
import SceneJSON
import SceneServer
import SceneSystem

/// An editor with a live preview: it types and saves, while pages change the scene through the
/// editor, other programs save and remove the files, and previews die.
///
/// An edit of a page changes only the color that it names, in the version of the text that the page
/// shows. An edit that the editor refuses fails. When no work is left, every page shows the texts
/// of the editor, and the files that are not open. The next edit of a page then arrives.
final class LiveScenario {
  private struct Document {
    let version: Int
    let text: String
  }

  private static let names = ["film.scene", "part.scene"]

  private let run: Run
  private let world: SimulatedKeeperWorld
  private let editor: EditorClient
  private var open: [String: Document] = [:]
  /// The last version of each document. Versions do not restart when a document is opened again:
  /// the editor could not distinguish a late edit of the closed document.
  private var versions: [String: Int] = [:]
  /// The text of each version of each document.
  private var texts: [String: [Int: String]] = [:]
  private let visitors = Visitors()
  private var visited = 0
  /// Whether no work is left, so that the editor accepts each edit.
  private var isSettled = false

  init(run: Run) {
    self.run = run
    world = SimulatedKeeperWorld(run)
    editor = EditorClient(run, socket: world.editor)
  }

  func play() {
    run.write(path("film.scene"), Array(Films.text(&run.random).scene.utf8))
    run.write(path("part.scene"), Array(Films.part(run.random.pick(Films.colors)).utf8))
    let keeper = run.thread("keeper") { [run, world] in
      let keeper = Keeper(
        "scenec", [], version: "simulated", reports: nil, world: world, clock: run.scheduler)
      _ = keeper.run()
      close(world.input)
    }
    editor.receive = { [unowned self] in take($0) }
    editor.ask(
      "initialize",
      [
        "capabilities": [
          "window": ["showDocument": ["support": true]],
          "workspace": ["applyEdit": true, "workspaceEdit": ["documentChanges": true]],
        ]
      ])
    editor.tell("initialized", .object([:]))
    openPreview()
    for _ in 0..<run.random.int(4...16) {
      run.rest(upTo: 700)
      act()
      editor.read(atMost: .zero)
      welcome()
    }
    // The texts of the editor reach a preview that is opened last as well.
    if run.random.chance(0.3) { openPreview() }
    editor.settle()
    welcome()
    for visitor in visitors.threads { visitor.join() }
    editor.settle()
    let isValid = judge()
    if isValid { recolor() }
    editor.ask("shutdown", .null)
    editor.settle()
    editor.tell("exit", .null)
    keeper.join()
    close(world.editor)
    run.settle()
  }

  private func path(_ name: String) -> String { "\(run.folder)/\(name)" }

  private func uri(_ name: String) -> String { "file://\(path(name))" }

  // MARK: The editor

  private func openPreview() {
    editor.ask(
      "workspace/executeCommand",
      ["command": "scenec.openPreview", "arguments": [["uri": .string(uri("film.scene"))]]])
  }

  private func act() {
    let name = run.random.pick(LiveScenario.names)
    let text =
      name == "film.scene"
      ? Films.text(&run.random).scene : Films.part(run.random.pick(Films.colors))
    switch (run.random.int(0...12), open[name]) {
    case (0...6, nil):
      let version = show(text, as: name)
      run.note("opens \(name): \(text)")
      editor.tell(
        "textDocument/didOpen",
        [
          "textDocument": [
            "uri": .string(uri(name)), "languageId": "scene", "version": .int(version),
            "text": .string(text),
          ]
        ])
    case (0...5, .some): change(name, to: text)
    case (6, .some):
      open[name] = nil
      run.note("closes \(name)")
      editor.tell("textDocument/didClose", ["textDocument": ["uri": .string(uri(name))]])
    case (7, _): run.save(path(name), text, as: run.random.pick(Run.SaveStyle.allCases))
    case (8, let it?):
      run.save(path(name), it.text, as: run.random.pick(Run.SaveStyle.allCases))
      var saved: [String: JSON] = ["textDocument": ["uri": .string(uri(name))]]
      if run.random.chance(0.3) { saved["text"] = .string(it.text) }
      editor.tell("textDocument/didSave", .object(saved))
    case (9, .some):
      editor.ask(
        "textDocument/documentHighlight",
        [
          "textDocument": ["uri": .string(uri(name))],
          "position": ["line": .int(run.random.int(0...4)), "character": 3],
        ])
    case (10, _): world.previews.started.last?.signal(run.random.pick([SIGKILL, SIGTERM]))
    case (11, _): openPreview()
    case (12, _):
      run.note("removes \(name)")
      if run.random.chance(0.5) {
        Files.rename(path(name), path(name) + ".old")
      } else {
        Files.remove(path(name))
      }
    default: break
    }
  }

  private func change(_ name: String, to text: String) {
    let version = show(text, as: name)
    run.note("changes \(name) to version \(version): \(text)")
    editor.tell(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(uri(name)), "version": .int(version)],
        "contentChanges": [["text": .string(text)]],
      ])
  }

  /// Sets the text of a document, and returns its version.
  private func show(_ text: String, as name: String) -> Int {
    let version = versions[name, default: 0] + 1
    versions[name] = version
    texts[name, default: [:]][version] = text
    open[name] = Document(version: version, text: text)
    return version
  }

  private func take(_ message: JSON) {
    guard !message["method"].isNull, !message["id"].isNull else { return }
    guard message["method"] == "workspace/applyEdit" else { return editor.answer(message, .null) }
    let changes = message["params"]["edit"]["documentChanges"].array
    run.expect(
      changes.count == 1 && changes[0]["edits"].array.count == 1, "several edits: \(changes)")
    let isApplied = apply(changes[0])
    // Some editors answer after the preview has stopped waiting.
    if !isSettled, run.random.chance(0.05) { run.scheduler.sleep(for: .seconds(6)) }
    editor.answer(message, ["applied": .bool(isApplied)])
  }

  /// Applies an edit of a page, unless the text has changed since. Editors also refuse edits for
  /// other reasons.
  private func apply(_ edit: JSON) -> Bool {
    let name = LiveScenario.names.first { edit["textDocument"]["uri"] == .string(uri($0)) }
    guard let name else { run.fail("an edit of an unknown file: \(edit)") }
    guard let version = edit["textDocument"]["version"].int, let before = texts[name]?[version]
    else { run.fail("an edit of an unknown version of \(name): \(edit)") }
    let after = changed(before, by: edit["edits"][0])
    let (old, new) = (LiveScenario.parts(of: before), LiveScenario.parts(of: after))
    run.expect(
      old.rest == new.rest && LiveScenario.isColor(new.fill),
      "an edit of \(name) makes \(after) of \(before)")
    let isLate = open[name]?.version != version
    if isLate || !isSettled && run.random.chance(0.1) {
      run.note("an edit of \(name) is \(isLate ? "too late" : "refused")")
      visitors.refused.insert(String(new.fill))
      return false
    }
    visitors.applied.insert(String(new.fill))
    change(name, to: after)
    return true
  }

  /// Returns a text after an edit.
  private func changed(_ text: String, by edit: JSON) -> String {
    let old = Array(text.utf8)
    guard let start = offset(edit["range"]["start"], in: old),
      let end = offset(edit["range"]["end"], in: old), start <= end,
      let new = edit["newText"].string
    else { run.fail("an invalid edit: \(edit)") }
    return String(
      decoding: Array(old[..<start]) + Array(new.utf8) + Array(old[end...]), as: UTF8.self)
  }

  /// Returns the offset of a position in a text of ASCII characters.
  private func offset(_ position: JSON, in bytes: [UInt8]) -> Int? {
    guard let line = position["line"].int, let character = position["character"].int else {
      return nil
    }
    var start = 0
    for _ in 0..<line {
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      start = end + 1
    }
    return start + character <= bytes.count ? start + character : nil
  }

  /// Returns the value of the first `fill` of a text, and the text without it.
  private static func parts(of text: String) -> (fill: Substring, rest: String) {
    guard let start = text.firstRange(of: "fill: ")?.upperBound,
      let end = text[start...].firstIndex(of: ";")
    else { return ("", text) }
    return (text[start..<end], String(text[..<start] + text[end...]))
  }

  private static func isColor(_ value: Substring) -> Bool {
    Films.colors.contains(String(value))
      || value.first == "#" && value.count == 7 && value.dropFirst().allSatisfy(\.isHexDigit)
  }

  // MARK: Pages

  /// Lets pages visit the previews that were started since the last call.
  private func welcome() {
    while visited < world.previews.started.count {
      let process = world.previews.started[visited]
      guard process.network != nil || process.hasEnded else { return }
      visited += 1
      guard let network = process.network else { continue }
      for number in 0..<run.random.int(1...2) {
        let thread = run.thread("page \(process.number).\(number)") { [run, visitors] in
          let page = Page(run, network, "page \(process.number).\(number)")
          visitors.pages.append((process, page))
          for _ in 0..<run.random.int(2...8) {
            run.rest(upTo: 400)
            LiveScenario.act(page, in: run, among: visitors)
          }
        }
        visitors.threads.append(thread)
      }
    }
  }

  private static func act(_ page: Page, in run: Run, among visitors: Visitors) {
    guard page.isConnected else { return }
    switch run.random.int(0...6) {
    case 0: page.recolor()
    case 1:
      guard visitors.colorCount < 95 else { break }
      let red = 160 + visitors.colorCount
      visitors.colorCount += 1
      let color = "#" + String(red + 256, radix: 16).dropFirst() + "00ff"
      if page.write(red: Double(red) / 255) == true {
        // Undo and redo repeat colors.
        run.expect(
          visitors.applied.contains(color) || !visitors.refused.contains(color),
          "a refused edit counts as done: \(color)")
      }
    case 2: page.drag()
    case 3: page.ask(run.random.pick(["undo", "redo"]))
    case 4: page.reload()
    default: page.askForFrame(run.random.int(0...4), run.random.pick(["rest", "scrub", "play"]))
    }
    if run.random.chance(0.7) { page.readAll() }
  }

  // MARK: Promises

  /// Checks the promises that hold when nothing is left to do. Returns whether the scene is valid.
  private func judge() -> Bool {
    run.expect(!editor.hasEnded, "the keeper has closed the connection")
    run.expect(editor.asked.isEmpty, "no answer to \(editor.asked)")
    let expected = path("expected")
    run.expect(
      Files.exists(expected) || Files.makeFolder(expected, permissions: 0o700),
      "no folder for the expected texts")
    for name in LiveScenario.names {
      Files.remove("\(expected)/\(name)")
      guard let text = text(of: name) else { continue }
      run.write("\(expected)/\(name)", Array(text.utf8))
      run.note("\(name) holds \(text)")
    }
    let frame = run.random.int(0...4)
    let digest = Films.digest(of: "\(expected)/film.scene", frame: frame)
    for (process, page) in visitors.pages where !process.hasEnded {
      page.expect(digest: digest, frame: frame)
    }
    return digest != nil
  }

  /// Returns the text of a file as the editor has it; `nil` for a missing file.
  private func text(of name: String) -> String? {
    open[name]?.text ?? run.read(path(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Checks that the edit of a page arrives in the editor, or in the file if it is not open.
  private func recolor() {
    isSettled = true
    let pages = visitors.pages.filter { !$0.0.hasEnded && $0.1.isConnected }
    guard let page = pages.first?.1, let before = text(of: "film.scene") else { return }
    let visitor = run.thread("last visitor") { [run] in
      // Pages do not write this component otherwise.
      let isAccepted = page.write(red: 1)
      run.expect(!page.isConnected || isAccepted == true, "the edit of a page is refused")
    }
    editor.settle()
    visitor.join()
    guard page.isConnected else { return }
    let after = text(of: "film.scene") ?? ""
    let (old, new) = (LiveScenario.parts(of: before), LiveScenario.parts(of: after))
    run.expect(
      new.fill == "#ff00ff" && new.rest == old.rest, "an edit makes \(after) of \(before)")
    _ = judge()
  }

  // Safe: only the thread that holds the baton accesses it.
  private final class Visitors: @unchecked Sendable {
    var threads: [WorkerThread] = []
    var pages: [(SimulatedProcess, Page)] = []
    /// The colors of the edits that the editor refused, and of those that it applied.
    var refused: Set<String> = []
    var applied: Set<String> = []
    /// The number of edits with a unique color.
    var colorCount = 0
  }
}
