// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneModel
import SceneText
import SceneTypes

extension Value {
  var amount: Amount? {
    switch self {
    case .quantity(_, let dimension): .quantity(dimension)
    case .percent: .percent
    case .length: .mixed
    case .emptySum: .zero
    default: nil
    }
  }

  var isPair: Bool { if case .pair = self { true } else { false } }

  /// The parts of a pair; any other value is both of its parts.
  var parts: (Value, Value) { if case .pair(let x, let y) = self { (x, y) } else { (self, self) } }

  /// The number of a quantity, a percentage or an empty sum; otherwise, `nil`.
  var factor: Scalar? {
    switch self {
    case .quantity(let s, _), .percent(let s): s
    case .emptySum: .zero
    default: nil
    }
  }

  /// Returns the sum of an empty list as a zero of another kind, and other values unchanged.
  func like(_ kind: Amount?) -> Value {
    guard case .emptySum = self else { return self }
    switch kind {
    case .percent: return .percent(.zero)
    case .mixed: return .length(pixels: .zero, share: .zero)
    default: return .quantity(.zero, kind?.dimension ?? .none)
    }
  }

  /// The pixels and the fraction of a length; `nil` for other values.
  var lengthParts: (pixels: Scalar, share: Scalar)? {
    switch self {
    case .emptySum: (.zero, .zero)
    case .quantity(let s, .none): (s, .zero)
    case .percent(let s): (.zero, s)
    case .length(let pixels, let share): (pixels, share)
    default: nil
    }
  }
}

// Evaluation of the rules of `Operator`.
extension Checker {
  /// Returns the sum, difference, product or quotient of two values, or `nil` if there is no rule.
  func result(of rule: Operator, _ a: Value, _ b: Value) -> Value? {
    if let x = a.amount, let y = b.amount {
      return rule.result(of: x, y).flatMap { number(by: rule, a, b, kind: $0) }
    }
    if rule.combinesRanges {
      switch (a, b) {
      case (.range(let low, let high), _) where b.amount != nil:
        guard let x = result(of: rule, low, b), let y = result(of: rule, high, b) else {
          return nil
        }
        return .range(x, y)
      case (_, .range(let low, let high)) where a.amount != nil && rule != .divide:
        guard let x = result(of: rule, a, low), let y = result(of: rule, a, high) else {
          return nil
        }
        return .range(x, y)
      default: break
      }
    }
    guard rule.combinesPairs(a, b) else { return nil }
    let (left, right) = (a.parts, b.parts)
    guard let x = result(of: rule, left.0, right.0), let y = result(of: rule, left.1, right.1)
    else { return nil }
    return .pair(x, y)
  }

  /// Returns the result of an operator as written, or `nil` if there is no rule. Reports a constant
  /// that is not finite.
  func finiteResult(of rule: Operator, _ a: Value, _ b: Value, at span: SourceSpan) -> Value? {
    guard let value = result(of: rule, a, b) else { return nil }
    var isFinite = true
    func check(_ s: Scalar) {
      if let known = s.constantValue, !known.isFinite { isFinite = false }
    }
    if let factor = value.factor { check(factor) } else { value.forEachScalar(check) }
    return isFinite ? value : report(.notFinite, "the result is not a finite number", at: span)
  }

  /// Applies an operator to two numbers. The result has the given kind.
  private func number(by rule: Operator, _ a: Value, _ b: Value, kind: Amount) -> Value? {
    switch (kind, rule) {
    case (.zero, _): return .emptySum
    case (.mixed, .multiply), (.mixed, .divide):
      let (length, factor) = a.amount == .mixed ? (a, b) : (b, a)
      guard let (pixels, share) = length.lengthParts, let k = factor.factor else { return nil }
      return .length(pixels: computed(by: rule, pixels, k), share: computed(by: rule, share, k))
    case (.mixed, _):
      guard let (p, s) = a.lengthParts, let (q, r) = b.lengthParts else { return nil }
      return .length(pixels: computed(by: rule, p, q), share: computed(by: rule, s, r))
    case (.quantity, _), (.percent, _):
      guard let x = a.factor, let y = b.factor else { return nil }
      // In a product, the percentage is the first operand.
      var isTurned = false
      if rule == .multiply, case .percent = b { isTurned = true }
      let factor = isTurned ? computed(by: rule, y, x) : computed(by: rule, x, y)
      return kind == .percent ? .percent(factor) : .quantity(factor, kind.dimension)
    }
  }

  private func computed(by rule: Operator, _ x: Scalar, _ y: Scalar) -> Scalar {
    switch rule {
    case .multiply: builder.multiply(x, y)
    case .divide: builder.divide(x, y)
    case .subtract: builder.make(.subtract, a: x, b: y)
    default: builder.make(.add, a: x, b: y)
    }
  }

  /// Returns the minimum or maximum of two values of the same type, or reports an error and returns
  /// `nil`.
  func ordered(by operation: Operation, _ a: Value, _ b: Value, at span: SourceSpan) -> Value? {
    let kind = a.amount.flatMap { x in b.amount.flatMap { Operator.extreme.result(of: x, $0) } }
    if let kind, let x = a.factor, let y = b.factor {
      let s = builder.make(operation, a: x, b: y)
      return kind == .percent ? .percent(s) : .quantity(s, kind.dimension)
    }
    if !a.isPoison, !b.isPoison {
      report(
        .operandMismatch, "\(a.description) and \(b.description) cannot be compared", at: span)
    }
    return nil
  }
}

extension Operator {
  /// Returns whether the operator combines two values part by part.
  func combinesPairs(_ a: Value, _ b: Value) -> Bool {
    combinesPairs(left: a.isPair, right: b.isPair, other: a.amount ?? b.amount)
  }
}
