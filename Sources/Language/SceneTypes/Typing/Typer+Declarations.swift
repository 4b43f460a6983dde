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
    var definitions: [Definition] = []
    for declaration in file.declarations {
      switch declaration {
      case .importDecl: break
      case .param(let name, let type, let value, _, _):
        bind(name, in: scope) {
          guard let value else { return type.map { self.type(declared: $0) } ?? .unknown }
          return self.type(value, declared: type, named: name, scope)
        }
      case .letDecl(let it): bind(it, in: scope)
      case .fn(let it):
        let result = LazyType { self.result(of: it, scope, arguments: []) }
        declare(
          it.name.identifier, .function(Function(it, home: scope, result: result)), in: scope)
      case .definition(let it):
        let inner = makeScope(in: scope)
        let isComponent = it.kind == .component
        let body = isComponent ? bodies.count : -1
        let definition = Definition(it, home: scope, scope: inner, body: body)
        if isComponent { _ = add(Body(scope: inner, definition: definition)) }
        definitions.append(definition)
        declare(it.name.identifier, .definition(definition), in: scope)
        if isComponent, let kind = ElementKind(rawValue: it.name.text), kind.mayBeReplaced,
          kind != .part, kind != .step, file.replaced[kind] == nil
        {
          file.replaced[kind] = definition
        }
      case .scene(let it): if let name = it.name { declare(name.identifier, .scene(it), in: scope) }
      }
    }
    for definition in definitions { bindParameters(of: definition) }
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
      scope.add(parameter.name.identifier, binding)
    }
  }

  /// Binds a `let` with the type of its value.
  func bind(_ it: LetSyntax, in scope: Scope) {
    bind(it.name, in: scope) {
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

  private func bind(_ name: Name, in scope: Scope, _ compute: @escaping () -> Type) {
    declare(
      name.identifier,
      .value(
        LazyType {
          let type = compute()
          self.note(name, type)
          return type
        }), in: scope)
  }

  /// Binds the name of a declaration. A name that is declared twice has no type.
  func declare(_ name: Identifier, _ binding: Scope.Binding, in scope: Scope) {
    scope.bind(name, scope.names[name] == nil ? binding : .error)
  }

  /// Types all expressions of a file.
  func type(_ file: FileTypes) {
    for declaration in file.declarations {
      switch declaration {
      case .importDecl: break
      case .param(let name, _, _, let bound, _):
        request(name, in: file.scope)
        if let bound { _ = type(bound, in: file.scope) }
      case .letDecl(let it): request(it.name, in: file.scope)
      case .fn(let it):
        if case .function(let function)? = file.scope.names[it.name.identifier],
          function.syntax === it
        {
          _ = function.result.type
        }
      case .definition(let it):
        guard case .definition(let definition)? = file.scope.names[it.name.identifier],
          definition.syntax === it
        else { continue }
        type(definition, file)
      case .scene(let it):
        let scope = makeScope(in: file.scope, owner: it)
        let place = Place(file: file, kind: .scene, element: it)
        declare(it.items, in: scope, place)
        type(it.items, in: scope, place)
      }
    }
  }

  /// Computes the type of a declared value.
  func request(_ name: Name, in scope: Scope) {
    if case .value(let it)? = scope.names[name.identifier] { _ = it.type }
  }

  private func type(_ definition: Definition, _ file: FileTypes) {
    let syntax = definition.syntax
    let place = Place(file: file, kind: .group, definition: definition)
    if syntax.kind != .style { declare(syntax.items, in: definition.scope, place) }
    if [.effect, .transition].contains(syntax.kind) {
      definition.scope.add("progress", .value(LazyType(.number)))
    }
    for parameter in syntax.parameters {
      check(parameter.type)
      request(parameter.name, in: definition.scope)
      if let value = parameter.value { type(value, for: parameter, definition.scope) }
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
        case .letDecl(let it): request(it.name, in: definition.scope)
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
