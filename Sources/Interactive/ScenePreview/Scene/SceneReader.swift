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

/// Loads and checks the scene whenever one of its files changes, for each view, and publishes the
/// results. Used by one thread.
///
/// Changes are handled immediately. A file whose bytes are already known counts as unchanged, so
/// the event of the preview's own write costs nothing. A change during a check triggers another
/// load afterward.
final class SceneReader {
  /// The cause of a new revision.
  enum Cause: String { case save, edit, `try`, undo, asset }

  let path: String
  private let call: CheckOptions
  private let session: Session
  private let tasks: ReaderTasks
  let registry: ViewRegistry
  private let pool: RenderPool
  let outlet: Outlet
  /// Reports loads on the terminal.
  private let report: Preview.Report
  private let clock: any TimeSource
  /// The last loaded scene of each view, valid or not.
  private var loaded: [String: LoadedScene] = [:]
  private var inputs: [String: InputFiles] = [:]
  /// The views whose warnings have not been computed.
  private var unfinished: Set<String> = []
  /// The trial of each tab.
  var tried: [WebClient: Trial] = [:]
  var history = History()
  /// The copied elements in source syntax. Pages never see them.
  var clipboard: [String] = []
  /// The images that pages can insert, which they name by number.
  var images: [String] = []
  /// The documents that an editor has open, saved or not, by path.
  private var documents: [String: EditorText] = [:]
  /// The connection to the editor that started the preview.
  var link: EditorLink?
  private static let longestWaitForEditor = Duration.seconds(5)
  /// Whether the watcher has reported an event since the files were last compared.
  private var hadEvent = false
  /// The table of `--data`.
  var table: RowTable?

