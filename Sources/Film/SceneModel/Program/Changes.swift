// SPDX-License-Identifier: MIT

/// The intervals in which the values of a program can change.
///
/// A value is constant wherever all its operands are; only `now` always changes. An operation on a
/// value that is linear in time, such as a tween or a jump, is also constant outside its own
/// interval.
package struct Changes: Sendable {
  private var ofNodes: [Stretches] = []
  /// The linear function of time of each node while it changes, if it has one.
  private var lines: [Line?] = []
  private var ofTexts: [Stretches?]
  private var ofPaths: [Stretches?]

  /// Computes the intervals in one pass over the nodes; `life` is the interval in which `now`
  /// advances.
  package init(of program: Program, within life: Range<Int64>) {
    ofTexts = Array(repeating: nil, count: program.texts.count)
    ofPaths = Array(repeating: nil, count: program.paths.count)
    ofNodes.reserveCapacity(program.nodes.count)
    lines.reserveCapacity(program.nodes.count)
    let whole = Stretches(life)
    for node in program.nodes {
      if node.operation == .now {
        ofNodes.append(whole)
        lines.append(.now)
        continue
      }
      let (line, limits) = shape(of: node)
      var stretches = self(node.a)
      stretches.formUnion(self(node.b))
      stretches.formUnion(self(node.c))
      if let limits { stretches = stretches.clamped(to: limits) }
      if let other = inputs(of: node, program) { stretches.formUnion(other) }
      ofNodes.append(stretches)
      lines.append(line)
    }
  }

  /// Returns the intervals in which a scalar can change.
  package func callAsFunction(_ scalar: Scalar) -> Stretches {
    if case .node(let index) = scalar { ofNodes[Int(index)] } else { .none }
  }

  /// Returns the intervals in which any scalar of a part of the model can change.
  package func callAsFunction(_ part: some HoldsScalars) -> Stretches {
    var stretches = Stretches.none
    part.forEachScalar { stretches.formUnion(self($0)) }
    return stretches
  }

  /// Returns the intervals in which an element can change, limited to its lifetime.
  package func inLife(of element: ElementModel) -> Stretches {
    let start = element.start.rawValue
    return self(element).clamped(to: start..<max(start, element.end.rawValue))
  }

  /// Returns the intervals of the inputs that a node reads in addition to its operands; `nil` for a
  /// node without such inputs.
  private mutating func inputs(of node: ProgramNode, _ program: Program) -> Stretches? {
    let index = Int(node.index / 4)
    switch node.operation {
    case .textExtent:
      let made = ofTexts[index] ?? self(program.texts[index])
      ofTexts[index] = made
      return made
    case .pathBox, .pathPoint:
      let made = ofPaths[index] ?? self(program.paths[index])
      ofPaths[index] = made
      return made
    default: return nil
    }
  }

  private func line(of scalar: Scalar) -> Line? {
    if case .node(let index) = scalar { lines[Int(index)] } else { nil }
  }

  /// Returns the linear function of a node, and the interval outside which its operation makes
  /// it constant.
  private func shape(of node: ProgramNode) -> (Line?, limits: Range<Int64>?) {
    let all = -Double.infinity...Double.infinity
    if let line = line(of: node.a), let k = node.b.constantValue {
      let limits: Range<Int64>? =
        switch node.operation {
        case .minimum: line.times(above: all.lowerBound, below: k)
        case .maximum: line.times(above: k, below: all.upperBound)
        case .less: line.jump(at: k, passes: !line.isRising)
        case .lessOrEqual: line.jump(at: k, passes: line.isRising)
        case .progress:
          node.c.constantValue.map { length in
            length > 0
              ? line.times(above: k, below: k + length)
              : line.jump(at: k, passes: !line.isRising)
          }
        default: nil
        }
      return (line.applying(node.operation, k), limits)
    }
    if let k = node.a.constantValue, let line = line(of: node.b) {
      let limits: Range<Int64>? =
        switch node.operation {
        case .minimum: line.times(above: all.lowerBound, below: k)
        case .maximum: line.times(above: k, below: all.upperBound)
        case .less: line.jump(at: k, passes: line.isRising)
        case .lessOrEqual: line.jump(at: k, passes: !line.isRising)
        default: nil
        }
      return (line.applied(to: k, node.operation), limits)
    }
    return (nil, nil)
  }
}
