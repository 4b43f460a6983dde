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

/// The cache key for the occurrences of a part in a formula: their source texts.
struct FormulaPlace: Hashable {
  let source: String
  let count: Int
  let part: String
}

/// The cache key for the order in which an effect of an element writes the glyphs of a formula.
struct RankKey: Hashable {
  let owner: Int
  let source: String
}

/// A selection of the glyphs of a formula.
struct FormulaGlyphs {
  let formula: Formula
  let indices: [Int]
}

// Parts of formulas.
extension Checker {
  // MARK: Parts

  /// Evaluates `eq["c^2"]`, or one of its occurrences: `eq["c^2"][0]`.
  func formulaPart(of i: ElementNode, _ position: Value, _ span: SourceSpan) -> Value {
    if i.kind == .part {
      guard case .quantity(let s, .none) = position, let number = s.constantValue,
        let host = i.parent, let written = i.properties[.content], let formula = formula(of: host)
      else {
        if position.isPoison { return position }
        return report(
          .typeMismatch, "expected a number as the index, found \(position.description)", at: span)
      }
      let tex = formulaSource(written, of: i) ?? ""
      let count = places(of: tex, in: formula, span).count
      guard number >= 0, number < Double(count), number == number.rounded() else {
        return report(
          .indexOutOfRange,
          "'\(tex)' has no occurrence \(NumberFormat().text(number)) in the formula",
          at: span,
          label: count == 1 ? "it occurs once, at index 0" : "indices are 0 to \(count - 1)")
      }
      return part(tex, place: Int(number), of: host, span)
    }
    guard let tex = asConstantText(position, span).map(Formula.source(of:)) else {
      return poison(span)
    }
    guard let formula = formula(of: i) else { return poison(span) }
    guard !places(of: tex, in: formula, span).isEmpty else {
      return report(
        .indexOutOfRange, "'\(tex)' is not a part of this formula", at: span,
        label: "the formula is \(formula.source)")
    }
    return part(tex, place: nil, of: i, span)
  }

  private func part(_ tex: String, place: Int?, of i: ElementNode, _ span: SourceSpan) -> Value {
    let key = "\(place ?? -1) \(tex)"
    if let known = i.indexed[key] { return .element(known) }
    let head = ElementSyntax(
      kind: [Name(ElementKind.part.rawValue, span)], name: nil, subject: nil, items: [], span: span)
    guard let made = makeElement(head, parent: i, i.scope) else { return poison(span) }
    made.properties[.content] = Source(.value(.literal(tex)), scope: i.scope, at: span)
    made.place = place
    i.indexed[key] = made
    i.children.append(made)
    return .element(made)
  }

  /// Returns the parts of a formula that are drawn separately. Parts without animation are
  /// excluded.
  private func livingParts(of host: ElementNode) -> [ElementNode] {
    let asked = Set(host.indexed.values.map(\.id))
    return host.children.filter { part in
      part.kind == .part && (!asked.contains(part.id) || !part.changes.isEmpty)
    }
  }

  /// Returns the glyphs of all occurrences of a part, including those inside other parts.
  func claim(of part: ElementNode, in formula: Formula) -> [Int] {
    guard let source = part.properties[.content], let tex = formulaSource(source, of: part) else {
      return []
    }
    let places = places(of: tex, in: formula, part.span)
    if let place = part.place { return place < places.count ? places[place] : [] }
    return places.flatMap { $0 }
  }

  /// Returns the glyphs of each occurrence of a part in a formula.
  private func places(of tex: String, in formula: Formula, _ span: SourceSpan) -> [[Int]] {
    let key = FormulaPlace(source: formula.source, count: formula.parts.count, part: tex)
    if let known = formulaPlaces[key] { return known }
    let steps = (formula.source.utf8.count + formula.parts.count) * (tex.utf8.count + 10) / 50
    let found = spend(Checker.stepsOfText + steps, span) ? formula.parts(writtenAs: tex) : []
    formulaPlaces[key] = found
    return found
  }