  init(
    _ path: String, load: LoadOptions, check: CheckOptions, tasks: ReaderTasks,
    registry: ViewRegistry, pool: RenderPool, outlet: Outlet,
    report: Preview.Report, clock: any TimeSource
  ) {
    self.clock = clock
    self.path = path
    var call = check
    call.recordsElements = true
    self.call = call
    session = Session(load)
    self.tasks = tasks
    self.registry = registry
    self.pool = pool
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
        // Taken before loading, so that a later save counts as another change.
        let renewed = inputs.mapValues { $0.renewing(changed) }
        if unfinished.isEmpty, areKnown(changed) {
          inputs = renewed
          watch()
        } else {
          readAll(changed.contains { $0 == path || source(at: $0) != nil } ? .save : .asset)
        }
      } else if hadEvent {
        // A file may change twice within the resolution of its modification time.
        hadEvent = false
        if !areCurrent { readAll(.save) }
      } else {
        hadEvent = tasks.watcher.pause(milliseconds: 300)
      }
    }
  }

  // MARK: Changes

  /// Returns whether each view was loaded from the current bytes of the changed files.
  private func areKnown(_ changed: [String]) -> Bool {
    !changed.isEmpty
      && inputs.allSatisfy { view, files in
        files.changed.allSatisfy { path in
          guard let known = source(at: path, in: loaded[view]) else { return false }
          return text(of: documentPath(of: known)) == known.bytes
        }
      }
  }

  /// Whether the loaded texts equal the current files, ignoring missing files and trials.
  private var areCurrent: Bool {
    let views = registry.views.filter { $0.value.owner == nil }.keys
    return views.compactMap { loaded[$0] }.allSatisfy { scene in
      scene.sources.allSatisfy { source in
        guard !source.name.hasPrefix("std/") else { return true }
        guard let bytes = text(of: documentPath(of: source)) else { return true }
        return bytes == source.bytes
      }
    }
  }

  /// Returns whether a view, except for trials, lacks the current text of a file that the editor
  /// opened, changed or closed.
  private func isOutdated(at path: String) -> Bool {
    let bytes = text(of: path)
    return registry.views.contains { name, view in
      guard view.owner == nil else { return false }
      if let source = loaded[name]?.sources.first(where: { documentPath(of: $0) == path }) {
        return source.bytes != bytes
      }
      // A missing file is an input of the failed load, but not one of its sources.
      guard view.errors != nil, let paths = inputs[name]?.paths else { return false }
      return paths.contains { $0 == path || Files.resolvingFolders(of: $0) == path }
    }
  }

  /// Returns the path that the editor uses for a source: that of the scene as given, other paths
  /// with links in their folders resolved.
  func documentPath(of source: SourceFile) -> String {
    source.name == path || source.name.hasPrefix("std/")
      ? source.name : Files.resolvingFolders(of: source.name)
  }

  /// Returns the last loaded text of a file, for any view.
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

  // MARK: Editor

  /// Sets the text of a document that an editor has open.
  func show(_ document: EditorText, of path: String) {
    documents[path] = document
    if isOutdated(at: path) { readAll(.edit) }
  }

  /// Removes a document that the editor closed. The saved file is used again.
  func close(_ path: String) {
    guard documents.removeValue(forKey: path) != nil else { return }
    if isOutdated(at: path) { readAll(.edit) }
  }

  /// Marks the element at a source location in all pages.
  func mark(_ offset: Int, in path: String) {
    guard let scene = loaded[ViewRegistry.first], let record = scene.record,
      let file = scene.sources.firstIndex(where: { documentPath(of: $0) == path })
    else { return }
    let element = record.elements(at: offset, in: FileID(file)).first.map { record.elements[$0] }
    outlet.event("cursor", ["key": element.map { .string($0.key) } ?? .null], replaces: true)
  }

  /// Returns the current text of a file: the editor's version if it is open, otherwise the saved
  /// one.
  func text(of path: String) -> [UInt8]? { documents[path]?.bytes ?? (try? SceneFile.read(path)) }

  private var openTexts: [String: [UInt8]] { documents.mapValues(\.bytes) }

  /// Splits changes into those of documents that are open in the editor, and those of files.
  func split(_ parts: [History.Part]) throws(Refusal) -> (
    open: [EditorLink.Change], saved: [History.Part]
  ) {
    var open: [EditorLink.Change] = []
    var saved: [History.Part] = []
    for part in parts {
      let isOpen = documents[part.path] != nil
      // The file itself may be a link to a document.
      let path = isOpen ? part.path : Files.resolved(part.path) ?? part.path
      guard let document = documents[path] else {
        saved.append(part)
        continue
      }
      guard document.bytes == part.before else {
        throw Refusal("changed", "'\(part.path)' has changed in the editor")
      }
      open.append(EditorLink.Change(path: path, document: document, after: part.after))
    }
    return (open, saved)
  }

  /// Passes changes to the editor and waits until it has applied them. Returns whether a changed
  /// text has arrived; the others arrive later.
  func passToEditor(_ changes: [EditorLink.Change]) throws(Refusal) -> Bool {
    guard let link, !changes.isEmpty else { return false }
    guard let edit = link.edit(changes) else {
      throw Refusal(
        "refused", "the editor has not responded to the previous change; confirm it there")
    }
    let end = clock.now + SceneReader.longestWaitForEditor
    switch wait(until: end, { link.outcome(of: edit) }) {
    case nil:
      throw Refusal(
        "refused", "the editor has not responded within 5 s; it may still apply the change")
    case .changed(let reason): throw Refusal("changed", reason)
    case .refused(let reason): throw Refusal("refused", reason)
    case .applied: break
    }
    // The changed texts arrive before or after the response.
    var hasArrived = false
    for change in changes {
      guard case .some(.some(let text)) = wait(until: end, { link.takeText(of: change.path) })
      else { continue }
      documents[change.path] = text
      hasArrived = true
    }
    return hasArrived
  }

  /// Waits until `body` returns a value, at most until a time. Returns `nil` after it.
  private func wait<Result>(
    until end: ContinuousClock.Instant, _ body: () -> Result?
  ) -> Result? {
    while true {
      if let result = body() { return result }
      guard clock.now < end, !tasks.isEnded else { return nil }
      if tasks.watcher.pause(milliseconds: 300) { hadEvent = true }
    }
  }

  // MARK: Loading

  func readAll(_ cause: Cause) {
    // A change of the scene may add a param for a column.
    table?.read(documents[path]?.bytes)
    let views = registry.views.filter { $0.value.owner == nil }.keys
    for view in views.sorted(by: {
      ($0 == ViewRegistry.first ? "" : $0) < ($1 == ViewRegistry.first ? "" : $1)
    }) {
      read(view, cause)
    }
    for gone in Set(inputs.keys).subtracting(views) {
      loaded[gone] = nil
      unfinished.remove(gone)
      inputs[gone] = nil
    }
    watch()
  }

  /// Loads a new view.
  func readView(_ view: String) {
    read(view, .save)
    watch()
  }

  /// Loads one view. `open` contains texts that replace files.
  func read(_ view: String, _ cause: Cause, open: [String: [UInt8]] = [:]) {
    guard let options = registry[view]?.options else { return }
    let begun = clock.now
    pool.hold(true)
    defer { pool.hold(false) }
    let own = InputFiles([path] + [table?.file].compactMap { $0 })
    let open = openTexts.merging(open) { $1 }
    do throws(FileError) {
      let bytes: [UInt8] = if let text = open[path] { text } else { try SceneFile.read(path) }
      let read = clock.now
      let pace = CheckPace(watching: view == ViewRegistry.first ? tasks.watcher : nil, clock)
      var check = options.check(call, table)
      check.isCancelled = { pace.isOver }
      let loading = try session.begin(path, check, bytes: bytes, open: open)
      let scene = loading.scene
      inputs[view] = own.adding(scene.inputs)
      loaded[view] = scene
      if scene.wasCancelled { return fail(view, [Problem(CheckPace.failure)]) }
      let revision = publish(
        view, scene: scene, cause: cause,
        milliseconds: [
          "read": .double((read - begun).milliseconds),
          "check": .double((clock.now - read).milliseconds),
        ])
      let time = clock.now - begun
      // Trials need no warnings.
      var whole: LoadedScene? = scene
      if let revision, cause != .try {
        // From here on, only a later save cancels the check.
        watch()
        pace.mayBeLeft()
        whole = loading.whole()
        unfinished = whole == nil ? unfinished.union([view]) : unfinished.subtracting([view])
        if let whole {
          revision.problems = Problem.all(whole.diagnostics, whole.sources)
          revision.tellProblems(outlet, to: registry[view]?.owner)
          pool.judge(revision)
        }
      }
      if view == ViewRegistry.first, let whole { report.read(whole, time) }
    } catch {
      // A file that changed before this attempt would otherwise cause another one immediately.
      inputs[view] = own.adding(inputs[view]?.renewed ?? InputFiles())
      // The view must be loaded again even if the same text returns.
      loaded[view] = nil
      fail(view, [Problem(error)])
    }
  }

  func report(line: String) { report.line("\(path): \(line)") }

  /// Returns the first error of the scene with some replaced texts, or else the result of `verify`.
  func failure(_ open: [String: [UInt8]], _ verify: (LoadedScene) -> String?) -> String? {
    let options = registry[ViewRegistry.first]?.options ?? ViewOptions()
    do throws(FileError) {
      let loading = try session.begin(
        path, options.check(call, table),
        bytes: open[path] ?? loaded[ViewRegistry.first]?.source.bytes,
        open: openTexts.merging(open) { $1 })
      return loading.scene.diagnostics.first { $0.severity == .error }?.message
        ?? verify(loading.scene)
    } catch { return error.message }
  }

  private func publish(
    _ view: String, scene: LoadedScene, cause: Cause, milliseconds: JSON
  ) -> Revision? {
    let scene = scene.asBuilt
    guard let model = scene.model, !scene.isWrong else {
      fail(view, Problem.all(scene.diagnostics, scene.sources))
      return nil
    }
    let owner = registry[view]?.owner
    let revision = outlet.asOne { () -> Revision? in
      guard let revision = registry.publish(view, scene: scene, model: model) else { return nil }
      outlet.event(
        "rev", revision.event(cause.rawValue, milliseconds), to: owner, replaces: true)
      return revision
    }
    // The visible frames are rendered immediately afterward.
    if let revision { pool.push(revision, to: owner) }
    return revision
  }

  private func fail(_ view: String, _ problems: [Problem]) {
    outlet.asOne {
      registry.publish(view, errors: problems)
      outlet.event(
        "broken", ["view": .string(view), "list": .array(problems.map(\.answer))],
        to: registry[view]?.owner, replaces: true)
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

  /// Sends the warnings if they have been computed.
  func tellProblems(_ outlet: Outlet, to tab: WebClient?) {
    guard let problems else { return }
    outlet.event(
      "problems",
      [
        "view": .string(view), "rev": .int(number), "list": .array(problems.map(\.answer)),
      ], to: tab, replaces: true)
  }
}

/// Cancels a check. The search for errors has a time limit of ten seconds; the search for warnings
/// has none, but ends as soon as a watched file changes.
private final class CheckPace: Sendable {
  private static let longest = Duration.seconds(10)
  static let failure = FileError(
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
