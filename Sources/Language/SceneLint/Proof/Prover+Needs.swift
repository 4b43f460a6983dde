// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel

extension Prover {
  /// The inputs of the proof of a condition, and the times at which they can change.
  struct Needs {
    /// The numbers of the measurements that the condition reads.
    var measurements: [Int] = []
    /// The nodes of the geometry of the measured elements, each after its operands.
    var geometry: [Int32] = []
    var conditions: [Int32] = []
    var stretches = Stretches.none
    /// The times at which elements appear or disappear.
    var events: [Int64] = []
    /// The estimated nanoseconds for one frame.
    var cost = 0.0
    /// Whether the condition has the same value in all frames.
    var isOfInterval = false
  }

  /// Returns the interval in ticks in which all elements that a condition names can be alive,
  /// within the lifetime of the expectation.
  func life(of condition: ExpectationModel.Condition, in expectation: ExpectationModel)
    -> Range<Int64>
  {
    let single = condition.subjects.map { [$0] }
    return (single + condition.lists).reduce(life(of: [], in: expectation)) {
      $0.clamped(to: life(of: $1, in: expectation))
    }
  }

  /// Returns the part of an expectation's lifetime in which any of some elements may be alive; all
  /// of it without elements.
  func life(of subjects: [Int], in expectation: ExpectationModel) -> Range<Int64> {
    let whole =
      expectation.start.rawValue..<max(expectation.start.rawValue, expectation.end.rawValue)
    if subjects.isEmpty { return whole }
    let lives = subjects.flatMap { expectations.subjects[$0].trails.map(life) }
      .filter { !$0.isEmpty }
    guard let first = lives.map(\.lowerBound).min(), let last = lives.map(\.upperBound).max() else {
      return whole.lowerBound..<whole.lowerBound
    }
    return whole.clamped(to: first..<last)
  }

  private func life(of trail: [Int]) -> Range<Int64> {
    var life = 0..<max(1, model.duration.rawValue)
    var list = model.elements
    for index in trail {
      life = life.clamped(to: list[index].life)
      list = list[index].children
    }
    return life
  }

  /// Returns the needs of a condition; `nil` beyond the budget.
  mutating func needs(of condition: ExpectationModel.Condition, within life: Range<Int64>) -> Needs?
  {
    var scalars = [condition.truth]
    for operand in condition.operands { operand.value.forEachScalar { scalars.append($0) } }
    let conditions = evaluator.nodes(of: scalars)
    let nodes = expectations.program.nodes
    let measurements = conditions.filter { nodes[Int($0)].operation == .measured }
      .map { Int(nodes[Int($0)].index) }
    let measured = measurements.map { expectations.measurements[$0] }
    let ofFrames = measured.filter { !$0.isOfInterval }
    var needs = Needs()
    if ofFrames.contains(where: \.readsScene) {
      // The scene contains the elements that the condition names.
      guard let whole = wholeNeeds(within: life) else { return nil }
      needs = whole
    } else {
      var parts = Parts()
      for number in ofFrames.flatMap(\.subjects) { add(number, isMeasured: true, to: &parts) }
      for number in condition.subjects + condition.lists.joined() {
        add(number, isMeasured: false, to: &parts)
      }
      guard take(parts, into: &needs) else { return nil }
    }
    needs.conditions = conditions
    needs.measurements = measurements
    var own = Stretches.none
    for scalar in scalars { own.formUnion(changes(scalar)) }
    needs.isOfInterval = own.isEmpty && ofFrames.isEmpty
    needs.stretches.formUnion(own)
    needs.cost += Double(conditions.count) * Prover.perNode + work(of: conditions)
    for case .apart(let list) in measured { needs.cost += Double(list.count) * Prover.perBox }
    return needs
  }

  /// Returns the needs of one subject; `nil` beyond the budget.
  mutating func needs(ofSubject number: Int) -> Needs? {
    var parts = Parts()
    add(number, isMeasured: true, to: &parts)
    var needs = Needs()
    return take(parts, into: &needs) ? needs : nil
  }

  /// The maximum number of intervals whose needs are cached.
  private static let mostKept = 16

