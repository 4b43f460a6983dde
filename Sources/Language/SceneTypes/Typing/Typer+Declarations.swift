// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneSyntax
import SceneText

// Files and their declarations.
extension Typer {
  /// Binds the names of a file, then those of its bodies.
  func declare(_ file: FileTypes) {
    let scope = file.scope
    var definitions: [Definition] = []
    for declaration in file.declarations {
      switch declaration {
      case .importDecl: break
      case .param(let name, let type, let value, _, _):
        bind(name, in: scope) {
          guard let value else { return type.map { self.type(declared: $0) } ?? .unknown }
          return self.converted(
            self.type(value, in: scope, expecting: Expected(type)), to: type)
        }
      case .letDecl(let it): bind(it, in: scope)
      case .fn(let it):
        let result = LazyType { self.result(of: it, scope, arguments: []) }
        scope.add(it.name.identifier, .function(Function(it, home: scope, result: result)))
      case .definition(let it):
        let inner = makeScope(in: scope)
        let isComponent = it.kind == .component
        let body = isComponent ? bodies.count : -1
        let definition = Definition(it, home: scope, scope: inner, body: body)
        if isComponent { _ = add(Body(scope: inner, definition: definition)) }
        definitions.append(definition)
        scope.add(it.name.identifier, .definition(definition))
        if isComponent, let kind = ElementKind(rawValue: it.name.text), kind.mayBeReplaced,
          kind != .part, kind != .step, file.replaced[kind] == nil
        {
          file.replaced[kind] = definition
        }
      case .scene(let it): if let name = it.name { scope.add(name.identifier, .scene(it)) }
      }
    }
    for definition in definitions { declare(definition, file) }
    for case .scene(let it) in file.declarations {
      let body = makeScope(in: scope)
      scopes[ObjectIdentifier(it)] = body
      declare(it.items, in: body, Place(file: file, kind: .scene))
    }
  }

  private func declare(_ definition: Definition, _ file: FileTypes) {
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
    switch syntax.kind {
    case .effect, .transition: scope.add("progress", .value(LazyType(.number)))
    case .component, .style: break
    }
    if syntax.kind != .style { declare(syntax.items, in: scope, Place(file: file, kind: .group)) }
  }

  /// Binds a `let` with the type of its value.
  func bind(_ it: LetSyntax, in scope: Scope) {
    bind(it.name, in: scope) {
      self.converted(
        self.type(it.value, in: scope, expecting: Expected(it.type)), to: it.type)
    }
  }

  private func bind(_ name: Name, in scope: Scope, _ compute: @escaping () -> Type) {
    scope.add(
      name.identifier,
      .value(
        LazyType {
          let type = compute()
          self.note(name, type)
          return type
        }))
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
        guard let scope = scopes[ObjectIdentifier(it)] else { continue }
        type(it.items, in: scope, Place(file: file, kind: .scene))
      }
    }
  }

  /// Computes the type of a declared value.
  func request(_ name: Name, in scope: Scope) {
    if case .value(let it)? = scope.names[name.identifier] { _ = it.type }
  }

  private func type(_ definition: Definition, _ file: FileTypes) {
    let syntax = definition.syntax
    for parameter in syntax.parameters {
      request(parameter.name, in: definition.scope)
      if let value = parameter.value { type(value, for: parameter, definition.scope) }
    }
    let place = Place(file: file, kind: .group)
    switch syntax.kind {
    case .component, .transition: type(syntax.items, in: definition.scope, place)
    case .style:
      for case .property(let it) in syntax.items { typeStyled(it, definition.scope) }
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

  /// Types a property of a style for each type that elements give it.
  private func typeStyled(_ property: PropertySyntax, _ scope: Scope) {
    guard let known = Property.named(property.name.text) else {
      _ = type(property.value, in: scope)
      return
    }
    for use in known.declaration.uses { type(property.value, of: known, use.type, scope) }
  }
}
