// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// The results of the traversal for audio and captions.
struct Hearing {
  var voices: [VoiceModel] = []
  /// A track for each `captions` element, once for each time that it is played.
  var captions: [CaptionTrack] = []
  var descriptions: [HeardDescription] = []
  /// The sounds that the scene declares as speech.
  var speech: [Speech] = []

  /// A sound that is speech, and its part of the built scene.
  struct Speech {
    let element: ElementNode
    let place: SoundPlace
  }
  /// Inaudible sounds and descriptions with the reason.
  private(set) var missed: [(ElementNode, String)] = []

  /// Records an inaudible sound. Clips may be silent, but a sound without audio is probably an
  /// error.
  mutating func miss(_ i: ElementNode, _ reason: String) {
    if i.kind.isInvisible { missed.append((i, reason)) }
  }
}

// Generation of voices and caption tracks from the elements of a scene, in document order.
extension Checker {
  func hearing(of root: ElementNode, _ duration: Ticks) -> Hearing {
    var hearing = Hearing()
    let whole = Double(duration.rawValue)
    let place = SoundPlace(
      start: 0, end: whole, clock: SoundPlace.Clock(zero: 0, speed: 1))
    hear(root, in: place, &hearing)
    warnOfUnheard(hearing)
    return hearing
  }

  func soundModel(of voices: [VoiceModel]) -> SoundModel {
    if voices.isEmpty { return SoundModel() }
    var uses: [(Scalar, Range<Int64>)] = []
    for voice in voices {
      let life = voice.start.rawValue..<max(voice.start.rawValue, voice.end.rawValue)
      voice.forEachScalar { uses.append(($0, life)) }
    }
    return SoundModel(voices: voices, program: builder.finish(uses: uses))
  }

  /// Collects the voices and captions of an element and its children. Masks, clip outlines and
  /// similar elements have no audio.
  private func hear(_ i: ElementNode, in outer: SoundPlace, _ hearing: inout Hearing) {
    guard i.kind.hasLife || i.kind == .scene, !reports.isCancelled, !reports.isClosed else {
      return
    }
    elaborate(i)
    if i.kind.isInvisible, !i.isHeard {
      i.isHeard = true
      checkUnread(i)
    }
    guard let start = start(of: i, i.span), let end = shownEnd(of: i, i.span) else { return }
    let from = Double(start.rawValue)
    var to = Double(end.rawValue)
    // After the end of its material, an element is silent.
    if isPlayer(i), lastsAsItsMaterial(i), let own = ownLength(of: i, i.span) {
      to = min(to, from + Double(own.rawValue))
    }
    guard var place = part(of: outer, from: from, to: to) else {
      return hearing.miss(
        i, "starts at \(start.description), \(missedEnd(of: i) ?? "outside its parent")")
    }
    if i.kind == .captions {
      hearing.captions += [captionTrack(of: i, from: start, in: place)].compactMap { $0 }
      return
    }
    if i.kind == .description {
      hearing.descriptions += [description(of: i, in: place, around: outer)].compactMap { $0 }
      return
    }
    turn(&place, by: i)
    if isPlayer(i) { fade(&place, by: i, from: from, to: to) }
    if place.isSilent, !outer.isSilent { hearing.miss(i, "its volume is 0") }
    if i.kind == .video || i.kind == .audio {
      if place.isSilent { return }
      if let voice = voice(of: i, start, place) {
        recording?.note(voice: hearing.voices.count, of: i.id)
        hearing.voices.append(voice)
        if bool(.speech, of: i, now: now).constantValue == 1 {
          hearing.speech.append(Hearing.Speech(element: i, place: place))
        }
      } else {
        hearing.miss(i, "its time is constant or outside the sound")
      }
      if i.kind == .audio { warnOfCutSound(i, end: to, in: place) }
    } else if let shown = i.shown, hasOwnClock(i) {
      hear(shown, playedBy: i, start: start, in: place, &hearing)
    } else if i.kind == .sequence {
      hearClips(of: i, place, &hearing)
    } else {
      for child in i.children { hear(child, in: place, &hearing) }
    }
  }

