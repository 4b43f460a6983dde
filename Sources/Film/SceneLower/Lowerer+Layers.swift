// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

extension Lowerer {
  /// The maximum standard deviation of a blur, in pixels.
  private static let widestBlur = 500.0

  /// Applies the backdrop filters, filters, clips, mask, shadow, opacity and blend mode of an
  /// element.
  func styled(
    _ body: [DrawOp], as element: ElementModel, opacity: Double, in view: View
  ) -> [DrawOp] {
    let glass = self.glass(of: element, in: view)
    if glass.isEmpty {
      return body.isEmpty ? [] : layered(body, as: element, opacity: opacity, in: view)
    }
    let front = body.isEmpty ? [] : layered(body, as: element, opacity: 1, in: view)
    return opacity < 1 ? faded(glass + front, opacity) : glass + front
  }

  /// Returns the filtered backdrop of an element.
  private func glass(of element: ElementModel, in view: View) -> [DrawOp] {
    guard let model = element.style.backdrop, let outline = evaluator.outline(model.outline),
      outline.bounds.isDrawable
    else { return [] }
    let filters = model.filters.map(filter).filter { !$0.isIdentity }
    return filters.isEmpty ? [] : cut([.backdrop(filters, outline)], element, in: view)
  }

  /// Applies the clips and the mask of an element.
  private func cut(_ body: [DrawOp], _ element: ElementModel, in view: View) -> [DrawOp] {
    var body = body
    for clip in element.style.clips {
      guard let outline = evaluator.outline(clip), outline.bounds.isDrawable else { return [] }
      body = [.clipped(outline, body: body)]
    }
    guard let mask = element.style.mask else { return body }
    let drawn = inside(element, mask.elements, in: view)
    if drawn.isEmpty, !mask.style.isInverted { return [] }
    return [.masked(mask.style, mask: drawn, body: body)]
  }

  /// Applies filters, clips, mask, shadow, opacity and blend mode.
  private func layered(
    _ body: [DrawOp], as element: ElementModel, opacity: Double, in view: View
  ) -> [DrawOp] {
    let model = element.style
    var body = body
    var style = LayerStyle()
    style.light = model.light
    style.filters = model.filters.map(filter).filter { !$0.isIdentity }
    if style.filters.contains(where: \.dependsOnPosition),
      let box = model.extended.flatMap({ evaluator.outline($0) })?.bounds,
      box.isDrawable
    {
      style.extended = box
    }
    if !style.filters.isEmpty, !model.clips.isEmpty || model.mask != nil {
      body = [.layer(style, body: body)]
      (style.filters, style.extended) = ([], nil)
    }
    body = cut(body, element, in: view)
    if body.isEmpty { return [] }
    style.shadow = model.shadow.map { shadow in
      Shadow(
        offset: evaluator.point(shadow.offset),
        deviation: bounded(evaluator(shadow.blur) / 2), color: evaluator.color(shadow.color))
    }
    if let shadow = style.shadow {
      // A shadow with a very large offset is invisible.
      let isNear = max(abs(shadow.offset.x), abs(shadow.offset.y)) < 100_000
      if shadow.color.alpha == 0 || !isNear { style.shadow = nil }
    }
    style.opacity = min(1, opacity)
    style.blend = model.blend
    if style.light == .linear { makeOpaque(&body, &style) }
    if style == LayerStyle() {
      let isApart = model.isIsolated && body.contains(where: \.blendsWithBackdrop)
      return isApart ? [.layer(style, body: body)] : body
    }
    if style == LayerStyle(opacity: style.opacity) { return faded(body, style.opacity) }
    return [.layer(style, body: body)]
  }

  /// Moves the alpha of a single color to the opacity of its layer, which is not rounded to 8 bits.
  private func makeOpaque(_ body: inout [DrawOp], _ style: inout LayerStyle) {
    let hasBlursOnly = style.filters.allSatisfy { if case .blur = $0 { true } else { false } }
    guard hasBlursOnly, style.shadow == nil, body.count == 1,
      case .fill(let outline, .color(var color)) = body[0], color.alpha > 0, color.alpha < 1
    else { return }
    style.opacity *= color.alpha
    color.alpha = 1
    body = [.fill(outline, .color(color))]
  }

  /// Clamps a standard deviation to the supported range.
  func bounded(_ deviation: Double) -> Double {
    deviation > 0 ? min(deviation, Lowerer.widestBlur) : 0
  }

  private func filter(_ model: FilterModel) -> Filter {
    switch model {
    case .blur(let deviation): return .blur(bounded(evaluator(deviation)))
    case .table(let table): return .table(table)
    case .pixels(let model): return .pixels(function(model))
    case .chromaKey(let color, let tolerance, let softness):
      return .chromaKey(
        evaluator.color(color), tolerance: max(0, evaluator(tolerance)),
        softness: max(0, evaluator(softness)))
    case .color(let kind, let scalar):
      let given = evaluator(scalar)
      let amount = given.isFinite ? given : 1
      switch kind {
      case .brightness: return .matrix(.brightness(amount))
      case .contrast: return .matrix(.contrast(amount))
      case .saturate: return .matrix(.saturate(amount))
      case .grayscale: return .matrix(.grayscale(amount))
      case .invert: return .matrix(.invert(amount))
      case .sepia: return .matrix(.sepia(amount))
      case .hueRotate: return .matrix(.hueRotate(amount))
      }
    }
  }

  /// Applies an opacity: to the paint of a single simple op, else by a layer.
  func faded(_ body: [DrawOp], _ opacity: Double) -> [DrawOp] {
    if body.count == 1 {
      switch body[0] {
      case .fill(let outline, let paint): return [.fill(outline, paint.faded(opacity))]
      case .stroke(let outline, let style, let paint):
        return [.stroke(outline, style, paint.faded(opacity))]
      case .text(let block, let paints, let at, let units)
      where paints.allSatisfy({ $0.stroke == nil }) && units?.isWritten != true:
        let faded = paints.map { TextPaint(fill: $0.fill?.faded(opacity)) }
        return [.text(block, paints: faded, at: at, units: units)]
      default: break
      }
    }
    return [.layer(opacity: opacity, body: body)]
  }
}
