// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneSyntax
import SceneText

// Elements and their bodies.
extension Typer {
  /// The surroundings of an item.
  struct Place {
    let file: FileTypes
    /// The kind of the element around the item; for a `change`, that of the changed element.
    var kind: ElementKind?
    /// The component or scene that the element around the item instantiates.
    var use: Use?

    enum Use {
      case component(Definition)
      case scene
    }
  }

  // MARK: Names

  /// Binds the names of a body and of the bodies in it, so that expressions can use names that are
  /// declared later.
  func declare(_ items: [Item], in scope: Scope, _ place: Place) {
    for item in items {
      switch item {
      case .letDecl(let it): bind(it, in: scope)
      case .element(let it): declare(it, in: scope, place)
      case .property, .forItem, .ifItem, .segment: break
      }
    }
    for item in items {
      switch item {
      case .element(let it):
        let kind = kind(of: it, in: scope, place).kind
        if kind == .steps || kind == .step, let inner = scopes[ObjectIdentifier(it)] {
          export(inner, to: scope) { $0 }
        }
      case .forItem(let it):
        let inner = makeScope(in: scope)
        scopes[ObjectIdentifier(it)] = inner
        let list = LazyType { self.type(it.list, in: scope) }
        inner.bind(
          it.variable.identifier,
          .value(LazyType { self.item(ofRounds: list.type).type }))
        if let index = it.index {
          inner.bind(index.identifier, .value(LazyType(.number, isRound: true)))
        }
        declare(it.items, in: inner, place)
        export(inner, to: scope) { binding in
          if case .element(let it) = binding { .elements(it) } else { binding }
        }
      case .ifItem(let it):
        let branches = [
          narrowed(makeScope(in: scope), by: it.condition, isTrue: true),
          narrowed(makeScope(in: scope), by: it.condition, isTrue: false),
        ].map { makeScope(in: $0) }
        branchScopes[ObjectIdentifier(it)] = branches
        for (branch, items) in zip(branches, [it.items, it.otherwise]) {
          declare(items, in: branch, place)
          export(branch, to: scope) { $0 }
        }
      case .letDecl, .property, .segment: break
      }
    }
  }

  /// Binds the elements of an inner body in the outer one. Two branches may declare the same name.
  private func export(
    _ inner: Scope, to outer: Scope, as change: (Scope.Binding) -> Scope.Binding
  ) {
    for (name, binding) in inner.names {
      switch (change(binding), outer.names[name]) {
      case (.element(let it), nil): outer.bind(name, .element(it))
      case (.elements(let it), nil): outer.bind(name, .elements(it))
      case (.element(let it), .element(let known)?):
        outer.bind(name, .element(known.joined(with: it)))
      case (.elements(let it), .elements(let known)?):
        outer.bind(name, .elements(known.joined(with: it)))
      default: break
      }
    }
  }

  private func declare(_ element: ElementSyntax, in scope: Scope, _ place: Place) {
    let (kind, use) = kind(of: element, in: scope, place)
    let inner = makeScope(in: scope)
    scopes[ObjectIdentifier(element)] = inner
    var inside = place
    (inside.kind, inside.use) = (kind, use)
    // In a component's use, the children are in the scope of the use, and not members.
    var members = inner
    if kind == .repeat, use == nil {
      let copy = makeScope(in: inner)
      copyScopes[ObjectIdentifier(element)] = copy
      for word: Identifier in ["index", "count"] {
        copy.bind(word, .value(LazyType(.number, isRound: true)))
      }
      declare(element.items, in: copy, inside)
      let names = makeScope(in: scope)
      export(copy, to: names) { binding in
        if case .element(let it) = binding { .elements(it) } else { binding }
      }
      for (name, binding) in copy.names {
        if case .value = binding { inner.add(name, binding) }
      }
      members = names
    } else {
      if kind == .each {
        for word: Identifier in ["index", "count"] {
          inner.bind(word, .value(LazyType(.number, isRound: true)))
        }
      }
      declare(element.items, in: inner, inside)
    }
    // The name of `each` is a word.
    guard let name = element.name, kind != .each else { return }
    let type: ElementType
    if case .component(let definition)? = use {
      type = ElementType(kind: .group, body: definition.body)
    } else {
      let body = add(Body(scope: members, definition: nil))
      type = ElementType(kind: use == nil ? kind : .group, body: body)
    }
    note(name, .element(type))
    if scope.names[name.identifier] == nil { scope.bind(name.identifier, .element(type)) }
  }

  /// Returns the kind of an element: built in, or a group for a component or a scene.
  func kind(of element: ElementSyntax, in scope: Scope, _ place: Place)
    -> (kind: ElementKind?, use: Place.Use?)
  {
    guard let name = element.kind.last else { return (nil, nil) }
    var binding: Scope.Binding?
    if element.kind.count == 1 {
      if let kind = ElementKind(rawValue: name.text), !isName(kind, in: scope, place) {
        if let definition = place.file.replaced[kind], !definition.isAround(element) {
          return (.group, .component(definition))
        }
        switch kind {
        case .from, .to: return (.group, nil)
        case .audio where place.kind == .output: return (.soundTrack, nil)
        default: return (kind, nil)
        }
      }
      binding = scope.lookup(name.identifier)
    } else if case .file(let file)? = scope.lookup(element.kind[0].identifier) {
      binding = file?.publicName(name.identifier)
    }
    switch binding {
    case .definition(let it)? where it.syntax.kind == .component: return (.group, .component(it))
    case .scene?: return (.group, .scene)
    default: return (nil, nil)
    }
  }

