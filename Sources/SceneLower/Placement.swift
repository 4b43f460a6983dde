// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
package import SceneModel

/// An element as it is drawn at a time. Ops themselves never say whose they are: equal programs stay
/// equal pixels.
package struct Placement: Sendable {
  /// A part of the frame: what lies inside an outline.
  package struct Clip: Sendable {
    package let outline: Outline
    package let map: Affine
  }

  package let element: ElementModel
  /// From its own coordinates to the pixels of the frame.
  package let map: Affine
  /// What it can be seen through.
  package let clips: [Clip]
  /// What it draws itself, without its children, in its own coordinates.
  package let ops: [DrawOp]

  /// What it draws, in pixels of the frame.
  package var opsInFrame: [DrawOp] {
    clips.reduce(ops.isEmpty ? [] : [.transformed(map, body: ops)]) { body, clip in
      guard !body.isEmpty, let back = clip.map.inverted else { return [] }
      return [
        .transformed(
          clip.map, body: [.clipped(clip.outline, body: [.transformed(back, body: body)])])
      ]
    }
  }
}

extension Lowerer {
  /// Of which elements it is worked out what they draw.
  private enum Wanted {
    case all, none
    case near(Point)
  }

  /// What is drawn at a frame, the topmost first.
  package mutating func placements(frame index: Int) -> [Placement] {
    placements(frame: index, .all)
  }

  /// Where elements are at a frame, the topmost first, without what they draw.
  package mutating func places(frame index: Int) -> [Placement] {
    placements(frame: index, .none)
  }

  /// What may be drawn within a few pixels of a point at a frame, the topmost first: outlines that are elsewhere are
  /// not worked out. `nil` once `isUnwanted`.
  package mutating func placements(
    frame index: Int, near point: Point, isUnwanted: @escaping () -> Bool
  ) -> [Placement]? {
    unless(isUnwanted) { $0.placements(frame: index, .near(point)) }
  }

  private mutating func placements(frame index: Int, _ wanted: Wanted) -> [Placement] {
    let time = model.frameRate.time(ofFrame: index)
    begin(at: time)
    var found: [Placement] = []
    place(model.elements, .identity, [], at: time, wanted, &found)
    return found.reversed()
  }

  /// A scalar as it is at the frame that was lowered or placed last.
  package func value(_ scalar: Scalar) -> Double { evaluator(scalar) }

  private func place(
    _ elements: [ElementModel], _ map: Affine, _ clips: [(model: OutlineModel, map: Affine)],
    at time: Ticks, _ wanted: Wanted, _ found: inout [Placement]
  ) {
    let order = elements.indices.map { (z: evaluator(elements[$0].z), index: $0) }
    for entry in order.sorted(by: { ($0.z, $0.index) < ($1.z, $1.index) }) {
      let element = elements[entry.index]
      guard element.start <= time, time < element.end, evaluator(element.visible) != 0,
        evaluator(element.opacity) > 0, evaluator.mayGoOn()
      else { continue }
      let own = map.concat(evaluator.affine(element.transform))
      guard own.isDrawable else { continue }
      let inside = clips + element.style.clips.map { ($0, own) }
      found.append(placement(of: element, own, inside, wanted))
      place(
        element.children, own.concat(evaluator.affine(element.content)), inside, at: time, wanted,
        &found)
    }
  }

  private func placement(
    of element: ElementModel, _ map: Affine, _ clips: [(model: OutlineModel, map: Affine)],
    _ wanted: Wanted
  ) -> Placement {
    let isDrawn =
      switch wanted {
      case .all: true
      case .none: false
      case .near(let point): mayDraw(element.drawing, map, at: point)
      }
    guard isDrawn else { return Placement(element: element, map: map, clips: [], ops: []) }
    return Placement(
      element: element, map: map,
      clips: clips.compactMap { clip in
        evaluator.outline(clip.model).map { Placement.Clip(outline: $0, map: clip.map) }
      }, ops: drawing(element.drawing).map { $0.settled(map) })
  }

  /// Whether something may be drawn within three pixels of a point of the frame.
  private func mayDraw(_ drawing: ElementModel.Drawing, _ map: Affine, at point: Point) -> Bool {
    guard case .outline(let outline, _, let stroke, _, _) = drawing else { return true }
    var edge = 0.0
    if let stroke {
      edge = evaluator(stroke.width) / 2 * max(1.5, evaluator(stroke.miterLimit))
    }
    // A steady stroke is that wide in the frame, others in the coordinates of the element.
    let box = map.apply(evaluator.reach(outline).insetBy(-edge)).insetBy(-edge - 3)
    let isOutside =
      point.x < box.x || point.x > box.maxX || point.y < box.y || point.y > box.maxY
    return !isOutside
  }
}
