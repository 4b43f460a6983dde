// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel

// Convex outlines in the frame at the last evaluated time.
extension Prover {
  /// An outline with the map from its coordinates to the frame.
  struct Shape {
    let outline: OutlineModel
    /// `nil` if a perspective distorts the outline.
    let map: Affine?
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
