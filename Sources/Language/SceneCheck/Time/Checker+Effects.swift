// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// `enter`, `exit` and the effects in them.
extension Checker {
  static let effectProperties = EffectProperty.allCases.map(\.rawValue)

  /// Returns all effects of an element, those of `enter` first.
  func effects(of i: ElementNode) -> [EffectUse] {
    if let known = i.effects { return known }
    let outer = current
    current = i
    defer { current = outer }
    elaborate(i)
    i.effects = []
    var uses: [EffectUse] = []
    for property in [Property.enter, .exit] {
      guard let source = i.properties[property] else { continue }
      let c = context(of: i, now: now).with {
        $0.scope = source.scope
        $0.constantFor = "'\(property.name)'"
      }
      uses += self.uses(source.value, c, isExit: property == .exit, clauses: [])
    }
    i.effects = uses
    return uses
  }

  /// Warns about effects without an applicable property, such as `type` on a rect.
  func warnOfIdleEffects(of i: ElementNode) {
    for use in effects(of: i) {
      let changed = use.definition.items.compactMap { item in
        if case .property(let it) = item { EffectProperty(rawValue: it.name.text) } else { nil }
      }
      guard let first = changed.first, !changed.contains(where: { has($0, i.kind) }) else {
        continue
      }
      let name = use.definition.name.text
      let parts = i.parent?.kind == .math ? "the parts of a formula" : "the parts of a text"
      let what = i.kind == .each ? parts : "'\(i.kindName)'"
      let isDrawing = use.sets([.trim, .drawn, .written])
      report(
        Diagnostic(
          .idleProperty, "'\(name)' has no effect on \(what)", at: use.span,
          label: Checker.need(of: first),
          notes: i.kind == .svg && isDrawing
            ? [Note(help: "draw its parts: each part { enter: \(name) }")] : []))
    }
  }

  /// Returns whether a property of effects applies to a kind of element.
  private func has(_ property: EffectProperty, _ kind: ElementKind) -> Bool {
    switch property {
    case .trim: kind.isShape || [.text, .math, .part].contains(kind)
    case .drawn, .written: kind.isShape || [.text, .math, .part, .each, .span].contains(kind)
    case .shown: kind == .text
    case .crop: ![.span, .each].contains(kind)
    case .shift: kind != .span
    case .rotateX, .rotateY, .translateZ, .opacity, .scale, .translate, .rotate, .skew, .blur: true
    }
  }

  private static func need(of property: EffectProperty) -> String {
    switch property {
    case .trim, .drawn, .written: "it draws along an outline"
    case .shown: "it reveals the letters of a whole text"
    default: "it reveals the box of an element"
    }
  }

  private func uses(_ e: Expression, _ c: Context, isExit: Bool, clauses: [Clause]) -> [EffectUse] {
    switch e.kind {
    case .timed(let inner, let own):
      // Inner clauses take precedence over those of an enclosing list.
      let words = Set(own.map(\.word.text))
      return uses(
        inner, c, isExit: isExit,
        clauses: own + clauses.filter { !words.contains($0.word.text) })
    case .list(let items):
      return items.flatMap { uses($0, c, isExit: isExit, clauses: clauses) }
    case .none, .error: return []
    case .conditional(let condition, let a, let b):
      let chosen = releasing { evaluate(condition, c) }
      guard let truth = truth(chosen, condition.span) else { return [] }
      return uses(truth.constantValue == 0 ? b : a, c, isExit: isExit, clauses: clauses)
    case .call(let callee, let arguments):
      return use(callee, arguments, at: e.span, in: c, isExit: isExit, clauses: clauses).map {
        [$0]
      } ?? []
    default:
      return use(e, [], at: e.span, in: c, isExit: isExit, clauses: clauses).map { [$0] } ?? []
    }
  }

  private func use(
    _ callee: Expression, _ arguments: [Argument], at span: SourceSpan, in c: Context,
    isExit: Bool, clauses: [Clause]
  ) -> EffectUse? {
    guard
      let (definition, scope) = definition(.effect, callee, arguments: arguments, at: span, in: c),
      // Both are evaluated, so that the errors of both are reported.
      let timing = timing(clauses, c), let scope
    else { return nil }
    let second = Double(Ticks.perSecond)
    let isWriting = definition.items.contains { item in
      if case .property(let it) = item {
        it.name.text == "\(EffectProperty.written)"
      } else {
        false
      }
    }
    // Each glyph has an easing of its own.
    let fallback = isWriting ? Easing.linear : Easing.named[isExit ? "ease-in" : "ease-out"]
    var over = timing.over ?? timing.natural ?? second * (isExit ? 0.3 : 0.5)
    if isWriting, timing.over == nil, timing.natural == nil {
      over = second * (glyphCount(of: c.owner) < Checker.manyGlyphs ? 1 : 2)
    }
    if let clause = clauses.first(where: { $0.word.text != "with" }) {
      let whole = over + (timing.after ?? 0)
      let name = "'\(definition.name.text)'"
      warnIfCut(name, isExit: isExit, whole, at: clause.value.span, in: c)
    }
    return EffectUse(
      definition: definition, scope: scope, isExit: isExit, over: over, after: timing.after ?? 0,
      easing: timing.easing ?? fallback ?? .linear, clauses: clauses, span: span)
  }

