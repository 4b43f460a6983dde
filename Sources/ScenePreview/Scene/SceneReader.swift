// SPDX-License-Identifier: MIT
import SceneBuild
import SceneCheck
import SceneDiagnostics
import SceneFiles
import SceneJSON
import SceneSession
import SceneSystem
import SceneText
import SceneWeb
import Synchronization

/// What other threads want done by the one that reads scenes.
final class ReaderTasks: Sendable {
  typealias Task = @Sendable (SceneReader) -> Void

  private struct State {
    var tasks: [(owner: WebClient?, task: Task)] = []
    var isEnded = false
  }

  private let state = Monitor(State())
  let watcher: Watcher

  init(clock: any TimeSource) { watcher = Watcher(clock: clock) }

  var isEnded: Bool { state.update(\.isEnded) }

  func end() {
    state.update { $0.isEnded = true }
    watcher.wake()
  }

  /// Of the tasks of one `newestOf` only the last is done.
  func add(newestOf owner: WebClient? = nil, _ task: @escaping Task) {
    state.update { state in
      if let owner { state.tasks.removeAll { $0.owner == owner } }
      state.tasks.append((owner, task))
    }
    watcher.wake()
  }

  func next() -> Task? {
    state.update { $0.tasks.isEmpty ? nil : $0.tasks.removeFirst().task }
  }
}

/// Reads and checks the scene whenever a file of it changes, for each view of it, and publishes what
/// came out. Used by one thread.
///
/// It acts on a change at once. What has bytes that it knows is no change, so the echo of an own write
/// costs nothing; what changes during a check is read after it.
final class SceneReader {
  /// Why there is a new revision.
  enum Cause: String { case save, edit, `try`, undo, asset }

  let path: String
  private let call: CheckOptions
  private let session: Session
  private let tasks: ReaderTasks
  let board: Board
  private let crew: Crew
  let outlet: Outlet
  /// Says on the terminal what was read.
  private let report: Preview.Report
  private let clock: any TimeSource
  /// What each view was made from last, right or wrong.
  private var loaded: [String: LoadedScene] = [:]
  private var inputs: [String: InputFiles] = [:]
  /// The views of which it is not known what is suspicious.
  private var unfinished: Set<String> = []
  /// What each tab tries.
  var tried: [WebClient: Trial] = [:]
  var history = History()
  /// What an editor has open, saved or not, by path.
  private var texts: [String: [UInt8]] = [:]
  /// The way to that editor.
  var link: EditorLink?

  init(
    _ path: String, _ load: LoadOptions, _ check: CheckOptions, _ tasks: ReaderTasks,
    _ board: Board, _ crew: Crew, _ outlet: Outlet,
    report: Preview.Report, clock: any TimeSource
  ) {
    self.clock = clock
    self.path = path
    var call = check
    call.recordsElements = true
    self.call = call
    session = Session(load)
    self.tasks = tasks
    self.board = board
    self.crew = crew
    self.outlet = outlet
    self.report = report
  }

  func run() {
    readAll(.save)
    while !tasks.isEnded {
      if let task = tasks.next() {
        task(self)
      } else if tasks.watcher.hasChanged {
        let changed = tasks.watcher.changed
        // Before they are read: what is saved after that is another change.
        let renewed = inputs.mapValues { $0.renewing(changed) }
        if unfinished.isEmpty, areKnown(changed) {
          inputs = renewed
          watch()
        } else {
          readAll(changed.contains { source(at: $0) != nil } ? .save : .asset)
        }
      } else if tasks.watcher.pause(milliseconds: 300), !tasks.watcher.hasChanged, !areCurrent {
        // A file may change twice within a tick of the clock, which its times do not show.
        readAll(.save)
      }
    }
  }

  // MARK: What changed

  /// Whether each view was made from the bytes that the changed files have now.
  private func areKnown(_ changed: [String]) -> Bool {
    !changed.isEmpty
      && inputs.allSatisfy { view, files in
        files.changed.allSatisfy { path in
          guard let known = source(at: path, in: loaded[view]) else { return false }
          return (texts[path] ?? (try? SceneFile.read(path))) == known.bytes
        }
      }
  }

