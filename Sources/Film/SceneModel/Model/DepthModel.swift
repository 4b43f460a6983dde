// SPDX-License-Identifier: MIT
package import SceneGraphics

/// The position and orientation of an element in space, in addition to its transform in the plane.
/// Flat elements have none.
package struct DepthModel: Hashable, Sendable, Encodable {
  /// The point of the element that the rotations leave in place, in the coordinates of the parent's
  /// content.
  package var pivot: PointModel
  /// The rotation about the horizontal axis, in degrees; applied after `rotateY`.
  package var rotateX = Scalar.zero
  /// The rotation about the vertical axis, in degrees.
  package var rotateY = Scalar.zero
  /// The translation toward the viewer, in pixels.
  package var translateZ = Scalar.zero
  /// Whether the element is invisible while the viewer sees its back.
  package var isBackHidden = false
  /// Whether the element has no properties of space but `backface`, so that it is drawn in the plane
  /// of its parent.
  package var isInPlane = false

  package init(pivot: PointModel) { self.pivot = pivot }
}

/// The eye that looks at the contents of a scene or a group.
package struct PerspectiveModel: Hashable, Sendable, Encodable {
  /// The distance of the eye from the plane z = 0, in pixels; `nil` for a parallel projection.
  package var distance: Scalar?
  /// The point in front of the eye, in the coordinates of the content.
  package var origin: PointModel

  package init(distance: Scalar?, origin: PointModel) {
    self.distance = distance
    self.origin = origin
  }
}

extension DepthModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    pivot.forEachScalar(use)
    for scalar in [rotateX, rotateY, translateZ] { use(scalar) }
  }
}

extension PerspectiveModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    if let distance { use(distance) }
    origin.forEachScalar(use)
  }
}

extension Evaluator {
  /// The nearest eye, in pixels.
  private static let nearest = 1.0

  /// Returns the map from an element's own coordinates to those of its parent's content.
  package func space(of element: ElementModel) -> SpaceMap {
    guard let depth = element.depth else { return SpaceMap(affine(element.transform)) }
    return space(element.transform, depth)
  }

  /// Returns the map that applies a transform in the plane and then a depth.
  package func space(_ transform: AffineModel, _ depth: DepthModel) -> SpaceMap {
    let pivot = point(depth.pivot)
    return SpaceMap.translation(pivot, z: self(depth.translateZ))
      .concat(.rotationX(self(depth.rotateX)))
      .concat(.rotationY(self(depth.rotateY)))
      .concat(.translation(Point(-pivot.x, -pivot.y)))
      .concat(SpaceMap(affine(transform)))
  }

  /// Returns the projection to the plane z = 0.
  package func perspective(_ model: PerspectiveModel) -> SpaceMap {
    .perspective(
      model.distance.map { max(Evaluator.nearest, self($0)) }, from: point(model.origin))
  }

  /// Returns the map in the plane that is closest to the placement of an element, without regard to
  /// the perspective.
  package func affine(of element: ElementModel) -> Affine {
    guard element.depth != nil else { return affine(element.transform) }
    return space(of: element).projection.affine ?? .identity
  }
}