  /// Resolves an effect or transition, with the scope of its parameters. Reports errors: the result
  /// is `nil` for an unknown name, and the scope is `nil` for invalid arguments.
  func definition(
    _ kind: DefinitionSyntax.Kind, _ callee: Expression, arguments: [Argument],
    at span: SourceSpan, in c: Context
  ) -> (DefinitionSyntax, Scope?)? {
    guard case .definition(let definition, let home)? = binding(kind, callee, in: c.scope),
      definition.kind == kind
    else { return nil }
    let scope = Scope(parent: home, owner: nil)
    let isBound = bindParameters(definition.parameters, to: arguments, scope: scope, in: c)
    return (definition, isBound ? scope : nil)
  }

  /// Resolves a name as an effect or transition. Other declarations do not shadow it. Returns `nil`
  /// if the name is unknown.
  private func binding(
    _ kind: DefinitionSyntax.Kind, _ callee: Expression, in scope: Scope
  ) -> Scope.Binding? {
    guard case .reference(let name) = callee.kind else {
      return resolve(callee, scope)?.0
    }
    var next: Scope? = scope
    while let it = next {
      if case .definition(let definition, _)? = it.bindings[name], definition.kind == kind {
        note(callee.span, definition.name.span)
        return it.bindings[name]
      }
      next = it.parent
    }
    return nil
  }

  /// Returns the progress of an effect at `now` for a lifetime from `start` to `end`. At rest, it
  /// is 1.
  func progress(of use: EffectUse, from start: Double, to end: Double, now: Scalar) -> Scalar {
    let from = Scalar.constant(use.begin(from: start, to: end))
    let u = builder.ease(
      builder.make(.progress, a: now, b: from, c: .constant(use.over)), use.easing)
    return use.isExit ? builder.subtract(.one, u) : u
  }

  /// Returns the values of a property in the effects of an element, in order.
  func effect(_ property: EffectProperty, of i: ElementNode, now: Scalar) -> [(Value, SourceSpan)] {
    let uses = effects(of: i)
    let step = stepOfCopy(property, i, now: now).map { [$0] } ?? []
    guard !uses.isEmpty, let start = start(of: i, i.span), let end = shownEnd(of: i, i.span) else {
      return step
    }
    return step
      + uses.compactMap { use in
        let progress = progress(
          of: use, from: Double(start.rawValue), to: Double(end.rawValue), now: now)
        return value(property, of: use, at: progress, in: context(of: i, now: now))
      }
  }

  /// Returns the value of a property in one effect at a progress; `nil` if the effect does not set
  /// it.
  func value(_ property: EffectProperty, of use: EffectUse, at progress: Scalar, in c: Context)
    -> (Value, SourceSpan)?
  {
    let scope = Scope(parent: use.scope, owner: nil)
    scope.bind("progress", .value(.number(progress), use.span))
    for item in use.definition.items {
      switch item {
      case .property(let it):
        guard it.name.text == property.rawValue else { continue }
        let words: Set<String> = property == .translate ? Set(Words.points.keys) : []
        return (evaluate(it.value, c.with { $0.scope = scope }, words: words), it.value.span)
      case .letDecl(let it):
        scope.bind(
          it.name,
          .expression(
            LetBinding(name: it.name, type: it.type, value: it.value, id: newID())))
      default: continue
      }
    }
    return nil
  }

  /// Reports the errors of an effect declaration, used or not.
  func checkDefinition(ofEffect definition: DefinitionSyntax) {
    for item in definition.items {
      switch item {
      case .letDecl: break
      case .property(let it):
        guard EffectProperty(rawValue: it.name.text) == nil else { continue }
        report(
          Diagnostic(
            .unknownProperty, "unknown property '\(it.name.text)' in an effect", at: it.name.span,
            notes: [
              Note(
                "the properties of an effect are \(Checker.effectProperties.joined(separator: ", "))"
              )
            ]
          ).suggesting(nearestTo: it.name.text, in: Checker.effectProperties))
      case .element(let it):
        report(
          Diagnostic(
            .misplacedElement, "an effect cannot contain '\(it.kindText)'", at: it.headSpan))
      case .forItem(let it):
        report(
          Diagnostic(.misplacedElement, "an effect cannot contain loops", at: it.variable.span))
      case .ifItem(let it):
        report(
          Diagnostic(
            .misplacedElement, "an effect cannot contain 'if'", at: it.condition.span,
            label: "use a conditional value: opacity: c ? a : b"))
      case .segment(let it):
        report(Diagnostic(.misplacedElement, "an effect cannot contain path segments", at: it.span))
      case .expectation: break
      }
    }
  }

