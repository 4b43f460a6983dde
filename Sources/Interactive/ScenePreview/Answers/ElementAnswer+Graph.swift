// SPDX-License-Identifier: MIT
import SceneCheck
import SceneEditing
import SceneJSON
import SceneLanguage
import SceneModel
import ScenePlayhead
import SceneSession
import SceneSyntax
import SceneText

/// The interval of a graph in seconds, and the number of its samples.
struct GraphRange: Sendable {
  static let mostSamples = 400

  let from, to: Double
  let count: Int

  /// Reads the interval from a request; returns `nil` if it is invalid.
  init?(_ json: JSON) {
    guard let from = json["from"].number, let to = json["to"].number, let count = json["count"].int,
      from.isFinite, to.isFinite, abs(from) < 1e9, from < to, to < 1e9,
      (2...GraphRange.mostSamples).contains(count)
    else { return nil }
    (self.from, self.to, self.count) = (from, to, count)
  }
}

// The graph of a property: its values over time, its keys and its easings.
extension ElementAnswer {
  private static let mostSteps = 400

  /// Returns the graph of a property, or of the first one that has a graph. All numbers are values
  /// of the model at their times.
  mutating func graph(of name: String?, _ range: GraphRange, frame: Int) -> [String: JSON] {
    evaluator.evaluateAll(at: model.frameRate.time(ofFrame: frame))
    let all = element.properties.filter { hasGraph($0) }
    let listed = all.map { it -> JSON in
      ["name": .string(it.property.name), "moves": .bool(isMoving(it))]
    }
    guard let (start, end) = life, start < end,
      let property = all.first(where: { $0.property.name == name }) ?? all.first
    else { return ["properties": .array(listed)] }
    let unit = graphUnit(of: property)
    let times = times(of: property, range, within: start..<end)
    let nodes = nodes(of: property)
    let values = times.map { numbers(of: property, nodes, at: $0) }
    return [
      "properties": .array(listed), "property": .string(property.property.name),
      "unit": .string(unit.unit), "labels": .array(labels(of: property).map { .string($0) }),
      "shown": .array(components(of: property).map { .int($0) }),
      "valued": .bool(!property.numbers.isEmpty), "moves": .bool(isMoving(property)),
      "life": [.double(start.seconds), .double(end.seconds)],
      "times": .array(times.map { .double($0.seconds) }),
      "values": json(values), "speeds": json(speeds(values, times)),
      "motions": .array(property.motions.map { json($0, of: property, nodes) }),
    ]
  }

  /// The lifetime in scene time; `nil` for an element that is not drawn in a scene with another
  /// clock.
  private var life: (Ticks, Ticks)? {
    if element.clock == .node(0), let start = element.start, let end = element.end {
      return (start, end)
    }
    guard let start = element.drawn.map(\.start).min(), let end = element.drawn.map(\.end).max()
    else { return nil }
    return (start, end)
  }

  private func isMoving(_ property: SceneRecord.Property) -> Bool {
    property.scalars.contains { $0.constantValue == nil }
  }

  /// Returns whether the page can show a property: animated numbers and colors, and the speed of a
  /// clip.
  private func hasGraph(_ property: SceneRecord.Property) -> Bool {
    let isMedia = element.kind != "particles"
    guard isMoving(property) || isMedia && property.property == .speed else { return false }
    if [.color, .paint].contains(property.type) { return property.scalars.count == 4 }
    return (1...2).contains(property.numbers.count)
  }

  /// Returns the unit of a graph, and the factor from numbers of the model to this unit.
  func graphUnit(of property: SceneRecord.Property) -> (unit: String, scale: Double) {
    property.type?.isLength == true ? ("px", 1) : shown(property)
  }

  /// Returns the components with a curve. The constant channels of a color have none.
  private func components(of property: SceneRecord.Property) -> [Int] {
    if !property.numbers.isEmpty { return Array(property.numbers.indices) }
    return property.scalars.indices.filter { property.scalars[$0].constantValue == nil }
  }

  private func labels(of property: SceneRecord.Property) -> [String] {
    if property.numbers.isEmpty { return ["red", "green", "blue", "alpha"] }
    if property.numbers.count == 1 { return [property.property.name] }
    return property.type == .size ? ["width", "height"] : ["x", "y"]
  }

  // MARK: Samples

  /// Returns evenly spaced times, and those of the keys with the ticks before them, where values
  /// may jump.
  private func times(
    of property: SceneRecord.Property, _ range: GraphRange, within life: Range<Ticks>
  ) -> [Ticks] {
    func ticks(_ seconds: Double) -> Ticks { Ticks(Int64(seconds * Double(Ticks.perSecond))) }
    let last = life.upperBound - Ticks(1)
    let from = max(life.lowerBound, min(ticks(range.from), last))
    let to = max(from, min(ticks(range.to), last))
    var times = (0..<range.count).map { index in
      from + Ticks((to - from).rawValue / Int64(range.count - 1) * Int64(index))
    }
    times.append(to)
    for motion in property.motions where motion.clock == .node(0) {
      for step in motion.steps.prefix(ElementAnswer.mostSteps) {
        guard let time = Ticks(rounding: step.to) else { continue }
        times += [time - Ticks(1), time].filter { from <= $0 && $0 <= to }
      }
    }
    return Set(times).sorted()
  }

