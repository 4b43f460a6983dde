// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneModel

/// The map from a coordinate system in space to frame pixels.
package struct FramePlace: Sendable {
  /// The map from the plane on which the space is projected to the frame.
  private let plane: Projection
  private let eye: SpaceMap
  /// The map from the system to the space.
  private let map: SpaceMap

  private init(plane: Projection, eye: SpaceMap, map: SpaceMap) {
    (self.plane, self.eye, self.map) = (plane, eye, map)
  }

  /// Creates the place of a scene's elements.
  package init(_ model: SceneModel, _ evaluator: Evaluator) {
    self.init(
      plane: Projection(.identity), eye: model.perspective.map(evaluator.perspective) ?? .identity,
      map: .identity)
  }

  package var projection: Projection { plane.concat(eye.concat(map).projection) }

  /// Returns the map from the plane z = `depth` of the system to frame pixels.
  package func projection(atDepth depth: Double) -> Projection {
    projection(through: .translation(.zero, z: depth))
  }

  /// Returns the map from a plane that `inner` places in the system to frame pixels.
  package func projection(through inner: SpaceMap) -> Projection {
    plane.concat(eye.concat(map).concat(inner).projection)
  }

  /// Whether the plane z = 0 shows its back to the viewer.
  package var showsBack: Bool { eye.concat(map).showsBack }

  /// Returns the place of an element in this system.
  package func of(_ element: ElementModel, _ evaluator: Evaluator) -> FramePlace {
    FramePlace(plane: plane, eye: eye, map: map.concat(evaluator.space(of: element)))
  }

  /// Returns the place of the children of an element in this system.
  package func inside(_ element: ElementModel, _ evaluator: Evaluator) -> FramePlace {
    let own = of(element, evaluator)
    let content = evaluator.affine(element.content)
    guard let perspective = element.perspective else {
      return FramePlace(plane: plane, eye: eye, map: own.map.concat(SpaceMap(content)))
    }
    if perspective.camera != nil {
      return FramePlace(
        plane: own.projection, eye: evaluator.perspective(perspective),
        map: evaluator.contentSpace(of: element))
    }
    return FramePlace(
      plane: own.projection.concat(content), eye: evaluator.perspective(perspective),
      map: .identity)
  }
}
