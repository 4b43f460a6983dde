// SPDX-License-Identifier: MIT
import SceneGraphics

// Scripts at the side, and above and below.
extension FormulaSetter {
  mutating func scripts(
    on base: MathNode?, lower: MathNode?, upper: MathNode?, in style: SetStyle,
    at range: Range<Int>
  ) -> FormulaBox {
    if hasLimits(base, style), let base {
      if case .brace(let scalar, let body, let isBelow) = base.kind {
        let braced = brace(scalar, on: body, isBelow: isBelow, in: style, at: base.range)
        return limits(on: braced, upper: upper, lower: lower, in: style)
      }
      return limits(on: set(base, style), upper: upper, lower: lower, in: style)
    }
    var box = base.map { set($0, style) } ?? FormulaBox()
    // Scripts of a single glyph have heights independent of the glyph; large operators count as
    // boxes.
    let isGlyph = box.glyph != nil || base == nil
    // The width of an operator includes its italic correction at the top; that of other glyphs does
    // not.
    var slant = (up: box.italic, down: 0.0)
    if case .largeOperator? = base?.kind { slant = (0, -box.italic) }
    let glyph = isGlyph ? box.glyph : nil
    box = box.plain
    let below = lower.map { row([$0], style.lower).plain.acting(as: .subscript) }
    let above = upper.map { row([$0], style.upper).plain.acting(as: .superscript) }
    let heights = shifts(of: box, isGlyph: isGlyph, below: below, above: above, in: style)
    let scale = size(style)
    var end = box.width + (above == nil && below != nil ? slant.down : 0)
    if let above {
      var x = box.width + slant.up
      x += kern(
        of: glyph, scale: scale, script: above, height: box.height, shift: heights.up, at: .topRight
      )
      box.cover(above, x: x, y: heights.up)
      end = max(end, x + above.width)
    }
    if let below {
      var x = box.width + slant.down
      if let glyph {
        x += font.kern(glyph, .bottomRight, height: -heights.down / scale) * scale
      }
      box.cover(below, x: x, y: -heights.down)
      end = max(end, x + below.width)
    }
    box.width = end + constant(.spaceAfterScript, style)
    return box
  }

  private func hasLimits(_ base: MathNode?, _ style: SetStyle) -> Bool {
    switch base?.kind {
    case .largeOperator(_, let place), .namedOperator(_, let place):
      place == .limits || place == .display && style.isDisplay
    case .brace: true
    default: false
    }
  }

  /// Returns the kerning of a script, evaluated at both ends of the shared corner.
  private func kern(
    of glyph: GlyphID?, scale: Double, script: FormulaBox, height: Double, shift: Double,
    at corner: MathCorner
  ) -> Double {
    guard let glyph else { return 0 }
    let low = font.kern(glyph, corner, height: (shift - script.depth) / scale)
    let high = font.kern(glyph, corner, height: height / scale)
    return max(low, high) * scale
  }

  /// Returns the vertical shifts of scripts (The TeXbook, rule 18).
  private func shifts(
    of box: FormulaBox, isGlyph: Bool, below: FormulaBox?, above: FormulaBox?,
    in style: SetStyle
  ) -> (up: Double, down: Double) {
    var up = isGlyph ? 0 : box.height - constant(.superscriptBaselineDropMax, style)
    var down = isGlyph ? 0 : box.depth + constant(.subscriptBaselineDropMin, style)
    if let above {
      let least = style.isCramped ? MathConstant.superscriptShiftUpCramped : .superscriptShiftUp
      up = max(up, constant(least, style), above.depth + constant(.superscriptBottomMin, style))
    }
    guard let below else { return (up, down) }
    down = max(down, constant(.subscriptShiftDown, style))
    guard let above else {
      return (up, max(down, below.height - constant(.subscriptTopMax, style)))
    }
    let gap = (up - above.depth) - (below.height - down)
    let lacking = constant(.subSuperscriptGapMin, style) - gap
    if lacking > 0 {
      down += lacking
      let rise =
        constant(.superscriptBottomMaxWithSubscript, style) - (up - above.depth)
      if rise > 0 {
        up += rise
        down -= rise
      }
    }
    return (up, down)
  }

  /// Returns the box with centered scripts above and below.
  mutating func limits(
    on body: FormulaBox, upper: MathNode?, lower: MathNode?, in style: SetStyle
  ) -> FormulaBox {
    limits(
      on: body, above: upper.map { row([$0], style.upper).plain.acting(as: .superscript) },
      below: lower.map { row([$0], style.lower).plain.acting(as: .subscript) }, in: style)
  }

  /// Returns a box with boxes above and below it, at the distances of limits.
  func limits(
    on body: FormulaBox, above: FormulaBox?, below: FormulaBox?, in style: SetStyle
  ) -> FormulaBox {
    let width = max(body.width, above?.width ?? 0, below?.width ?? 0)
    var box = body.plain.centered(in: width)
    let slant = body.italic / 2
    if let above {
      let gap = max(
        constant(.upperLimitGapMin, style),
        constant(.upperLimitBaselineRiseMin, style) - above.depth)
      box.cover(
        above, x: (width - above.width) / 2 + slant, y: body.height + gap + above.depth)
    }
    if let below {
      let gap = max(
        constant(.lowerLimitGapMin, style),
        constant(.lowerLimitBaselineDropMin, style) - below.height)
      box.cover(
        below, x: (width - below.width) / 2 - slant, y: -(body.depth + gap + below.height))
    }
    return box
  }
}
