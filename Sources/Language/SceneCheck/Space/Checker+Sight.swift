// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneModel

/// A point in space, in pixels.
private struct SpacePointModel {
  var x, y: Scalar
  var z = Scalar.zero

  init(_ point: PointModel) { (x, y) = (point.x, point.y) }

  var plane: PointModel {
    get { PointModel(x, y) }
    set { (x, y) = (newValue.x, newValue.y) }
  }
}

/// The eye that looks at a space: a point, or the direction toward it in a parallel projection.
private struct EyeModel {
  var point: SpacePointModel
  let isDirection: Bool
}

// Points and outlines of elements in space, as the viewer sees them from another plane.
extension Checker {
  /// Returns whether the path from an element to the space of a context passes elements in space.
  func crossesSpace(from i: ElementNode, in c: Context) -> Bool {
    let readers = ancestors(c.space)
    let outward = ancestors(i)
    guard let common = outward.dropFirst().first(where: { top in readers.contains { $0 === top } })
    else { return false }
    // The view of a camera is computed in the coordinates of the elements, without projection.
    if let view = c.view, view === common || ancestors(view).contains(where: { $0 === common }) {
      return false
    }
    let way = outward.prefix { $0 !== common } + readers.prefix { $0 !== common }
    return way.contains { element in
      element.kind.isDrawn
        && (depth(of: element, now: c.now).map { !$0.isInPlane } ?? false
          || movesInSpace(element))
    }
  }

  /// Returns the point of the context's plane that covers a point of an element; `nil` after an
  /// error.
  func seen(_ point: PointModel, from i: ElementNode, in c: Context) -> PointModel? {
    let readers = ancestors(c.space)
    var point = SpacePointModel(point)
    var element = i
    while let parent = element.parent {
      guard let moved = outward(point, from: element, now: c.now) else { return nil }
      point = moved
      if readers.contains(where: { $0 === parent }) { return inward(point, from: parent, in: c) }
      guard let placed = placed(point, in: parent, now: c.now) else { return nil }
      point = placed
      element = parent
    }
    return point.plane
  }

  /// Returns the box of an element with the positions of its corners as the viewer sees them, in
  /// the coordinates of the context; `nil` after an error.
  func quad(of i: ElementNode, in c: Context) -> QuadModel? {
    guard let box = box(of: i, now: c.now) else { return nil }
    // Lines have no height, but they have a perspective, too.
    let width = builder.make(.maximum, a: box.width, b: .one)
    let height = builder.make(.maximum, a: box.height, b: .one)
    let (right, bottom) = (builder.add(box.x, width), builder.add(box.y, height))
    let corners = [(box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom)]
      .compactMap { transport(PointModel($0.0, $0.1), from: i, in: c) }
    guard corners.count == 4 else { return nil }
    return QuadModel(x: box.x, y: box.y, width: width, height: height, corners: corners)
  }

  /// Returns the center of an element inside a camera, in space and in the coordinates of the
  /// camera's children; `nil` for other elements.
  func target(_ i: ElementNode, of camera: ElementNode, now: Scalar) -> CameraModel? {
    guard i !== camera, ancestors(i).contains(where: { $0 === camera }),
      let box = box(of: i, now: now)
    else { return nil }
    var point = SpacePointModel(
      PointModel(
        builder.add(box.x, builder.scaled(box.width, 0.5)),
        builder.add(box.y, builder.scaled(box.height, 0.5))))
    var element = i
    while let parent = element.parent {
      guard let moved = outward(point, from: element, now: now) else { return nil }
      if parent === camera {
        var model = CameraModel(target: moved.plane)
        model.targetZ = moved.z
        return model
      }
      guard let placed = placed(moved, in: parent, now: now) else { return nil }
      (point, element) = (placed, parent)
    }
    return nil
  }

  // MARK: Maps

  /// Converts a point of an element to the content coordinates of its parent; returns `nil` after
  /// an error.
  private func outward(_ point: SpacePointModel, from i: ElementNode, now: Scalar)
    -> SpacePointModel?
  {
    guard let map = placement(of: i, now: now) else { return nil }
    var point = point
    point.plane = builder.apply(map, point.plane)
    guard let depth = depth(of: i, now: now), !depth.isInPlane else { return point }
    return turned(point, by: depth)
  }

