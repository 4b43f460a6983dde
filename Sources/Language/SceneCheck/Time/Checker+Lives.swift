// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// Lifetimes of elements, which are constant and known before the first frame.
extension Checker {
  /// Returns the start of an element in the built scene, or `nil` after an error.
  func start(of instance: ElementNode, _ span: SourceSpan) -> Ticks? {
    if instance.isReadingSpeed, let start = startForSpeed(of: instance) { return start }
    if let known = instance.startTime { return known }
    guard let parent = instance.parent else {
      instance.startTime = .zero
      return .zero
    }
    let computed = step(
      .start(instance.id), "the start of '\(instance.displayName)'", at: instance.span
    ) { () -> Ticks? in
      // A scene with its own clock starts at 0.
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

  /// Returns the delay of an element by `stagger`.
  private func delay(of instance: ElementNode) -> Ticks {
    let wait = delayOfPart(instance)
    guard let parent = instance.parent, instance.kind.isDrawn,
      let source = parent.properties[.stagger],
      let step = time(source, of: parent, "'stagger'")
    else { return wait }
    return wait + Ticks(step.rawValue * Int64(drawnIndex(of: instance)))
  }

  /// Returns the index of an element among the drawn children of its parent.
  func drawnIndex(of instance: ElementNode) -> Int {
    guard let parent = instance.parent else { return 0 }
    if parent.drawnOrder.isEmpty {
      for (index, child) in parent.children.filter(\.kind.isDrawn).enumerated() {
        parent.drawnOrder[child.id] = index
      }
    }
    return parent.drawnOrder[instance.id] ?? 0
  }

  /// Returns the delay of an SVG part by the `stagger` of `each part`.
  private func delayOfPart(_ part: ElementNode) -> Ticks {
    guard let rank = part.rank, let each = part.parent?.children.first(where: { $0.kind == .each }),
      let source = each.properties[.stagger], let step = time(source, of: each, "'stagger'")
    else { return .zero }
    return Ticks(step.rawValue * Int64(rank))
  }

  /// Returns the end of an element; `nil` after an error. Without `for`, it is that of the parent.
  func end(of instance: ElementNode, _ span: SourceSpan) -> Ticks? {
    if let known = instance.endTime { return known }
    let computed = step(
      .end(instance.id), "the end of '\(instance.displayName)'", at: instance.span
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
      // The duration of a scene does not depend on its uses.
      if instance.kind == .scene { return lastEnd(of: instance) }
      if let shown = instance.shown, !hasOwnClock(instance) { return end(of: shown, span) }
      if isPlayer(instance), lastsAsItsMaterial(instance) {
        guard let begin = start(of: instance, span) else { return nil }
        return ownLength(of: instance, span).map { begin + $0 }
      }
      if instance.kind == .description {
        guard let begin = start(of: instance, span) else { return nil }
        return descriptionLength(of: instance).map { begin + $0 }
      }
      if instance.kind == .sequence {
        guard let begin = start(of: instance, span) else { return nil }
        return begin + plan(of: instance).end
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

  private func end(of instance: ElementNode, _ source: Source, _ span: SourceSpan) -> Ticks? {
    guard let length = lifeLength(source, of: instance),
      let start = self.start(of: instance, span)
    else { return nil }
    return start + length
  }

  /// Returns the duration that `for` sets; `nil` after an error.
  func lifeLength(_ source: Source, of instance: ElementNode) -> Ticks? {
    guard let length = time(source, of: instance, "'for'") else { return nil }
    guard length > .zero else {
      _ = report(
        .outOfRange, "'for' is \(length.description)", at: source.value.span,
        label: "expected more than 0s",
        help: instance.kind == .change ? "for a jump, set 'easing: step-start'" : nil)
      return nil
    }
    let limit = options.limits.hours * 3600
    guard length.seconds <= limit else {
      _ = report(
        .limitExceeded,
        "the duration \(length.description) exceeds the limit of \(Int(options.limits.hours)) hours",
        at: source.value.span, label: "exceeds the limit 'hours'",
        help: Limits.raising("hours", to: length.seconds / 3600))
      return nil
    }
    return length
  }

  private func evaluate(_ source: Source, _ c: Context) -> Value {
    if case .value(let value)? = source.made { return value }
    return releasing { evaluate(source.value, c) }
  }

  func time(_ source: Source, of instance: ElementNode, _ what: String) -> Ticks? {
    let context = context(of: instance, now: now, hasSteps: false).with {
      $0.scope = source.scope
      $0.constantFor = what
      $0.timeBase = instance.parent ?? instance
    }
    let value = markerTime(evaluate(source, context), in: context, at: source.value.span)
    guard let ticks = asConstantTime(value, source.value.span) else { return nil }
    guard let time = Ticks(rounding: ticks) else {
      _ = report(
        .outOfRange, "the time exceeds the limit of 240 hours", at: source.value.span,
        label: Limits.fixed)
      return nil
    }
    return time
  }

  /// Converts a marker to its time in the current clock, and returns other values unchanged.
  func markerTime(_ value: Value, in c: Context, at span: SourceSpan) -> Value {
    guard case .element(let marker) = value, marker.kind == .marker,
      let at = start(of: marker, span), let zero = start(of: c.timeBase ?? c.owner, span)
    else { return value }
    return .quantity(.constant(Double((at - zero).rawValue)), .time)
  }

  /// Returns the duration of a scene without `for`: the last end of a drawn child with its own
  /// duration, otherwise that of an audio child; `nil` after an error.
  private func lastEnd(of scene: ElementNode) -> Ticks? {
    if let last = lastEnd(scene.children.filter(\.kind.isDrawn))
      ?? lastEnd(scene.children.filter { $0.kind == .audio })
    {
      return last
    }
    // An error in a child may have caused the missing duration.
    if reports.hasErrors { return nil }
    let steps = scene.children.first { $0.kind == .steps }
    let diagnostic = Diagnostic(
      .noLength, "the scene has no duration", at: scene.span,
      label: steps == nil
        ? "no element in it has a duration either" : "no step has a duration either")
    guard let steps else {
      report(
        diagnostic.advising("set a duration: 'for: 5s' on the scene, or on one of its elements"))
      return nil
    }
    reportNoLength(diagnostic, of: steps)
    return nil
  }

  private func lastEnd(_ children: [ElementNode]) -> Ticks? {
    var last: Ticks?
    for child in children {
      elaborate(child)
      let hasLength =
        child.kind == .sequence && !plan(of: child).clips.isEmpty
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
