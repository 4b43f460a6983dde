// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
package import SceneModel

/// An element as it is drawn at a time. Ops do not refer to their elements, so that equal programs
/// yield equal pixels.
package struct Placement: Sendable {
  /// A clip outline with its map to the frame.
  package struct Clip: Sendable {
    package let outline: Outline
    package let map: Projection
  }

  package let element: ElementModel
  /// The map from the element's coordinates to frame pixels.
  package let map: Projection
  /// The clips that apply to the element.
  package let clips: [Clip]
  /// The element's own ops without its children, in its own coordinates.
  package let ops: [DrawOp]

  /// The element's own ops in frame pixels, with clips applied.
  package var opsInFrame: [DrawOp] {
    clips.reduce(ops.projected(by: map)) { body, clip in
      guard !body.isEmpty else { return [] }
      guard let map = clip.map.affine, let back = map.inverted else {
        let outline = clip.outline.path.projected(by: clip.map)
        return outline.isEmpty ? [] : [.clipped(.path(outline), body: body)]
      }
      return [
        .transformed(map, body: [.clipped(clip.outline, body: [.transformed(back, body: body)])])
      ]
    }
  }
}

extension Lowerer {
  /// The elements whose ops are computed.
  private enum Wanted {
    case all, none
    case near(Point)
  }

  /// Returns the placements at a frame, topmost first.
  package mutating func placements(frame index: Int) -> [Placement] {
    placements(frame: index, .all)
  }

  /// Returns the placements at a frame without ops, topmost first.
  package mutating func places(frame index: Int) -> [Placement] {
    placements(frame: index, .none)
  }

  /// Returns the placements that may draw within a few pixels of a point at a frame, topmost first.
  /// Distant outlines are not computed. Returns `nil` once `isUnwanted` returns `true`.
  package mutating func placements(
    frame index: Int, near point: Point, isUnwanted: @escaping () -> Bool
  ) -> [Placement]? {
    unless(isUnwanted) { $0.placements(frame: index, .near(point)) }
  }

  private mutating func placements(frame index: Int, _ wanted: Wanted) -> [Placement] {
    let time = model.frameRate.time(ofFrame: index)
    begin(at: time)
    var found: [Placement] = []
    place(
      model.elements, under: FramePlace(model, evaluator), clips: [], at: time, wanted: wanted,
      into: &found)
    return found.reversed()
  }

  /// Returns a box in the frame that contains everything that the element itself draws.
  package func box(of placement: Placement) -> Rect {
    placement.map.apply(bounds(of: placement.ops, under: placement.map))
  }

  /// Returns the value of a scalar at the last frame that was lowered or placed.
  package func value(_ scalar: Scalar) -> Double { evaluator(scalar) }

  private func place(
    _ elements: [ElementModel], under outer: FramePlace,
    clips: [(model: OutlineModel, map: Projection)],
    at time: Ticks, wanted: Wanted, into found: inout [Placement]
  ) {
    let order = elements.indices.map { (z: evaluator(elements[$0].z), index: $0) }
    for entry in order.sorted(by: { ($0.z, $0.index) < ($1.z, $1.index) }) {
      let element = elements[entry.index]
      guard element.start <= time, time < element.end, evaluator(element.visible) != 0,
        evaluator(element.opacity) > 0, evaluator.mayGoOn()
      else { continue }
      let its = outer.of(element, evaluator)
      let own = its.projection
      guard own.affine?.isDrawable ?? own.isDrawable else { continue }
      if element.depth?.isBackHidden == true, its.showsBack { continue }
      let inside = clips + element.style.clips.map { ($0, own) }
      found.append(placement(of: element, under: own, clips: inside, wanted: wanted))
      place(
        element.children, under: outer.inside(element, evaluator), clips: inside,
        at: time, wanted: wanted,
        into: &found)
    }
  }

  private func placement(
    of element: ElementModel, under map: Projection,
    clips: [(model: OutlineModel, map: Projection)],
    wanted: Wanted
  ) -> Placement {
    let isDrawn =
      switch wanted {
      case .all: true
      case .none: false
      case .near(let point): mayDraw(element, map, at: point)
      }
    guard isDrawn else { return Placement(element: element, map: map, clips: [], ops: []) }
    return Placement(
      element: element, map: map,
      clips: clips.compactMap { clip in
        evaluator.outline(clip.model).map { Placement.Clip(outline: $0, map: clip.map) }
      },
      ops: drawing(of: element).map {
        $0.settled(map.affine ?? .identity)
      })
  }

  /// Returns whether a drawing may cover a point within three pixels of `point` in the frame.
  private func mayDraw(_ element: ElementModel, _ map: Projection, at point: Point) -> Bool {
    guard case .outline(let outline, _, let stroke, _, _, _) = element.drawing else { return true }
    var edge = pen(element.rough).map { RoughPen.reach($0.amount) } ?? 0
    if let stroke {
      edge += evaluator(stroke.width) / 2 * max(1.5, evaluator(stroke.miterLimit))
      // Stamps may be long and far from the path.
      if stroke.brush != nil { return true }
    }
    // The width of a steady stroke is in frame pixels, that of other strokes in the element's
    // coordinates; the box allows for both.
    let box = map.apply(evaluator.reach(outline).insetBy(-edge)).insetBy(-edge - 3)
    let isOutside =
      point.x < box.x || point.x > box.maxX || point.y < box.y || point.y > box.maxY
    return !isOutside
  }
}

extension Projection {
  /// Whether the plane is not seen edge-on and its coordinates are within Cairo's limits.
  fileprivate var isDrawable: Bool {
    isFinite && (1e-12..<1e12).contains(abs(determinant)) && max(abs(e), abs(f)) < 1e9
  }
}
