// SPDX-License-Identifier: MIT
import SceneGraphics

// Accents, rules and braces above and below, and tables.
extension FormulaSetter {
  mutating func accent(
    _ scalar: Unicode.Scalar, over body: MathNode, isWide: Bool, in style: SetStyle,
    at range: Range<Int>
  ) -> FormulaBox {
    var inner: FormulaBox
    if case .symbol(let letter, _)? = body.sole {
      inner = glyph(letter, in: style.cramped, at: body.range, isDotless: true)
    } else {
      inner = row([body], style.cramped)
    }
    var mark = glyph(scalar, in: style, at: range)
    if isWide, let base = font.glyph(of: scalar) {
      mark = wide(base, plain: mark, over: inner, in: style, at: range)
    }
    mark = mark.standing(for: scalar)
    let shift = max(0, inner.height - constant(.accentBaseHeight, style))
    let middle = inner.accent ?? inner.width / 2
    var box = inner
    let x = middle - (mark.accent ?? mark.width / 2)
    box.cover(mark, x: x, y: shift)
    return box
  }

  /// Returns the widest variant of an accent that does not exceed its base, or an assembly of that
  /// width.
  private func wide(
    _ base: GlyphID, plain: FormulaBox, over inner: FormulaBox, in style: SetStyle,
    at range: Range<Int>
  ) -> FormulaBox {
    let scale = size(style)
    let parts = font.assembly(of: base, .horizontal)
    let forms = font.variants(of: base, .horizontal)
    if !parts.isEmpty, let last = forms.last, last.length * scale < inner.width {
      return built(
        from: parts, length: inner.width / scale, side: .horizontal, scale: scale, at: range)
    }
    guard let form = forms.last(where: { $0.length * scale <= inner.width }) else { return plain }
    var box = self.box(of: form.glyph, scale, range)
    let it = font.metrics(of: form.glyph)
    box.accent = (it.left + it.right) / 2 * scale
    return box
  }

  mutating func bar(
    _ body: MathNode, isBelow: Bool, in style: SetStyle, at range: Range<Int>
  ) -> FormulaBox {
    let inner = row([body], isBelow ? style : style.cramped).plain
    let thickness = constant(isBelow ? .underbarRuleThickness : .overbarRuleThickness, style)
    let gap = constant(isBelow ? .underbarVerticalGap : .overbarVerticalGap, style)
    let more = constant(isBelow ? .underbarExtraDescender : .overbarExtraAscender, style)
    var box = inner
    var line = rule(width: inner.width, thickness: thickness, at: range)
    if isBelow {
      line.origin.y = -inner.depth - gap - thickness
      box.depth = inner.depth + gap + thickness + more
    } else {
      line.origin.y = inner.height + gap
      box.height = inner.height + gap + thickness + more
    }
    box.pieces.append(line)
    return box
  }

  mutating func brace(
    _ scalar: Unicode.Scalar, on body: MathNode, isBelow: Bool, in style: SetStyle,
    at range: Range<Int>
  ) -> FormulaBox {
    var inner = row([body], isBelow ? style : style.cramped).plain
    var mark = glyph(scalar, in: style, at: range)
    if let base = font.glyph(of: scalar) {
      mark = wide(base, plain: mark, over: inner, in: style, at: range)
    }
    mark = mark.standing(for: scalar)
    // A mark wider than its base overhangs on both sides.
    inner = inner.centered(in: max(inner.width, mark.width))
    let y = isBelow ? -inner.depth : max(0, inner.height - constant(.accentBaseHeight, style))
    let x = (inner.width - mark.width) / 2
    inner.cover(mark, x: x, y: y)
    return inner
  }

  // MARK: Tables

