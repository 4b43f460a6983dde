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

  private func refuseUnits(of formula: ElementNode) {
    for each in formula.children where each.kind == .each {
      report(
        Diagnostic(
          .notConstant, "'each' requires a formula that does not change over time", at: each.span,
          label: "use 'part', which is animated independently"))
    }
  }

  /// Returns a formula at rest between its changes, and its animation during each of them.
  func formulaStates(of i: ElementNode, _ host: ElementNode, _ first: Formula)
    -> [ElementModel]
  {
    guard let begin = start(of: host, host.span), let finish = shownEnd(of: host, host.span) else {
      return []
    }
    if i === host { refuseUnits(of: host) }
    let steps = formulaSteps(of: host, now: now)
    let size = fontSize(of: host, now: now)
    let (paints, rough) = (formulaPaints(of: i), rough(of: i, now: now))
    var home = AffineModel.identity
    if i.kind == .part, let box = box(of: i, now: now) {
      home = .translation(
        PointModel(builder.make(.negate, a: box.x), builder.make(.negate, a: box.y)))
    }
    var models: [ElementModel] = []
    func add(
      _ path: PathModel, glyphs: FormulaGlyphs? = nil, from: Ticks, to: Ticks,
      opacity: Scalar = .one
    ) {
      let (from, to) = (max(from, begin), min(to, finish))
      guard from < to, !path.segments.isEmpty else { return }
      models.append(
        ElementModel(
          kind: i.kindName, name: i.syntax.name?.text, span: i.span, start: from, end: to,
          transform: home, opacity: opacity,
          drawing: formulaOutline(path, of: i, paints, glyphs: glyphs),
          rough: rough))
    }
    func rest(_ formula: Formula, from: Ticks, to: Ticks) {
      let indices = share(of: i, in: formula)
      guard !indices.isEmpty else { return }
      add(
        path(indices.map { formula.parts[$0].outline }, size),
        glyphs: FormulaGlyphs(formula: formula, indices: indices), from: from, to: to)
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
