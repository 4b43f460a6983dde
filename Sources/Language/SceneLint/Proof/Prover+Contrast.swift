// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

// The colors behind a text at the last evaluated time.
extension Prover {
  /// The contrast of a text.
  enum Contrast {
    /// The lowest ratio, with a sentence about the background.
    case ratio(Double, String)
    /// The lowest ratio on any background, with the name of the text's background, whose color is
    /// unknown.
    case least(Double, String)
    /// The color of the text or of its background is unknown.
    case unknown(Proof.Reason)

    /// Returns the lower of two contrasts; an unknown contrast can be the lowest.
    func lower(_ other: Contrast) -> Contrast {
      switch (self, other) {
      case (.unknown, _): self
      case (_, .unknown): other
      case (.ratio(let a, _), .ratio(let b, _)), (.ratio(let a, _), .least(let b, _)),
        (.least(let a, _), .least(let b, _)), (.least(let a, _), .ratio(let b, _)):
        a <= b ? self : other
      }
    }
  }

  /// Returns the lowest contrast of a text, or of the captions that are shown, to the background;
  /// `nil` if nothing is drawn. The opacities of the text and of its groups do not count, so that
  /// they can fade in.
  func contrast(of subject: Int, at time: Ticks) -> Contrast? {
    let trails = expectations.subjects[subject].trails.filter { isAlive($0, at: time) }
    if isCaptions(subject) {
      return trails.flatMap { texts(under: $0, at: time) }
        .compactMap { contrast(ofText: $0, at: time) }
        .reduce(nil) { lowest, next in lowest?.lower(next) ?? next }
    }
    let first = trails.count > 1 ? firstPainted(of: trails, at: time) : trails.first
    return first.flatMap { contrast(ofText: $0, at: time) }
  }

  /// Returns whether a subject is a `captions` element.
  func isCaptions(_ subject: Int) -> Bool {
    expectations.subjects[subject].trails.first.flatMap(element)?.isCaptions ?? false
  }

  private func contrast(ofText trail: [Int], at time: Ticks) -> Contrast? {
    let path = elements(along: trail)
    guard let (element, place) = path.last,
      case .text(let text, let paints, _, let units) = element.drawing,
      let box = letterBox(of: element, in: place)
    else { return nil }
    for step in path {
      if let effect = effect(on: step.element) { return .unknown(.effect(effect)) }
    }
    let clips = path.reduce(Cut()) { cut($0, by: $1.element, in: $1.place) }
    let visible = clips.visible(box)
    let target = ContrastTarget(
      time: time, trail: trail, box: visible.isEmpty ? box : visible)
    var behind = Backings()
    switch model.background {
    case .color(let color)?: behind = Backings(evaluator.color(color), "the background")
    case nil: behind = Backings(.black, "the background")
    default: behind.unknown = "the background of the scene"
    }
    _ = add(model.elements, in: outermost, cut: Cut(), under: [], of: target, to: &behind)
    if let lines = element.lineBoxes {
      let covers = boxes.areBehindGlyphs(of: element, evaluator)
      add(lines, "its box", covers: covers, to: &behind)
    }
    return inks(of: text, paints, units, under: map(of: element, in: place)).map {
      contrast(of: $0, to: behind)
    }
    .reduce(nil) { lowest, next in lowest?.lower(next) ?? next }
  }

  /// Returns the trails of the texts of an element that are alive.
  private func texts(under trail: [Int], at time: Ticks) -> [[Int]] {
    guard let element = element(at: trail), isShown(element, at: time) else { return [] }
    if case .text = element.drawing { return [trail] }
    return element.children.indices.flatMap { texts(under: trail + [$0], at: time) }
  }

  private func firstPainted(of trails: [[Int]], at time: Ticks) -> [Int]? {
    painted(at: time).first { trails.contains($0.trail) }?.trail
  }

  /// A text whose background is searched, and the part of its box that its clips leave visible.
  private struct ContrastTarget {
    let time: Ticks
    let trail: [Int]
    let box: Rect
  }

