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

/// A formula that is the result of a `change`.
struct FormulaStep {
  let formula: Formula
  let start: Ticks
  let end: Ticks
  /// The progress of the change from 0 to 1.
  let progress: Scalar
}

// Parts of formulas, `each`, and morphing between formulas.
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
    guard let tex = asConstantText(position, span) else { return poison(span) }
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
  private func share(of i: ElementNode, in formula: Formula) -> [Int] {
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
  private func formulaPaints(of i: ElementNode) -> TextPaintModel {
    let chain = [i, i.kind == .part ? i.parent : nil].compactMap { $0 }
    let filler = chain.first { $0.properties[.fill] != nil }
    let stroker = chain.first { $0.properties[.stroke] != nil }
    var fill = filler.flatMap { self.fill(of: $0, now: now, box: box(of: $0, now: now)) }
    let stroke = stroker.flatMap { self.stroke(of: $0, now: now, box: box(of: $0, now: now)) }
    if filler == nil, stroker == nil { fill = ink(for: chain[chain.count - 1], now: now) }
    return TextPaintModel(fill: fill, stroke: stroke)
  }

  private func formulaOutline(_ path: PathModel, of i: ElementNode, _ paints: TextPaintModel)
    -> ElementModel.Drawing
  {
    var trim = trim(of: i)
    if trim == nil, i.kind == .part, let host = i.parent { trim = self.trim(of: host) }
    return .outline(
      .path(path), fill: paints.fill, stroke: paints.stroke, trim: trim,
      strokeIsFirst: strokeIsFirst(i))
  }

  /// Returns the drawing of a formula or a part that never changes and has no animated units.
  func formulaDrawing(_ i: ElementNode) -> ElementModel.Drawing {
    guard let host = formulaHost(of: i), let formula = formula(of: host) else { return .nothing }
    if i.kind == .part { checkClaim(of: i, in: formula) }
    let isMoving = i.kind == .math && i.children.contains { $0.kind == .each }
    guard !isMoving, host.changes[.content] == nil else { return .nothing }
    let outlines = share(of: i, in: formula).map { formula.parts[$0].outline }
    guard !outlines.isEmpty else { return .nothing }
    return formulaOutline(path(outlines, fontSize(of: host, now: now)), of: i, formulaPaints(of: i))
  }

  /// Returns the animated glyphs of a formula, as elements before its children.
  func formulaElements(of i: ElementNode) -> [ElementModel] {
    guard let host = formulaHost(of: i), let formula = formula(of: host) else { return [] }
    if host.changes[.content] != nil { return formulaStates(of: i, host, formula) }
    return i.kind == .math ? formulaUnits(of: i, formula) : []
  }

  // MARK: Each

  private func formulaUnits(of i: ElementNode, _ formula: Formula) -> [ElementModel] {
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
          opacity: unit.opacity, drawing: formulaOutline(path, of: i, own), rough: rough,
          style: style))
      // Equal letters differ.
      if let seed = rough?.seed { rough?.seed = builder.add(seed, .constant(101)) }
    }
    for model in models { recording?.note(model, of: i.id, at: now) }
    return models
  }

  /// Returns the glyphs, or the terms between operators, in source order.
  private func groups(of formula: Formula, _ kind: FormulaUnit, _ share: [Int]) -> [[Int]] {
    switch kind {
    case .glyph:
      return share.sorted {
        (formula.parts[$0].range.lowerBound, $0) < (formula.parts[$1].range.lowerBound, $1)
      }.map { [$0] }
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

  // MARK: Morphing

  /// Returns the changes of a formula in the order of their starts.
  func formulaSteps(of i: ElementNode, now: Scalar) -> [FormulaStep] {
    guard let changes = i.changes[.content] else { return [] }
    var steps: [FormulaStep] = []
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
      let progress = builder.make(
        .progress, a: now, b: .constant(Double(start.rawValue)),
        c: .constant(Double((end - start).rawValue)))
      let step = FormulaStep(
        formula: formula, start: start, end: end, progress: builder.ease(progress, easing))
      let later = steps.lastIndex { $0.start <= start }.map { $0 + 1 } ?? 0
      steps.insert(step, at: later)
    }
    return steps
  }

  /// Returns a formula at rest between its changes, and its animation during each of them.
  private func formulaStates(of i: ElementNode, _ host: ElementNode, _ first: Formula)
    -> [ElementModel]
  {
    guard let begin = start(of: host, host.span), let finish = shownEnd(of: host, host.span) else {
      return []
    }
    for each in host.children where each.kind == .each && i === host {
      report(
        Diagnostic(
          .notConstant, "'each' requires a formula that does not change over time", at: each.span,
          label: "use 'part', which is animated independently"))
    }
    let steps = formulaSteps(of: host, now: now)
    let size = fontSize(of: host, now: now)
    let (paints, rough) = (formulaPaints(of: i), rough(of: i, now: now))
    var home = AffineModel.identity
    if i.kind == .part, let box = box(of: i, now: now) {
      home = .translation(
        PointModel(builder.make(.negate, a: box.x), builder.make(.negate, a: box.y)))
    }
    var models: [ElementModel] = []
    func add(_ path: PathModel, from: Ticks, to: Ticks, opacity: Scalar = .one) {
      let (from, to) = (max(from, begin), min(to, finish))
      guard from < to, !path.segments.isEmpty else { return }
      models.append(
        ElementModel(
          kind: i.kindName, name: i.syntax.name?.text, span: i.span, start: from, end: to,
          transform: home, opacity: opacity, drawing: formulaOutline(path, of: i, paints),
          rough: rough))
    }
    func rest(_ formula: Formula, from: Ticks, to: Ticks) {
      let outlines = share(of: i, in: formula).map { formula.parts[$0].outline }
      if !outlines.isEmpty { add(path(outlines, size), from: from, to: to) }
    }
    var (formula, free) = (first, begin)
    for (index, step) in steps.enumerated() {
      let next = index + 1 < steps.count ? steps[index + 1].start : finish
      rest(formula, from: free, to: step.start)
      guard spend(50 + formula.parts.count * step.formula.parts.count / 20, i.span) else { break }
      let way = FormulaWay(
        from: formula, share(of: i, in: formula), to: step.formula, share(of: i, in: step.formula))
      let end = min(step.end, max(next, step.start))
      let morphs = way.pairs.map { pair in
        PathModel.Segment.morph(
          PathModel([.fixed(formula.parts[pair.0].outline)]),
          PathModel([.fixed(step.formula.parts[pair.1].outline)]), step.progress)
      }
      if !morphs.isEmpty { add(inPixels(PathModel(morphs), size), from: step.start, to: end) }
      let u = step.progress
      let gone = builder.make(
        .maximum, a: .zero, b: builder.subtract(.one, builder.scaled(u, 1 / 0.6)))
      let come = builder.make(
        .maximum, a: .zero, b: builder.scaled(builder.subtract(u, .constant(0.4)), 1 / 0.6))
      if !way.gone.isEmpty {
        add(
          path(way.gone.map { formula.parts[$0].outline }, size), from: step.start, to: end,
          opacity: gone)
      }
      if !way.come.isEmpty {
        add(
          path(way.come.map { step.formula.parts[$0].outline }, size), from: step.start, to: end,
          opacity: come)
      }
      (formula, free) = (step.formula, max(step.start, end))
    }
    rest(formula, from: free, to: finish)
    for model in models { recording?.note(model, of: i.id, at: now) }
    return models
  }
}

