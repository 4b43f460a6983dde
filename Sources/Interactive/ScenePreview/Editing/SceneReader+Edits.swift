// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneEditing
import SceneFiles
import SceneJSON
import ScenePlayhead
import SceneSession
import SceneSyntax
import SceneSystem
import SceneText
import SceneWeb

// Edits requested by pages, either tried in memory or written to files.
extension SceneReader {
  /// The texts of a revision's files with some changes applied, by path.
  private struct Texts {
    var files: [String: [UInt8]] = [:]
    /// The edits at the playhead, whose values are verified in the new scene.
    var results: [FrameEdit.Result] = []

    /// Returns the label of the edit, with the number of elements that it changes.
    func label(_ words: String) -> String {
      let uses = results.map(\.uses).max() ?? 1
      return uses > 1 ? "\(words), \(uses) elements" : words
    }

    /// Returns the reason that the new scene lacks a requested value; `nil` if it has all of them.
    func failure(in scene: LoadedScene) -> String? {
      results.lazy.compactMap { $0.failure(in: scene) }.first
    }
  }

  private func texts(_ wanted: Wanted, _ revision: Revision) throws(Refusal) -> Texts {
    var results: [FrameEdit.Result] = []
    var parsed: [Int: Parsed] = [:]
    for (file, own) in Dictionary(grouping: wanted.changes, by: \.file) {
      let before = try source(of: file, in: revision, hashes: own.compactMap(\.hash))
      var pairs: [(Literal, Literal.Value)] = []
      for change in own {
        let span = before.tree.file.span(change.start, change.end)
        guard let literal = before.tree.literals(in: span).first, literal.span == span,
          literal.text == change.old
        else { throw Refusal("changed", "'\(change.old)' has changed in the file") }
        pairs.append((literal, change.value))
      }
      guard let bytes = before.writing(pairs) else {
        throw Refusal("value", "the value cannot be written here")
      }
      parsed[file] = read(bytes, before)
    }
    for property in wanted.properties {
      let element = try element(property.key, of: revision)
      let (file, before) = try untouched(element.whole, in: revision, changed: parsed.keys)
      guard let bytes = before.adding(property.text, to: element.whole) else {
        throw Refusal("value", "'\(property.name)' cannot be added here")
      }
      parsed[file] = read(bytes, before)
    }
    for length in wanted.lengths {
      let properties = try element(length.key, of: revision).properties
      guard let effects = properties.first(where: { $0.property == length.property }) else {
        throw .gone
      }
      let (file, before) = try untouched(effects.value, in: revision, changed: parsed.keys)
      guard let bytes = before.adding("over \(length.value)", behind: effects.value) else {
        throw Refusal("value", "a duration cannot be added here")
      }
      parsed[file] = read(bytes, before)
    }
    try remove(wanted.removals, from: revision, in: &parsed)
    try results = apply(wanted.edits, to: revision, in: &parsed)
    if let insertion = wanted.insertion {
      let (file, bytes) = try text(inserting: insertion, in: revision)
      guard parsed.isEmpty else {
        throw Refusal("value", "an insertion cannot be combined with other changes")
      }
      parsed[file] = read(bytes, try source(of: file, in: revision, hashes: []))
    }
    if let reordering = wanted.reordering {
      guard parsed.isEmpty else {
        throw Refusal("value", "a new place cannot be combined with other changes")
      }
      let (file, bytes) = try text(reordering, in: revision)
      parsed[file] = read(bytes, try source(of: file, in: revision, hashes: []))
    }
    let files = Dictionary(
      parsed.values.map { it in
        (documentPath(of: it.tree.file), it.tree.file.bytes)
      }
    ) { $1 }
    return Texts(files: files, results: results)
  }

