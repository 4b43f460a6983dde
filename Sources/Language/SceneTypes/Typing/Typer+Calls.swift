// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneSyntax
import SceneText

// The types of calls.
extension Typer {
  func call(
    _ callee: Expression, _ arguments: [Argument], at span: SourceSpan, in scope: Scope,
    expecting expected: Expected
  ) -> Type {
    switch self.callee(callee, in: scope) {
    case .declared(let function):
      let parameters = function.syntax.parameters
      let isRight = check(arguments, for: parameters, of: function.syntax.name.text, at: span)
      note(arguments, for: function.parameters, of: callee)
      type(arguments, for: parameters, of: callee, in: scope)
      return isRight ? function.result.type : .error
    case .parameter(let result):
      for argument in arguments { _ = type(argument.value, in: scope) }
      return result
    case .builtIn(let signature):
      if reportsKindOfRepetition(in: arguments, of: signature, scope) { break }
      let isRight = check(arguments, for: signature, at: span)
      let result = Typer.Call(self, signature, arguments: arguments, in: scope, expecting: expected)
        .result
      return isRight ? result : .error
    case .unknown:
      if case .reference(let name) = callee.kind {
        if isReporting(at: callee.span), !mayBeMissing(in: span.file) {
          report(unknownFunction(name.text, callee, arguments: arguments, at: span, in: scope))
        }
      } else {
        report(
          Diagnostic(.unknownFunction, "only a named function can be called", at: callee.span))
      }
    case .error: break
    }
    note(arguments, for: [:], of: callee)
    silently { type(arguments, for: [], of: callee, in: scope) }
    return .error
  }

  /// Records the names of arguments.
  func note(
    _ arguments: [Argument], for parameters: [Identifier: Scope.Symbol], of callee: Expression
  ) {
    for case let name? in arguments.map(\.name) {
      use(name, in: parameters, ofCalleeAt: callee.nameSpan)
    }
  }

  /// The declaration to which a callee resolves.
  private enum Callee {
    case declared(Function)
    /// A parameter that is a function with a result type.
    case parameter(Type)
    case builtIn(FunctionSignature)
    case unknown
    /// A callee whose error was already reported.
    case error
  }

  /// Resolves a callee. Only functions shadow built-in functions.
  private func callee(_ e: Expression, in scope: Scope) -> Callee {
    switch e.kind {
    case .reference(let name):
      var found = scope.lookup(name)
      switch found {
      case .function?, .functionParameter?, .error?: use(name, at: e.span, in: scope)
      default:
        let function = scope.function(name)
        found = function?.0
        if let function, case .symbol(let symbol)? = function.1 {
          fileNames.use(name, at: e.span, .symbol(symbol))
        } else if signatures[name] != nil || function != nil {
          fileNames.use(name, at: e.span, .free(.function))
        } else {
          use(name, at: e.span, in: scope)
        }
      }
      switch found {
      case .function(let it)?: return .declared(it)
      case .functionParameter(let it)?: return .parameter(it)
      case .error?: return .error
      default: return signatures[name].map(Callee.builtIn) ?? .unknown
      }
    case .member(let base, let name):
      guard case .reference(let word) = base.kind, case .file(let file)? = scope.lookup(word)
      else {
        _ = silently { named(base, scope) }
        return .unknown
      }
      use(name, of: word, at: base.span, in: scope)
      switch file?.publicName(name.identifier) {
      case .function(let it)?: return .declared(it)
      case nil: return .error
      case .some: return .unknown
      }
    default:
      _ = silently { type(e, in: scope) }
      return .unknown
    }
  }

  /// Types the arguments of a declared function, definition or component. An unknown callee has no
  /// parameters.
  func type(
    _ arguments: [Argument], for parameters: [ParameterSyntax], of callee: Expression,
    in scope: Scope
  ) {
    var next = 0
    for argument in arguments {
      var parameter: ParameterSyntax?
      if let name = argument.name {
        parameter = parameters.first { $0.name.identifier == name.identifier }
      } else if next < parameters.count {
        parameter = parameters[next]
      }
      let place = argument.name.map { FileNames.Parameter.Place.name($0.text) } ?? .position(next)
      if argument.name == nil { next += 1 }
      type(
        argument.value, for: parameter, scope,
        receiver: FileNames.Parameter(callee: callee.nameSpan, place: place))
    }
  }

  /// Types an argument or a default against the type of its parameter.
  func type(
    _ value: Expression, for parameter: ParameterSyntax?, _ scope: Scope,
    receiver: FileNames.Parameter? = nil
  ) {
    if let expected = parameter?.type, let taken = expected.parameters {
      _ = result(ofApplying: value, to: taken.map { self.type(declared: $0) }, scope)
      return
    }
    var expected = Expected(parameter?.type)
    if parameter == nil { expected.receiver = receiver }
    expect(value, type(value, in: scope, expecting: expected), as: parameter?.type)
  }

  /// Returns the binding of a parameter in the body of its function or definition, according to its
  /// declared type.
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
        let isList = if case .list = shape { true } else { false }
        let item = converted(isList ? shape.item : shape, to: element)
        if item == .error { return .always(.error) }
        return isList ? .always(.list(item, items: nil)) : .sometimes(.list(item, items: nil))
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
  ///
  /// - Parameters:
  ///   - parameters: The declarations of the parameters; those of a lambda are added.
  ///   - container: The declaration of the function, which contains the names of its body.
  func result(
    of function: FunctionSyntax, _ home: Scope, parameters: [Identifier: Scope.Symbol]? = nil,
    container: Int? = nil, arguments: [Type]
  ) -> Type {
    let scope = makeScope(
      in: function.pixels == nil ? home : pixelScope(in: home),
      span: function.parameters.span(of: function.body ?? function.name.span))
    check(function.result)
    for (index, parameter) in function.parameters.enumerated() {
      check(parameter.type)
      if let value = parameter.value { type(value, for: parameter, scope) }
      let symbol =
        if let parameters { parameters[parameter.name.identifier] } else {
          symbol(.round, parameter.name, in: nil)
        }
      if parameter.type == nil, index < arguments.count {
        note(parameter.name, arguments[index])
        scope.bind(parameter.name.identifier, .value(LazyType(arguments[index])), as: symbol)
      } else {
        let binding = self.type(of: parameter)
        if case .value(let it) = binding { note(parameter.name, it.type) }
        scope.bind(parameter.name.identifier, binding, as: symbol)
      }
    }
    if let pixels = function.pixels {
      return type(pixels, of: function, scope, container: container)
    }
    guard let value = function.value else { return .error }
    let type = type(value, in: scope, expecting: Expected(function.result))
    expect(value, type, as: function.result)
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
    switch callee(e, in: scope) {
    case .declared(let it): return it.result.type
    case .parameter(let result): return result
    case .builtIn(let signature): return Typer.Call(self, signature, types: arguments).result
    case .unknown, .error: return .error
    }
  }
}

extension Expression {
  /// The span of the name that a callee ends with.
  var nameSpan: SourceSpan { if case .member(_, let name) = kind { name.span } else { span } }
}
