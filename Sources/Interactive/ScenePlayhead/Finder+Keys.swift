// SPDX-License-Identifier: MIT
import SceneCheck
import SceneEditing
import SceneModel
import SceneSyntax
import SceneText

// Removal of keys, and changes of easings.
extension Finder {
  /// Returns the replacements that remove the keys at the playhead from a value.
  func removal(in e: Expression, _ file: FileID) throws(Refused) -> [TextEdit.Piece] {
    switch e.kind {
    case .keyframes(let items): return try removal(of: items, e, in: file)
    case .reference, .member, .index:
      return try resolved(e, in: file).map { value, home throws(Refused) in
        try removal(in: value, home)
      } ?? []
    case .pair(let a, let b), .binary(_, let a, let b):
      return try removal(in: a, file) + removal(in: b, file)
    case .call(_, let arguments):
      return try arguments.first.map { it throws(Refused) in try removal(in: it.value, file) } ?? []
    default: return []
    }
  }

  private func removal(of items: [KeyItem], _ e: Expression, in file: FileID) throws(Refused)
    -> [TextEdit.Piece]
  {
    let it = try interval(of: e, in: file, first: 0)
    let half = playhead.rate.frameTicks / 2
    let steps = it.motion.steps
    guard
      let index = steps.indices.filter({ abs(steps[$0].to - it.time) < half })
        .min(by: { abs(steps[$0].to - it.time) < abs(steps[$1].to - it.time) })
    else { return [] }
    return try removal(of: [index], items, e, in: file, steps: steps)
  }

  /// Returns the replacements that remove keys by their indices, in ascending order. If all keys
  /// are removed, the value of the first key replaces the motion.
  func removal(
    of indices: [Int], _ items: [KeyItem], _ e: Expression, in file: FileID,
    steps: [SceneRecord.Motion.Step]
  ) throws(Refused) -> [TextEdit.Piece] {
    let all = Finder.keys(items)
    let keys = Keys(all: all, steps: steps)
    var removed: [Int] = []
    for index in indices {
      guard steps.indices.contains(index) else { throw Refused("the key no longer exists") }
      let key = try keys.key(index)
      removed += all.indices.filter { all[$0].value.span == key.value.span }
    }
    if removed.count == items.count, let first = removed.first,
      let source = playhead.files[file]?.source
    {
      let span = SourceSpan(file: file, start: e.span.start, end: e.span.end)
      let value = source.text(
        source.span(all[first].value.span.start, all[first].value.span.end))
      return [TextEdit.Piece(span: span, text: value)]
    }
    let rest = Set(removed)
    return removed.filter { !rest.contains($0 - 1) }.map { first in
      var last = first
      while rest.contains(last + 1) { last += 1 }
      return piece(removing: all[first], all[last], among: all, in: file)
    }
  }

  /// Returns the replacement that removes neighboring keys. Comments and loops beside them are
  /// kept.
  private func piece(
    removing first: Key, _ last: Key, among all: [Key], in file: FileID
  ) -> TextEdit.Piece {
    let next = all.first { $0.time.span.start >= last.end }
    let previous = all.last { $0.end <= first.time.span.start }
    let start = next == nil ? previous?.end ?? first.time.span.start : first.time.span.start
    let end = next?.time.span.start ?? last.end
    let isPlain =
      isPlain(start..<first.time.span.start, in: file) && isPlain(last.end..<end, in: file)
    let range = isPlain ? start..<end : first.time.span.start..<last.end
    return TextEdit.Piece(
      span: SourceSpan(file: file, start: range.lowerBound, end: range.upperBound), text: "")
  }

  /// Returns whether a range contains only white space and separators.
  private func isPlain(_ range: Range<Int>, in file: FileID) -> Bool {
    guard let bytes = playhead.files[file]?.source.bytes else { return false }
    return bytes[range].allSatisfy { [9, 10, 13, 32, UInt8(ascii: ";")].contains($0) }
  }

  // MARK: Easings

  /// Returns the replacements that give an easing to the motion at the playhead: the motion that
  /// ends at the key there, or else the motion in progress.
  func easing(_ name: String, in e: Expression, _ file: FileID) throws(Refused)
    -> [TextEdit.Piece]
  {
    switch e.kind {
    case .keyframes(let items):
      let it = try interval(of: e, in: file, first: items.count > 1 ? 1 : 0)
      let steps = it.motion.steps
      let half = playhead.rate.frameTicks / 2
      let index = steps.indices.dropFirst().first { steps[$0].to > it.time - half }
      guard let index, it.time > steps[0].to - half else { return [] }
      let key = try Keys(all: Finder.keys(items), steps: steps).key(index)
      return [Finder.easing(name, key.clauses, after: span(key.value, in: file))]
    case .tween(_, let legs) where !legs.isEmpty:
      let it = try interval(of: e, in: file, first: 0)
      guard legs.indices.contains(it.step) else { return [] }
      let leg = legs[it.step]
      return [Finder.easing(name, leg.clauses, after: span(leg.value, in: file))]
    case .reference, .member, .index:
      return try resolved(e, in: file).map { value, home throws(Refused) in
        try easing(name, in: value, home)
      } ?? []
    case .pair(let a, let b), .binary(_, let a, let b):
      return try easing(name, in: a, file) + easing(name, in: b, file)
    case .call(_, let arguments):
      return try arguments.first.map { it throws(Refused) in
        try easing(name, in: it.value, file)
      } ?? []
    default: return []
    }
  }

  /// Returns the replacement of the easing in the clauses after a value.
  static func easing(
    _ name: String, _ clauses: [Clause], after value: SourceSpan
  ) -> TextEdit.Piece {
    if let old = clauses.first(where: { $0.word.text == "with" })?.value {
      let span = SourceSpan(file: value.file, start: old.span.start, end: old.span.end)
      return TextEdit.Piece(span: span, text: name)
    }
    let end = clauses.last?.value.span.end ?? value.end
    return TextEdit.Piece(
      span: SourceSpan(file: value.file, start: end, end: end), text: " with \(name)")
  }

  private func span(_ e: Expression, in file: FileID) -> SourceSpan {
    SourceSpan(file: file, start: e.span.start, end: e.span.end)
  }
}