/// The correspondence of two formulas: it pairs equal characters, in order as far as possible.
struct FormulaWay {
  private(set) var pairs: [(Int, Int)] = []
  private(set) var gone: [Int] = []
  private(set) var come: [Int] = []

  /// Longer sequences are compared only from both ends.
  private static let greatestProduct = 250_000

  init(from a: Formula, _ own: [Int], to b: Formula, _ others: [Int]) {
    func signs(_ formula: Formula, _ indices: [Int]) -> [Unicode.Scalar] {
      indices.map { formula.parts[$0].sign ?? "\u{2500}" }
    }
    let (left, right) = (signs(a, own), signs(b, others))
    var matched: [Int: Int] = [:]
    if left.count * right.count <= FormulaWay.greatestProduct {
      for (i, j) in FormulaWay.common(left, right) { matched[i] = j }
    }
    // Pairs the remaining equal characters, which changed their order.
    var free: [Unicode.Scalar: [Int]] = [:]
    let taken = Set(matched.values)
    for j in right.indices.reversed() where !taken.contains(j) {
      free[right[j], default: []].append(j)
    }
    for i in left.indices where matched[i] == nil { matched[i] = free[left[i]]?.popLast() }
    let found = Set(matched.values)
    pairs = left.indices.compactMap { i in matched[i].map { (own[i], others[$0]) } }
    gone = left.indices.filter { matched[$0] == nil }.map { own[$0] }
    come = right.indices.filter { !found.contains($0) }.map { others[$0] }
  }

  /// Returns the longest common subsequence, as pairs of indices.
  private static func common(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> [(Int, Int)] {
    var lengths = [[Int]](
      repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in a.indices.reversed() {
      for j in b.indices.reversed() {
        lengths[i][j] =
          a[i] == b[j] ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      if a[i] == b[j] {
        pairs.append((i, j))
        (i, j) = (i + 1, j + 1)
      } else if lengths[i + 1][j] >= lengths[i][j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }
}
