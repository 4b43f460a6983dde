// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

extension BuiltIn {
  static let numbers: [BuiltIn] = [
    BuiltIn("min", .many("values", .value), gives: .value, "Returns the smallest argument.") {
      it, values throws(Reported) in try it.extreme(values, .minimum)
    },
    BuiltIn("max", .many("values", .value), gives: .value, "Returns the largest argument.") {
      it, values throws(Reported) in try it.extreme(values, .maximum)
    },
    BuiltIn(
      "clamp", .value("x"), .value("low"), .value("high"), gives: .value,
      "Returns x, limited to a range."
    ) { it, x, low, high throws(Reported) in
      let raised = try it.need(it.checker.ordered(.maximum, x.value, low.value, it.call.span))
      return try it.need(it.checker.ordered(.minimum, raised, high.value, it.call.span))
    },
    BuiltIn(
      "mod", .value("a"), .value("b"), gives: .value,
      "Returns the remainder of a divided by b."
    ) { it, a, b throws(Reported) in try it.modulo(a, b) },
    BuiltIn(
      "map-range", .value("x"), .value("from-low"), .value("from-high"), .value("to-low"),
      .value("to-high"), gives: .value, "Maps x from one range to another."
    ) { it, x, fromLow, fromHigh, toLow, toHigh throws(Reported) in
      let checker = it.checker
      guard let above = checker.addition(.subtract, x.value, fromLow.value),
        let range = checker.addition(.subtract, fromHigh.value, fromLow.value),
        case .quantity(let share, .none)? = checker.quotient(above, range)
      else {
        throw it.report(.operandMismatch, "the first three values must be of the same type")
      }
      return checker.blend(
        toLow.value, toHigh.value, .mix(share, .oklab), it.call.span, it.context)
    },
    BuiltIn(
      "pow", .number("base"), .number("exponent"), gives: .number,
      "Returns base to the power of exponent."
    ) {
      it, base, exponent throws(Reported) in
      try it.finite(it.builder.make(.power, a: base, b: exponent))
    },
    BuiltIn("abs", .value("x"), gives: .value, "Returns the absolute value of x.") {
      it, x throws(Reported) in
      switch x.value {
      case .emptySum: return x.value
      case .quantity(let s, let dimension):
        return .quantity(it.builder.make(.absolute, a: s), dimension)
      default: return try it.finite(it.builder.make(.absolute, a: try it.number(x)))
      }
    },
    plain("floor", .floor, "Returns x, rounded down."),
    plain("ceil", .ceiling, "Returns x, rounded up."),
    plain("round", .round, "Returns the nearest whole number."),
    plain("sqrt", .squareRoot, "Returns the square root."),
    plain("exp", .exponential, "Returns e to the power of x."),
    plain("log", .logarithm, "Returns the natural logarithm."),
  ]

  static let angles: [BuiltIn] = [
    wave("sin", .sine, "Returns the sine of an angle."),
    wave("cos", .cosine, "Returns the cosine of an angle."),
    wave("tan", .tangent, "Returns the tangent of an angle."),
    BuiltIn(
      "atan2", .number("y"), .number("x"), gives: .angle,
      "Returns the direction of (x, y) as an angle."
    ) {
      it, y, x in .quantity(it.builder.make(.arcTangent, a: y, b: x), .angle)
    },
  ]

  private static func plain(_ name: String, _ operation: Operation, _ summary: String) -> BuiltIn {
    BuiltIn(name, .number("x"), gives: .number, summary) { it, x throws(Reported) in
      try it.finite(it.builder.make(operation, a: x))
    }
  }

  private static func wave(_ name: String, _ operation: Operation, _ summary: String) -> BuiltIn {
    BuiltIn(name, .value("angle", .angle), gives: .number, summary) {
      it, angle throws(Reported) in
      switch angle.value {
      case .quantity(let degrees, .angle): return .number(it.builder.make(operation, a: degrees))
      // A number is in radians.
      case .quantity(let s, .none):
        return .number(it.builder.make(operation, a: it.builder.scaled(s, 180 / .pi)))
      default:
        it.checker.mismatch("an angle", angle.value, angle.span)
        throw it.checker.reports.expected(angle.span)
      }
    }
  }
}

extension Site {
  fileprivate func number(_ given: Given) throws(Reported) -> Scalar {
    try need(checker.asNumber(given.value, given.span))
  }

  /// Returns a number, or reports a constant that is not finite.
  fileprivate func finite(_ number: Scalar) throws(Reported) -> Value {
    if let known = number.constantValue, !known.isFinite {
      throw report(.notFinite, "'\(call.name)' has no finite result here")
    }
    return .number(number)
  }

  fileprivate func modulo(_ a: Given, _ b: Given) throws(Reported) -> Value {
    switch (a.value.beside(b.value), b.value.beside(a.value)) {
    case (.quantity(let x, let d), .quantity(let y, let e)) where d == e:
      if y == .zero { throw report(.notFinite, "'mod' by 0 is undefined", at: b.span) }
      return .quantity(builder.make(.modulo, a: x, b: y), d)
    default:
      throw report(
        .operandMismatch,
        "'mod' requires two values of the same type, found \(a.value.description) and \(b.value.description)"
      )
    }
  }

  fileprivate func extreme(_ expressions: [Expression], _ operation: Operation) throws(Reported)
    -> Value
  {
    var values: [Value] = []
    for e in expressions { values.append(try evaluate(e)) }
    if values.count == 1, case .list(let items) = values[0] { values = items }
    guard var result = values.first else {
      throw report(
        .indexOutOfRange, "'\(call.name)' requires at least one item, but the list is empty")
    }
    for value in values.dropFirst() {
      result = try need(checker.ordered(operation, result, value, call.span))
    }
    return result
  }
}

extension Checker {
  /// Returns the minimum or maximum of two values of the same type.
  func ordered(_ op: Operation, _ a: Value, _ b: Value, _ span: SourceSpan) -> Value? {
    switch (a.beside(b), b.beside(a)) {
    case (.quantity(let x, let d), .quantity(let y, let e)) where d == e:
      return .quantity(builder.make(op, a: x, b: y), d)
    case (.percent(let x), .percent(let y)): return .percent(builder.make(op, a: x, b: y))
    case (.percent(let x), .quantity(let y, .none)), (.quantity(let x, .none), .percent(let y)):
      return .number(builder.make(op, a: x, b: y))
    default:
      if !a.isPoison, !b.isPoison {
        report(
          .operandMismatch, "\(a.description) and \(b.description) cannot be compared", at: span)
      }
      return nil
    }
  }
}
