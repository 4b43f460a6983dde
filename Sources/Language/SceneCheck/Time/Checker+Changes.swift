// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// `change { at:, for:, size: … }`: properties that animate to a new value and retain it.
extension Checker {
  /// The properties of a `change` that control its timing and are not animated.
  static let changeWords: Set<Property> = [.at, .for, .easing, .style]

  /// Registers the changes in the body of an element by property, in document order.
  func noteChanges(of instance: ElementNode) {
    for change in instance.children where change.kind == .change && change.syntax.target == nil {
      elaborate(change)
      for property in change.properties.keys where !Checker.changeWords.contains(property) {
        note(change, property, of: instance)
      }
    }
  }

  /// Registers a change of a property.
  func note(_ change: ElementNode, _ property: Property, of host: ElementNode) {
    if host.kind == .particles, Checker.isOfLife(property), let given = change.properties[property]
    {
      report(
        .notConstant, "a change of particles cannot have '\(property.name)'", at: given.nameSpan,
        label: "it is a value over the life of each particle")
      return
    }
    if property.declaration.isConstant(in: checkedKind(host, property)),
      let given = change.properties[property]
    {
      report(
        .notConstant, "'\(property.name)' cannot change over time", at: given.nameSpan,
        label: "set it on the element")
      return
    }
    if host.properties[property] == nil {
      guard let source = beginning(of: property, of: host, change) else { return }
      host.properties[property] = source
    }
    host.changes[property, default: []].append(change)
  }

  /// Returns the value of a property before its first change, for an element that does not set it;
  /// `nil` after an error.
  private func beginning(of property: Property, of i: ElementNode, _ change: ElementNode) -> Source?
  {
    guard let given = change.properties[property] else { return nil }
    if property.declaration.isInherited, let parent = i.parent,
      let (source, _) = inherited(property, parent)
    {
      return source
    }
    if let value = fileValue(property, of: i) {
      return Source(.value(value), scope: i.scope, at: given.nameSpan)
    }
    guard let initial = initial(property, of: i) else {
      report(
        Diagnostic(
          .missingProperty, "'\(property.name)' of '\(i.displayName)' has no start value",
          at: given.nameSpan,
          label: property == .position
            ? "use 'translate' to move the element by an offset"
            : "set '\(property.name)' on the element as well"))
      return nil
    }
    let made: Source.Made =
      initial == .ink && isInked(i) ? .ink : .value(value(of: initial, in: i, now: now))
    return Source(made, scope: i.scope, at: given.nameSpan)
  }

  /// A change of one value with its interval.
  struct TimedChange {
    let change: ElementNode
    let source: Source
    let start: Ticks
    let end: Ticks

    func record(_ easing: Easing, clock: Scalar) -> SceneRecord.Change {
      SceneRecord.Change(
        value: source.value.span, clock: clock, from: Double(start.rawValue),
        to: Double(end.rawValue), easing: easing)
    }
  }

  /// Returns the changes of a value in the order of their starts. Changes with the same start are
  /// in document order. A change of a text ends at the latest when the next one starts, because a
  /// partly typed text cannot be a start value. Returns `nil` after an error.
  func timed(
    _ changes: [ElementNode], of value: Value, source: (ElementNode) -> Source?
  ) -> [TimedChange]? {
    var timed: [TimedChange] = []
    for change in changes {
      guard let source = source(change), let start = start(of: change, change.span),
        let end = end(of: change, change.span)
      else { return nil }
      // Most changes are in chronological order.
      let later = timed.lastIndex { $0.start <= start }.map { $0 + 1 } ?? 0
      timed.insert(
        TimedChange(change: change, source: source, start: start, end: end), at: later)
    }
    guard case .text = value else { return timed }
    return timed.enumerated().map { index, it in
      let next = index + 1 < timed.count ? timed[index + 1].start : it.end
      return TimedChange(
        change: it.change, source: it.source, start: it.start, end: min(it.end, next))
    }
  }

  /// Returns the progress of a change at a time.
  func progress(of change: TimedChange, at now: Scalar) -> Scalar {
    builder.make(
      .progress, a: now, b: .constant(Double(change.start.rawValue)),
      c: .constant(Double((change.end - change.start).rawValue)))
  }

  /// Returns the easing of a `change`.
  func easing(of change: ElementNode) -> Easing {
    if let (given, span) = value(.easing, of: change, now: now),
      let (easing, _) = asEasing(given, span)
    {
      return easing
    }
    return Easing.named["ease-in-out"] ?? .linear
  }

  /// Applies the changes of a property to its value, in the order of their starts. Changes with the
  /// same start are applied in document order.
  func changed(
    _ value: Value, _ property: Property, of i: ElementNode, now: Scalar, words: Set<String>
  ) -> Value {
    guard let changes = i.changes[property] else { return value }
    guard let timed = timed(changes, of: value, source: { $0.properties[property] }) else {
      return poison(i.span)
    }
    let range = use(of: property, in: i)?.range
    var result = value
    var recorded: [SceneRecord.Change] = []
    for it in timed {
      let change = it.change
      let target = evaluateProperty(
        it.source, of: change, now: now, words: words,
        pathUse: Checker.pathUse(of: property), isInside: property == .clip,
        standsInParent: Checker.isPlacing(property))
      if let range { check(target, of: property, in: range, at: it.source.value.span) }
      let u = progress(of: it, at: stepped(now, i))
      let easing = easing(of: change)
      recorded.append(it.record(easing, clock: now))
      let space = mixingSpace(context(of: i, now: now))
      let c = context(of: change, now: now).with {
        $0.pathUse = Checker.pathUse(of: property)
        if property == .clip { $0.space = i }
      }
      let moved = blend(
        result, target, by: .mix(builder.ease(u, easing), space), at: it.source.value.span, in: c)
      // An easing such as `step-start` does not begin at 0.
      result =
        begins(easing)
        ? moved
        : latest(
          [(-.infinity, result), (Double(it.start.rawValue), moved)], at: it.source.value.span,
          in: context(of: i, now: now))
    }
    recording?.note(recorded, of: .property(i.id, property, now))
    return result
  }
}
