// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneSyntax
import SceneText

// Files and their declarations.
extension Typer {
  /// Binds the names of a file. Those of its bodies are bound when the bodies are typed.
  func declare(_ file: FileTypes) {
    let scope = file.scope
    for declaration in file.declarations {
      switch declaration {
      case .importDecl: break
      case .param(let name, let type, let value, _, _):
        bind(name, as: symbol(.param, name, in: nil), in: scope) {
          guard let value else { return type.map { self.type(declared: $0) } ?? .unknown }
          return self.type(value, declared: type, named: name, scope)
        }
      case .letDecl(let it): bind(it, in: scope, container: nil)
      case .fn(let it):
        let symbol = fileNames.declare(.function, it.name, in: nil)
        let parameters = symbols(of: it.parameters, in: symbol)
        let function = Function(
          it, home: scope, parameters: parameters,
          result: LazyType {
            self.result(
              of: it, scope, parameters: parameters, container: symbol, arguments: [])
          })
        file.functions.append(function)
        declare(
          it.name.identifier, .function(function), as: symbol.map(Scope.Symbol.symbol), in: scope)
      case .definition(let it):
        let symbol = fileNames.declare(it.kind.symbolKind, it.name, in: nil)
        let inner = makeScope(in: scope, span: it.parameters.span(of: it.body ?? it.name.span))
        let isComponent = it.kind == .component
        let body = isComponent ? bodies.count : -1
        let definition = Definition(
          it, home: scope, scope: inner, symbol: symbol,
          parameters: symbols(of: it.parameters, in: symbol), body: body)
        if isComponent { _ = add(Body(scope: inner, definition: definition)) }
        file.definitions.append(definition)
        declare(
          it.name.identifier, .definition(definition), as: symbol.map(Scope.Symbol.symbol),
          in: scope)
        if isComponent, let kind = ElementKind(rawValue: it.name.text), kind.mayBeReplaced,
          kind != .part, kind != .step, file.replaced[kind] == nil
        {
          file.replaced[kind] = definition
        }
      case .scene(let it):
        guard let name = it.name else { continue }
        declare(name.identifier, .scene(it), as: symbol(.scene, name, in: nil), in: scope)
      case .project: break
      }
    }
    for definition in file.definitions { bindParameters(of: definition) }
  }

  /// Adds the parameters of a function or a definition to the table of names, and returns their
  /// symbols.
  private func symbols(of parameters: [ParameterSyntax], in container: Int?)
    -> [Identifier: Scope.Symbol]
  {
    var found: [Identifier: Scope.Symbol] = [:]
    for parameter in parameters {
      found[parameter.name.identifier] = symbol(.parameter, parameter.name, in: container)
    }
    return found
  }

  private func bindParameters(of definition: Definition) {
    let syntax = definition.syntax
    let scope = definition.scope
    for parameter in syntax.parameters {
      let binding: Scope.Binding
      if case .value(let declared) = type(of: parameter) {
        binding = .value(
          LazyType {
            self.note(parameter.name, declared.type)
            return declared.type
          })
      } else {
        binding = type(of: parameter)
      }
      scope.add(
        parameter.name.identifier, binding, as: definition.parameters[parameter.name.identifier])
    }
  }

  /// Binds a `let` with the type of its value.
  func bind(_ it: LetSyntax, in scope: Scope, container: Int?) {
    bind(it.name, as: symbol(.constant, it.name, in: container), in: scope) {
      self.type(it.value, declared: it.type, named: it.name, scope)
    }
  }

  /// Returns the type of a declared value after its conversion.
  private func type(
    _ value: Expression, declared: TypeSyntax?, named name: Name, _ scope: Scope
  ) -> Type {
    check(declared)
    if let diagnostic = effectsAsValue(value, name, in: scope) {
      report(diagnostic)
      _ = silently { self.type(value, in: scope) }
      return .error
    }
    let type = type(value, in: scope, expecting: Expected(declared))
    expect(value, type, as: declared)
    return converted(type, to: declared)
  }

  private func bind(
    _ name: Name, as symbol: Scope.Symbol?, in scope: Scope, _ compute: @escaping () -> Type
  ) {
    let type = LazyType {
      let type = compute()
      self.note(name, type)
      return type
    }
    values[name.span] = type
    declare(name.identifier, .value(type), as: symbol, in: scope)
  }

  /// Binds the name of a declaration. A name that is declared twice has no type.
  func declare(
    _ name: Identifier, _ binding: Scope.Binding, as symbol: Scope.Symbol?, in scope: Scope
  ) {
    scope.bind(name, scope.names[name] == nil ? binding : .error, as: symbol)
  }

