// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneModel
import SceneText

extension Comparer {
  /// Returns the differences of elements that are heard.
  mutating func soundChanges() -> [VideoComparison.SoundChange] {
    var found: [VideoComparison.SoundChange] = []
    for pair in pairs {
      let voices = [
        pair.old.map { !old.record.elements[$0].voices.isEmpty } ?? false,
        pair.new.map { !new.record.elements[$0].voices.isEmpty } ?? false,
      ]
      guard voices.contains(true) else { continue }
      let spans = [
        pair.old.flatMap { old.record.elements[$0].span },
        pair.new.flatMap { new.record.elements[$0].span },
      ].compactMap(\.self)
      guard let start = spans.map(\.lowerBound).min(), let end = spans.map(\.upperBound).max()
      else { continue }
      var changes: [VideoComparison.Change] = []
      if let i = pair.old, let j = pair.new {
        for part in 0..<Self.mostSamplesOfRange {
          let time = Ticks(
            start.rawValue + (end.rawValue - start.rawValue) * Int64(part)
              / Int64(Self.mostSamplesOfRange))
          old.seek(time)
          new.seek(time)
          for change in self.changes(i, j) where change.concernsSound {
            if !changes.contains(where: { $0.property == change.property }) {
              changes.append(change)
            }
          }
        }
        guard !changes.isEmpty || voices[0] != voices[1] else { continue }
      }
      let kind: VideoComparison.ElementChange.Kind =
        pair.old == nil ? .added : pair.new == nil ? .removed : .changed
      found.append(
        VideoComparison.SoundChange(start: start, end: end, element: cause(pair, kind, changes)))
    }
    return found
  }

  func settings() -> [VideoComparison.Setting] {
    let (a, b) = (old.model, new.model)
    var settings: [VideoComparison.Setting] = []
    func compare(_ name: String, _ value: (SceneModel) -> String) {
      let (x, y) = (value(a), value(b))
      if x != y { settings.append(VideoComparison.Setting(name: name, old: x, new: y)) }
    }
    compare("size") { $0.size.description }
    compare("fps") { $0.frameRate.description }
    compare("duration") { $0.duration.description }
    compare("title") { $0.title }
    compare("author") { $0.author }
    compare("comment") { $0.comment }
    compare("chapters") {
      $0.chapters.map { "\(NumberFormat.seconds($0.start)) \($0.title)" }.joined(separator: ", ")
    }
    compare("flash-limit") { "\($0.flashLimit)" }
    return settings
  }
}

extension SceneRecord.Element {
  /// The lifetime, if it is valid.
  fileprivate var span: Range<Ticks>? {
    guard let start, let end, start <= end else { return nil }
    return start..<end
  }
}

extension VideoComparison.Change {
  /// Whether the property affects what is heard.
  fileprivate var concernsSound: Bool {
    ![
      "opacity", "position", "size", "scale", "rotate", "filter", "fit", "corner-radius", "z",
      "align", "clip", "mask", "shadow",
    ].contains(property)
  }
}
