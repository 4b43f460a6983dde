// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneSyntax
import SceneText

// Elements and their bodies.
extension Typer {
  /// The surroundings of an item.
  struct Place {
    let file: FileTypes
    /// The closest named element or definition around the item.
    var container: Int?
    /// The kind of the element around the item. For a `change`, that of the changed element; `nil`
    /// if it is unknown.
    var kind: ElementKind?
    /// The component or scene that the element around the item instantiates.
    var use: Use?
    /// The name of that component or scene, or of an unknown element.
    var callee: SourceSpan?
    /// The element around the item; `nil` at the top of a definition.
    var element: ElementSyntax?
    /// The definition around the item.
    var definition: Definition?
    /// The element that the `change` around the item changes.
    var host: Host?
    /// Whether the element around the item is in an `svg`.
    var isInVector = false

    enum Use {
      case component(Definition)
      case scene
    }

    /// The element that a `change` changes.
    struct Host {
      let kind: ElementKind?
      let definition: Definition?
      /// The name or kind in messages.
      let name: String
      /// Whether the `change` names it, as in `change of card`.
      let isNamed: Bool
      let syntax: ElementSyntax?
      /// A use of the component's name in the file.
      let callee: SourceSpan?

      /// Returns the parameter that a property of the `change` animates, or `nil`.
      func parameter(_ name: Name) -> ParameterSyntax? {
        if Property.named(name.text).map(Typer.changeWords.contains) == true { return nil }
        return definition?.syntax.parameters.first { $0.name.identifier == name.identifier }
      }
    }

    var isInTransition: Bool { definition?.syntax.kind == .transition }

    /// The component that the enclosing element instantiates, if any.
    var component: Definition? { if case .component(let it)? = use { it } else { nil } }

    /// The name of the element's kind in messages.
    var kindName: String {
      if let component { return component.syntax.name.text }
      if host != nil { return ElementKind.change.rawValue }
      switch element?.kindText {
      case "from"?, "to"?: return element?.kindText ?? ""
      default: break
      }
      if kind == .soundTrack { return "audio" }
      return kind?.rawValue ?? element?.kindText ?? definition?.syntax.name.text ?? ""
    }
  }

  // MARK: Names

  /// Binds the names of a body and of the bodies in it, so that expressions can use names that are
  /// declared later.
  func declare(_ items: [Item], in scope: Scope, _ place: Place) {
    for item in items {
      switch item {
      case .letDecl(let it): bind(it, in: scope, container: place.container)
      case .element(let it): declare(it, in: scope, place)
      case .property, .forItem, .ifItem, .segment, .expectation: break
      }
    }
    for item in items {
      switch item {
      case .element(let it):
        guard ["steps", "step"].contains(it.kind.last?.text) else { break }
        let kind = kind(of: it, in: scope, place).kind
        if kind == .steps || kind == .step, let inner = scopes[ObjectIdentifier(it)] {
          export(inner, to: scope) { $0 }
        }
      case .forItem(let it):
        let inner = makeScope(in: scope, span: it.body ?? it.variable.span)
        scopes[ObjectIdentifier(it)] = inner
        let list = LazyType { self.type(it.list, in: scope) }
        inner.bind(
          it.variable.identifier,
          .value(LazyType { self.item(ofRounds: list.type).type }),
          as: symbol(.round, it.variable, in: place.container))
        if let index = it.index {
          inner.bind(
            index.identifier, .value(LazyType(.number, isRound: true)),
            as: symbol(.round, index, in: place.container))
        }
        declare(it.items, in: inner, place)
        export(inner, to: scope) { binding in
          if case .element(let it) = binding { .elements(it) } else { binding }
        }
      case .ifItem(let it):
        let branches = [true, false].enumerated().map { number, isTrue in
          makeScope(
            in: narrowed(makeScope(in: scope), by: it.condition, isTrue: isTrue),
            span: it.bodies.dropFirst(number).first)
        }
        branchScopes[ObjectIdentifier(it)] = branches
        for (branch, items) in zip(branches, [it.items, it.otherwise]) {
          declare(items, in: branch, place)
          export(branch, to: scope) { $0 }
        }
      case .letDecl, .property, .segment, .expectation: break
      }
    }
  }

