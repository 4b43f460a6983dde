// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel

// Texts and formulas that leave the canvas or the safe area.
extension Composition {
  /// Returns whether a text or formula leaves the canvas or touches its edge, and records it.
  mutating func isCut(
    _ shown: Shown, kind: String, by canvas: Rect, at time: Ticks
  ) -> Bool {
    let inside = shown.box.intersection(canvas)
    if shown.opacity < 0.99 || inside.isEmpty { return false }
    // For an element at rest this is an error. A moving element may be fully visible at another
    // time.
    let isNew = found[shown.element.span] == nil && cuts.count < 200
    if inside.area < shown.box.area * 0.98 {
      guard isNew else { return true }
      cuts.append(
        CutText(
          shown: shown, time: time, code: .textOffCanvas,
          message: "this \(kind) leaves the canvas",
          label: "only part of it is visible", area: canvas, share: 0.98))
      return true
    }
    let safe = canvas.inset(canvas.width * 0.035, canvas.height * 0.035)
    if inside.intersection(safe).area < inside.area * 0.9 || touchesEdge(shown, canvas) {
      guard isNew else { return true }
      cuts.append(
        CutText(
          shown: shown, time: time, code: .outsideSafeArea,
          message: "this \(kind) is outside the safe area",
          label: "screens and player controls can cover it; keep 3.5% of each side free",
          area: safe, share: 0.9))
      return true
    }
    return false
  }

  /// Returns whether ink is within 1% of an edge of the canvas. Comparing areas would miss a text
  /// that fills the canvas from edge to edge.
  private func touchesEdge(_ shown: Shown, _ canvas: Rect) -> Bool {
    let inner = canvas.inset(canvas.width * 0.01, canvas.height * 0.01)
    func leaves(_ box: Rect) -> Bool {
      box.x < inner.x || box.y < inner.y || box.maxX > inner.maxX || box.maxY > inner.maxY
    }
    // The box of a text includes space above and below its letters.
    return leaves(shown.box) && leaves(ink(of: shown))
  }

  /// Checks the position of a formula, whose glyphs may belong to its parts.
  mutating func judgeFormula(
    _ element: ElementModel, at time: Ticks, opacity: Double, under map: Affine, canvas: Rect,
    groundCount: Int
  ) {
    textCount += 1 + element.children.count
    guard textCount <= Composition.greatestTexts,
      let box = formulaBounds(of: element, at: time).map(map.apply), box.isFinite, box.area > 0
    else { return }
    let shown = Shown(
      element: element, box: box, opacity: opacity, map: map, trail: trail,
      groundCount: groundCount)
    _ = isCut(shown, kind: "formula", by: canvas, at: time)
  }

  /// Returns bounds of the glyphs of a formula and its parts, in the coordinates of the formula;
  /// `nil` if nothing is drawn.
  func formulaBounds(of element: ElementModel, at time: Ticks) -> Rect? {
    boxes.formulaBounds(of: element, at: time, evaluator)
  }
}

extension ElementModel {
  /// Whether this is a formula, whose glyphs are outlines of the element and its children.
  var isFormula: Bool { kind == ElementKind.math.rawValue }
}

extension Color {
  /// Returns the contrast ratio of WCAG 2.2, 1…21, for opaque colors.
  func contrast(with other: Color) -> Double {
    let (a, b) = (luminance, other.luminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }
}