  /// Removes elements, the last ones first.
  private func remove(
    _ removals: [Removal], from revision: Revision, in parsed: inout [Int: Parsed]
  ) throws(Refusal) {
    var wholes: [SourceSpan] = []
    for removal in removals {
      let element = try element(removal.key, of: revision)
      guard element.parent != nil, !element.isTransition else {
        throw Refusal("fixed", "'\(element.kind)' cannot be deleted here")
      }
      wholes.append(element.whole)
    }
    let outer = Set(wholes).filter { span in
      !wholes.contains {
        $0 != span && $0.file == span.file && $0.start <= span.start && span.end <= $0.end
      }
    }
    let others = Set(parsed.keys)
    for (file, spans) in Dictionary(grouping: outer, by: \.file) {
      let (index, before) = try untouched(
        SourceSpan(file: file, start: 0, end: 0), in: revision, changed: others)
      guard let bytes = before.removing(spans) else {
        throw Refusal("value", "the element cannot be deleted here")
      }
      parsed[index] = read(bytes, before)
    }
  }

  /// Applies edits at the playhead, all of them to the same text.
  private func apply(
    _ edits: [FrameEdit], to revision: Revision, in parsed: inout [Int: Parsed]
  ) throws(Refusal) -> [FrameEdit.Result] {
    var results: [FrameEdit.Result] = []
    var pieces: [SourceSpan: ScenePlayhead.TextEdit.Piece] = [:]
    for edit in edits {
      let result = try resolved(edit, in: revision)
      results.append(result)
      for piece in result.text.pieces {
        if let other = pieces[piece.span], other != piece {
          throw Refusal(
            "fixed", "the elements share a value, so that they cannot be changed independently")
        }
        pieces[piece.span] = piece
      }
    }
    let others = Set(parsed.keys)
    for (_, own) in Dictionary(grouping: pieces.values, by: \.span.file) {
      let (file, before) = try untouched(own[0].span, in: revision, changed: others)
      guard
        let bytes = ScenePlayhead.TextEdit(file: own[0].span.file, pieces: own, place: "").applied(
          to: before)
      else { throw Refusal("value", "the value cannot be written here") }
      parsed[file] = read(bytes, before)
    }
    return results
  }

  private func resolved(_ edit: FrameEdit, in revision: Revision) throws(Refusal)
    -> FrameEdit.Result
  {
    let rows = SceneAnswer(revision, isReadOnly: false).rows()
    guard let row = rows.first(where: { $0.key == edit.key }),
      row.elements.indices.contains(edit.round), case let index = row.elements[edit.round],
      var answer = ElementAnswer(revision, element: index, isReadOnly: false)
    else { throw .gone }
    return try answer.resolved(edit, index: index)
  }

  func element(_ key: String, of revision: Revision) throws(Refusal)
    -> SceneRecord.Element
  {
    guard let it = revision.scene.record?.elements.first(where: { $0.key == key }) else {
      throw .gone
    }
    return it
  }

  /// Returns the file of a location. Throws if other changes affect the same file, which would move
  /// the location.
  private func untouched(
    _ place: SourceSpan, in revision: Revision, changed: some Collection<Int>
  ) throws(Refusal) -> (Int, Parsed) {
    let file = Int(place.file.rawValue)
    guard !changed.contains(file) else {
      throw Refusal("value", "the request changes this file more than once")
    }
    return (file, try source(of: file, in: revision, hashes: []))
  }

  func source(of file: Int, in revision: Revision, hashes: [String]) throws(Refusal)
    -> Parsed
  {
    guard revision.scene.sources.indices.contains(file),
      case let source = revision.scene.sources[file], !source.name.hasPrefix("std/")
    else { throw Refusal("fixed", "the file cannot be changed") }
    guard hashes.allSatisfy({ $0 == source.contentHash }) else {
      throw Refusal("changed", "the file has changed since it was read")
    }
    return parse(SourceFile(id: FileID(0), name: source.name, bytes: source.bytes))
  }

  private func read(_ bytes: [UInt8], _ before: Parsed) -> Parsed {
    parse(SourceFile(id: FileID(0), name: before.tree.file.name, bytes: bytes))
  }

