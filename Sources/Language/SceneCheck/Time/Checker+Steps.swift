// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// `steps`: content that appears one step after another and remains.
//
// A step has two ends: `end`, where the next step starts, and the end of its content, which is
// shown as long as the `steps` element.
extension Checker {
  /// Returns the time until which an element is shown. For a step, this is the end of its `steps`.
  /// Returns `nil` after an error.
  func shownEnd(of instance: ElementNode, _ span: SourceSpan) -> Ticks? {
    guard let parent = instance.parent else { return end(of: instance, span) }
    switch instance.kind {
    case .step: return shownEnd(of: parent, span)
    case .steps:
      elaborate(instance)
      // As a clip, it ends with its interval in the sequence.
      let hasEnd = instance.properties[.for] != nil || parent.kind == .sequence
      return hasEnd ? end(of: instance, span) : shownEnd(of: parent, span)
    default: return end(of: instance, span)
    }
  }

  /// Returns the steps of `steps` in order.
  private func list(of steps: ElementNode) -> [ElementNode] {
    elaborate(steps)
    if let known = steps.steps, known.childCount == steps.children.count { return known.list }
    let found = steps.children.filter { $0.kind == .step }
    for (index, step) in found.enumerated() { step.stepIndex = index }
    steps.steps = (found, steps.children.count)
    return found
  }

  /// Returns the start of a step: the end of the previous step plus `at`, which may be negative;
  /// `nil` after an error.
  func stepStart(of step: ElementNode, in steps: ElementNode, _ span: SourceSpan) -> Ticks? {
    guard let first = start(of: steps, span) else { return nil }
    elaborate(step)
    var before = first
    let earlier = list(of: steps).prefix(step.stepIndex)
    // In order from the last known end, since each end depends on the previous one. This limits
    // recursion.
    let known = earlier.lastIndex { $0.endTime != nil } ?? 0
    for other in earlier[known...] {
      guard let end = end(of: other, span) else { return nil }
      before = end
    }
    guard let source = step.properties[.at] else { return before }
    guard let wait = time(source, of: step, "'at'") else { return nil }
    guard before + wait >= first else {
      _ = report(
        .outOfRange, "the step starts \((first - before - wait).description) before its 'steps'",
        at: source.value.span,
        label: before == first
          ? "expected 0s or more for the first step"
          : "expected -\((before - first).description) or more")
      return first
    }
    return before + wait
  }

  /// Returns the end of all steps. An earlier step may end later than the last one. Returns `nil`
  /// after an error.
  func courseEnd(ofSteps steps: ElementNode, _ span: SourceSpan) -> Ticks? {
    guard var last = start(of: steps, span) else { return nil }
    for step in list(of: steps) {
      guard let end = end(of: step, span) else { return nil }
      last = max(last, end)
    }
    return last
  }

  /// Returns whether `steps` has a positive duration.
  func lasts(_ steps: ElementNode) -> Bool {
    guard let begin = start(of: steps, steps.span), let end = end(of: steps, steps.span) else {
      return false
    }
    return begin < end
  }

  /// Returns the end of a step without `for`: that of its last finite motion; `nil` after an error.
  func courseEnd(ofStep step: ElementNode, _ span: SourceSpan) -> Ticks? {
    guard let begin = start(of: step, span) else { return nil }
    planning += 1
    defer { planning -= 1 }
    var last = begin
    guard note(motionsOf: step, &last) else { return nil }
    warnOfNoLength(step, from: begin, to: last)
    return last
  }

  private func note(motionsOf i: ElementNode, _ last: inout Ticks) -> Bool {
    elaborate(i)
    guard let entered = effectEnd(of: i, .enter, i.span) ?? start(of: i, i.span) else {
      return false
    }
    last = max(last, entered)
    for child in i.children {
      switch child.kind {
      case .captions: continue
      case .each: noteParts(of: child, in: i, &last)
      case .span:
        if !note(motionsOf: child, &last) { return false }
      case .change, .steps, .sequence:
        // Its own `enter` may end later.
        if child.kind != .change, let entered = effectEnd(of: child, .enter, child.span) {
          last = max(last, entered)
        }
        guard let end = end(of: child, child.span) else { return false }
        last = max(last, end)
      case _ where isPlayer(child):
        elaborate(child)
        guard child.properties[.for] != nil || lastsAsItsMaterial(child) else { continue }
        guard let end = end(of: child, child.span) else { return false }
        last = max(last, end)
      default:
        guard child.kind.isDrawn else { continue }
        if !note(motionsOf: child, &last) { return false }
      }
    }
    return true
  }

  /// Includes the `enter` of the glyphs, words or lines of a text.
  private func noteParts(of each: ElementNode, in text: ElementNode, _ last: inout Ticks) {
    elaborate(each)
    // The parts of an SVG are children themselves.
    guard each.properties[.enter] != nil, text.kind != .svg else { return }
    var parts: [ElementNode] = []
    if text.kind == .math {
      parts = formulaPartsAlone(of: each, in: text)
    } else if let model = textModel(of: text, now: now) {
      parts = partsAlone(of: each, in: text, model)
    }
    for part in parts {
      guard let begin = part.startTime else { continue }
      let enters = effects(of: part).filter { !$0.isExit }
      let longest = enters.map { $0.after + $0.over }.max() ?? 0
      if let length = Ticks(rounding: longest) { last = max(last, begin + length) }
    }
  }

  /// Returns the end of an element's `enter` or `exit`, or `nil` if it has none.
  func effectEnd(of i: ElementNode, _ property: Property, _ span: SourceSpan) -> Ticks? {
    effectSpan(of: i, property, span)?.end
  }

