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
  /// Whether the element has neither a rotation in space nor a `translate-z`, so that it stays in
  /// the plane of its parent.
  package var isInPlane = false

  package init(pivot: PointModel) { self.pivot = pivot }
}

/// The eye that looks at the contents of a scene or a group.
package struct PerspectiveModel: Hashable, Sendable, Encodable {
  /// The distance of the eye from the plane z = 0, in pixels; `nil` for a parallel projection.
  package var distance: Scalar?
  /// The point in front of the eye, in the coordinates of the content. For a camera, whose eye
  /// moves with its view, it is in the coordinates of the element.
  package var origin: PointModel
  /// The movement of a camera; `nil` for other elements.
  package var camera: CameraModel?

  package init(distance: Scalar?, origin: PointModel) {
    self.distance = distance
    self.origin = origin
  }
}

/// The movement of a camera's eye in space.
package struct CameraModel: Hashable, Sendable, Encodable {
  /// The point that the camera looks at and circles, in the coordinates of its children.
  package var target: PointModel
  /// The displacement of the target toward the viewer, in pixels.
  package var targetZ = Scalar.zero
  /// The distance that the eye has moved toward the target, in pixels.
  package var dolly = Scalar.zero
  /// The rotation of the eye to the right about the target, in degrees; applied before `pitch`.
  package var yaw = Scalar.zero
  /// The rotation of the eye upward about the target, in degrees.
  package var pitch = Scalar.zero
  /// The focus; `nil` if everything is in focus.
  package var focus: FocusModel?

  package init(target: PointModel) { self.target = target }

  /// Whether the children stay in the plane of the camera and are in focus.
  package var isFlat: Bool {
    dolly == .zero && yaw == .zero && pitch == .zero && focus == nil
  }
}

/// The lens of a camera.
package struct FocusModel: Hashable, Sendable, Encodable {
  /// The distance from the eye at which contents are in focus, in pixels.
  package var distance: Scalar
  /// The diameter of the lens, in pixels.
  package var aperture: Scalar
  /// The magnification of the image, which magnifies its blur.
  package var zoom: Scalar

  package init(distance: Scalar, aperture: Scalar, zoom: Scalar) {
    (self.distance, self.aperture, self.zoom) = (distance, aperture, zoom)
  }
}

/// A box in perspective.
package struct QuadModel: Hashable, Sendable, Encodable {
  package var x, y, width, height: Scalar
  /// The projected corners of the box: top left, top right, bottom right and bottom left.
  package var corners: [PointModel]

  package init(x: Scalar, y: Scalar, width: Scalar, height: Scalar, corners: [PointModel]) {
    precondition(corners.count == 4)
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
    self.corners = corners
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
    camera?.forEachScalar(use)
  }
}

extension QuadModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    for scalar in [x, y, width, height] { use(scalar) }
    for corner in corners { corner.forEachScalar(use) }
  }
}

extension CameraModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    target.forEachScalar(use)
    for scalar in [targetZ, dolly, yaw, pitch] { use(scalar) }
    focus?.forEachScalar(use)
  }
}

extension FocusModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    for scalar in [distance, aperture, zoom] { use(scalar) }
  }
}

extension Evaluator {
  /// The minimum distance of the eye, in pixels.
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

  /// Returns the map from the coordinates of an element's children to the element's own
  /// coordinates, before the perspective.
  package func contentSpace(of element: ElementModel) -> SpaceMap {
    let content = SpaceMap(affine(element.content))
    guard let camera = element.perspective?.camera, !camera.isFlat else { return content }
    // The eye stays in place, and the children move in the opposite direction.
    let target = point(camera.target)
    let depth = self(camera.targetZ)
    return content.concat(.translation(target, z: depth + self(camera.dolly)))
      .concat(.rotationX(-self(camera.pitch)))
      .concat(.rotationY(-self(camera.yaw)))
      .concat(.translation(Point(-target.x, -target.y), z: -depth))
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
