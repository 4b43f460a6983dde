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
  /// What is drawn at a frame, the topmost first.
  package mutating func placements(frame index: Int) -> [Placement] {
    let time = model.frameRate.time(ofFrame: index)
    begin(at: time)
    var found: [Placement] = []
    place(model.elements, .identity, [], at: time, &found)
    return found.reversed()
  }

  /// A scalar as it is at the frame that was lowered or placed last.
  package func value(_ scalar: Scalar) -> Double { evaluator(scalar) }

  private func place(
    _ elements: [ElementModel], _ map: Affine, _ clips: [Placement.Clip], at time: Ticks,
    _ found: inout [Placement]
  ) {
    let order = elements.indices.map { (z: evaluator(elements[$0].z), index: $0) }
    for entry in order.sorted(by: { ($0.z, $0.index) < ($1.z, $1.index) }) {
      let element = elements[entry.index]
      guard element.start <= time, time < element.end, evaluator(element.visible) != 0,
        evaluator(element.opacity) > 0
      else { continue }
      let own = map.concat(evaluator.affine(element.transform))
      guard own.isDrawable else { continue }
      let inside =
        clips
        + element.style.clips.compactMap { clip in
          evaluator.outline(clip).map { Placement.Clip(outline: $0, map: own) }
        }
      let ops = drawing(element.drawing).map { $0.settled(own) }
      found.append(Placement(element: element, map: own, clips: inside, ops: ops))
      place(
        element.children, own.concat(evaluator.affine(element.content)), inside, at: time, &found)
    }
  }
}
