// SPDX-License-Identifier: MIT

/// The undo and redo history of edits from pages, shared by all pages.
struct History {
  /// An edit of one or several files.
  struct Entry {
    let label: String
    var files: [Part]
  }

  /// The text of a file before and after an edit.
  struct Part {
    let path: String
    let before: [UInt8]
    let after: [UInt8]

    var reversed: Part { Part(path: path, before: after, after: before) }

    /// Returns the same edit for a text that differs from `before` elsewhere; `nil` if the location
    /// no longer exists.
    func moved(to text: [UInt8]) -> Part? {
      if text == before { return self }
      let common = zip(before, after).prefix { $0 == $1 }.count
      let tail = zip(before.dropFirst(common).reversed(), after.dropFirst(common).reversed())
        .prefix { $0 == $1 }.count
      // The context must be long enough to identify the location.
      let from = max(0, common - 60)
      let to = min(before.count, before.count - tail + 60)
      let around = Array(before[from..<to])
      guard let place = text.firstRange(of: around),
        text[(place.lowerBound + 1)...].firstRange(of: around) == nil
      else { return nil }
      var changed = text
      changed.replaceSubrange(place, with: after[from..<(after.count - (before.count - to))])
      return Part(path: path, before: text, after: changed)
    }
  }

  private static let greatestCount = 200
  private(set) var undone: [Entry] = []
  private(set) var done: [Entry] = []

  var labels: (undo: String?, redo: String?) { (done.last?.label, undone.last?.label) }

  mutating func add(_ entry: Entry) {
    done = done.suffix(History.greatestCount - 1) + [entry]
    undone = []
  }

  /// The result of undoing or redoing an entry.
  enum Outcome {
    case made([Part])
    /// The entry does not apply to the current texts.
    case inapplicable
    /// The entry applies, but was not written.
    case refused
  }

  /// Undoes or redoes the last entry with `apply`. Returns `nil` if there is no entry or it was not
  /// written. An inapplicable entry is removed together with the other entries of its files.
  mutating func step(back: Bool, _ apply: ([Part]) -> Outcome) -> Entry? {
    guard let entry = back ? done.last : undone.last else { return nil }
    let made: [Part]
    switch apply(back ? entry.files.map(\.reversed) : entry.files) {
    case .made(let parts): made = parts
    case .refused: return nil
    case .inapplicable:
      let lost = Set(entry.files.map(\.path))
      done.removeAll { !lost.isDisjoint(with: $0.files.map(\.path)) }
      undone.removeAll { !lost.isDisjoint(with: $0.files.map(\.path)) }
      return nil
    }
    if back { done.removeLast() } else { undone.removeLast() }
    let kept = Entry(label: entry.label, files: back ? made.map(\.reversed) : made)
    if back { undone.append(kept) } else { done.append(kept) }
    return kept
  }
}
