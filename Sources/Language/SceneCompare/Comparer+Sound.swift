// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel
import SceneText

extension Comparer {
  /// Returns the differences between audible elements.
  mutating func soundChanges() -> [VideoComparison.SoundChange] {
    var found: [VideoComparison.SoundChange] = []
    for pair in pairs {
      let before = pair.old.map { old.voices(of: $0) } ?? []
      let after = pair.new.map { new.voices(of: $0) } ?? []
      let times = (before + after).flatMap { [$0.model.start, $0.model.end] }
      guard let start = times.min(), let end = times.max(), before != after else { continue }
      let kind: VideoComparison.ElementChange.Kind =
        before.isEmpty ? .added : after.isEmpty ? .removed : .changed
      let changes = kind == .changed ? soundChanges(pair, from: start, to: end) : []
      found.append(
        VideoComparison.SoundChange(start: start, end: end, element: cause(of: pair, kind, changes))
      )
    }
    return found
  }

  /// Returns the properties of an element and its ancestors that explain a difference of its sound.
  private mutating func soundChanges(_ pair: ElementPairs.Pair, from start: Ticks, to end: Ticks)
    -> [VideoComparison.Change]
  {
    guard let i = pair.old, let j = pair.new else { return [] }
    var changes: [VideoComparison.Change] = []
    for part in 0..<4 {
      let time = Ticks(start.rawValue + (end.rawValue - start.rawValue) * Int64(part) / 4)
      old.seek(time)
      new.seek(time)
      let own = zip(old.lineage(i), new.lineage(j)).flatMap { self.changes($0, $1) }
      for change in own where change.concernsSound {
        if !changes.contains(where: { $0.property == change.property }) { changes.append(change) }
      }
    }
    return changes.isEmpty
      ? [VideoComparison.Change(property: "sound", old: nil, new: nil)] : changes
  }

  /// Shortens two long texts to excerpts around their first difference.
  static func shortened(_ a: String, _ b: String) -> (String, String) {
    guard a != b, max(a.count, b.count) > 80 else { return (a, b) }
    let common = zip(a, b).prefix { $0 == $1 }.count
    func part(_ text: String) -> String {
      let start = max(0, min(common, text.count) - 20)
      let part = String(text.dropFirst(start).prefix(60))
      return (start > 0 ? "…" : "") + part + (text.count > start + 60 ? "…" : "")
    }
    return (part(a), part(b))
  }
}

/// A voice with its gains over its lifetime. The name and the location of the voice are irrelevant.
struct SeenVoice: Equatable {
  /// The number of times at which gains are compared.
  private static let samples = 33

  let model: VoiceModel
  private let levels: [Double]

  init(_ model: VoiceModel, _ evaluator: inout Evaluator) {
    self.model = model
    var levels: [Double] = []
    let (start, duration) = (model.start.rawValue, model.end.rawValue - model.start.rawValue)
    for part in 0..<Self.samples {
      evaluator.evaluateAll(at: Ticks(start + duration * Int64(part) / Int64(Self.samples)))
      levels += [evaluator(model.left), evaluator(model.right)]
      if case .curve(let time) = model.clock { levels.append(evaluator(time)) }
    }
    self.levels = levels
  }

  static func == (a: SeenVoice, b: SeenVoice) -> Bool {
    let clocks =
      switch (a.model.clock, b.model.clock) {
      case (.curve, .curve): true
      case (let x, let y): x == y
      }
    return clocks && a.levels == b.levels && a.model.digest == b.model.digest
      && a.model.sound == b.model.sound && a.model.start == b.model.start
      && a.model.end == b.model.end && a.model.range == b.model.range
      && a.model.fades == b.model.fades && a.model.keepsPitch == b.model.keepsPitch
  }
}

extension VideoComparison.Change {
  /// Whether the property can affect the sound.
  fileprivate var concernsSound: Bool {
    isTiming
      || [
        "volume", "pan", "trim", "time", "loop", "content", "source", "fade-in", "fade-out",
        "muted", "duck", "pitch", "enter", "exit", "blend", "transition", "overlap",
      ].contains(property)
  }
}
