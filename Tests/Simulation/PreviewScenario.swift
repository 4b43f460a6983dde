// SPDX-License-Identifier: MIT
import SceneBuild
import SceneCLI
import SceneOutput
import SceneJSON
import ScenePreview
import SceneSession
import SceneSystem
import SceneWeb

/// Pages show a scene, change it and export it while an editor saves it at any time.
///
/// Each page receives every revision exactly once and in order, and one response to each request.
/// When no work is left, all pages show the text of the files. No save of the editor is lost, even
/// if the disk is full.
struct PreviewScenario {
  let run: Run
  let films: Films

  func play() {
    let (path, part) = ("\(run.folder)/film.scene", "\(run.folder)/part.scene")
    run.write(path, Array(numbered(Films.text(&run.random), 0).utf8))
    run.write(part, Array(Films.part(run.random.pick(Films.colors)).utf8))
    let load = Films.load()
    var call = Preview.Call(
      path: path, load: load, check: load.check,
      build: Films.options("watch", path, "--progress", "none"), .manual())
    call.clock = run.scheduler
    var made: SimulatedNetwork?
    let preview = Preview(call, port: 4400, token: "token") {
      made = SimulatedNetwork($0, run)
      return made
    }
    guard let preview, let network = made else { run.fail("no preview") }
    let pages = Pages()
    let users = (0..<run.random.int(1...3)).map { number in
      run.thread("page \(number)") { [run] in
        run.rest(upTo: 400)
        let page = Page(run, network, "page \(number)")
        pages.list.append(page)
        for _ in 0..<run.random.int(2...10) { act(page) }
      }
    }
    let last = edit(path, part)
    for user in users { user.join() }
    run.settle()
    let held = String(decoding: run.read(path) ?? [], as: UTF8.self)
    run.expect(held.contains("// save \(last)\n"), "save \(last) is lost: \(held)")
    let frame = run.random.int(0...4)
    let digest = Films.digest(of: path, frame: frame)
    run.note("the files hold \(digest ?? "an error")")
    for page in pages.list {
      page.expect(digest: digest, frame: frame)
      run.expect(
        !page.jobs.values.contains("drawing"), "an export never ended: \(page.jobs)")
    }
    let names = Files.names(in: run.folder).filter { $0.hasPrefix(".") }
    run.expect(names.isEmpty, "files are left: \(names)")
    preview.end()
    for page in pages.list where page.isConnected || !page.isToldGoodbye { page.readAll() }
  }

  /// Acts as the editor, and returns the number of its last save.
  private func edit(_ path: String, _ part: String) -> Int {
    var last = 0
    for _ in 0..<run.random.int(1...5) {
      run.rest(upTo: 700)
      switch run.random.int(0...9) {
      case 0:
        run.note("disk full")
        run.scheduler.isDiskFull = true
        run.rest(upTo: 200)
        run.scheduler.isDiskFull = false
      case 1:
        run.save(part, Films.part(run.random.pick(Films.colors)), as: style())
      default:
        last += 1
        run.save(path, numbered(Films.text(&run.random), last), as: style())
      }
    }
    return last
  }

  private func style() -> Run.SaveStyle { run.random.pick(Run.SaveStyle.allCases) }

  private func numbered(_ text: Films.Text, _ number: Int) -> String {
    "// save \(number)\n" + text.scene
  }

  private func act(_ page: Page) {
    run.rest(upTo: 200)
    switch run.random.int(0...12) {
    case 0...3: page.askForFrame(run.random.int(0...4), run.random.pick(["rest", "scrub", "play"]))
    case 4: _ = page.answer("scene", ["view": "main"])
    case 5, 6: page.recolor()
    case 7: page.ask(run.random.pick(["undo", "redo"]))
    case 8: page.ask("view", ["size": [48, 27]])
    case 9: page.ask("export", ["view": "main", "ending": "mp4"])
    case 10: page.reload()
    case 11: page.drag()
    default: page.ask("stop", ["job": 1])
    }
    if run.random.chance(0.7) { page.readAll() }
  }

  // Safe: only the thread that holds the baton accesses it.
  private final class Pages: @unchecked Sendable {
    var list: [Page] = []
  }
}
