// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// `each glyph|word|line { … }`: the units of a text, each with its own clock and properties.
extension Checker {
  private static let greatestCount = 10_000

  /// Returns the animated units of a text, or `nil` if nothing animates them.
  func textUnits(of i: ElementNode, _ text: TextModel) -> TextUnitsModel? {
    var model = TextUnitsModel()
    for (value, span) in effect(.shown, of: i, now: now) {
      guard let share = asNumber(value, span) else { continue }
      model.shown = model.shown.map { builder.make(.minimum, a: $0, b: share) } ?? share
    }
    model.writing = writing(of: i)
    let blocks = i.children.filter { $0.kind == .each }
    if let second = blocks.dropFirst().first {
      report(
        Diagnostic(
          .misplacedElement, "a text can have only one 'each'", at: second.span,
          notes: [Note("first 'each'", at: blocks[0].span)]))
    }
    if let each = blocks.first,
      let kind = each.syntax.name.flatMap({ TextUnitKind(rawValue: $0.text) })
    {
      model.kind = kind
      model.units = units(of: each, kind, in: i, text)
    }
    if let line = letters(of: i, text, .box, now: now) {
      (model.along, model.alongStart, model.isBent) = (line.path, line.start, line.isBent)
    }
    model.spans = livingSpans(of: i)
    return model == TextUnitsModel() ? nil : model
  }

  private func units(
    of each: ElementNode, _ kind: TextUnitKind, in text: ElementNode, _ model: TextModel
  ) -> [TextUnitsModel.Unit] {
    elaborate(each)
    if model.runs.contains(where: { !$0.text.isConstant }) {
      report(
        Diagnostic(
          .notConstant, "'each' requires a text that does not change over time", at: each.span,
          notes: [Note(help: "move the part that changes to a separate text", at: text.span)]))
      return []
    }
    guard let (parts, last) = parts(of: each, kind, in: text, model),
      let end = end(of: text, text.span)
    else { return [] }
    return parts.map { unit, delay in
      unit.endTime = end - (last - delay)
      return self.unit(unit, in: text)
    }
  }

  /// Sets the starts of the words of a caption to the times at which they are spoken, and binds
  /// `spoken`. Returns whether the words have times.
  private func speak(
    _ units: [ElementNode], of each: ElementNode, _ kind: TextUnitKind, in text: ElementNode
  ) -> Bool {
    guard text.caption != nil, let begin = start(of: text, text.span) else { return false }
    let words = kind == .word ? spokenWords(of: text) : nil
    guard let words, words.count == units.count else {
      for unit in units { unit.scope.parent?.bind("spoken", .spoken(nil, each.span)) }
      return false
    }
    func ticks(_ seconds: Double) -> Ticks? {
      Ticks(rounding: seconds * Double(Ticks.perSecond)).map { begin + $0 }
    }
    for (unit, word) in zip(units, words) {
      guard let start = ticks(word.start), let end = ticks(word.end) else { return false }
      unit.startTime = start
      unit.scope.parent?.bind(
        "spoken", .spoken(start.rawValue...max(start, end).rawValue, each.span))
    }
    if let source = each.properties[.stagger], reports.isNew(source.nameSpan) {
      report(
        Diagnostic(
          .idleProperty, "'stagger' has no effect on words with times", at: source.nameSpan,
          label: "each word starts when it is spoken"))
    }
    return true
  }

  /// Returns the units of a text, without their delays.
  func partsAlone(of each: ElementNode, in text: ElementNode, _ model: TextModel) -> [ElementNode] {
    guard model.runs.allSatisfy(\.text.isConstant),
      let kind = each.syntax.name.flatMap({ TextUnitKind(rawValue: $0.text) })
    else { return [] }
    return parts(of: each, kind, in: text, model)?.parts.map(\.unit) ?? []
  }

  /// Returns the units of a text with their delays, and the maximum delay; `nil` after an error.
  private func parts(
    of each: ElementNode, _ kind: TextUnitKind, in text: ElementNode, _ model: TextModel
  ) -> (parts: [(unit: ElementNode, delay: Ticks)], last: Ticks)? {
    var evaluator = Evaluator(builder.program, metrics: metrics)
    if !model.isConstant { evaluator.evaluateAll(at: start(of: text, text.span) ?? .zero) }
    let count = metrics.count(kind, in: evaluator.block(model))
    guard let found = parts(of: each, count, in: text) else { return nil }
    guard speak(found.parts.map(\.unit), of: each, kind, in: text) else { return found }
    // The words of a caption end together.
    return (found.parts.map { ($0.unit, .zero) }, .zero)
  }