  /// Adds the elements that are painted before a text. Returns whether the text was reached.
  private func add(
    _ elements: [ElementModel], in place: Place, cut: Cut, under trail: [Int],
    of target: ContrastTarget, to behind: inout Backings
  ) -> Bool {
    for index in paintingOrder(elements, at: target.time) {
      let element = elements[index]
      let trail = trail + [index]
      if trail == target.trail {
        addBackdrop(of: element, in: place, cut: cut, of: target, to: &behind)
        return true
      }
      if target.trail.starts(with: trail) {
        // The clips, the mask and the opacity of the group also apply to the text.
        return addContents(of: element, in: place, cut: cut, under: trail, of: target, to: &behind)
      }
      add(element, in: place, cut: cut, under: trail, of: target, to: &behind)
    }
    return false
  }

  /// Adds an element that does not contain the text.
  private func add(
    _ element: ElementModel, in place: Place, cut: Cut, under trail: [Int],
    of target: ContrastTarget, to behind: inout Backings
  ) {
    let opacity = max(0, min(1, evaluator(element.opacity)))
    if opacity <= 0 { return }
    let cut = self.cut(cut, by: element, in: place)
    let keepsColors = element.style.mask == nil && effect(on: element) == nil
    if opacity >= 1, keepsColors {
      _ = addContents(of: element, in: place, cut: cut, under: trail, of: target, to: &behind)
      return
    }
    // The element is composited as a whole.
    var layer = Backings(Color(red: 0, green: 0, blue: 0, alpha: 0), "")
    _ = addContents(of: element, in: place, cut: cut, under: trail, of: target, to: &layer)
    if keepsColors {
      behind.add(layer, opacity: opacity)
    } else if !layer.isClear {
      behind.unknown = name(of: element)
    }
  }

  /// Adds an element's own drawing and its children. Returns whether the text was reached.
  private func addContents(
    of element: ElementModel, in place: Place, cut: Cut, under trail: [Int],
    of target: ContrastTarget, to behind: inout Backings
  ) -> Bool {
    addBackdrop(of: element, in: place, cut: cut, of: target, to: &behind)
    addDrawing(of: element, in: place, cut: cut, of: target, to: &behind)
    if element.drawing.isParticles { return false }
    return add(
      element.children, in: self.place(in: element, place), cut: cut, under: trail, of: target,
      to: &behind)
  }

  /// Returns the name of an effect that changes the colors of an element and its contents; `nil` if
  /// there is none.
  private func effect(on element: ElementModel) -> String? {
    let style = element.style
    if style.crossing != nil { return "a transition" }
    if style.blend != .normal { return "the blend mode of \(name(of: element))" }
    // A loop does not copy the prover, unlike a closure that refers to it.
    for filter in style.filters where !isNeutral(filter) {
      return "a filter of \(name(of: element))"
    }
    return nil
  }

  private func isNeutral(_ filter: FilterModel) -> Bool {
    switch filter {
    case .blur(let radius): evaluator(radius) <= 0
    case .color(let kind, let amount): evaluator(amount) == evaluator(kind.neutral)
    case .table, .chromaKey, .pixels: false
    }
  }

  /// The fraction of a text that a drawing must hide to count as its background.
  private static let coveringShare = 0.9
  /// The fraction of a text below which a drawing behind it is ignored.
  private static let ignoredShare = 0.1

  /// Marks the colors as unknown if an element filters its backdrop, which is behind the text, too.
  private func addBackdrop(
    of element: ElementModel, in place: Place, cut: Cut, of target: ContrastTarget,
    to behind: inout Backings
  ) {
    guard let backdrop = element.style.backdrop, !backdrop.filters.allSatisfy(isNeutral) else {
      return
    }
    let bounds = map(of: element, in: place)?.apply(evaluator.bounds(backdrop.outline))
    // A perspective distorts the outline.
    guard let bounds else { return behind.unknown = "the backdrop of \(name(of: element))" }
    if cut.visible(bounds).intersection(target.box).area > 0 {
      behind.unknown = "the backdrop of \(name(of: element))"
    }
  }

