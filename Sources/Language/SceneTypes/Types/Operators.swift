// SPDX-License-Identifier: MIT
import SceneSyntax

/// The result of applying a rule to the types of its operands.
package enum Outcome: Hashable, Sendable {
  /// The rule applies to all values of the operands.
  case always(Type)
  /// The rule applies to some values; evaluation determines whether it does.
  case sometimes(Type)
  /// The rule applies to no value, so that evaluation always fails.
  case never

  /// The type of the result, or `nil` if there is none.
  package var result: Type? {
    switch self {
    case .always(let type), .sometimes(let type): type
    case .never: nil
    }
  }

  /// The type of the result; an error if there is none.
  package var type: Type { result ?? .error }

  func mapped(_ change: (Type) -> Type) -> Outcome {
    switch self {
    case .always(let type): .always(change(type))
    case .sometimes(let type): .sometimes(change(type))
    case .never: .never
    }
  }
}

/// The binary operators with a result that depends on the types of both operands.
package enum Operator: Hashable, Sendable {
  case add, subtract, multiply, divide
  case less, equal
  /// The minimum or the maximum of two values.
  case extreme
  /// The remainder of a division.
  case modulo
  /// The common type of two values that a condition or an index selects, or that a motion
  /// interpolates.
  case blend

  init?(_ token: TokenKind) {
    switch token {
    case .plus: self = .add
    case .minus: self = .subtract
    case .star: self = .multiply
    case .slash: self = .divide
    case .less, .lessEqual, .greater, .greaterEqual: self = .less
    case .equalEqual, .notEqual: self = .equal
    default: return nil
    }
  }

  /// Returns the type of the result for operands of these types.
  package func result(_ a: Type, _ b: Type) -> Outcome {
    if a == .error || b == .error { return .always(.error) }
    // Code that is never evaluated causes no errors.
    if a == .nothing || b == .nothing {
      return .always(self == .blend ? a.joined(with: b) : .nothing)
    }
    var result = Type.nothing
    var hasRule = false
    var isSure = true
    for left in a.alternatives {
      for right in b.alternatives {
        guard let type = shape(left, right) else {
          isSure = false
          continue
        }
        if left == .unknown || right == .unknown { isSure = false }
        hasRule = true
        result = result.joined(with: type)
      }
    }
    guard hasRule else { return .never }
    return isSure ? .always(result) : .sometimes(result)
  }

  /// Returns the type for operands of one shape each, or `nil` if the rule does not apply to them.
  private func shape(_ a: Type, _ b: Type) -> Type? {
    // Evaluation reports a division by zero.
    if self == .divide, b == .zero { return .error }
    if self == .blend, let type = blendedPoints(a, b) { return type }
    if a == .unknown || b == .unknown { return open(a == .unknown ? b : a, isRight: a == .unknown) }
    if let x = a.amount, let y = b.amount {
      return result(of: x, y).map { self == .less || self == .equal ? .bool : $0.type }
    }
    if let range = movedRange(a, b) { return range }
    if let pair = paired(a, b) { return pair }
    return switch self {
    case .equal: areEquatable(a, b) ? .bool : nil
    case .blend: blended(a, b)
    default: nil
    }
  }

  /// Returns the result of a range and a number, which is computed for both ends; `nil` for other
  /// operands.
  private func movedRange(_ a: Type, _ b: Type) -> Type? {
    guard combinesRanges else { return nil }
    switch (a, b) {
    case (.range(let x, let y), _):
      guard b.amount != nil, let low = parts(x, b), let high = parts(y, b) else { return nil }
      return .range(low, high)
    case (_, .range(let x, let y)) where self != .divide:
      guard a.amount != nil, let low = parts(a, x), let high = parts(a, y) else { return nil }
      return .range(low, high)
    default: return nil
    }
  }

  /// Whether a range can be an operand.
  package var combinesRanges: Bool {
    switch self {
    case .add, .subtract, .multiply, .divide: true
    case .less, .equal, .extreme, .modulo, .blend: false
    }
  }

  /// Returns the result for the parts of pairs, or `nil` if there is no rule.
  private func paired(_ a: Type, _ b: Type) -> Type? {
    var (left, right) = ((a, a), (b, b))
    if case .pair(let x, let y) = a { left = (x, y) }
    if case .pair(let x, let y) = b { right = (x, y) }
    guard combinesPairs(left: a.isPair, right: b.isPair, other: a.amount ?? b.amount),
      let x = parts(left.0, right.0), let y = parts(left.1, right.1)
    else { return nil }
    return .pair(x, y)
  }

  /// Returns the type of the result for a part of each operand, or `nil` if there is no rule.
  private func parts(_ a: Type, _ b: Type) -> Type? {
    let outcome = result(a, b)
    return outcome == .never ? nil : outcome.type
  }

  /// Returns the result for one unknown operand, or `nil` if the rule applies to no value of it.
  private func open(_ other: Type, isRight: Bool) -> Type? {
    if other == .unknown { return self == .less || self == .equal ? .bool : .unknown }
    switch self {
    case .less, .equal: return .bool
    case .blend, .extreme: return .unknown
    case .add, .subtract, .modulo:
      if case .quantity(let dimension) = other, dimension != .none { return other }
      return other.amount != nil || other.isPair ? .unknown : nil
    case .multiply: return other.amount != nil || other.isPair ? .unknown : nil
    // No rule divides by a pair.
    case .divide: return other.amount != nil || !isRight && other.isPair ? .unknown : nil
    }
  }

  /// Returns whether two shapes other than numbers can be compared for equality.
  private func areEquatable(_ a: Type, _ b: Type) -> Bool {
    switch (a, b) {
    case (.bool, .bool), (.text, .text), (.word, .word), (.text, .word), (.word, .text),
      (.color, .color), (.none, _), (_, .none):
      true
    default: false
    }
  }

  // MARK: Blending

  private func blended(_ a: Type, _ b: Type) -> Type? {
    switch (a, b) {
    case (.bool, .bool), (.color, .color), (.text, .text), (.path, .path), (.filter, .filter),
      (.shadow, .shadow), (.none, .none), (.gradient, .gradient):
      return a
    case (.range(let x, let y), .range(let u, let v)):
      guard let low = parts(x, u), let high = parts(y, v) else { return nil }
      return .range(low, high)
    case (.list(let x, let some), .list(let y, let others)):
      if some?.isEmpty == true, others?.isEmpty == true { return a }
      if let some, let others, some.count == others.count {
        let items = zip(some, others).compactMap { parts($0, $1) }
        return items.count == some.count ? .list(Type(anyOf: items), items: items) : nil
      }
      return parts(x, y).map { .list($0, items: nil) }
    case (.none, .color), (.color, .none): return .color
    case (.none, .gradient), (.gradient, .none), (.color, .gradient), (.gradient, .color):
      return .gradient
    case (.none, .filter), (.filter, .none): return .filter
    case (.none, .shadow), (.shadow, .none): return .shadow
    case (.filter, .list), (.list, .filter): return .filter
    case (.none, .list), (.list, .none):
      return a == .none ? b : a
    case (.pair(let x, let y), .element), (.element, .pair(let x, let y)):
      guard let left = parts(x, .number), let right = parts(y, .number) else { return nil }
      return .pair(left, right)
    // Where a path is expected, outlines are blended, otherwise the centers.
    case (.element, .element): return Type(anyOf: [a.joined(with: b), .point, .path])
    case (.element, .path), (.path, .element): return .path
    case (.word(let x), .word(let y)): return x.isDisjoint(with: y) ? nil : .word(x.union(y))
    default: return nil
    }
  }

  /// Returns the type of a blend with a named point on one side. A named point is a word where a
  /// point is expected. Returns `nil` for other operands.
  private func blendedPoints(_ a: Type, _ b: Type) -> Type? {
    func point(_ type: Type) -> Type? {
      switch type {
      case .pair: type
      case .element: .point
      case .word: .pair(.percent, .percent)
      default: nil
      }
    }
    switch (a, b) {
    case (.word(let x), .word(let y)):
      let points = x.union(y).allSatisfy(Words.isPoint)
      guard points, x != y || x.count > 1 else { return nil }
      return Type(anyOf: [.word(x.union(y)), .pair(.percent, .percent)])
    case (.word(let x), _) where x.contains(where: Words.isPoint),
      (_, .word(let x)) where x.contains(where: Words.isPoint):
      guard let p = point(a), let q = point(b) else { return nil }
      return shape(p, q)
    default: return nil
    }
  }
}
