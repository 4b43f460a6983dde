// SPDX-License-Identifier: MIT
import SceneGraphics

/// The kind of a number: its shape without its value.
package enum Amount: Hashable, Sendable {
  /// The sum of an empty list, which is zero of any kind.
  case zero
  case quantity(Dimension)
  case percent
  /// A number of pixels plus a percentage of a reference length.
  case mixed

  package static let number = Amount.quantity(.none)

  /// Whether the amount can be added to a length: a number, a percentage or their sum.
  fileprivate var isLength: Bool { self == .number || self == .percent || self == .mixed }

  /// The dimension of a quantity; for other kinds, the dimension of plain numbers.
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
  var isPair: Bool { if case .pair = self { true } else { false } }

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

  /// Returns whether the operator combines two operands part by part. An operand that is not a pair
  /// combines with both parts of the pair.
  ///
  /// - Parameter other: The kind of the operand that is not a pair, if it is a number.
  package func combinesPairs(left: Bool, right: Bool, other: Amount?) -> Bool {
    switch (left, right) {
    case (true, true): self != .divide
    case (true, false): distributes(other)
    case (false, true): self != .divide && distributes(other)
    case (false, false): false
    }
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
