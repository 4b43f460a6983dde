// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// Generation of the record from a checked scene. It uses only results that the check has computed.
extension Checker {
  func makeRecord(_ recorder: SceneRecorder, of root: ElementNode, _ model: SceneModel?)
    -> SceneRecord
  {
    var walk = RecordWalk(checker: self, recorder: recorder)
    walk.visit(root, under: nil, at: root.syntax.headSpan)
    var record = SceneRecord(
      walk.elements, parameters: recordedParameters(), model: model?.elements ?? []
    ) { recorder.element(of: $0).flatMap { walk.places[$0] } }
    record.vectors = vectors
    record.tempo = root.properties[.tempo] == nil ? nil : root.tempo
    return record
  }

  /// Registers and returns an element of the model that replaces an element with the same origin.
  func remade(_ old: ElementModel, _ new: ElementModel) -> ElementModel {
    recording?.note(new, like: old)
    return new
  }

  private func recordedParameters() -> [SceneRecord.Parameter] {
    (root?.declared ?? []).compactMap {
      guard case .param(let name, let type, let value, let range, let span) = $0 else { return nil }
      return SceneRecord.Parameter(
        name: name, type: type, value: value?.span, range: range?.span, span: span,
        given: options.parameters.last { $0.name == name.text }?.text)
    }
  }
}

/// A traversal of the elements of a scene in preorder.
private struct RecordWalk {
  let checker: Checker
  let recorder: SceneRecorder
  private(set) var elements: [SceneRecord.Element] = []
  /// The indices of elements by id.
  private(set) var places: [Int: Int] = [:]

  init(checker: Checker, recorder: SceneRecorder) {
    self.checker = checker
    self.recorder = recorder
  }

  /// The numbers of children so far, by label and by span.
  private struct Counts {
    var labels: [String: Int] = [:]
    var rounds: [SourceSpan: Int] = [:]

    mutating func next<T>(_ key: T, in counts: WritableKeyPath<Counts, [T: Int]>) -> Int {
      defer { self[keyPath: counts][key, default: 0] += 1 }
      return self[keyPath: counts][key] ?? 0
    }
  }

  mutating func visit(_ i: ElementNode, under parent: Int?, at head: SourceSpan) {
    var counts = Counts()
    visit(i, under: parent, at: head, among: &counts)
  }

  private mutating func visit(
    _ i: ElementNode, under parent: Int?, at head: SourceSpan, among siblings: inout Counts
  ) {
    let clock = recorder.clock(of: i.id) ?? parent.map { elements[$0].clock } ?? .node(0)
    let label = i.syntax.name?.text ?? i.kindName
    let number = siblings.next(label, in: \.labels)
    let key = (parent.map { elements[$0].key + "/" } ?? "") + label
    let whole = i.syntax.span
    let place = elements.count
    places[i.id] = place
    elements.append(
      SceneRecord.Element(
        key: number == 0 ? key : "\(key)#\(number)", kind: i.kindName, name: i.syntax.name?.text,
        head: head, whole: head.union(whole.start < whole.end ? whole : head), parent: parent,
        round: siblings.next(head, in: \.rounds),
        definition: i.definition?.name.span ?? i.shown?.syntax.name?.span, clock: clock,
        isTransition: i.crossing != nil,
        start: i.startTime, end: i.endTime, box: i.boxes[clock],
        properties: i.properties.keys.compactMap { property($0, of: i, clock) },
        arguments: arguments(of: i, clock), voices: recorder.voices(of: i.id),
        alternative: alternative(of: i)))
    var counts = Counts()
    for child in i.children {
      // The content of a copy counts as that of a loop round, and the copy as its `repeat`.
      if child.copy != nil { places[child.id] = place }
      let shown = child.copy == nil ? [child] : child.children
      for child in shown { visit(child, under: place, at: child.span, among: &counts) }
    }
    // The span of a transition is that of its use.
    let asked = i.plan?.clips.compactMap(\.transition?.span) ?? []
    for (child, span) in zip(i.crossings, asked) {
      visit(child, under: place, at: span, among: &counts)
    }
  }

  private func alternative(of i: ElementNode) -> String? {
    let value = i.values[checker.now]?[i.kind == .description ? .content : .alt]
    let text = value.flatMap(checker.constantText)
    // The text of a decorative element can be empty.
    return text?.allSatisfy(\.isWhitespace) == true ? nil : text
  }

