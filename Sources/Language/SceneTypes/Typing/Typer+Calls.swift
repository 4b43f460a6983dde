// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneSyntax
import SceneText

// The types of calls.
extension Typer {
  func call(
    _ callee: Expression, _ arguments: [Argument], _ scope: Scope, _ expected: Expected
  ) -> Type {
    switch function(callee, scope) {
    case .function(let function)?:
      type(arguments, for: function.syntax.parameters, scope)
      return function.result.type
    case .functionParameter(let result)?:
      for argument in arguments { _ = type(argument.value, in: scope) }
      return result
    case .some:
      for argument in arguments { _ = type(argument.value, in: scope) }
      return .error
    case nil: break
    }
    guard case .reference(let name) = callee.kind, let signature = signatures[name] else {
      for argument in arguments { _ = type(argument.value, in: scope) }
      return .error
    }
    return Typer.Call(self, signature, arguments, scope, expected).result
  }

  /// Returns the declaration that a name denotes in a call; `nil` for a built-in function, which
  /// only functions shadow.
  private func function(_ callee: Expression, _ scope: Scope) -> Scope.Binding? {
    switch callee.kind {
    case .reference(let name):
      switch scope.lookup(name) {
      case .function(let it)?: return .function(it)
      case .functionParameter(let it)?: return .functionParameter(it)
      case nil: return nil
      case .some: return signatures[name] == nil ? .error : nil
      }
    case .member(let base, let name):
      guard case .reference(let word) = base.kind, case .file(let file)? = scope.lookup(word)
      else { return .error }
      return file?.publicName(name.identifier) ?? .error
    default: return .error
    }
  }

  /// Types the arguments of a declared function, definition or component.
  func type(_ arguments: [Argument], for parameters: [ParameterSyntax], _ scope: Scope) {
    var next = 0
    for argument in arguments {
      var parameter: ParameterSyntax?
      if let name = argument.name {
        parameter = parameters.first { $0.name.identifier == name.identifier }
      } else if next < parameters.count {
        parameter = parameters[next]
        next += 1
      }
      type(argument.value, for: parameter, scope)
    }
  }

  /// Types an argument or a default against the type of its parameter.
  func type(_ value: Expression, for parameter: ParameterSyntax?, _ scope: Scope) {
    if let expected = parameter?.type, let taken = expected.parameters {
      _ = result(ofApplying: value, to: taken.map { self.type(declared: $0) }, scope)
      return
    }
    _ = type(value, in: scope, expecting: Expected(parameter?.type))
  }

  /// Returns the type of a parameter inside its function or definition.
  func type(of parameter: ParameterSyntax) -> Scope.Binding {
    guard let declared = parameter.type else { return .value(LazyType(.unknown)) }
    if declared.isFunction {
      return .functionParameter(declared.element.map { self.type(declared: $0) } ?? .unknown)
    }
    return .value(LazyType(type(declared: declared)))
  }

  /// Returns the type that a declaration names.
  func type(declared type: TypeSyntax) -> Type {
    if type.isFunction { return .function }
    if let element = type.element { return .list(self.type(declared: element), items: nil) }
    guard type.names.count == 1 else { return .word(Set(type.names.map(\.text))) }
    return ValueType(declared: type.names[0].text)?.type ?? .error
  }

  /// Returns the type of values after their conversion to a declared type.
  func converted(_ type: Type, to declared: TypeSyntax?) -> Type {
    guard let declared else { return type }
    if type == .error { return .error }
    if type == .nothing { return .nothing }
    if declared.names.count > 1 { return .word(Set(declared.names.map(\.text))) }
    if let element = declared.element {
      let lists = type.convert { shape in
        guard case .list(let item, _) = shape else {
          return .sometimes(.list(converted(shape, to: element), items: nil))
        }
        return .always(.list(converted(item, to: element), items: nil))
      }
      return lists.type
    }
    guard let name = declared.names.first, let known = ValueType(declared: name.text) else {
      return .error
    }
    return type.converted(to: known).type
  }

  // MARK: Functions as arguments

  /// Returns the type of a function's value in a scope of its parameters, and types its body.
  func result(of function: FunctionSyntax, _ home: Scope, arguments: [Type]) -> Type {
    let scope = makeScope(in: home)
    for (index, parameter) in function.parameters.enumerated() {
      if let value = parameter.value { type(value, for: parameter, scope) }
      if parameter.type == nil, index < arguments.count {
        note(parameter.name, arguments[index])
        scope.bind(parameter.name.identifier, .value(LazyType(arguments[index])))
      } else {
        let binding = self.type(of: parameter)
        if case .value(let it) = binding { note(parameter.name, it.type) }
        scope.bind(parameter.name.identifier, binding)
      }
    }
    guard let value = function.value else { return .error }
    let type = type(value, in: scope, expecting: Expected(function.result))
    return converted(type, to: function.result)
  }

  /// Returns the type of a function's result for arguments of these types. The function is a name
  /// or a lambda.
  func result(ofApplying e: Expression, to arguments: [Type], _ scope: Scope) -> Type {
    if case .lambda(let function) = e.kind {
      note(e.span, .function)
      return result(of: function, scope, arguments: arguments)
    }
    note(e.span, .function)
    switch function(e, scope) {
    case .function(let it)?: return it.result.type
    case .functionParameter(let result)?: return result
    case .some: return .error
    case nil:
      guard case .reference(let name) = e.kind, let signature = signatures[name] else {
        return .error
      }
      return Typer.Call(self, signature, types: arguments).result
    }
  }
}
