// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax

// Elaboration of bodies to instances: unrolls loops, evaluates conditions and binds names.
extension Checker {
  func newID() -> Int {
    lastBindingID += 1
    return lastBindingID
  }

  /// Creates the children of an element, once.
  func elaborate(_ instance: ElementNode) {
    if instance.isElaborated { return }
    let outer = current
    current = instance
    defer { current = outer }
    instance.isElaborated = true
    if instance.syntax.target != nil { aim(instance) }
    if let inner = instance.shown { instance.children = [inner] }
    if let definition = instance.definition {
      bindArguments(of: instance, definition)
      process(definition.items, in: instance.scope, of: instance)
    } else if instance.kind == .repeat {
      makeCopies(in: instance)
    } else if instance.isParticle {
      process(instance.syntax.items.filter(Checker.isOfParticle), in: instance.scope, of: instance)
    } else if instance.kind == .each, instance.parent?.kind == .svg {
      process(instance.syntax.items.filter(Checker.isOfEach), in: instance.scope, of: instance)
    } else {
      process(instance.syntax.items, in: instance.scope, of: instance)
      if instance.kind == .svg { makeParts(in: instance) }
    }
    applyStyles(instance)
    if instance.isParticle { return }
    if instance.kind == .captions { makeCaptions(instance) }
    // Evaluated for its errors, even if no time is in beats.
    if instance.kind == .scene { _ = tempo(of: instance) }
    noteChanges(of: instance)
    if let outer = instance.parent?.depth, outer + 1 > options.limits.nesting {
      let limits = options.limits
      let raised = min(limits.nesting * 2, Limits.greatestNesting)
      let advice = Note(help: "raise the limit with --limit nesting=\(raised)")
      report(
        Diagnostic(
          .limitExceeded, "elements are nested more than \(limits.nesting) levels deep",
          at: instance.span, label: "exceeds the limit 'nesting'",
          notes: raised > limits.nesting ? [advice] : []))
      instance.children = []
    }
  }

  /// Processes the items of a body in two passes: first declarations and elements, then loops and
  /// conditions.
  func process(_ items: [Item], in scope: Scope, of instance: ElementNode) {
    // The elements of the items, in order; `nil` for those that are skipped.
    var made: [ElementNode?] = []
    for item in items {
      if reports.isClosed { return }
      switch item {
      case .letDecl(let it):
        let binding = LetBinding(name: it.name, type: it.type, value: it.value, id: newID())
        noteName(it.name, binding)
        bind(it.name, .expression(binding), in: scope, describedAs: "body")
      case .element(let syntax):
        made.append(nil)
        if syntax.kindText == "slot" { continue }
        guard let child = makeElement(syntax, parent: instance, scope) else {
          // The unknown element may be a misspelling of a required property.
          if ElementKind(rawValue: syntax.kindText) == nil { instance.unknownProperties.append("") }
          keepName(of: syntax, in: scope)
          continue
        }
        if isValueAsName(child) { continue }
        made[made.count - 1] = child
        if let name = syntax.name, child.kind != .each, child.kind != .output {
          noteShadow(name)
          bind(name, .element(child), in: scope, describedAs: "body")
        }
      case .property(let property): add(property, to: instance, scope)
      case .forItem, .ifItem, .segment, .expectation: break
      }
    }
    var children = made.makeIterator()
    for item in items {
      switch item {
      case .element(let syntax):
        if syntax.kindText == "slot" { fillSlot(syntax, in: scope, of: instance) }
        guard let child = children.next() ?? nil else { continue }
        instance.children.append(child)
        if child.kind == .steps || child.kind == .step { export(namesOf: child, to: scope) }
      case .forItem(let loop): unroll(loop, in: scope, of: instance)
      case .ifItem(let it): decide(it, in: scope, of: instance)
      case .segment(let segment): instance.segments.append((segment, scope))
      case .expectation(let it): instance.conditions.append((it, scope))
      case .letDecl, .property: break
      }
    }
  }