  /// Returns the glyphs that an element draws: for a part, those that no smaller part covers; for
  /// the formula, all remaining ones.
  func share(of i: ElementNode, in formula: Formula) -> [Int] {
    guard let host = formulaHost(of: i) else { return [] }
    var owners = [ElementNode?](repeating: nil, count: formula.parts.count)
    var sizes = [Int](repeating: .max, count: formula.parts.count)
    let living = livingParts(of: host)
    guard spend(living.count + formula.parts.count / 10, i.span) else { return [] }
    for part in living {
      let claim = claim(of: part, in: formula)
      for index in claim where claim.count <= sizes[index] {
        (owners[index], sizes[index]) = (part, claim.count)
      }
    }
    return owners.indices.filter { owners[$0] === (i.kind == .part ? i : nil) }
  }

  private func checkClaim(of part: ElementNode, in formula: Formula) {
    guard let source = part.properties[.content] else {
      if part.unknownProperties.isEmpty { missing("a formula", label: "write part $…$", of: part) }
      return
    }
    guard let host = part.parent, claim(of: part, in: formula).isEmpty,
      formulaSteps(of: host, now: now).allSatisfy({ claim(of: part, in: $0.formula).isEmpty }),
      let tex = formulaSource(source, of: part)
    else { return }
    _ = report(
      .indexOutOfRange, "'\(tex)' is not a part of this formula", at: source.value.span,
      label: "the formula is \(formula.source)")
  }

  // MARK: Drawing

  /// Returns the paints of a formula or a part. A part without paints inherits those of its
  /// formula.
  func formulaPaints(of i: ElementNode) -> TextPaintModel {
    let chain = [i, i.kind == .part ? i.parent : nil].compactMap { $0 }
    let filler = chain.first { $0.properties[.fill] != nil }
    let stroker = chain.first { $0.properties[.stroke] != nil }
    var fill = filler.flatMap { self.fill(of: $0, now: now, box: box(of: $0, now: now)) }
    let stroke = stroker.flatMap { self.stroke(of: $0, now: now, box: box(of: $0, now: now)) }
    if filler == nil, stroker == nil { fill = ink(for: chain[chain.count - 1], now: now) }
    return TextPaintModel(fill: fill, stroke: stroke)
  }

  /// Returns the drawing of some glyphs of a formula, with the effects that draw them: those of an
  /// `each`, of the element itself, or of the formula around it.
  func formulaOutline(
    _ path: PathModel, of i: ElementNode, _ paints: TextPaintModel, glyphs: FormulaGlyphs? = nil,
    in unit: ElementNode? = nil
  ) -> ElementModel.Drawing {
    let isLine = paints.fill?.isInvisible != false && paints.stroke != nil
    let host = i.kind == .part ? i.parent : nil
    let owners = [unit, i, host].compactMap { $0 }
    var trim: TrimModel?
    var writing: WritingModel?
    for owner in owners {
      if trim == nil { trim = self.trim(of: owner, isLine: isLine) }
      guard writing == nil, var own = self.writing(of: owner, isLine: isLine) else { continue }
      own.lineWidth = glyphLine(fontSize(of: host ?? i, now: now))
      if let glyphs {
        // The glyphs of parts are among those of their formula.
        let ranks = ranks(of: glyphs, writtenBy: owner, isUnit: owner === unit)
        own.count = ranks.count
        own.glyphs = glyphs.indices.map {
          WritingModel.Glyph(
            elementCount: glyphs.formula.parts[$0].outline.elements.count, rank: ranks[$0] ?? 0)
        }
      }
      writing = own
    }
    return .outline(
      .path(path), fill: paints.fill, stroke: paints.stroke, trim: trim,
      strokeIsFirst: strokeIsFirst(i), writing: writing)
  }

  /// Returns the positions of glyphs in the order in which an effect of an element writes them. The
  /// order of a whole formula is computed once, since each of its units needs it.
  private func ranks(of glyphs: FormulaGlyphs, writtenBy owner: ElementNode, isUnit: Bool)
    -> [Int: Int]
  {
    func ranks(_ indices: [Int]) -> [Int: Int] {
      let order = glyphs.formula.readingOrder(of: indices)
      return Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    }
    if isUnit { return ranks(glyphs.indices) }
    let key = RankKey(owner: owner.id, source: glyphs.formula.source)
    if let known = formulaRanks[key] { return known }
    let made = ranks(
      owner.kind == .part
        ? share(of: owner, in: glyphs.formula) : Array(glyphs.formula.parts.indices))
    formulaRanks[key] = made
    return made
  }

