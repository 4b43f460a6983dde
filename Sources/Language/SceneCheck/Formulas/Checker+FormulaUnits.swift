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

/// The boxes of some glyphs of a formula in em, before and after a change.
struct UnitPlace {
  /// The boxes of glyphs in one formula.
  struct Boxes {
    /// The union of their boxes, and the bounds of everything that is drawn.
    var (box, ink) = (Rect.empty, Rect.empty)

    init(_ glyphs: FormulaGlyphs) {
      for index in glyphs.indices {
        box = box.union(glyphs.formula.parts[index].box)
        ink = ink.union(glyphs.formula.parts[index].outline.controlBounds)
      }
    }
  }

  let start: Boxes
  /// The boxes after a change, and the progress of the change.
  var end: (boxes: Boxes, progress: Scalar)?

  init(_ glyphs: FormulaGlyphs) { start = Boxes(glyphs) }

  init(from a: FormulaGlyphs, to b: FormulaGlyphs, at progress: Scalar) {
    start = Boxes(a)
    end = (Boxes(b), progress)
  }
}

/// The drawing of one unit of a formula during an interval.
struct UnitDrawing {
  let path: PathModel
  /// The glyphs, if they do not change.
  var glyphs: FormulaGlyphs?
  let place: UnitPlace
  let start: Ticks
  let end: Ticks
  var opacity = Scalar.one
}

// `each glyph|term|line { … }` of a formula.
extension Checker {
  /// Returns the `each` of a formula and its kind of units; `nil` if there is none.
  func unitBlock(of i: ElementNode) -> (each: ElementNode, kind: FormulaUnit)? {
    let blocks = i.children.filter { $0.kind == .each }
    if let second = blocks.dropFirst().first {
      report(
        Diagnostic(
          .misplacedElement, "a formula can have only one 'each'", at: second.span,
          notes: [Note("first 'each'", at: blocks[0].span)]))
    }
    guard let each = blocks.first,
      let kind = each.syntax.name.flatMap({ FormulaUnit(rawValue: $0.text) })
    else { return nil }
    return (each, kind)
  }

  /// Returns the elements of a formula that never changes, one for each unit.
  func formulaUnits(of i: ElementNode, _ formula: Formula) -> [ElementModel] {
    guard let (each, kind) = unitBlock(of: i), let start = start(of: i, i.span),
      let end = shownEnd(of: i, i.span)
    else { return [] }
    elaborate(each)
    let groups = groups(of: formula, kind, share(of: i, in: formula))
    guard let units = units(of: each, groups.count, in: i) else { return [] }
    let size = fontSize(of: i, now: now)
    let paints = formulaPaints(of: i)
    let rough = rough(of: i, now: now)
    var models: [ElementModel] = []
    for (index, (group, unit)) in zip(groups, units).enumerated() {
      let place = UnitPlace(FormulaGlyphs(formula: formula, indices: group))
      for (color, indices) in self.groups(of: group, byColorIn: formula, i) {
        let drawing = UnitDrawing(
          path: path(indices.map { formula.parts[$0].outline }, size),
          glyphs: FormulaGlyphs(formula: formula, indices: indices), place: place, start: start,
          end: end)
        models.append(
          element(
            drawing, of: unit, in: i, paints: self.paints(paints, in: color),
            rough: self.rough(rough, ofUnit: index)))
      }
    }
    if let unit = units.first { warnOfIdleEffects(of: unit) }
    for model in models { recording?.note(model, of: i.id, at: now) }
    return models
  }

  /// Returns the units of a formula, with their lifetimes; `nil` after an error.
  func units(of each: ElementNode, _ count: Int, in i: ElementNode) -> [ElementNode]? {
    guard let (parts, last) = parts(of: each, count, in: i), let life = end(of: i, i.span) else {
      return nil
    }
    for (part, delay) in parts { part.endTime = life - (last - delay) }
    return parts.map(\.unit)
  }

  /// Returns the deviations for a unit, whose own seed makes equal letters differ; `nil` for exact
  /// outlines.
  func rough(_ rough: RoughModel?, ofUnit index: Int) -> RoughModel? {
    guard var rough else { return nil }
    if index > 0 { rough.seed = builder.add(rough.seed, .constant(101 * Double(index))) }
    return rough
  }

  /// Returns the element that draws glyphs with the motion of their unit.
  func element(
    _ drawing: UnitDrawing, of node: ElementNode, in i: ElementNode, paints: TextPaintModel,
    rough: RoughModel?
  ) -> ElementModel {
    let unit = self.unit(node, in: i)
    let size = fontSize(of: i, now: now)
    func length(_ value: (Rect) -> Double) -> Scalar {
      let start = builder.scaled(size, value(drawing.place.start.box))
      guard let end = drawing.place.end else { return start }
      return builder.mix(start, builder.scaled(size, value(end.boxes.box)), at: end.progress)
    }
    let middle = PointModel(
      length { $0.x + $0.width / 2 }, length { $0.y + $0.height / 2 })
    let back = PointModel(builder.make(.negate, a: middle.x), builder.make(.negate, a: middle.y))
    var map = builder.concat(builder.concat(.translation(middle), unit.map), .translation(back))
    var paints = paints
    if let fill = unit.fill { paints.fill = fill }
    if let stroke = unit.stroke { paints.stroke?.paint = stroke }
    var style = StyleModel()
    if unit.blur != .zero { style.filters = [.blur(unit.blur)] }
    if unit.shift != .zero {
      let room = room(of: drawing.place, size)
      style.clips = [outline(of: rest(afterShift: unit.shift), in: room)]
      map = builder.concat(map, translation(ofShift: unit.shift, in: room))
    }
    var depth = unit.depth
    if let pivot = depth?.pivot {
      depth?.pivot = PointModel(builder.add(middle.x, pivot.x), builder.add(middle.y, pivot.y))
    }
    return ElementModel(
      kind: i.kindName, name: i.syntax.name?.text, span: node.span, start: drawing.start,
      end: drawing.end, transform: map, depth: depth,
      opacity: builder.multiply(drawing.opacity, unit.opacity),
      drawing: formulaOutline(
        drawing.path, of: i, paints, glyphs: drawing.glyphs, in: node),
      rough: rough, style: style)
  }

  /// Returns the box that clips a shifted unit.
  private func room(of place: UnitPlace, _ size: Scalar) -> BoxModel {
    func length(_ side: KeyPath<Rect, Double>) -> Scalar {
      func length(_ boxes: UnitPlace.Boxes) -> Scalar {
        builder.scaled(size, boxes.box.union(boxes.ink)[keyPath: side])
      }
      guard let end = place.end else { return length(place.start) }
      return builder.mix(length(place.start), length(end.boxes), at: end.progress)
    }
    return BoxModel(
      x: length(\.x), y: length(\.y), width: length(\.width), height: length(\.height))
  }

  /// Returns the units of a formula as groups of glyphs: single glyphs, terms between operators, or
  /// rows, in source order.
  func groups(of formula: Formula, _ kind: FormulaUnit, _ share: [Int]) -> [[Int]] {
    switch kind {
    case .glyph:
      return formula.readingOrder(of: share).map { [$0] }
    case .term:
      let terms = Dictionary(grouping: share) { formula.parts[$0].term }
      return terms.keys.sorted().compactMap { terms[$0] }
    case .line:
      let lines = Dictionary(grouping: share) { formula.parts[$0].line }
      return lines.keys.sorted().compactMap { lines[$0] }
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
