// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneLower
import SceneModel

// The boxes of elements in the frame at the last evaluated time.
extension Prover {
  var canvas: Rect {
    Rect(x: 0, y: 0, width: Double(model.size.width), height: Double(model.size.height))
  }

  /// Returns whether the elements that a condition names are alive and visible.
  func areAlive(_ condition: ExpectationModel.Condition, at time: Ticks) -> Bool {
    condition.subjects.allSatisfy { isAlive($0, at: time) }
      && condition.lists.allSatisfy { list in list.contains { isAlive($0, at: time) } }
  }

  func isAlive(_ subject: Int, at time: Ticks) -> Bool {
    expectations.subjects[subject].trails.contains { isAlive($0, at: time) }
  }

  func isAlive(_ trail: [Int], at time: Ticks) -> Bool {
    var list = model.elements
    for index in trail {
      guard isShown(list[index], at: time) else { return false }
      list = list[index].children
    }
    return true
  }

  func isShown(_ element: ElementModel, at time: Ticks) -> Bool {
    element.start <= time && time < element.end && evaluator(element.visible) != 0
  }

  /// The coordinates of an element's parent in the frame.
  struct Place {
    var flat = Affine.identity
    /// The coordinates in space; `nil` for a scene without space.
    var space: FramePlace?
  }

  var outermost: Place {
    Place(space: model.perspective.map { _ in FramePlace(model, evaluator) })
  }

  /// Returns the coordinates of the children of an element.
  func place(in element: ElementModel, _ outer: Place) -> Place {
    Place(
      flat: outer.flat.concat(evaluator.affine(of: element))
        .concat(evaluator.affine(element.content)),
      space: outer.space.map { $0.inside(element, evaluator) })
  }

  /// Returns the box of all elements of a subject in the frame; `nil` without a drawing.
  func box(of subject: Int, at time: Ticks) -> Rect? {
    var box: Rect?
    for trail in expectations.subjects[subject].trails where isAlive(trail, at: time) {
      guard let (element, place) = located(trail),
        let own = wholeBox(of: element, in: place, at: time)
      else { continue }
      box = box?.union(own) ?? own
    }
    return box
  }

  /// Returns the element at a trail and the coordinates of its parent; `nil` for an empty trail.
  func located(_ trail: [Int]) -> (element: ElementModel, place: Place)? {
    elements(along: trail).last
  }

  /// Returns the elements along a trail, each with the coordinates of its parent.
  func elements(along trail: [Int]) -> [(element: ElementModel, place: Place)] {
    var place = outermost
    var list = model.elements
    return trail.map { index in
      let step = (element: list[index], place: place)
      place = self.place(in: step.element, place)
      list = step.element.children
      return step
    }
  }

  /// Returns the box of an element and its contents in the frame; `nil` without a drawing.
  func wholeBox(of element: ElementModel, in place: Place, at time: Ticks) -> Rect? {
    var box = ownBox(of: element, in: place)
    if element.drawing.isParticles || element.children.isEmpty { return box }
    let inner = self.place(in: element, place)
    for child in element.children where isShown(child, at: time) {
      guard let part = wholeBox(of: child, in: inner, at: time) else { continue }
      box = box?.union(part) ?? part
    }
    return box
  }

  /// Returns the box of an element's own drawing in the frame, including the boxes of its lines;
  /// `nil` if nothing is drawn.
  func ownBox(of element: ElementModel, in place: Place) -> Rect? {
    let lines = element.lineBoxes.flatMap { evaluator.bounds($0) }
    let ink = boxes.ink(of: element, evaluator).map { ink in lines?.union(ink) ?? ink }
    return inFrame(ink ?? boxes.bounds(of: element, evaluator), of: element, in: place)
  }

  /// Returns the box of the glyphs of a text in the frame, or that of another drawing; `nil` if
  /// nothing is drawn.
  func letterBox(of element: ElementModel, in place: Place) -> Rect? {
    let own = boxes.ink(of: element, evaluator) ?? boxes.bounds(of: element, evaluator)
    return inFrame(own, of: element, in: place)
  }

  private func inFrame(_ own: Rect?, of element: ElementModel, in place: Place) -> Rect? {
    guard let own else { return nil }
    let box =
      if let space = place.space {
        space.of(element, evaluator).projection.apply(own)
      } else {
        place.flat.concat(evaluator.affine(of: element)).apply(own)
      }
    guard box.isFinite, box.width >= 0, box.height >= 0 else { return nil }
    // A line can be thin, but no text is visible without a width and a height.
    let extent =
      if case .text = element.drawing { min(box.width, box.height) } else {
        max(box.width, box.height)
      }
    return extent > 1e-6 ? box : nil
  }

  /// Returns the product of the opacities of an element and its ancestors.
  func opacity(of subject: Int, at time: Ticks) -> Double {
    var most = 0.0
    for trail in expectations.subjects[subject].trails where isAlive(trail, at: time) {
      var list = model.elements
      var opacity = 1.0
      for index in trail {
        opacity *= max(0, min(1, evaluator(list[index].opacity)))
        list = list[index].children
      }
      most = max(most, opacity)
    }
    return most
  }
}
