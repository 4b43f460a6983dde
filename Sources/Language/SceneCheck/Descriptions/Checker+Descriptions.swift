// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// A description in the time of the built scene. A repeated scene plays its descriptions several
/// times.
struct HeardDescription {
  let element: ElementNode
  let text: String
  let language: String
  /// The times of the built scene at which it is read.
  let shown: [Range<Ticks>]
  /// The lifetime on the clock of the element.
  let start: Ticks
  let end: Ticks
  /// The part of the built scene that the enclosing elements occupy.
  let around: SoundPlace
  let voice: VoiceModel?
  let hasSource: Bool

  /// The name of the setting that limits the duration, or `nil` if the text does.
  var lengthSource: String? {
    element.properties[.for] != nil ? "'for'" : hasSource ? "the sound" : nil
  }
}

// `description "text"`: a text that describes the images, read in the pauses of the speech.
extension Checker {
  /// Returns the duration of a description without `for`: that of its sound, or of reading its
  /// text; `nil` after an error.
  func descriptionLength(of i: ElementNode) -> Ticks? {
    elaborate(i)
    if i.properties[.source] != nil { return footage(of: i)?.length(i.kind) }
    return descriptionText(of: i).map(DescriptionModel.duration)
  }

  private func descriptionText(of i: ElementNode) -> String? {
    guard let (value, span) = value(.content, of: i, now: now) else {
      missing("a text", label: "write description \"A red boat enters\"", of: i)
      return nil
    }
    guard let written = asConstantText(value, span) else { return nil }
    let text = written.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if text.isEmpty {
      report(
        Diagnostic(
          .missingProperty, "the description is empty", at: span,
          label: "expected words to read aloud"
        ).advising("describe what viewers must know and cannot hear, or remove the description"))
      return nil
    }
    return text
  }

  /// Returns a description in the time of the built scene. `place` is its part of the built scene.
  /// Returns `nil` after an error.
  func description(of i: ElementNode, in place: SoundPlace, around: SoundPlace)
    -> HeardDescription?
  {
    guard let text = descriptionText(of: i), let language = language(of: i),
      let start = start(of: i, i.span), let end = shownEnd(of: i, i.span)
    else { return nil }
    let (from, to) = (Double(start.rawValue), Double(end.rawValue))
    let looks = place.clock == nil ? looks(at: place, i.span) : []
    guard let shown = shown(from: from, to: to, in: place, looks, i.span) else { return nil }
    let hasSource = i.properties[.source] != nil
    var voice: VoiceModel?
    if hasSource {
      var own = place
      // A description is heard even where the sound around it is muted or faded. On a nonlinear
      // clock, the factors also contain the lifetimes.
      if place.clock != nil { (own.left, own.right, own.fades) = (.one, .one, []) }
      turn(&own, by: i)
      fade(&own, by: i, from: from, to: to)
      voice = self.voice(of: i, start, own)
    }
    warnOfCutDescription(i, end: to, in: place)
    return HeardDescription(
      element: i, text: text, language: language, shown: shown, start: start, end: end,
      around: around, voice: voice, hasSource: hasSource)
  }

  private func warnOfCutDescription(_ i: ElementNode, end: Double, in place: SoundPlace) {
    guard let clock = place.clock, clock.speed == 1, i.properties[.for] == nil,
      i.parent?.kind == .scene, i.parent?.parent == nil
    else { return }
    let rest = clock.time(end) - place.end
    guard rest > Double(Ticks.perSecond) / 10, let cut = Ticks(rounding: rest) else { return }
    report(
      Diagnostic(
        .soundCut, "the scene ends \(cut.description) before the end of the description",
        at: i.span,
        label: "it is cut off; start it earlier, or shorten it"))
  }

  // MARK: Model

  func descriptions(of hearing: Hearing, in model: SceneModel) -> DescriptionModel? {
    let all = hearing.descriptions
    guard let first = all.first else { return nil }
    let cues = all.flatMap { one in
      one.shown.map {
        CaptionTrack.Cue(start: $0.lowerBound, end: $0.upperBound, lines: [one.text])
      }
    }
    let track = CaptionTrack(
      .descriptions, language: all.map(\.language).first { !$0.isEmpty } ?? "",
      label: DescriptionModel.title, span: first.element.span, cues: cues)
    var unspoken: [SourceSpan] = []
    for one in all where !one.hasSource && !unspoken.contains(one.element.span) {
      unspoken.append(one.element.span)
    }
    let isWanted = model.outputs.contains { $0.described != .none } && unspoken.isEmpty
    return DescriptionModel(
      track: track, sound: isWanted ? describedSound(of: hearing, in: model) : SoundModel(),
      unspoken: unspoken)
  }

  /// Returns the mix of the scene, lowered under each description, with their voices.
  private func describedSound(of hearing: Hearing, in model: SceneModel) -> SoundModel {
    let spoken = hearing.descriptions.filter { $0.voice != nil }
    let times = spoken.flatMap(\.shown).filter { !$0.isEmpty }.map {
      let (from, to) = (Double($0.lowerBound.rawValue), Double($0.upperBound.rawValue))
      return Int(from / Checker.levelTicks)..<(Int(to / Checker.levelTicks) + 1)
    }
    let end = Int(Double(model.duration.rawValue) / Checker.levelTicks)
    guard spend(end / 10, model.places.scene) else { return SoundModel() }
    let decibels = builder.ease(
      builder.divide(now, .constant(Checker.levelTicks)),
      .samples(SoundLevels.ducked(times, until: end, DescriptionModel.ducking)))
    let gain = builder.make(.exponential, a: builder.scaled(decibels, Checker.logOfDecibel))
    let lowered = hearing.voices.map { voice in
      voice.with(
        left: builder.make(.multiply, a: voice.left, b: gain),
        right: builder.make(.multiply, a: voice.right, b: gain))
    }
    return soundModel(of: lowered + spoken.compactMap(\.voice))
  }

  // MARK: Alternatives

  /// Checks the alternative text of an element.
  func checkAlternative(of i: ElementNode) {
    guard let (value, span) = value(.alt, of: i, now: now) else { return }
    // The text can be empty for decorative elements, as in a component that has it as a parameter.
    let isEmpty = asConstantText(value, span)?.allSatisfy(\.isWhitespace) ?? false
    let isDecorative = bool(.decorative, of: i, now: now).constantValue == 1
    if isDecorative && !isEmpty {
      _ = report(
        .propertyElsewhere, "'alt' cannot be combined with 'decorative: true'",
        at: i.properties[.alt]?.nameSpan ?? span,
        label: "remove 'alt', or 'decorative' if the element shows something to describe")
    } else if isEmpty && !isDecorative {
      let empty = Diagnostic(
        .missingProperty, "the alternative text is empty", at: span,
        label: "expected an alternative text")
      let help = "write 'decorative: true' if the element shows nothing to describe"
      // An empty text can also be a placeholder, so the fix is not safe.
      report(
        literalAlternative(of: i).map {
          empty.fixing(help, replacing: $0, with: "decorative: true", isSafe: false)
        } ?? empty.advising(help))
    }
  }

  /// Returns the span of an `alt` whose value is a literal in the body of the element, unless the
  /// body also contains `decorative`. Returns `nil` otherwise.
  private func literalAlternative(of i: ElementNode) -> SourceSpan? {
    guard i.properties[.decorative] == nil, let source = i.properties[.alt],
      isSetInBody(source, of: i),
      text(at: source.value.span).hasPrefix("\"")
    else { return nil }
    return SourceSpan(
      file: source.nameSpan.file, start: source.nameSpan.start, end: source.value.span.end)
  }
}