  mutating func table(_ it: Table, _ around: SetStyle) -> FormulaBox {
    let style = SetStyle(level: it.cellStyle ?? around.level)
    let cells = it.rows.map { row -> [FormulaBox] in
      row.enumerated().map { column, cell in
        guard case .group(var nodes, _) = cell.kind else { return set(cell, style).plain }
        if it.isAligned, column % 2 == 1 { nodes.insert(.emptyAtom(cell.range), at: 0) }
        return self.row(nodes, style).plain
      }
    }
    let count = cells.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      cells.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0
    }
    var box = FormulaBox()
    var y = 0.0
    var lastDepth = 0.0
    var edges: [Double] = []
    for (index, row) in cells.enumerated() {
      let height = max(0.7 * it.strut, row.map(\.height).max() ?? 0)
      if index > 0 {
        let skip = it.strut > 0 ? min(0, it.skip(below: index - 1)) : it.skip(below: index - 1)
        let close = lastDepth + height
        y -= (it.pitch - close >= it.slack ? max(it.pitch, close) : close + it.leading) + skip
      }
      edges.append(y + height)
      var x = it.margin
      for (column, cell) in row.enumerated() {
        // The row of an outer environment replaces that of an inner one.
        var cell = cell
        for piece in cell.pieces.indices { cell.pieces[piece].line = index }
        box.cover(
          cell, x: x + room(in: it, column: column, space: widths[column] - cell.width), y: y)
        x += widths[column] + it.gaps[column % it.gaps.count]
      }
      box.height = max(box.height, y + height)
      // As in LaTeX, the space below a row with a strut extends the strut.
      let strut = it.strut > 0 ? 0.3 * it.strut + max(0, it.skip(below: index)) : 0
      lastDepth = max(strut, row.map(\.depth).max() ?? 0)
      box.depth = max(box.depth, lastDepth - y)
    }
    for column in 0..<count {
      box.width += widths[column] + (column + 1 < count ? it.gaps[column % it.gaps.count] : 0)
    }
    box.width += 2 * it.margin
    rule(it, widths: widths, edges: edges + [-box.depth], in: &box)
    return fenced(it, box: centered(box, around), in: around)
  }

  /// Adds the rules of a table. `edges` are the tops of the rows and the bottom of the last one.
  private func rule(_ it: Table, widths: [Double], edges: [Double], in box: inout FormulaBox) {
    let range = it.rows.first?.first?.range ?? 0..<0
    func add(_ rect: Rect) {
      box.pieces.append(
        FormulaPiece(shapes: [.rule(rect)], origin: .zero, scale: 1, range: range))
    }
    let thickness = 0.04
    for line in it.lines where edges.indices.contains(line) {
      add(Rect(x: 0, y: edges[line] - thickness / 2, width: box.width, height: thickness))
    }
    var start = it.margin
    for (column, count) in it.bars.enumerated() {
      // Rules are at the edges of the table, and in the middle of the space between two columns.
      let gap = column > 0 ? it.gaps[(column - 1) % it.gaps.count] : 0
      let isLast = column >= widths.count
      let first = column == 0 ? 0 : isLast ? box.width - thickness : start - gap / 2
      for bar in 0..<count {
        let offset = 0.2 * (Double(bar) - (column == 0 || isLast ? 0 : Double(count - 1) / 2))
        add(
          Rect(
            x: first + (isLast ? -offset : offset), y: -box.depth, width: thickness,
            height: box.height + box.depth))
      }
      if column < widths.count { start += widths[column] + it.gaps[column % it.gaps.count] }
    }
  }

  /// Returns the space to the left of a cell's content.
  private func room(in it: Table, column: Int, space: Double) -> Double {
    switch it.columns[column % it.columns.count] {
    case .left: 0
    case .center: space / 2
    case .right: space
    }
  }

  private mutating func fenced(_ it: Table, box: FormulaBox, in style: SetStyle) -> FormulaBox {
    guard it.left != nil || it.right != nil else { return box }
    return fenced(left: it.left, inner: box, right: it.right, in: style)
  }
}

extension MathNode {
  /// Returns an empty atom, so that a following operator is spaced as if it had a left operand.
  static func emptyAtom(_ range: Range<Int>) -> MathNode { MathNode(.group([], .ordinary), range) }
}
