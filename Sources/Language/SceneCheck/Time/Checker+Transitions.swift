// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// A transition between two clips, as it was asked for.
struct TransitionUse {
  let definition: DefinitionSyntax
  /// Where its parameters are bound.
  let scope: Scope
  let over: Ticks
  let easing: Easing
  let span: SourceSpan
}

/// The two clips that a transition shows.
final class Crossing {
  let clips: [ElementKind: Instance]
  /// Those that have their place in it already.
  var used: Set<ElementKind> = []

  init(_ clips: [ElementKind: Instance]) { self.clips = clips }
}

// `transition name(…) { from { … } to { … } }`: how one clip gives way to another.
extension Checker {
  /// The transition at the beginning of a clip: its own, else that of the sequence.
  func transition(into clip: Instance, _ gap: Ticks?) -> TransitionUse? {
    let own = clip.kind == .sequence ? nil : clip.properties[.transition]
    guard let sequence = clip.parent, let source = own ?? sequence.properties[.transition] else {
      return nil
    }
    if let gap, gap >= .zero {
      if let own, !isCut(own) {
        _ = report(
          .propertyElsewhere, "'at' and 'transition' of a clip cannot be combined",
          at: source.nameSpan,
          label: "remove one of them, or use a negative 'at'")
      }
      return nil
    }
    let c = context(of: sequence, now: now).with {
      $0.scope = source.scope
      $0.constantFor = "'transition'"
    }
    return transition(source.value, [], c)
  }

  private func isCut(_ source: Source) -> Bool {
    if case .reference("cut") = source.value.kind {
      source.scope.lookup("cut") == nil
    } else {
      false
    }
  }

  private func transition(_ e: Expression, _ clauses: [Clause], _ c: Context) -> TransitionUse? {
    switch e.kind {
    case .timed(let inner, let own): return transition(inner, own + clauses, c)
    case .none, .error: return nil
    case .reference("cut") where c.scope.lookup("cut") == nil: return nil
    case .conditional(let condition, let a, let b):
      guard let truth = truth(evaluate(condition, c), condition.span) else { return nil }
      return transition(truth.constantValue == 0 ? b : a, clauses, c)
    case .call(let callee, let arguments): return use(callee, arguments, e.span, clauses, c)
    default: return use(e, [], e.span, clauses, c)
    }
  }

  private func use(
    _ callee: Expression, _ arguments: [Argument], _ span: SourceSpan, _ clauses: [Clause],
    _ c: Context
  ) -> TransitionUse? {
    guard let (definition, scope) = definition(.transition, callee, arguments, span, c) else {
      return nil
    }
    if let after = clauses.first(where: { $0.word.text == "after" }) {
      _ = report(
        .wrongArguments, "a transition cannot have 'after'", at: after.word.span,
        help: "set 'at' on the clip to shift its start")
    }
    guard let timing = timing(clauses, c), let scope else { return nil }
    let second = Double(Ticks.perSecond)
    return TransitionUse(
      definition: definition, scope: scope,
      over: Ticks(rounding: timing.over ?? timing.natural ?? second / 2) ?? .zero,
      easing: timing.easing ?? Easing.named["ease-in-out"] ?? .linear, span: span)
  }

  /// The element that a transition is while two clips are there.
  func makeCrossing(
    _ use: TransitionUse, from: Instance, to: Instance, in sequence: Instance, start: Ticks,
    length: Ticks
  ) -> Instance {
    let it = makeBody(
      of: use.definition, home: use.scope, sequence, Crossing([.from: from, .to: to]))
    sequence.crossings.append(it)
    it.startTime = start
    it.endTime = start + length
    // A motion of its own clock; the space keeps the name from all others.
    let easing = Name(" easing", use.span)
    it.scope.bind(easing, .value(.easing(use.easing, length: nil), use.span))
    func e(_ kind: Expression.Kind) -> Expression { Expression(kind, use.span) }
    let motion = Expression.Kind.tween(
      e(.number(0, nil)),
      [
        Leg(
          value: e(.number(1, nil)),
          clauses: [
            Clause(word: Name("over", use.span), value: e(.number(length.seconds, .s))),
            Clause(word: Name("with", use.span), value: e(.reference(easing.identifier))),
          ])
      ])
    it.scope.bind(
      "progress",
      .expression(
        LetBinding(name: Name("progress", use.span), type: nil, value: e(motion), id: newID())))
    process(use.definition.items, it.scope, it)
    return it
  }

