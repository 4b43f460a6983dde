// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// The played part of an element's material, with its speed and number of rounds.
struct Playing {
  /// The start in the material, in ticks.
  var from = 0.0
  /// The end in the material, in ticks, or `nil` for the end of the material.
  var to: Double?
  /// The constant speed; a negative one plays backward, from the end of the part.
  var speed = 1.0
  /// The speed, if it changes; `speed` is then 1.
  var ramp: SpeedRamp?
  /// The number of rounds. Infinite if the element fills its parent.
  var rounds = 1.0

  /// Whether the material is played forward at its own speed.
  var isNormal: Bool { speed == 1 && ramp == nil }
}

// `trim`, `speed`, `loop` and `time` of clips and of scenes as elements.
extension Checker {
  /// Returns whether an element plays material with its own duration and clock.
  func isPlayer(_ use: ElementNode) -> Bool {
    use.kind == .video || use.kind == .audio || use.shown != nil
  }

  /// Returns the duration of an element's material, or `nil` after an error.
  func materialLength(of use: ElementNode, _ span: SourceSpan) -> Ticks? {
    if use.kind == .video || use.kind == .audio { return footage(of: use)?.length(use.kind) }
    return use.shown.flatMap { end(of: $0, span) }
  }

  /// Returns the evaluated `trim`, `speed` and `loop` of an element.
  func playing(of use: ElementNode) -> Playing {
    if let known = use.playing { return known }
    use.playing = Playing()
    elaborate(use)
    var playing = Playing()
    if let source = use.properties[.trim] { readTrim(source, of: use, &playing) }
    if let (value, span) = value(.loop, of: use, now: now) { playing.rounds = rounds(value, span) }
    if use.properties[.speed] != nil { readSpeed(of: use, &playing) }
    use.playing = playing
    return playing
  }

  private func readTrim(_ source: Source, of use: ElementNode, _ playing: inout Playing) {
    let c = context(of: use, now: now).with {
      $0.scope = source.scope
      $0.constantFor = "'trim'"
    }
    let span = source.value.span
    let value = releasing { evaluate(source.value, c) }
    guard case .range(let low, let high) = value else {
      return mismatch(
        "a range", value, at: span, help: "write a range such as 2s .. 6s")
    }
    for case .percent in [low, high] {
      let name = use.syntax.name?.text ?? "it"
      let naming = use.syntax.name == nil ? "name the element 'it' and write" : "write"
      return mismatch(
        "a range of times", low, at: span,
        help: "\(naming) times of it: \(name).duration / 2 .. \(name).duration")
    }
    for case .quantity(_, .none) in [low, high] {
      return mismatch(
        "a range of times", low, at: span, help: "write both ends as times, such as 2s .. 6s")
    }
    guard let from = asConstantTime(low, span), let to = asConstantTime(high, span) else { return }
    guard from >= 0, to > from else {
      let what = from < 0 ? "'trim' starts before 0s" : "'trim' ends before it starts"
      _ = report(
        .outOfRange, what, at: span,
        label: "expected a range within \(Checker.material(of: use)), such as 2s .. 6s")
      return
    }
    (playing.from, playing.to) = (from.rounded(), to.rounded())
    guard let length = materialLength(of: use, span).map({ Double($0.rawValue) }) else { return }
    checkTrim(&playing, length: length, at: span)
  }

  private static func material(of use: ElementNode) -> String {
    switch use.kind {
    case .video: "the clip"
    case .audio: "the sound"
    default: "the scene"
    }
  }

  /// Clamps a part to the end of the material.
  private func checkTrim(_ playing: inout Playing, length: Double, at span: SourceSpan) {
    guard let to = playing.to, to > length else { return }
    let whole = Ticks(Int64(length)).description
    guard playing.from < length else {
      _ = report(
        .outOfRange, "'trim' starts at \(Ticks(Int64(playing.from)).description), after the end",
        at: span, label: "the duration is \(whole)")
      playing = Playing(speed: playing.speed, rounds: playing.rounds)
      return
    }
    playing.to = length
    // A tolerance for rounded times.
    guard to - length > Double(Ticks.perSecond) / 1000 else { return }
    report(
      Diagnostic(
        .trimBeyond, "'trim' ends at \(Ticks(Int64(to)).description), after the end", at: span,
        label: "shortened to the duration, \(whole)"))
  }

