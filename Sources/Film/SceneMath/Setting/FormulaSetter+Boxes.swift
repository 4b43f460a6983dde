// SPDX-License-Identifier: MIT
import SceneGraphics

// Frames, strikes, laps, explicit rules, and arrows with labels.
extension FormulaSetter {
  /// The rule of a frame and the space inside it, and the rule of a strike: 0.4 pt and 3 pt at
  /// 10 pt in LaTeX.
  private static let frameRule = 0.04
  private static let frameSpace = 0.3
  private static let strikeRule = 0.05

  mutating func decorated(
    _ decoration: Decoration, _ body: MathNode, in style: SetStyle, at range: Range<Int>
  ) -> FormulaBox {
    var box = set(body, style).plain
    switch decoration {
    case .frame: return framed(box, at: range)
    case .strike(let lines): return struck(box, lines, in: style, at: range)
    case .phantom(let isWide, let isHigh):
      box.pieces = []
      if !isWide { box.width = 0 }
      if !isHigh { (box.height, box.depth) = (0, 0) }
    case .smash(let top, let bottom):
      if top { box.height = 0 }
      if bottom { box.depth = 0 }
    case .lap(let column):
      var it = FormulaBox(width: 0, height: box.height, depth: box.depth)
      let shift: Double =
        switch column {
        case .left: 0
        case .center: box.width / 2
        case .right: box.width
        }
      it.put(box, x: -shift, y: 0)
      return it
    case .raise(let height):
      var it = FormulaBox(width: box.width)
      it.cover(box, x: 0, y: height * size(style))
      return it
    }
    return box
  }

  private func framed(_ inner: FormulaBox, at range: Range<Int>) -> FormulaBox {
    let rule = FormulaSetter.frameRule
    let edge = rule + FormulaSetter.frameSpace
    var box = FormulaBox(
      width: inner.width + 2 * edge, height: inner.height + edge, depth: inner.depth + edge)
    let total = box.height + box.depth
    let sides = [
      Rect(x: 0, y: 0, width: box.width, height: rule),
      Rect(x: 0, y: total - rule, width: box.width, height: rule),
      Rect(x: 0, y: rule, width: rule, height: total - 2 * rule),
      Rect(x: box.width - rule, y: rule, width: rule, height: total - 2 * rule),
    ]
    box.pieces = [
      FormulaPiece(
        shapes: sides.map { .rule($0) }, origin: Point(0, -box.depth), scale: 1, range: range)
    ]
    box.put(inner, x: edge, y: 0)
    return box
  }

  private func struck(
    _ inner: FormulaBox, _ lines: [Decoration.Strike], in style: SetStyle, at range: Range<Int>
  ) -> FormulaBox {
    var box = inner
    let reach = 0.08 * size(style)
    let (low, high) = (-inner.depth - reach, inner.height + reach)
    let thickness = FormulaSetter.strikeRule * size(style)
    for line in lines {
      let level = 0.23 * size(style)
      let (from, to): (Double, Double) =
        switch line {
        case .rising: (low, high)
        case .falling: (high, low)
        case .level: (level, level)
        }
      box.pieces.append(
        FormulaPiece(
          shapes: [.line(Point(0, from), Point(inner.width, to), width: thickness)],
          origin: .zero, scale: 1, range: range))
    }
    return box
  }

  func explicitRule(
    width: Double, height: Double, raise: Double, at range: Range<Int>
  ) -> FormulaBox {
    var box = FormulaBox(width: width, height: raise + height, depth: -raise)
    if width > 0, height > 0 {
      var piece = rule(width: width, thickness: height, at: range)
      piece.origin.y = raise
      box.pieces = [piece]
    }
    return box
  }

  // MARK: Arrows

  /// Returns an arrow that is as wide as its labels.
  mutating func labeledArrow(
    _ scalar: Unicode.Scalar, above: MathNode, below: MathNode?, in style: SetStyle,
    at range: Range<Int>
  ) -> FormulaBox {
    let upper = row([above], style.upper).plain
    let lower = below.map { row([$0], style.lower).plain }
    let width = max(upper.width, lower?.width ?? 0)
    let length = max(1.5 * size(style), width + 0.9 * size(style))
    let arrow = stretched(scalar, to: length, side: .horizontal, in: style, at: range).plain
    return limits(on: arrow, above: upper, below: lower, in: style)
  }

  /// Returns a body with an arrow of its width above or below.
  mutating func coveringArrow(
    _ scalar: Unicode.Scalar, on body: MathNode, isBelow: Bool, in style: SetStyle,
    at range: Range<Int>
  ) -> FormulaBox {
    var inner = row([body], isBelow ? style : style.cramped).plain
    let mark = stretched(scalar, to: inner.width, side: .horizontal, in: style.upper, at: range)
      .plain
    inner = inner.centered(in: max(inner.width, mark.width))
    let gap = 0.08 * size(style)
    inner.cover(
      mark, x: (inner.width - mark.width) / 2,
      y: isBelow ? -inner.depth - gap - mark.height : inner.height + gap + mark.depth)
    return inner
  }
}
