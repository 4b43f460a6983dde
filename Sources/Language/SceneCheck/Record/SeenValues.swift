// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneModel
import SceneSyntax
package import SceneText

/// Notes what expressions were computed to be, by their places: what an editor shows where they are
/// written.
final class SeenValues {
  /// The first and the last value of an expression, with the elements whose clock they count in.
  final class Seen {
    /// The first at its place.
    fileprivate let expression: Expression
    let first: Value
    fileprivate(set) var last: Value
    let owner: Instance
    fileprivate(set) var lastOwner: Instance

    fileprivate init(_ expression: Expression, _ value: Value, _ owner: Instance) {
      self.expression = expression
      (first, last) = (value, value)
      (self.owner, lastOwner) = (owner, owner)
    }
  }

  /// What one scene of the file was made of.
  struct Stage {
    var values: [SourceSpan: Seen] = [:]
    /// What the numbers of the values are computed by.
    var program = Program()
  }

  private(set) var stages = [Stage()]
  /// Some that were noted last, by the addresses of their expressions: the rounds of a loop come to the
  /// same ones.
  private var recent = [Seen?](repeating: nil, count: 1024)
  /// While something is only tried, with values that stand in for others.
  var isPaused = false

  func note(_ e: Expression, _ value: Value, _ owner: Instance) {
    if isPaused { return }
    switch e.kind {
    // How long a beat and a frame are is of the scene.
    case .number(_, let unit) where unit != .beat && unit != .f: return
    case .size, .color, .bool, .none, .error: return
    default: break
    }
    if case .poison = value { return }
    let place = (Int(bitPattern: ObjectIdentifier(e)) >> 4) & (recent.count - 1)
    if let seen = recent[place], seen.expression === e {
      (seen.last, seen.lastOwner) = (value, owner)
      return
    }
    let last = stages.count - 1
    if let seen = stages[last].values[e.span] {
      (seen.last, seen.lastOwner) = (value, owner)
      recent[place] = seen
    } else {
      let seen = Seen(e, value, owner)
      stages[last].values[e.span] = seen
      recent[place] = seen
    }
  }

  /// Ends what belongs to a scene; the next one has a program of its own.
  func end(_ program: Program) {
    stages[stages.count - 1].program = program
    stages.append(Stage())
    recent = Array(repeating: nil, count: recent.count)
  }
}

/// What an expression of a checked file is.
package struct FoundValue: Sendable {
  /// The value at one time of the film.
  package struct Moment: Hashable, Sendable {
    package let time: Ticks
    package let text: String
  }

  /// As one would write the type: `time`, `color`.
  package let type: String
  /// At the start of its element, at the time that was asked for and at the end; one where it does
  /// not move.
  package let moments: [Moment]
  /// What it is at the same times in the last round, where a loop or another use makes it something
  /// else.
  package let last: [Moment]
  package let color: Color?
  package let easing: Easing?

  package var isMoving: Bool { moments.count > 1 }
}

extension CheckSession {
  /// What the expression at a place was found to be: at the start and the end of its element and,
  /// within that, at `time`, else in the middle. `nil` for what nothing computed.
  package func value(at span: SourceSpan, time: Ticks? = nil) -> FoundValue? {
    guard let values = checker.seen else { return nil }
    let current = values.stages.count - 1
    for (index, stage) in values.stages.enumerated().reversed() {
      guard let seen = stage.values[span] else { continue }
      let program = index == current ? checker.builder.program : stage.program
      let reader = ValueReader(program, checker.metrics)
      let moments = reader.moments(seen.first, seen.owner, time)
      let last =
        seen.lastOwner === seen.owner && seen.last.isConstant && seen.first.isConstant
        ? reader.moments(seen.last, seen.lastOwner, time)
        : seen.lastOwner === seen.owner ? [] : reader.moments(seen.last, seen.lastOwner, time)
      var (color, easing): (Color?, Easing?)
      if case .color(let it) = seen.first { color = it.constant }
      if case .easing(let it, _) = seen.first { easing = it }
      return FoundValue(
        type: seen.first.typeName, moments: moments,
        last: last.map(\.text) == moments.map(\.text) ? [] : last, color: color, easing: easing)
    }
    return nil
  }

  /// The size of the box of an element and where its middle is in what is around it, at a time.
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

  /// The size of the scene that is built, in pixels.
  package var frameRate: FrameRate { checker.frameRate }
}

/// Computes values at times that an editor asks for.
private struct ValueReader {
  let program: Program
  let metrics: any TextMetrics

  init(_ program: Program, _ metrics: any TextMetrics) {
    self.program = program
    self.metrics = metrics
  }

  func moments(_ value: Value, _ owner: Instance, _ time: Ticks?) -> [FoundValue.Moment] {
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
