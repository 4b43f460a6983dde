// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneText
import SceneTypes

/// A varying speed, represented by the amount of material that is played until each time.
struct SpeedRamp {
  /// The ticks since the start, with the ticks of material that are played until then. Between two
  /// points, and beyond the outer ones, the speed is constant.
  let points: [Point]
  /// The time at which the material ends, in ticks since the start; `nil` if it is never reached.
  let duration: Double?

  /// Returns a speed of 1 for material of a duration, after an error.
  static func steady(_ length: Double) -> SpeedRamp {
    SpeedRamp(points: [.zero, Point(length, length)], duration: length)
  }

  /// Returns the amount of material that is played after a time, as a node. The time may be
  /// negative.
  func played(after elapsed: Scalar, _ builder: inout ProgramBuilder) -> Scalar {
    builder.ease(elapsed, .piecewise(points))
  }
}

// `speed` of clips and of scenes as elements.
extension Checker {
  static let fastest = 100.0

  /// Reads `speed` after `trim`.
  func readSpeed(of use: ElementNode, _ playing: inout Playing) {
    guard let (speed, span) = speed(of: use) else { return }
    if let number = speed.constantValue {
      playing.speed = number
    } else if playing.rounds != 1 {
      _ = report(
        .propertyElsewhere, "'loop' requires a constant 'speed'", at: span,
        label: "remove 'loop', or the motion")
    } else {
      playing.ramp = ramp(speed, of: use, playing, at: span)
    }
  }

  /// Returns the speed of an element with its location, or `nil` if it is not set or invalid. A
  /// constant speed is never 0.
  func speed(of use: ElementNode) -> (Scalar, SourceSpan)? {
    use.isReadingSpeed = true
    defer { use.isReadingSpeed = false }
    guard let (value, span) = value(.speed, of: use, now: speedClock(of: use)),
      let speed = asNumber(value, span)
    else { return nil }
    guard let number = speed.constantValue else { return (speed, span) }
    guard isInside(-Checker.fastest...Checker.fastest, number, of: .speed, at: span) else {
      return nil
    }
    guard abs(number) >= 0.01 else {
      _ = report(
        .outOfRange, "'speed' is \(NumberFormat().text(number))", at: span,
        label: "expected 0.01 to 100, or -0.01 to -100 to play backward",
        help: "use 'time: 2s' for a freeze frame")
      return nil
    }
    return (speed, span)
  }

  /// Returns whether the start of an element may depend on its duration and therefore on its speed:
  /// inside a sequence.
  private func startsAfterItsSpeed(_ use: ElementNode) -> Bool {
    sequence(first: use, next: \.parent).dropFirst().contains { $0.kind == .sequence }
  }

  /// Returns the start of an element while its speed is evaluated, if it is unknown until then:
  /// inside a sequence, all times of the speed count from the start of the element. Returns `nil`
  /// otherwise.
  func startForSpeed(of use: ElementNode) -> Ticks? {
    guard use.isReadingSpeed, startsAfterItsSpeed(use), isEvaluatingSpeed(of: use) else {
      return nil
    }
    return .zero
  }

  /// Returns whether the innermost evaluation is that of a speed, or of a name that it uses.
  private func isEvaluatingSpeed(of use: ElementNode) -> Bool {
    running.innermost { if case .binding = $0 { false } else { true } }
      == .property(use.id, .speed)
  }

  /// Returns the clock for the speed of an element. Inside a sequence, it differs from the clock of
  /// the scene, so that no value for one is used for the other.
  func speedClock(of use: ElementNode) -> Scalar {
    guard startsAfterItsSpeed(use) else { return .node(0) }
    return builder.make(.maximum, a: .node(0), b: .constant(-.greatestFiniteMagnitude))
  }

