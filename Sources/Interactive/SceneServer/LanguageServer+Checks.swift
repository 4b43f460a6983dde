// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneEditing
import SceneJSON
import SceneSyntax
import SceneSystem
import SceneText

// Checks, and the publication of their diagnostics.
extension LanguageServer {
  /// The number of interruptions after which a check runs to completion.
  private static let patience = 3
  /// The maximum time that a response waits for values.
  private static let longestWait = Duration.milliseconds(150)
  private static let greatestCount = 500

  /// Schedules a check of a text.
  func wish(_ uri: String, after pause: Duration) {
    if settings.checking == .onSave, !checks.isSaved.contains(uri) { return }
    checks.pending[uri] = Checks.Pending(due: clock.now + pause)
  }

  func reads(_ open: String, _ uri: String) -> Bool {
    guard let path = FileURI.path(uri) else { return false }
    return checks.done[open]?.scene.sources.contains { $0.name == path } == true
  }

  func close(_ uri: String) {
    checks.forget(uri)
    world.forget(LanguageServer.path(of: uri))
    sentTokens[uri] = nil
    playheads[uri] = nil
    let files = checks.published.removeValue(forKey: uri) ?? []
    if client.pulls { return }
    for file in files.sorted() { publish(file, from: uri) }
  }

  /// Performs the pending work: a check, or the publication of hidden diagnostics.
  func work() {
    let now = clock.now
    for (uri, due) in checks.held where due <= now && checks.pending[uri] == nil {
      checks.held[uri] = nil
      show(uri)
    }
    let next = checks.pending.filter { $0.value.due <= now }.min {
      ($0.key == lastDocument ? 0 : 1, $0.value.due, $0.key)
        < ($1.key == lastDocument ? 0 : 1, $1.value.due, $1.key)
    }
    guard let (uri, wish) = next else {
      // Hidden diagnostics of a text with a pending check are published after that check.
      for uri in checks.held.keys where checks.pending[uri] != nil { checks.held[uri] = nil }
      return
    }
    let socket = self.socket
    let isPatient = wish.rounds < LanguageServer.patience
    if !check(uri, isCancelled: { isPatient && Files.hasInput([socket], within: 0) }) {
      checks.pending[uri]?.rounds += 1
    }
    returnMemory()
  }

  /// Checks a text now if that is fast enough, so that responses contain values.
  func settle(_ uri: String) {
    guard checks.pending[uri] != nil, settings.checking == .all,
      (checks.done[uri]?.length ?? .zero) < LanguageServer.longestWait
    else { return }
    let end = clock.now + LanguageServer.longestWait
    _ = check(uri, isCancelled: { [clock] in clock.now > end })
  }

  /// Checks a text, and returns whether the check was completed.
  @discardableResult
  func check(_ uri: String, isCancelled: @escaping @Sendable () -> Bool) -> Bool {
    guard let document = documents[uri] else {
      checks.pending[uri] = nil
      return true
    }
    let path = LanguageServer.path(of: uri)
    if quarantined.contains(uri) || isOfLibrary(uri) {
      checks.pending[uri] = nil
      checks.done[uri] = nil
      if !client.pulls { publish(path, from: uri) }
      return true
    }
    if document.source.bytes.count > LanguageServer.greatestText {
      let source = SourceFile(id: FileID(0), name: path, bytes: document.source.bytes)
      let failure = Diagnostic(
        .limitExceeded,
        "the file has \(source.bytes.count) bytes, more than the limit of \(LanguageServer.greatestText) for editors",
        at: source.span(0, 0), label: "not checked in the editor",
        notes: [Note(help: "run 'scenec check', or split the file and import the parts")])
      let found = CheckedScene(diagnostics: [failure], sources: [source], record: nil)
      finish(uri, path: path, version: document.version, scene: found, after: .zero)
      return true
    }
    if settings.checking == .syntax, !checks.isSaved.contains(uri) {
      let facts = FileFacts(document.source.bytes, name: path)
      let found = CheckedScene(
        diagnostics: facts.parsed.diagnostics, sources: [facts.source], record: nil)
      finish(uri, path: path, version: document.version, scene: found, after: .zero)
      return true
    }
    var open: [String: [UInt8]] = [:]
    for other in documents.open.values {
      if let path = FileURI.path(other.uri) { open[path] = other.source.bytes }
    }
    let begun = clock.now
    guard
      let found = world.check(path, document.source.bytes, open: open, isCancelled: isCancelled)
    else { return false }
    finish(uri, path: path, version: document.version, scene: found, after: clock.now - begun)
    return true
  }

