// SPDX-License-Identifier: MIT
package import SceneGraphics
import SceneIR

/// A plane of a space, as the eye sees it.
struct DepthPlane {
  /// The ops in the coordinates of the plane.
  let ops: [DrawOp]
  /// The box that contains everything that the ops draw, in the coordinates of the plane.
  let bounds: Rect
  /// The map to the coordinates of the eye.
  let map: SpaceMap
  private let projection: Projection
  /// The visible part, with a depth.
  let polygon: DepthPolygon

  /// Creates the plane with the ops inside `bounds`. `map` maps the plane to the eye's coordinates.
  ///
  /// Returns `nil` if the plane is behind the eye or is seen edge-on.
  init?(_ ops: [DrawOp], bounds: Rect, under map: SpaceMap) {
    projection = map.projection
    guard projection.isFinite, let polygon = DepthPolygon(bounds, under: map) else { return nil }
    self.ops = ops
    self.bounds = bounds
    self.map = map
    self.polygon = polygon
  }

  /// Returns the ops in the coordinates of the eye. `part` is the visible fragment of a plane that
  /// other planes cut.
  func projected(_ part: DepthPolygon? = nil) -> [DrawOp] {
    let body = ops.projected(by: projection)
    guard let part else { return body }
    return [.clipped(.path(part.outline), body: body)]
  }
}

