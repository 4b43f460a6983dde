// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// When the clips of a sequence are there, from its own start.
struct SequencePlan {
  struct Clip {
    let instance: Instance
    let start: Ticks
    let end: Ticks
    /// How long it is there with the clip before.
    let overlap: Ticks
    /// What happens meanwhile.
    let transition: TransitionUse?
  }

  var clips: [Clip] = []
  /// The place in `clips` by the element's id.
  var places: [Int: Int] = [:]
  var end = Ticks.zero

  func clip(_ instance: Instance) -> Clip? { places[instance.id].map { clips[$0] } }
}

// `sequence`: its children one after another, with transitions between them.
extension Checker {
  /// The place of an element among the clips of the sequence that it stands in.
  func clip(_ instance: Instance) -> SequencePlan.Clip? {
    guard let parent = instance.parent, parent.kind == .sequence else { return nil }
    return plan(of: parent)?.clip(instance)
  }

  /// `nil` when it has none, which was reported.
  func plan(of sequence: Instance) -> SequencePlan? {
    if let known = sequence.plan { return known }
    let made = step(
      .plan(sequence.id), "the order of '\(sequence.displayName)'", sequence.span
    ) { makePlan(of: sequence) }
    sequence.plan = (made ?? nil) ?? SequencePlan()
    return sequence.plan
  }

  /// What is known of a clip before its place is.
  private struct Part {
    let instance: Instance
    var length: Ticks?
    /// The distance from the clip before, or from the start.
    var gap: Ticks?
    var transition: TransitionUse?
  }

  private func makePlan(of sequence: Instance) -> SequencePlan? {
    elaborate(sequence)
    var parts: [Part] = []
    for child in sequence.children where child.kind.hasLife {
      elaborate(child)
      var part = Part(instance: child, length: clipLength(of: child))
      if let source = child.properties[.at] { part.gap = time(source, of: child, "'at'") }
      if !parts.isEmpty { part.transition = transition(into: child, part.gap) }
      parts.append(part)
    }
    if parts.contains(where: { $0.length == nil }), !shareRest(of: sequence, &parts) {
      return nil
    }
    var plan = SequencePlan()
    var before = Ticks.zero
    for (index, part) in parts.enumerated() {
      guard let length = part.length else { continue }
      var overlap = Ticks.zero
      if index > 0 {
        let wanted = max(
          .zero, part.gap.map { Ticks(-$0.rawValue) } ?? part.transition?.over ?? .zero)
        overlap = held(wanted, part, parts[index - 1].length ?? length, length)
      }
      let gap = max(.zero, part.gap ?? .zero)
      warnOfGap(gap, part.instance)
      let start = before + gap - overlap
      plan.places[part.instance.id] = plan.clips.count
      plan.clips.append(
        SequencePlan.Clip(
          instance: part.instance, start: start, end: start + length, overlap: overlap,
          transition: overlap > .zero ? part.transition : nil))
      before = start + length
    }
    plan.end = before
    return plan
  }

  /// `for`, or how long a clip is by itself.
  private func clipLength(of clip: Instance) -> Ticks? {
    if let source = clip.properties[.for] { return lifeLength(source, of: clip) }
    if clip.kind == .sequence { return plan(of: clip)?.end }
    if clip.kind == .steps { return lengthAlone(ofSteps: clip) }
    if isPlayer(clip) { return ownLength(of: clip, clip.span) }
    // Where a sequence has a length, those without one share it.
    return clip.parent?.properties[.for] == nil ? innerLength(of: clip) : nil
  }

  /// How long what is in an element lasts by itself: what is drawn, else what sounds; `nil` where nothing in
  /// it has a length of its own.
  private func innerLength(of element: Instance) -> Ticks? {
    elaborate(element)
    func last(_ children: [Instance]) -> Ticks? {
      children.compactMap { child -> Ticks? in
        elaborate(child)
        let length =
          child.properties[.for] != nil || child.kind == .sequence || child.kind == .steps
            || isPlayer(child) && lastsAsItsMaterial(child)
          ? clipLength(of: child) : innerLength(of: child)
        let start = child.properties[.at].flatMap { time($0, of: child, "'at'") } ?? .zero
        return length.map { start + $0 }
      }.max()
    }
    return last(element.children.filter(\.kind.isDrawn))
      ?? last(element.children.filter { $0.kind == .audio })
  }