  private func finish(
    _ uri: String, path: String, version: Int, scene found: CheckedScene, after length: Duration
  ) {
    checks.pending[uri] = nil
    let found = FileURI.path(uri) == nil ? found.withoutFiles : found
    checks.finish(uri, version: version, scene: found, after: length)
    let names = Set(found.sources.map(\.name).filter { !$0.hasPrefix("std/") })
    let wrong = found.diagnostics.compactMap { name(of: $0.span.file, in: found) }
      .filter { !$0.hasPrefix("std/") }
    let before = checks.published[uri] ?? []
    checks.published[uri] = Set(wrong + [path]).intersection(names.union([path]))
    show(uri, before)
    if client.refreshesHints, settings.checking == .all { request("workspace/inlayHint/refresh") }
    if client.refreshesLenses { request("workspace/codeLens/refresh") }
  }

  /// Resets the published diagnostics when a text is opened.
  func published(by uri: String) {
    checks.published[uri] = []
  }

  private func show(_ uri: String, _ before: Set<String> = []) {
    if client.pulls {
      // The client pulls the diagnostics of the changed text itself, but those of other texts may
      // have changed as well.
      if documents.open.count > 1 || !before.isEmpty || checks.held[uri] != nil {
        request("workspace/diagnostic/refresh")
      }
      return
    }
    for file in before.union(checks.published[uri] ?? []).sorted() { publish(file, from: uri) }
  }

  private func name(of file: FileID, in scene: CheckedScene) -> String? {
    let index = Int(file.rawValue)
    return scene.sources.indices.contains(index) ? scene.sources[index].name : nil
  }

  // MARK: Diagnostics

  /// Returns the diagnostics of all open scenes for a file, without duplicates.
  func diagnostics(of path: String) -> [JSON] {
    var seen: Set<JSON> = []
    var list: [JSON] = []
    for (open, done) in checks.done.sorted(by: { $0.key < $1.key })
    where checks.published[open]?.contains(path) == true {
      let isOwn = LanguageServer.path(of: open) == path
      let shown =
        isOwn
        ? checks.shown(open)
        : done.scene.diagnostics.filter { name(of: $0.span.file, in: done.scene) == path }
      var found = shown.map { json($0, in: done.scene) }
      if isOwn { found += invalidImports(of: open, done.scene) }
      for it in found where seen.insert(it).inserted { list.append(it) }
    }
    guard list.count > LanguageServer.greatestCount else { return list }
    let more = list.count - LanguageServer.greatestCount + 1
    var last = list[LanguageServer.greatestCount - 1]
    if case .object(var members) = last {
      members["message"] = .string("and \(more) more; fix these errors first")
      members["relatedInformation"] = nil
      last = .object(members)
    }
    return list.prefix(LanguageServer.greatestCount - 1) + [last]
  }