  /// Types all expressions of a file.
  func type(_ file: FileTypes) {
    let functions = Dictionary(grouping: file.functions) { ObjectIdentifier($0.syntax) }
    let definitions = Dictionary(grouping: file.definitions) { ObjectIdentifier($0.syntax) }
    for declaration in file.declarations {
      switch declaration {
      case .importDecl: break
      case .param(let name, _, _, let bound, _):
        request(name)
        if let bound { _ = type(bound, in: file.scope) }
      case .letDecl(let it): request(it.name)
      case .fn(let it):
        for function in functions[ObjectIdentifier(it)] ?? [] { _ = function.result.type }
      case .definition(let it):
        for definition in definitions[ObjectIdentifier(it)] ?? [] { type(definition, file) }
      case .scene(let it):
        let scope = makeScope(in: file.scope, owner: it, span: it.span.union(it.body ?? it.span))
        let symbol = it.name.flatMap { fileNames.declare(.scene, $0, in: nil) }
        let place = Place(file: file, container: symbol, kind: .scene, element: it)
        declare(it.items, in: scope, place)
        type(it.items, in: scope, place)
      case .project(let it):
        let scope = makeScope(in: file.scope, owner: it, span: it.span.union(it.body ?? it.span))
        let place = Place(file: file, container: nil, kind: .project, element: it)
        declare(it.items, in: scope, place)
        type(it.items, in: scope, place)
      }
    }
  }

  /// Types the values for the params of other files, which may be words that are known only there.
  func typeParams(_ value: Expression, in scope: Scope) {
    guard let fields = value.fields else {
      return expect(value, type(value, in: scope), as: .record)
    }
    for field in fields {
      var words: Set<String> = []
      if case .reference(let name) = field.value.kind, scope.lookup(name) == nil {
        words = [name.text]
      }
      _ = type(field.value, in: scope, expecting: Expected(words: words))
    }
  }
  /// Computes the type of a declared value.
  func request(_ name: Name) { _ = values[name.span]?.type }

  private func type(_ definition: Definition, _ file: FileTypes) {
    let syntax = definition.syntax
    let place = Place(
      file: file, container: definition.symbol, kind: .group, definition: definition)
    if syntax.kind != .style, syntax.function == nil {
      declare(syntax.items, in: definition.scope, place)
    }
    if [.effect, .transition].contains(syntax.kind) {
      definition.scope.add("progress", .value(LazyType(.number)), as: .word)
    }
    for parameter in syntax.parameters {
      check(parameter.type)
      if case .value(let it)? = definition.scope.names[parameter.name.identifier] { _ = it.type }
      if let value = parameter.value { type(value, for: parameter, definition.scope) }
    }
    if let function = syntax.function, let pixels = function.pixels {
      let words = pixelScope(in: definition.scope, unless: definition.scope)
      let scope = makeScope(in: words, span: syntax.body ?? syntax.name.span)
      _ = type(pixels, of: function, scope, container: definition.symbol)
      return
    }
    switch syntax.kind {
    case .component, .transition: type(syntax.items, in: definition.scope, place)
    case .style:
      for case .property(let it) in syntax.items { typeStyled(it, in: definition.scope) }
    case .effect:
      for item in syntax.items {
        switch item {
        case .property(let it):
          let words = it.name.text == "translate" ? Set(Words.points.keys) : []
          _ = type(it.value, in: definition.scope, expecting: Expected(words: words))
        case .letDecl(let it): request(it.name)
        default: break
        }
      }
    }
  }

  /// Types a property of a style for each type that elements give it. Errors are reported if the
  /// value fits none of them.
  private func typeStyled(_ property: PropertySyntax, in scope: Scope) {
    guard let known = Property.named(property.name.text) else {
      unknownProperty(ofStyle: property.name)
      _ = silently { type(property.value, in: scope) }
      return
    }
    trying(
      known.declaration.uses.map { use in
        { self.type(property.value, of: known, as: use.type, in: scope) }
      })
  }
}

extension DefinitionSyntax.Kind {
  fileprivate var symbolKind: FileNames.Symbol.Kind {
    switch self {
    case .component: .component
    case .style: .style
    case .effect: .effect
    case .transition: .transition
    }
  }
}

extension [ParameterSyntax] {
  /// Returns the source in which the parameters of a body are visible, with their defaults.
  func span(of body: SourceSpan) -> SourceSpan { first.map { $0.name.span.union(body) } ?? body }
}
