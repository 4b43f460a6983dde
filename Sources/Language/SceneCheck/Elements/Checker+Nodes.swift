// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneSyntax
import SceneText

// Creation of the nodes of elements, components and scenes.
extension Checker {
  /// Counts an element. Returns `false` after the limit is exceeded.
  func reserveElement(_ span: SourceSpan) -> Bool {
    instanceCount += 1
    guard instanceCount > options.limits.elements else { return true }
    exceeded(
      "elements", "the scene has more than \(options.limits.elements) elements", at: span,
      raisedTo: options.limits.elements * 10)
    return false
  }

  func makeElement(_ syntax: ElementSyntax, parent: ElementNode, _ scope: Scope) -> ElementNode? {
    guard reserveElement(syntax.headSpan) else { return nil }
    guard let kindName = syntax.kind.last, isStep(syntax, in: parent) else { return nil }
    if syntax.kind.count == 1, let kind = KnownWords.kinds[kindName],
      !isReplaced(kind, in: parent, scope)
    {
      if let (definition, home) = replacement(of: kind, for: syntax, in: parent) {
        note(kindName.span, .definition(definition, home))
        return makeComponent(definition, from: home, for: syntax, parent: parent, in: scope)
      }
      guard let kind = accepted(kind, syntax, in: parent) else { return nil }
      let body = ownerScope(in: scope)
      let isClip = kind == .from || kind == .to
      let instance = ElementNode(
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
  func binding(of syntax: ElementSyntax, _ scope: Scope) -> Scope.Binding? {
    let unknown = Scope.Binding.value(.none(), syntax.headSpan)
    guard syntax.kind.count == 2 else {
      guard syntax.kind.count == 1 else { return unknown }
      guard let found = scope.lookup(syntax.kind[0])?.0 else { return unknown }
      note(syntax.kind[0].span, found)
      return found
    }
    guard case .module(let module)? = scope.lookup(syntax.kind[0])?.0 else {
      report(
        Diagnostic(
          .unknownName, "unknown import '\(syntax.kind[0].text)'", at: syntax.kind[0].span))
      return nil
    }
    return publicName(syntax.kind[1], of: module)
  }

  /// Creates a scene as an element: a group with the size of the scene that contains it. Returns
  /// `nil` if the scene contains itself.
  private func makeScene(
    _ scene: ElementSyntax, from home: Scope, for syntax: ElementSyntax, parent: ElementNode,
    in scope: Scope
  ) -> ElementNode? {
    guard
      !containsItself(
        parent, for: syntax, named: scene.name?.text ?? "", where: { $0.syntax === scene })
    else { return nil }
    let outer = ownerScope(in: scope)
    let use = ElementNode(
      kind: .group, syntax: syntax, parent: parent, scope: outer, definition: nil,
      id: instanceCount)
    outer.instance = use
    instanceCount += 1
    let body = ownerScope(in: home)
    let inner = ElementNode(
      kind: .scene, syntax: scene, parent: use, scope: body, definition: nil, id: instanceCount)
    body.instance = inner
    use.shown = inner
    bindEarly(inner)
    return use
  }

  /// Returns whether a component or scene contains itself, and reports this. More than 8 nested
  /// uses count as recursion without an end.
  private func containsItself(
    _ parent: ElementNode, for syntax: ElementSyntax, named name: String,
    where isSame: (ElementNode) -> Bool
  ) -> Bool {
    let around = sequence(first: parent) { $0.parent }.count(where: isSame)
    guard around >= 8 else { return false }
    report(
      Diagnostic(
        .recursion, "more than 8 uses of '\(name)' are nested", at: syntax.headSpan,
        label: "end the recursion with 'if'"))
    return true
  }

  private func makeComponent(
    _ definition: DefinitionSyntax, from home: Scope, for syntax: ElementSyntax,
    parent: ElementNode,
    in scope: Scope
  ) -> ElementNode? {
    guard
      !containsItself(
        parent, for: syntax, named: definition.name.text, where: { $0.definition === definition })
    else { return nil }
    let inner = ownerScope(in: home)
    let instance = ElementNode(
      kind: .group, syntax: syntax, parent: parent, scope: inner, definition: definition,
      id: instanceCount)
    inner.instance = instance
    instance.useScope = scope
    return instance
  }

  func bindArguments(of instance: ElementNode, _ definition: DefinitionSyntax) {
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
        if let change = makeElement(it, parent: instance, use) {
          instance.children.append(change)
          if let name = it.name {
            noteShadow(name)
            bind(name, .element(change), in: use, describedAs: "body")
          }
        }
      case .element, .forItem, .ifItem, .expectation: instance.slotItems.append(item)
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
      if parameterReads.mayChange(parameter.name) {
        binding.parameter = ChangeableParameter(
          name: parameter.name, component: definition.name.text)
      }
      inner.bind(parameter.name, .expression(binding))
    }
    if parameterReads.isActive { noteParameterChanges(of: instance) }
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

  static func span(of item: Item) -> SourceSpan? {
    switch item {
    case .element(let it): it.headSpan
    case .forItem(let it): it.variable.span
    case .ifItem(let it): it.condition.span
    default: nil
    }
  }
}