  /// Returns errors at the imports of files that contain errors.
  private func invalidImports(of uri: String, _ scene: CheckedScene) -> [JSON] {
    let errors = scene.diagnostics.filter { $0.severity == .error && $0.span.file != FileID(0) }
    // The workspace reads all files of the folder.
    guard !errors.isEmpty, let own = scene.sources.first,
      let facts = workspace.files[key(of: uri)], facts.source.bytes == own.bytes
    else { return [] }
    return facts.index.imports.compactMap { imported -> JSON? in
      guard !imported.path.hasPrefix("std/"), let home = FileURI.path(uri) else { return nil }
      let path = FileURI.path(imported.path, besides: home)
      let errors = errors.filter { name(of: $0.span.file, in: scene) == path }
      guard let first = errors.first,
        let link = facts.fileLinks.first(where: { $0.path == imported.path })
      else { return nil }
      let count = "\(errors.count) error\(errors.count == 1 ? "" : "s")"
      var it: [String: JSON] = [
        "range": own.json(link.range, documents.encoding), "severity": 1, "source": "scenec",
        "code": .string(first.code.rawValue),
        "message": .string("'\(imported.path)' has \(count)"),
      ]
      if client.takesRelated {
        it["relatedInformation"] = .array(
          errors.prefix(10).map { related($0.message, at: $0.span, in: scene) })
      }
      return .object(it)
    }
  }

  /// Returns related information: a location with a message.
  func related(_ message: String, at span: SourceSpan, in scene: CheckedScene) -> JSON {
    let source = scene.sources[Int(span.file.rawValue)]
    let uri =
      documents.open.keys.first { FileURI.path($0) == source.name } ?? FileURI.uri(source.name)
    return [
      "location": [
        "uri": .string(uri), "range": source.json(span.start..<span.end, documents.encoding),
      ],
      "message": .string(message),
    ]
  }

  func publish(_ path: String, from root: String?) {
    let uri =
      documents.open.keys.first { LanguageServer.path(of: $0) == path }
      ?? root.flatMap { LanguageServer.path(of: $0) == path ? $0 : nil } ?? FileURI.uri(path)
    var parameters: [String: JSON] = [
      "uri": .string(uri), "diagnostics": .array(diagnostics(of: path)),
    ]
    if let version = documents[uri]?.version { parameters["version"] = .int(version) }
    notify("textDocument/publishDiagnostics", .object(parameters))
  }

  /// Responds to a `textDocument/diagnostic` request, and checks the text first if its results are
  /// outdated. A newer message interrupts the check, but only `patience` times in a row. The
  /// response includes the closed files that the text reads, if the client supports this.
  func pulled(_ question: Question) throws(RequestError) -> JSON {
    let uri = question.uri
    if checks.pending[uri] != nil || checks.done[uri] == nil {
      let socket = self.socket
      let isPatient = (checks.pending[uri]?.rounds ?? 0) < LanguageServer.patience
      if checks.pending[uri] == nil { checks.pending[uri] = Checks.Pending(due: clock.now) }
      if !check(uri, isCancelled: { isPatient && Files.hasInput([socket], within: 0) }) {
        checks.pending[uri]?.rounds += 1
        throw RequestError(code: .serverCancelled, text: "a newer message interrupted the check")
      }
    }
    let path = LanguageServer.path(of: uri)
    var report = LanguageServer.report(
      diagnostics(of: path), previous: question.parameters["previousResultId"].string)
    let open = Set(documents.open.keys.map(LanguageServer.path))
    let others = (checks.published[uri] ?? []).subtracting(open)
    if client.takesRelatedDocuments, !others.isEmpty, case .object(var members) = report {
      members["relatedDocuments"] = .object(
        Dictionary(
          uniqueKeysWithValues: others.map {
            (FileURI.uri($0), LanguageServer.report(diagnostics(of: $0), previous: nil))
          }))
      report = .object(members)
    }
    return report
  }

  private static func report(_ items: [JSON], previous: String?) -> JSON {
    // FNV-1a: equal lists have equal hashes in every process.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in JSON.array(items).bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let id = String(hash, radix: 16)
    return previous == id
      ? ["kind": "unchanged", "resultId": .string(id)]
      : ["kind": "full", "resultId": .string(id), "items": .array(items)]
  }
}

extension CheckedScene {
  /// The result without errors about missing files, for an unsaved text whose location is unknown.
  fileprivate var withoutFiles: CheckedScene {
    let files: Set<Code> = [.fileNotFound, .outsideRoot, .undecodable]
    return CheckedScene(
      diagnostics: diagnostics.filter { !files.contains($0.code) }, sources: sources,
      record: record, session: session)
  }
}
