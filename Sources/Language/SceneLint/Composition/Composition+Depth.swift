// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneLower
import SceneModel
import SceneText

// Elements in space.
extension Composition {
  /// Returns the affine map that is closest to the projection of an element at its center; `outer`
  /// maps its parent to the frame. Returns `nil` if the viewer does not see the element.
  mutating func projected(_ element: ElementModel, under outer: Affine) -> Affine? {
    if element.hasRareParts,
      element.depth != nil || element.perspective?.camera?.isFlat == false
    {
      isInSpace = true
    }
    guard isInSpace else { return outer.concat(evaluator.affine(element.transform)) }
    spatial.insert(element.span)
    var place = FramePlace(model, evaluator)
    var siblings = model.elements
    for index in trail {
      let ancestor = siblings[index]
      place = place.inside(ancestor, evaluator)
      siblings = ancestor.children
    }
    place = place.of(element, evaluator)
    if element.depth?.isBackHidden == true, place.showsBack { return nil }
    let projection = place.projection
    guard projection.isFinite else { return nil }
    let box = bounds(of: element)
    if let box, box.isFinite, !projection.apply(box).intersection(canvas).isEmpty {
      seen.insert(element.span)
    }
    let center = box.map(\.center) ?? .zero
    // A group may have visible contents nevertheless.
    guard projection.weight(at: center) > Projection.near else { return box == nil ? outer : nil }
    return projection.affine ?? projection.tangent(at: center)
  }

  private var canvas: Rect {
    Rect(x: 0, y: 0, width: Double(model.size.width), height: Double(model.size.height))
  }
}
