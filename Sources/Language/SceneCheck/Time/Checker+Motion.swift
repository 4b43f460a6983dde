// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

extension Checker {
  /// The evaluated clauses of a leg or keyframe.
  struct Timing {
    var over: Double?
    var after: Double?
    var easing: Easing?
    /// The duration of a spring without `over`.
    var natural: Double?
  }

  func timing(_ clauses: [Clause], _ c: Context) -> Timing? {
    var timing = Timing()
    for (index, clause) in clauses.enumerated() {
      let word = clause.word.text
      if clauses[..<index].contains(where: { $0.word.text == word }) {
        _ = report(.propertyTwice, "duplicate '\(word)' in a motion", at: clause.word.span)
        return nil
      }
      if word == "with" {
        let value = releasing { evaluate(clause.value, c, words: Words.easings) }
        guard let (easing, length) = asEasing(value, clause.value.span) else { return nil }
        timing.easing = easing
        timing.natural = length
        continue
      }
      let constant = c.with { $0.constantFor = "'\(word)'" }
      let value = releasing { evaluate(clause.value, constant) }
      guard let ticks = duration(value, clause.value.span, in: c) else { return nil }
      if ticks < 0, word == "over" {
        _ = report(.outOfRange, "'over' cannot be negative", at: clause.value.span)
        return nil
      }
      if word == "over" { timing.over = ticks } else { timing.after = ticks }
    }
    return timing
  }

  /// Returns a constant time in ticks; `nil` after an error. Percentages are relative to the
  /// owner's lifetime.
  private func duration(_ value: Value, _ span: SourceSpan, in c: Context) -> Double? {
    guard case .percent(.constant(let share)) = value else { return asConstantTime(value, span) }
    return lifeLength(c, span).map { ($0 * share).rounded() }
  }

  /// Returns the duration of the owner in ticks; `nil` after an error.
  func lifeLength(_ c: Context, _ span: SourceSpan) -> Double? {
    guard let start = self.start(of: c.owner, span), let end = self.end(of: c.owner, span) else {
      return nil
    }
    return Double((end - start).rawValue)
  }

  func defaultEasing(_ c: Context) -> Easing {
    guard let value = inherited(.easing, c.owner) else { return .linear }
    let evaluated = evaluateProperty(
      value.source, of: value.owner, now: now, words: Words.easings, constantFor: "'easing'")
    return asEasing(evaluated, value.source.value.span)?.0 ?? .linear
  }

  func mixingSpace(_ c: Context) -> ColorSpace {
    guard let value = inherited(.mixing, c.owner) else { return .oklab }
    let key = StepKey.property(value.owner.id, .mixing)
    // Colors in the value itself are mixed in the default space.
    if running.ring(closedBy: key) != nil { return .oklab }
    let words = Set(ColorSpace.allCases.map(\.rawValue))
    let evaluated = step(key, "'mixing'", at: value.source.value.span) {
      evaluateProperty(
        value.source, of: value.owner, now: now, words: words, constantFor: "'mixing'")
    }
    if case .word(let word) = evaluated, let space = ColorSpace(rawValue: word) { return space }
    return .oklab
  }

  // MARK: Tweens

