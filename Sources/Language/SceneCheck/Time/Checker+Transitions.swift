// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// A transition between two clips, with evaluated arguments and timing.
struct TransitionUse {
  let definition: DefinitionSyntax
  /// The scope of its parameters.
  let scope: Scope
  let over: Ticks
  let easing: Easing
  let span: SourceSpan
}

/// The two clips that a transition shows.
final class Crossing {
  let clips: [ElementKind: ElementNode]
  /// The clips that the transition has already placed.
  var used: Set<ElementKind> = []

  init(_ clips: [ElementKind: ElementNode]) { self.clips = clips }
}

// `transition name(…) { from { … } to { … } }`: an animated replacement of a clip by the next. A
// transition with a color samples both clips instead.
extension Checker {
  /// Returns the transition at the start of a clip; `nil` without one, or after a gap. That of the
  /// clip takes precedence over that of the sequence.
  func transition(into clip: ElementNode, _ gap: Ticks?) -> TransitionUse? {
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
    return transition(source.value, clauses: [], in: c)
  }

  private func isCut(_ source: Source) -> Bool {
    if case .reference("cut") = source.value.kind {
      source.scope.lookup("cut") == nil
    } else {
      false
    }
  }

  private func transition(_ e: Expression, clauses: [Clause], in c: Context) -> TransitionUse? {
    switch e.kind {
    case .timed(let inner, let own): return transition(inner, clauses: own + clauses, in: c)
    case .none, .error: return nil
    case .reference("cut") where c.scope.lookup("cut") == nil: return nil
    case .conditional(let condition, let a, let b):
      guard let truth = truth(releasing { evaluate(condition, c) }, condition.span) else {
        return nil
      }
      return transition(truth.constantValue == 0 ? b : a, clauses: clauses, in: c)
    case .call(let callee, let arguments):
      return use(callee, arguments, at: e.span, clauses: clauses, in: c)
    default: return use(e, [], at: e.span, clauses: clauses, in: c)
    }
  }

  private func use(
    _ callee: Expression, _ arguments: [Argument], at span: SourceSpan, clauses: [Clause],
    in c: Context
  ) -> TransitionUse? {
    guard
      let (definition, scope) = definition(
        .transition, callee, arguments: arguments, at: span, in: c)
    else {
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

  /// Creates the element of a transition for an overlap of two clips.
  func makeCrossing(
    _ use: TransitionUse, from: ElementNode, to: ElementNode, in sequence: ElementNode,
    start: Ticks,
    length: Ticks
  ) -> ElementNode {
    let it = makeBody(
      of: use.definition, home: use.scope, sequence, Crossing([.from: from, .to: to]))
    sequence.crossings.append(it)
    it.startTime = start
    it.endTime = start + length
    // The progress is a motion in its clock. The space in the name prevents collisions.
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
    process(use.definition.shownItems, in: it.scope, of: it)
    return it
  }

  /// Creates an element from a declaration, without processing the body.
  func makeBody(
    of definition: DefinitionSyntax, home: Scope, _ parent: ElementNode, _ crossing: Crossing? = nil
  ) -> ElementNode {
    let scope = ownerScope(in: home)
    instanceCount += 1
    let it = ElementNode(
      kind: .group, syntax: .empty, parent: parent, scope: scope, definition: definition,
      id: instanceCount)
    scope.instance = it
    it.crossing = crossing
    it.isElaborated = true
    return it
  }

  /// Returns the transition that contains an element; `nil` if there is none.
  func crossing(around parent: ElementNode) -> Crossing? {
    sequence(first: parent) { $0.parent }.first { $0.crossing != nil }?.crossing
  }

  // MARK: Declarations

  /// Reports the errors of a transition declaration, used or not. Each clip must be shown once, and
  /// the body must be valid for a varying `progress`.
  func checkDefinition(ofTransition definition: DefinitionSyntax, _ home: Scope) {
    for item in definition.items where definition.function == nil {
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
    for kind in [ElementKind.from, .to]
    where definition.function == nil && !Checker.holds(kind, definition.items) {
      report(
        Diagnostic(
          .missingProperty, "'\(definition.name.text)' does not use '\(kind.rawValue)'",
          at: definition.name.span, label: "add '\(kind.rawValue) { … }'"))
    }
    // The type of an image without a default has no placeholder that can be read.
    let needsImage = definition.parameters.contains { it in
      it.value == nil && it.type?.names.first.flatMap { ValueType(declared: $0.text) } == .image
    }
    if definition.function != nil, needsImage { return }
    // Checked with two empty clips.
    let root = fileContext().owner
    let it = makeBody(of: definition, home: home, root, Crossing([:]))
    it.startTime = .zero
    it.endTime = Ticks(Ticks.perSecond)
    for parameter in definition.parameters { bindPlaceholder(parameter, it.scope) }
    it.scope.bind("progress", .value(.number(now), definition.name.span))
    process(definition.shownItems, in: it.scope, of: it)
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

  /// Binds a parameter to its default, or to a placeholder of its type.
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

  /// Returns an arbitrary value of a type.
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

extension DefinitionSyntax {
  /// The items of a transition. A pixel function implicitly contains both clips.
  fileprivate var shownItems: [Item] {
    guard let color = function?.pixels?.color else { return function == nil ? items : [] }
    return [ElementKind.from, .to].map { kind in
      .element(
        ElementSyntax(
          kind: [Name(kind.rawValue, color.span)], name: nil, subject: nil, items: [],
          span: color.span))
    }
  }
}
