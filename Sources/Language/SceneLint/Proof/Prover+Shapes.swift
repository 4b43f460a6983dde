// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneLower
import SceneModel

// Convex outlines in the frame at the last evaluated time.
extension Prover {
  /// An outline with the map from its coordinates to the frame.
  struct Shape {
    let outline: OutlineModel
    /// The map from the outline to the frame; `nil` if a perspective distorts the outline.
    let map: Affine?
    /// The outline in the frame, if it is known to be convex.
    var polygon: [Point]?
  }

  /// The distance in pixels within which points count as inside an outline.
  private static let edge = 0.01

  /// Returns the part of a box that is in the bounding box of a shape, or `nil` if the shape does
  /// not contain this part completely.
  func part(of box: Rect, in shape: Shape) -> Rect? {
    guard let map = shape.map, let inverse = map.inverted else { return nil }
    let part = box.intersection(map.apply(evaluator.bounds(shape.outline)))
    let inner = part.insetBy(Prover.edge)
    let corners = [
      Point(inner.x, inner.y), Point(inner.maxX, inner.y), Point(inner.x, inner.maxY),
      Point(inner.maxX, inner.maxY),
    ]
    // A convex outline that contains the corners contains the rectangle.
    return corners.allSatisfy { evaluator.contains(inverse.apply($0), in: shape.outline) }
      ? part : nil
  }

  /// Returns a convex polygon in the frame: the part of a polygon of an element that is in front of
  /// the viewer.
  func inFrame(_ corners: [Point], of element: ElementModel, in place: Place) -> [Point] {
    guard let space = place.space else {
      return corners.map(place.flat.concat(evaluator.affine(of: element)).apply)
    }
    let projection = space.of(element, evaluator).projection
    return projection.visible(corners).map(projection.apply)
  }

  /// The number of line segments in a quarter of an ellipse, whose polygon has 99.8% of its area.
  private static let stepsOfQuarter = 8

  /// Returns a convex polygon inside a rectangle or an ellipse that almost fills it; `nil` for all
  /// other outlines, because they can be concave.
  func corners(of outline: OutlineModel) -> [Point]? {
    let box = evaluator.bounds(outline)
    let radius: Point
    switch outline {
    case .rect(_, _, _, _, let own):
      let length = max(0, min(evaluator(own), box.width / 2, box.height / 2))
      radius = Point(length, length)
    case .smoothRect(_, _, _, _, let own, let smoothing):
      // A circular corner of the same length is inside the continuous corner.
      let share = 1 + max(0, min(1, evaluator(smoothing)))
      let length = max(0, min(evaluator(own) * share, box.width / 2, box.height / 2))
      radius = Point(length, length)
    case .ellipse: radius = Point(box.width / 2, box.height / 2)
    case .star, .arc, .path: return nil
    }
    guard radius.x > 0, radius.y > 0 else { return box.corners }
    let centers = [
      Point(box.maxX - radius.x, box.maxY - radius.y), Point(box.x + radius.x, box.maxY - radius.y),
      Point(box.x + radius.x, box.y + radius.y), Point(box.maxX - radius.x, box.y + radius.y),
    ]
    return centers.enumerated().flatMap { quarter, center in
      (0...Self.stepsOfQuarter).map { step in
        let turn = Double(quarter) + Double(step) / Double(Self.stepsOfQuarter)
        return Point(
          center.x + radius.x * Math.cosDegrees(90 * turn),
          center.y + radius.y * Math.sinDegrees(90 * turn))
      }
    }
  }
}

extension [Point] {
  /// The signed area of a polygon times two.
  fileprivate var doubleArea: Double {
    guard var before = last else { return 0 }
    return reduce(0) { area, point in
      defer { before = point }
      return area + before.x * point.y - point.x * before.y
    }
  }

  var convexArea: Double { abs(doubleArea) / 2 }

  /// Returns the part of a convex polygon inside another one.
  func intersection(convex other: [Point]) -> [Point] {
    guard var before = other.last else { return [] }
    let direction: Double = other.doubleArea < 0 ? -1 : 1
    return other.reduce(self) { rest, corner in
      let start = before
      before = corner
      return rest.clipped { point in
        ((corner.x - start.x) * (point.y - start.y) - (corner.y - start.y) * (point.x - start.x))
          * direction
      }
    }
  }
}

extension [[Point]] {
  /// The area inside at least one of these convex polygons; `nil` if they have too many crossings.
  var unionArea: Double? {
    if count == 1 { return self[0].convexArea }
    // Mirrored elements have polygons of the opposite orientation, which the union would cancel.
    let outlines = map { points in
      Path(polygon: points.doubleArea < 0 ? points.reversed() : points)
    }
    return Path.combined(.union, outlines)?.polygonArea
  }
}

extension Path {
  /// The area inside outlines of straight lines that do not intersect, such as those of `combined`.
  /// Holes have the opposite direction.
  fileprivate var polygonArea: Double {
    var contours: [[Point]] = []
    for element in elements {
      switch element {
      case .move(let point): contours.append([point])
      case .line(let point): contours[contours.count - 1].append(point)
      case .cubic, .close: break
      }
    }
    return abs(contours.reduce(0) { $0 + $1.doubleArea }) / 2
  }

  fileprivate init(polygon: [Point]) {
    self.init()
    guard let first = polygon.first else { return }
    move(first)
    for point in polygon.dropFirst() { line(point) }
    close()
  }
}

extension Rect {
  /// The corners in order.
  var corners: [Point] {
    [Point(x, y), Point(maxX, y), Point(maxX, maxY), Point(x, maxY)]
  }
}

extension Evaluator {
  /// Returns whether a rectangle or an ellipse contains a point; `false` for all other outlines,
  /// because they can be concave.
  fileprivate func contains(_ point: Point, in outline: OutlineModel) -> Bool {
    let box = bounds(outline)
    switch outline {
    case .rect(_, _, _, _, let radius): return box.contains(point, radius: self(radius))
    case .smoothRect(_, _, _, _, let radius, let smoothing):
      // A circular corner of the same length is inside the continuous corner.
      return box.contains(point, radius: self(radius) * (1 + max(0, min(1, self(smoothing)))))
    case .ellipse:
      let offset = point - box.center
      let (x, y) = (offset.x / box.width, offset.y / box.height)
      return x * x + y * y <= 0.25
    case .star, .arc, .path: return false
    }
  }
}

extension Rect {
  /// Returns whether the rectangle with circular corners contains a point.
  fileprivate func contains(_ point: Point, radius: Double) -> Bool {
    let radius = max(0, min(radius, width / 2, height / 2))
    let core = insetBy(radius)
    let nearest = Point(
      max(core.x, min(point.x, core.maxX)), max(core.y, min(point.y, core.maxY)))
    return point.distance(to: nearest) <= radius
  }
}