  func tween(
    _ first: Expression, _ legs: [Leg], at span: SourceSpan, in c: Context, words: Set<String>
  ) -> Value {
    if let what = c.constantFor { return movingIn(what, span) }
    guard let begin = start(of: c.owner, span) else { return poison(span) }
    var timings: [Timing] = []
    for leg in legs {
      guard let it = timing(leg.clauses, c) else { return poison(span) }
      timings.append(it)
    }
    guard let spans = legSpans(legs, timings: timings, at: span, in: c) else { return poison(span) }
    var previous = evaluate(first, c, words: words)
    var stages: [(from: Double, value: Value)] = []
    let easing = timings.contains { $0.easing == nil } ? defaultEasing(c) : .linear
    let shared = shareWhole(legs) ? timings.last?.easing : nil
    let easings = timings.map { $0.easing ?? shared ?? easing }
    let space = mixingSpace(c)
    for (index, leg) in legs.enumerated() {
      let target = evaluate(leg.value, c, words: words)
      let from = Double(begin.rawValue) + spans[index].lowerBound
      let length = spans[index].upperBound - spans[index].lowerBound
      let u = builder.make(.progress, a: c.now, b: .constant(from), c: .constant(length))
      let eased = builder.ease(u, easings[index])
      let at = first.span.union(leg.value.span)
      let moved = blend(previous, target, by: .mix(eased, space), at: at, in: c)
      if moved.isPoison { return poison(span) }
      if index == 0, !begins(easings[index]) { stages.append((-.infinity, previous)) }
      stages.append((from, moved))
      previous = target
    }
    let result = latest(stages, at: span, in: c)
    note(first, legs, spans: spans, easings: easings, from: begin, at: span, in: c)
    let last = spans.last?.upperBound ?? 0
    c.recorder?.note(last)
    if let clause = legs.last?.clauses.first(where: { $0.word.text != "with" }) {
      warnIfCut("the motion", from: spans[0].lowerBound, until: last, at: clause.value.span, in: c)
    }
    return result
  }

  /// Returns the value that is current at each time, for values with the given starts. The first
  /// value also applies before its start. A value that starts no later than its predecessors,
  /// because of a negative delay, replaces them.
  func latest(
    _ stages: [(from: Double, value: Value)], at span: SourceSpan, in c: Context
  ) -> Value {
    var rising = Array(stages.prefix(1))
    for stage in stages.dropFirst() {
      while rising.count > 1, let last = rising.last, last.from >= stage.from {
        rising.removeLast()
      }
      rising.append(stage)
    }
    return latest(rising[...], upTo: c.now, at: span, in: c)
  }

  /// Emits the warnings that were postponed until lifetimes were known.
  func warnOfPostponed() {
    let waiting = postponed
    postponed = []
    for warn in waiting { warn() }
  }

  /// Warns about a motion that ends after its element. Times are in ticks since the start of the
  /// element.
  func warnIfCut(
    _ what: String, from start: Double, until last: Double, at span: SourceSpan, in c: Context
  ) {
    if planning > 0 {
      // Lifetimes may depend on the duration being computed.
      return postponed.append { self.warnIfCut(what, from: start, until: last, at: span, in: c) }
    }
    guard c.recorder == nil, let begin = self.start(of: c.owner, span),
      let end = shownEnd(of: c.owner, span), last > Double((end - begin).rawValue) + 1
    else { return }
    let life = Double((end - begin).rawValue)
    let verb = start > life ? "starts at \(clock(start))" : "ends at \(clock(last))"
    report(
      Diagnostic(
        .keyOutsideLife, "\(what) \(verb), after the end of its element", at: span,
        label: "the element lasts \(clock(life))", notes: stepIsShort(c.owner, last)))
  }

  /// Warns about an effect that is longer than the lifetime of its element, in ticks.
  func warnIfCut(
    _ what: String, isExit: Bool, _ length: Double, at span: SourceSpan, in c: Context
  ) {
    if !isExit { return warnIfCut(what, from: 0, until: length, at: span, in: c) }
    if planning > 0 {
      return postponed.append {
        self.warnIfCut(what, isExit: isExit, length, at: span, in: c)
      }
    }
    guard c.recorder == nil, let begin = start(of: c.owner, span),
      let end = shownEnd(of: c.owner, span), length > Double((end - begin).rawValue) + 1
    else { return }
    let life = Double((end - begin).rawValue)
    report(
      Diagnostic(
        .keyOutsideLife, "\(what) starts \(clock(length - life)) before its element", at: span,
        label: "the exit takes \(clock(length)), but the element lasts \(clock(life))"))
  }

  /// Returns the advice for a step without a duration, which may be meant to last as long as a
  /// motion in it.
  private func stepIsShort(_ owner: ElementNode, _ last: Double) -> [Note] {
    var around = owner.parent
    while let it = around, it.kind != .step { around = it.parent }
    guard let step = around, step.properties[.for] == nil else { return [] }
    return [
      Note(
        help: "set 'for: \(clock(last))' on the step; motions in values do not extend a step",
        at: step.syntax.headSpan)
    ]
  }