  // MARK: Application

  private static let limitOfOpacity = "clamped to 0 (transparent) to 1 (opaque)"

  /// Returns the opacity including effects, clamped to `0...1`.
  func opacity(of i: ElementNode) -> Scalar {
    var result = number(.opacity, of: i, now: now)
    if let constant = result.constantValue, !(0...1).contains(constant),
      let source = i.properties[.opacity]
    {
      let span = source.value.span
      let warning = Diagnostic(
        .shareOutOfRange, "the opacity is \(NumberFormat().text(constant))", at: span,
        label: Checker.limitOfOpacity)
      // The span of a number in parentheses includes them.
      let percentage = "\(NumberFormat().text(constant))%"
      let isPercentage = source.value.literalNumber == constant && (2...100).contains(constant)
      report(
        isPercentage
          ? warning.fixing("write \(percentage)", replacing: span, with: percentage, isSafe: false)
          : warning)
    } else if let source = i.properties[.opacity] {
      warnOfWaypoints(source.value, beyond: 0...1, of: "the opacity") {
        (2...100).contains($0)
          ? "1 is opaque; write percentages, such as 0% -> 100%" : Checker.limitOfOpacity
      }
    }
    for (value, span) in effect(.opacity, of: i, now: now) {
      if let by = asNumber(value, span) { result = builder.multiply(result, by) }
    }
    return builder.make(.maximum, a: .zero, b: builder.make(.minimum, a: .one, b: result))
  }

  /// Returns the visible interval of the outline: that of the element, then that of its effects
  /// within it. Returns `nil` if the outline is not trimmed.
  ///
  /// For outlines without a fill, effects that draw an outline are such intervals.
  func trim(of i: ElementNode, isLine: Bool = false) -> TrimModel? {
    var result: TrimModel?
    let own = self.value(.trim, of: i, now: now).map { [turned($0, of: i)] } ?? []
    for (value, span) in own + effect(.trim, of: i, now: now)
      + (isLine ? drawnRanges(of: i) : [])
    {
      guard case .range(let low, let high) = value else {
        if !value.isPoison { expectedRange(value, at: span) }
        continue
      }
      guard let from = asNumber(low, span), let to = asNumber(high, span) else { continue }
      if result == nil { warnOfTrim(from: from, to: to, at: span, of: i) }
      guard let outer = result else {
        result = TrimModel(from: from, to: to)
        continue
      }
      result = TrimModel(
        from: builder.mix(outer.from, outer.to, at: from),
        to: builder.mix(outer.from, outer.to, at: to))
    }
    return result
  }

  /// Reports a value of `trim` that is not a range. A number or a percentage is probably its end.
  private func expectedRange(_ value: Value, at span: SourceSpan) {
    let isPercent = if case .percent = value { true } else { false }
    let isNumber = if case .quantity(_, .none) = value { true } else { false }
    let source = text(at: span)
    guard isPercent || isNumber, !source.contains(where: \.isNewline) else {
      return mismatch("a range", value, at: span, help: "write a range such as 0% .. 50%")
    }
    let range = Mismatch.range(from: isPercent ? "0%" : "0", to: source)
    report(
      Diagnostic(.typeMismatch, "expected a range, found \(value.description)", at: span)
        .fixing("write \(range)", replacing: span, with: range, isSafe: false))
  }

  /// Rotates an interval of an outline by `trim-offset`.
  private func turned(_ trim: (Value, SourceSpan), of i: ElementNode) -> (Value, SourceSpan) {
    guard i.properties[.trimOffset] != nil, case .range(let low, let high) = trim.0,
      let from = asNumber(low, trim.1), let to = asNumber(high, trim.1)
    else { return trim }
    let by = number(.trimOffset, of: i, now: now)
    let part = Value.range(.number(builder.add(from, by)), .number(builder.add(to, by)))
    return (part, trim.1)
  }

  /// Warns about an interval of an outline that is empty or clipped.
  private func warnOfTrim(from: Scalar, to: Scalar, at span: SourceSpan, of i: ElementNode) {
    func percent(_ share: Double) -> String { NumberFormat().text((share * 100).rounded()) + "%" }
    let shares = (from: from.constantValue, to: to.constantValue)
    if let low = shares.from, let high = shares.to, low > high {
      report(
        Diagnostic(
          .shareOutOfRange, "'trim' ends at \(percent(high)), before its start", at: span,
          label: "nothing is drawn",
          notes: [
            Note(help: "write \(percent(low)) .. \(percent(high + 1)) to continue past the start")
          ]))
      return
    }
    let isTurned = i.properties[.trimOffset] != nil && shares.from == nil
    let isBeyond = isTurned || (shares.from ?? 0) < 0 || (shares.to ?? 1) > 1
    guard isBeyond, isOpen(i) else { return }
    report(
      Diagnostic(
        .shareOutOfRange, "'trim' exceeds the ends of this line", at: span,
        label: "clamped to 0% and 100%",
        notes: [Note("only a closed outline can continue past its start")]))
  }