  func revision(_ request: Request) throws(Refusal) -> Revision {
    let view = request["view"].string ?? ViewRegistry.first
    let base = tried[request.tab]?.base ?? view
    guard let revision = registry.revision(tried[request.tab]?.view == view ? base : view, nil)
    else {
      throw .gone
    }
    return revision
  }

  /// The changes in a request.
  private struct Wanted {
    var changes: [Change] = []
    var properties: [NewProperty] = []
    var lengths: [NewLength] = []
    var removals: [Removal] = []
    var edits: [FrameEdit] = []
    var insertion: Insertion?
    var reordering: Reordering?

    var isEmpty: Bool {
      changes.isEmpty && properties.isEmpty && lengths.isEmpty && removals.isEmpty
        && edits.isEmpty && insertion == nil && reordering == nil
    }

    init(_ request: Request) throws(Refusal) {
      for json in request["changes"].array.prefix(256) {
        if !json["set"].isNull {
          properties.append(try NewProperty(json))
        } else if !json["over"].isNull {
          lengths.append(try NewLength(json))
        } else if !json["remove"].isNull {
          removals.append(try Removal(json))
        } else if !json["insert"].isNull {
          guard insertion == nil else { throw Refusal("message", "several insertions at once") }
          insertion = try Insertion(json)
        } else if !json["beside"].isNull {
          guard reordering == nil else { throw Refusal("message", "several new places at once") }
          reordering = try Reordering(json)
        } else if !json["edit"].isNull {
          edits.append(try FrameEdit(json))
        } else {
          changes.append(try Change(json))
        }
      }
    }
  }

  /// Shows changes in a private view of one tab without writing them.
  func attempt(_ request: Request) throws(Refusal) -> [String: JSON] {
    let wanted = try Wanted(request)
    let revision = try revision(request)
    guard !wanted.isEmpty else {
      if let own = tried.removeValue(forKey: request.tab) { registry.drop(own.view) }
      return ["view": .string(revision.view), "rev": .int(revision.number), "problems": []]
    }
    let texts = try texts(wanted, revision)
    let own: Trial
    if let known = tried[request.tab], known.base == revision.view, registry[known.view] != nil {
      own = known
    } else {
      let options = registry[revision.view]?.options ?? ViewOptions()
      own = Trial(
        base: revision.view, view: registry.view(options, trial: (request.tab, revision.view)).name)
      tried[request.tab] = own
    }
    read(own.view, .try, open: texts.files)
    let made = registry[own.view]
    let problems = made?.errors ?? made?.newest?.problems ?? []
    if made?.errors == nil, let scene = made?.newest?.scene, let reason = texts.failure(in: scene) {
      throw Refusal("fixed", reason)
    }
    return [
      "view": .string(own.view), "rev": made?.newest.map { .int($0.number) } ?? .null,
      "problems": .array(problems.map(\.answer)),
      "places": .array(texts.results.map { .string($0.place) }),
    ]
  }

  /// Writes changes if the resulting scene is valid.
  func edit(_ request: Request) throws(Refusal) -> [String: JSON] {
    let revision = try revision(request)
    let wanted = try Wanted(request)
    let texts = try texts(wanted, revision)
    var parts: [History.Part] = []
    for (path, bytes) in texts.files.sorted(by: { $0.key < $1.key }) {
      guard let known = text(of: path),
        revision.scene.sources.contains(where: { $0.bytes == known })
      else { throw Refusal("changed", "'\(path)' has changed since it was read") }
      // An edit that changes nothing is not a step of undo.
      if bytes == known { continue }
      parts.append(History.Part(path: path, before: known, after: bytes))
    }
    let label = texts.label(request["label"].string.map { String($0.prefix(100)) } ?? "change")
    guard !parts.isEmpty else { return [:] }
    try write(parts, .edit) { texts.failure(in: $0) }
    history.add(History.Entry(label: label, files: parts))
    tellHistory()
    report(line: "\(label) (preview)")
    var made =
      try wanted.insertion.map { it throws(Refusal) in try keys(of: it, in: revision) } ?? []
    if let it = wanted.reordering { made = keys(of: it, in: revision) }
    return [
      "hash": .string(registry[ViewRegistry.first]?.newest?.scene.source.contentHash ?? ""),
      "keys": .array(made.map { .string($0) }),
    ]
  }

