// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneText

extension Comparer {
  /// Returns the settings of the scene and its outputs that differ.
  func settings() -> [VideoComparison.Setting] {
    let (a, b) = (old.model, new.model)
    var settings: [VideoComparison.Setting] = []
    func compare(_ name: String, _ value: (SceneModel) -> String) {
      let (x, y) = Comparer.shortened(value(a), value(b))
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
    func text(_ tracks: [CaptionTrack]) -> String {
      tracks.map { track in
        let cues = track.cues.map { cue in
          "\(NumberFormat.seconds(cue.start)) \(cue.lines.joined(separator: " "))"
        }
        return "\(track.language) \(track.kind): \(cues.joined(separator: ", "))"
      }
      .joined(separator: "; ")
    }
    compare("captions") { text($0.captions) }
    compare("descriptions") { text($0.descriptions.map { [$0.track] } ?? []) }
    compare("flash-limit") { "\($0.flashLimit)" }
    return settings + describedSound() + Comparer.outputs(a.outputs, b.outputs)
  }

  /// Returns the difference between the mixes with descriptions. If the sound of the scene differs,
  /// too, its elements are listed instead.
  private func describedSound() -> [VideoComparison.Setting] {
    let (a, b) = (old.voices(isDescribed: true), new.voices(isDescribed: true))
    guard a != b, old.voices(isDescribed: false) == new.voices(isDescribed: false) else {
      return []
    }
    func files(_ voices: [SeenVoice]) -> String {
      voices.isEmpty ? "none" : voices.map(\.model.path).joined(separator: ", ")
    }
    let (x, y) = Comparer.shortened(files(a), files(b))
    return [
      VideoComparison.Setting(
        name: "sound with descriptions", old: x,
        new: x == y ? "\(y) with other times, volumes or content" : y)
    ]
  }

  /// The properties that do not affect frames.
  static let alternatives: Set<Property> = [.alt, .decorative]

  /// Returns the elements whose alternative texts differ. The texts of descriptions are a setting.
  func alternativeChanges() -> [VideoComparison.ElementChange] {
    func text(_ element: SceneRecord.Element) -> String? {
      element.kind == ElementKind.description.rawValue ? nil : element.alternative
    }
    func isDecorative(_ element: SceneRecord.Element) -> Bool {
      element.properties.first { $0.property == .decorative }?.scalars.first?.constantValue == 1
    }
    return pairs.compactMap { pair in
      guard let i = pair.old, let j = pair.new else { return nil }
      let (a, b) = (old.record.elements[i], new.record.elements[j])
      var changes: [VideoComparison.Change] = []
      if text(a) != text(b) {
        let (x, y) = Comparer.shortened(text(a) ?? "", text(b) ?? "")
        changes.append(
          VideoComparison.Change(
            property: "alt", old: text(a).map { _ in "\"\(x)\"" },
            new: text(b).map { _ in "\"\(y)\"" }))
      }
      if isDecorative(a) != isDecorative(b) {
        changes.append(
          VideoComparison.Change(
            property: "decorative", old: "\(isDecorative(a))", new: "\(isDecorative(b))"))
      }
      return changes.isEmpty ? nil : cause(of: pair, .changed, changes)
    }
  }

  /// Returns the settings of outputs that differ. Outputs are paired by name and order.
  private static func outputs(
    _ old: [OutputSettings], _ new: [OutputSettings]
  ) -> [VideoComparison.Setting] {
    var settings: [VideoComparison.Setting] = []
    var left = new
    for output in old {
      let name = output.title
      guard let index = left.firstIndex(where: { $0.name == output.name }) else {
        settings.append(VideoComparison.Setting(name: name, old: "present", new: "none"))
        continue
      }
      for (a, b) in zip(output.values, left.remove(at: index).values) where a != b {
        settings.append(
          VideoComparison.Setting(name: "\(name) \(a.name)", old: a.text, new: b.text))
      }
    }
    return settings
      + left.map { VideoComparison.Setting(name: $0.title, old: "none", new: "present") }
  }
}

extension OutputSettings {
  /// The name of a setting with its value as text.
  fileprivate struct Value: Equatable {
    let name: String
    let text: String

    init(_ name: String, _ value: (some CustomStringConvertible)?) {
      self.name = name
      text = value?.description ?? "default"
    }

    init(_ name: String, _ number: Double?) {
      self.init(name, number.map { NumberFormat().text($0) })
    }

    init(_ name: String, seconds: Ticks?) {
      self.init(name, seconds.map { NumberFormat.seconds($0) })
    }
  }

  fileprivate var title: String { name.map { "output \($0)" } ?? "output" }

  /// All settings, in an order that is the same for every output.
  fileprivate var values: [Value] {
    [
      Value("size", size), Value("fit", "\(fit)"), Value("layout", hasOwnLayout ? "own" : "scaled"),
      Value("fps", frameRate?.description),
      Value("codec", codec), Value("quality", quality), Value("bitrate", bitrate),
      Value("profile", profile), Value("level", level), Value("preset", preset),
      Value("pixel-format", pixelFormat), Value("loop", plays),
      Value("frame-rate", isVariable ? "variable" : "constant"),
      Value("from", seconds: from), Value("to", seconds: to),
      Value("copy", copies), Value("captions", captions.rawValue),
      Value("described", "\(described)"),
      Value("audio", sound.isWanted.map { $0 ? "present" : "none" }),
      Value("audio codec", sound.codec), Value("audio bitrate", sound.bitrate),
      Value("loudness", sound.loudness), Value("peak", sound.peak),
      Value("channels", sound.channels), Value("sample-rate", sound.rate),
      Value("bits", sound.bits),
    ]
  }
}