  /// Clips without a length share what the others leave of the sequence's `for`.
  private func shareRest(of sequence: Instance, _ parts: inout [Part]) -> Bool {
    let open = parts.filter { $0.length == nil }
    guard let source = sequence.properties[.for] else {
      // An error in 'for' is the reason.
      for part in open where part.instance.properties[.for] == nil {
        report(
          Diagnostic(
            .noLength, "'\(part.instance.displayName)' has no duration", at: part.instance.span,
            label: "add 'for: 3s', or set 'for' on the sequence to share it"))
      }
      return false
    }
    guard let whole = lifeLength(source, of: sequence) else { return false }
    var rest = whole
    for part in parts {
      let distance = part.gap ?? Ticks(-(part.transition?.over ?? .zero).rawValue)
      rest = rest - distance - (part.length ?? .zero)
    }
    guard rest > .zero else {
      _ = report(
        .noLength, "'\(open[0].instance.displayName)' has no time left of \(whole.description)",
        at: source.value.span, label: "the other clips take all of it")
      return false
    }
    let count = Int64(open.count)
    var given: Int64 = 0
    for index in parts.indices where parts[index].length == nil {
      // The last ticks go to the last ones, so that the whole is exact.
      let share = rest.rawValue * (given + 1) / count - rest.rawValue * given / count
      parts[index].length = Ticks(share)
      given += 1
    }
    return true
  }

  /// An overlap, at most half of each clip.
  private func held(_ wanted: Ticks, _ part: Part, _ before: Ticks, _ length: Ticks) -> Ticks {
    let limit = Ticks(min(before, length).rawValue / 2)
    guard wanted > limit else { return wanted }
    let span = part.gap == nil ? part.transition?.span : part.instance.properties[.at]?.value.span
    report(
      Diagnostic(
        .longTransition,
        "the transition (\(wanted.description)) is longer than half of a clip (\(min(before, length).description))",
        at: span ?? part.instance.span, label: "shortened to \(limit.description)"))
    return limit
  }

  private func warnOfGap(_ gap: Ticks, _ clip: Instance) {
    guard gap > .zero, let source = clip.properties[.at] else { return }
    report(
      Diagnostic(
        .sequenceGap, "the sequence is empty for \(gap.description) before this clip",
        at: source.value.span, label: "in a sequence, 'at' is the gap after the previous clip"))
  }

  /// A sequence that lasts longer than its clips shows nothing at its end.
  func warnOfRest(of sequence: Instance) {
    guard let plan = plan(of: sequence), let source = sequence.properties[.for],
      let whole = lifeLength(source, of: sequence), whole > plan.end, !plan.clips.isEmpty
    else { return }
    report(
      Diagnostic(
        .sequenceGap, "the sequence is empty for its last \((whole - plan.end).description)",
        at: source.value.span, label: "its clips end at \(plan.end.description)"))
  }

  // MARK: Emission

  /// Each clip where it is alone, and where two of them are, the transition that shows them.
  func emitClips(of sequence: Instance) -> [ElementModel] {
    guard let plan = plan(of: sequence), let base = start(of: sequence, sequence.span) else {
      return []
    }
    warnOfRest(of: sequence)
    var models: [ElementModel] = []
    for (index, clip) in plan.clips.enumerated() {
      guard let model = emitClip(clip.instance) else { continue }
      var (start, end) = (base + clip.start, base + clip.end)
      if let use = clip.transition {
        start = start + clip.overlap
        let crossing = makeCrossing(
          use, from: plan.clips[index - 1].instance, to: clip.instance, in: sequence,
          start: base + clip.start, length: clip.overlap)
        if let shown = emitOne(crossing) {
          // Sums of both clips are made apart from what is behind them.
          var style = shown.style
          style.isIsolated = true
          models.append(remade(shown, shown.with(style: style)))
        }
      }
      if index + 1 < plan.clips.count, plan.clips[index + 1].transition != nil {
        end = end - plan.clips[index + 1].overlap
      }
      if start < end { models.append(remade(model, model.with(start: start, end: end))) }
    }
    return models
  }

  /// A clip is shown alone and in the transitions before and after; made once.
  func emitClip(_ clip: Instance) -> ElementModel? {
    if clip.kind == .audio { return nil }
    if let known = clip.emitted, known.now == now { return known.model }
    let model = emitOne(clip)
    clip.emitted = (now, model)
    return model
  }
}