  /// Binds the elements of an inner body in the outer one. Two branches may declare the same name.
  private func export(
    _ inner: Scope, to outer: Scope, as change: (Scope.Binding) -> Scope.Binding
  ) {
    for (name, binding) in inner.names {
      let symbol = inner.symbols[name]
      switch (change(binding), outer.names[name]) {
      case (.element(let it), nil): outer.bind(name, .element(it), as: symbol)
      case (.elements(let it), nil): outer.bind(name, .elements(it), as: symbol)
      case (.element(let it), .element(let known)?):
        outer.bind(name, .element(known.joined(with: it)), as: symbol)
      case (.elements(let it), .elements(let known)?):
        outer.bind(name, .elements(known.joined(with: it)), as: symbol)
      default: break
      }
    }
  }

  private func declare(_ element: ElementSyntax, in scope: Scope, _ place: Place) {
    let (kind, use) = kind(of: element, in: scope, place)
    let isComponent = if case .component? = use { true } else { false }
    let span = element.span.union(element.body ?? element.span)
    let inner = makeScope(in: scope, owner: isComponent ? nil : element, span: span)
    scopes[ObjectIdentifier(element)] = inner
    let symbol = symbol(of: element, kind, in: place.container)
    var inside = place
    (inside.kind, inside.use) = (kind, use)
    inside.container = symbol ?? place.container
    // In a component's use, the children are in the scope of the use, and not members.
    var members = inner
    if kind == .repeat, use == nil {
      let copy = makeScope(in: inner, span: span)
      copyScopes[ObjectIdentifier(element)] = copy
      declare(element.items, in: copy, inside)
      declare(["index", "count"], in: copy)
      let names = makeScope(in: scope)
      export(copy, to: names) { binding in
        if case .element(let it) = binding { .elements(it) } else { binding }
      }
      for (name, binding) in copy.names {
        if case .value = binding { inner.add(name, binding, as: copy.symbols[name]) }
      }
      members = names
    } else {
      declare(element.items, in: inner, inside)
      if kind == .each { declare(["index", "count"], in: inner) }
      if kind == .each, place.kind == .captions { declare(["spoken"], in: inner) }
      if kind == .particles, use == nil { declare(["index"], in: inner) }
    }
    // The names of outputs are not values.
    guard let name = element.name, kind != .each, kind != .output else { return }
    let declared = symbol.map(Scope.Symbol.symbol)
    // The name of an unknown element has no type, so that its uses cause no further errors.
    if kind == nil { return scope.add(name.identifier, .error, as: declared) }
    let type: ElementType
    if case .component(let definition)? = use {
      if let callee = element.kind.last?.span, callee.file == fileNames.file {
        callees[definition.body] = callee
      }
      type = ElementType(kind: .group, body: definition.body)
    } else {
      let body = add(Body(scope: members, definition: nil, syntax: element))
      type = ElementType(kind: use == nil ? kind : .group, body: body)
    }
    note(name, .element(type))
    declare(name.identifier, .element(type), as: declared, in: scope)
  }

  /// Adds the name of an element to the names of the file and returns its symbol. Returns `nil`
  /// without a name, for the name of `each`, which is a word, and in other files.
  private func symbol(of element: ElementSyntax, _ kind: ElementKind?, in container: Int?) -> Int? {
    guard let name = element.name, kind != .each else { return nil }
    return fileNames.declare(.element, name, in: container)
  }

