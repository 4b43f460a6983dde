// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// The `expect`s of a scene as conditions on its model.
extension Checker {
  /// Returns the expectations of a scene. Those of a scene that it plays belong to that scene.
  func expectations(of root: ElementNode, in model: SceneModel) -> ExpectationsModel {
    var result = ExpectationsModel()
    var names = GoldenNames()
    for instance in expects(in: root) where !reports.isClosed {
      if let made = expectation(of: instance, in: model, goldenNames: &names) {
        result.list.append(made)
      }
    }
    guard !result.list.isEmpty else { return ExpectationsModel() }
    result.measurements = measurements.list
    result.subjects = subjects(in: model)
    result.program = builder.program
    return result
  }

  private func expects(in root: ElementNode) -> [ElementNode] {
    var found: [ElementNode] = []
    var waiting = [root]
    while let next = waiting.popLast() {
      if next.kind == .expect {
        found.append(next)
      } else if next.shown == nil {
        waiting += (next.children + next.crossings).reversed()
      }
    }
    return found
  }

  private func expectation(
    of i: ElementNode, in model: SceneModel, goldenNames: inout GoldenNames
  ) -> ExpectationModel? {
    let outer = current
    current = i
    defer { current = outer }
    elaborate(i)
    guard let life = life(ofExpectation: i) else { return nil }
    let name = value(.title, of: i, now: now).flatMap { asConstantText($0.0, $0.1) }
    let goldens = goldens(of: i, in: model, names: &goldenNames)
    if i.conditions.isEmpty, goldens.isEmpty, !reports.hasErrors {
      let isEmptyList = i.properties[.golden] != nil
      report(
        Diagnostic(
          .unusedName, "this expectation has no \(isEmptyList ? "golden frames" : "conditions")",
          at: i.span,
          label: isEmptyList
            ? "add a time, such as golden: [1s]"
            : "add a condition, such as inside(title, safe-area)"))
    }
    return ExpectationModel(
      name: name, span: i.span, start: Ticks(life.lowerBound), end: Ticks(life.upperBound),
      conditions: i.conditions.compactMap { condition($0.0, of: i, in: $0.1) }, goldens: goldens,
      tolerance: i.properties[.tolerance] == nil
        ? 0 : constantNumber(.tolerance, of: i, in: 0...255))
  }

  /// Returns the lifetime of an expectation within those of the elements around it; `nil` after an
  /// error.
  private func life(ofExpectation i: ElementNode) -> Range<Int64>? {
    guard let start = start(of: i, i.span), let end = end(of: i, i.span) else { return nil }
    var life = start.rawValue..<max(start.rawValue, end.rawValue)
    for around in sequence(first: i, next: \.parent).dropFirst() {
      guard let from = self.start(of: around, i.span), let to = shownEnd(of: around, i.span) else {
        return nil
      }
      life = life.clamped(to: from.rawValue..<max(from.rawValue, to.rawValue))
    }
    return life
  }

  private func condition(_ e: Expression, of i: ElementNode, in scope: Scope)
    -> ExpectationModel.Condition?
  {
    let context = context(of: i, now: now).with {
      $0.scope = scope
      $0.isExpectation = true
      $0.timeBase = i.parent
    }
    guard let truth = truth(releasing { evaluate(e, context) }, e.span) else { return nil }
    var names = SubjectNames(checker: self, context: context)
    names.visit(e, in: scope)
    return ExpectationModel.Condition(
      span: e.span, text: plainText(at: e.span), truth: truth, operands: operands(of: e, context),
      subjects: names.single.sorted(), lists: names.lists)
  }

  /// Returns the operands of a comparison, except for literals.
  private func operands(of e: Expression, _ c: Context) -> [ExpectationModel.Operand] {
    guard case .binary(let operation, let a, let b) = e.kind, operation.isComparison else {
      return []
    }
    return [a, b].compactMap { operand in
      switch operand.kind {
      case .number, .bool, .text, .color, .unary: return nil
      default:
        return description(of: releasing { evaluate(operand, c) }).map {
          ExpectationModel.Operand(text: plainText(at: operand.span), value: $0)
        }
      }
    }
  }

