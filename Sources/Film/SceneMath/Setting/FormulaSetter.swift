// SPDX-License-Identifier: MIT
import SceneGraphics

/// A style, and whether it is cramped: superscripts are then lowered, as below a root.
struct SetStyle {
  var level: FormulaStyle
  var isCramped = false

  var cramped: SetStyle { SetStyle(level: level, isCramped: true) }

  /// The style of a superscript.
  var upper: SetStyle {
    SetStyle(level: level <= .text ? .script : .scriptScript, isCramped: isCramped)
  }

  /// The style of a subscript.
  var lower: SetStyle { upper.cramped }

  /// The style of a numerator.
  var numerator: SetStyle {
    switch level {
    case .display: SetStyle(level: .text, isCramped: isCramped)
    case .text: SetStyle(level: .script, isCramped: isCramped)
    default: SetStyle(level: .scriptScript, isCramped: isCramped)
    }
  }

  var isDisplay: Bool { level == .display }
  var isSmall: Bool { level >= .script }
}

/// Typesets a formula by the rules of TeX (The TeXbook, appendix G) with the constants of a `MATH`
/// table.
///
/// All lengths are in em of the formula.
struct FormulaSetter {
  let font: any MathFont
  /// Characters that the font lacks, with their first occurrence.
  private(set) var missing: [Unicode.Scalar: Range<Int>] = [:]

  /// The space beside a fraction and in place of an empty bracket: 1.2 pt at 10 pt in TeX.
  static let nullSpace = 0.12

  init(_ font: any MathFont) { self.font = font }

  func size(_ style: SetStyle) -> Double {
    switch style.level {
    case .display, .text: 1
    case .script: clamp(font.constant(.scriptPercentScaleDown)) / 100
    case .scriptScript: clamp(font.constant(.scriptScriptPercentScaleDown)) / 100
    }
  }

  private func clamp(_ percent: Double) -> Double { percent > 10 && percent <= 100 ? percent : 70 }

  func constant(_ name: MathConstant, _ style: SetStyle) -> Double {
    font.constant(name) * size(style)
  }

  func axis(_ style: SetStyle) -> Double { constant(.axisHeight, style) }

  // MARK: Rows

  /// Typesets atoms in a row, with the spacing between their classes.
  mutating func row(_ nodes: [MathNode], _ style: SetStyle, isTop: Bool = false) -> FormulaBox {
    let classes = FormulaSetter.classes(of: nodes)
    var style = style
    var color: Color?
    var box = FormulaBox()
    var last: AtomClass?
    var term = 0
    var brackets = 0
    for (index, node) in nodes.enumerated() {
      switch node.kind {
      case .style(let level):
        style = SetStyle(level: level, isCramped: style.isCramped)
        continue
      case .color(let other):
        color = other
        continue
      case .space(let width, let unit):
        switch unit {
        case .formula: box.width += width
        case .style: box.width += width * size(style)
        case .script: box.width += style.isSmall ? width * size(style) : 0
        }
        continue
      default: break
      }
      guard let kind = classes[index] else { continue }
      if let last { box.width += space(between: last, and: kind, in: style) }
      if last != nil, brackets <= 0, kind == .relation || kind == .binary { term += 1 }
      if kind == .opening { brackets += 1 }
      if kind == .closing { brackets -= 1 }
      var atom = set(node, style)
      // Inner colors take precedence.
      if let color {
        for piece in atom.pieces.indices where atom.pieces[piece].color == nil {
          atom.pieces[piece].color = color
        }
      }
      // The italic correction keeps the next atom from touching a slanted glyph.
      if atom.glyph != nil, index < nodes.count - 1, !nodes[index + 1].beginsWithSpace {
        atom.width += atom.italic
      }
      if isTop { for piece in atom.pieces.indices { atom.pieces[piece].term = term } }
      box.append(atom)
      if nodes.count == 1 {
        (box.glyph, box.italic, box.accent) = (atom.glyph, atom.italic, atom.accent)
      }
      last = kind
    }
    return box
  }