  func rounds(_ value: Value, _ span: SourceSpan) -> Double {
    switch value {
    case .word("forever"): return .infinity
    case .word("once"): return 1
    case .bool(.constant(let truth)): return truth != 0 ? .infinity : 1
    default: break
    }
    guard case .quantity(.constant(let count), .none) = value, count >= 1, count <= 100_000,
      count == count.rounded()
    else {
      mismatch(
        "true or a whole number of repetitions from 1 to 100,000", value, at: span,
        help: "write a number such as 'loop: 3'")
      return 1
    }
    return count
  }

  /// Returns the duration of an element that plays material, or `nil` if `time` or an endless
  /// `loop` fills its parent.
  func ownLength(of use: ElementNode, _ span: SourceSpan) -> Ticks? {
    if use.isReadingSpeed {
      reportCycle(ofSpeed: span)
      return nil
    }
    let playing = playing(of: use)
    guard lastsAsItsMaterial(use), let whole = materialLength(of: use, span) else { return nil }
    if let ramp = playing.ramp { return ramp.duration.flatMap { Ticks(rounding: $0) } }
    let to = playing.to ?? Double(whole.rawValue)
    return Ticks(rounding: max(0, to - playing.from) / abs(playing.speed) * playing.rounds)
  }

  /// Reports a speed whose motion lasts as long as the element, which in turn depends on the speed.
  func reportCycle(ofSpeed span: SourceSpan) {
    _ = report(
      .cycle, "'speed' depends on the duration, which depends on 'speed'", at: span,
      help: "set 'for', or write the duration of the motion, as in 1 -> 0.25 over 2s")
  }

  /// Returns whether the duration of an element follows from its material.
  func lastsAsItsMaterial(_ use: ElementNode) -> Bool {
    guard use.properties[.time] == nil else { return false }
    let playing = playing(of: use)
    return playing.rounds.isFinite && (playing.ramp.map { $0.duration != nil } ?? true)
  }

  /// Returns the time of the material at `now`. It is not clamped before the start and after the
  /// end.
  func materialTime(of use: ElementNode, start: Ticks, length: Ticks, at now: Scalar) -> Scalar {
    if let clock = clock(of: use) { return clock }
    let playing = playing(of: use)
    let (from, to) = (playing.from, playing.to ?? Double(length.rawValue))
    let elapsed = builder.subtract(now, .constant(Double(start.rawValue)))
    if let ramp = playing.ramp {
      return builder.add(ramp.played(after: elapsed, &builder), .constant(from))
    }
    var played = builder.scaled(elapsed, abs(playing.speed))
    if playing.rounds > 1 {
      if playing.rounds.isFinite {
        let last = (to - from) * playing.rounds - 1
        played = builder.make(.minimum, a: .constant(last), b: played)
      }
      // Frame times are rounded, possibly to just before the next round.
      let late = builder.add(played, .constant(2))
      let round = builder.make(.modulo, a: late, b: .constant(max(1, to - from)))
      played = builder.add(round, .constant(-2))
    }
    return playing.speed < 0
      ? builder.subtract(.constant(to), played) : builder.add(played, .constant(from))
  }

  /// Returns the clock that `time` sets; `nil` if it is not set or invalid. A tween in it extends
  /// to the end of the parent.
  private func clock(of use: ElementNode) -> Scalar? {
    guard let (value, span) = value(.time, of: use, now: now), let clock = asTime(value, span)
    else {
      return nil
    }
    if Property.time.excluded.contains(where: { use.properties[$0] != nil }) {
      _ = report(
        .propertyElsewhere, "'time' cannot be combined with 'trim', 'speed' or 'loop'", at: span,
        label: "remove 'time' or the other properties")
    }
    return clock
  }

  /// Warns about a clip that is shown beyond its end and freezes on its last frame.
  func warnOfHeldEnd(_ use: ElementNode, start: Ticks, end: Ticks) {
    guard lastsAsItsMaterial(use), let own = ownLength(of: use, use.span) else { return }
    let held = end - start - own
    guard held.rawValue > Int64(frameRate.frameTicks * 1.01) else { return }
    let span = use.properties[.for]?.value.span ?? use.span
    report(
      Diagnostic(
        .clipEnds, "'\(use.displayName)' is shown for \(held.description) after its end", at: span,
        label: "the last frame is frozen; the clip lasts \(own.description)"))
  }
}