  /// Binds a name. A duplicate declaration binds poison, so that uses cause no further errors.
  func bind(_ name: Name, _ binding: Scope.Binding, in scope: Scope, describedAs place: String) {
    guard let first = scope.bindings[name] else { return scope.bind(name, binding) }
    var diagnostic = Diagnostic(
      .nameTwice, "'\(name.text)' is declared twice in this \(place)", at: name.span,
      label: "choose a different name")
    if let span = first.nameSpan { diagnostic.notes = [Note("first declared here", at: span)] }
    scope.bind(name, .value(.poison(report(diagnostic)), name.span))
  }

  /// Returns the context of a loop or condition in a body. Points are in the coordinates of the
  /// body.
  private func bodyContext(of instance: ElementNode, _ scope: Scope) -> Context {
    context(of: instance, now: now).with {
      $0.scope = scope
      $0.space = instance
    }
  }

  private func unroll(_ loop: ForSyntax, in scope: Scope, of instance: ElementNode) {
    // The number of rounds must not depend on the lifetime, which may depend on the body.
    planning += 1
    let list = structuralValue(loop.list, bodyContext(of: instance, scope), for: .loop)
    let rounds = rounds(of: loop.list, list.value) ?? []
    planning -= 1
    let items =
      list.isChangingList
      ? LetBinding(
        name: Name("", loop.list.span), type: nil, value: loop.list, id: newID(),
        home: Scope(parent: scope, owner: instance)) : nil
    var lists: [Identifier: [ElementNode]] = [:]
    for (number, value) in rounds.enumerated() {
      if reports.isClosed { return }
      let round = Scope(parent: scope, owner: instance)
      round.bind(
        loop.variable,
        items.map { .expression(changingItem(number, of: $0, as: loop.variable)) }
          ?? .value(value, loop.variable.span))
      if let index = loop.index {
        round.bind(index, .value(.number(Double(number)), index.span))
      }
      process(loop.items, in: round, of: instance)
      gather(namesOf: round, &lists)
    }
    for (name, children) in lists where scope.bindings[name] == nil {
      scope.bind(name, .elements(children))
    }
  }

  /// Collects the elements of one round by name.
  func gather(namesOf round: Scope, _ lists: inout [Identifier: [ElementNode]]) {
    for (name, binding) in round.bindings {
      switch binding {
      case .element(let child): lists[name, default: []].append(child)
      case .elements(let children): lists[name, default: []] += children
      default: break
      }
    }
  }

  private func decide(_ it: IfSyntax, in scope: Scope, of instance: ElementNode) {
    let context = bodyContext(of: instance, scope)
    let value = structuralValue(it.condition, context, for: .condition).value
    let truth = truth(value, it.condition.span)
    guard let known = truth?.constantValue else {
      if truth == nil { return }
      report(
        Diagnostic(
          .notConstant, "the condition of 'if' cannot change over time",
          at: it.condition.span, label: Checker.movingLabel,
          notes: [Note(help: "set 'visible' to this condition instead")]))
      return
    }
    let branch = Scope(parent: scope, owner: instance)
    process(known != 0 ? it.items : it.otherwise, in: branch, of: instance)
    for (name, binding) in branch.bindings where scope.bindings[name] == nil {
      switch binding {
      case .element, .elements: scope.bind(name, binding)
      default: break
      }
    }
  }

  // MARK: Slots

  /// Elaborates the children of a component's use at its `slot`.
  private func fillSlot(_ syntax: ElementSyntax, in scope: Scope, of parent: ElementNode) {
    var next: Scope? = scope
    while let it = next {
      if let host = it.owner, host.definition != nil, it === host.scope {
        if host.isSlotFilled {
          report(
            Diagnostic(
              .misplacedElement, "a component can have only one 'slot'", at: syntax.headSpan,
              label: "the first 'slot' already contains the children"))
        }
        host.isSlotFilled = true
        if let home = host.slotScope { process(host.slotItems, in: home, of: parent) }
        return
      }
      next = it.parent
    }
    report(
      Diagnostic(
        .misplacedElement, "'slot' must be inside a component", at: syntax.headSpan,
        label: "'slot' marks the place of the children of a component"))
  }

  // MARK: Properties

