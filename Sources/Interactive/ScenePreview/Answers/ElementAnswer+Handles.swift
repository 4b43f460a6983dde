// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneJSON
import SceneModel

// The handles that a page draws around an element.
extension ElementAnswer {
  /// The sides that each handle moves, clockwise from the top left.
  static let handles: [Point] = [
    Point(-1, -1), Point(0, -1), Point(1, -1), Point(1, 0), Point(1, 1), Point(0, 1),
    Point(-1, 1), Point(-1, 0),
  ]

  /// Returns the positions of the handles, the pivot and the rings at a frame, in frame pixels.
  mutating func handles(frame: Int) -> [String: JSON] {
    let time = model.frameRate.time(ofFrame: frame)
    evaluator.evaluateAll(at: time)
    guard let stance, element.parent != nil, element.kind != "camera",
      element.drawn.first.map({ $0.start <= time && time < $0.end }) == true,
      stance.box.width > 0, stance.box.height > 0
    else { return ["handles": []] }
    let found = ElementAnswer.handles.map { handle in
      stance.inFrame(Point((1 + handle.x) / 2, (1 + handle.y) / 2))
    }
    guard found.allSatisfy({ $0 != nil }) else { return ["handles": []] }
    let sizing = sizing
    let shown = zip(ElementAnswer.handles, found).map { handle, place -> JSON in
      let isSide = handle.x == 0 || handle.y == 0
      // The sides of a text set its width, and a radius has no sides.
      let isHidden = sizing == .font && handle.x == 0 || sizing == .radius && isSide
      return [
        "side": [.double(handle.x), .double(handle.y)], "at": json(place),
        "shown": .bool(!isHidden),
      ]
    }
    return [
      "handles": .array(shown), "pivot": json(stance.inFrame(stance.pivot)),
      "middle": json(stance.inFrame(Point(0.5, 0.5))),
      "rings": .object(rings(stance).mapValues { .array($0.map(json)) }),
    ]
  }

  private func json(_ point: Point?) -> JSON {
    point.map { [.double($0.x), .double($0.y)] } ?? .null
  }
}
