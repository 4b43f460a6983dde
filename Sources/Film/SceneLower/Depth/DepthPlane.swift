// SPDX-License-Identifier: MIT
package import SceneGraphics
import SceneIR

/// A plane of a space, as the eye sees it.
struct DepthPlane {
  /// The ops in the coordinates of the plane.
  private var ops: [DrawOp]
  /// The box that contains everything that the ops draw, in the coordinates of the plane.
  private var bounds: Rect
  /// The map to the coordinates of the eye; `nil` if the ops are in these coordinates.
  let map: SpaceMap?
  /// Whether the ops are an image that already has the blur of its contents.
  let isBlurred: Bool
  /// The polygon of ops in the coordinates of the eye.
  private let shown: DepthPolygon?

  /// Creates the plane with the ops inside `bounds`. `map` maps the plane to the eye's coordinates.
  init(_ ops: [DrawOp], bounds: Rect, under map: SpaceMap, isBlurred: Bool = false) {
    (self.ops, self.bounds, self.map, shown) = (ops, bounds, map, nil)
    self.isBlurred = isBlurred
  }

  /// Creates a plane of the screen with ops in the coordinates of the eye, at a depth. Returns
  /// `nil` if nothing is visible.
  init?(_ ops: [DrawOp], seenAt depth: Double, bounds: Rect) {
    guard let polygon = DepthPolygon(bounds, at: depth) else { return nil }
    (self.ops, self.bounds, map, shown) = (ops, bounds, nil, polygon)
    isBlurred = true
  }

  mutating func add(_ more: [DrawOp], bounds box: Rect) {
    ops += more
    bounds = bounds.union(box)
  }

  /// The visible part, with a depth; `nil` if the plane is behind the eye or is seen edge-on.
  var polygon: DepthPolygon? {
    guard let map else { return shown }
    return map.projection.isFinite ? DepthPolygon(bounds, under: map) : nil
  }

  /// The ops in the coordinates of the eye.
  var projected: [DrawOp] { map.map { ops.projected(by: $0.projection) } ?? ops }
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

  /// The thickness on the screen, in pixels, below which planes are seen edge-on.
  private static let thinnest = 0.02

  package let corners: [Corner]
  /// The depth as a function of the point.
  private let plane: AffineFunction
  /// The perspective divided by the distance from the eye, as a function of the point.
  let nearness: AffineFunction
  let bounds: Rect
  /// Whether the corners run clockwise on the screen.
  private let isClockwise: Bool

  private init(_ corners: [Corner], _ plane: AffineFunction, nearness: AffineFunction) {
    self.corners = corners
    self.plane = plane
    self.nearness = nearness
    let points = corners.map(\.point)
    bounds = Rect(around: points)
    isClockwise = DepthPolygon.area(points) > 0
  }

  /// Creates the polygon of the part of a rectangle that is in front of the eye; `nil` if nothing
  /// of it is visible.
  package init?(_ rect: Rect, under map: SpaceMap) {
    let seen = map.projection.visible(rect).map { map.apply($0) }
    let corners = seen.map { p in
      Corner(point: Point(p.x / p.w, p.y / p.w), depth: p.z / p.w)
    }
    guard corners.count > 2 else { return nil }
    let longest = corners.indices.max {
      DepthPolygon.side($0, corners) < DepthPolygon.side($1, corners)
    }
    guard let first = longest else { return nil }
    let second = (first + 1) % corners.count
    let (a, b) = (corners[first].point, corners[second].point)
    let way = b - a
    let length = Math.hypot(way.x, way.y)
    guard length > DepthPolygon.thinnest else { return nil }
    // The corner that is farthest from the longest side, together with this side, determines the
    // slope.
    func distance(_ index: Int) -> Double {
      let p = corners[index].point - a
      return abs(p.x * way.y - p.y * way.x) / length
    }
    guard let far = corners.indices.max(by: { distance($0) < distance($1) }),
      distance(far) > DepthPolygon.thinnest
    else { return nil }
    func function(_ value: (Int) -> Double) -> AffineFunction {
      AffineFunction([first, second, far].map { (corners[$0].point, value($0)) })
    }
    // Both the depth and the inverse of the weight are affine on the screen.
    self.init(
      corners, function { corners[$0].depth }, nearness: function { 1 / seen[$0].w })
  }

  /// Creates the polygon of a rectangle of the screen at a depth; `nil` if it is empty.
  init?(_ rect: Rect, at depth: Double) {
    guard rect.width > 0, rect.height > 0 else { return nil }
    let points = [
      Point(rect.x, rect.y), Point(rect.maxX, rect.y), Point(rect.maxX, rect.maxY),
      Point(rect.x, rect.maxY),
    ]
    self.init(
      points.map { Corner(point: $0, depth: depth) }, AffineFunction(depth),
      nearness: AffineFunction(1))
  }

  private static func side(_ index: Int, _ corners: [Corner]) -> Double {
    corners[index].point.distance(to: corners[(index + 1) % corners.count].point)
  }

  /// Returns the depth of the polygon's plane at a point of the screen.
  package func depth(at p: Point) -> Double { plane(p) }

  /// Returns the change of depth for a movement of one pixel toward the eye, at a point of the
  /// screen.
  func depthOfPixel(at p: Point) -> Double {
    let nearness = nearness(p)
    return nearness * nearness
  }

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

  /// Returns the part in which an affine function is positive; `nil` if it is empty.
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
    return DepthPolygon(kept, plane, nearness: nearness)
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
