// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// The times of a sequence's clips, relative to its start.
struct SequencePlan {
  struct Clip {
    let instance: ElementNode
    let start: Ticks
    let end: Ticks
    /// The duration of the overlap with the previous clip.
    let overlap: Ticks
    /// The transition during the overlap.
    let transition: TransitionUse?

    func with(end: Ticks) -> Clip {
      Clip(
        instance: instance, start: start, end: end, overlap: overlap, transition: transition)
    }
  }

  var clips: [Clip] = []
  /// The indices in `clips` by the ids of elements.
  var places: [Int: Int] = [:]
  var end = Ticks.zero

  func clip(_ instance: ElementNode) -> Clip? { places[instance.id].map { clips[$0] } }
}

// `sequence`: children one after another, with transitions between them.
extension Checker {
  /// Returns the entry of an element in the plan of its sequence; `nil` outside sequences.
  func clip(_ instance: ElementNode) -> SequencePlan.Clip? {
    guard let parent = instance.parent, parent.kind == .sequence else { return nil }
    return plan(of: parent).clip(instance)
  }

  /// Returns the plan of a sequence. It is empty after an error.
  func plan(of sequence: ElementNode) -> SequencePlan {
    if let known = sequence.plan { return known }
    let made = step(
      .plan(sequence.id), "the order of '\(sequence.displayName)'", at: sequence.span
    ) { makePlan(of: sequence) }
    let plan = made ?? SequencePlan()
    sequence.plan = plan
    return plan
  }

  /// The known properties of a clip before its start is known.
  private struct Part {
    let instance: ElementNode
    var length: Ticks?
    /// The distance from the end of the previous clip, or from the start.
    var gap: Ticks?
    var transition: TransitionUse?
    /// Whether the clip continues beyond its duration while the next one overlaps it.
    var isExtended = false

    /// The requested duration of the overlap with the previous clip.
    var overlap: Ticks {
      max(.zero, gap.map { Ticks(-$0.rawValue) } ?? transition?.over ?? .zero)
    }
  }

