// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel

// The drawings above an element at the last evaluated time.
extension Prover {
  /// A drawing in painting order.
  struct Painted {
    let ground: Ground
    let trail: [Int]
    /// The part of the box that clips leave visible.
    let visible: Rect
    /// Whether an opaque paint hides everything behind the drawing.
    let isSolid: Bool
  }

  /// The part of the frame that the clips around a drawing leave visible.
  struct Cut {
    /// The intersection of the bounding boxes of the clips; `nil` for the whole frame.
    var box: Rect?
    var shapes: [Shape] = []

    func visible(_ other: Rect) -> Rect { box.map(other.intersection) ?? other }
  }

  /// Returns the indices of the elements that are shown, from back to front.
  func paintingOrder(_ elements: [ElementModel], at time: Ticks) -> [Int] {
    elements.indices.filter { isShown(elements[$0], at: time) }
      .sorted { (evaluator(elements[$0].z), $0) < (evaluator(elements[$1].z), $1) }
  }

  /// Returns the affine map from an element to the frame; `nil` if a perspective distorts it.
  func map(of element: ElementModel, in place: Place) -> Affine? {
    guard let space = place.space else { return place.flat.concat(evaluator.affine(of: element)) }
    return space.of(element, evaluator).projection.affine
  }

  /// Returns a cut reduced by the clips of an element.
  func cut(_ cut: Cut, by element: ElementModel, in place: Place) -> Cut {
    var cut = cut
    for clip in element.style.clips {
      let map = map(of: element, in: place)
      if let map { cut.box = cut.visible(map.apply(evaluator.bounds(clip))) }
      cut.shapes.append(Shape(outline: clip, map: map))
    }
    return cut
  }

  func painted(at time: Ticks) -> [Painted] {
    var list: [Painted] = []
    func visit(
      _ elements: [ElementModel], in place: Place, opacity: Double, cut outer: Cut, isSolid: Bool,
      under trail: [Int]
    ) {
      for index in paintingOrder(elements, at: time) {
        let element = elements[index]
        let own = opacity * max(0, min(1, evaluator(element.opacity)))
        let cut = cut(outer, by: element, in: place)
        let isSolid = isSolid && element.style.keepsOpacity
        if let box = ownBox(of: element, in: place) {
          list.append(
            Painted(
              ground: Ground(box: box, element: element, opacity: own), trail: trail + [index],
              visible: cut.visible(box), isSolid: isSolid))
        }
        if element.drawing.isParticles || element.children.isEmpty { continue }
        visit(
          element.children, in: self.place(in: element, place), opacity: own, cut: cut,
          isSolid: isSolid, under: trail + [index])
      }
    }
    visit(model.elements, in: outermost, opacity: 1, cut: Cut(), isSolid: true, under: [])
    return list
  }

  func name(of element: ElementModel) -> String {
    element.name.map { "'\($0)'" }
      ?? "\(["image", "arc", "ellipse"].contains(element.kind) ? "an" : "a") \(element.kind)"
  }

  /// Returns the name of an opaque element that hides more than half of another, or `nil`.
  func cover(of subject: Int, at time: Ticks) -> String? {
    guard let box = box(of: subject, at: time), box.area > 0 else { return nil }
    let trails = expectations.subjects[subject].trails
    let painted = painted(at: time)
    guard
      let last = painted.lastIndex(where: { it in trails.contains { it.trail.starts(with: $0) } })
    else { return nil }
    for it in painted[(last + 1)...] where it.visible.intersection(box).area > box.area / 2 {
      if it.isSolid, it.ground.paint(model, evaluator).isOpaque {
        return it.ground.element.map(name)
      }
    }
    return nil
  }
}

extension StyleModel {
  /// Whether opaque drawings are opaque with these effects, too, except near their edges.
  fileprivate var keepsOpacity: Bool {
    mask == nil && blend == .normal && crossing == nil && filters.allSatisfy(\.keepsOpacity)
  }
}

extension FilterModel {
  fileprivate var keepsOpacity: Bool {
    switch self {
    case .blur, .color, .table: true
    case .chromaKey: false
    case .pixels(let model): model.program.isOpaque
    }
  }
}
