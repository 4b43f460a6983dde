// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneText
import SceneTypes

/// A speed that changes, as a table of the material that is played until each time.
struct SpeedRamp {
  /// The distance of two entries, in ticks.
  let step: Double
  /// The least speed, which `surplus` excludes.
  let least: Double
  /// The played material in excess of that at the least speed, in ticks; never decreasing.
  let surplus: [Float]
  /// The speed at the start, and at the end of the table, from which it remains constant.
  let ends: (first: Double, last: Double)
  /// The time at which the material ends, in ticks since the start; `nil` if it is never reached.
  let duration: Double?

  /// The duration of the table, in ticks.
  var length: Double { Double(surplus.count - 1) * step }

  /// A speed of 1 for material of a duration, after an error.
  static func steady(_ length: Double) -> SpeedRamp {
    SpeedRamp(step: length, least: 1, surplus: [0, 0], ends: (1, 1), duration: length)
  }

  /// Returns the material that is played after a time, as a node. The time may be negative.
  func played(after elapsed: Scalar, _ builder: inout ProgramBuilder) -> Scalar {
    let inside = builder.make(
      .maximum, a: .zero, b: builder.make(.minimum, a: .constant(length), b: elapsed))
    let place = builder.divide(inside, .constant(step))
    let before = builder.make(.minimum, a: .zero, b: elapsed)
    let after = builder.make(
      .maximum, a: .zero, b: builder.subtract(elapsed, .constant(length)))
    return [
      builder.ease(place, .samples(surplus)), builder.scaled(inside, least),
      builder.scaled(before, ends.first), builder.scaled(after, ends.last),
    ].reduce(.zero) { builder.add($0, $1) }
  }
}

// `speed` of clips and of scenes as elements.
extension Checker {
  private static let fastest = 100.0

  /// Reads `speed` after `trim`.
  func readSpeed(of use: ElementNode, _ playing: inout Playing) {
    guard let (speed, span) = speed(of: use) else { return }
    if let number = speed.constantValue {
      playing.speed = number
    } else if use.properties[.loop] != nil {
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
        label: "expected 0.01 to 100, or a negative value to play backward",
        help: "use 'time: 2s' for a freeze frame")
      return nil
    }
    return (speed, span)
  }

  /// Whether the start of an element depends on its duration and therefore on its speed.
  func startsAfterItsSpeed(_ use: ElementNode) -> Bool { use.parent?.kind == .sequence }

  /// Returns the clock for the speed of an element. That of a clip in a sequence is 0 at the start of
  /// the clip; it differs from the clock of the scene, so that no value of one is used for the other.
  private func speedClock(of use: ElementNode) -> Scalar {
    guard startsAfterItsSpeed(use) else { return .node(0) }
    return builder.make(.maximum, a: .node(0), b: .constant(-.greatestFiniteMagnitude))
  }

  /// Integrates a speed over time by Simpson's rule, until the end of the material or of the
  /// element.
  private func ramp(
    _ speed: Scalar, of use: ElementNode, _ playing: Playing, at span: SourceSpan
  ) -> SpeedRamp? {
    guard let begin = startsAfterItsSpeed(use) ? .zero : start(of: use, span),
      let whole = materialLength(of: use, span)
    else { return nil }
    let length = (playing.to ?? Double(whole.rawValue)) - playing.from
    var last = Double.infinity
    if use.properties[.for] != nil, let end = end(of: use, span) {
      last = Double((end - begin).rawValue)
    }
    let second = Double(Ticks.perSecond)
    // Between two entries, the speed is taken as constant, so they are closer than any frames.
    let step = max(second / 480, (min(length, last) / 200_000).rounded())
    let most = 400_000
    var evaluator = Evaluator(builder.program, metrics: metrics)
    let nodes = evaluator.nodes(of: [speed])
    var wrong: Double?
    func value(at elapsed: Double) -> Double {
      evaluator.evaluate(nodes: nodes, at: begin + Ticks(Int64(elapsed)))
      let value = evaluator(speed)
      if !(0...Checker.fastest).contains(value) { wrong = wrong ?? elapsed }
      return value
    }
    var speeds = [value(at: 0)]
    var played = [0.0]
    var duration: Double?
    var stillSince = 0.0
    while wrong == nil, duration == nil, played.count < most {
      let now = Double(played.count - 1) * step
      if now >= last || now - stillSince > 10 * second { break }
      guard spend(4, span) else { return nil }
      let (middle, next) = (value(at: now + step / 2), value(at: now + step))
      let part = step * (speeds[speeds.count - 1] + 4 * middle + next) / 6
      if part > 0 { stillSince = now + step }
      let before = played[played.count - 1]
      if part > 0, before + part >= length { duration = now + step * (length - before) / part }
      played.append(before + part)
      speeds.append(next)
    }
    if let wrong {
      let number = NumberFormat().text(value(at: wrong))
      _ = report(
        .outOfRange, "'speed' is \(number) at \(Ticks(Int64(wrong)).description)", at: span,
        label: "a speed that changes must be from 0 to 100",
        help: "use 'time' to play backward, as in time: 2s -> 0s")
      return .steady(length)
    }
    let least = speeds.min() ?? 0
    return SpeedRamp(
      step: step, least: least,
      surplus: played.enumerated().map {
        Float(max(0, $0.element - Double($0.offset) * step * least))
      },
      ends: (speeds[0], speeds[speeds.count - 1]), duration: duration)
  }
}
