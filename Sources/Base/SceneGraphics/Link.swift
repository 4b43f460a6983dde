// SPDX-License-Identifier: MIT

/// The geometry of an arrow between two points or outlines.
package enum Link {
  /// The route of an arrow.
  package enum Route: String, Hashable, Sendable, Encodable, CaseIterable {
    case straight, curve, elbow
  }

  /// The shape of an arrowhead.
  package enum Head: String, Hashable, Sendable, Encodable, CaseIterable {
    case none, triangle, open, circle, bar
  }

  /// The start or end of an arrow.
  package enum End: Hashable, Sendable {
    case point(Point)
    /// An outline; the line starts where it leaves the outline.
    case outline(Path, center: Point)

    var center: Point {
      switch self {
      case .point(let p): p
      case .outline(_, let center): center
      }
    }

    var box: Rect {
      switch self {
      case .point(let p): Rect(x: p.x, y: p.y, width: 0, height: 0)
      case .outline(let path, _): path.controlBounds
      }
    }
  }

  /// Returns the path between two ends; `gap` is the distance to an outline in pixels.
  ///
  /// A straight route runs from center to center. A curve or an elbow leaves and arrives along the
  /// axis on which the ends are further apart.
  package static func path(from: End, to: End, gap: Double, route: Route) -> Path {
    let a = from.center
    let b = to.center
    guard route != .straight else {
      let start = leave(from, toward: b, gap)
      let end = leave(to, toward: a, gap)
      // Overlapping ends have no line between them.
      let way = end - start
      let whole = b - a
      if way.x * whole.x + way.y * whole.y <= 0 { return Path() }
      return Path([.move(start), .line(end)])
    }
    let (p, q) = (from.box, to.box)
    let apartX = max(q.x - p.maxX, p.x - q.maxX)
    let apartY = max(q.y - p.maxY, p.y - q.maxY)
    let isHorizontal = apartX >= apartY
    let far = 1e5
    let toward =
      isHorizontal ? Point(b.x >= a.x ? far : -far, 0) : Point(0, b.y >= a.y ? far : -far)
    let start = leave(from, toward: a + toward, gap)
    let end = leave(to, toward: b - toward, gap)
    let middle = start.mixed(with: end, 0.5)
    let first = isHorizontal ? Point(middle.x, start.y) : Point(start.x, middle.y)
    let second = isHorizontal ? Point(middle.x, end.y) : Point(end.x, middle.y)
    if route == .curve { return Path([.move(start), .cubic(first, second, end)]) }
    if first == second || start.distance(to: first) < 1e-9 {
      return Path([.move(start), .line(end)])
    }
    return Path([.move(start), .line(first), .line(second), .line(end)])
  }

  /// Returns the point where a line from the center of an end to `target` leaves the outline.
  private static func leave(_ end: End, toward target: Point, _ gap: Double) -> Point {
    guard case .outline(let path, let center) = end else { return end.center }
    let way = target - center
    let length = Math.hypot(way.x, way.y)
    guard length > 0 else { return center }
    let last = crossings(from: center, to: target, with: path).max() ?? 0
    return center + way * (last + gap / length)
  }

  /// Returns the fractions of the line from `a` to `b` at which it crosses a path.
  private static func crossings(from a: Point, to b: Point, with path: Path) -> [Double] {
    var shares: [Double] = []
    let d = b - a
    func cross(_ p: Point, _ q: Point) {
      let e = q - p
      let determinant = d.x * e.y - d.y * e.x
      guard abs(determinant) > 1e-12 else { return }
      let r = p - a
      let t = (r.x * e.y - r.y * e.x) / determinant
      let u = (r.x * d.y - r.y * d.x) / determinant
      if t >= 0, t <= 1, u >= -1e-9, u <= 1 + 1e-9 { shares.append(t) }
    }
    var current = Point.zero
    var first = Point.zero
    for element in path.elements {
      switch element {
      case .move(let p):
        current = p
        first = p
      case .line(let p):
        cross(current, p)
        current = p
      case .cubic(let c1, let c2, let p):
        let curve = Cubic(from: current, c1, c2, to: p)
        let steps = 64
        var last = current
        for step in 1...steps {
          let next = curve.point(at: Double(step) / Double(steps))
          cross(last, next)
          last = next
        }
        current = p
      case .close:
        cross(current, first)
        current = first
      }
    }
    return shares
  }

  /// Returns the parts of an arrow: its shaft, shortened under its heads, and the heads.
  ///
  /// Heads scale with the stroke `width`. An open head is a line as well.
  package static func arrow(_ path: Path, width: Double, head: Head, tail: Head) -> Arrow {
    let length = path.length
    guard length > 0 else { return Arrow(shaft: path, heads: []) }
    let wanted = width * 3 + 6
    let count = (head == .none ? 0.0 : 1) + (tail == .none ? 0.0 : 1)
    let size = count > 0 ? min(wanted, length * 0.9 / count) : 0
    var arrow = Arrow(shaft: path, heads: [])
    let cut = (from: covered(tail, size) / length, to: 1 - covered(head, size) / length)
    arrow.tailLength = cut.from * length
    if cut.from > 0 || cut.to < 1 { arrow.shaft = path.trimmed(from: cut.from, to: cut.to) }
    func add(_ kind: Head, tip: Double, back: Double) {
      guard kind != .none, let p = path.location(at: tip), let q = path.location(at: back) else {
        return
      }
      arrow.heads.append((kind, shape(kind, tip: p.point, back: q.point, size)))
    }
    add(head, tip: 1, back: 1 - size / length)
    add(tail, tip: 0, back: size / length)
    return arrow
  }

  /// The outlines of an arrow: its shaft and its heads.
  package struct Arrow {
    package var shaft: Path
    package var heads: [(kind: Head, path: Path)]
    /// The length at the start of the path that the tail covers.
    package var tailLength = 0.0
  }

  /// Returns the length of the shaft that a head covers.
  private static func covered(_ head: Head, _ size: Double) -> Double {
    switch head {
    case .triangle: size * 0.7
    case .circle: size * 0.4
    case .none, .open, .bar: 0
    }
  }

  private static func shape(_ kind: Head, tip: Point, back: Point, _ size: Double) -> Path {
    let d = tip - back
    let length = max(1e-9, Math.hypot(d.x, d.y))
    let along = d * (1 / length)
    let across = Point(-along.y, along.x)
    let base = tip - along * size
    switch kind {
    case .none: return Path()
    case .triangle:
      let half = across * (size * 0.45)
      return Path([.move(tip), .line(base + half), .line(base - half), .close])
    case .open:
      let half = across * (size * 0.5)
      return Path([.move(base + half), .line(tip), .line(base - half)])
    case .circle:
      let radius = size * 0.35
      return .ellipse(center: tip - along * radius, radius, radius)
    case .bar:
      let half = across * (size * 0.5)
      return Path([.move(tip + half), .line(tip - half)])
    }
  }
}
