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

/// A formula that is the result of a `change`.
struct FormulaStep {
  let formula: Formula
  let start: Ticks
  let end: Ticks
  /// The progress of the change from 0 to 1.
  let progress: Scalar
}

// Formulas that change.
extension Checker {
  /// Returns the changes of a formula in the order of their starts. A change that starts before the
  /// end of the previous one shortens it, so that the formula does not jump.
  func formulaSteps(of i: ElementNode, now: Scalar) -> [FormulaStep] {
    guard let changes = i.changes[.content] else { return [] }
    var steps: [(step: FormulaStep, easing: Easing)] = []
    for change in changes {
      guard let source = change.properties[.content],
        let formula = formula(source, of: change, in: i),
        let start = start(of: change, change.span), let end = end(of: change, change.span)
      else { continue }
      var easing = Easing.named["ease-in-out"] ?? .linear
      if let (given, span) = value(.easing, of: change, now: self.now),
        let (it, _) = asEasing(given, span)
      {
        easing = it
      }
      let step = FormulaStep(formula: formula, start: start, end: end, progress: .zero)
      let later = steps.lastIndex { $0.step.start <= start }.map { $0 + 1 } ?? 0
      steps.insert((step, easing), at: later)
    }
    return steps.enumerated().map { index, it in
      let (step, easing) = it
      let next = index + 1 < steps.count ? steps[index + 1].step.start : step.end
      let end = max(step.start, min(step.end, next))
      let progress = builder.make(
        .progress, a: now, b: .constant(Double(step.start.rawValue)),
        c: .constant(Double((end - step.start).rawValue)))
      return FormulaStep(
        formula: step.formula, start: step.start, end: end,
        progress: builder.ease(progress, easing))
    }
  }

  /// Returns a formula at rest between its changes, and its animation during each of them.
  func formulaStates(of i: ElementNode, _ host: ElementNode, _ first: Formula) -> [ElementModel] {
    guard let begin = start(of: host, host.span), let finish = shownEnd(of: host, host.span),
      var writer = FormulaWriter(self, i, in: host, first: first, from: begin, to: finish)
    else { return [] }
    let steps = formulaSteps(of: host, now: now)
    var (formula, free) = (first, begin)
    for (index, step) in steps.enumerated() {
      let next = index + 1 < steps.count ? steps[index + 1].start : finish
      writer.rest(formula, from: free, to: step.start)
      guard spend(50 + formula.parts.count * step.formula.parts.count / 20, i.span) else { break }
      let end = min(step.end, max(next, step.start))
      writer.change(formula, step, until: end)
      (formula, free) = (step.formula, max(step.start, end))
    }
    writer.rest(formula, from: free, to: finish)
    for model in writer.models { recording?.note(model, of: i.id, at: now) }
    return writer.models
  }
}

/// Generates the elements of a formula that changes, or of one of its parts.
private struct FormulaWriter {
  private let checker: Checker
  private let i: ElementNode
  private let begin: Ticks
  private let finish: Ticks
  private let size: Scalar
  private let paints: TextPaintModel
  private let rough: RoughModel?
  /// The transform from the coordinates of the formula to those of the part.
  private let home: AffineModel
  private let block: (each: ElementNode, kind: FormulaUnit)?
  /// The units of `each`, and the unit of each glyph of the current formula.
  private var units: [ElementNode] = []
  private var owners: [Int: Int] = [:]
  private(set) var models: [ElementModel] = []

  /// Creates the writer; `nil` after an error.
  init?(
    _ checker: Checker, _ i: ElementNode, in host: ElementNode, first: Formula, from begin: Ticks,
    to finish: Ticks
  ) {
    (self.checker, self.i, self.begin, self.finish) = (checker, i, begin, finish)
    size = checker.fontSize(of: host, now: checker.now)
    (paints, rough) = (checker.formulaPaints(of: i), checker.rough(of: i, now: checker.now))
    if i.kind == .part, let box = checker.box(of: i, now: checker.now) {
      let corner = PointModel(
        checker.builder.make(.negate, a: box.x), checker.builder.make(.negate, a: box.y))
      home = .translation(corner)
    } else {
      home = .identity
    }
    block = i.kind == .math ? checker.unitBlock(of: i) : nil
    guard let block else { return }
    checker.elaborate(block.each)
    let groups = checker.groups(of: first, block.kind, checker.share(of: i, in: first))
    guard let units = checker.units(of: block.each, groups.count, in: i) else { return nil }
    self.units = units
    for (unit, group) in groups.enumerated() { for glyph in group { owners[glyph] = unit } }
    if let unit = units.first { checker.warnOfIdleEffects(of: unit) }
  }

  /// Adds the glyphs of a formula between two changes.
  mutating func rest(_ formula: Formula, from: Ticks, to: Ticks) {
    for group in groups(of: checker.share(of: i, in: formula), in: formula) {
      let glyphs = FormulaGlyphs(formula: formula, indices: group.glyphs)
      add(outlines(glyphs), of: group, glyphs: glyphs, place: UnitPlace(glyphs), from: from, to: to)
    }
  }