  /// The element of a declaration whose body is still to be read.
  func makeBody(
    of definition: DefinitionSyntax, home: Scope, _ parent: Instance, _ crossing: Crossing? = nil
  ) -> Instance {
    let scope = ownerScope(in: home)
    instanceCount += 1
    let it = Instance(
      kind: .group, syntax: .empty, parent: parent, scope: scope, definition: definition,
      id: instanceCount)
    scope.instance = it
    it.crossing = crossing
    it.isElaborated = true
    return it
  }

  /// The transition that an element stands in.
  func crossing(around parent: Instance) -> Crossing? {
    sequence(first: parent) { $0.parent }.first { $0.crossing != nil }?.crossing
  }

  // MARK: Declarations

  /// Errors of a declaration, whether it is used or not: each clip is shown once, and all fits for a
  /// `progress` that moves.
  func checkDefinition(ofTransition definition: DefinitionSyntax, _ home: Scope) {
    for item in definition.items {
      switch item {
      case .property(let it):
        report(
          Diagnostic(
            .unknownProperty, "a transition cannot have properties", at: it.name.span,
            notes: [Note(help: "set '\(it.name.text)' on 'from' or 'to'")]))
      case .segment(let it):
        report(
          Diagnostic(.misplacedElement, "a transition cannot contain path segments", at: it.span))
      default: break
      }
    }
    for kind in [ElementKind.from, .to] where !Checker.holds(kind, definition.items) {
      report(
        Diagnostic(
          .missingProperty, "'\(definition.name.text)' does not use '\(kind.rawValue)'",
          at: definition.name.span, label: "add '\(kind.rawValue) { … }'"))
    }
    // Tried on two clips that show nothing.
    let root = fileContext().owner
    let it = makeBody(of: definition, home: home, root, Crossing([:]))
    it.startTime = .zero
    it.endTime = Ticks(Ticks.perSecond)
    for parameter in definition.parameters { bindPlaceholder(parameter, it.scope) }
    it.scope.bind("progress", .value(.number(now), definition.name.span))
    process(definition.items, it.scope, it)
    _ = emitOne(it)
  }

  private static func holds(_ kind: ElementKind, _ items: [Item]) -> Bool {
    items.contains { item in
      switch item {
      case .element(let it): it.kindText == kind.rawValue || holds(kind, it.items)
      case .forItem(let it): holds(kind, it.items)
      case .ifItem(let it): holds(kind, it.items) || holds(kind, it.otherwise)
      default: false
      }
    }
  }

  /// A value of the parameter's type, its default where there is one.
  func bindPlaceholder(_ parameter: ParameterSyntax, _ scope: Scope) {
    let span = parameter.name.span
    if let value = parameter.value {
      scope.bind(
        parameter.name,
        .expression(
          LetBinding(name: parameter.name, type: parameter.type, value: value, id: newID())))
      return
    }
    scope.bind(parameter.name, .value(placeholder(of: parameter.type), span))
  }

  /// Any value of a type.
  func placeholder(of type: TypeSyntax?) -> Value {
    let names = type?.names.map(\.text) ?? []
    if names.count > 1 { return .word(names[0]) }
    switch names.first.flatMap(ValueType.init(declared:)) ?? .number {
    case .percent: return .percent(.one)
    case .time: return .quantity(.constant(Double(Ticks.perSecond)), .time)
    case .angle: return .quantity(.one, .angle)
    case .gain: return .quantity(.one, .gain)
    case .rate: return .quantity(.one, .rate)
    case .pair: return .pair(.one, .one)
    case .color, .paint: return .color(ColorModel(.black))
    case .text, .image: return .literal("")
    case .bool: return .bool(.one)
    case .path: return .path(PathModel([]))
    case .easing: return .easing(.linear, length: nil)
    case .list: return .list([])
    case .range: return .range(.number(0), .number(1))
    case .record: return .record([])
    case .number, .length, .effect, .transition, .value, .element, .word, .filter, .shadow,
      .stop, .function:
      return .number(1)
    }
  }
}