  private func plainText(at span: SourceSpan) -> String {
    text(at: span).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns a value in source notation; `nil` for values without numbers.
  private func description(of value: Value) -> TextExpression? {
    func number(_ scalar: Scalar, _ suffix: String, times factor: Double = 1) -> TextExpression {
      var format = NumberFormat()
      format.suffix = suffix
      let thousandths = builder.make(.round, a: builder.scaled(scalar, factor * 1000))
      return .number(builder.scaled(thousandths, 0.001), format)
    }
    switch value {
    case .quantity(let it, .time): return number(it, "s", times: 1 / Double(Ticks.perSecond))
    case .quantity(let it, .angle): return number(it, "deg")
    case .quantity(let it, .gain): return number(it, "dB")
    case .quantity(let it, _): return number(it, "")
    case .percent(let it): return number(it, "%", times: 100)
    case .length(let it, .zero): return number(it, "")
    case .bool(let it): return .choose(it, .literal("true"), .literal("false"))
    case .text(let it): return it
    case .pair(let a, let b):
      guard let a = description(of: a), let b = description(of: b) else { return nil }
      return .join([.literal("("), a, .literal(", "), b, .literal(")")])
    default: return nil
    }
  }

  /// Returns the named elements with their trails in the model.
  private func subjects(in model: SceneModel) -> [ExpectationSubject] {
    guard let recording else { return [] }
    var trails = SubjectTrails(wanted: Set(measurements.subjects.map(\.id)), recording)
    trails.visit(model.elements)
    return measurements.subjects.map {
      ExpectationSubject(
        name: $0.displayName, trails: trails.found[$0.id] ?? [], isComplete: !trails.isCut)
    }
  }
}

/// The trails of some elements in the model. Clips between two transitions occur several times, so
/// nested sequences have many more trails than elements.
private struct SubjectTrails {
  /// The maximum number of elements that are visited along all trails.
  private static let mostVisits = 1 << 18

  let wanted: Set<Int>
  let recording: SceneRecorder
  private(set) var found: [Int: [[Int]]] = [:]
  private var visits = 0
  /// The indices of the children that are requested or contain a requested element.
  private var ways: [ObjectIdentifier: [Int]] = [:]

  init(wanted: Set<Int>, _ recording: SceneRecorder) {
    self.wanted = wanted
    self.recording = recording
  }

  /// Whether some trails are missing because there are too many.
  var isCut: Bool { visits > SubjectTrails.mostVisits }

  mutating func visit(_ elements: [ElementModel]) {
    visit(elements, at: indices(of: elements), under: [], inside: nil)
  }

  private mutating func visit(
    _ elements: [ElementModel], at indices: [Int], under outer: [Int], inside around: Int?
  ) {
    for index in indices {
      visits += 1
      if isCut { return }
      let element = elements[index]
      let id = recording.element(of: element)
      let trail = outer + [index]
      // The parts of an element can have the same origin.
      if let id, id != around, wanted.contains(id) { found[id, default: []].append(trail) }
      visit(element.children, at: ways(in: element), under: trail, inside: id ?? around)
    }
  }

  private mutating func indices(of elements: [ElementModel]) -> [Int] {
    elements.indices.filter { index in
      let isWanted = recording.element(of: elements[index]).map(wanted.contains) ?? false
      return isWanted || !ways(in: elements[index]).isEmpty
    }
  }

  private mutating func ways(in element: ElementModel) -> [Int] {
    if element.drawing.isParticles { return [] }
    if let known = ways[ObjectIdentifier(element)] { return known }
    let indices = indices(of: element.children)
    ways[ObjectIdentifier(element)] = indices
    return indices
  }
}

/// The elements that a condition names.
private struct SubjectNames {
  let checker: Checker
  let context: Context
  private(set) var single: Set<Int> = []
  private(set) var lists: [[Int]] = []
  /// The values of names that were visited, since names can use others many times.
  private var visited: Set<Int> = []

  init(checker: Checker, context: Context) {
    self.checker = checker
    self.context = context
  }

