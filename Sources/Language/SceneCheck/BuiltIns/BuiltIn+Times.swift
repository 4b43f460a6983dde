// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneLint
import SceneModel
import SceneSyntax
import SceneTypes

extension BuiltIn {
  static let times: [BuiltIn] = [
    BuiltIn(
      "loop", taking: .expression("x"), .optional(.expression("length", .time)),
      .optional(.bool("mirror"), or: .zero), gives: .value, moves: true,
      cost: .counted, summary: "Repeats a motion."
    ) { it, x, length, mirror throws(Reported) in
      let period = try it.period(of: x, length)
      let local = try it.local()
      guard let isMirrored = mirror.constantValue else {
        throw it.report(
          .notConstant, "'mirror' of 'loop' cannot change over time",
          at: it.call["mirror"]?.span)
      }
      guard isMirrored == 1 else {
        if it.call["mirror"] == nil { try it.warnOfOpenLoop(x, period) }
        return try it.value(of: x, at: it.builder.make(.modulo, a: local, b: .constant(period)))
      }
      let there = it.builder.make(.modulo, a: local, b: .constant(2 * period))
      let back = it.builder.subtract(.constant(2 * period), there)
      return try it.value(of: x, at: it.builder.make(.minimum, a: there, b: back))
    },
    BuiltIn(
      "reverse", taking: .expression("x"), gives: .value, moves: true,
      cost: .counted, summary: "Plays a motion backward."
    ) { it, x throws(Reported) in
      let period = try it.period(of: x, nil)
      return try it.value(of: x, at: it.builder.subtract(.constant(period), try it.local()))
    },
    BuiltIn(
      "delay", taking: .expression("x"), .expression("time", .time), gives: .value, moves: true,
      cost: .counted, summary: "Delays a motion."
    ) { it, x, time throws(Reported) in
      let wait = try it.constantTime(time)
      let inner = MotionRecorder()
      let value = it.checker.evaluate(
        x,
        it.context.with {
          $0.now = it.builder.subtract(it.context.now, .constant(wait))
          $0.recorder = inner
        }, words: it.call.words)
      it.context.recorder?.note(inner.end + wait)
      return value
    },
    BuiltIn(
      "at-time", taking: .expression("x"), .time("time"), gives: .value, moves: true,
      cost: .counted, summary: "Returns the value of a motion at another time."
    ) { it, x, time throws(Reported) in try it.value(of: x, at: time) },
  ]
}

extension Site {
  /// Evaluates an expression at a time in ticks since the start of the element.
  fileprivate func value(of x: Expression, at time: Scalar) throws(Reported) -> Value {
    let begin = try need(checker.start(of: context.owner, call.span))
    let now = builder.add(.constant(Double(begin.rawValue)), time)
    return checker.evaluate(x, context.with { $0.now = now }, words: call.words)
  }

  fileprivate func constantTime(_ e: Expression) throws(Reported) -> Double {
    let value = checker.evaluate(e, context.with { $0.constantFor = "this time" })
    return try need(checker.asConstantTime(value, e.span))
  }

  /// Returns the duration of a motion: the argument, or that of the motions in the expression.
  fileprivate func period(of x: Expression, _ given: Expression?) throws(Reported) -> Double {
    let length = if let given { try constantTime(given) } else { try motionLength(of: x) }
    guard length > 0 else {
      if case .tween = x.kind {
        throw report(
          .emptyMotion, "the motion of '\(call.name)' has a duration of 0s", at: x.span,
          label: "ends when it starts", help: "write a duration above 0s, such as over 2s")
      }
      throw report(
        .emptyMotion, "'\(call.name)' requires a value that changes over time", at: x.span,
        label: "does not change over time",
        help: call.name == "loop"
          ? "add a duration: loop(x, 2s)" : "use a motion: \(call.name)(0 -> 1 over 2s)")
    }
    context.recorder?.note(length)
    return length
  }

  private func motionLength(of x: Expression) throws(Reported) -> Double {
    let recorder = MotionRecorder()
    let value = checker.evaluate(x, context.with { $0.recorder = recorder }, words: call.words)
    if case .poison(let reported) = value { throw reported }
    return recorder.end
  }

  /// Warns about a loop of a number that jumps where it restarts.
  fileprivate func warnOfOpenLoop(_ x: Expression, _ length: Double) throws(Reported) {
    let begin = try need(checker.start(of: context.owner, call.span))
    func scalar(_ time: Double) throws(Reported) -> Double? {
      guard case .quantity(let s, let d) = try value(of: x, at: .constant(time)), d != .angle else {
        return nil
      }
      return s.constantValue
    }
    // Compared just before the end, since steps and keyframes may intentionally jump at the end.
    guard let first = try scalar(0), let last = try scalar(length),
      let before = try scalar(length * 0.999),
      abs(last - before) < abs(last - first) * 0.1, abs(last - first) > 1e-6
    else { return }
    let format = NumberFormat()
    let diagnostic = Diagnostic(
      .openLoop,
      "this loop jumps from \(format.text(last)) back to \(format.text(first))", at: x.span,
      notes: [Note(help: "add 'mirror: true', or end the motion at its start value")])
    guard let jump = Ticks(rounding: Double(begin.rawValue) + length) else { return }
    checker.openLoops.append(
      OpenLoop(
        diagnostic: diagnostic, jump: jump,
        places: [context.owner.span, (context.owner.parent ?? context.owner).span]))
  }
}
