// SPDX-License-Identifier: MIT

extension Path {
  /// Returns the path as a projection shows it, without the parts that are behind the eye or far
  /// outside the frame. A subpath that is cut is closed along the cut, unless `isLine`: the
  /// path of a stroke ends at the cut.
  ///
  /// Lines stay lines. A projected cubic is a rational cubic, which is approximated by cubics with
  /// an error of at most 1/50 px.
  package func projected(by projection: Projection, isLine: Bool = false) -> Path {
    if let map = projection.affine { return transformed(by: map) }
    var writer = ProjectedPath(projection, isLine: isLine)
    for element in elements { writer.add(element) }
    writer.endSubpath()
    return writer.path
  }
}

/// The construction of a projected path.
private struct ProjectedPath {
  /// A point with its weight, before the division by it.
  typealias Homogeneous = SIMD3<Double>

  private static let tolerance = 0.02
  private static let deepest = 8

  let projection: Projection
  private let isLine: Bool
  private(set) var path = Path()
  private var start = Point.zero
  private var last = Point.zero
  private var subpath: [Path.Element] = []

  init(_ projection: Projection, isLine: Bool) {
    self.projection = projection
    self.isLine = isLine
  }

  mutating func add(_ element: Path.Element) {
    if case .move = element { endSubpath() }
    if subpath.isEmpty, case .move = element {
    } else if subpath.isEmpty {
      subpath = [.move(start)]
    }
    subpath.append(element)
    switch element {
    case .move(let p): start = p
    case .line, .cubic: break
    case .close: endSubpath()
    }
  }

  mutating func endSubpath() {
    defer { subpath = [] }
    guard subpath.count > 1 else { return }
    let isVisible = subpath.allSatisfy { element in
      switch element {
      case .move(let p), .line(let p): projection.isDrawable(p)
      case .cubic(let a, let b, let p): [a, b, p].allSatisfy(projection.isDrawable)
      case .close: true
      }
    }
    if isVisible { addVisible() } else { addClipped() }
  }

  private mutating func addVisible() {
    for element in subpath {
      switch element {
      case .move(let p):
        path.move(projection.apply(p))
        last = p
      case .line(let p):
        path.line(projection.apply(p))
        last = p
      case .cubic(let a, let b, let p):
        addCurve([lifted(last), lifted(a), lifted(b), lifted(p)], depth: 0)
        last = p
      case .close: path.close()
      }
    }
  }

  private func lifted(_ p: Point) -> Homogeneous {
    let q = projection
    return [q.a * p.x + q.c * p.y + q.e, q.b * p.x + q.d * p.y + q.f, q.weight(at: p)]
  }

  private func point(_ h: Homogeneous) -> Point { Point(h.x / h.z, h.y / h.z) }

  private mutating func addCurve(_ c: [Homogeneous], depth: Int) {
    let (p0, p3) = (point(c[0]), point(c[3]))
    // The tangents of a rational cubic at its ends.
    let out = (c[1] * c[0].z - c[0] * c[1].z) / (c[0].z * c[0].z)
    let back = (c[3] * c[2].z - c[2] * c[3].z) / (c[3].z * c[3].z)
    let cubic = Cubic(
      from: p0, Point(p0.x + out.x, p0.y + out.y), Point(p3.x - back.x, p3.y - back.y), to: p3)
    let isClose = [0.25, 0.5, 0.75].allSatisfy { u in
      let v = 1 - u
      let exact =
        c[0] * (v * v * v) + c[1] * (3 * v * v * u) + c[2] * (3 * v * u * u) + c[3] * (u * u * u)
      return point(exact).distance(to: cubic.point(at: u)) < ProjectedPath.tolerance
    }
    if isClose || depth == ProjectedPath.deepest {
      return path.cubic(cubic.p1, cubic.p2, to: cubic.p3)
    }
    let (a, b, d) = ((c[0] + c[1]) / 2, (c[1] + c[2]) / 2, (c[2] + c[3]) / 2)
    let (e, f) = ((a + b) / 2, (b + d) / 2)
    let middle = (e + f) / 2
    addCurve([c[0], a, e, middle], depth: depth + 1)
    addCurve([middle, f, d, c[3]], depth: depth + 1)
  }

  /// Adds the drawable part of the subpath as polygons or lines.
  private mutating func addClipped() {
    var points: [Point] = []
    for element in subpath {
      switch element {
      case .move(let p), .line(let p): points.append(p)
      case .cubic(let a, let b, let p):
        let curve = Cubic(from: points.last ?? p, a, b, to: p)
        points += (1...64).map { curve.point(at: Double($0) / 64) }
      case .close: if isLine, let first = points.first { points.append(first) }
      }
    }
    if isLine {
      for part in projection.visible(line: points) { add(part) }
    } else {
      let visible = projection.visible(points)
      guard visible.count > 2 else { return }
      add(visible)
      path.close()
    }
  }

  private mutating func add(_ points: [Point]) {
    for (index, point) in points.enumerated() {
      let seen = projection.apply(point)
      if index == 0 { path.move(seen) } else { path.line(seen) }
    }
  }
}