  /// Returns the interval of an element's `enter` or `exit`, or `nil` if it has none.
  func effectSpan(of i: ElementNode, _ property: Property, _ span: SourceSpan)
    -> (start: Ticks, end: Ticks)?
  {
    let uses = effects(of: i).filter { $0.isExit == (property == .exit) }
    guard !uses.isEmpty else { return nil }
    let waits = (uses.map(\.after).min() ?? 0, uses.map { $0.after + $0.over }.max() ?? 0)
    if property == .exit {
      guard let end = shownEnd(of: i, span), let first = Ticks(rounding: waits.1),
        let last = Ticks(rounding: waits.0)
      else { return nil }
      return (end - first, end - last)
    }
    guard let begin = start(of: i, span), let first = Ticks(rounding: waits.0),
      let last = Ticks(rounding: waits.1)
    else { return nil }
    return (begin + first, begin + last)
  }

  // MARK: Durations without a start

  /// Returns the duration of `steps` before their start is known, as for a clip of a sequence. All
  /// times computed for that are discarded, since they are relative to a provisional start. Returns
  /// `nil` after an error.
  func lengthAlone(ofSteps steps: ElementNode) -> Ticks? {
    if let start = steps.startTime, let end = steps.endTime { return end - start }
    steps.startTime = .zero
    let length = courseEnd(ofSteps: steps, steps.span)
    forgetTimes(of: steps)
    return length
  }

  private func forgetTimes(of i: ElementNode) {
    (i.startTime, i.endTime, i.effects, i.plan, i.parts) = (nil, nil, nil, nil, [])
    i.values = TimeMap()
    i.placements = TimeMap()
    spanTexts[i.id] = nil
    i.layouts = TimeMap()
    i.grown = TimeMap()
    i.stretched = TimeMap()
    i.sizes = TimeMap()
    for binding in i.scope.bindings.values {
      if case .expression(let it) = binding { it.known = [:] }
    }
    if i.kind != .scene { i.boxes = TimeMap() }
    for child in i.children { forgetTimes(of: child) }
  }

  // MARK: Chapters

  /// Returns the chapters that start with steps, in the clock of the scene.
  func chapters(in i: ElementNode) -> [Chapter] {
    i.children.flatMap { child -> [Chapter] in
      guard child.shown == nil || !hasOwnClock(child) else { return [] }
      guard child.kind == .step, let (value, span) = value(.chapter, of: child, now: now),
        let title = asConstantText(value, span), let start = start(of: child, child.span)
      else { return chapters(in: child) }
      return [Chapter(start: start, title: title)] + chapters(in: child)
    }
  }

  // MARK: Names

  /// Exports the names of a step to the enclosing scope, since later elements can refer to content
  /// that remains. Names of the enclosing body take precedence.
  func export(namesOf inner: ElementNode, to scope: Scope) {
    elaborate(inner)
    for (name, binding) in inner.scope.bindings {
      switch binding {
      case .element, .elements, .ambiguous: break
      default: continue
      }
      if scope.bindings[name] == nil {
        scope.bind(name, binding)
        scope.exported.insert(name)
      } else if scope.exported.contains(name), let first = scope.bindings[name]?.nameSpan {
        scope.bind(name, .ambiguous(first, binding.nameSpan ?? first))
      }
    }
  }

  // MARK: Warnings

  /// Warns about a step that ends after the `for` of its `steps`.
  func warnOfCutStep(in steps: ElementNode) {
    guard let source = steps.properties[.for], let begin = start(of: steps, steps.span),
      let end = end(of: steps, steps.span)
    else { return }
    for step in list(of: steps) {
      guard let last = self.end(of: step, step.span), last > end else { continue }
      report(
        Diagnostic(
          .keyOutsideLife,
          "the step ends at \((last - begin).description), after its 'steps'", at: step.span,
          label: "'steps' ends at \((end - begin).description)",
          notes: [Note(help: "remove 'for' to show all steps", at: source.nameSpan)]))
      return
    }
  }

  /// Warns about a step without a duration whose content seems to have one.
  private func warnOfNoLength(_ step: ElementNode, from begin: Ticks, to last: Ticks) {
    guard last == begin, let parent = step.parent, list(of: parent).last !== step,
      let (span, why) = seemingLength(in: step)
    else { return }
    report(
      Diagnostic(
        .emptyStep, "the step has no duration; the next step starts at the same time",
        at: step.span,
        label: "no 'for', and no 'enter', 'change' or clip that sets its duration",
        notes: [Note(why, at: span), Note(help: "add a duration to the step: for: 2s")]))
  }

  /// Reports a scene without a duration whose steps have none either.
  func reportNoLength(_ diagnostic: Diagnostic, of steps: ElementNode) {
    var diagnostic = diagnostic
    if let (span, why) = list(of: steps).lazy.compactMap({ self.seemingLength(in: $0) }).first {
      diagnostic.notes.append(Note(why, at: span))
    }
    report(diagnostic.advising("set the duration of a step: step { for: 2s … }"))
  }

  /// Returns a property that may be meant to set the duration of a step, with an explanation, or
  /// `nil`.
  private func seemingLength(in i: ElementNode) -> (SourceSpan, String)? {
    for child in i.children where child.kind.hasLife {
      if let source = child.properties[.for], source.made == nil {
        return (source.value.span, "'for' of an element does not extend its step")
      }
      for property in child.properties.given {
        guard let source = child.properties[property], source.made == nil else { continue }
        switch source.value.kind {
        case .tween, .keyframes:
          return (source.value.span, "a motion in a value does not extend its step")
        default: continue
        }
      }
      if let found = seemingLength(in: child) { return found }
    }
    return nil
  }
}
