// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// When elements live. All is known before the first frame.
extension Checker {
  /// When an element begins, from the start of the built scene; `nil` when that was reported.
  func start(of instance: Instance, _ span: SourceSpan) -> Ticks? {
    if let known = instance.startTime { return known }
    guard let parent = instance.parent else {
      instance.startTime = .zero
      return .zero
    }
    let computed = step(
      .start(instance.id), "the start of '\(instance.displayName)'", instance.span
    ) { () -> Ticks? in
      // With a clock of its own, a scene begins at 0 of it.
      if instance.kind == .scene, hasOwnClock(parent) { return .zero }
      guard let base = start(of: parent, span) else { return nil }
      elaborate(instance)
      if parent.kind == .sequence, instance.kind.hasLife {
        return clip(instance).map { base + $0.start }
      }
      if instance.kind == .step { return stepStart(of: instance, in: parent, span) }
      let wait = delay(of: instance)
      guard let source = instance.properties[.at] else { return base + wait }
      return self.time(source, of: instance, "'at'").map { base + wait + $0 }
    }
    let known = computed ?? nil
    instance.startTime = known ?? .zero
    return known
  }

  /// How long the `stagger` of its parent holds an element back.
  private func delay(of instance: Instance) -> Ticks {
    let wait = delayOfPart(instance)
    guard let parent = instance.parent, instance.kind.isDrawn,
      let source = parent.properties[.stagger],
      let step = time(source, of: parent, "'stagger'")
    else { return wait }
    if parent.drawnOrder.isEmpty {
      for (index, child) in parent.children.filter(\.kind.isDrawn).enumerated() {
        parent.drawnOrder[child.id] = index
      }
    }
    return wait + Ticks(step.rawValue * Int64(parent.drawnOrder[instance.id] ?? 0))
  }

  /// How long the `stagger` of `each part` holds a part of an SVG back.
  private func delayOfPart(_ part: Instance) -> Ticks {
    guard let rank = part.rank, let each = part.parent?.children.first(where: { $0.kind == .each }),
      let source = each.properties[.stagger], let step = time(source, of: each, "'stagger'")
    else { return .zero }
    return Ticks(step.rawValue * Int64(rank))
  }

  /// When it ends; without `for`, when its parent does.
  func end(of instance: Instance, _ span: SourceSpan) -> Ticks? {
    if let known = instance.endTime { return known }
    let computed = step(
      .end(instance.id), "the end of '\(instance.displayName)'", instance.span
    ) { () -> Ticks? in
      elaborate(instance)
      if let parent = instance.parent, parent.kind == .sequence, instance.kind.hasLife {
        guard let base = start(of: parent, span) else { return nil }
        return clip(instance).map { base + $0.end }
      }
      if let source = instance.properties[.for] { return end(of: instance, source, span) }
      if instance.kind == .change {
        return start(of: instance, span).map { $0 + Ticks(Ticks.perSecond / 2) }
      }
      // A scene has a length of its own, wherever it is shown.
      if instance.kind == .scene { return lastEnd(of: instance) }
      if let shown = instance.shown, !hasOwnClock(instance) { return end(of: shown, span) }
      if isPlayer(instance), lastsAsItsMaterial(instance) {
        guard let begin = start(of: instance, span) else { return nil }
        return ownLength(of: instance, span).map { begin + $0 }
      }
      if instance.kind == .sequence {
        guard let begin = start(of: instance, span) else { return nil }
        return plan(of: instance).map { begin + $0.end }
      }
      if instance.kind == .step { return courseEnd(ofStep: instance, span) }
      if instance.kind == .steps { return courseEnd(ofSteps: instance, span) }
      guard let parent = instance.parent else { return nil }
      return shownEnd(of: parent, span)
    }
    let known = computed ?? nil
    instance.endTime = known ?? .zero
    return known
  }

  private func end(of instance: Instance, _ source: Source, _ span: SourceSpan) -> Ticks? {
    guard let length = lifeLength(source, of: instance),
      let start = self.start(of: instance, span)
    else { return nil }
    return start + length
  }

  /// What `for` says.
  func lifeLength(_ source: Source, of instance: Instance) -> Ticks? {
    guard let length = time(source, of: instance, "'for'") else { return nil }
    guard length > .zero else {
      _ = report(
        .outOfRange, "'for' is \(length.description)", at: source.value.span,
        label: "expected more than 0s")
      return nil
    }
    let limit = options.limits.hours * 3600
    guard length.seconds <= limit else {
      _ = report(
        .limitExceeded,
        "the duration \(length.description) exceeds the limit of \(Int(options.limits.hours)) hours",
        at: source.value.span, label: "exceeds the limit 'hours'",
        help: "raise it with --limit hours=\(Int((length.seconds / 3600).rounded(.up)))")
      return nil
    }
    return length
  }

  private func evaluate(_ source: Source, _ c: Context) -> Value {
    if case .value(let value)? = source.made { value } else { evaluate(source.value, c) }
  }

  func time(_ source: Source, of instance: Instance, _ what: String) -> Ticks? {
    let context = context(of: instance, now: now, hasSteps: false).with {
      $0.scope = source.scope
      $0.constantFor = what
      $0.wanted = .property(.time)
      $0.timeBase = instance.parent ?? instance
    }
    let value = markerTime(evaluate(source, context), context, source.value.span)
    guard let ticks = asConstantTime(value, source.value.span) else { return nil }
    guard let time = Ticks(rounding: ticks) else {
      _ = report(.outOfRange, "the time is too long", at: source.value.span)
      return nil
    }
    return time
  }

  /// A marker as the time at which it stands, in the clock that counts here.
  func markerTime(_ value: Value, _ c: Context, _ span: SourceSpan) -> Value {
    guard case .element(let marker) = value, marker.kind == .marker,
      let at = start(of: marker, span), let zero = start(of: c.timeBase ?? c.owner, span)
    else { return value }
    return .quantity(.constant(Double((at - zero).rawValue)), .time)
  }

  /// The length of a scene without `for`: the end of its last child that has a length of its own,
  /// of what is drawn, else of what sounds.
  private func lastEnd(of scene: Instance) -> Ticks? {
    if let last = lastEnd(scene.children.filter(\.kind.isDrawn))
      ?? lastEnd(scene.children.filter { $0.kind == .audio })
    {
      return last
    }
    // An error in a child may be why there is no length.
    if reports.hasErrors { return nil }
    report(
      Diagnostic(
        .noLength, "the scene has no duration", at: scene.span,
        label: "no element in it has a duration either"
      ).advising("set a duration: 'for: 5s' on the scene, or on one of its elements"))
    return nil
  }

  private func lastEnd(_ children: [Instance]) -> Ticks? {
    var last: Ticks?
    for child in children {
      elaborate(child)
      let hasLength =
        child.kind == .sequence && plan(of: child)?.clips.isEmpty == false
        || child.kind == .steps && lasts(child)
        || isPlayer(child) && lastsAsItsMaterial(child)
      guard child.properties[.for] != nil || hasLength,
        let end = self.end(of: child, child.span)
      else {
        continue
      }
      last = max(last ?? end, end)
    }
    return last
  }
}