  /// Returns the class of each node, `nil` for spaces. A binary operator without two operands is
  /// ordinary.
  static func classes(of nodes: [MathNode]) -> [AtomClass?] {
    var classes: [AtomClass?] = nodes.map(\.atomClass)
    var last: Int?
    for index in classes.indices {
      guard let kind = classes[index] else { continue }
      let before = last.flatMap { classes[$0] }
      if kind == .binary {
        switch before {
        case nil, .binary, .operator, .relation, .opening, .punctuation: classes[index] = .ordinary
        default: break
        }
      } else if let last, before == .binary,
        kind == .relation || kind == .closing || kind == .punctuation
      {
        classes[last] = .ordinary
      }
      last = index
    }
    if let last, classes[last] == .binary { classes[last] = .ordinary }
    return classes
  }

  /// Spacing from The TeXbook, chapter 18: 1 thin, 2 medium, 3 thick; negative values do not apply
  /// in scripts.
  private static let spaces: [[Int]] = [
    [0, 1, -2, -3, 0, 0, 0, -1],
    [1, 1, 0, -3, 0, 0, 0, -1],
    [-2, -2, 0, 0, -2, 0, 0, -2],
    [-3, -3, 0, 0, -3, 0, 0, -3],
    [0, 0, 0, 0, 0, 0, 0, 0],
    [0, 1, -2, -3, 0, 0, 0, -1],
    [-1, -1, 0, -1, -1, -1, -1, -1],
    [-1, 1, -2, -3, -1, 0, -1, -1],
  ]

  private func space(between left: AtomClass, and right: AtomClass, in style: SetStyle) -> Double {
    let entry = FormulaSetter.spaces[left.rawValue][right.rawValue]
    if entry < 0, style.isSmall { return 0 }
    let units = [0.0, 3, 4, 5][abs(entry)]
    return units / 18 * size(style)
  }

  // MARK: Atoms

  mutating func set(_ node: MathNode, _ style: SetStyle) -> FormulaBox {
    switch node.kind {
    case .symbol(let scalar, _):
      return glyph(scalar, in: style, at: node.range).spelling(node.word)
    case .largeOperator(let scalar, _): return largeOperator(scalar, in: style, at: node.range)
    case .namedOperator(let nodes, _), .words(let nodes): return words(nodes, style)
    case .group(let nodes, _):
      let box = row(nodes, style)
      // The width of a group of several atoms includes the italic correction.
      return nodes.count == 1 ? box : box.plain
    case .scripts(let base, let lower, let upper):
      return scripts(on: base, lower: lower, upper: upper, in: style, at: node.range)
    case .fraction(let it): return fraction(it, in: style, at: node.range)
    case .root(let body, let degree):
      return root(of: body, degree: degree, in: style, at: node.range)
    case .accent(let scalar, let body, let isWide, _):
      return accent(scalar, over: body, isWide: isWide, in: style, at: node.range)
    case .bar(let body, let isBelow): return bar(body, isBelow: isBelow, in: style, at: node.range)
    case .brace(let scalar, let body, let isBelow):
      return brace(scalar, on: body, isBelow: isBelow, in: style, at: node.range)
    case .stack(let body, let above, let below, _):
      return limits(on: set(body, style).plain, upper: above, lower: below, in: style)
    case .fenced(let left, let parts, let right):
      return fenced(left: left, parts: parts, right: right, in: style)
    case .sizedBracket(let bracket, let height, _):
      let target = max(0.901 * height, height - 0.5)
      return centered(
        stretched(
          bracket.scalar, to: target, side: .vertical, in: SetStyle(level: .text), at: bracket.range
        ), style)
    case .table(let it): return table(it, style)
    case .decorated(let decoration, let body):
      return decorated(decoration, body, in: style, at: node.range)
    case .rule(let width, let height, let raise):
      return explicitRule(width: width, height: height, raise: raise, at: node.range)
    case .labeledArrow(let scalar, let above, let below):
      return labeledArrow(scalar, above: above, below: below, in: style, at: node.range)
    case .coveringArrow(let scalar, let body, let isBelow):
      return coveringArrow(scalar, on: body, isBelow: isBelow, in: style, at: node.range)
    case .style, .color, .space, .nothing: return FormulaBox()
    }
  }