  /// Whether the texts that were read are those of the files now; of those that are there. What a tab
  /// tries is in no file.
  private var areCurrent: Bool {
    let views = board.views.filter { $0.value.owner == nil }.keys
    return views.compactMap { loaded[$0] }.allSatisfy { scene in
      scene.sources.allSatisfy { source in
        guard !source.name.hasPrefix("std/"),
          let bytes = texts[source.name] ?? (try? SceneFile.read(source.name))
        else { return true }
        return bytes == source.bytes
      }
    }
  }

  /// The text of a file as it was read last, for any view.
  private func source(at path: String) -> SourceFile? {
    loaded.values.compactMap { source(at: path, in: $0) }.first
  }

  private func source(at path: String, in scene: LoadedScene?) -> SourceFile? {
    let place = Files.resolved(path) ?? path
    return scene?.sources.first {
      $0.name == path || (Files.resolved($0.name) ?? $0.name) == place
    }
  }

  private func watch() {
    tasks.watcher.watch(.union(inputs.values))
  }

  // MARK: An editor

  /// The text of a file as an editor has it.
  func show(_ bytes: [UInt8], of path: String) {
    let isNew = texts[path] != bytes && source(at: path)?.bytes != bytes
    texts[path] = bytes
    if isNew, path == self.path || source(at: path) != nil { readAll(.edit) }
  }

  /// The editor has let go of a file: it is what is saved again.
  func close(_ path: String) {
    guard let text = texts.removeValue(forKey: path) else { return }
    if (try? SceneFile.read(path)) != text, source(at: path) != nil { readAll(.edit) }
  }

  /// Marks the element at a place in all pages.
  func mark(_ offset: Int, in path: String) {
    guard let scene = loaded[Board.first], let record = scene.record,
      let file = scene.sources.firstIndex(where: { $0.name == path })
    else { return }
    let element = record.elements(at: offset, in: FileID(file)).first.map { record.elements[$0] }
    outlet.event("cursor", ["key": element.map { .string($0.key) } ?? .null], replaces: true)
  }

  /// What a file holds for who changes it: the text of the editor where it is open.
  func text(of path: String) -> [UInt8]? { texts[path] ?? (try? SceneFile.read(path)) }

  /// Whether the editor makes the change, which comes back as its text.
  func isForEditor(_ part: History.Part) -> Bool {
    guard texts[part.path] == part.before, let link else { return false }
    return link.edit(part.path, part.before, part.after)
  }

  // MARK: Reading

  func readAll(_ cause: Cause) {
    let views = board.views.filter { $0.value.owner == nil }.keys
    for view in views.sorted(by: { ($0 == Board.first ? "" : $0) < ($1 == Board.first ? "" : $1) })
    {
      read(view, cause)
    }
    for gone in Set(loaded.keys).subtracting(views) {
      loaded[gone] = nil
      unfinished.remove(gone)
      inputs[gone] = nil
    }
    watch()
  }

  /// Reads a new view.
  func readView(_ view: String) {
    read(view, .save)
    watch()
  }