  /// Returns whether an easing starts at the first value. An easing that jumps immediately does
  /// not.
  func begins(_ easing: Easing) -> Bool { easing.value(at: 0) == 0 }

  /// Returns whether clauses are only after the last leg, so that all legs share the duration
  /// equally.
  private func shareWhole(_ legs: [Leg]) -> Bool {
    legs.count > 1 && legs.dropLast().allSatisfy { $0.clauses.isEmpty }
  }

  /// Returns the interval of each leg, in ticks since the start of the owner; `nil` after an error.
  private func legSpans(
    _ legs: [Leg], timings: [Timing], at span: SourceSpan, in c: Context
  ) -> [Range<Double>]? {
    var spans: [Range<Double>] = []
    if shareWhole(legs), let last = timings.last {
      let wait = last.after ?? 0
      guard let whole = last.over ?? lifeLength(c, span).map({ $0 - wait }) else { return nil }
      let each = max(0, whole) / Double(legs.count)
      for index in legs.indices {
        let from = (wait + each * Double(index)).rounded()
        spans.append(from..<max(from, (wait + each * Double(index + 1)).rounded()))
      }
      return spans
    }
    var time = 0.0
    for timing in timings {
      time += timing.after ?? 0
      let over: Double
      if let given = timing.over ?? timing.natural {
        over = given.rounded()
      } else {
        guard let life = lifeLength(c, span) else { return nil }
        over = max(0, life - time)
      }
      spans.append(time..<(time + over))
      time += over
    }
    return spans
  }

  /// The label of errors about values that change over time, unless they have a specific one.
  static let movingLabel = "changes over time"

  /// Reports a value that changes over time where a constant is required.
  func moving(_ what: String, _ span: SourceSpan) -> Reported {
    report(
      Diagnostic(
        .notConstant, "\(what) cannot change over time", at: span, label: Checker.movingLabel,
        notes: [Note("times and loops must be known before the first frame")]))
  }

  func movingIn(_ what: String, _ span: SourceSpan) -> Value { .poison(moving(what, span)) }

  /// Records the legs of a tween.
  private func note(
    _ first: Expression, _ legs: [Leg], spans: [Range<Double>], easings: [Easing],
    from begin: Ticks, at span: SourceSpan, in c: Context
  ) {
    guard let recording else { return }
    let start = Double(begin.rawValue)
    let steps = legs.indices.map {
      SceneRecord.Motion.Step(
        start: $0 == 0 ? first.span : legs[$0 - 1].value.span,
        from: start + spans[$0].lowerBound, to: start + spans[$0].upperBound, easing: easings[$0],
        value: legs[$0].value.span, time: nil, clauses: legs[$0].clauses)
    }
    recording.note(SceneRecord.Motion(span: span, clock: c.now, origin: start, steps: steps))
  }

  // MARK: Keyframes

  private struct Key {
    let time: Double
    let value: Value
    let easing: Easing?
    let span: SourceSpan
    let written: Leg
  }