  private enum Named {
    case one(ElementNode)
    case list([ElementNode])
  }

  mutating func visit(_ e: Expression, in scope: Scope) {
    if let found = named(e, in: scope) { return add(found) }
    switch e.kind {
    case .reference(let name):
      // A `let` of the expectation stands for its value.
      if case .expression(let binding)? = scope.lookup(name)?.0, binding.home == nil,
        let home = scope.lookup(name)?.1, home.owner?.kind == .expect,
        visited.insert(binding.id).inserted
      {
        visit(binding.value, in: home)
      }
    case .member(let base, let name):
      // A time, such as `title.end` or `title.enter.end`, does not require the element to be alive.
      if SubjectNames.times.contains(name.text), isTimed(base, in: scope) { return }
      visit(base, in: scope)
    case .index(let base, let index):
      visit(base, in: scope)
      visit(index, in: scope)
    case .call(_, let arguments), .record(let arguments):
      for argument in arguments { visit(argument.value, in: scope) }
    case .unary(_, let operand): visit(operand, in: scope)
    case .binary(_, let a, let b), .range(let a, let b), .pair(let a, let b):
      visit(a, in: scope)
      visit(b, in: scope)
    case .conditional(let condition, let a, let b):
      for part in [condition, a, b] { visit(part, in: scope) }
    case .list(let items): for item in items { visit(item, in: scope) }
    case .comprehension(let it):
      visit(it.list, in: scope)
      visit(it.value, in: scope)
    default: break
    }
  }

  private mutating func add(_ found: Named) {
    switch found {
    case .one(let it):
      if it.kind.isDrawn { single.insert(checker.measurements.number(of: it)) }
    case .list(let items):
      let drawn = items.filter(\.kind.isDrawn).map { checker.measurements.number(of: $0) }
      if !drawn.isEmpty, !lists.contains(drawn) { lists.append(drawn) }
    }
  }

  private static let times: Set<String> = ["start", "end", "duration", "at"]

  /// Returns whether an expression is an element, or the `enter` or `exit` of one.
  private func isTimed(_ e: Expression, in scope: Scope) -> Bool {
    if named(e, in: scope) != nil { return true }
    guard case .member(let owner, let name) = e.kind else { return false }
    return ["enter", "exit"].contains(name.text) && named(owner, in: scope) != nil
  }

  private func named(_ e: Expression, in scope: Scope) -> Named? {
    switch e.kind {
    case .reference(let name):
      switch scope.lookup(name)?.0 {
      case .element(let it)?: return .one(it)
      case .elements(let list)?: return .list(list)
      case .value(.element(let it), _)?: return .one(it)
      default: return nil
      }
    case .member(let base, let name):
      guard case .one(let it)? = named(base, in: scope), it.definition == nil else { return nil }
      switch it.scope.bindings[name] {
      case .element(let inner)?: return .one(inner)
      case .elements(let list)?: return .list(list)
      default: return nil
      }
    case .index(let base, let index):
      guard case .list(let list)? = named(base, in: scope) else { return nil }
      // The variable of a comprehension is unknown here.
      guard case .number(let number, nil) = index.kind else {
        guard let known = constantIndex(index, in: scope) else { return .list(list) }
        return known < list.count ? .one(list[known]) : nil
      }
      let place = Int(exactly: number) ?? -1
      return list.indices.contains(place) ? .one(list[place]) : nil
    default: return nil
    }
  }

  /// Returns the value of an index that consists of loop variables and numbers; `nil` for other
  /// indices.
  private func constantIndex(_ e: Expression, in scope: Scope) -> Int? {
    func value(_ e: Expression) -> Double? {
      switch e.kind {
      case .number(let number, nil): return number
      case .reference(let name):
        guard case .value(.quantity(let scalar, _), _)? = scope.lookup(name)?.0 else { return nil }
        return scalar.constantValue
      case .binary(let operation, let a, let b):
        guard let a = value(a), let b = value(b) else { return nil }
        return operation == .plus ? a + b : operation == .minus ? a - b : nil
      default: return nil
      }
    }
    return value(e).flatMap { Int(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}