  /// Returns whether the path of an element is certainly open.
  private func isOpen(_ i: ElementNode) -> Bool {
    switch i.kind {
    case .line, .arrow: return true
    case .polyline, .path, .arc:
      guard let outline = outline(of: i, now: now), case let path = PathModel([.outline(outline)]),
        path.isConstant
      else { return false }
      return !Evaluator(Program(), metrics: metrics).path(path).isClosed
    default: return false
    }
  }

  /// Returns the part of the box that effects leave visible; `nil` without such effects. The left
  /// half is `crop: (0 .. 0.5, 0 .. 1)`.
  func crop(of i: ElementNode) -> OutlineModel? {
    let crops = effect(.crop, of: i, now: now)
    let shift = shift(of: i, now: now)
    guard !crops.isEmpty || shift != .zero, let box = self.box(of: i, now: now) else { return nil }
    var part = shift == .zero ? BoxPart() : rest(afterShift: shift)
    for (value, span) in crops {
      guard case .pair(.range(let x0, let x1), .range(let y0, let y1)) = value,
        let a = asNumber(x0, span), let b = asNumber(x1, span), let c = asNumber(y0, span),
        let d = asNumber(y1, span)
      else {
        if !value.isPoison { mismatch("a pair of ranges", value, at: span) }
        continue
      }
      part.left = builder.make(.maximum, a: part.left, b: a)
      part.right = builder.make(.minimum, a: part.right, b: b)
      part.top = builder.make(.maximum, a: part.top, b: c)
      part.bottom = builder.make(.minimum, a: part.bottom, b: d)
    }
    return outline(of: part, in: box)
  }

  /// A part of a box, as fractions of its width and height.
  struct BoxPart {
    var left = Scalar.zero, right = Scalar.one, top = Scalar.zero, bottom = Scalar.one
  }

  /// Returns the sum of all `shift` effects, as fractions of the element's own box.
  func shift(of i: ElementNode, now: Scalar) -> PointModel {
    effect(.shift, of: i, now: now).reduce(.zero) { sum, item in
      guard case .pair = item.0, let by = asFactors(item.0, item.1) else {
        if !item.0.isPoison { mismatch("a pair of numbers", item.0, at: item.1) }
        return sum
      }
      return PointModel(builder.add(sum.x, by.x), builder.add(sum.y, by.y))
    }
  }

  /// Returns the translation that a `shift` represents in a box.
  func translation(ofShift shift: PointModel, in box: BoxModel) -> AffineModel {
    .translation(
      PointModel(
        builder.multiply(shift.x, box.width), builder.multiply(shift.y, box.height)))
  }

  /// Returns the part of a shifted element that is still inside its original box, as fractions of
  /// the element's box.
  func rest(afterShift shift: PointModel) -> BoxPart {
    BoxPart(
      left: builder.make(.negate, a: shift.x), right: builder.subtract(.one, shift.x),
      top: builder.make(.negate, a: shift.y), bottom: builder.subtract(.one, shift.y))
  }

  /// Returns the outline of a part of a box.
  ///
  /// An edge at or beyond that of the box does not clip, so that strokes and shadows outside remain
  /// visible.
  func outline(of part: BoxPart, in box: BoxModel) -> OutlineModel {
    let far = Scalar.constant(20_000)
    func edge(_ share: Scalar, origin: Scalar, size: Scalar, isLow: Bool) -> Scalar {
      let at = builder.add(origin, builder.multiply(size, share))
      let rests =
        isLow
        ? builder.make(.lessOrEqual, a: share, b: .zero)
        : builder.make(.lessOrEqual, a: .one, b: share)
      let beyond =
        isLow ? builder.subtract(origin, far) : builder.add(origin, builder.add(size, far))
      return builder.select(if: rests, then: beyond, else: at)
    }
    let x = edge(part.left, origin: box.x, size: box.width, isLow: true)
    let y = edge(part.top, origin: box.y, size: box.height, isLow: true)
    let right2 = edge(part.right, origin: box.x, size: box.width, isLow: false)
    let bottom2 = edge(part.bottom, origin: box.y, size: box.height, isLow: false)
    return .rect(
      x: x, y: y, width: builder.subtract(right2, x), height: builder.subtract(bottom2, y),
      radius: .zero)
  }
}