  /// Creates `count` units for a text or a formula. Returns them with their delays and the longest
  /// delay, or `nil` after an error.
  func parts(of each: ElementNode, _ count: Int, in text: ElementNode) -> (
    parts: [(unit: ElementNode, delay: Ticks)], last: Ticks
  )? {
    guard count <= Checker.greatestCount else {
      _ = report(
        .limitExceeded,
        "'each' has \(count) units, more than the limit of \(Checker.greatestCount)",
        at: each.span, label: Limits.fixed)
      return nil
    }
    guard let begin = start(of: text, text.span) else { return nil }
    var step = Ticks.zero
    if let source = each.properties[.stagger] {
      step = time(source, of: each, "'stagger'") ?? .zero
    }
    let order: TextOrder = word(.order, of: each)
    let ranks = Checker.ranks(order, count)
    if each.parts.count != count {
      each.parts = (0..<count).map { part($0, of: count, for: each, in: text) }
    }
    let delays = ranks.map { Ticks(step.rawValue * Int64($0)) }
    for (unit, delay) in zip(each.parts, delays) { unit.startTime = begin + delay }
    return (Array(zip(each.parts, delays)), delays.max() ?? .zero)
  }

  /// Returns the position of each unit in the order of starts. A random order depends only on the
  /// number of units.
  static func ranks(_ order: TextOrder, _ count: Int) -> [Int] {
    switch order {
    case .start: return Array(0..<count)
    case .end: return (0..<count).reversed()
    case .center:
      // Both sides advance concurrently.
      return (0..<count).map { abs(2 * $0 - (count - 1)) / 2 }
    case .random:
      let keys = (0..<count).map { Noise.random(Double($0), Double(count)) }
      var ranks = [Int](repeating: 0, count: count)
      for (rank, index) in keys.indices.sorted(by: { keys[$0] < keys[$1] }).enumerated() {
        ranks[index] = rank
      }
      return ranks
    }
  }

  /// Returns the unit for formula glyphs that appear with a `change`.
  ///
  /// `number` is the number of units before it, and `index` its position among the `count` units
  /// after the change.
  func lateUnit(
    _ number: Int, at index: Int, of count: Int, for each: ElementNode, in formula: ElementNode,
    from begin: Ticks
  ) -> ElementNode {
    if let known = each.lateParts[number] { return known }
    let unit = part(index, of: count, for: each, in: formula)
    unit.startTime = begin
    unit.endTime = end(of: formula, formula.span) ?? begin
    each.lateParts[number] = unit
    return unit
  }

  /// Creates a unit: another instance of the body of `each`, with `index` and `count`.
  private func part(_ index: Int, of count: Int, for each: ElementNode, in text: ElementNode)
    -> ElementNode
  {
    let round = Scope(parent: text.scope, owner: nil)
    round.bind("index", .value(.number(Double(index)), each.span))
    round.bind("count", .value(.number(Double(count)), each.span))
    let body = ownerScope(in: round)
    instanceCount += 1
    let unit = ElementNode(
      kind: .each, syntax: each.syntax, parent: text, scope: body, definition: nil,
      id: instanceCount)
    body.instance = unit
    return unit
  }

  func unit(_ i: ElementNode, in text: ElementNode) -> TextUnitsModel.Unit {
    var unit = movedPart(i, in: text)
    unit.fill = fill(of: i, now: now, box: layoutBox(of: text, now: now))
    if let (value, span) = value(.stroke, of: i, now: now) {
      unit.stroke = paint(value, at: span, in: layoutBox(of: text, now: now), of: i, now: now)
    }
    return unit
  }

  /// Returns the transform of a unit or span about its center, and its translation alone.
  func motion(of i: ElementNode, in text: ElementNode, now: Scalar)
    -> (map: AffineModel, shift: PointModel)
  {
    var map =
      linearPart(of: i, now: now)
      ?? AffineModel(a: .one, b: .zero, c: .zero, d: .one, e: .zero, f: .zero)
    let box = layoutBox(of: text, now: now)
    let (width, height) = (box?.width ?? .one, box?.height ?? .one)
    let moved = value(.translate, of: i, now: now).map { [$0] } ?? []
    var shift = PointModel.zero
    for (value, span) in moved + effect(.translate, of: i, now: now) {
      guard
        let by = asPoint(value, span, in: context(of: i, now: now), width: width, height: height)
      else { continue }
      map = builder.concat(.translation(by), map)
      shift = PointModel(builder.add(shift.x, by.x), builder.add(shift.y, by.y))
    }
    return (map, shift)
  }

  /// Returns the transform and the visibility of a unit, relative to its position in the layout.
  func movedPart(_ i: ElementNode, in text: ElementNode) -> TextUnitsModel.Unit {
    elaborate(i)
    let (map, shift) = motion(of: i, in: text, now: now)
    let box = layoutBox(of: text, now: now)
    let (width, height) = (box?.width ?? .one, box?.height ?? .one)
    var unit = TextUnitsModel.Unit(opacity: opacity(of: i), map: map, fill: nil)
    unit.shift = self.shift(of: i, now: now)
    unit.depth = depth(of: i, about: shift, now: now)
    unit.writing = writing(of: i)
    let own = value(.blur, of: i, now: now).map { [$0] } ?? []
    let effects = effect(.blur, of: i, now: now)
    for (value, span) in effects { check(value, of: .blur, in: .atLeast(0), at: span) }
    for (value, span) in own + effects {
      guard let radius = asLength(value, span, of: builder.make(.minimum, a: width, b: height))
      else { continue }
      unit.blur = builder.add(unit.blur, radius)
    }
    return unit
  }
}