  /// Reads one view; `open` are texts that stand in for files.
  func read(_ view: String, _ cause: Cause, open: [String: [UInt8]] = [:]) {
    guard let options = board[view]?.options else { return }
    let begun = clock.now
    crew.hold(true)
    defer { crew.hold(false) }
    let own = InputFiles([path])
    let open = texts.merging(open) { $1 }
    do throws(FileFault) {
      let bytes: [UInt8] = if let text = open[path] { text } else { try SceneFile.read(path) }
      let read = clock.now
      let pace = CheckPace(watching: view == Board.first ? tasks.watcher : nil, clock)
      var check = options.check(call)
      check.isCancelled = { pace.isOver }
      let loading = try session.begin(path, check, bytes: bytes, open: open)
      let scene = loading.scene
      inputs[view] = own.adding(scene.inputs)
      loaded[view] = scene
      if scene.wasCancelled { return fail(view, [Problem(CheckPace.fault)]) }
      let revision = publish(
        view, scene, cause,
        [
          "read": .double((read - begun).milliseconds),
          "check": .double((clock.now - read).milliseconds),
        ])
      let time = clock.now - begun
      // Where something is only tried, what is suspicious does not matter.
      var whole: LoadedScene? = scene
      if let revision, cause != .try {
        // From now on only a later save ends it.
        watch()
        pace.mayBeLeft()
        whole = loading.whole()
        unfinished = whole == nil ? unfinished.union([view]) : unfinished.subtracting([view])
        if let whole {
          revision.problems = Problem.all(whole.diagnostics, whole.sources)
          revision.tellProblems(outlet, to: board[view]?.owner)
        }
      }
      if view == Board.first, let whole { report.read(whole, time) }
    } catch {
      inputs[view] = own.adding(inputs[view] ?? InputFiles())
      fail(view, [Problem(error)])
    }
  }

  func report(line: String) { report.line("\(path): \(line)") }

  /// What would be wrong with the scene if its files had these texts.
  func fault(_ open: [String: [UInt8]]) -> String? {
    let options = board[Board.first]?.options ?? ViewOptions()
    do throws(FileFault) {
      let loading = try session.begin(
        path, options.check(call), bytes: open[path] ?? loaded[Board.first]?.source.bytes,
        open: texts.merging(open) { $1 })
      return loading.scene.diagnostics.first { $0.severity == .error }?.message
    } catch { return error.message }
  }

  private func publish(
    _ view: String, _ scene: LoadedScene, _ cause: Cause, _ milliseconds: JSON
  ) -> Revision? {
    guard let model = scene.model, !scene.isWrong else {
      fail(view, Problem.all(scene.diagnostics, scene.sources))
      return nil
    }
    let owner = board[view]?.owner
    let revision = outlet.asOne { () -> Revision? in
      guard let revision = board.publish(view, scene, model) else { return nil }
      outlet.event(
        "rev", revision.event(cause.rawValue, milliseconds), to: owner, replaces: true)
      return revision
    }
    // What pages look at comes right after.
    if let revision { crew.push(revision, to: owner) }
    return revision
  }

  private func fail(_ view: String, _ problems: [Problem]) {
    outlet.asOne {
      board.publish(view, faults: problems)
      outlet.event(
        "broken", ["view": .string(view), "list": .array(problems.map(\.answer))],
        to: board[view]?.owner, replaces: true)
    }
  }
}

extension Revision {
  func event(_ cause: String, _ milliseconds: JSON) -> [String: JSON] {
    [
      "view": .string(view), "rev": .int(number), "cause": .string(cause), "ms": milliseconds,
      "errors": 0, "warnings": problems.map { .int($0.count) } ?? .null,
    ]
  }

  /// Sends what is suspicious, if that is known.
  func tellProblems(_ outlet: Outlet, to tab: WebClient?) {
    guard let problems else { return }
    outlet.event(
      "problems",
      [
        "view": .string(view), "rev": .int(number), "list": .array(problems.map(\.answer)),
      ], to: tab, replaces: true)
  }
}

/// How long a check may go on: ten seconds, and while it looks for what is only suspicious until the
/// next save.
private final class CheckPace: Sendable {
  private static let longest = Duration.seconds(10)
  static let fault = FileFault(
    "the check was aborted after 10 s", help: "run 'scenec check', which has no time limit")

  private let clock: any TimeSource
  private let begun: ContinuousClock.Instant
  private let watcher: Watcher?
  private let isLeft = Atomic(false)

  init(watching watcher: Watcher?, _ clock: any TimeSource) {
    self.watcher = watcher
    self.clock = clock
    begun = clock.now
  }

  func mayBeLeft() { isLeft.store(true, ordering: .relaxed) }

  var isOver: Bool {
    if isLeft.load(ordering: .relaxed) { return watcher?.isOutdated == true }
    return clock.now - begun > CheckPace.longest
  }
}
