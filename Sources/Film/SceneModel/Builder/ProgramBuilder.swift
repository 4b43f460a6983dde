// SPDX-License-Identifier: MIT

/// Builds the nodes of a program: folds constants and shares equal nodes.
package struct ProgramBuilder: Sendable {
  package private(set) var program = Program()
  /// A hash table with open addressing that maps a node to its index in `program.nodes`; empty
  /// slots hold -1. At most half of the slots are used. Programs have many nodes, and lookup is the
  /// only operation needed, so this table replaces a `Dictionary`.
  private var places = [Int32](repeating: -1, count: 1024)
  private var easingIndex: [Easing: Int32] = [:]
  private var pathIndex: [PathModel: Int32] = [:]

  package init() {}

  /// Returns the value of an operation: a constant if all operands are constant, else a node.
  package mutating func make(
    _ operation: Operation, a: Scalar = .zero, b: Scalar = .zero, c: Scalar = .zero,
    index: Int32 = 0
  ) -> Scalar {
    if let simpler = simplify(operation, a: a, b: b, c: c, index: index) { return simpler }
    let node = ProgramNode(operation, a: a, b: b, c: c, index: index)
    let place = place(of: node)
    if places[place] >= 0 { return .node(places[place]) }
    let position = Int32(program.nodes.count)
    program.nodes.append(node)
    places[place] = position
    if 2 * program.nodes.count > places.count { makeRoom() }
    return .node(position)
  }

  /// Returns the slot of `node`, or the empty slot where it is to be inserted.
  private func place(of node: ProgramNode) -> Int {
    var place = Int(truncatingIfNeeded: node.digest) & (places.count - 1)
    while places[place] >= 0, program.nodes[Int(places[place])] != node {
      place = (place + 1) & (places.count - 1)
    }
    return place
  }

  private mutating func makeRoom() {
    places = [Int32](repeating: -1, count: 4 * places.count)
    for (position, node) in program.nodes.enumerated() {
      places[place(of: node)] = Int32(position)
    }
  }

  private func simplify(
    _ operation: Operation, a: Scalar, b: Scalar, c: Scalar, index: Int32
  ) -> Scalar? {
    if let x = a.constantValue, let y = b.constantValue, let z = c.constantValue {
      if operation.readsInput { return nil }
      let easing = operation == .ease ? program.easings[Int(index)] : nil
      return .constant(Program.apply(operation, a: x, b: y, c: z, index: index, easing: easing))
    }
    switch operation {
    case .add where a == .zero: return b
    case .add where b == .zero, .subtract where b == .zero: return a
    case .multiply where a == .one: return b
    case .multiply where b == .one, .divide where b == .one: return a
    case .multiply where a == .zero || b == .zero: return .zero
    case .select where a.constantValue != nil: return a == .zero ? c : b
    case .select where b == c: return b
    case .ease where program.easings[Int(index)] == .linear: return a
    default: return nil
    }
  }

  package mutating func add(_ a: Scalar, _ b: Scalar) -> Scalar { make(.add, a: a, b: b) }
  package mutating func subtract(_ a: Scalar, _ b: Scalar) -> Scalar { make(.subtract, a: a, b: b) }
  package mutating func multiply(_ a: Scalar, _ b: Scalar) -> Scalar { make(.multiply, a: a, b: b) }
  package mutating func divide(_ a: Scalar, _ b: Scalar) -> Scalar { make(.divide, a: a, b: b) }
  package mutating func scaled(_ a: Scalar, _ k: Double) -> Scalar {
    make(.multiply, a: a, b: .constant(k))
  }
  package mutating func select(if c: Scalar, then a: Scalar, else b: Scalar) -> Scalar {
    make(.select, a: c, b: a, c: b)
  }

  /// Returns `a + (b - a) * u`, exact at both ends.
  package mutating func mix(_ a: Scalar, _ b: Scalar, at u: Scalar) -> Scalar {
    if a == b { return a }
    let inverse = subtract(.one, u)
    return add(multiply(a, inverse), multiply(b, u))
  }

  package mutating func ease(_ x: Scalar, _ easing: Easing) -> Scalar {
    let index: Int32
    if let known = easingIndex[easing] {
      index = known
    } else {
      index = Int32(program.easings.count)
      program.easings.append(easing)
      easingIndex[easing] = index
    }
    return make(.ease, a: x, index: index)
  }

  /// Adds a text whose extent nodes read (`Operation.textExtent`), or the box of some of its runs.
  /// Returns its index.
  package mutating func register(_ text: TextModel, runs: Range<Int>? = nil) -> Int32 {
    program.texts.append(TextMeasure(text: text, runs: runs))
    return Int32(program.texts.count - 1)
  }

  package mutating func register(_ path: PathModel) -> Int32 {
    if let known = pathIndex[path] { return known }
    let index = Int32(program.paths.count)
    program.paths.append(path)
    pathIndex[path] = index
    return index
  }

  /// Finishes the program: records for each node the interval in which a live element needs it.
  ///
  /// `uses` holds the scalars that drawing reads, each with the lifetime of its element.
  package mutating func finish(uses: [(Scalar, Range<Int64>)]) -> Program {
    var needed = [Range<Int64>](repeating: 0..<0, count: program.nodes.count)
    func use(_ scalar: Scalar, _ life: Range<Int64>) {
      guard case .node(let index) = scalar, !life.isEmpty else { return }
      let held = needed[Int(index)]
      needed[Int(index)] =
        held.isEmpty
        ? life
        : min(held.lowerBound, life.lowerBound)..<max(held.upperBound, life.upperBound)
    }
    for (scalar, life) in uses { use(scalar, life) }
    for index in program.nodes.indices.reversed() {
      let life = needed[index]
      let node = program.nodes[index]
      use(node.a, life)
      use(node.b, life)
      use(node.c, life)
      switch node.operation {
      case .textExtent:
        program.texts[Int(node.index / 4)].forEachScalar { use($0, life) }
      case .pathBox, .pathPoint:
        program.paths[Int(node.index / 4)].forEachScalar { use($0, life) }
      default: break
      }
    }
    program.needed = needed
    return program
  }
}