  /// Returns a point after the rotations and the translation of a depth.
  private func turned(_ point: SpacePointModel, by depth: DepthModel) -> SpacePointModel {
    let pivot = depth.pivot
    var p = point
    (p.x, p.y) = (builder.subtract(p.x, pivot.x), builder.subtract(p.y, pivot.y))
    p = rotated(p, aboutY: depth.rotateY)
    p = rotated(p, aboutX: depth.rotateX)
    (p.x, p.y) = (builder.add(p.x, pivot.x), builder.add(p.y, pivot.y))
    p.z = builder.add(p.z, depth.translateZ)
    return p
  }

  /// Returns the point or the direction that a depth maps to `point`.
  private func unturned(_ point: SpacePointModel, by depth: DepthModel, isDirection: Bool)
    -> SpacePointModel
  {
    var p = point
    let pivot = isDirection ? PointModel.zero : depth.pivot
    if !isDirection { p.z = builder.subtract(p.z, depth.translateZ) }
    (p.x, p.y) = (builder.subtract(p.x, pivot.x), builder.subtract(p.y, pivot.y))
    p = rotated(p, aboutX: builder.make(.negate, a: depth.rotateX))
    p = rotated(p, aboutY: builder.make(.negate, a: depth.rotateY))
    (p.x, p.y) = (builder.add(p.x, pivot.x), builder.add(p.y, pivot.y))
    return p
  }

  private func rotated(_ p: SpacePointModel, aboutX angle: Scalar) -> SpacePointModel {
    var result = p
    (result.y, result.z) = rotated(p.y, p.z, by: angle)
    return result
  }

  private func rotated(_ p: SpacePointModel, aboutY angle: Scalar) -> SpacePointModel {
    var result = p
    (result.z, result.x) = rotated(p.z, p.x, by: angle)
    return result
  }

  /// Returns the coordinates of a point of a plane after a rotation from the first axis to the
  /// second.
  private func rotated(_ u: Scalar, _ v: Scalar, by angle: Scalar) -> (Scalar, Scalar) {
    if angle == .zero { return (u, v) }
    let (c, s) = (builder.make(.cosine, a: angle), builder.make(.sine, a: angle))
    return (
      builder.subtract(builder.multiply(c, u), builder.multiply(s, v)),
      builder.add(builder.multiply(s, u), builder.multiply(c, v))
    )
  }

  /// Converts a point from the content coordinates of an element to its own coordinates, and
  /// projects it if the element has an eye. Returns `nil` after an error.
  private func placed(_ point: SpacePointModel, in i: ElementNode, now: Scalar) -> SpacePointModel?
  {
    guard let content = contentMap(of: i, now: now) else { return nil }
    var point = point
    guard let perspective = perspective(of: i, now: now) else {
      point.plane = builder.apply(content, point.plane)
      return point
    }
    let eye = eye(of: perspective)
    guard let camera = perspective.camera else {
      return SpacePointModel(builder.apply(content, projected(point, from: eye)))
    }
    point.z = builder.subtract(point.z, camera.targetZ)
    point = turned(point, by: movement(of: camera))
    point.z = builder.add(point.z, camera.targetZ)
    point.plane = builder.apply(content, point.plane)
    return SpacePointModel(projected(point, from: eye))
  }

  /// Converts a point from the content coordinates of `top` to the plane of the context inside it;
  /// returns `nil` after an error.
  private func inward(_ point: SpacePointModel, from top: ElementNode, in c: Context)
    -> PointModel?
  {
    var point = point
    guard var eye = eye(at: top, now: c.now) else { return point.plane }
    let way = ancestors(c.space).prefix { $0 !== top }.reversed()
    for element in way {
      guard let map = placement(of: element, now: c.now),
        let content = contentMap(of: element, now: c.now)
      else { return nil }
      let depth = depth(of: element, now: c.now).flatMap { $0.isInPlane ? nil : $0 }
      func inside(_ p: SpacePointModel, isDirection: Bool) -> SpacePointModel {
        placedInside(p, map: map, depth: depth, isDirection: isDirection)
      }
      point = inside(point, isDirection: false)
      eye.point = inside(eye.point, isDirection: eye.isDirection)
      if let perspective = perspective(of: element, now: c.now) {
        // The contents are an image on the plane of the element.
        point = SpacePointModel(projected(point, from: eye))
        eye = self.eye(of: perspective)
        if let camera = perspective.camera {
          point = contents(point, content: content, camera, isDirection: false)
          eye.point = contents(eye.point, content: content, camera, isDirection: eye.isDirection)
          continue
        }
        point.plane = builder.applyInverse(content, point.plane)
        continue
      }
      point.plane = builder.applyInverse(content, point.plane)
      eye.point.plane = inverse(content, eye.point.plane, isDirection: eye.isDirection)
    }
    return projected(point, from: eye)
  }

