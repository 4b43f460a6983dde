// SPDX-License-Identifier: MIT
package import SceneGraphics

extension OutlineModel {
  /// The maximum number of corners of a polygon whose points are tested.
  private static let mostCorners = 64

  /// Returns whether an ellipse or a polygon contains the middles of a box's sides, so that the box
  /// is nearly or completely inside; `nil` for other outlines.
  ///
  /// - Parameters:
  ///   - corners: The corners of the box in the coordinates of the outline: top left, top right,
  ///     bottom left, bottom right.
  ///   - value: Returns the value of a number at the examined time; `nil` if it is unknown.
  package func containsSides(of corners: [Point], _ value: (Scalar) -> Double?) -> Bool? {
    guard corners.count == 4 else { return nil }
    let middles = [(0, 1), (0, 2), (1, 3), (2, 3)].map { corners[$0].mixed(with: corners[$1], 0.5) }
    switch self {
    case .ellipse(let center, let rx, let ry):
      guard let x = value(center.x), let y = value(center.y), let a = value(rx), let b = value(ry),
        a > 0, b > 0
      else { return nil }
      return middles.allSatisfy { point in
        let (u, v) = ((point.x - x) / a, (point.y - y) / b)
        return u * u + v * v <= 1
      }
    case .path(let path):
      guard let polygon = path.polygon(value), polygon.count <= Self.mostCorners else { return nil }
      return middles.allSatisfy(polygon.contains)
    default: return nil
    }
  }
}

extension PathModel {
  /// Returns the corners of a path that is a single polygon; `nil` for other paths.
  fileprivate func polygon(_ value: (Scalar) -> Double?) -> [Point]? {
    var corners: [Point] = []
    func add(_ point: Point?, isFirst: Bool) -> Bool {
      guard let point, isFirst == corners.isEmpty else { return false }
      corners.append(point)
      return true
    }
    for segment in segments {
      switch segment {
      case .move(let p), .line(let p):
        let isFirst = if case .move = segment { true } else { false }
        let point = value(p.x).flatMap { x in value(p.y).map { Point(x, $0) } }
        guard add(point, isFirst: isFirst) else { return nil }
      case .fixed(let path):
        for element in path.elements {
          switch element {
          case .move(let p): guard add(p, isFirst: true) else { return nil }
          case .line(let p): guard add(p, isFirst: false) else { return nil }
          case .cubic: return nil
          case .close: continue
          }
        }
      case .close: continue
      default: return nil
      }
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
