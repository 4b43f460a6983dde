// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneModel

/// The map from a coordinate system, which may be in space, to frame pixels.
package struct FramePlace: Sendable {
  private enum Place {
    /// The system lies in the plane of the frame.
    case flat(Affine)
    indirect case spatial(Spatial)
  }

  private struct Spatial {
    /// The map from the plane on which the space is projected to the frame.
    let plane: Projection
    let eye: SpaceMap
    /// The map from the system to the space.
    let map: SpaceMap

    func concat(_ inner: SpaceMap) -> Spatial {
      Spatial(plane: plane, eye: eye, map: map.concat(inner))
    }

    var projection: Projection { plane.concat(eye.concat(map).projection) }
  }

  private let place: Place

  private init(_ place: Place) { self.place = place }

  /// Creates the place of a scene's elements.
  package init(_ model: SceneModel, _ evaluator: Evaluator) {
    guard let eye = model.perspective.map(evaluator.perspective) else {
      self.init(.flat(.identity))
      return
    }
    self.init(.spatial(Spatial(plane: Projection(.identity), eye: eye, map: .identity)))
  }

  package var projection: Projection {
    switch place {
    case .flat(let map): Projection(map)
    case .spatial(let own): own.projection
    }
  }

  /// Returns the map from the plane z = `depth` of the system to frame pixels.
  package func projection(atDepth depth: Double) -> Projection {
    projection(through: .translation(.zero, z: depth))
  }

  /// Returns the map from a plane that `inner` places in the system to frame pixels.
  package func projection(through inner: SpaceMap) -> Projection {
    let own = spatial
    return own.plane.concat(own.eye.concat(own.map).concat(inner).projection)
  }

  /// Whether the plane z = 0 shows its back to the viewer.
  package var showsBack: Bool { spatial.eye.concat(spatial.map).showsBack }

  /// Returns the place of an element in this system.
  package func of(_ element: ElementModel, _ evaluator: Evaluator) -> FramePlace {
    if case .flat(let map) = place, !element.hasRareParts || element.depth == nil {
      return FramePlace(.flat(map.concat(evaluator.affine(element.transform))))
    }
    return FramePlace(.spatial(spatial.concat(evaluator.space(of: element))))
  }

  /// Returns the place of the children of an element in this system.
  package func inside(_ element: ElementModel, _ evaluator: Evaluator) -> FramePlace {
    let own = of(element, evaluator)
    let content = evaluator.affine(element.content)
    guard let perspective = element.perspective else {
      if case .flat(let map) = own.place { return FramePlace(.flat(map.concat(content))) }
      return FramePlace(.spatial(own.spatial.concat(SpaceMap(content))))
    }
    let isCamera = perspective.camera != nil
    return FramePlace(
      .spatial(
        Spatial(
          plane: isCamera ? own.projection : own.projection.concat(content),
          eye: evaluator.perspective(perspective),
          map: isCamera ? evaluator.contentSpace(of: element) : .identity)))
  }

  /// The maps of the place in space, also for a flat place.
  private var spatial: Spatial {
    switch place {
    case .flat(let map):
      Spatial(plane: Projection(.identity), eye: .identity, map: SpaceMap(map))
    case .spatial(let own): own
    }
  }
}