  /// Integrates a speed over time, until the end of the material or of the element. Returns `nil`
  /// after an error.
  private func ramp(
    _ speed: Scalar, of use: ElementNode, _ playing: Playing, at span: SourceSpan
  ) -> SpeedRamp? {
    guard let begin = startsAfterItsSpeed(use) ? .zero : start(of: use, span),
      let whole = materialLength(of: use, span)
    else { return nil }
    let length = (playing.to ?? Double(whole.rawValue)) - playing.from
    var last = Double(Ticks.perSecond) * 3600 * 200
    if use.properties[.for] != nil, let end = end(of: use, span) {
      last = Double((end - begin).rawValue)
    }
    let life = begin.rawValue..<max(begin.rawValue + 1, begin.rawValue + Int64(last))
    var table = RampTable(
      length: length, evaluator: Evaluator(builder.program, metrics: metrics), speed: speed,
      begin: begin)
    for range in Changes(of: builder.program, within: life)(speed).ranges {
      table.rest(until: Double(range.lowerBound - begin.rawValue))
      let count = table.move(until: Double(range.upperBound - begin.rawValue))
      guard spend(count / 8, span) else { return nil }
    }
    table.rest(until: last)
    if let wrong = table.wrong {
      _ = report(
        .outOfRange,
        "'speed' is \(NumberFormat().text(wrong.y)) at \(Ticks(Int64(wrong.x)).description)",
        at: span, label: "a speed that changes must be from 0 to 100",
        help: "use 'time' to play backward, as in time: 2s -> 0s")
      return .steady(length)
    }
    return SpeedRamp(points: table.points, duration: table.duration)
  }
}

/// The integral of a speed, from the start of an element onward.
private struct RampTable {
  /// The largest number of points of one motion.
  private static let most = 200_000

  private(set) var points = [Point.zero]
  /// The time at which the material ends, in ticks.
  private(set) var duration: Double?
  /// The first time with a speed outside the permitted range, and the speed.
  private(set) var wrong: Point?
  /// The duration of the material in ticks.
  let length: Double
  private let speed: Scalar
  private let begin: Ticks
  private var evaluator: Evaluator
  private let nodes: [Int32]

  init(length: Double, evaluator: Evaluator, speed: Scalar, begin: Ticks) {
    (self.length, self.evaluator, self.speed, self.begin) = (length, evaluator, speed, begin)
    nodes = evaluator.nodes(of: [speed])
  }

  private var isOver: Bool { duration != nil || wrong != nil }
  private var last: Point { points[points.count - 1] }

  private mutating func speed(at elapsed: Double) -> Double {
    evaluator.evaluate(nodes: nodes, at: begin + Ticks(Int64(elapsed)))
    var value = evaluator(speed)
    // A speed of 0 may be negative by a rounding error.
    if value < 0, value > -1e-9 { value = 0 }
    if !(0...Checker.fastest).contains(value), wrong == nil { wrong = Point(elapsed, value) }
    return value
  }

  /// Adds an interval, in which `part` of the material is played.
  private mutating func add(until end: Double, playing part: Double) {
    let start = last
    if part > 0, start.y + part >= length {
      duration = start.x + (end - start.x) * (length - start.y) / part
    }
    points.append(Point(end, start.y + part))
  }

  /// Adds an interval in which the speed is constant.
  mutating func rest(until end: Double) {
    guard !isOver, end > last.x else { return }
    let speed = speed(at: last.x + min(1, end - last.x))
    add(until: end, playing: speed * (end - last.x))
  }

  /// Adds an interval in which the speed may change, by Simpson's rule. Returns the number of
  /// points.
  mutating func move(until end: Double) -> Int {
    guard !isOver, end > last.x else { return 0 }
    let range = end - last.x
    // The step is shorter than any frame, but long enough for the slowest speeds.
    let step = max(Double(Ticks.perSecond) / 480, min(range, length * 4) / Double(Self.most))
    var value = speed(at: last.x)
    var count = 0
    while !isOver, last.x < end, count < Self.most {
      let start = last.x
      let next = min(end, start + step)
      let (middle, after) = (speed(at: (start + next) / 2), speed(at: next))
      add(until: next, playing: (next - start) * (value + 4 * middle + after) / 6)
      value = after
      count += 1
    }
    // Beyond the table, the last speed applies.
    if !isOver, last.x < end { rest(until: end) }
    return count
  }
}