  /// Binds the numbers of copies, units and particles, unless the body declares the same names.
  private func declare(_ words: [Identifier], in scope: Scope) {
    for word in words {
      scope.add(word, .value(LazyType(.number, isRound: true)), as: .word)
    }
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
          self.use(name.identifier, at: name.span, in: scope)
          return (.group, .component(definition))
        }
        switch kind {
        case .from, .to: return (.group, nil)
        case .audio where place.kind == .output: return (.soundTrack, nil)
        default: return (kind, nil)
        }
      }
      self.use(name.identifier, at: name.span, in: scope)
      binding = scope.lookup(name.identifier)
    } else if case .file(let file)? = scope.lookup(element.kind[0].identifier) {
      self.use(name, of: element.kind[0].identifier, at: element.kind[0].span, in: scope)
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
    for item in items { type(item, in: scope, place) }
  }

  private func type(_ item: Item, in scope: Scope, _ place: Place) {
    switch item {
    case .property(let it): type(it, in: scope, place)
    case .letDecl(let it): request(it.name)
    case .element(let it): type(it, in: scope, place)
    case .segment(let it):
      for argument in it.arguments { _ = type(argument.value, in: scope) }
    case .expectation(let it):
      expectTruth(it, type(it, in: scope, expecting: Expected(wanted: .condition)))
    case .forItem(let it):
      let list = type(it.list, in: scope)
      note(it.variable, self.item(ofRounds: list).type)
      if let index = it.index { note(index, .number) }
      if let inner = scopes[ObjectIdentifier(it)] { type(it.items, in: inner, place) }
    case .ifItem(let it):
      expectTruth(
        it.condition,
        type(it.condition, in: scope, expecting: Expected(wanted: .condition)))
      guard let branches = branchScopes[ObjectIdentifier(it)] else { return }
      type(it.items, in: branches[0], place)
      type(it.otherwise, in: branches[1], place)
    }
  }

  private func type(_ element: ElementSyntax, in scope: Scope, _ place: Place) {
    guard let inner = scopes[ObjectIdentifier(element)] else { return }
    let (kind, use) = kind(of: element, in: scope, place)
    let isRight = check(element, kind: kind, use: use, in: scope, at: place)
    // Evaluation skips an element in a wrong place as well.
    let wasSilent = isSilent
    if !isRight { isSilent = true }
    defer { isSilent = wasSilent }
    var inside = place
    (inside.kind, inside.use, inside.element, inside.host) = (kind, use, element, nil)
    inside.isInVector = place.kind == .svg
    inside.callee = use != nil || kind == nil ? element.kind.last?.span : nil
    inside.container = symbol(of: element, kind, in: place.container) ?? place.container
    if let target = element.target {
      inside.host = host(of: target, named(target, scope))
    } else if kind == .change {
      inside.host = Place.Host(
        kind: place.kind, definition: place.component,
        name: place.element?.name?.text ?? place.kindName,
        isNamed: false, syntax: place.element, callee: place.callee)
    }
    if let host = inside.host { inside.kind = host.kind }
    if let subject = element.subject {
      var expected: Expected = .nothing
      if let component = inside.component {
        expected = Expected(component.syntax.parameters.first?.type)
      } else if let property = kind?.subjectProperty, let kind {
        expected = Expected(property.declaration.use(in: kind)?.type)
      }
      _ = type(subject, in: inner, expecting: expected)
    }
    var given: [(property: Property, span: SourceSpan)] = []
    if let subject = element.subject, use == nil, let property = kind?.subjectProperty {
      given.append((property, subject.span))
    }
    let copy = copyScopes[ObjectIdentifier(element)]
    for item in element.items {
      guard case .property(let it) = item else {
        type(item, in: copy ?? inner, inside)
        continue
      }
      if isDuplicate(it, in: inside, &given) {
        silently { type(it, in: inner, inside) }
      } else {
        type(it, in: inner, inside)
      }
    }
  }

  private func type(_ property: PropertySyntax, in scope: Scope, _ place: Place) {
    if let component = place.component,
      let parameter = component.syntax.parameters.first(where: {
        $0.name.identifier == property.name.identifier
      })
    {
      if let callee = place.callee {
        self.use(property.name, in: component.parameters, ofCalleeAt: callee)
      }
      type(property.value, for: parameter, scope)
      return
    }
    if let host = place.host, let definition = host.definition,
      let parameter = host.parameter(property.name)
    {
      if let callee = host.callee {
        self.use(property.name, in: definition.parameters, ofCalleeAt: callee)
      }
      type(property.value, for: parameter, scope)
      return
    }
    var receiver: FileNames.Parameter?
    if place.use == nil, let callee = place.callee {
      self.use(property.name, in: [:], ofCalleeAt: callee)
      receiver = FileNames.Parameter(callee: callee, place: .name(property.name.text))
    }
    guard let known = Property.named(property.name.text) else {
      unknownProperty(property.name, property.value, in: place, scope: scope)
      _ = silently { type(property.value, in: scope, expecting: Expected(receiver: receiver)) }
      return
    }
    guard let kind = place.kind else {
      type(
        property.value, of: known, as: known.declaration.uses[0].type, in: scope,
        receiver: receiver)
      return
    }
    guard let use = use(of: known, in: kind, place) else {
      misplaced(known, property.name, value: property.value, in: place, scope: scope)
      _ = silently { type(property.value, in: scope) }
      return
    }
    if known == .style { checkStyles(property.value, in: scope, on: place) }
    let accepted =
      known == .align && kind.isLayout
      ? PropertyType.word(kind.alignments.map(\.rawValue)) : use.type
    type(property.value, of: known, as: accepted, in: scope, on: kind)
  }

  /// Returns whether an element sets a property twice, and reports it.
  private func isDuplicate(
    _ property: PropertySyntax, in place: Place,
    _ given: inout [(property: Property, span: SourceSpan)]
  ) -> Bool {
    guard let known = Property.named(property.name.text), let kind = place.kind,
      use(of: known, in: kind, place) != nil,
      place.component?.syntax.parameters.contains(where: {
        $0.name.identifier == property.name.identifier
      }) != true, place.host?.parameter(property.name) == nil
    else { return false }
    guard let first = given.first(where: { $0.property == known }) else {
      given.append((known, property.name.span))
      return false
    }
    var diagnostic = Diagnostic(
      .propertyTwice, "duplicate property '\(property.name.text)'", at: property.name.span,
      label: "remove one of them")
    diagnostic.notes = [Note("first set here", at: first.span)]
    report(diagnostic)
    return true
  }

  /// Returns the declaration of a property for an element, or `nil` if the element does not have
  /// it.
  func use(of property: Property, in kind: ElementKind, _ place: Place) -> Property.Use? {
    if place.host != nil, Typer.changeWords.contains(property) {
      return property.declaration.use(in: .group)
    }
    if case .scene? = place.use, place.host == nil {
      return property.declaration.use(in: .group) ?? property.declaration.use(in: .video)
    }
    // In an `svg`, the other properties of `each` are those of its parts.
    if kind == .each, place.isInVector {
      return property.declaration.use(in: .each) ?? property.declaration.use(in: .part)
    }
    return property.declaration.use(in: kind)
  }

  /// Types the value of a property.
  func type(
    _ value: Expression, of property: Property, as expected: PropertyType, in scope: Scope,
    receiver: FileNames.Parameter? = nil, on kind: ElementKind? = nil
  ) {
    switch property {
    case .enter: typeEffects(value, .effect, in: scope)
    case .exit: typeEffects(value, .effect, isExit: true, in: scope)
    case .transition: typeEffects(value, .transition, in: scope)
    // The names of styles are not values.
    case .style: useStyles(value, in: scope)
    case .params: typeParams(value, in: scope)
    default:
      var context = Expected(expected, receiver: receiver)
      context.kind = kind
      let type = type(value, in: scope, expecting: context)
      // A sample rate is a number or a frequency.
      if property != .sampleRate { expect(value, type, as: expected) }
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
