// SPDX-License-Identifier: MIT
import SceneGraphics

/// The kind of a number: its shape without its value.
package enum Amount: Hashable, Sendable {
  /// The sum of an empty list, which is zero of any kind.
  case zero
  case quantity(Dimension)
  case percent
  /// Pixels plus a percentage of a reference length.
  case mixed

  package static let number = Amount.quantity(.none)

  /// Whether a sum with other lengths is a length.
  fileprivate var isLength: Bool { self == .number || self == .percent || self == .mixed }

  /// The dimension of a quantity; that of numbers for other kinds.
  package var dimension: Dimension { if case .quantity(let it) = self { it } else { .none } }

  package var type: Type {
    switch self {
    case .zero: .zero
    case .quantity(let dimension): .quantity(dimension)
    case .percent: .percent
    case .mixed: .mixed
    }
  }
}

extension Type {
  package var amount: Amount? {
    switch self {
    case .zero: .zero
    case .quantity(let dimension): .quantity(dimension)
    case .percent: .percent
    case .mixed: .mixed
    default: nil
    }
  }
}

/// An operand of the rules: the type of an expression, or its value.
package protocol Operand {
  /// The kind of the operand if it is a number.
  var amount: Amount? { get }
  /// The parts of a pair.
  var parts: (Self, Self)? { get }
  static func pair(_ x: Self, _ y: Self) -> Self
}

extension Type: Operand {
  package var parts: (Type, Type)? { if case .pair(let x, let y) = self { (x, y) } else { nil } }
}

// The rules. The typer applies them to types and evaluation to values, so that both agree.
extension Operator {
  /// Returns the kind of the result for numbers of two kinds, or `nil` if there is no rule.
  ///
  /// For a comparison, the result only says that there is a rule. A division by `zero` has a rule,
  /// but evaluation reports it.
  package func result(of a: Amount, _ b: Amount) -> Amount? {
    switch (self, a, b) {
    case (.multiply, .zero, _), (.multiply, _, .zero), (.divide, .zero, _), (.divide, _, .zero):
      .zero
    case (.multiply, .quantity(let d), .quantity(let e)): .quantity(d.plus(e))
    case (.multiply, .percent, .quantity(let d)), (.multiply, .quantity(let d), .percent):
      d == .none ? .percent : .quantity(d)
    case (.multiply, .percent, .percent): .percent
    case (.multiply, .mixed, .number), (.multiply, .number, .mixed): .mixed

    case (.divide, .quantity(let d), .quantity(let e)): .quantity(d.plus(e, -1))
    case (.divide, .quantity, .percent): a
    case (.divide, .percent, .number): .percent
    case (.divide, .percent, .percent): .number
    case (.divide, .mixed, .number): .mixed
    case (.multiply, _, _), (.divide, _, _): nil

    case (.less, .zero, .mixed), (.less, .mixed, .zero), (.equal, .zero, .mixed),
      (.equal, .mixed, .zero), (.extreme, .zero, .mixed), (.extreme, .mixed, .zero),
      (.modulo, .zero, .percent), (.modulo, .percent, .zero), (.modulo, .zero, .mixed),
      (.modulo, .mixed, .zero):
      nil
    case (.modulo, .zero, .zero), (.extreme, .zero, .zero): .number
    // Zero has the kind of the other operand.
    case (_, .zero, _): b
    case (_, _, .zero): a
    case (_, .quantity(let d), .quantity(let e)): d == e ? a : nil
    case (.modulo, _, _): nil
    case (_, .percent, .percent): .percent
    case (.less, .percent, .number), (.less, .number, .percent), (.equal, .percent, .number),
      (.equal, .number, .percent), (.extreme, .percent, .number), (.extreme, .number, .percent):
      .number
    case (.less, _, _), (.equal, _, _), (.extreme, _, _): nil
    case (.add, _, _), (.subtract, _, _), (.blend, _, _): a.isLength && b.isLength ? .mixed : nil
    }
  }

  /// Applies the rules to two numbers, or part by part to pairs. Returns `nil` if there is no rule.
  ///
  /// - Parameters:
  ///   - part: Applies the operator to the parts of pairs.
  ///   - number: Returns the result of two numbers, of the given kind.
  package func result<T: Operand>(
    _ a: T, _ b: T, part: (T, T) -> T?, number: (T, T, Amount) -> T?
  ) -> T? {
    if let x = a.amount, let y = b.amount { return result(of: x, y).flatMap { number(a, b, $0) } }
    let pairs: ((T, T), (T, T))? =
      switch (a.parts, b.parts) {
      case (let x?, let y?): self == .divide ? nil : (x, y)
      case (let x?, nil): distributes(b.amount) ? (x, (b, b)) : nil
      case (nil, let y?): self != .divide && distributes(a.amount) ? ((a, a), y) : nil
      case (nil, nil): nil
      }
    guard let pairs, let x = part(pairs.0.0, pairs.1.0), let y = part(pairs.0.1, pairs.1.1) else {
      return nil
    }
    return .pair(x, y)
  }

  /// Returns whether a number combines with each part of a pair.
  private func distributes(_ number: Amount?) -> Bool {
    switch self {
    case .multiply, .divide: number != nil
    case .add, .subtract: number == .zero
    case .blend: number != nil && number != .mixed
    case .less, .equal, .extreme, .modulo: false
    }
  }
}
