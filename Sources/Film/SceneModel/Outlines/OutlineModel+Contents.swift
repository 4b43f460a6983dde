// SPDX-License-Identifier: MIT
package import SceneGraphics

extension OutlineModel {
  /// Returns whether an ellipse or a polygon contains the center of a box and the middles of its
  /// sides, so that the box is nearly or completely inside; `nil` for other outlines.
  ///
  /// - Parameters:
  ///   - corners: The corners of the box in the coordinates of the outline: top left, top right,
  ///     bottom left, bottom right.
  ///   - value: Returns the value of a number at the examined time; `nil` if it is unknown.
  package func containsMiddles(of corners: [Point], _ value: (Scalar) -> Double?) -> Bool? {
    guard corners.count == 4 else { return nil }
    let middles = [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)].map {
      corners[$0].mixed(with: corners[$1], 0.5)
    }
    switch self {
    case .ellipse(let center, let rx, let ry):
      guard let x = value(center.x), let y = value(center.y), let a = value(rx), let b = value(ry),
        a > 0, b > 0
      else { return nil }
      return middles.allSatisfy { point in
        let (u, v) = ((point.x - x) / a, (point.y - y) / b)
        return u * u + v * v <= 1
      }
    case .path(let path): return path.polygon(value).map { middles.allSatisfy($0.contains) }
    default: return nil
    }
  }
}

extension PathModel {
  /// The maximum number of corners of a polygon.
  private static let mostCorners = 64

  /// Returns the corners of a path that is a single polygon; `nil` for other paths, and for
  /// polygons with many corners.
  fileprivate func polygon(_ value: (Scalar) -> Double?) -> [Point]? {
    var corners: [Point] = []
    for segment in segments {
      let point: PointModel
      switch segment {
      case .move(let p) where corners.isEmpty: point = p
      case .line(let p) where !corners.isEmpty: point = p
      case .close: continue
      default: return nil
      }
      guard corners.count < Self.mostCorners, let x = value(point.x), let y = value(point.y) else {
        return nil
      }
      corners.append(Point(x, y))
    }
    return corners.count > 2 ? corners : nil
  }
}

extension [Point] {
  /// Returns whether a polygon contains a point, by the number of sides that a ray to the right
  /// crosses.
  fileprivate func contains(_ p: Point) -> Bool {
    var isInside = false
    for (index, a) in enumerated() {
      let b = self[(index + 1) % count]
      guard (a.y > p.y) != (b.y > p.y) else { continue }
      if p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y) { isInside.toggle() }
    }
    return isInside
  }
}
