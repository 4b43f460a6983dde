// SPDX-License-Identifier: MIT

// The values at the ends of motions, which are known before any frame is computed.
extension ProgramBuilder {
  /// The maximum number of nodes that a search for end values visits.
  private static let mostEnds = 2000

  /// Returns the values of a scalar at the ends of its motions: the value of a constant, or the
  /// values that `a -> b -> c` or keyframes name.
  ///
  /// Values that are computed from a motion, such as `panel.box.width - 40`, have none: the author
  /// may not even see the frames in which they are out of a range.
  package func endValues(of scalar: Scalar) -> [Double] {
    var rest = ProgramBuilder.mostEnds
    return ends(of: scalar, &rest)
  }

  private func ends(of scalar: Scalar, _ rest: inout Int) -> [Double] {
    if let known = scalar.constantValue { return [known] }
    guard rest > 0, let node = node(of: scalar) else { return [] }
    rest -= 1
    switch node.operation {
    case .select:
      return isStage(node) ? ends(of: node.b, &rest) + ends(of: node.c, &rest) : []
    case .add:
      guard let (a, b) = mixed(node) else { return [] }
      return ends(of: a, &rest) + ends(of: b, &rest)
    case .multiply:
      // The motions from and to 0, whose second operand is a share.
      guard let factor = node.a.constantValue else { return [] }
      return unitEnds(of: node.b).map { $0 * factor }
    default: return unitEnds(of: scalar)
    }
  }

  /// Returns the ends of a motion from 0 to 1 or back; empty for other scalars.
  private func unitEnds(of scalar: Scalar) -> [Double] {
    if isProgress(scalar) { return [0, 1] }
    guard let node = node(of: scalar), node.operation == .subtract, node.a == .one,
      isProgress(node.b)
    else { return [] }
    return [1, 0]
  }

  /// Returns the operands of a sum that `mix` made: `a * (1 - u) + b * u`, where a factor of 1 is
  /// omitted; `nil` for other sums.
  private func mixed(_ sum: ProgramNode) -> (Scalar, Scalar)? {
    let (a, inverse) = factors(sum.a) { node(of: $0)?.operation == .subtract }
    let (b, share) = factors(sum.b, isProgress)
    guard let inverse = inverse.flatMap(node(of:)), let share, inverse.a == .one,
      inverse.b == share
    else { return nil }
    return (a, b)
  }

  /// Returns both factors of a product whose second factor satisfies `isShare`. The first is 1 for
  /// any other scalar; the second is then the scalar itself if it satisfies `isShare`, else `nil`.
  private func factors(_ scalar: Scalar, _ isShare: (Scalar) -> Bool) -> (Scalar, Scalar?) {
    if isShare(scalar) { return (.one, scalar) }
    guard let node = node(of: scalar), node.operation == .multiply, isShare(node.b) else {
      return (.one, nil)
    }
    return (node.a, node.b)
  }

  private func isProgress(_ scalar: Scalar) -> Bool {
    guard let node = node(of: scalar) else { return false }
    return node.operation == .progress || node.operation == .ease && isProgress(node.a)
  }

  /// Returns whether a choice is between the stages of a motion, the later one of which begins at a
  /// constant time. Other conditions, such as `x > 1 ? 1 : x`, may exclude the ends of a motion.
  private func isStage(_ choice: ProgramNode) -> Bool {
    guard let reached = node(of: choice.a) else { return false }
    return reached.operation == .lessOrEqual && reached.a.constantValue != nil && isClock(reached.b)
  }

  /// Returns whether a scalar is the current time, possibly shifted or scaled.
  private func isClock(_ scalar: Scalar) -> Bool {
    guard let node = node(of: scalar) else { return false }
    switch node.operation {
    case .now: return true
    case .add, .subtract, .multiply, .divide:
      return node.b.constantValue != nil && isClock(node.a)
        || node.a.constantValue != nil && isClock(node.b)
    default: return false
    }
  }

  private func node(of scalar: Scalar) -> ProgramNode? {
    guard case .node(let index) = scalar else { return nil }
    return program.nodes[Int(index)]
  }
}