  /// Returns the needs of the whole scene in an interval; `nil` beyond the budget.
  private mutating func wholeNeeds(within life: Range<Int64>) -> Needs? {
    if let known = needsOfScene[life] { return known }
    var parts = Parts()
    model.background?.forEachScalar { parts.scalars.append($0) }
    model.perspective?.forEachScalar { parts.scalars.append($0) }
    for element in model.elements { parts.addWhole(element, within: life) }
    var needs = Needs()
    guard take(parts, into: &needs) else { return nil }
    if needsOfScene.count >= Prover.mostKept { needsOfScene = [:] }
    needsOfScene[life] = needs
    return needs
  }

  /// The scalars and lifetimes that determine elements.
  private struct Parts {
    var scalars: [Scalar] = []
    var events: [Int64] = []
    var cost = 0.0
    private var visited: Set<ObjectIdentifier> = []
    private var matched: Set<PathPair> = []

    mutating func addPlace(_ element: ElementModel) {
      for scalar in [element.visible, element.opacity, element.z] { scalars.append(scalar) }
      element.transform.forEachScalar { scalars.append($0) }
      element.content.forEachScalar { scalars.append($0) }
      element.depth?.forEachScalar { scalars.append($0) }
      element.perspective?.forEachScalar { scalars.append($0) }
      for clip in element.style.clips {
        clip.forEachScalar { scalars.append($0) }
        if case .path(let path) = clip { cost += path.work(&matched) }
      }
      events += [element.start.rawValue, element.end.rawValue]
      cost += Prover.perElement
    }

    mutating func addWhole(_ element: ElementModel, within life: Range<Int64>? = nil) {
      if let life, !element.life.overlaps(life) { return }
      guard visited.insert(ObjectIdentifier(element)).inserted else { return }
      element.forEachScalar { scalars.append($0) }
      events += [element.start.rawValue, element.end.rawValue]
      cost += Prover.perElement
      switch element.drawing {
      case .text(let text, _, _, let units):
        if !text.isConstant { cost += 3 * text.work }
        if let line = units?.letters(of: text, .glyphs) {
          cost += PathModel([.letters(line)]).work(&matched)
        }
      case .outline(.path(let path), _, _, _, _, _): cost += path.work(&matched)
      default: break
      }
      if element.drawing.isParticles { return }
      for child in element.children { addWhole(child, within: life) }
    }
  }

  private static let perElement = 200.0
  private static let perNode = 5.0
  private static let perScalar = 20.0
  /// The cost of comparing the position of one box with those of others.
  private static let perBox = 400.0

  private func add(_ number: Int, isMeasured: Bool, to parts: inout Parts) {
    for trail in expectations.subjects[number].trails {
      var list = model.elements
      for (depth, index) in trail.enumerated() {
        let element = list[index]
        parts.addPlace(element)
        if depth == trail.count - 1, isMeasured { parts.addWhole(element) }
        list = element.children
      }
    }
    if isMeasured, let perspective = model.perspective {
      perspective.forEachScalar { parts.scalars.append($0) }
    }
  }

  /// Adds the needs of elements, and takes the work of collecting them from the budget. Returns
  /// `false` if the budget does not suffice.
  private mutating func take(_ parts: Parts, into needs: inout Needs) -> Bool {
    guard spend(parts.scalars.count, Prover.perScalar) else { return false }
    needs.geometry = evaluator.nodes(of: parts.scalars)
    for scalar in parts.scalars { needs.stretches.formUnion(changes(scalar)) }
    needs.events = parts.events
    needs.cost += parts.cost + Double(needs.geometry.count) * Prover.perNode
    needs.cost += work(of: needs.geometry)
    return spend(1, needs.cost)
  }

  /// Returns the estimated nanoseconds for the texts and paths of nodes.
  private func work(of nodes: [Int32]) -> Double {
    let program = expectations.program
    var cost = 0.0
    for index in nodes {
      let node = program.nodes[Int(index)]
      switch node.operation {
      case .textExtent: cost += program.texts[Int(node.index / 4)].text.work
      case .pathBox, .pathPoint:
        var matched: Set<PathPair> = []
        let path = program.paths[Int(node.index / 4)]
        if !path.isConstant { cost += path.work(&matched) }
      default: break
      }
    }
    return cost
  }
}

extension ElementModel {
  /// The lifetime as a range of ticks.
  fileprivate var life: Range<Int64> { start.rawValue..<max(start.rawValue, end.rawValue) }
}
