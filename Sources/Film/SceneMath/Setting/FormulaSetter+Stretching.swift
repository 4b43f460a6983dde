// SPDX-License-Identifier: MIT
import SceneGraphics

// Stretchy glyphs: brackets, roots, braces.
extension FormulaSetter {
  /// Returns a character stretched to at least `length`, from size variants or an assembly. The box
  /// has the ink bounds across the stretch direction.
  mutating func stretched(
    _ scalar: Unicode.Scalar, to length: Double, side: StretchSide, in style: SetStyle,
    at range: Range<Int>
  ) -> FormulaBox {
    form(of: scalar, length: length, side: side, in: style, at: range).standing(for: scalar)
  }

  private mutating func form(
    of scalar: Unicode.Scalar, length: Double, side: StretchSide, in style: SetStyle,
    at range: Range<Int>
  ) -> FormulaBox {
    let plain = glyph(scalar, in: style, at: range)
    guard let base = font.glyph(of: scalar) else { return plain }
    let scale = size(style)
    let wanted = length / scale
    let forms = font.variants(of: base, side)
    if forms.isEmpty, extent(plain, side) >= length { return plain }
    if let form = forms.first(where: { $0.length >= wanted }) {
      return box(of: form.glyph, scale, range)
    }
    let parts = font.assembly(of: base, side)
    guard !parts.isEmpty else {
      return forms.last.map { box(of: $0.glyph, scale, range) } ?? plain
    }
    return built(from: parts, length: wanted, side: side, scale: scale, at: range)
  }

  private func extent(_ box: FormulaBox, _ side: StretchSide) -> Double {
    side == .vertical ? box.height + box.depth : box.width
  }

  /// Assembles parts to a length, with as many repetitions as needed and adjusted overlaps
  /// (OpenType 1.9, "GlyphAssembly table").
  func built(
    from parts: [GlyphPart], length wanted: Double, side: StretchSide, scale: Double,
    at range: Range<Int>
  ) -> FormulaBox {
    let overlap = max(0, font.constant(.minConnectorOverlap))
    var repeats = 0
    var line: [GlyphPart] = []
    var longest = 0.0
    repeat {
      line = parts.flatMap { Array(repeating: $0, count: $0.isExtender ? repeats : 1) }
      longest = line.reduce(0) { $0 + $1.length } - overlap * Double(max(0, line.count - 1))
      repeats += 1
    } while longest < wanted && repeats < 200 && parts.contains(where: \.isExtender)
    // The excess is removed by larger overlaps, within the limits of the connectors.
    var excess = max(0, longest - wanted)
    var joints: [Double] = []
    for (before, after) in zip(line, line.dropFirst()) {
      joints.append(max(overlap, min(before.endConnector, after.startConnector)) - overlap)
    }
    let slack = joints.reduce(0, +)
    excess = min(excess, slack)
    var box = FormulaBox()
    var shapes: [FormulaPiece.Shape] = []
    var at = 0.0
    var across = (low: 0.0, high: 0.0)
    for (index, part) in line.enumerated() {
      let it = font.metrics(of: part.glyph)
      // Aligns the start of the ink with the start of the part.
      let place = side == .vertical ? Point(0, at - it.bottom) : Point(at - it.left, 0)
      shapes.append(.glyph(part.glyph, place))
      let reach = side == .vertical ? (0.0, it.advance) : (it.bottom, it.top)
      across = index == 0 ? reach : (min(across.low, reach.0), max(across.high, reach.1))
      at += part.length
      if index < joints.count {
        at -= overlap + (slack > 0 ? joints[index] / slack * excess : 0)
      }
    }
    if side == .vertical {
      (box.width, box.height) = (across.high * scale, at * scale)
    } else {
      (box.width, box.height, box.depth) = (at * scale, across.high * scale, -across.low * scale)
    }
    box.pieces = [FormulaPiece(shapes: shapes, origin: .zero, scale: scale, range: range)]
    return box
  }

  // MARK: Brackets

  mutating func fenced(
    left: Bracket?, parts: [FencedPart], right: Bracket?, in style: SetStyle
  ) -> FormulaBox {
    var boxes: [FormulaBox?] = []
    var height = 0.0
    var depth = 0.0
    for part in parts {
      guard case .nodes(let nodes) = part else {
        boxes.append(nil)
        continue
      }
      let box = row(nodes, style)
      height = max(height, box.height)
      depth = max(depth, box.depth)
      boxes.append(box.plain)
    }
    let length = bracketLength(height: height, depth: depth, in: style)
    var box = bracket(left, length: length, in: style)
    for (part, inner) in zip(parts, boxes) {
      if let inner {
        box.append(inner)
      } else if case .middle(let middle) = part {
        box.append(bracket(middle, length: length, in: style))
      }
    }
    box.append(bracket(right, length: length, in: style))
    return box.plain
  }

  /// Returns the box with brackets on both sides.
  mutating func fenced(left: Bracket?, inner: FormulaBox, right: Bracket?, in style: SetStyle)
    -> FormulaBox
  {
    let length = bracketLength(height: inner.height, depth: inner.depth, in: style)
    var box = bracket(left, length: length, in: style)
    box.append(inner)
    box.append(bracket(right, length: length, in: style))
    return box.plain
  }

  /// Returns the length of brackets around content (The TeXbook, rule 19, with the values of
  /// LaTeX).
  private func bracketLength(height: Double, depth: Double, in style: SetStyle) -> Double {
    let half = max(height - axis(style), depth + axis(style))
    return max(2 * half * 0.901, 2 * half - 0.5)
  }