  private func property(_ property: Property, of i: ElementNode, _ clock: Scalar)
    -> SceneRecord.Property?
  {
    guard let source = i.properties[property] else { return nil }
    let value = i.values[clock]?[property] ?? constantSpeed(property, of: i)
    var scalars: [Scalar] = []
    value?.forEachScalar { scalars.append($0) }
    let type = checker.use(of: property, in: i)?.type
    return SceneRecord.Property(
      property: property, type: type,
      origin: origin(of: source, in: i), name: source.nameSpan, value: source.value.span,
      scalars: scalars, numbers: value.map { numbers($0, type) } ?? [],
      motions: recorder.motions(property, of: i.id, clock)
        + (i.effects ?? []).compactMap { motion($0, for: property, of: i, at: clock) },
      changes: recorder.changes(property, of: i.id, clock))
  }

  /// Returns a constant `speed`, which has a clock of its own in a sequence; otherwise, `nil`.
  private func constantSpeed(_ property: Property, of i: ElementNode) -> Value? {
    guard property == .speed else { return nil }
    let value = i.values[checker.speedClock(of: i)]?[property]
    return value?.isConstant == true ? value : nil
  }

  /// Returns a value as one or two numbers; empty for all other values.
  private func numbers(_ value: Value, _ type: PropertyType?) -> [SceneRecord.Number] {
    switch value {
    case .quantity(let own, _): return [SceneRecord.Number(own: own, share: nil)]
    case .percent(let share): return [SceneRecord.Number(own: .zero, share: share)]
    case .length(let own, let share): return [SceneRecord.Number(own: own, share: share)]
    case .pair(let x, let y):
      let (x, y) = (numbers(x, type), numbers(y, type))
      return x.count == 1 && y.count == 1 ? x + y : []
    // A named point of a box.
    case .word(let word) where type == .point || type == .ownPoint:
      let point = Words.points[word]
      return [point?.x, point?.y].compactMap { $0 }.map {
        SceneRecord.Number(own: .zero, share: .constant($0))
      }
    default: return []
    }
  }

  private func origin(of source: Source, in i: ElementNode) -> SceneRecord.Property.Origin {
    if source.made != nil { return .initial }
    if source.nameSpan == source.value.span { return .subject }
    if source.scope.owner !== i { return .style }
    // Arguments of the use are in a separate scope.
    return i.definition != nil && source.scope === i.scope ? .definition : .body
  }

  /// Returns the motion of an effect; `nil` if the effect does not belong to the property or the
  /// element has no lifetime.
  private func motion(
    _ use: EffectUse, for property: Property, of i: ElementNode, at clock: Scalar
  ) -> SceneRecord.Motion? {
    guard property == (use.isExit ? .exit : .enter), let start = i.startTime, let end = i.endTime
    else { return nil }
    let from = use.begin(from: Double(start.rawValue), to: Double(end.rawValue))
    return SceneRecord.Motion(
      span: use.span, clock: clock, origin: Double(start.rawValue),
      steps: [
        .init(
          from: from, to: from + use.over, easing: use.easing, value: use.span, time: nil,
          clauses: use.clauses)
      ])
  }

  private func arguments(of i: ElementNode, _ clock: Scalar) -> [SceneRecord.Argument] {
    guard let definition = i.definition, i.useScope != nil else { return [] }
    return definition.parameters.enumerated().compactMap { index, parameter in
      for case .property(let it) in i.syntax.items where it.name.text == parameter.name.text {
        return SceneRecord.Argument(
          name: it.name, value: it.value.span, changes: changes(of: it.name, of: i, clock))
      }
      guard index == 0, let subject = i.syntax.subject else { return nil }
      return SceneRecord.Argument(
        name: parameter.name, value: subject.span,
        changes: changes(of: parameter.name, of: i, clock))
    }
  }

  /// Returns the changes of a parameter of a component's use.
  private func changes(of parameter: Name, of i: ElementNode, _ clock: Scalar)
    -> [SceneRecord.Change]
  {
    guard case .expression(let it)? = i.scope.bindings[parameter.identifier],
      it.parameter?.changes.isEmpty == false
    else { return [] }
    let keys = it.known.keys.filter { $0.now == clock && !$0.isInitial }
    return keys.lazy.map { recorder.changes(.binding(it.id, $0)) }.first { !$0.isEmpty } ?? []
  }
}
