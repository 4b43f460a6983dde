// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneEditing
import SceneJSON
import SceneSystem
import SceneText

/// The schedule of checks, and the results of the latest ones.
struct Checks {
  typealias Instant = ContinuousClock.Instant

  private let clock: any TimeSource

  init(_ clock: any TimeSource) { self.clock = clock }

  /// A pending check of a text.
  struct Pending {
    var due: Instant
    /// The number of times that the check was interrupted.
    var rounds = 0
  }

  /// The result of checking a version of a text.
  struct Done {
    let version: Int
    var scene: CheckedScene
    let length: Duration
    let number: Int
  }

  var pending: [String: Pending] = [:]
  var done: [String: Done] = [:]
  /// The files for which each open scene has published diagnostics.
  var published: [String: Set<String>] = [:]
  /// The times until which some diagnostics of a text that is being edited are hidden.
  var held: [String: Instant] = [:]
  /// Texts that were opened or saved and have not been checked since.
  var isSaved: Set<String> = []
  /// The time and the new bytes of the latest change of each text.
  private var edits: [String: (at: Instant, range: Range<Int>)] = [:]
  /// The composition warnings of the last error-free version, shifted by later edits.
  private var steady: [String: [Diagnostic]] = [:]
  /// The identities of the diagnostics that the client shows for a text.
  private var seen: [String: Set<String>] = [:]
  private var number = 0

  /// The maximum number of scenes whose sessions, which provide values, are kept.
  private static let greatestKept = 3
  /// The pause after which the user is considered to have stopped typing.
  static let quiet = Duration.milliseconds(400)
  /// The maximum delay of a check after a keystroke.
  private static let longestPause = Duration.milliseconds(150)

  var nextDue: Instant? {
    (pending.values.map(\.due) + held.values).min()
  }

  // MARK: Typing

  /// Returns the delay of a check; zero for the first change after a pause.
  mutating func pause(before uri: String) -> Duration {
    let last = previous[uri]
    guard let last, clock.now - last < .seconds(1) else { return .zero }
    return min(Checks.longestPause, done[uri]?.length ?? .zero)
  }

  /// The time of the second to last change.
  private var previous: [String: Instant] = [:]

  /// Records edits, and shifts the shown diagnostics accordingly.
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
    pending[uri] = nil
    (done[uri], held[uri], edits[uri], steady[uri], seen[uri], previous[uri]) = (
      nil, nil, nil, nil, nil, nil
    )
    isSaved.remove(uri)
  }

  // MARK: Results

  mutating func finish(_ uri: String, version: Int, scene: CheckedScene, after length: Duration) {
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

  /// Returns the diagnostics currently shown for the text itself. While the user is typing, errors
  /// at the edit and new composition warnings are left out. If there are errors, the earlier
  /// composition warnings are added.
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
  /// Returns whether a diagnostic may disappear with the next keystroke.
  fileprivate func hasUnsure(_ edit: Range<Int>) -> Bool {
    diagnostics.contains {
      $0.span.file == FileID(0) && ($0.isOfComposition || $0.severity == .error && $0.touches(edit))
    }
  }
}

extension Diagnostic {
  /// Whether the code is W03xx, W04xx or W05xx, which come from the finished scene.
  fileprivate var isOfComposition: Bool {
    ["W03", "W04", "W05"].contains { code.rawValue.hasPrefix($0) }
  }

  fileprivate func touches(_ edit: Range<Int>) -> Bool {
    span.start <= edit.upperBound && edit.lowerBound <= span.end
  }

  /// The code and message, independent of the position.
  fileprivate var identity: String { code.rawValue + message }

  /// Returns the diagnostic shifted by a preceding edit; `nil` if the edit touches it.
  fileprivate func moved(by shift: Int, over range: Range<Int>) -> Diagnostic? {
    if span.end < range.lowerBound { return self }
    guard range.upperBound < span.start else { return nil }
    let place = SourceSpan(file: span.file, start: span.start + shift, end: span.end + shift)
    return Diagnostic(
      code, message, at: place, label: label, notes: notes.filter { $0.span == nil })
  }
}