  /// Returns whether `part` or `step` is the name of a component or scene here.
  private func isName(_ kind: ElementKind, in scope: Scope, _ place: Place) -> Bool {
    guard kind == .part || kind == .step, place.kind?.mayHold(kind) != true else { return false }
    switch scope.lookup(Identifier(kind.rawValue)) {
    case .definition(let it)?: return it.syntax.kind == .component
    case .scene?: return true
    default: return false
    }
  }

  // MARK: Expressions

  /// Types the expressions of a body.
  func type(_ items: [Item], in scope: Scope, _ place: Place) {
    for item in items {
      switch item {
      case .property(let it): type(it, in: scope, place)
      case .letDecl(let it): request(it.name, in: scope)
      case .element(let it): type(it, in: scope, place)
      case .segment(let it):
        for argument in it.arguments { _ = type(argument.value, in: scope) }
      case .forItem(let it):
        let list = type(it.list, in: scope)
        note(it.variable, self.item(ofRounds: list).type)
        if let index = it.index { note(index, .number) }
        if let inner = scopes[ObjectIdentifier(it)] { type(it.items, in: inner, place) }
      case .ifItem(let it):
        _ = type(it.condition, in: scope)
        guard let branches = branchScopes[ObjectIdentifier(it)] else { continue }
        type(it.items, in: branches[0], place)
        type(it.otherwise, in: branches[1], place)
      }
    }
  }

  private func type(_ element: ElementSyntax, in scope: Scope, _ place: Place) {
    guard let inner = scopes[ObjectIdentifier(element)] else { return }
    let (kind, use) = kind(of: element, in: scope, place)
    var inside = place
    (inside.kind, inside.use) = (kind, use)
    if let target = element.target {
      let type = named(target, scope)
      inside.kind = changedKind(type)
      inside.use = nil
    } else if kind == .change {
      inside.kind = place.kind
      inside.use = nil
    }
    if let subject = element.subject {
      var words: Expected = .nothing
      if case .component(let definition)? = use {
        words = Expected(definition.syntax.parameters.first?.type)
      } else if let property = kind?.subjectProperty, let kind {
        words = Expected(property.declaration.use(in: kind)?.type)
      }
      _ = type(subject, in: inner, expecting: words)
    }
    let isCopied = copyScopes[ObjectIdentifier(element)] != nil
    for item in element.items {
      let isOwn = if case .property = item { true } else { false }
      let copy = isCopied && !isOwn ? copyScopes[ObjectIdentifier(element)] : nil
      type([item], in: copy ?? inner, inside)
    }
  }

  private func changedKind(_ type: Type) -> ElementKind? {
    switch type {
    case .element(let it): it.kind
    case .list(let item, _): changedKind(item)
    default: nil
    }
  }

  private func type(_ property: PropertySyntax, in scope: Scope, _ place: Place) {
    if case .component(let definition)? = place.use,
      let parameter = definition.syntax.parameters.first(where: {
        $0.name.identifier == property.name.identifier
      })
    {
      type(property.value, for: parameter, scope)
      return
    }
    guard let known = Property.named(property.name.text) else {
      _ = type(property.value, in: scope)
      return
    }
    var use = place.kind.flatMap(known.declaration.use)
    if use == nil, case .scene? = place.use { use = known.declaration.use(in: .video) }
    guard let expected = use?.type ?? (place.kind == nil ? known.declaration.uses[0].type : nil)
    else {
      _ = type(property.value, in: scope)
      return
    }
    type(property.value, of: known, expected, scope)
  }

  /// Types the value of a property.
  func type(_ value: Expression, of property: Property, _ expected: PropertyType, _ scope: Scope) {
    switch property {
    case .enter, .exit: typeEffects(value, .effect, scope)
    case .transition: typeEffects(value, .transition, scope)
    // The names of styles are not values.
    case .style: break
    default: _ = type(value, in: scope, expecting: Expected(expected))
    }
  }

  /// Types the arguments and clauses of effects or a transition.
  private func typeEffects(_ e: Expression, _ kind: DefinitionSyntax.Kind, _ scope: Scope) {
    switch e.kind {
    case .list(let items): for item in items { typeEffects(item, kind, scope) }
    case .timed(let value, let clauses):
      typeEffects(value, kind, scope)
      type(clauses, scope)
    case .conditional(let condition, let a, let b):
      _ = type(condition, in: scope)
      typeEffects(a, kind, scope)
      typeEffects(b, kind, scope)
    case .call(let callee, let arguments):
      var definition: Definition?
      switch callee.kind {
      case .reference(let name): definition = scope.definition(name, kind)
      case .member(let base, let name):
        if case .reference(let word) = base.kind, case .file(let file)? = scope.lookup(word),
          case .definition(let it)? = file?.publicName(name.identifier)
        {
          definition = it
        }
      default: break
      }
      type(arguments, for: definition?.syntax.parameters ?? [], scope)
    default: break
    }
  }
}

extension Definition {
  /// Returns whether an element is inside the definition, where its name denotes the built-in kind.
  func isAround(_ element: ElementSyntax) -> Bool {
    guard let body = syntax.body else { return false }
    return body.file == element.headSpan.file && body.start <= element.headSpan.start
      && element.headSpan.end <= body.end
  }
}
