// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// Elaboration of bodies to instances: unrolls loops, evaluates conditions and binds names.
extension Checker {
  func newID() -> Int {
    lastBindingID += 1
    return lastBindingID
  }

  /// Creates the children of an element, once.
  func elaborate(_ instance: Instance) {
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
    } else if instance.kind == .each, instance.parent?.kind == .svg {
      process(instance.syntax.items.filter(Checker.isOfEach), in: instance.scope, of: instance)
    } else {
      process(instance.syntax.items, in: instance.scope, of: instance)
      if instance.kind == .svg { makeParts(in: instance) }
    }
    applyStyles(instance)
    if instance.kind == .captions { makeCaptions(instance) }
    // Evaluated for its errors, even if no time is in beats.
    if instance.kind == .scene { _ = tempo(of: instance) }
    noteChanges(of: instance)
    if let outer = instance.parent?.depth, outer + 1 > options.limits.nesting {
      let limits = options.limits
      let raised = min(limits.nesting * 2, Limits.greatestNesting)
      let advice = Note(help: "raise it with --limit nesting=\(raised)")
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
  func process(_ items: [Item], in scope: Scope, of instance: Instance) {
    var made: [Int: Instance] = [:]
    for (index, item) in items.enumerated() {
      if reports.isClosed { return }
      switch item {
      case .letDecl(let it):
        let binding = LetBinding(name: it.name, type: it.type, value: it.value, id: newID())
        noteName(it.name, (binding, scope))
        bind(it.name, .expression(binding), in: scope, describedAs: "body")
      case .element(let syntax):
        if syntax.kindText == "slot" { continue }
        guard let child = makeInstance(syntax, parent: instance, scope) else {
          // The unknown element may be a misspelling of a required property.
          if ElementKind(rawValue: syntax.kindText) == nil { instance.unknownProperties.append("") }
          keepName(of: syntax, in: scope)
          continue
        }
        if isValueAsName(child) { continue }
        made[index] = child
        if let name = syntax.name, child.kind != .each {
          noteShadow(name)
          bind(name, .element(child), in: scope, describedAs: "body")
        }
      case .property(let property): add(property, to: instance, scope)
      case .forItem, .ifItem, .segment: break
      }
    }
    for (index, item) in items.enumerated() {
      switch item {
      case .element(let syntax):
        if syntax.kindText == "slot" { fillSlot(syntax, in: scope, of: instance) }
        guard let child = made[index] else { continue }
        instance.children.append(child)
        if child.kind == .steps || child.kind == .step { export(namesOf: child, to: scope) }
      case .forItem(let loop): unroll(loop, in: scope, of: instance)
      case .ifItem(let it): decide(it, in: scope, of: instance)
      case .segment(let segment): instance.segments.append((segment, scope))
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
    if first.isOutput || binding.isOutput {
      diagnostic = diagnostic.advising(Checker.sharedName(name.text))
    }
    scope.bind(name, .value(.poison(report(diagnostic)), name.span))
  }

  /// Returns the context of a loop or condition in a body. Points are in the coordinates of the
  /// body.
  private func bodyContext(of instance: Instance, _ scope: Scope) -> Context {
    context(of: instance, now: now).with {
      $0.scope = scope
      $0.space = instance
    }
  }

  private func unroll(_ loop: ForSyntax, in scope: Scope, of instance: Instance) {
    // The number of rounds must not depend on the lifetime, which may depend on the body.
    planning += 1
    let rounds = rounds(of: loop.list, bodyContext(of: instance, scope)) ?? []
    planning -= 1
    var lists: [Identifier: [Instance]] = [:]
    for (number, value) in rounds.enumerated() {
      if reports.isClosed { return }
      let round = Scope(parent: scope, owner: instance)
      round.bind(loop.variable, .value(value, loop.variable.span))
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
  func gather(namesOf round: Scope, _ lists: inout [Identifier: [Instance]]) {
    for (name, binding) in round.bindings {
      switch binding {
      case .element(let child): lists[name, default: []].append(child)
      case .elements(let children): lists[name, default: []] += children
      default: break
      }
    }
  }

  private func decide(_ it: IfSyntax, in scope: Scope, of instance: Instance) {
    let context = bodyContext(of: instance, scope)
    let truth = truth(evaluate(it.condition, context), it.condition.span)
    guard let known = truth?.constantValue else {
      if truth == nil { return }
      report(
        Diagnostic(
          .notConstant, "the condition of 'if' cannot change over time",
          at: it.condition.span, label: "changes over time",
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
  private func fillSlot(_ syntax: ElementSyntax, in scope: Scope, of parent: Instance) {
    var next: Scope? = scope
    while let it = next {
      if let host = it.owner, host.definition != nil, it === host.scope {
        if host.isSlotFilled, notesUses {
          report(
            Diagnostic(
              .misplacedElement, "a component can have only one 'slot'", at: syntax.headSpan,
              label: "the first 'slot' already contains the children"))
        }
        host.isSlotFilled = true
        // The children are checked where they are shown.
        if !notesUses { return }
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

  private static func holdsSlot(_ items: [Item]) -> Bool {
    items.contains { item in
      switch item {
      case .element(let it): it.kindText == "slot" || holdsSlot(it.items)
      case .forItem(let it): holdsSlot(it.items)
      case .ifItem(let it): holdsSlot(it.items) || holdsSlot(it.otherwise)
      default: false
      }
    }
  }

  private static func span(of item: Item) -> SourceSpan? {
    switch item {
    case .element(let it): it.headSpan
    case .forItem(let it): it.variable.span
    case .ifItem(let it): it.condition.span
    default: nil
    }
  }

  // MARK: Instances

  /// Counts an element. Returns `false` after the limit is exceeded.
  func reserveElement(_ span: SourceSpan) -> Bool {
    instanceCount += 1
    guard instanceCount > options.limits.elements else { return true }
    reports.exceeded(
      "elements", "the scene has more than \(options.limits.elements) elements", at: span,
      raisedTo: options.limits.elements * 10)
    return false
  }

  func makeInstance(_ syntax: ElementSyntax, parent: Instance, _ scope: Scope) -> Instance? {
    guard reserveElement(syntax.headSpan) else { return nil }
    guard let kindName = syntax.kind.last, isStep(syntax, in: parent) else { return nil }
    if syntax.kind.count == 1, let kind = KnownWords.kinds[kindName],
      !givesWay(kind, in: parent, scope)
    {
      if let (definition, home) = replacement(of: kind, for: syntax, in: parent) {
        note(kindName.span, .definition(definition, home))
        computedNames.insert(definition.name.span)
        return makeComponent(definition, from: home, for: syntax, parent: parent, in: scope)
      }
      guard let kind = accepted(kind, syntax, in: parent) else { return nil }
      let body = ownerScope(in: scope)
      let isClip = kind == .from || kind == .to
      let instance = Instance(
        kind: isClip ? .group : kind, syntax: syntax, parent: parent, scope: body, definition: nil,
        id: instanceCount)
      body.instance = instance
      if isClip { instance.clip = crossing(around: parent)?.clips[kind] }
      addSubject(instance)
      return instance
    }
    switch binding(of: syntax, scope) {
    case .definition(let definition, let home):
      guard definition.kind == .component else {
        report(
          Diagnostic(
            .unknownElement,
            "'\(kindName.text)' is \(definition.kind.description), not a component",
            at: kindName.span))
        return nil
      }
      computedNames.insert(definition.name.span)
      return makeComponent(definition, from: home, for: syntax, parent: parent, in: scope)
    case .scene(let scene, let home):
      return makeScene(scene, from: home, for: syntax, parent: parent, in: scope)
    case .none: return nil
    default:
      unknownElement(kindName, scope)
      return nil
    }
  }

  /// Resolves a kind that is not built in. Reports a name that a module does not declare and
  /// returns `nil`.
  private func binding(of syntax: ElementSyntax, _ scope: Scope) -> Scope.Binding? {
    let unknown = Scope.Binding.value(.none, syntax.headSpan)
    guard syntax.kind.count == 2 else {
      guard syntax.kind.count == 1 else { return unknown }
      guard let found = scope.lookup(syntax.kind[0])?.0 else { return unknown }
      note(syntax.kind[0].span, found)
      return found
    }
    guard case .module(let module)? = scope.lookup(syntax.kind[0])?.0 else {
      report(
        Diagnostic(
          .unknownName, "no import is named '\(syntax.kind[0].text)'", at: syntax.kind[0].span))
      return nil
    }
    return publicName(syntax.kind[1], of: module)
  }

  /// Creates a scene as an element: a group with the size of the scene that contains it.
  private func makeScene(
    _ scene: ElementSyntax, from home: Scope, for syntax: ElementSyntax, parent: Instance,
    in scope: Scope
  ) -> Instance? {
    guard
      !holdsItself(
        parent, for: syntax, named: scene.name?.text ?? "", where: { $0.syntax === scene })
    else { return nil }
    let outer = ownerScope(in: scope)
    let use = Instance(
      kind: .group, syntax: syntax, parent: parent, scope: outer, definition: nil,
      id: instanceCount)
    outer.instance = use
    instanceCount += 1
    let body = ownerScope(in: home)
    let inner = Instance(
      kind: .scene, syntax: scene, parent: use, scope: body, definition: nil, id: instanceCount)
    body.instance = inner
    use.shown = inner
    bindEarly(inner)
    return use
  }

  /// Reports something that contains itself, recognized by its number of enclosing uses. A few are
  /// allowed, since a component can be in the slot of another use of the same component.
  private func holdsItself(
    _ parent: Instance, for syntax: ElementSyntax, named name: String,
    where isSame: (Instance) -> Bool
  ) -> Bool {
    let around = sequence(first: parent) { $0.parent }.count(where: isSame)
    guard around >= 8 else { return false }
    report(Diagnostic(.recursion, "'\(name)' contains itself", at: syntax.headSpan))
    return true
  }

  private func makeComponent(
    _ definition: DefinitionSyntax, from home: Scope, for syntax: ElementSyntax, parent: Instance,
    in scope: Scope
  ) -> Instance? {
    guard
      !holdsItself(
        parent, for: syntax, named: definition.name.text, where: { $0.definition === definition })
    else { return nil }
    let inner = ownerScope(in: home)
    let instance = Instance(
      kind: .group, syntax: syntax, parent: parent, scope: inner, definition: definition,
      id: instanceCount)
    inner.instance = instance
    instance.useScope = scope
    return instance
  }

  private func bindArguments(of instance: Instance, _ definition: DefinitionSyntax) {
    guard let inner = instance.scope as? OwnerScope else { return }
    let use = ownerScope(in: instance.useScope ?? fileScope)
    use.instance = instance
    var given: [String: Expression] = [:]
    if let subject = instance.syntax.subject, let first = definition.parameters.first {
      given[first.name.text] = subject
    }
    for item in instance.syntax.items {
      switch item {
      case .letDecl(let it):
        use.bind(
          it.name,
          .expression(LetBinding(name: it.name, type: it.type, value: it.value, id: newID())))
      case .property(let property):
        if let parameter = definition.parameters.first(where: {
          $0.name.text == property.name.text
        }) {
          note(property.name.span, parameter.name.span)
          given[property.name.text] = property.value
        } else {
          add(property, to: instance, use)
        }
      case .element(let it) where it.kindText == "change":
        if let change = makeInstance(it, parent: instance, use) {
          instance.children.append(change)
        }
      case .element, .forItem, .ifItem: instance.slotItems.append(item)
      case .segment(let segment):
        report(
          Diagnostic(
            .misplacedElement, "'\(definition.name.text)' is not a path", at: segment.word.span))
      }
    }
    instance.slotScope = use
    if let item = instance.slotItems.first, !Checker.holdsSlot(definition.items) {
      report(
        Diagnostic(
          .misplacedElement, "'\(definition.name.text)' has no 'slot' for children",
          at: Checker.span(of: item) ?? instance.span,
          notes: [Note(help: "add 'slot' to the component at the place of the children")]))
    }
    for parameter in definition.parameters {
      guard let value = given[parameter.name.text] ?? parameter.value else {
        missing("'\(parameter.name.text)'", label: "add '\(parameter.name.text): …'", of: instance)
        inner.bind(
          parameter.name, .value(poison(parameter.name.span), parameter.name.span))
        continue
      }
      let home = given[parameter.name.text] == nil ? nil : use
      if parameter.type?.isFunction == true {
        let c = context(of: instance, now: now).with { $0.scope = home ?? inner }
        let it = function(value, for: parameter, c)
        inner.bind(
          parameter.name, it ?? .value(poison(value.span), parameter.name.span))
        continue
      }
      let binding = LetBinding(
        name: parameter.name, type: parameter.type, value: value, id: newID(), home: home)
      inner.bind(parameter.name, .expression(binding))
      // Arguments that the component does not use are checked as well.
      if home != nil, lets[value.span] == nil { lets[value.span] = (binding, inner) }
    }
  }

  private func accepted(
    _ kind: ElementKind, _ syntax: ElementSyntax, in parent: Instance
  ) -> ElementKind? {
    let mayStand = parent.kind.mayHold(kind)
    let wrong: String?
    switch kind {
    case .change where syntax.target != nil: wrong = targetError(parent)
    case .soundTrack: return nil
    case .audio where parent.kind == .output: return .soundTrack
    case .from, .to: wrong = clipError(kind, parent)
    case .slot where parent.kind.mayHold(.group) || parent.kind == .steps: wrong = nil
    case .each where mayStand: wrong = eachError(syntax, parent)
    case _ where mayStand: wrong = nil
    case .scene: wrong = "'scene' must be at the top level of the file"
    case .span: wrong = "'span' must be inside a text"
    case .part: wrong = "'part' must be inside a formula or an svg"
    case .each: wrong = "'each' must be inside a text, a formula or an svg"
    case .clip, .mask: wrong = "'\(kind.rawValue)' must be inside the element that it clips"
    case .change where parent.kind == .scene:
      wrong = "a scene cannot contain 'change'; animate its properties as a -> b"
    case .step: wrong = "'step' must be inside 'steps'"
    case .marker, .output: wrong = "'\(kind.rawValue)' must be directly inside a scene"
    default: wrong = "'\(parent.kindName)' cannot contain '\(kind.rawValue)'"
    }
    guard let wrong else { return kind }
    report(Diagnostic(.misplacedElement, wrong, at: syntax.headSpan))
    return nil
  }

  private func targetError(_ parent: Instance) -> String? {
    if parent.kind == .steps { return "'change of' must be inside a 'step'" }
    if crossing(around: parent) != nil { return "a transition cannot contain 'change of'" }
    return parent.kind == .scene || parent.kind.isDrawn
      ? nil : "'\(parent.kindName)' cannot contain 'change of'"
  }

  /// Returns whether an element is allowed in its parent, since `steps` accepts only steps. Reports
  /// other elements.
  private func isStep(_ syntax: ElementSyntax, in parent: Instance) -> Bool {
    guard parent.kind == .steps, let word = syntax.kind.first else { return true }
    let kind = syntax.kind.count == 1 ? KnownWords.kinds[word] : nil
    if let kind, kind == .step || !kind.hasLife { return true }
    if kind == nil, binding(of: syntax, parent.scope) == nil { return true }
    report(
      Diagnostic(
        .misplacedElement, "'steps' cannot contain '\(syntax.kindText)' directly",
        at: syntax.headSpan, label: "move it into a step: step { … }"))
    return false
  }

  private func clipError(_ kind: ElementKind, _ parent: Instance) -> String? {
    guard let crossing = crossing(around: parent) else {
      return "'\(kind.rawValue)' must be inside a transition"
    }
    return crossing.used.insert(kind).inserted ? nil : "'\(kind.rawValue)' is used twice"
  }

  private func eachError(_ syntax: ElementSyntax, _ text: Instance) -> String? {
    if text.kind == .svg {
      return syntax.name?.text == ElementKind.part.rawValue ? nil : "expected 'each part'"
    }
    if text.kind == .math {
      let isKnown = syntax.name.flatMap { FormulaUnit(rawValue: $0.text) } != nil
      return isKnown ? nil : "expected 'each glyph' or 'each term'"
    }
    let words = TextUnitKind.allCases.map(\.rawValue)
    guard let name = syntax.name?.text, words.contains(name) else {
      return "expected 'each glyph', 'each word' or 'each line'"
    }
    return nil
  }

  // MARK: Properties

  private func addSubject(_ instance: Instance) {
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

  func add(_ property: PropertySyntax, to instance: Instance, _ scope: Scope) {
    let name = property.name
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
  func checkedKind(_ instance: Instance, _ property: Property) -> ElementKind {
    // A scene as an element has the properties of a video.
    if instance.shown != nil {
      return property.declaration.use(in: .group) != nil ? .group : .video
    }
    guard instance.kind == .change else { return instance.kind }
    return Checker.changeWords.contains(property) ? .group : instance.host?.kind ?? .change
  }

  /// Applies the properties of styles that the element does not set. Later styles take precedence.
  func applyStyles(_ instance: Instance) {
    guard let source = instance.properties[.style] else { return }
    let names: [Expression]
    if case .list(let items) = source.value.kind { names = items } else { names = [source.value] }
    for e in names.reversed() {
      guard case .definition(let definition, let home)? = resolve(e, source.scope)?.0,
        definition.kind == .style
      else {
        guard case .reference(let name) = e.kind else {
          _ = report(.typeMismatch, "expected the name of a style", at: e.span)
          continue
        }
        if isReported(name, source.scope) { continue }
        report(Diagnostic(.unknownName, "unknown style '\(name)'", at: e.span))
        continue
      }
      computedNames.insert(definition.name.span)
      let scope = Scope(parent: home, owner: nil)
      for case .property(let property) in definition.items
      where KnownWords.properties[property.name].flatMap({ instance.properties[$0] }) == nil {
        add(property, to: instance, scope)
      }
    }
  }
}
