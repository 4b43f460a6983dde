// SPDX-License-Identifier: MIT

/// A sequence of subpaths of straight lines and cubic Bézier curves.
public struct Path: Hashable, Sendable, Encodable {
  /// A path command, which starts at the end point of the previous one.
  public enum Element: Hashable, Sendable, Encodable {
    case move(Point)
    case line(Point)
    case cubic(Point, Point, Point)
    case close
  }

  public var elements: [Element]

  public init(_ elements: [Element] = []) { self.elements = elements }

  public var isEmpty: Bool { elements.isEmpty }

  /// Begins a subpath at `p`.
  public mutating func move(_ p: Point) { elements.append(.move(p)) }
  /// Appends a straight line to `p`.
  public mutating func line(_ p: Point) { elements.append(.line(p)) }
  /// Appends a cubic Bézier curve to `p`.
  public mutating func cubic(_ c1: Point, _ c2: Point, to p: Point) {
    elements.append(.cubic(c1, c2, p))
  }
  /// Closes the subpath with a line to its start.
  public mutating func close() { elements.append(.close) }

  /// Appends a quadratic curve, elevated to a cubic one.
  public mutating func quad(from start: Point, _ control: Point, _ end: Point) {
    cubic(start.mixed(with: control, 2 / 3), end.mixed(with: control, 2 / 3), to: end)
  }

  public func transformed(by map: Affine) -> Path {
    Path(
      elements.map { element in
        switch element {
        case .move(let p): .move(map.apply(p))
        case .line(let p): .line(map.apply(p))
        case .cubic(let c1, let c2, let p): .cubic(map.apply(c1), map.apply(c2), map.apply(p))
        case .close: .close
        }
      })
  }

  /// The tight bounding box: from line ends and curve extrema, not control points.
  public var bounds: Rect {
    var points: [Point] = []
    var current = Point.zero
    var start = Point.zero
    for element in elements {
      // A move counts only if something is drawn from it.
      if case .move = element {} else { points.append(current) }
      switch element {
      case .move(let p):
        current = p
        start = p
      case .line(let p):
        points.append(p)
        current = p
      case .cubic(let c1, let c2, let p):
        points.append(p)
        let xs = Cubic.extremes(from: current.x, c1.x, c2.x, to: p.x)
        let ys = Cubic.extremes(from: current.y, c1.y, c2.y, to: p.y)
        let curve = Cubic(from: current, c1, c2, to: p)
        for u in xs + ys { points.append(curve.point(at: u)) }
        current = p
      case .close: current = start
      }
    }
    return Rect(around: points)
  }

  /// The bounding box of all points and control points. Cheaper than `bounds` and never smaller.
  package var controlBounds: Rect {
    var low = Point(.infinity, .infinity)
    var high = Point(-.infinity, -.infinity)
    func cover(_ p: Point) {
      low = Point(min(low.x, p.x), min(low.y, p.y))
      high = Point(max(high.x, p.x), max(high.y, p.y))
    }
    for element in elements {
      switch element {
      case .move(let p), .line(let p): cover(p)
      case .cubic(let c1, let c2, let p):
        cover(c1)
        cover(c2)
        cover(p)
      case .close: break
      }
    }
    return low.x <= high.x
      ? Rect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y) : .empty
  }

  public var isFinite: Bool {
    elements.allSatisfy { element in
      switch element {
      case .move(let p), .line(let p): p.x.isFinite && p.y.isFinite
      case .cubic(let c1, let c2, let p):
        (c1.x + c1.y + c2.x + c2.y + p.x + p.y).isFinite
      case .close: true
      }
    }
  }
}

/// A cubic Bézier curve.
public struct Cubic: Hashable, Sendable {
  public let p0: Point
  public let p1: Point
  public let p2: Point
  public let p3: Point

  public init(from p0: Point, _ p1: Point, _ p2: Point, to p3: Point) {
    self.p0 = p0
    self.p1 = p1
    self.p2 = p2
    self.p3 = p3
  }