  /// Returns the drawing of a formula or a part that never changes and has no animated units.
  func formulaDrawing(_ i: ElementNode) -> ElementModel.Drawing {
    guard let host = formulaHost(of: i), let formula = formula(of: host) else { return .nothing }
    if i.kind == .part { checkClaim(of: i, in: formula) }
    let isMoving = i.kind == .math && i.children.contains { $0.kind == .each }
    guard !isMoving, host.changes[.content] == nil else { return .nothing }
    let indices = share(of: i, in: formula).filter { color(of: $0, in: formula, i) == nil }
    guard !indices.isEmpty else { return .nothing }
    return formulaOutline(
      path(indices.map { formula.parts[$0].outline }, fontSize(of: host, now: now)), of: i,
      formulaPaints(of: i), glyphs: FormulaGlyphs(formula: formula, indices: indices))
  }

  /// Returns the animated glyphs of a formula, as elements before its children.
  func formulaElements(of i: ElementNode) -> [ElementModel] {
    guard let host = formulaHost(of: i), let formula = formula(of: host) else { return [] }
    if host.changes[.content] != nil { return formulaStates(of: i, host, formula) }
    if i.children.contains(where: { $0.kind == .each }) {
      return i.kind == .math ? formulaUnits(of: i, formula) : []
    }
    return coloredElements(of: i, formula)
  }

  /// Returns the color that a formula sets for one of its glyphs; `nil` if it sets none, or for a
  /// part with a paint of its own.
  func color(of index: Int, in formula: Formula, _ i: ElementNode) -> Color? {
    let isPainted = i.kind == .part && [.fill, .stroke].contains { i.properties[$0] != nil }
    return isPainted ? nil : formula.parts[index].color
  }

  /// Splits glyphs by the colors that a formula sets, in the order of their first glyphs.
  func groups(of indices: [Int], byColorIn formula: Formula, _ i: ElementNode)
    -> [(color: Color?, indices: [Int])]
  {
    var groups: [(color: Color?, indices: [Int])] = []
    for index in indices {
      let color = color(of: index, in: formula, i)
      if let group = groups.firstIndex(where: { $0.color == color }) {
        groups[group].indices.append(index)
      } else {
        groups.append((color, [index]))
      }
    }
    return groups
  }

  /// Returns the paints of glyphs with a color that the formula sets.
  func paints(_ paints: TextPaintModel, in color: Color?) -> TextPaintModel {
    guard let color else { return paints }
    return TextPaintModel(fill: .color(ColorModel(color)), stroke: nil)
  }

  /// Returns the glyphs with colors of their own of a formula that never changes.
  private func coloredElements(of i: ElementNode, _ formula: Formula) -> [ElementModel] {
    guard let host = formulaHost(of: i), formula.parts.contains(where: { $0.color != nil }),
      let start = start(of: i, i.span), let end = shownEnd(of: i, i.span)
    else { return [] }
    var home = AffineModel.identity
    if i.kind == .part, let box = box(of: i, now: now) {
      home = .translation(
        PointModel(builder.make(.negate, a: box.x), builder.make(.negate, a: box.y)))
    }
    let size = fontSize(of: host, now: now)
    let base = formulaPaints(of: i)
    let rough = rough(of: i, now: now)
    let groups = groups(of: share(of: i, in: formula), byColorIn: formula, i)
    return groups.filter { $0.color != nil }.map { color, indices in
      let model = ElementModel(
        kind: i.kindName, name: i.syntax.name?.text, span: i.span, start: start, end: end,
        transform: home,
        drawing: formulaOutline(
          path(indices.map { formula.parts[$0].outline }, size), of: i, paints(base, in: color),
          glyphs: FormulaGlyphs(formula: formula, indices: indices)),
        rough: rough)
      recording?.note(model, of: i.id, at: now)
      return model
    }
  }
}