  /// Returns the innermost enclosing element that ends before an element starts, with its end, as
  /// words for a message; `nil` if there is none.
  private func missedEnd(of i: ElementNode) -> String? {
    guard let start = start(of: i, i.span) else { return nil }
    var next = i.parent
    while let it = next {
      if it.kind.hasLife || it.kind == .scene, let end = shownEnd(of: it, it.span), end <= start {
        let isScene = it.kind == .scene && it.syntax.name == nil
        let name = isScene ? "the scene" : "'\(it.displayName)'"
        return "but \(name) ends at \(end.description)"
      }
      next = it.parent
    }
    return nil
  }

  /// Warns about sounds and descriptions that are never audible.
  private func warnOfUnheard(_ hearing: Hearing) {
    let heard = Set(
      hearing.voices.map(\.span) + hearing.descriptions.map(\.element.span))
    for (i, reason) in hearing.missed where !heard.contains(i.span) {
      let isRead = i.kind == .description
      if !isRead, footage(of: i)?.isPlaceholder == true { continue }
      let message =
        isRead ? "the description is never read" : "'\(i.displayName)' is never audible"
      report(Diagnostic(.neverHeard, message, at: i.span, label: reason))
    }
  }

  // MARK: Gains

  /// Applies the volume and the pan of an element.
  func turn(_ place: inout SoundPlace, by i: ElementNode) {
    if let (value, span) = value(.volume, of: i, now: now), let gain = asGain(value, span) {
      let wasWithinLimit = excessiveGain(of: place) == nil
      turn(&place, by: gain)
      if wasWithinLimit { limitGain(of: i, place, span) }
      if let source = i.properties[.volume] {
        warnOfWaypoints(source.value, beyond: 0...10, of: "the volume") {
          let number = NumberFormat().text($0)
          return $0 < 0
            ? "clamped to 0; for decibels write \(number)dB"
            : "1 is the original volume; did you mean \(number)%?"
        }
      }
    }
    guard let (value, span) = value(.pan, of: i, now: now), let pan = asPan(value, span, of: i)
    else {
      return
    }
    if let known = valueOutside(.between(-1, 1), of: pan) {
      _ = report(
        .outOfRange, "'pan' is \(NumberFormat().text(known * 100))%", at: span,
        label: "expected -100% (left) to 100% (right)",
        help: i.kind == .camera ? Checker.viewOfCamera : nil)
    }
    func side(_ share: Scalar) -> Scalar {
      let rest = builder.add(.one, share)
      return builder.make(.maximum, a: .zero, b: builder.make(.minimum, a: .one, b: rest))
    }
    // A balance control: it attenuates the opposite channel and never amplifies.
    place.left = builder.make(.multiply, a: place.left, b: side(builder.scaled(pan, -1)))
    place.right = builder.make(.multiply, a: place.right, b: side(pan))
  }

  /// Reports a volume whose product with those of its ancestors exceeds the limit.
  private func limitGain(of i: ElementNode, _ place: SoundPlace, _ span: SourceSpan) {
    guard let gain = excessiveGain(of: place) else { return }
    let number = gain.isFinite ? NumberFormat().text(gain) : "infinite"
    _ = report(
      .outOfRange,
      "the volume of '\(i.displayName)', multiplied by those of its parents, is \(number)",
      at: span, label: "the limit is \(NumberFormat().text(SoundModel.greatestGain)), or 80dB")
  }

  /// Returns the constant gain of a channel if it exceeds the limit; otherwise, `nil`.
  private func excessiveGain(of place: SoundPlace) -> Double? {
    let sides = [place.left, place.right].compactMap(\.constantValue)
    return sides.first { !($0 <= SoundModel.greatestGain) }
  }

  /// Advice for `pan` on a camera, where it is probably meant as a move of the view.
  private static let viewOfCamera =
    "move the view with 'look-at': look-at: (960, 540) -> (1200, 540) over 2s"