/// A convex polygon whose points have a depth, after the projection.
package struct DepthPolygon {
  /// A point on the screen and its depth. Larger depths are nearer to the eye.
  package struct Corner {
    package let point: Point
    package let depth: Double
    /// Whether the edge from this corner to the next one is a cut.
    var beginsCut = false
  }

  /// Planes that are thinner than this on the screen are seen edge-on, in pixels.
  private static let thinnest = 0.02

  package let corners: [Corner]
  /// The depth as a function of the point: `x·a + y·b + c`.
  private let slope: Point
  private let level: Double
  let bounds: Rect
  /// Whether the corners run clockwise on the screen.
  private let isClockwise: Bool

  private init(_ corners: [Corner], slope: Point, level: Double) {
    self.corners = corners
    self.slope = slope
    self.level = level
    let points = corners.map(\.point)
    bounds = Rect(around: points)
    isClockwise = DepthPolygon.area(points) > 0
  }

  /// Creates the polygon of the part of a rectangle that is in front of the eye; `nil` if nothing
  /// of it is visible.
  package init?(_ rect: Rect, under map: SpaceMap) {
    let corners = map.projection.visible(rect).map { point in
      let p = map.apply(point)
      return Corner(point: Point(p.x / p.w, p.y / p.w), depth: p.z / p.w)
    }
    guard corners.count > 2 else { return nil }
    let longest = corners.indices.max {
      DepthPolygon.side($0, corners) < DepthPolygon.side($1, corners)
    }
    guard let longest else { return nil }
    let (a, b) = (corners[longest], corners[(longest + 1) % corners.count])
    let way = b.point - a.point
    let length = Math.hypot(way.x, way.y)
    guard length > DepthPolygon.thinnest else { return nil }
    // The corner that is farthest from the longest side gives the slope of the plane with it.
    func distance(_ p: Point) -> Double {
      ((p.x - a.point.x) * way.y - (p.y - a.point.y) * way.x) / length
    }
    guard let far = corners.max(by: { abs(distance($0.point)) < abs(distance($1.point)) }),
      abs(distance(far.point)) > DepthPolygon.thinnest
    else { return nil }
    let (u, v) = (way, far.point - a.point)
    let area = u.x * v.y - u.y * v.x
    let (du, dv) = (b.depth - a.depth, far.depth - a.depth)
    let slope = Point((du * v.y - dv * u.y) / area, (dv * u.x - du * v.x) / area)
    self.init(
      corners, slope: slope, level: a.depth - slope.x * a.point.x - slope.y * a.point.y)
  }

  private static func side(_ index: Int, _ corners: [Corner]) -> Double {
    corners[index].point.distance(to: corners[(index + 1) % corners.count].point)
  }

  /// Returns the depth of the polygon's plane at a point of the screen.
  package func depth(at p: Point) -> Double { slope.x * p.x + slope.y * p.y + level }

  /// The depth at the center.
  var middleDepth: Double { corners.map(\.depth).reduce(0, +) / Double(corners.count) }

  /// Returns whether the bounding boxes of two polygons overlap.
  func mayOverlap(_ other: DepthPolygon) -> Bool {
    bounds.x < other.bounds.maxX && other.bounds.x < bounds.maxX
      && bounds.y < other.bounds.maxY && other.bounds.y < bounds.maxY
  }

  /// Working memory for the common parts of polygons.
  struct Scratch {
    /// The corners of the last common part; empty if there is none.
    fileprivate(set) var points: [Point] = []
    fileprivate var next: [Point] = []
  }

  /// Computes the common part of two polygons on the screen (Sutherland and Hodgman 1974). Called
  /// for every pair of polygons, so nothing is allocated.
  func overlap(with other: DepthPolygon, _ scratch: inout Scratch) {
    scratch.points.removeAll(keepingCapacity: true)
    guard var a = other.corners.last?.point else { return }
    for corner in corners { scratch.points.append(corner.point) }
    let sign = other.isClockwise ? 1.0 : -1
    for corner in other.corners {
      let b = corner.point
      let (x, y) = (sign * (b.x - a.x), sign * (b.y - a.y))
      guard var last = scratch.points.last else { return }
      var before = x * (last.y - a.y) - y * (last.x - a.x)
      scratch.next.removeAll(keepingCapacity: true)
      for point in scratch.points {
        let now = x * (point.y - a.y) - y * (point.x - a.x)
        if (before < 0) != (now < 0) {
          scratch.next.append(last.mixed(with: point, before / (before - now)))
        }
        if now >= 0 { scratch.next.append(point) }
        (last, before) = (point, now)
      }
      swap(&scratch.points, &scratch.next)
      a = b
    }
  }

  /// Returns twice the area of a polygon, positive if it runs clockwise on the screen.
  static func area(_ points: [Point]) -> Double {
    guard let last = points.last else { return 0 }
    var sum = 0.0
    var before = last
    for point in points {
      sum += before.x * point.y - point.x * before.y
      before = point
    }
    return sum
  }

  /// Returns the parts in front of another polygon's plane and behind it; `nil` for an empty part.
  func split(by other: DepthPolygon) -> (front: DepthPolygon?, back: DepthPolygon?) {
    (part { depth(at: $0) - other.depth(at: $0) }, part { other.depth(at: $0) - depth(at: $0) })
  }

  /// Returns the part in which an affine function is positive.
  private func part(_ function: (Point) -> Double) -> DepthPolygon? {
    var kept: [Corner] = []
    for (a, b) in zip(corners, corners.dropFirst() + [corners[0]]) {
      let (before, after) = (function(a.point), function(b.point))
      if before >= 0 { kept.append(a) }
      guard (before < 0) != (after < 0) else { continue }
      let point = a.point.mixed(with: b.point, before / (before - after))
      // The polygon is left here, and continues along the cut.
      let cut = Corner(
        point: point, depth: depth(at: point), beginsCut: before >= 0 ? true : a.beginsCut)
      kept.append(cut)
    }
    guard kept.count > 2, abs(DepthPolygon.area(kept.map(\.point))) > 1e-6 else { return nil }
    return DepthPolygon(kept, slope: slope, level: level)
  }

  /// The outline as a clip: cuts extend by half a pixel, so that no seam shows between two
  /// fragments, and other edges by more, so that they do not clip the drawing.
  var outline: Path {
    let sign = isClockwise ? 1.0 : -1
    let edges = zip(corners, corners.dropFirst() + [corners[0]])
      .filter { $0.point.distance(to: $1.point) > 1e-6 }
      .map { a, b -> (normal: Point, distance: Double) in
        let way = b.point - a.point
        let length = Math.hypot(way.x, way.y)
        let normal = Point(sign * way.y / length, -sign * way.x / length)
        let reach = a.beginsCut ? 0.5 : 4
        return (normal, normal.x * a.point.x + normal.y * a.point.y + reach)
      }
    var path = Path()
    for (p, q) in zip(edges, edges.dropFirst() + edges.prefix(1)) {
      let determinant = p.normal.x * q.normal.y - p.normal.y * q.normal.x
      guard abs(determinant) > 1e-9 else { continue }
      let corner = Point(
        (p.distance * q.normal.y - q.distance * p.normal.y) / determinant,
        (p.normal.x * q.distance - q.normal.x * p.distance) / determinant)
      if path.isEmpty { path.move(corner) } else { path.line(corner) }
    }
    path.close()
    return path
  }
}
