// SPDX-License-Identifier: MIT

extension Program {
  /// For each node the times between which its value may change; empty when it never does.
  ///
  /// A node whose inputs all rest outside a time rests too; only `now` itself never rests.
  package func changes(within life: Range<Int64>) -> [Range<Int64>] {
    var list: [Range<Int64>] = []
    list.reserveCapacity(nodes.count)
    func hull(_ a: Range<Int64>, _ b: Range<Int64>) -> Range<Int64> {
      if a.isEmpty { return b }
      if b.isEmpty { return a }
      return min(a.lowerBound, b.lowerBound)..<max(a.upperBound, b.upperBound)
    }
    func change(_ s: Scalar) -> Range<Int64> {
      if case .node(let index) = s { return list[Int(index)] }
      return 0..<0
    }
    /// Held within what tens of thousands of years need.
    func whole(_ ticks: Double) -> Int64 { Int64(max(-1e18, min(1e18, ticks.isNaN ? 0 : ticks))) }
    for node in nodes {
      var range = hull(change(node.a), hull(change(node.b), change(node.c)))
      switch node.operation {
      case .now: range = life
      case .textExtent:
        texts[Int(node.index / 4)].forEachScalar { range = hull(range, change($0)) }
      case .pathBox, .pathPoint:
        paths[Int(node.index / 4)].forEachScalar { range = hull(range, change($0)) }
      case .progress:
        // Held outside its own time, when it reads the clock itself.
        if case .node(let index) = node.a, nodes[Int(index)].operation == .now,
          let from = node.b.constantValue, let length = node.c.constantValue
        {
          let start = whole(from.rounded(.down))
          let end = whole((from + max(0, length)).rounded(.up)) + 1
          range = range.clamped(to: start..<max(start, end))
        }
      case .lessOrEqual, .less:
        // A jump at one instant.
        if case .node(let index) = node.b, nodes[Int(index)].operation == .now,
          let at = node.a.constantValue
        {
          let instant = whole(at.rounded(.down))
          range = range.clamped(to: instant..<(instant + 2))
        }
      default: break
      }
      list.append(range)
    }
    return list
  }
}

extension ElementModel {
  /// The time in which a property of the element changes while it lives; `nil` when none does.
  package func changes(in program: Program) -> (Ticks, Ticks)? {
    let life = start.rawValue..<max(start.rawValue, end.rawValue)
    let nodes = program.changes(within: life)
    var range = 0..<Int64(0)
    forEachScalar { scalar in
      guard case .node(let index) = scalar else { return }
      let it = nodes[Int(index)].clamped(to: life)
      if it.isEmpty { return }
      range =
        range.isEmpty
        ? it : min(range.lowerBound, it.lowerBound)..<max(range.upperBound, it.upperBound)
    }
    return range.isEmpty ? nil : (Ticks(range.lowerBound), Ticks(range.upperBound))
  }
}
