// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel

// The drawings above an element at the last evaluated time.
extension Prover {
  /// A drawing in painting order.
  struct Painted {
    let element: ElementModel
    let place: Place
    let trail: [Int]
    /// The product of the opacities of the element and its ancestors.
    let opacity: Double
    let cut: Cut
    /// The part of the element's box that clips leave visible.
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
      let polygon = corners(of: clip).map { inFrame($0, of: element, in: place) }
      cut.shapes.append(Shape(outline: clip, map: map, polygon: polygon))
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
              element: element, place: place, trail: trail + [index], opacity: own, cut: cut,
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

  /// Returns the name of an opaque element that hides more than half of another; `nil` if there is
  /// none.
  ///
  /// Areas are exact for rectangles, ellipses, clips of videos and the boxes of other drawings,
  /// also when they are rotated or in space. Transparent parts of the element do not count.
  /// Elements with other outlines cover nothing.
  func cover(of subject: Int, at time: Ticks) -> String? {
    let trails = expectations.subjects[subject].trails
    let painted = painted(at: time)
    func isPart(_ it: Painted) -> Bool {
      it.opacity > 0 && trails.contains { it.trail.starts(with: $0) }
    }
    guard let last = painted.lastIndex(where: isPart) else { return nil }
    let parts = painted[...last].filter(isPart).map(visiblePart)
    let bounds = parts.map { Rect(around: $0) }
    // The largest part is a lower bound of the union, which is computed only if it matters.
    let least = parts.map(\.convexArea).max() ?? 0
    var area: Double?
    for it in painted[(last + 1)...] {
      // The boxes bound the hidden area, and most elements are elsewhere.
      let most = bounds.reduce(0) { $0 + it.visible.intersection($1).area }
      guard most > least / 2, let cover = hiddenArea(of: it) else { continue }
      let hidden = parts.map { $0.intersection(convex: cover) }
      guard hidden.reduce(0, { $0 + $1.convexArea }) > least / 2 else { continue }
      area = area ?? parts.unionArea
      guard let whole = area, let share = hidden.unionArea else { return nil }
      if share > whole / 2 { return name(of: it.element) }
    }
    return nil
  }

  /// Returns a convex polygon around the visible part of a drawing.
  private func visiblePart(of it: Painted) -> [Point] {
    var own = [Point]()
    if case .outline(let outline, _?, _, _, _, _) = it.element.drawing,
      let corners = corners(of: outline)
    {
      own = corners
    } else if let box = boxes.ink(of: it.element, evaluator)
      ?? boxes.bounds(of: it.element, evaluator)
    {
      own = box.corners
    }
    return it.cut.shapes.compactMap(\.polygon).reduce(
      inFrame(own, of: it.element, in: it.place).intersection(convex: canvas.corners)
    ) { $0.intersection(convex: $1) }
  }

  /// Returns a convex polygon in which a drawing hides everything behind it; `nil` if none is
  /// known.
  private func hiddenArea(of it: Painted) -> [Point]? {
    guard it.isSolid, it.opacity >= 1 else { return nil }
    let own: [Point]?
    let lines = it.element.lineBoxes.flatMap { $0.paint.isOpaque(evaluator) ? $0 : nil }
    guard it.element.isOpaque(evaluator) || lines != nil else { return nil }
    switch it.element.drawing {
    case .outline(let outline, _, _, _, _, _): own = corners(of: outline)
    case .clip(_, _, let to):
      own =
        Rect(
          x: evaluator(to[0]), y: evaluator(to[1]), width: evaluator(to[2]),
          height: evaluator(to[3])
        ).corners
    default: own = lines.flatMap { evaluator.rectangle(in: $0) }?.corners
    }
    guard let own else { return nil }
    let clips = it.cut.shapes.compactMap(\.polygon)
    // A concave clip can leave any part of the drawing visible.
    guard clips.count == it.cut.shapes.count else { return nil }
    return clips.reduce(inFrame(own, of: it.element, in: it.place)) {
      $0.intersection(convex: $1)
    }
  }
}

extension StyleModel {
  /// Whether opaque content stays opaque under the style, except near its edges.
  var keepsOpacity: Bool {
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
