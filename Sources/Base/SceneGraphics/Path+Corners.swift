// SPDX-License-Identifier: MIT

/// A corner shaped as a quarter of a superellipse, |x|ⁿ + |y|ⁿ = 1; lengths are in pixels.
///
/// The curvature rises from 0 at the sides to its maximum in the middle, where the curve passes
/// through the midpoint of an arc of `radius`.
struct SmoothCorner {
  /// The length of each side that the corner takes, measured from the vertex.
  let reach: Double
  private let exponent: Double
  /// The turning angle at the end of the first cubic, in degrees.
  private static let first = 25.0

  /// Creates a corner. With a smoothing of 0 it is an arc of `radius`; with 1 it takes twice the
  /// length of the sides.
  init(radius: Double, smoothing: Double) {
    reach = (1 + smoothing) * radius
    // The midpoint of the curve has x = y = 2^(-1/n), and the same distance from the vertex as the
    // midpoint of the arc.
    let distance = radius * (1 - Double(0.5).squareRoot())
    exponent = -Math.log(2) / Math.log(1 - distance / reach)
  }

  /// A cubic from the end of the previous one: its control points and its end.
  struct Curve {
    let leaving: Point
    let arriving: Point
    let end: Point
  }

  /// The cubics from the first side to the second. Coordinates are distances from the vertex: x
  /// backward along the first side, y forward along the second.
  var curves: [Curve] {
    let entry = entry
    let leave = Curve(
      leaving: entry.handles.1.swapped, arriving: entry.handles.0.swapped, end: Point(0, reach))
    return [
      Curve(leaving: entry.handles.0, arriving: entry.handles.1, end: entry.end),
      middle(SmoothCorner.first, 45),
      middle(45, 90 - SmoothCorner.first), leave,
    ]
  }

  /// The cubic that leaves the first side with zero curvature and ends with the curvature of the
  /// superellipse.
  private var entry: (handles: (Point, Point), end: Point) {
    let degrees = SmoothCorner.first
    let end = point(degrees)
    let u = direction(degrees)
    // Both control points lie on the side; the second is where the end tangent meets it.
    let meeting = Point(end.x - u.x * (end.y / u.y), 0)
    let way = Math.hypot(end.x - meeting.x, end.y)
    // The end curvature of a cubic is 2/3 of the distance from the far control point to the end
    // tangent, divided by the squared length of the near handle.
    let rest = 1.5 * curvature(degrees) * way * way / Math.sinDegrees(degrees)
    return ((Point(meeting.x + rest, 0), meeting), end)
  }

  /// Returns a cubic between two points of the curve whose midpoint is also on the curve. Both
  /// handles are the same fraction of the distance to the intersection of the tangents.
  private func middle(_ from: Double, _ to: Double) -> Curve {
    let (a, b) = (point(from), point(to))
    let (u, v, d) = (direction(from), direction(to), b - a)
    let meeting = a + u * ((d.x * v.y - d.y * v.x) / (u.x * v.y - u.y * v.x))
    let center = (a + b) * 0.5
    let (way, rise) = (meeting - center, point((from + to) / 2) - center)
    let share = 4.0 / 3 * (way.x * rise.x + way.y * rise.y) / (way.x * way.x + way.y * way.y)
    return Curve(leaving: a + (meeting - a) * share, arriving: b + (meeting - b) * share, end: b)
  }

  /// Returns the point of the unit superellipse where the curve has turned by `degrees`.
  private func unit(_ degrees: Double) -> Point {
    let (s, c) = (Math.sinDegrees(degrees), Math.cosDegrees(degrees))
    let dual = exponent / (exponent - 1)
    let norm = Math.pow(Math.pow(s, dual) + Math.pow(c, dual), 1 / exponent)
    let power = 1 / (exponent - 1)
    return Point(Math.pow(s, power) / norm, Math.pow(c, power) / norm)
  }

  private func point(_ degrees: Double) -> Point {
    let p = unit(degrees)
    return Point(reach * (1 - p.x), reach * (1 - p.y))
  }

  private func direction(_ degrees: Double) -> Point {
    Point(-Math.cosDegrees(degrees), Math.sinDegrees(degrees))
  }

  /// Returns the curvature of the implicit curve, in 1/pixels.
  private func curvature(_ degrees: Double) -> Double {
    let (p, n) = (unit(degrees), exponent)
    let slope = Math.pow(p.x, 2 * n - 2) + Math.pow(p.y, 2 * n - 2)
    return (n - 1) * Math.pow(p.x * p.y, n - 2) / (Math.pow(slope, 1.5) * reach)
  }
}

extension Point {
  fileprivate var swapped: Point { Point(y, x) }
}

extension Path {
  /// Appends a corner at the vertex of two sides, whose directions are unit vectors.
  mutating func append(
    _ corner: SmoothCorner, at meeting: Point, along u: Point, then v: Point
  ) {
    func placed(_ p: Point) -> Point { meeting - u * p.x + v * p.y }
    for curve in corner.curves {
      elements.append(
        .cubic(placed(curve.leaving), placed(curve.arriving), placed(curve.end)))
    }
  }
}
