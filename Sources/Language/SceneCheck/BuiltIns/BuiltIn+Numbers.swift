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
    BuiltIn(
      "min", taking: .many("values", .value), gives: .value, reads: .nothing,
      cost: .linear, summary: "Returns the smallest argument."
    ) {
      it, values throws(Reported) in try it.extreme(values, .minimum)
    },
    BuiltIn(
      "max", taking: .many("values", .value), gives: .value, reads: .nothing,
      cost: .linear, summary: "Returns the largest argument."
    ) {
      it, values throws(Reported) in try it.extreme(values, .maximum)
    },
    BuiltIn(
      "clamp", taking: .value("x"), .value("low"), .value("high"), gives: .value, reads: .nothing,
      cost: .constant, summary: "Returns x, limited to a range."
    ) { it, x, low, high throws(Reported) in
      let raised = try it.need(
        it.checker.ordered(by: .maximum, x.value, low.value, at: it.call.span))
      return try it.need(it.checker.ordered(by: .minimum, raised, high.value, at: it.call.span))
    },
    BuiltIn(
      "mod", taking: .value("a"), .value("b"), gives: .value, reads: .nothing,
      cost: .constant, summary: "Returns the remainder of a divided by b."
    ) { it, a, b throws(Reported) in try it.modulo(a, b) },
    BuiltIn(
      "map-range", taking: .value("x"), .value("from-low"), .value("from-high"), .value("to-low"),
      .value("to-high"), gives: .value, reads: .nothing,
      cost: .linear, summary: "Maps x from one range to another."
    ) { it, x, fromLow, fromHigh, toLow, toHigh throws(Reported) in
      let checker = it.checker
      guard let above = checker.result(of: .subtract, x.value, fromLow.value),
        let range = checker.result(of: .subtract, fromHigh.value, fromLow.value),
        case .quantity(let share, .none)? = checker.result(of: .divide, above, range)?.like(nil)
      else {
        throw it.report(.operandMismatch, "the first three values must be of the same type")
      }
      return checker.blend(
        toLow.value, toHigh.value, by: .mix(share, .oklab), at: it.call.span, in: it.context)
    },
    BuiltIn(
      "pow", taking: .number("base"), .number("exponent"), gives: .number, reads: .nothing,
      cost: .constant, summary: "Returns base to the power of exponent."
    ) {
      it, base, exponent throws(Reported) in
      try it.finite(it.builder.make(.power, a: base, b: exponent))
    },
    BuiltIn(
      "abs", taking: .value("x"), gives: .value, reads: .nothing,
      cost: .constant, summary: "Returns the absolute value of x."
    ) {
      it, x throws(Reported) in
      switch x.value {
      case .emptySum: return x.value
      case .quantity(let s, let dimension):
        return .quantity(it.builder.make(.absolute, a: s), dimension)
      case .pair: return try it.byParts(x) { $1.make(.absolute, a: $0) }
      default: return try it.finite(it.builder.make(.absolute, a: try it.number(x)))
      }
    },
    whole("floor", .floor, summary: "Returns x, or each component of a pair, rounded down."),
    whole("ceil", .ceiling, summary: "Returns x, or each component of a pair, rounded up."),
    whole(
      "round", .round,
      summary: "Returns x, or each component of a pair, rounded to the nearest whole number."),
    plain("sqrt", .squareRoot, summary: "Returns the square root."),
    plain("exp", .exponential, summary: "Returns e to the power of x."),
    plain("log", .logarithm, summary: "Returns the natural logarithm."),
    BuiltIn(
      "defined", taking: .expression("x"), gives: .bool, reads: .nothing,
      cost: .linear, summary: "Returns whether an expression has a finite result."
    ) { it, x throws(Reported) in .bool(try it.isDefined(x)) },
  ]

  static let angles: [BuiltIn] = [
    wave("sin", .sine, summary: "Returns the sine of an angle."),
    wave("cos", .cosine, summary: "Returns the cosine of an angle."),
    wave("tan", .tangent, summary: "Returns the tangent of an angle."),
    BuiltIn(
      "atan2", taking: .number("y"), .number("x"), gives: .angle, reads: .nothing,
      cost: .constant, summary: "Returns the direction of (x, y) as an angle."
    ) {
      it, y, x in .quantity(it.builder.make(.arcTangent, a: y, b: x), .angle)
    },
  ]

  private static func plain(_ name: String, _ operation: Operation, summary: String) -> BuiltIn {
    BuiltIn(
      name, taking: .number("x"), gives: .number, reads: .nothing, cost: .constant, summary: summary
    ) {
      it, x throws(Reported) in
      try it.finite(it.builder.make(operation, a: x))
    }
  }

  private static func whole(_ name: String, _ operation: Operation, summary: String) -> BuiltIn {
    BuiltIn(
      name, taking: .value("x"), gives: .value, reads: .nothing, cost: .constant, summary: summary
    ) {
      it, x throws(Reported) in
      if case .pair = x.value { return try it.byParts(x) { $1.make(operation, a: $0) } }
      return try it.finite(it.builder.make(operation, a: try it.number(x)))
    }
  }

  private static func wave(_ name: String, _ operation: Operation, summary: String) -> BuiltIn {
    BuiltIn(
      name, taking: .value("angle", .angle), gives: .number, reads: .nothing, cost: .constant,
      summary: summary
    ) {
      it, angle throws(Reported) in
      switch angle.value {
      case .quantity(let degrees, .angle): return .number(it.builder.make(operation, a: degrees))
      // A number is in radians.
      case .quantity(let s, .none):
        return .number(it.builder.make(operation, a: it.builder.scaled(s, 180 / .pi)))
      default:
        it.checker.mismatch("an angle", angle.value, at: angle.span)
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

  /// Returns whether all numbers of a value are finite. Errors about undefined results, such as a
  /// division by zero, are discarded.
  fileprivate func isDefined(_ e: Expression) throws(Reported) -> Scalar {
    let (value, diagnostics) = checker.reports.trying { checker.evaluate(e, context) }
    let errors = diagnostics.filter { $0.severity == .error }
    if value.isPoison, let first = errors.first, errors.allSatisfy({ $0.code == .notFinite }) {
      checker.reports.withhold(first)
      return .zero
    }
    for diagnostic in diagnostics { checker.reports.report(diagnostic) }
    if value.isPoison { throw checker.reports.expected(e.span) }
    try charge(for: value)
    var count = 0
    value.forEachScalar { _ in count += 1 }
    try spend(count)
    // Pixel functions compute with numbers of single precision.
    let greatest = Scalar.constant(Double(Float.greatestFiniteMagnitude))
    var result = Scalar.one
    value.forEachScalar { number in
      let size = builder.make(.absolute, a: number)
      let isFinite = builder.make(.lessOrEqual, a: size, b: greatest)
      result = builder.make(.and, a: result, b: isFinite)
    }
    return result
  }

  fileprivate func modulo(_ a: Given, _ b: Given) throws(Reported) -> Value {
    guard let kind = a.value.amount, let other = b.value.amount,
      let result = Operator.modulo.result(of: kind, other), let x = a.value.factor,
      let y = b.value.factor
    else {
      throw report(
        .operandMismatch,
        "'mod' requires two values of the same type, found \(a.value.description) and \(b.value.description)"
      )
    }
    if y == .zero { throw report(.notFinite, "'mod' by 0 is undefined", at: b.span) }
    return .quantity(builder.make(.modulo, a: x, b: y), result.dimension)
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
      result = try need(checker.ordered(by: operation, result, value, at: call.span))
    }
    return result
  }
}