  /// Converts a point or a direction to the own coordinates of an element with a given placement.
  private func placedInside(
    _ point: SpacePointModel, map: AffineModel, depth: DepthModel?, isDirection: Bool
  ) -> SpacePointModel {
    var p = depth.map { unturned(point, by: $0, isDirection: isDirection) } ?? point
    p.plane = inverse(map, p.plane, isDirection: isDirection)
    return p
  }

  /// Converts a point or a direction from a camera's own coordinates to the coordinates of its
  /// children.
  private func contents(
    _ point: SpacePointModel, content: AffineModel, _ camera: CameraModel, isDirection: Bool
  ) -> SpacePointModel {
    var p = point
    p.plane = inverse(content, p.plane, isDirection: isDirection)
    if !isDirection { p.z = builder.subtract(p.z, camera.targetZ) }
    p = unturned(p, by: movement(of: camera), isDirection: isDirection)
    if !isDirection { p.z = builder.add(p.z, camera.targetZ) }
    return p
  }

  private func inverse(_ map: AffineModel, _ point: PointModel, isDirection: Bool) -> PointModel {
    var map = map
    if isDirection { (map.e, map.f) = (.zero, .zero) }
    return builder.applyInverse(map, point)
  }

  // MARK: Eyes

  /// Returns the eye in the coordinates in which a perspective is given.
  private func eye(of perspective: PerspectiveModel) -> EyeModel {
    var point = SpacePointModel(perspective.distance == nil ? .zero : perspective.origin)
    point.z = perspective.distance ?? .one
    return EyeModel(point: point, isDirection: perspective.distance == nil)
  }

  /// Returns the eye that looks at the contents of an element, in the coordinates of its children;
  /// `nil` after an error.
  private func eye(at i: ElementNode, now: Scalar) -> EyeModel? {
    guard let content = contentMap(of: i, now: now) else { return nil }
    if let perspective = perspective(of: i, now: now) {
      var eye = eye(of: perspective)
      if let camera = perspective.camera {
        eye.point = contents(eye.point, content: content, camera, isDirection: eye.isDirection)
      }
      return eye
    }
    guard let parent = i.parent, var eye = eye(at: parent, now: now),
      let map = placement(of: i, now: now)
    else { return nil }
    let depth = depth(of: i, now: now).flatMap { $0.isInPlane ? nil : $0 }
    eye.point = placedInside(eye.point, map: map, depth: depth, isDirection: eye.isDirection)
    eye.point.plane = inverse(content, eye.point.plane, isDirection: eye.isDirection)
    return eye
  }

  /// Returns the point of the plane z = 0 that covers a point.
  private func projected(_ point: SpacePointModel, from eye: EyeModel) -> PointModel {
    if point.z == .zero { return point.plane }
    let depth = builder.divide(point.z, eye.point.z)
    if eye.isDirection {
      return PointModel(
        builder.subtract(point.x, builder.multiply(eye.point.x, depth)),
        builder.subtract(point.y, builder.multiply(eye.point.y, depth)))
    }
    // The weight of a point behind the eye is not positive, so it is clamped.
    let weight = builder.make(
      .maximum, a: .constant(0.01), b: builder.subtract(.one, depth))
    func mixed(_ eye: Scalar, _ x: Scalar) -> Scalar {
      builder.add(eye, builder.divide(builder.subtract(x, eye), weight))
    }
    return PointModel(mixed(eye.point.x, point.x), mixed(eye.point.y, point.y))
  }

  /// Returns the movement of a camera's children, opposite to that of its eye.
  private func movement(of camera: CameraModel) -> DepthModel {
    var depth = DepthModel(pivot: camera.target)
    depth.translateZ = camera.dolly
    depth.rotateX = builder.make(.negate, a: camera.pitch)
    depth.rotateY = builder.make(.negate, a: camera.yaw)
    return depth
  }
}