  /// Adds the transition from a formula to the next one: shared glyphs move, others fade.
  mutating func change(_ formula: Formula, _ step: FormulaStep, until end: Ticks) {
    let (own, others) = (
      checker.share(of: i, in: formula), checker.share(of: i, in: step.formula)
    )
    let match = GlyphMatch(
      from: own.map { formula.parts[$0].glyph }, to: others.map { step.formula.parts[$0].glyph })
    let partners = Dictionary(
      match.pairs.map { (own[$0.0], others[$0.1]) }, uniquingKeysWith: { first, _ in first })
    let moving = groups(of: match.pairs.map { own[$0.0] }, in: formula) { glyph in
      partners[glyph].flatMap { checker.color(of: $0, in: step.formula, i) }
    }
    for group in moving {
      let later = group.glyphs.compactMap { partners[$0] }
      let morphs = zip(group.glyphs, later).map { a, b in
        let (p, q) = Path.matchedGlyph(
          formula.parts[a].outline, step.formula.parts[b].outline)
        return PathModel.Segment.mixed(p, q, step.progress)
      }
      add(
        checker.inPixels(PathModel(morphs), size), of: group, progress: step.progress,
        place: UnitPlace(
          from: FormulaGlyphs(formula: formula, indices: group.glyphs),
          to: FormulaGlyphs(formula: step.formula, indices: later), at: step.progress),
        from: step.start, to: end)
    }
    let gone = checker.builder.make(
      .maximum, a: .zero,
      b: checker.builder.subtract(.one, checker.builder.scaled(step.progress, 1 / 0.6)))
    for group in groups(of: match.gone.map { own[$0] }, in: formula) {
      let glyphs = FormulaGlyphs(formula: formula, indices: group.glyphs)
      add(
        outlines(glyphs), of: group, place: UnitPlace(glyphs), from: step.start, to: end,
        opacity: gone)
    }
    adopt(step.formula, partners: partners, new: match.come.map { others[$0] })
    let come = checker.builder.make(
      .maximum, a: .zero,
      b: checker.builder.scaled(checker.builder.subtract(step.progress, .constant(0.4)), 1 / 0.6))
    for group in groups(of: match.come.map { others[$0] }, in: step.formula) {
      let glyphs = FormulaGlyphs(formula: step.formula, indices: group.glyphs)
      add(
        outlines(glyphs), of: group, place: UnitPlace(glyphs), from: step.start, to: end,
        opacity: come)
    }
  }

  /// Assigns units to the glyphs of the next formula. Glyphs keep their units, and new glyphs get
  /// new ones.
  private mutating func adopt(_ formula: Formula, partners: [Int: Int], new: [Int]) {
    guard let block else { return }
    var next: [Int: Int] = [:]
    for (old, glyph) in partners { next[glyph] = owners[old] }
    let order = checker.groups(of: formula, block.kind, checker.share(of: i, in: formula))
    for (position, group) in order.enumerated() {
      let fresh = group.filter(new.contains)
      guard !fresh.isEmpty else { continue }
      for glyph in fresh { next[glyph] = units.count }
      units.append(
        checker.lateUnit(
          units.count, at: position, of: order.count, for: block.each, in: i, from: begin))
    }
    owners = next
  }

  /// Glyphs of one unit and one color.
  private struct Group {
    let unit: Int
    /// The colors that the formula sets before and after a change, or `nil`.
    let colors: [Color?]
    var glyphs: [Int]
  }

  /// Returns the glyphs of a formula, grouped by unit and color.
  private func groups(of glyphs: [Int], in formula: Formula) -> [Group] {
    groups(of: glyphs, in: formula) { checker.color(of: $0, in: formula, i) }
  }

  /// Returns glyphs by their unit and their color, in the order of the units; without `each`, there
  /// is one unit. `later` returns the color of a glyph after a change.
  private func groups(
    of glyphs: [Int], in formula: Formula, later: (Int) -> Color?
  ) -> [Group] {
    var groups: [Group] = []
    for glyph in glyphs {
      let unit = owners[glyph] ?? 0
      let color = checker.color(of: glyph, in: formula, i)
      let colors = [color, later(glyph)]
      if let known = groups.firstIndex(where: { $0.unit == unit && $0.colors == colors }) {
        groups[known].glyphs.append(glyph)
      } else {
        groups.append(Group(unit: unit, colors: colors, glyphs: [glyph]))
      }
    }
    return groups.sorted { $0.unit < $1.unit }
  }

  /// Returns the paints of a group, which mix the colors before and after a change.
  private func paints(of group: Group, at progress: Scalar) -> TextPaintModel {
    let ends = group.colors.map { checker.paints(paints, in: $0) }
    guard group.colors[0] != group.colors[1],
      case .color(let from)? = ends[0].fill, case .color(let to)? = ends[1].fill
    else { return ends[1] }
    var mixed = group.colors[1] == nil ? ends[1] : ends[0]
    let (first, second) = (Value.color(from), Value.color(to))
    let value: Value = checker.blend(
      first, second, by: .mix(progress, .oklab), at: i.span,
      in: checker.context(of: i, now: checker.now))
    if case .color(let model) = value { mixed.fill = PaintModel.color(model) }
    return mixed
  }

  private func outlines(_ glyphs: FormulaGlyphs) -> PathModel {
    checker.path(glyphs.indices.map { glyphs.formula.parts[$0].outline }, size)
  }

  private mutating func add(
    _ path: PathModel, of group: Group, glyphs: FormulaGlyphs? = nil, progress: Scalar = .one,
    place: UnitPlace, from: Ticks, to: Ticks, opacity: Scalar = .one
  ) {
    let (from, to) = (max(from, begin), min(to, finish))
    guard from < to, !path.segments.isEmpty else { return }
    let paints = paints(of: group, at: progress)
    guard block != nil else {
      return models.append(
        ElementModel(
          kind: i.kindName, name: i.syntax.name?.text, span: i.span, start: from, end: to,
          transform: home, opacity: opacity,
          drawing: checker.formulaOutline(path, of: i, paints, glyphs: glyphs), rough: rough))
    }
    models.append(
      checker.element(
        UnitDrawing(
          path: path, glyphs: glyphs, place: place, start: from, end: to, opacity: opacity),
        of: units[group.unit], in: i, paints: paints,
        rough: checker.rough(rough, ofUnit: group.unit)))
  }
}