  /// Returns a glyph at the size of a style.
  mutating func glyph(
    _ scalar: Unicode.Scalar, in style: SetStyle, at range: Range<Int>, isDotless: Bool = false
  ) -> FormulaBox {
    guard var glyph = font.glyph(of: scalar) else {
      missing[scalar] = missing[scalar] ?? range
      return FormulaBox(width: 0.5 * size(style))
    }
    if isDotless { glyph = font.dotless(glyph) }
    if style.isSmall { glyph = font.script(glyph, level: style.level == .script ? 1 : 2) }
    return box(of: glyph, size(style), range).standing(for: scalar)
  }

  func box(of glyph: GlyphID, _ scale: Double, _ range: Range<Int>) -> FormulaBox {
    let it = font.metrics(of: glyph)
    var box = FormulaBox(
      width: it.advance * scale, height: it.top * scale, depth: -it.bottom * scale)
    box.pieces = [
      FormulaPiece(shapes: [.glyph(glyph, .zero)], origin: .zero, scale: scale, range: range)
    ]
    (box.glyph, box.italic, box.accent) = (glyph, it.italic * scale, it.accent * scale)
    return box
  }

  func rule(width: Double, thickness: Double, at range: Range<Int>) -> FormulaPiece {
    FormulaPiece(
      shapes: [.rule(Rect(x: 0, y: 0, width: width, height: thickness))], origin: .zero, scale: 1,
      range: range)
  }

  /// Typesets the letters of words without spacing.
  private mutating func words(_ nodes: [MathNode], _ style: SetStyle) -> FormulaBox {
    var box = FormulaBox()
    for node in nodes { box.append(row([node], style)) }
    return box.plain
  }

  private mutating func largeOperator(
    _ scalar: Unicode.Scalar, in style: SetStyle, at range: Range<Int>
  ) -> FormulaBox {
    var box = glyph(scalar, in: style, at: range)
    if style.isDisplay, let base = box.glyph {
      let least = font.constant(.displayOperatorMinHeight)
      let forms = font.variants(of: base, .vertical)
      if let form = forms.first(where: { $0.length >= least }) ?? forms.last {
        box = self.box(of: form.glyph, size(style), range)
      }
    }
    let italic = box.italic
    box = centered(box.plain, style).standing(for: scalar)
    box.italic = italic
    return box
  }

  /// Returns the box centered on the math axis.
  func centered(_ box: FormulaBox, _ style: SetStyle) -> FormulaBox {
    let shift = axis(style) - (box.height - box.depth) / 2
    var it = box
    for index in it.pieces.indices { it.pieces[index].origin.y += shift }
    it.height += shift
    it.depth -= shift
    return it
  }
}

extension MathNode {
  fileprivate var beginsWithSpace: Bool {
    switch kind {
    case .space: true
    case .group(let nodes, _): nodes.first?.beginsWithSpace == true
    default: false
    }
  }

  /// The class that determines spacing; `nil` for nodes that are not atoms.
  var atomClass: AtomClass? {
    switch kind {
    case .symbol(_, let it), .group(_, let it), .stack(_, _, _, let it),
      .sizedBracket(_, _, let it):
      it
    case .largeOperator, .namedOperator, .brace: .operator
    case .scripts(let base, _, _): base == nil ? .ordinary : base?.atomClass
    case .fenced: .inner
    case .table(let it): it.left == nil && it.right == nil ? .ordinary : .inner
    case .labeledArrow: .relation
    case .decorated(.strike, let body), .decorated(.smash, let body),
      .decorated(.phantom, let body):
      body.soleClass ?? .ordinary
    case .words, .fraction, .root, .accent, .bar, .decorated, .rule, .coveringArrow: .ordinary
    case .style, .color, .space, .nothing: nil
    }
  }
}
