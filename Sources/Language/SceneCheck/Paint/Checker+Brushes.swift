// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// A brush with the paint that replaces the colors of its images.
struct BrushStroke {
  var brush: BrushModel
  let paint: PaintModel?
}

extension Checker {
  /// Returns the brush of a stroke, or `nil` after errors.
  func brushStroke(
    _ value: BrushValue, at span: SourceSpan, in box: BoxModel?, of i: ElementNode, now: Scalar
  ) -> BrushStroke? {
    let width = length(.strokeWidth, of: i, now: now)
    var spacing = width
    if let given = value.spacing {
      guard let length = asLength(given, span, of: width) else { return nil }
      let isValid = check(
        [length], "the 'spacing' of a brush", in: .above(0), at: span,
        help: "write a length in pixels, such as 40, or a percentage of 'stroke-width'")
      guard isValid else { return nil }
      spacing = length
    }
    let seed = builder.add(value.seed, .constant(scene(of: i).seed * Checker.seedOfScene))
    let rendering = imageRendering(of: i)
    var brush = BrushModel(
      value.images.map { $0.rendered(rendering) }, spacing: spacing, isTurned: value.isTurned,
      angle: value.angle,
      jitter: value.jitter, seed: seed)
    guard let color = value.color, !isNone(color) else {
      return BrushStroke(brush: brush, paint: nil)
    }
    guard let paint = paint(color, at: span, in: box, of: i, now: now) else { return nil }
    brush.isTinted = true
    return BrushStroke(brush: brush, paint: paint)
  }

  private func isNone(_ value: Value) -> Bool { if case .none = value { true } else { false } }
}