  /// Applies a fix of a diagnostic.
  func fix(_ request: Request) throws(Refusal) -> [String: JSON] {
    let view = registry[request["view"].string ?? ViewRegistry.first]
    let problems = view?.errors ?? view?.newest?.problems ?? []
    guard let number = request["problem"].int, problems.indices.contains(number),
      let index = request["fix"].int, problems[number].fixes.indices.contains(index)
    else { throw .gone }
    let fix = problems[number].fixes[index]
    guard !fix.source.name.hasPrefix("std/") else {
      throw Refusal("fixed", "library files cannot be changed")
    }
    let bytes = fix.source.bytes
    let changed =
      Array(bytes[..<fix.change.span.start]) + Array(fix.change.replacement.utf8)
      + bytes[fix.change.span.end...]
    let part = History.Part(path: documentPath(of: fix.source), before: bytes, after: changed)
    try write([part], .edit, mayBeWrong: true)
    history.add(History.Entry(label: fix.change.message, files: [part]))
    tellHistory()
    report(line: "\(fix.change.message) (preview)")
    return ["label": .string(fix.change.message)]
  }

  func step(back: Bool) throws(Refusal) -> [String: JSON] {
    var refusal = Refusal("none", back ? "nothing to undo" : "nothing to redo")
    let entry = history.step(back: back) { parts in
      // The editor has applied the step after the preview stopped waiting.
      if parts.allSatisfy({ text(of: $0.path) == $0.after }) { return .made(parts) }
      var moved: [History.Part] = []
      for part in parts {
        guard let now = text(of: part.path), let own = part.moved(to: now) else {
          refusal = Refusal("changed", "the file has changed since this edit")
          return .inapplicable
        }
        moved.append(own)
      }
      do throws(Refusal) {
        try write(moved, .undo, mayBeWrong: true)
        return .made(moved)
      } catch {
        refusal = error
        return .refused
      }
    }
    tellHistory()
    guard let entry else { throw refusal }
    return ["label": .string(entry.label)]
  }

  /// Writes all files or none. An invalid scene is not written.
  private func write(
    _ parts: [History.Part], _ cause: Cause, mayBeWrong: Bool = false,
    verify: (LoadedScene) -> String? = { _ in nil }
  ) throws(Refusal) {
    let after = Dictionary(parts.map { ($0.path, $0.after) }) { $1 }
    if !mayBeWrong, let wrong = failure(after, verify) { throw Refusal("wrong", wrong) }
    let (open, saved) = try split(parts)
    var written: [History.Part] = []
    var hasArrived = false
    do throws(Refusal) {
      for part in saved {
        switch FileSwap.replace(part.path, part.before, by: part.after) {
        case .done: written.append(part)
        case .refused(let reason): throw Refusal("refused", reason)
        case .changed: throw Refusal("changed", "'\(part.path)' was saved by another program")
        }
      }
      hasArrived = try passToEditor(open)
    } catch {
      for old in written { _ = FileSwap.replace(old.path, old.after, by: old.before) }
      throw error
    }
    if hasArrived || !saved.isEmpty { readAll(cause) }
  }

  func tellHistory() {
    let labels = history.labels
    outlet.event(
      "history",
      [
        "undo": labels.undo.map { .string($0) } ?? .null,
        "redo": labels.redo.map { .string($0) } ?? .null,
      ], replaces: true)
  }
}

/// A private view of one tab with uncommitted changes.
struct Trial {
  let base: String
  let view: String
}
