// SPDX-License-Identifier: MIT
import SceneGraphics

// Conversion of outlines to the nonzero rule, which all outlines of scenes follow.
extension Path {
  private static let mostEdges = 3000
  private static let linesOfCurve = 12

  /// A path with the same area by the nonzero rule as this one by the even-odd rule. The direction
  /// of each part depends on the number of parts that enclose it. `nil` if parts cross or the path
  /// has too many edges.
  var woundForNonzero: Path? {
    let parts = subpaths
    let rings = parts.map(\.corners)
    guard rings.reduce(0, { $0 + $1.count }) <= Path.mostEdges, !Path.cross(rings) else {
      return nil
    }
    var result = Path()
    for (index, part) in parts.enumerated() {
      let ring = rings[index]
      guard ring.count > 2 else { continue }
      let probe = ring[0].mixed(with: ring[1], 0.5)
      let depth = rings.indices.count { $0 != index && Path.contains(rings[$0], probe) }
      let runsForward = Path.area(ring) > 0
      result.elements += (runsForward == (depth % 2 == 0) ? part : part.reversedRing).elements
    }
    return result
  }

  private var subpaths: [Path] {
    var list: [Path] = []
    for element in elements {
      if case .move = element { list.append(Path()) }
      if !list.isEmpty { list[list.count - 1].elements.append(element) }
    }
    return list
  }

  /// The corners of one part, with curves approximated by lines and without consecutive duplicates.
  private var corners: [Point] {
    var points: [Point] = []
    func add(_ p: Point, to points: inout [Point]) { if points.last != p { points.append(p) } }
    for element in elements {
      switch element {
      case .move(let p), .line(let p): add(p, to: &points)
      case .cubic(let a, let b, let p):
        let curve = Cubic(from: points.last ?? p, a, b, to: p)
        for step in 1..<Path.linesOfCurve {
          add(curve.point(at: Double(step) / Double(Path.linesOfCurve)), to: &points)
        }
        add(p, to: &points)
      case .close: break
      }
    }
    if points.count > 1, points.first == points.last { points.removeLast() }
    return points
  }

  /// One part in reverse direction, closed.
  private var reversedRing: Path {
    var points: [Point] = []
    var steps: [(Point, Point)?] = []
    for element in elements {
      switch element {
      case .move(let p): points.append(p)
      case .line(let p):
        points.append(p)
        steps.append(nil)
      case .cubic(let a, let b, let p):
        points.append(p)
        steps.append((a, b))
      case .close: break
      }
    }
    var result = Path()
    guard let last = points.last else { return result }
    result.move(last)
    for index in steps.indices.reversed() {
      if let (a, b) = steps[index] {
        result.cubic(b, a, to: points[index])
      } else {
        result.line(points[index])
      }
    }
    result.close()
    return result
  }

  private static func area(_ ring: [Point]) -> Double {
    ring.indices.reduce(0) { sum, index in
      let (p, q) = (ring[index], ring[(index + 1) % ring.count])
      return sum + p.x * q.y - q.x * p.y
    }
  }

  private static func contains(_ ring: [Point], _ p: Point) -> Bool {
    var isInside = false
    for index in ring.indices {
      let (a, b) = (ring[index], ring[(index + 1) % ring.count])
      if (a.y > p.y) != (b.y > p.y), p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
        isInside.toggle()
      }
    }
    return isInside
  }

  /// Returns whether any edges cross, within a part or between parts.
  private static func cross(_ rings: [[Point]]) -> Bool {
    var edges: [(a: Point, b: Point)] = []
    for ring in rings where ring.count > 2 {
      for index in ring.indices { edges.append((ring[index], ring[(index + 1) % ring.count])) }
    }
    edges.sort { min($0.a.x, $0.b.x) < min($1.a.x, $1.b.x) }
    func side(from a: Point, to b: Point, of p: Point) -> Double {
      (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)
    }
    for (index, first) in edges.enumerated() {
      let end = max(first.a.x, first.b.x)
      for second in edges[(index + 1)...] {
        if min(second.a.x, second.b.x) > end { break }
        let d1 =
          side(from: first.a, to: first.b, of: second.a)
          * side(from: first.a, to: first.b, of: second.b)
        let d2 =
          side(from: second.a, to: second.b, of: first.a)
          * side(from: second.a, to: second.b, of: first.b)
        if d1 < 0, d2 < 0 { return true }
      }
    }
    return false
  }
}
