// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneEditing
import SceneJSON
import SceneSystem
import SceneText

/// Which texts are to be checked and when, and what the last checks found.
struct Checks {
  typealias Instant = ContinuousClock.Instant

  private let clock: any TimeSource

  init(_ clock: any TimeSource) { self.clock = clock }

  /// A text that waits for its check.
  struct Wish {
    var due: Instant
    /// How often its check made way already.
    var rounds = 0
  }

  /// What a check found in a version of a text.
  struct Done {
    let version: Int
    var scene: CheckedScene
    let length: Duration
    let number: Int
  }

  var wishes: [String: Wish] = [:]
  var done: [String: Done] = [:]
  /// The files that each open scene has diagnostics for.
  var published: [String: Set<String>] = [:]
  /// Until when the diagnostics of a text that somebody writes are not all shown.
  var held: [String: Instant] = [:]
  /// Texts that were opened or saved and not checked since.
  var isSaved: Set<String> = []
  /// When a text was changed last, and the bytes that are new.
  private var edits: [String: (at: Instant, range: Range<Int>)] = [:]
  /// What is suspicious in the last text without errors, by its place in the text now.
  private var steady: [String: [Diagnostic]] = [:]
  /// What a client sees of a text, without the places.
  private var seen: [String: Set<String>] = [:]
  private var number = 0

  /// Sessions that know values are kept of so many scenes.
  private static let greatestKept = 3
  /// Who is silent for so long has stopped to type.
  static let quiet = Duration.milliseconds(400)
  /// A check waits for the next key at most so long.
  private static let longestPause = Duration.milliseconds(150)

  var nextDue: Instant? {
    (wishes.values.map(\.due) + held.values).min()
  }

  // MARK: Typing

  /// How long a check waits: the first one after a pause not at all.
  mutating func pause(before uri: String) -> Duration {
    let last = previous[uri]
    guard let last, clock.now - last < .seconds(1) else { return .zero }
    return min(Checks.longestPause, done[uri]?.length ?? .zero)
  }

  /// When the change before the last was made.
  private var previous: [String: Instant] = [:]

  /// Takes note of changes: what is shown of the text moves with them.
  mutating func typed(_ uri: String, _ new: [Document.Edit]) {
    previous[uri] = edits[uri]?.at
    for edit in new {
      let shift = edit.count - edit.range.count
      let here = edit.range.lowerBound..<edit.range.lowerBound + edit.count
      edits[uri] = (clock.now, here)
      steady[uri] = (steady[uri] ?? []).compactMap { $0.moved(by: shift, over: edit.range) }
    }
  }

  mutating func forget(_ uri: String) {
    wishes[uri] = nil
    (done[uri], held[uri], edits[uri], steady[uri], seen[uri], previous[uri]) = (
      nil, nil, nil, nil, nil, nil
    )
    isSaved.remove(uri)
  }

  // MARK: Results

  mutating func finish(_ uri: String, _ version: Int, _ scene: CheckedScene, _ length: Duration) {
    number += 1
    done[uri] = Done(version: version, scene: scene, length: length, number: number)
    isSaved.remove(uri)
    if !scene.diagnostics.hasErrors {
      steady[uri] = scene.diagnostics.filter { $0.span.file == FileID(0) && $0.isOfComposition }
    }
    let kept = done.filter { $0.value.scene.session != nil }.sorted {
      $0.value.number > $1.value.number
    }
    for (old, _) in kept.dropFirst(Checks.greatestKept) { done[old]?.scene.session = nil }
    held[uri] = nil
    if let last = edits[uri], clock.now - last.at < Checks.quiet, scene.hasUnsure(last.range) {
      held[uri] = last.at + Checks.quiet
    }
  }

  /// The diagnostics of the text itself as they are shown now: while somebody writes, without errors
  /// where that is and without new remarks on the composition; beside errors with those remarks that
  /// there were before.
  mutating func shown(_ uri: String) -> [Diagnostic] {
    guard let it = done[uri] else { return [] }
    var list = it.scene.diagnostics.filter { $0.span.file == FileID(0) }
    if list.hasErrors || it.scene.diagnostics.hasErrors {
      let known = Set(list.map(\.identity))
      list += (steady[uri] ?? []).filter { !known.contains($0.identity) }
    }
    if held[uri] != nil, let edit = edits[uri]?.range {
      let before = seen[uri] ?? []
      list.removeAll { diagnostic in
        if diagnostic.isOfComposition { return !before.contains(diagnostic.identity) }
        return diagnostic.severity == .error && diagnostic.touches(edit)
          && !before.contains(diagnostic.identity)
      }
    }
    seen[uri] = Set(list.map(\.identity))
    return list.sortedByPlace()
  }
}

extension CheckedScene {
  /// Whether it holds what might be gone with the next key.
  fileprivate func hasUnsure(_ edit: Range<Int>) -> Bool {
    diagnostics.contains {
      $0.span.file == FileID(0) && ($0.isOfComposition || $0.severity == .error && $0.touches(edit))
    }
  }
}

extension Diagnostic {
  /// W03xx, W04xx and W05xx: found in the finished scene.
  fileprivate var isOfComposition: Bool {
    ["W03", "W04", "W05"].contains { code.rawValue.hasPrefix($0) }
  }

  fileprivate func touches(_ edit: Range<Int>) -> Bool {
    span.start <= edit.upperBound && edit.lowerBound <= span.end
  }

  /// What it says, wherever that is.
  fileprivate var identity: String { code.rawValue + message }

  /// After an edit before it; `nil` when the edit is in it.
  fileprivate func moved(by shift: Int, over range: Range<Int>) -> Diagnostic? {
    if span.end < range.lowerBound { return self }
    guard range.upperBound < span.start else { return nil }
    let place = SourceSpan(file: span.file, start: span.start + shift, end: span.end + shift)
    return Diagnostic(
      code, message, at: place, label: label, notes: notes.filter { $0.span == nil })
  }
}
