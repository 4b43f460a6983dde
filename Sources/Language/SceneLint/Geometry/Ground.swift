// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

/// A drawing behind or above others. Its color is evaluated only if it matters.
struct Ground {
  let box: Rect
  /// The element, or `nil` for the background of the scene.
  let element: ElementModel?
  let opacity: Double
  /// The map to the canvas; `nil` for an element in space.
  let map: Affine?

  /// Returns the color of the ground if it is a solid color behind nearly all of a box; otherwise,
  /// `nil`.
  func color(behind box: Rect, _ model: SceneModel, _ evaluator: Evaluator) -> Color? {
    if let element, !element.style.filters.isEmpty { return nil }
    if case .outline(let outline, .color(let color)?, _, _, _, _)? = element?.drawing {
      switch outline {
      case .ellipse, .path:
        guard let element, opacity >= 1, element.style.keepsOpacity, element.isOpaque(evaluator),
          let inverse = map?.inverted
        else { return nil }
        let corners = [
          Point(box.x, box.y), Point(box.maxX, box.y), Point(box.x, box.maxY),
          Point(box.maxX, box.maxY),
        ]
        let covers = outline.containsMiddles(of: corners.map(inverse.apply)) { evaluator($0) }
        return covers == true ? evaluator.color(color) : nil
      default: break
      }
    }
    guard let color = paint(model, evaluator).color,
      self.box.intersection(box).area >= box.area * 0.9
    else { return nil }
    return color
  }

  /// Returns the color of the ground, or `nil` if it is not a solid color, and whether the ground
  /// is opaque.
  func paint(_ model: SceneModel, _ evaluator: Evaluator) -> (color: Color?, isOpaque: Bool) {
    guard let element else {
      guard case .color(let color)? = model.background else { return (nil, true) }
      return (evaluator.color(color), true)
    }
    guard opacity >= 1, element.style.keepsOpacity, element.isOpaque(evaluator) else {
      return (nil, false)
    }
    switch element.drawing {
    case .outline(.rect, .color(let color)?, _, _, _, _): return (evaluator.color(color), true)
    case .outline(.rect, _, _, _, _, _), .clip: return (nil, true)
    default: return (nil, false)
    }
  }
}

extension ElementModel {
  /// Returns whether the element's own drawing is known to hide everything behind it, apart from
  /// its opacity and its effects.
  func isOpaque(_ evaluator: Evaluator) -> Bool {
    switch drawing {
    case .outline(_, let fill?, _, nil, _, nil): fill.isOpaque(evaluator)
    case .clip(let clip, _, _): !clip.pictures.format.hasAlpha || clip.reading.alpha == .none
    default: false
    }
  }
}

extension PaintModel {
  /// Returns whether the paint is known to be opaque everywhere.
  func isOpaque(_ evaluator: Evaluator) -> Bool {
    switch self {
    case .color(let color): evaluator.color(color).alpha >= 1
    case .linear(_, _, let stops, _), .radial(_, _, let stops, _), .conic(_, _, let stops, _):
      stops.allSatisfy { evaluator.color($0.color).alpha >= 1 }
    case .pattern: false
    case .pixels(let model): model.program.isOpaque
    }
  }
}