  private func add(
    _ boxes: LineBoxesModel, _ name: String, covers: Bool, to behind: inout Backings
  ) {
    guard case .color(let model) = boxes.paint else { return behind.unknown = name }
    let color = evaluator.color(model)
    if color.alpha > 0 { behind.add(color, name, covers: covers) }
  }

  /// Adds an element's own drawing if it covers a substantial part of the text. Its color is
  /// unknown if the drawing is not a plain color.
  private func addDrawing(
    of element: ElementModel, in place: Place, cut: Cut, of target: ContrastTarget,
    to behind: inout Backings
  ) {
    guard let box = ownBox(of: element, in: place) else { return }
    let share =
      cut.visible(box).intersection(target.box).area / max(1e-9, target.box.area)
    guard share >= Prover.ignoredShare else { return }
    // A short line can leave other parts of the text uncovered.
    if let boxes = element.lineBoxes {
      add(boxes, name(of: element), covers: false, to: &behind)
    }
    switch element.drawing {
    case .nothing, .text, .arrow, .outline(_, nil, _, _, _, _): break
    case .outline(let outline, .color(let model)?, _, _, _, _):
      let color = evaluator.color(model)
      if color.alpha <= 0 { return }
      let shapes = cut.shapes + [Shape(outline: outline, map: map(of: element, in: place))]
      let part: Rect? = shapes.reduce(target.box) { box, shape in
        box.flatMap { self.part(of: $0, in: shape) }
      }
      let covers = part.map { $0.area >= Prover.coveringShare * target.box.area } ?? false
      behind.add(color, name(of: element), covers: covers)
    case .outline, .image, .clip, .particles: behind.unknown = name(of: element)
    }
  }
}

/// A color behind a text, with the topmost drawing that contributes to it.
struct Backing {
  let color: Color
  let name: String
}

/// The colors behind a text, from back to front.
struct Backings {
  /// The maximum number of colors behind one text.
  private static let mostColors = 16

  private(set) var list: [Backing] = []
  /// The name of a background without a single color.
  var unknown: String?

  init() {}

  init(_ color: Color, _ name: String) { list = [Backing(color: color, name: name)] }

  /// Whether all colors are known to be fully transparent.
  var isClear: Bool { unknown == nil && list.allSatisfy { $0.color.alpha <= 0 } }

  /// Adds a color in front of the others, or of a part of them.
  mutating func add(_ color: Color, _ name: String, covers: Bool) {
    if covers, color.alpha >= 1 {
      (list, unknown) = ([Backing(color: color, name: name)], nil)
      return
    }
    let mixed = list.map { Backing(color: color.over($0.color), name: name) }
    list = covers ? mixed : list + mixed
    limit(name)
  }

  /// Adds a layer of colors in front of the others.
  mutating func add(_ layer: Backings, opacity: Double) {
    if opacity <= 0 { return }
    unknown = layer.unknown ?? unknown
    list = list.flatMap { back in
      layer.list.map { front in
        var color = front.color
        color.alpha *= opacity
        return color.alpha > 0 ? Backing(color: color.over(back.color), name: front.name) : back
      }
    }
    limit(layer.list.last?.name ?? "")
  }

  /// Marks the colors as unknown if there are too many. Each layer that covers a part of the text
  /// doubles their number.
  private mutating func limit(_ name: String) {
    if list.count > Backings.mostColors { (list, unknown) = ([], name) }
  }
}

extension Color {
  /// Returns this color composited over `other`.
  func over(_ other: Color) -> Color {
    let below = other.alpha * (1 - alpha)
    let whole = alpha + below
    if whole <= 0 { return other }
    func mixed(_ a: Double, _ b: Double) -> Double { (a * alpha + b * below) / whole }
    return Color(
      red: mixed(red, other.red), green: mixed(green, other.green), blue: mixed(blue, other.blue),
      alpha: whole)
  }
}