  func addSubject(_ instance: ElementNode) {
    guard let subject = instance.syntax.subject else { return }
    guard let name = instance.kind.subjectProperty else {
      report(
        Diagnostic(
          .unexpectedToken, "'\(instance.kind.rawValue)' cannot have a text", at: subject.span,
          label: "remove the text, or put 'text \"…\"' in the body"))
      return
    }
    instance.properties[name] = Source(
      value: subject, scope: instance.scope, nameSpan: subject.span)
  }

  func add(_ property: PropertySyntax, to instance: ElementNode, _ scope: Scope) {
    let name = property.name
    if addArgument(property, to: instance, scope) { return }
    guard let known = KnownWords.properties[name] else { return unknownProperty(name, instance) }
    // Without a known element to animate, its properties cannot be checked.
    if instance.kind == .change, instance.host == nil, !Checker.changeWords.contains(known) {
      return
    }
    guard use(of: known, in: instance) != nil else { return misplaced(name, instance) }
    if let first = instance.properties[known] {
      var diagnostic = Diagnostic(
        .propertyTwice, "duplicate property '\(name.text)'", at: name.span,
        label: "remove one of them")
      diagnostic.notes = [Note("first set here", at: first.nameSpan)]
      report(diagnostic)
      return
    }
    if known == .timeStep { usesTimeSteps = true }
    instance.properties[known] = Source(
      value: property.value, scope: scope, nameSpan: name.span)
  }

  /// Returns the kind that determines valid properties. For a `change`, it is that of the animated
  /// element.
  func checkedKind(_ instance: ElementNode, _ property: Property) -> ElementKind {
    // A scene as an element has the properties of a video.
    if instance.shown != nil {
      return property.declaration.use(in: .group) != nil ? .group : .video
    }
    guard instance.kind == .change else { return instance.kind }
    return Checker.changeWords.contains(property) ? .group : instance.host?.kind ?? .change
  }

  /// Applies the properties of styles that the element does not set. Later styles take precedence.
  func applyStyles(_ instance: ElementNode) {
    guard let source = instance.properties[.style] else { return }
    var known: [StyleKey: Bool] = [:]
    applyStyles(source.value, in: source.scope, to: instance, &known)
  }

  /// A style with the scope that contains it.
  private struct StyleKey: Hashable {
    let definition: ObjectIdentifier
    let home: ObjectIdentifier
  }

  /// Applies one style or a list of styles, each followed by the styles that it is based on.
  ///
  /// `known` contains the visited styles, and whether all styles that they are based on were
  /// visited. A second visit has no effect, since the first one set all properties of the style.
  private func applyStyles(
    _ value: Expression, in outer: Scope, to instance: ElementNode, _ known: inout [StyleKey: Bool]
  ) {
    let names: [Expression]
    if case .list(let items) = value.kind { names = items } else { names = [value] }
    for e in names.reversed() {
      guard spend(1, e.span) else { return }
      guard case .definition(let definition, let home)? = resolve(e, outer)?.0,
        definition.kind == .style
      else {
        guard case .reference(let name) = e.kind else {
          _ = report(.typeMismatch, "expected the name of a style", at: e.span)
          continue
        }
        if isReported(name, outer) { continue }
        report(Diagnostic(.unknownName, "unknown style '\(name)'", at: e.span))
        continue
      }
      let key = StyleKey(definition: ObjectIdentifier(definition), home: ObjectIdentifier(home))
      if let isComplete = known[key] {
        guard !isComplete, let base = definition.base else { continue }
        _ = report(
          .cycle, "the style '\(definition.name.text)' is based on itself", at: base.value.span)
        continue
      }
      let scope = Scope(parent: home, owner: nil)
      for case .property(let property) in definition.items
      where KnownWords.properties[property.name].flatMap({ instance.properties[$0] }) == nil {
        add(property, to: instance, scope)
      }
      known[key] = false
      if let base = definition.base {
        _ = deeper(base.value.span) { applyStyles(base.value, in: scope, to: instance, &known) }
      }
      known[key] = true
    }
  }
}

extension DefinitionSyntax {
  /// The property `style` of a style; `nil` if it has none.
  fileprivate var base: PropertySyntax? {
    for case .property(let it) in items where it.name.text == Property.style.name { return it }
    return nil
  }
}
