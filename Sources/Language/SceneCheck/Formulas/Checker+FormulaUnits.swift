// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneMath
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// `each glyph|term { … }` of a formula.
extension Checker {
  func formulaUnits(of i: ElementNode, _ formula: Formula) -> [ElementModel] {
    let blocks = i.children.filter { $0.kind == .each }
    if let second = blocks.dropFirst().first {
      report(
        Diagnostic(
          .misplacedElement, "a formula can have only one 'each'", at: second.span,
          notes: [Note("first 'each'", at: blocks[0].span)]))
    }
    guard let each = blocks.first,
      let kind = each.syntax.name.flatMap({ FormulaUnit(rawValue: $0.text) }),
      let start = start(of: i, i.span), let end = shownEnd(of: i, i.span)
    else { return [] }
    elaborate(each)
    let groups = groups(of: formula, kind, share(of: i, in: formula))
    guard let (parts, last) = parts(of: each, groups.count, in: i),
      let life = self.end(of: i, i.span)
    else { return [] }
    let size = fontSize(of: i, now: now)
    let paints = formulaPaints(of: i)
    var models: [ElementModel] = []
    var rough = rough(of: i, now: now)
    for (group, (part, delay)) in zip(groups, parts) {
      part.endTime = life - (last - delay)
      let unit = self.unit(part, in: i)
      var (box, ink) = (Rect.empty, Rect.empty)
      for index in group {
        box = box.union(formula.parts[index].box)
        ink = ink.union(formula.parts[index].outline.controlBounds)
      }
      let middle = PointModel(
        builder.scaled(size, box.x + box.width / 2), builder.scaled(size, box.y + box.height / 2))
      let back = PointModel(builder.make(.negate, a: middle.x), builder.make(.negate, a: middle.y))
      var map = builder.concat(
        builder.concat(.translation(middle), unit.map), .translation(back))
      var own = paints
      if let fill = unit.fill { own.fill = fill }
      if let stroke = unit.stroke { own.stroke?.paint = stroke }
      var style = StyleModel()
      if unit.blur != .zero { style.filters = [.blur(unit.blur)] }
      if unit.shift != .zero {
        let own = box.union(ink)
        let room = BoxModel(
          x: builder.scaled(size, own.x), y: builder.scaled(size, own.y),
          width: builder.scaled(size, own.width), height: builder.scaled(size, own.height))
        style.clips = [outline(of: rest(afterShift: unit.shift), in: room)]
        map = builder.concat(map, translation(ofShift: unit.shift, in: room))
      }
      var depth = unit.depth
      if let pivot = depth?.pivot {
        depth?.pivot = PointModel(
          builder.add(middle.x, pivot.x), builder.add(middle.y, pivot.y))
      }
      let path = path(group.map { formula.parts[$0].outline }, size)
      models.append(
        ElementModel(
          kind: i.kindName, name: i.syntax.name?.text, span: each.span, start: start, end: end,
          transform: map, depth: depth,
          opacity: unit.opacity,
          drawing: formulaOutline(
            path, of: i, own, glyphs: FormulaGlyphs(formula: formula, indices: group), in: part),
          rough: rough,
          style: style))
      // Equal letters differ.
      if let seed = rough?.seed { rough?.seed = builder.add(seed, .constant(101)) }
    }
    if let part = parts.first?.unit { warnOfIdleEffects(of: part) }
    for model in models { recording?.note(model, of: i.id, at: now) }
    return models
  }

  /// Returns the glyphs, or the terms between operators, in source order.
  private func groups(of formula: Formula, _ kind: FormulaUnit, _ share: [Int]) -> [[Int]] {
    switch kind {
    case .glyph:
      return formula.readingOrder(of: share).map { [$0] }
    case .term:
      let terms = Dictionary(grouping: share) { formula.parts[$0].term }
      return terms.keys.sorted().compactMap { terms[$0] }
    }
  }

  /// Returns the units of a formula, each with its start.
  func formulaPartsAlone(of each: ElementNode, in i: ElementNode) -> [ElementNode] {
    guard let formula = formula(of: i),
      let kind = each.syntax.name.flatMap({ FormulaUnit(rawValue: $0.text) })
    else { return [] }
    let count = groups(of: formula, kind, share(of: i, in: formula)).count
    return parts(of: each, count, in: i)?.parts.map(\.unit) ?? []
  }
}