  func asPan(_ value: Value, _ span: SourceSpan, of i: ElementNode) -> Scalar? {
    // The words `left` and `right` evaluate to points, which are pairs.
    guard case .pair = value else { return asNumber(value, span) }
    mismatch(
      "a percentage", value, at: span,
      help: i.kind == .camera
        ? Checker.viewOfCamera : "use -100% for left, 0% for the center, 100% for right")
    return nil
  }

  /// Converts a volume to an amplitude factor, which is never negative; returns `nil` after an
  /// error.
  func asGain(_ value: Value, _ span: SourceSpan) -> Scalar? {
    if case .quantity(let decibels, .gain) = value {
      return builder.make(.exponential, a: builder.scaled(decibels, Checker.logOfDecibel))
    }
    guard case .quantity(_, .none) = value else {
      // The sum of an empty list of gains.
      if case .emptySum = value { return .one }
      if case .percent(let share) = value { return builder.make(.maximum, a: .zero, b: share) }
      mismatch("a volume", value, at: span)
      return nil
    }
    guard let factor = asNumber(value, span) else { return nil }
    if let known = factor.constantValue {
      if known < 0 {
        _ = report(
          .outOfRange, "the volume is \(NumberFormat().text(known))", at: span,
          label:
            "0 is silent, 1 the original volume; for decibels write \(NumberFormat().text(known))dB"
        )
        return nil
      } else if known > 10, known <= SoundModel.greatestGain {
        report(
          Diagnostic(
            .shareOutOfRange, "the volume is \(NumberFormat().text(known)) times the original",
            at: span,
            label: "1 is the original volume; did you mean \(NumberFormat().text(known))%?"))
      }
    }
    return builder.make(.maximum, a: .zero, b: factor)
  }

  /// The natural logarithm of the amplitude factor of 1 dB.
  static let logOfDecibel = 0.115_129_254_649_702_28

  // MARK: Fades

  /// Applies `fade-in` and `fade-out` of an element at the ends of its audible interval.
  func fade(_ place: inout SoundPlace, by i: ElementNode, from: Double, to: Double) {
    let ends = place.clock.map { [$0.own(place.start), $0.own(place.end)] } ?? [from, to]
    let (low, high) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
    func length(_ property: Property) -> Double {
      guard let source = i.properties[property],
        let time = time(source, of: i, "'\(property.name)'")
      else { return 0 }
      guard time >= .zero else {
        _ = report(
          .outOfRange, "'\(property.name)' is \(time.description)", at: source.value.span,
          label: "expected 0s or more")
        return 0
      }
      let length = Double(time.rawValue)
      guard length > high - low else { return length }
      let whole = Ticks(rounding: high - low)?.description ?? "0s"
      report(
        Diagnostic(
          .longFade,
          "'\(property.name)' (\(time.description)) is longer than '\(i.displayName)' (\(whole))",
          at: source.value.span, label: "shortened to \(whole)"))
      return high - low
    }
    var (come, go) = (length(.fadeIn), length(.fadeOut))
    let half = (high - low) / 2
    if come + go > 2 * half {
      (come, go) = (min(come, max(half, 2 * half - go)), min(go, max(half, 2 * half - come)))
    }
    fade(&place, from: low, to: low + come, isIn: true)
    fade(&place, from: high - go, to: high, isIn: false)
  }

  /// Warns about a sound that the end of the video cuts off.
  private func warnOfCutSound(_ i: ElementNode, end: Double, in place: SoundPlace) {
    guard let clock = place.clock, clock.speed == 1, i.properties[.fadeOut] == nil,
      i.properties[.for] == nil, lastsAsItsMaterial(i), i.parent?.kind == .scene,
      i.parent?.parent == nil
    else { return }
    let rest = clock.time(end) - place.end
    guard rest > Double(Ticks.perSecond) / 10, let cut = Ticks(rounding: rest) else { return }
    report(
      Diagnostic(
        .soundCut, "the scene ends \(cut.description) before '\(i.displayName)'", at: i.span,
        label: "the sound is cut off; add 'fade-out: 1s'"))
  }

