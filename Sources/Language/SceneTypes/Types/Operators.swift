// SPDX-License-Identifier: MIT
import SceneSyntax

/// What a rule says about the types of its operands.
package enum Outcome: Hashable, Sendable {
  /// The rule applies to all values of the operands.
  case always(Type)
  /// The rule applies to some values, and evaluation tests them.
  case sometimes(Type)
  /// The rule applies to no value, so that evaluation always fails.
  case never

  /// The type of the result; an error if there is none.
  package var type: Type {
    switch self {
    case .always(let type), .sometimes(let type): type
    case .never: .error
    }
  }

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
    switch self {
    case .add, .subtract: sum(a, b)
    case .multiply: product(a, b)
    case .divide: quotient(a, b)
    case .less, .equal: isComparable(a, b) ? .bool : nil
    case .blend: blended(a, b)
    }
  }

  /// Returns the result of operands of which both are open or have parts, or `nil`.
  private func parts(_ a: Type, _ b: Type) -> Type? {
    let outcome = result(a, b)
    return outcome == .never ? nil : outcome.type
  }

  private func pair(_ x: Type?, _ y: Type?) -> Type? {
    guard let x, let y else { return nil }
    return .pair(x, y)
  }

  // MARK: Arithmetic

  private func sum(_ a: Type, _ b: Type) -> Type? {
    switch (a, b) {
    case (.unknown, .quantity(let d)), (.quantity(let d), .unknown):
      return d == .none ? .unknown : .quantity(d)
    case (.unknown, let other), (let other, .unknown):
      switch other {
      case .unknown, .percent, .mixed, .pair, .zero: return .unknown
      default: return nil
      }
    case (.zero, .zero): return .zero
    case (.zero, .quantity), (.zero, .percent), (.zero, .mixed): return b
    case (.quantity, .zero), (.percent, .zero), (.mixed, .zero): return a
    case (.pair(let x, let y), .zero), (.zero, .pair(let x, let y)):
      return pair(parts(x, .zero), parts(y, .zero))
    case (.quantity(let d), .quantity(let e)) where d == e: return a
    case (.percent, .percent): return .percent
    case (.pair(let x, let y), .pair(let u, let v)): return pair(parts(x, u), parts(y, v))
    default: return a.isLength && b.isLength ? .mixed : nil
    }
  }

  private func product(_ a: Type, _ b: Type) -> Type? {
    switch (a, b) {
    case (.unknown, let other), (let other, .unknown):
      if case .pair = other { return .unknown }
      return other == .unknown || other.isNumberLike ? .unknown : nil
    case (.quantity(let d), .quantity(let e)): return .quantity(d.plus(e))
    case (.zero, let other) where other.isNumberLike: return .zero
    case (let other, .zero) where other.isNumberLike: return .zero
    case (.percent, .quantity(let d)), (.quantity(let d), .percent):
      return d == .none ? .percent : .quantity(d)
    case (.percent, .percent): return .percent
    case (.mixed, .number), (.number, .mixed): return .mixed
    case (.pair(let x, let y), .pair(let u, let v)): return pair(parts(x, u), parts(y, v))
    case (.pair(let x, let y), let k), (let k, .pair(let x, let y)):
      return pair(parts(x, k), parts(y, k))
    default: return nil
    }
  }

  private func quotient(_ a: Type, _ b: Type) -> Type? {
    switch (a, b) {
    // Evaluation reports a division by zero.
    case (_, .zero): return .error
    case (.unknown, let other):
      return other == .unknown || other.isNumberLike ? .unknown : nil
    case (let other, .unknown):
      if case .pair = other { return .unknown }
      return other.isNumberLike ? .unknown : nil
    case (.quantity(let d), .quantity(let e)): return .quantity(d.plus(e, -1))
    case (.zero, let other) where other.isNumberLike: return .zero
    case (.percent, .number): return .percent
    case (.percent, .percent): return .number
    case (.quantity(let d), .percent): return .quantity(d)
    case (.mixed, .number): return .mixed
    case (.pair(let x, let y), let k): return pair(parts(x, k), parts(y, k))
    default: return nil
    }
  }

  // MARK: Comparison

  private func isComparable(_ a: Type, _ b: Type) -> Bool {
    switch (a, b) {
    case (.unknown, _), (_, .unknown): return true
    case (.zero, _): return b == .zero || b.isNumberLike && b != .mixed
    case (_, .zero): return a.isNumberLike && a != .mixed
    case (.quantity(let d), .quantity(let e)): return d == e
    case (.percent, .percent), (.percent, .number), (.number, .percent): return true
    default: break
    }
    guard self == .equal else { return false }
    switch (a, b) {
    case (.bool, .bool), (.text, .text), (.word, .word), (.text, .word), (.word, .text),
      (.color, .color), (.none, _), (_, .none):
      return true
    default: return false
    }
  }

  // MARK: Blending

  private func blended(_ a: Type, _ b: Type) -> Type? {
    if a == .unknown || b == .unknown { return .unknown }
    if let type = blendedPoints(a, b) { return type }
    switch (a, b) {
    case (.zero, .zero): return .zero
    case (.zero, .pair(let x, let y)), (.pair(let x, let y), .zero):
      return pair(parts(x, .zero), parts(y, .zero))
    case (.zero, let other), (let other, .zero):
      return other.isNumberLike ? other : nil
    case (.quantity(let d), .quantity(let e)) where d == e: return a
    case (.percent, .percent), (.bool, .bool), (.color, .color), (.text, .text), (.path, .path),
      (.filter, .filter), (.shadow, .shadow), (.none, .none), (.gradient, .gradient):
      return a
    case (.pair(let x, let y), .pair(let u, let v)): return pair(parts(x, u), parts(y, v))
    case (.pair(let x, let y), .quantity), (.pair(let x, let y), .percent):
      return pair(parts(x, b), parts(y, b))
    case (.quantity, .pair(let x, let y)), (.percent, .pair(let x, let y)):
      return pair(parts(a, x), parts(a, y))
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
      return pair(parts(x, .number), parts(y, .number))
    // Where a path is expected, outlines are blended, otherwise the centers.
    case (.element, .element): return Type(anyOf: [a.joined(with: b), .point, .path])
    case (.element, .path), (.path, .element): return .path
    case (.word(let x), .word(let y)): return x.isDisjoint(with: y) ? nil : .word(x.union(y))
    default: return a.isLength && b.isLength ? .mixed : nil
    }
  }

  /// Returns the type of a blend of which one side is a named point, which is a word where a point
  /// is expected.
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
      return blended(p, q)
    default: return nil
    }
  }
}