  /// Returns the nodes that determine the numbers of a property.
  private func nodes(of property: SceneRecord.Property) -> [Int32] {
    let elements = revision.scene.record?.elements ?? []
    let boxes = [element.box, element.parent.flatMap { elements[$0].box }].compactMap(\.self)
    return evaluator.nodes(
      of: property.scalars + property.numbers.flatMap { [$0.own] + [$0.share].compactMap(\.self) }
        + boxes.flatMap { [$0.width, $0.height] })
  }

  /// Returns the numbers at a time. `nodes` determine them.
  private mutating func numbers(
    of property: SceneRecord.Property, _ nodes: [Int32], at time: Ticks
  ) -> [Double] {
    evaluator.evaluate(nodes: nodes, at: time)
    let found =
      property.numbers.isEmpty
      ? property.scalars.map { evaluator($0) }
      : Playhead(files: [:], rate: model.frameRate, evaluator)
        .numbers(of: property, wholes: wholes(of: property))
    let scale = graphUnit(of: property).scale
    return found.map { $0.isFinite ? $0 * scale : 0 }
  }

  /// Returns the changes of the values per second. At a jump, the previous speed is repeated.
  private func speeds(_ values: [[Double]], _ times: [Ticks]) -> [[Double]] {
    var last = values.first.map { $0.map { _ in 0.0 } } ?? []
    var all: [[Double]] = []
    for index in values.indices.dropLast() {
      let seconds = (times[index + 1] - times[index]).seconds
      if seconds > 1e-6 {
        last = zip(values[index + 1], values[index]).map { ($0 - $1) / seconds }
      }
      all.append(last)
    }
    return all + [last]
  }

  /// Returns the samples of each component.
  private func json(_ samples: [[Double]]) -> JSON {
    .array(
      (samples.first ?? []).indices.map { component in
        .array(samples.map { .double($0[component]) })
      })
  }

  // MARK: Motions

  private mutating func json(
    _ motion: SceneRecord.Motion, of property: SceneRecord.Property, _ nodes: [Int32]
  ) -> JSON {
    var it: [String: JSON] = [
      "components": .array(components(of: motion, property).map { .int($0) }),
      "keys": [], "steps": [],
    ]
    guard motion.clock == .node(0) else {
      it["why"] =
        "the keys have a clock of their own, as in 'loop' or in another scene; edit them in the source"
      return .object(it)
    }
    // Keys beyond the maximum time of a video cannot be shown in the graph.
    let steps = motion.steps.prefix(ElementAnswer.mostSteps).prefix { step in
      [step.from, step.to].allSatisfy { Ticks(rounding: $0) != nil }
    }
    let isTween = steps.first?.start != nil
    var keys: [JSON] = []
    if isTween, let first = steps.first {
      keys.append(key(first.from, at: nil, of: property, nodes))
    }
    for step in steps {
      let time = isTween ? step.clauses.first { $0.word.text == "over" }?.value.span : step.time
      keys.append(key(step.to, at: time, of: property, nodes))
    }
    var handles: [Easing: EasingHandles] = [:]
    let curves = steps.enumerated().filter { isTween || $0.offset > 0 }.map { index, step -> JSON in
      let four = handles[step.easing] ?? EasingHandles(step.easing)
      handles[step.easing] = four
      return [
        "step": .int(index), "start": .int(isTween ? index : index - 1),
        "end": .int(isTween ? index + 1 : index), "from": .double(seconds(step.from)),
        "curve": [.double(four.x1), .double(four.y1), .double(four.x2), .double(four.y2)],
        "exact": .bool(four.isExact), "easing": .string(easing(of: step)),
      ]
    }
    (it["keys"], it["steps"]) = (.array(keys), .array(curves))
    return .object(it)
  }

  private func seconds(_ ticks: Double) -> Double { ticks / Double(Ticks.perSecond) }

  private mutating func key(
    _ ticks: Double, at time: SourceSpan?, of property: SceneRecord.Property, _ nodes: [Int32]
  ) -> JSON {
    let values = numbers(of: property, nodes, at: Ticks(rounding: ticks) ?? .zero)
    return [
      "t": .double(seconds(ticks)), "values": .array(values.map { .double($0) }),
      "timed": .bool(time.map { leaves.isNumber($0) } ?? false),
    ]
  }

  /// Returns the source of an easing in one line.
  private func easing(of step: SceneRecord.Motion.Step) -> String {
    guard let span = step.clauses.first(where: { $0.word.text == "with" })?.value.span,
      let source = leaves.facts[step.value.file]?.source
    else { return step.easing == .linear ? "linear" : "" }
    return source.text(source.span(span.start, span.end))
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns the components that a motion changes: one if it is a part of a pair.
  private func components(
    of motion: SceneRecord.Motion, _ property: SceneRecord.Property
  ) -> [Int] {
    let all = components(of: property)
    guard all.count == 2, motion.span.file == property.value.file,
      let parts = leaves.parts(of: property.value),
      let part = parts.firstIndex(where: {
        $0.start <= motion.span.start && motion.span.end <= $0.end
      })
    else { return all }
    return [part]
  }
}