  // MARK: Sequences and scenes

  /// Collects the voices of clips in sequence. Transitions crossfade them.
  private func hearClips(of sequence: ElementNode, _ place: SoundPlace, _ hearing: inout Hearing) {
    let plan = plan(of: sequence)
    guard let base = start(of: sequence, sequence.span) else { return }
    func cross(
      _ place: inout SoundPlace, _ clip: SequencePlan.Clip, isIn: Bool, law: FadeModel.Law
    ) {
      guard let use = clip.transition else { return }
      var from = Double((base + clip.start).rawValue)
      var to = from + Double(clip.overlap.rawValue)
      if use.definition.name.text == "fade-through" {
        if isIn { from = (from + to) / 2 } else { to = (from + to) / 2 }
      }
      fade(&place, from: from, to: to, isIn: isIn, law: law)
    }
    for (index, clip) in plan.clips.enumerated() {
      var own = place
      if index > 0 { cross(&own, clip, isIn: true, law: law(plan.clips[index - 1], clip)) }
      if index + 1 < plan.clips.count {
        let next = plan.clips[index + 1]
        cross(&own, next, isIn: false, law: law(clip, next))
      }
      hear(clip.instance, in: own, &hearing)
    }
    var last: Ticks?
    for crossing in sequence.crossings where crossing.startTime != last {
      last = crossing.startTime
      hear(crossing, in: place, &hearing)
    }
  }

  /// Returns the law of a crossfade. Adjacent parts of one file are correlated, so a linear law
  /// keeps their amplitude constant.
  private func law(_ a: SequencePlan.Clip, _ b: SequencePlan.Clip) -> FadeModel.Law {
    let (x, y) = (a.instance, b.instance)
    guard [x, y].allSatisfy({ $0.kind == .video || $0.kind == .audio }),
      let one = footage(of: x), let other = footage(of: y), one.info.digest == other.info.digest,
      [x, y].allSatisfy({ $0.properties[.time] == nil && playing(of: $0).ramp == nil })
    else { return .power }
    let (p, q) = (playing(of: x), playing(of: y))
    let since = Double((b.start - a.start).rawValue)
    let apart = p.from + since * p.speed - q.from
    let meets = p.speed > 0 && p.speed == q.speed && abs(apart) < Double(Ticks.perSecond) / 1000
    return meets ? .linear : .power
  }

  /// Collects the voices in a scene that an element plays, once for each round.
  private func hear(
    _ scene: ElementNode, playedBy use: ElementNode, start: Ticks, in place: SoundPlace,
    _ hearing: inout Hearing
  ) {
    guard let whole = end(of: scene, use.span) else { return }
    let outer = now
    defer { now = outer }
    now = clock(of: scene, playedBy: use, start, whole)
    let playing = playing(of: use)
    guard let clock = place.clock, use.properties[.time] == nil, playing.ramp == nil else {
      var inner = place
      inner.clock = nil
      return hear(scene, in: inner, &hearing)
    }
    let (from, to) = (playing.from, playing.to ?? Double(whole.rawValue))
    let (length, speed) = (max(1, to - from), playing.speed)
    let begin = Double(start.rawValue)
    let own = [clock.own(place.start), clock.own(place.end)]
    let played = (max(own[0], own[1]) - begin) * abs(speed)
    let rounds = Int(min(playing.rounds, (played / length).rounded(.up), 10_000))
    for round in 0..<max(0, rounds) {
      let before = Double(round) * length
      let low = begin + before / abs(speed)
      guard var inner = part(of: place, from: low, to: low + length / abs(speed)) else { continue }
      let zero = begin + (speed > 0 ? before - from : -to - before) / speed
      inner.clock = SoundPlace.Clock(zero: clock.time(zero), speed: clock.speed * speed)
      hear(scene, in: inner, &hearing)
    }
  }
}