  private func makePlan(of sequence: ElementNode) -> SequencePlan {
    elaborate(sequence)
    var parts: [Part] = []
    let overlaps: ClipOverlap = word(.overlap, of: sequence)
    for child in sequence.children where child.kind.hasLife {
      elaborate(child)
      var part = Part(instance: child, length: clipLength(of: child))
      if let source = child.properties[.at] { part.gap = time(source, of: child, "'at'") }
      if !parts.isEmpty { part.transition = transition(into: child, part.gap) }
      // Material with its own duration cannot continue.
      part.isExtended =
        overlaps == .beyond && (child.properties[.for] != nil || part.length == nil)
      parts.append(part)
    }
    if parts.contains(where: { $0.length == nil }), !shareRest(of: sequence, &parts) {
      return SequencePlan()
    }
    var plan = SequencePlan()
    var before = Ticks.zero
    for (index, part) in parts.enumerated() {
      guard let length = part.length else { continue }
      var overlap = Ticks.zero
      if index > 0 {
        overlap = held(
          part.overlap, of: part, before: parts[index - 1].length ?? length, length: length)
      }
      let gap = max(.zero, part.gap ?? .zero)
      warnOfGap(gap, part.instance)
      let isExtending = index > 0 && parts[index - 1].isExtended
      let start = isExtending ? before + gap : before + gap - overlap
      if isExtending, overlap > .zero, let last = plan.clips.popLast() {
        plan.clips.append(last.with(end: max(last.end, start + overlap)))
      }
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

  /// Returns the duration of a clip, from `for` or from its content; `nil` if it has none.
  private func clipLength(of clip: ElementNode) -> Ticks? {
    if let source = clip.properties[.for] { return lifeLength(source, of: clip) }
    if clip.kind == .sequence { return plan(of: clip).end }
    if clip.kind == .steps { return lengthAlone(ofSteps: clip) }
    if isPlayer(clip) { return ownLength(of: clip, clip.span) }
    if clip.kind == .description { return descriptionLength(of: clip) }
    // In a sequence with a duration, clips without one share the rest.
    return clip.parent?.properties[.for] == nil ? innerLength(of: clip) : nil
  }

  /// Returns the duration of an element's drawn content, otherwise that of its audio content, or
  /// `nil` if no child has its own duration.
  private func innerLength(of element: ElementNode) -> Ticks? {
    elaborate(element)
    func last(_ children: [ElementNode]) -> Ticks? {
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

  /// Returns whether the duration of an element is unknown because a file cannot be read, which was
  /// reported.
  private func hasUnreadableFile(_ element: ElementNode) -> Bool {
    if element.kind == .video || element.kind == .audio { return footage(of: element) == nil }
    elaborate(element)
    return element.children.contains(where: hasUnreadableFile)
  }

  /// Divides the rest of the sequence's `for` among clips without a duration. Returns `false` after
  /// an error.
  private func shareRest(of sequence: ElementNode, _ parts: inout [Part]) -> Bool {
    let open = parts.filter { $0.length == nil }
    guard let source = sequence.properties[.for] else {
      // An error in `for` was already reported.
      for part in open
      where part.instance.properties[.for] == nil && !hasUnreadableFile(part.instance) {
        report(
          Diagnostic(
            .noLength, "'\(part.instance.displayName)' has no duration", at: part.instance.span,
            label: "add 'for: 3s', or set 'for' on the sequence to share it"))
      }
      return false
    }
    guard let whole = lifeLength(source, of: sequence) else { return false }
    var rest = whole
    for (index, part) in parts.enumerated() {
      let isExtending = index > 0 && parts[index - 1].isExtended
      let gap = max(.zero, part.gap ?? .zero)
      rest = rest - gap + (isExtending ? .zero : part.overlap) - (part.length ?? .zero)
    }
    guard rest > .zero else {
      _ = report(
        .noLength, "no time of the sequence is left for '\(open[0].instance.displayName)'",
        at: source.value.span, label: "the other clips take all of \(whole.description)")
      return false
    }
    let count = Int64(open.count)
    var given: Int64 = 0
    for index in parts.indices where parts[index].length == nil {
      // Differences of cumulative shares, so that the sum is exact.
      let share = rest.rawValue * (given + 1) / count - rest.rawValue * given / count
      parts[index].length = Ticks(share)
      given += 1
    }
    return true
  }

  /// Clamps an overlap to half of each clip.
  private func held(_ wanted: Ticks, of part: Part, before: Ticks, length: Ticks) -> Ticks {
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

  private func warnOfGap(_ gap: Ticks, _ clip: ElementNode) {
    guard gap > .zero, let source = clip.properties[.at] else { return }
    report(
      Diagnostic(
        .sequenceGap, "the sequence is empty for \(gap.description) before this clip",
        at: source.value.span, label: "in a sequence, 'at' is the gap after the previous clip"))
  }

  /// Warns about a sequence that is longer than its clips, and therefore empty at its end.
  func warnOfRest(of sequence: ElementNode) {
    let plan = plan(of: sequence)
    guard let source = sequence.properties[.for],
      let whole = lifeLength(source, of: sequence), whole > plan.end, !plan.clips.isEmpty
    else { return }
    report(
      Diagnostic(
        .sequenceGap, "the sequence is empty for its last \((whole - plan.end).description)",
        at: source.value.span, label: "its clips end at \(plan.end.description)"))
  }

  // MARK: Generation

  /// Returns each clip outside overlaps, and the transition for each overlap.
  func emitClips(of sequence: ElementNode) -> [ElementModel] {
    let plan = plan(of: sequence)
    guard let base = start(of: sequence, sequence.span) else { return [] }
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
          // Additive blending of both clips must not include their background.
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

  /// Generates the model of a clip once. The transitions before and after the clip reuse it.
  /// Returns `nil` for a clip that draws nothing.
  func emitClip(_ clip: ElementNode) -> ElementModel? {
    if clip.kind.isInvisible { return nil }
    if let known = clip.emitted, known.now == now { return known.model }
    let model = emitOne(clip)
    clip.emitted = (now, model)
    return model
  }
}
