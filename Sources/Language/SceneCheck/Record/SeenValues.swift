// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneModel
import SceneSyntax
package import SceneText
import SceneTypes

/// Records the values of expressions by span, for display in editors.
final class SeenValues {
  /// The first and the last value of an expression, with the elements that determine their clocks.
  struct Seen {
    /// The first expression at this span.
    fileprivate let expression: Expression
    var span: SourceSpan { expression.span }
    let first: Value
    fileprivate(set) var last: Value
    let owner: ElementNode
    fileprivate(set) var lastOwner: ElementNode

    fileprivate init(_ expression: Expression, _ value: Value, of owner: ElementNode) {
      self.expression = expression
      (first, last) = (value, value)
      (self.owner, lastOwner) = (owner, owner)
    }
  }

  /// The values of one scene of the file.
  struct Stage {
    /// The values in the order of their first evaluation.
    fileprivate(set) var values: [Seen] = []
    /// The indices of the values by span.
    fileprivate var indices: [SourceSpan: Int] = [:]
    /// The program that computes the numbers of the values.
    fileprivate(set) var program = Program()

    subscript(span: SourceSpan) -> Seen? { indices[span].map { values[$0] } }
  }

  private(set) var stages = [Stage()]
  /// The indices of recently recorded values by the addresses of their expressions, since loop
  /// rounds evaluate the same ones; -1 if there is none.
  private var recent = [Int](repeating: -1, count: 1024)

  func note(_ e: Expression, _ value: Value, of owner: ElementNode) {
    switch e.kind {
    // The duration of a beat or a frame depends on the scene.
    case .number(_, let unit) where unit != .beat && unit != .f: return
    case .size, .color, .bool, .none, .error: return
    default: break
    }
    if case .poison = value { return }
    let place = (Int(bitPattern: ObjectIdentifier(e)) >> 4) & (recent.count - 1)
    let stage = stages.count - 1
    var index = recent[place]
    if index < 0 || stages[stage].values[index].expression !== e {
      // Looks up new spans, the most frequent ones, only once.
      index = stages[stage].values.count
      if let known = stages[stage].indices.updateValue(index, forKey: e.span) {
        stages[stage].indices[e.span] = known
        index = known
      }
      recent[place] = index
    }
    if index == stages[stage].values.count {
      stages[stage].values.append(Seen(e, value, of: owner))
    } else {
      stages[stage].values[index].last = value
      stages[stage].values[index].lastOwner = owner
    }
  }

  /// Ends a scene. The next scene has a separate program. Removes the values of all scenes unless
  /// `keepsValues` is `true`.
  func end(_ program: Program, keepsValues: Bool) {
    stages[stages.count - 1].program = program
    if !keepsValues { stages = [] }
    stages.append(Stage())
    recent = Array(repeating: -1, count: recent.count)
  }
}

/// The value of an expression in a checked file.
package struct FoundValue: Sendable {
  /// The value at one time of the video.
  package struct Moment: Hashable, Sendable {
    package let time: Ticks
    package let text: String
  }

  /// The name of the type in source notation: `time`, `color`.
  package let type: String
  /// The values at the start of the element, at the requested time and at the end; one value if
  /// constant.
  package let moments: [Moment]
  /// The values at the same times in the last round, if another round or use changes them.
  package let last: [Moment]
  package let color: Color?
  package let easing: Easing?

  package var isMoving: Bool { moments.count > 1 }
}

extension CheckSession {
  /// Returns the value of the expression at a span: at the start and end of its element, and at
  /// `time` or midway between them. Returns `nil` if it was not evaluated or depends on the pixel.
  package func value(at span: SourceSpan, time: Ticks? = nil) -> FoundValue? {
    guard let values = checker.seen else { return nil }
    let current = values.stages.count - 1
    for (index, stage) in values.stages.enumerated().reversed() {
      guard let seen = stage[span] else { continue }
      let program = index == current ? checker.builder.program : stage.program
      var scalars: [Scalar] = []
      seen.first.forEachScalar { scalars.append($0) }
      if program.dependsOnPixel(scalars) { return nil }
      let reader = ValueReader(program, checker.metrics)
      let moments = reader.moments(seen.first, of: seen.owner, time: time)
      let last =
        seen.lastOwner === seen.owner && seen.last.isConstant && seen.first.isConstant
        ? reader.moments(seen.last, of: seen.lastOwner, time: time)
        : seen.lastOwner === seen.owner
          ? [] : reader.moments(seen.last, of: seen.lastOwner, time: time)
      var (color, easing): (Color?, Easing?)
      if case .color(let it) = seen.first { color = it.constant }
      if case .easing(let it, _) = seen.first { easing = it }
      return FoundValue(
        type: seen.first.typeName, moments: moments,
        last: last.map(\.text) == moments.map(\.text) ? [] : last, color: color, easing: easing)
    }
    return nil
  }

  /// Returns the size of an element's box, and its center in the parent's coordinates, at a time;
  /// `nil` if it has no box or is not drawn.
  package func box(of element: SceneRecord.Element, at time: Ticks) -> (size: Point, center: Point)?
  {
    guard let box = element.box, let drawn = element.drawn.first else { return nil }
    let map = drawn.transform
    let scalars = [box.x, box.y, box.width, box.height, map.a, map.b, map.c, map.d, map.e, map.f]
    var evaluator = Evaluator(checker.builder.program, metrics: checker.metrics)
    evaluator.evaluate(only: scalars, at: time)
    let (x, y, width, height) = (
      evaluator(box.x), evaluator(box.y), evaluator(box.width), evaluator(box.height)
    )
    let center = evaluator.affine(map).apply(Point(x + width / 2, y + height / 2))
    return [x, y, width, height, center.x, center.y].allSatisfy(\.isFinite)
      ? (Point(width, height), center) : nil
  }

  /// The frame rate of the built scene.
  package var frameRate: FrameRate { checker.frameRate }
}

/// An evaluator of values at times that an editor requests.
private struct ValueReader {
  let program: Program
  let metrics: any TextMetrics

  init(_ program: Program, _ metrics: any TextMetrics) {
    self.program = program
    self.metrics = metrics
  }

  func moments(_ value: Value, of owner: ElementNode, time: Ticks?) -> [FoundValue.Moment] {
    let start = owner.startTime ?? .zero
    let end = max(start, owner.endTime ?? start + Ticks(Ticks.perSecond))
    guard !value.isConstant else { return [moment(value, start)] }
    let middle = Ticks(start.rawValue + (end - start).rawValue / 2)
    let between = time.flatMap { start < $0 && $0 < end ? $0 : nil } ?? middle
    let moments = [start, between, Ticks(max(start.rawValue, end.rawValue - 1))].map {
      moment(value, $0)
    }
    return moments.allSatisfy { $0.text == moments[0].text } ? [moments[0]] : moments
  }

  private func moment(_ value: Value, _ time: Ticks) -> FoundValue.Moment {
    var evaluator = Evaluator(program, metrics: metrics)
    var scalars: [Scalar] = []
    value.forEachScalar { scalars.append($0) }
    evaluator.evaluate(only: scalars, at: time)
    return FoundValue.Moment(time: time, text: value.written(evaluator))
  }
}