  public func point(at u: Double) -> Point {
    let v = 1 - u
    let a = v * v * v
    let b = 3 * v * v * u
    let c = 3 * v * u * u
    let d = u * u * u
    return Point(
      a * p0.x + b * p1.x + c * p2.x + d * p3.x, a * p0.y + b * p1.y + c * p2.y + d * p3.y)
  }

  public func derivative(at u: Double) -> Point {
    let v = 1 - u
    return (p1 - p0) * (3 * v * v) + (p2 - p1) * (6 * v * u) + (p3 - p2) * (3 * u * u)
  }

  /// Returns the part from parameter `low` to `high` (de Casteljau).
  public func part(from low: Double, to high: Double) -> Cubic {
    let left = low == 0 ? self : split(at: low).1
    let u = high == 1 ? 1 : (high - low) / (1 - low)
    return u == 1 ? left : left.split(at: u).0
  }

  public func split(at u: Double) -> (Cubic, Cubic) {
    let a = p0.mixed(with: p1, u)
    let b = p1.mixed(with: p2, u)
    let c = p2.mixed(with: p3, u)
    let ab = a.mixed(with: b, u)
    let bc = b.mixed(with: c, u)
    let middle = ab.mixed(with: bc, u)
    return (Cubic(from: p0, a, ab, to: middle), Cubic(from: middle, bc, c, to: p3))
  }

  /// The arc length, by 16-point Gauss–Legendre quadrature with recursive subdivision of strongly
  /// bent curves.
  public var length: Double { length(depth: 0) }

  private func length(depth: Int) -> Double {
    let chord = p0.distance(to: p3)
    let polygon = p0.distance(to: p1) + p1.distance(to: p2) + p2.distance(to: p3)
    if polygon - chord <= 1e-9 * (1 + polygon) { return (polygon + chord) / 2 }
    if depth < 4, polygon > 1.2 * chord {
      let (a, b) = split(at: 0.5)
      return a.length(depth: depth + 1) + b.length(depth: depth + 1)
    }
    var sum = 0.0
    for (x, w) in Cubic.gauss {
      for u in [0.5 - x / 2, 0.5 + x / 2] {
        let d = derivative(at: u)
        sum += w * Math.hypot(d.x, d.y)
      }
    }
    return sum / 2
  }

  /// Returns the parameter at which the arc length from the start is `distance`, found by
  /// bisection.
  public func parameter(atLength distance: Double, of total: Double) -> Double {
    if distance <= 0 { return 0 }
    if distance >= total { return 1 }
    var low = 0.0
    var high = 1.0
    for _ in 0..<30 {
      let middle = (low + high) / 2
      if split(at: middle).0.length < distance { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// Returns the parameters inside 0…1 where a coordinate has an extremum: the roots of the
  /// derivative.
  static func extremes(from a: Double, _ b: Double, _ c: Double, to d: Double) -> [Double] {
    let low = min(a, d)
    let high = max(a, d)
    if b >= low, b <= high, c >= low, c <= high { return [] }
    let p = -a + 3 * b - 3 * c + d
    let q = 2 * (a - 2 * b + c)
    let r = b - a
    var roots: [Double] = []
    if abs(p) < 1e-12 * (abs(q) + abs(r)) {
      if q != 0 { roots = [-r / q] }
    } else {
      let root = q * q - 4 * p * r
      if root >= 0 {
        let s = root.squareRoot()
        roots = [(-q + s) / (2 * p), (-q - s) / (2 * p)]
      }
    }
    return roots.filter { $0 > 0 && $0 < 1 }
  }

  /// The nodes and weights of 16-point Gauss–Legendre quadrature (Abramowitz and Stegun, table
  /// 25.4).
  private static let gauss: [(Double, Double)] = [
    (0.0950125098376374, 0.1894506104550685), (0.2816035507792589, 0.1826034150449236),
    (0.4580167776572274, 0.1691565193950025), (0.6178762444026438, 0.1495959888165767),
    (0.7554044083550030, 0.1246289712555339), (0.8656312023878318, 0.0951585116824928),
    (0.9445750230732326, 0.0622535239386479), (0.9894009349916499, 0.0271524594117541),
  ]
}
