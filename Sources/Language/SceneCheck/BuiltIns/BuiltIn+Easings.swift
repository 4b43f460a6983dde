// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax

extension BuiltIn {
  private static let easing = "an easing"
  private static let positions = Easing.StepPosition.allCases.map(\.rawValue)

  static let easings: [BuiltIn] = [
    BuiltIn(
      "cubic-bezier", taking: .constant("x1", of: easing), .constant("y1", of: easing),
      .constant("x2", of: easing), .constant("y2", of: easing), gives: .easing, reads: .nothing,
      cost: .constant, summary: "Returns a Bézier easing, as in CSS."
    ) { it, x1, y1, x2, y2 throws(Reported) in
      for (name, x) in [("x1", x1), ("x2", x2)] where x < 0 || x > 1 {
        throw it.report(
          .outOfRange, "'\(name)' of 'cubic-bezier' must be from 0 to 1",
          at: it.call[name]?.span)
      }
      return .easing(.cubicBezier(x1, y1, x2, y2), length: nil)
    },
    BuiltIn(
      "steps", taking: .constant("count", of: easing),
      .optional(.value("position", .word, words: Set(positions))), gives: .easing, reads: .nothing,
      cost: .constant, summary: "Returns an easing that moves in steps."
    ) { it, count, given throws(Reported) in
      var position = Easing.StepPosition.jumpEnd
      if let given {
        let word = try it.need(it.checker.asWord(given.value, given.span, from: positions))
        position = Easing.StepPosition(rawValue: word) ?? position
      }
      let least = position == .jumpNone ? 2.0 : 1.0
      guard count >= least, count <= 1_000_000, count == count.rounded() else {
        throw it.report(
          .outOfRange, "'steps' requires a whole number of at least \(Int(least))",
          at: it.call["count"]?.span)
      }
      return .easing(.steps(Int(count), position), length: nil)
    },
    BuiltIn(
      "linear", taking: .many("stops", .number), gives: .easing, reads: .nothing,
      cost: .constant, summary: "Returns a piecewise linear easing."
    ) {
      it, stops throws(Reported) in
      .easing(.piecewise(Checker.spread(try it.points(stops))), length: nil)
    },
    BuiltIn(
      "spring", taking: .optional(.constant("bounce", of: easing)),
      .optional(.constant("stiffness", of: easing)), .optional(.constant("damping", of: easing)),
      .optional(.constant("mass", of: easing)), gives: .easing, reads: .nothing,
      cost: .constant, summary: "Returns an easing that overshoots and oscillates like a spring."
    ) { it, bounce, stiffness, damping, mass throws(Reported) in
      guard stiffness != nil || damping != nil || mass != nil else {
        return try it.spring(bounce: bounce ?? 0.3)
      }
      if bounce != nil {
        throw it.report(
          .wrongArguments, "'spring' cannot combine 'bounce' with 'stiffness', 'damping' and 'mass'"
        )
      }
      return try it.spring(stiffness: stiffness ?? 100, damping: damping ?? 10, mass: mass ?? 1)
    },
  ]
}

extension Site {
  /// Returns a spring with a period of half a second.
  fileprivate func spring(bounce: Double) throws(Reported) -> Value {
    guard bounce >= 0, bounce < 1 else {
      throw report(
        .outOfRange, "'bounce' must be at least 0 and below 1", at: call["bounce"]?.span)
    }
    return spring(ratio: 1 - bounce, frequency: Math.tau / 0.5)
  }

  fileprivate func spring(stiffness: Double, damping: Double, mass: Double) throws(Reported)
    -> Value
  {
    guard stiffness > 0, damping > 0, mass > 0 else {
      throw report(.outOfRange, "stiffness, damping and mass of 'spring' must be above 0")
    }
    return spring(
      ratio: damping / (2 * (stiffness * mass).squareRoot()),
      frequency: (stiffness / mass).squareRoot())
  }

  /// Returns a spring easing. Its natural duration applies to motions without `over`.
  private func spring(ratio: Double, frequency: Double) -> Value {
    let spring = Spring(damping: ratio)
    let seconds = min(60, spring.frequency / frequency)
    return .easing(
      .spring(damping: spring.damping),
      length: (seconds * Double(Ticks.perSecond)).rounded())
  }

  /// Returns the stops of CSS `linear()`.
  fileprivate func points(_ expressions: [Expression]) throws(Reported)
    -> [(input: Double?, output: Double)]
  {
    var points: [(input: Double?, output: Double)] = []
    for e in expressions {
      guard case .call(let callee, let arguments) = e.kind,
        case .reference("stop") = callee.kind
      else {
        points.append((nil, try constant(e)))
        continue
      }
      var numbers: [Double] = []
      for argument in arguments { numbers.append(try constant(argument.value)) }
      guard let output = numbers.first, numbers.count <= 3 else {
        throw report(
          .wrongArguments, "a stop of 'linear' must be written as stop(output, input)", at: e.span)
      }
      points.append((numbers.count > 1 ? numbers[1] : nil, output))
      if numbers.count == 3 { points.append((numbers[2], output)) }
    }
    guard points.count >= 2 else {
      throw report(.wrongArguments, "'linear' requires at least two stops")
    }
    return points
  }

  private func constant(_ e: Expression) throws(Reported) -> Double {
    let scalar = try need(checker.asNumber(try evaluate(e), e.span))
    guard let number = scalar.constantValue else {
      throw report(.notConstant, "an easing cannot change over time", at: e.span)
    }
    return number
  }
}

extension Checker {
  /// Returns points with all inputs, which are made nondecreasing (CSS Easing 2 section 3.1.1).
  static func spread(_ points: [(input: Double?, output: Double)]) -> [Point] {
    var inputs = points.map(\.input)
    if inputs[0] == nil { inputs[0] = 0 }
    let last = inputs.count - 1
    if inputs[last] == nil { inputs[last] = max(1, inputs.compactMap { $0 }.max() ?? 1) }
    var greatest = -Double.infinity
    for index in inputs.indices {
      if let input = inputs[index] {
        greatest = max(greatest, input)
        inputs[index] = greatest
      }
    }
    var index = 0
    while index < inputs.count {
      guard inputs[index] == nil, let from = inputs[index - 1] else {
        index += 1
        continue
      }
      let next = inputs[index...].firstIndex { $0 != nil } ?? last
      let to = inputs[next] ?? from
      for k in index..<next {
        inputs[k] = from + (to - from) * Double(k - index + 1) / Double(next - index + 1)
      }
      index = next
    }
    return zip(inputs, points).map { Point($0 ?? 0, $1.output) }
  }
}