  private mutating func bracket(_ it: Bracket?, length: Double, in style: SetStyle) -> FormulaBox {
    guard let it else { return .space(FormulaSetter.nullSpace) }
    return centered(
      stretched(it.scalar, to: length, side: .vertical, in: style, at: it.range), style
    ).plain
  }

  // MARK: Fractions

  mutating func fraction(_ it: Fraction, in around: SetStyle, at range: Range<Int>) -> FormulaBox {
    var style = around
    if let level = it.style { style.level = level }
    var upper = row([it.upper], style.numerator).plain.acting(as: .numerator)
    var lower = row([it.lower], style.numerator.cramped).plain.acting(as: .denominator)
    let width = max(upper.width, lower.width)
    (upper, lower) = (upper.centered(in: width), lower.centered(in: width))
    let isDisplay = style.isDisplay
    let axis = self.axis(style)
    var box = FormulaBox(width: width)
    var up: Double
    var down: Double
    if it.hasRule {
      let thickness = constant(.fractionRuleThickness, style)
      up = constant(
        isDisplay ? .fractionNumeratorDisplayStyleShiftUp : .fractionNumeratorShiftUp, style)
      down = constant(
        isDisplay ? .fractionDenominatorDisplayStyleShiftDown : .fractionDenominatorShiftDown,
        style)
      let over = constant(
        isDisplay ? .fractionNumDisplayStyleGapMin : .fractionNumeratorGapMin, style)
      let under = constant(
        isDisplay ? .fractionDenomDisplayStyleGapMin : .fractionDenominatorGapMin, style)
      up = max(up, upper.depth + axis + thickness / 2 + over)
      down = max(down, lower.height - axis + thickness / 2 + under)
      var line = rule(width: width, thickness: thickness, at: range)
      line.origin.y = axis - thickness / 2
      box.pieces.append(line)
    } else {
      up = constant(isDisplay ? .stackTopDisplayStyleShiftUp : .stackTopShiftUp, style)
      down = constant(
        isDisplay ? .stackBottomDisplayStyleShiftDown : .stackBottomShiftDown, style)
      let gap = constant(isDisplay ? .stackDisplayStyleGapMin : .stackGapMin, style)
      let lacking = gap - ((up - upper.depth) - (lower.height - down))
      if lacking > 0 {
        up += lacking / 2
        down += lacking / 2
      }
    }
    box.cover(upper, x: 0, y: up)
    box.cover(lower, x: 0, y: -down)
    return fencedFraction(it, box: box, in: style, at: range)
  }

  private mutating func fencedFraction(
    _ it: Fraction, box: FormulaBox, in style: SetStyle, at range: Range<Int>
  ) -> FormulaBox {
    var whole = FormulaBox()
    let length = (style.isDisplay ? 2.4 : 1.01) * size(style)
    func end(_ scalar: Unicode.Scalar?) -> Bracket? {
      scalar.map { Bracket(scalar: $0, range: range) }
    }
    whole.append(bracket(end(it.left), length: length, in: style))
    whole.append(box)
    whole.append(bracket(end(it.right), length: length, in: style))
    return whole
  }

  // MARK: Roots

  mutating func root(
    of body: MathNode, degree: MathNode?, in style: SetStyle, at range: Range<Int>
  ) -> FormulaBox {
    let inner = row([body], style.cramped).plain
    let thickness = constant(.radicalRuleThickness, style)
    var gap = constant(
      style.isDisplay ? .radicalDisplayStyleVerticalGap : .radicalVerticalGap, style)
    let total = inner.height + inner.depth + gap + thickness
    var sign = stretched("√", to: total, side: .vertical, in: style, at: range)
    let length = sign.height + sign.depth
    if length > total { gap += (length - total) / 2 }
    // The top of the sign aligns with the top of the rule.
    let top = inner.height + gap + thickness
    let shift = top - sign.height
    var box = FormulaBox()
    if let degree { hang(degree, on: sign, bottom: shift - sign.depth, in: style, box: &box) }
    let start = box.width
    if !sign.pieces.isEmpty {
      let bar = Rect(
        x: sign.width / sign.pieces[0].scale, y: (top - thickness - shift) / sign.pieces[0].scale,
        width: inner.width / sign.pieces[0].scale, height: thickness / sign.pieces[0].scale)
      sign.pieces[0].shapes.append(.rule(bar))
    }
    box.cover(sign, x: start, y: shift)
    box.cover(inner, x: start + sign.width, y: 0)
    box.width = start + sign.width + inner.width
    box.height = max(box.height, top + constant(.radicalExtraAscender, style))
    return box
  }

  /// Adds the degree of a root, raised above the bottom of the sign.
  private mutating func hang(
    _ degree: MathNode, on sign: FormulaBox, bottom: Double, in style: SetStyle,
    box: inout FormulaBox
  ) {
    let small = row([degree], SetStyle(level: .scriptScript, isCramped: style.isCramped)).plain
    let share = font.constant(.radicalDegreeBottomRaisePercent) / 100
    let raise = bottom + share * (sign.height + sign.depth) + small.depth
    let before = constant(.radicalKernBeforeDegree, style)
    let after = constant(.radicalKernAfterDegree, style)
    box.cover(small, x: max(0, before), y: raise)
    box.width = max(0, before + small.width + max(after, -(before + small.width)))
  }
}
