// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// The output files of a scene.
extension Checker {
  /// Returns the settings of the outputs of a scene. Their names form a namespace of their own.
  func outputs(of root: ElementNode) -> [OutputSettings] {
    let outputs = root.children.filter { $0.kind == .output }
    let settings = outputs.map(outputSettings)
    // Keyed by name, and by file name in lower case. Names cannot contain a '.'.
    var first: [String: Name] = [:]
    for (output, own) in zip(outputs, settings) {
      guard let name = output.syntax.name else { continue }
      let ending = FileFormat(ofOutput: own.codec).ending
      let keys = [name.text, name.text.lowercased() + ending]
      guard let before = keys.compactMap({ first[$0] }).first else {
        for key in keys { first[key] = name }
        continue
      }
      let message =
        before.text == name.text
        ? "two outputs have the name '\(name.text)'"
        : "the outputs '\(before.text)' and '\(name.text)' have the same file on systems that ignore case"
      report(
        Diagnostic(
          .nameTwice, message, at: name.span,
          label: "choose a different name", notes: [Note("first declared here", at: before.span)]))
    }
    return settings
  }

  /// Returns the quality of an output; `nil` if it is not set or invalid. Reports a quality that is
  /// outside the range of its codec, or of every codec if the output names none.
  private func quality(of output: ElementNode, codec: VideoCodec?) -> Double? {
    let known: ClosedRange<Double>? = if let codec { codec.quality?.scale } else { 0...100 }
    guard let range = known, let (value, span) = value(.quality, of: output, now: now),
      let quality = asNumber(value, span)?.constantValue, !range.contains(quality)
    else { return constantNumber(.quality, of: output, in: 0...100) }
    let format = NumberFormat()
    let scales = (codec.map { [$0] } ?? VideoCodec.allCases).compactMap(VideoCodec.scaleOfQuality)
    report(
      Diagnostic(
        .outOfRange, "'quality' is \(format.text(quality))", at: span,
        label: "expected \(format.text(range.lowerBound)) to \(format.text(range.upperBound))",
        notes: scales.map { Note($0) }))
    return nil
  }

  private func outputSettings(_ output: ElementNode) -> OutputSettings {
    elaborate(output)
    var places: [String: SourceSpan] = [:]
    for property in output.properties.keys {
      places[property.name] = output.properties[property]?.value.span
    }
    if let track = output.children.first(where: { $0.kind == .soundTrack }) {
      places[Property.audio.name] = track.span
    }
    var settings = OutputSettings(output.syntax.name?.text, output.span, places: places)
    func word(_ property: Property) -> String? {
      guard let (value, span) = value(property, of: output, now: now),
        case .word(let words)? = use(of: property, in: output)?.type
      else { return nil }
      return asWord(value, span, from: words)
    }
    settings.codec = word(.codec)
    settings.profile = word(.profile)
    settings.preset = word(.preset)
    settings.pixelFormat = word(.pixelFormat)
    settings.isVariable = word(.frameRate) == "variable"
    if output.properties[.quality] != nil {
      settings.quality = quality(of: output, codec: settings.codec.flatMap(VideoCodec.init))
    }
    if output.properties[.level] != nil {
      let level = constantNumber(.level, of: output, in: 1...6.2, or: 4)
      settings.level = NumberFormat().text(level)
    }
    settings.bitrate = bitrate(of: output, "1.2Mbps or 800kbps")
    settings.sound = soundOutput(of: output)
    if let (value, span) = self.value(.loop, of: output, now: now) {
      let rounds = rounds(value, span)
      settings.plays = rounds.isFinite ? Int(rounds) : 0
    }
    if let (value, span) = self.value(.size, of: output, now: now) {
      settings.size = readSize(value, span)
    }
    settings.fit = word(.fit).flatMap(FrameFit.init) ?? .contain
    settings.hasOwnLayout = word(.layout) == "own"
    if let (value, span) = self.value(.fps, of: output, now: now), options.frameRate == nil {
      settings.frameRate = readRate(value, span)
    }
    settings.captions = word(.captions).flatMap(CaptionUse.init) ?? .burned
    settings.described = word(.described).flatMap(DescribedUse.init) ?? .none
    settings.from = bound(.from, of: output)
    settings.to = bound(.to, of: output)
    settings.copies = bool(.copy, of: output, now: now).constantValue == 1
    return settings
  }

  /// Returns an end of the interval that an output contains; `nil` if it is not set or invalid.
  private func bound(_ property: Property, of output: ElementNode) -> Ticks? {
    output.properties[property].flatMap { time($0, of: output, "'\(property.name)'") }
  }

  /// Reports outputs whose interval is empty or beyond the scene.
  func checkExcerpts(of model: SceneModel) {
    for output in model.outputs {
      for (property, time) in [(Property.from, output.from), (.to, output.to)] {
        guard let time, time < .zero || time > model.duration else { continue }
        let label =
          time < .zero ? "expected at least 0s" : "the scene ends at \(model.duration.description)"
        _ = report(
          .outOfRange, "'\(property.name)' is \(time.description)",
          at: output.place(of: property.name), label: label)
      }
      let (from, to) = (output.from ?? .zero, min(output.to ?? model.duration, model.duration))
      let rate = model.frameRate
      guard from >= .zero, to > .zero || output.to == nil,
        from <= model.duration, rate.frames(before: from) >= rate.frames(before: to)
      else { continue }
      _ = report(
        .outOfRange, "the output has no frames between \(from.description) and \(to.description)",
        at: output.place(of: output.to == nil ? "from" : "to"),
        help: "choose an interval of at least one frame")
    }
  }
}
