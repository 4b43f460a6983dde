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

  /// Returns the color of the ground, or `nil` if it is not a solid color, and whether the ground is
  /// opaque.
  func paint(_ model: SceneModel, _ evaluator: Evaluator) -> (color: Color?, isOpaque: Bool) {
    guard let drawing = element?.drawing else {
      guard case .color(let color)? = model.background else { return (nil, true) }
      return (evaluator.color(color), true)
    }
    guard case .outline(.rect, let fill?, _, _, _, _) = drawing, opacity >= 1 else {
      let isClip = if case .clip = drawing { opacity >= 1 } else { false }
      return (nil, isClip)
    }
    let isOpaque = fill.isOpaque(evaluator)
    guard isOpaque, case .color(let color) = fill else { return (nil, isOpaque) }
    return (evaluator.color(color), true)
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