  func keyframes(
    _ items: [KeyItem], at span: SourceSpan, in c: Context, words: Set<String>
  ) -> Value {
    if let what = c.constantFor { return movingIn(what, span) }
    var keys: [Key] = []
    guard collect(items, in: c, words: words, into: &keys), let begin = start(of: c.owner, span)
    else {
      return poison(span)
    }
    guard let first = keys.first else {
      return report(
        .emptyMotion, "'keyframes' requires at least one keyframe", at: span,
        help: "add a keyframe such as '0s: 10'")
    }
    let easing = keys.contains { $0.easing == nil } ? defaultEasing(c) : .linear
    let space = mixingSpace(c)
    var stages = keys.count == 1 ? [(from: 0.0, value: first.value)] : []
    for (index, (previous, key)) in zip(keys, keys.dropFirst()).enumerated() {
      if key.time < previous.time {
        return report(
          .keysOutOfOrder,
          "the keyframe at \(clock(key.time)) follows the keyframe at \(clock(previous.time))",
          at: key.span, label: "keyframes must be sorted by time")
      }
      let from = Double(begin.rawValue) + previous.time
      let u = builder.make(
        .progress, a: c.now, b: .constant(from), c: .constant(key.time - previous.time))
      let eased = builder.ease(u, key.easing ?? easing)
      let moved = blend(previous.value, key.value, by: .mix(eased, space), at: key.span, in: c)
      if moved.isPoison { return poison(span) }
      if index == 0, !begins(key.easing ?? easing) { stages.append((-.infinity, first.value)) }
      stages.append((from, moved))
    }
    let result = latest(stages, at: span, in: c)
    note(keys, easing: easing, from: begin, at: span, in: c)
    c.recorder?.note(keys.last?.time ?? 0)
    if c.recorder == nil, let last = keys.last, let life = lifeLength(c, span),
      last.time > life + 1 || first.time < 0
    {
      let key = last.time > life + 1 ? last : first
      report(
        Diagnostic(
          .keyOutsideLife, "the keyframe at \(clock(key.time)) is never reached", at: key.span,
          label: "outside the lifetime, 0s to \(clock(life))"))
    }
    return result
  }

  /// Records keyframes.
  private func note(
    _ keys: [Key], easing: Easing, from begin: Ticks, at span: SourceSpan, in c: Context
  ) {
    guard let recording else { return }
    let start = Double(begin.rawValue)
    let steps = keys.indices.map { index in
      let key = keys[index]
      return SceneRecord.Motion.Step(
        start: index == 0 ? nil : keys[index - 1].written.value.span,
        from: start + keys[max(0, index - 1)].time, to: start + key.time,
        easing: key.easing ?? easing, value: key.written.value.span, time: key.span,
        clauses: key.written.clauses)
    }
    recording.note(SceneRecord.Motion(span: span, clock: c.now, origin: start, steps: steps))
  }

  private func clock(_ ticks: Double) -> String {
    Ticks(rounding: ticks)?.description ?? "?"
  }

  private func collect(
    _ items: [KeyItem], in c: Context, words: Set<String>, into keys: inout [Key]
  ) -> Bool {
    for item in items {
      switch item {
      case .key(let time, let value, let clauses):
        guard let ticks = keyTime(time, c) else { return false }
        if let wrong = clauses.first(where: { $0.word.text != "with" }) {
          _ = report(
            .unexpectedToken, "a keyframe cannot have '\(wrong.word.text)'", at: wrong.word.span,
            label: "the value of a keyframe is reached at its time")
          return false
        }
        guard let timing = timing(clauses, c) else { return false }
        let result = evaluate(value, c, words: words)
        if result.isPoison { return false }
        keys.append(
          Key(
            time: ticks, value: result, easing: timing.easing, span: time.span,
            written: Leg(value: value, clauses: clauses)))
      case .loop(let variable, let index, let list, let inner):
        guard let rounds = rounds(of: list, c) else { return false }
        for (number, value) in rounds.enumerated() {
          let scope = Scope(parent: c.scope, owner: nil)
          scope.bind(variable, .value(value, variable.span))
          if let index { scope.bind(index, .value(.number(Double(number)), index.span)) }
          guard collect(inner, in: c.with { $0.scope = scope }, words: words, into: &keys) else {
            return false
          }
        }
      }
      guard keys.count <= 10_000 else {
        _ = report(
          .limitExceeded, "'keyframes' has more than 10000 keyframes", at: c.owner.span,
          label: Limits.fixed)
        return false
      }
    }
    return true
  }

  private func keyTime(_ e: Expression, _ c: Context) -> Double? {
    let value = markerTime(
      evaluate(e, c.with { $0.constantFor = "the time of a keyframe" }), in: c, at: e.span)
    if case .percent(.constant(let share)) = value {
      return lifeLength(c, e.span).map { ($0 * share).rounded() }
    }
    return asConstantTime(value, e.span)?.rounded()
  }
}
