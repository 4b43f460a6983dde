// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// A call of a built-in function.
final class Call {
  let function: BuiltIn
  let span: SourceSpan
  /// The words of the enumeration that is expected as the result.
  let words: Set<String>
  private let arguments: [Argument]
  /// The argument index of each parameter; empty if all arguments are positional.
  private let places: [Int?]

  init(
    _ function: BuiltIn, _ arguments: [Argument], places: [Int?] = [], at span: SourceSpan,
    words: Set<String> = []
  ) {
    self.function = function
    self.arguments = arguments
    self.places = places
    self.span = span
    self.words = words
  }

  var name: String { function.name }

  /// The arguments of a variadic parameter.
  var many: [Expression] { arguments.filter { $0.name == nil }.map(\.value) }

  /// Accesses the argument of the parameter at an index; `nil` if it is omitted.
  subscript(place: Int) -> Expression? {
    if !places.isEmpty { return places[place].map { arguments[$0].value } }
    return !function.takesMany && place < arguments.count ? arguments[place].value : nil
  }

  /// Accesses the argument of the parameter with a name; `nil` if it is omitted.
  subscript(name: String) -> Expression? {
    function.parameterNames.firstIndex(of: name).flatMap { self[$0] }
  }
}

extension Checker {
  func call(
    _ callee: Expression, _ arguments: [Argument], at span: SourceSpan, in c: Context,
    words: Set<String>
  ) -> Value {
    guard case .reference(let name) = callee.kind else {
      guard case .function(let function, let home)? = resolve(callee, c.scope)?.0 else {
        return poison(span)
      }
      return call(function, from: home, arguments: arguments, at: span, in: c)
    }
    var known = BuiltIn.all[name]
    switch c.scope.lookup(name)?.0 {
    case .function(let function, let home)?:
      note(callee.span, .function(function, home))
      return call(function, from: home, arguments: arguments, at: span, in: c)
    case .builtIn(let given)?: known = given
    case let found?:
      if case .function(let function, let home)? = c.scope.function(name) {
        note(callee.span, .function(function, home))
        return call(function, from: home, arguments: arguments, at: span, in: c)
      }
      // An element may have the name of a built-in function.
      switch found {
      case .element where known != nil, .elements where known != nil: break
      default: note(callee.span, found)
      }
    case nil: break
    }
    guard let function = known else { return poison(span) }
    guard let call = bind(arguments, to: function, at: span, words: words) else {
      return poison(span)
    }
    return function.value(Site(checker: self, call: call, context: c))
  }

  /// Returns a call with its arguments by parameter, or `nil` if they do not match the parameters,
  /// which the typer reports.
  private func bind(
    _ arguments: [Argument], to function: BuiltIn, at span: SourceSpan, words: Set<String>
  ) -> Call? {
    let count = function.parameters.count
    let isPlain = !arguments.indices.contains { arguments[$0].name != nil }
    var places: [Int?] = []
    if !isPlain || arguments.count > count && !function.takesMany {
      guard let found = self.places(of: arguments, in: function) else { return nil }
      places = found
    }
    let call = Call(function, arguments, places: places, at: span, words: words)
    for place in 0..<count where function.parameters[place].isNeeded && call[place] == nil {
      return nil
    }
    if function.takesMany, !arguments.indices.contains(where: { arguments[$0].name == nil }) {
      return nil
    }
    return call
  }

  /// Returns the argument index of each parameter, or `nil` for an invalid argument.
  private func places(of arguments: [Argument], in function: BuiltIn) -> [Int?]? {
    let names = function.parameterNames
    var places = [Int?](repeating: nil, count: names.count)
    var next = 0
    for (index, argument) in arguments.enumerated() {
      if let name = argument.name {
        guard let place = names.firstIndex(of: name.text), !(function.takesMany && place == 0),
          places[place] == nil
        else { return nil }
        places[place] = index
      } else if !function.takesMany {
        guard next < names.count, places[next] == nil else { return nil }
        places[next] = index
        next += 1
      }
    }
    return places
  }

  /// Calls a function of a scene. Its clock is that of the call.
  private func call(
    _ function: FunctionSyntax, from home: Scope, arguments: [Argument], at span: SourceSpan,
    in c: Context
  ) -> Value {
    return run(function, at: span, in: c) {
      let scope = Scope(parent: home, owner: nil, room: function.parameters.count)
      return self.bindParameters(function.parameters, to: arguments, scope: scope, in: c)
        ? scope : nil
    }
  }

  /// Evaluates a function in the scope that `bind` creates with its parameters.
  func run(
    _ function: FunctionSyntax, at span: SourceSpan, in c: Context, _ bind: () -> Scope?
  ) -> Value {
    guard !endlessFunctions.contains(function.name.span) else { return poison(span) }
    guard calls.count < 64 else {
      endlessFunctions.insert(function.name.span)
      return report(
        .recursion, "'\(function.name.text)' exceeds 64 nested calls", at: span,
        label: "end the recursion with a constant condition: n < 1 ? 0 : f(n - 1)")
    }
    guard let scope = bind() else { return poison(span) }
    if let pixels = function.pixels {
      return pixelCall(function, pixels, arguments: scope, at: span, in: c)
    }
    guard let body = function.value else { return poison(span) }
    calls.append((function.name, span))
    defer { calls.removeLast() }
    return releasing {
      let value = evaluate(body, c.with { $0.scope = scope }, words: function.result?.words ?? [])
      return function.result.map { convert(value, to: $0, at: body.span) } ?? value
    }
  }

  /// Binds the values of parameters in a scope. Returns `false` if an argument is invalid.
  func bindParameters(
    _ parameters: [ParameterSyntax], to arguments: [Argument], scope: Scope, in c: Context
  ) -> Bool {
    guard let places = places(of: arguments, in: parameters) else { return false }
    for place in parameters.indices {
      let index = places.isEmpty ? (place < arguments.count ? place : nil) : places[place]
      let (name, type) = (parameters[place].name, parameters[place].type)
      let inner = index == nil ? c.with { $0.scope = scope } : c
      guard let e = index.map({ arguments[$0].value }) ?? parameters[place].value else {
        return false
      }
      if type?.isFunction == true {
        guard let it = function(e, for: parameters[place], inner) else { return false }
        scope.bind(name, it)
        continue
      }
      let value = releasing {
        let value = evaluate(e, inner, words: type?.words ?? [])
        return type.map { convert(value, to: $0, at: e.span) } ?? value
      }
      if value.isPoison { return false }
      scope.bind(name, .value(value, name.span))
    }
    return true
  }

  /// Returns the argument index of each parameter, or an empty list if all arguments are
  /// positional, or `nil` for an invalid argument.
  private func places(of arguments: [Argument], in parameters: [ParameterSyntax]) -> [Int?]? {
    if arguments.count <= parameters.count,
      !arguments.indices.contains(where: { arguments[$0].name != nil })
    {
      return []
    }
    var places = [Int?](repeating: nil, count: parameters.count)
    var next = 0
    for (index, argument) in arguments.enumerated() {
      if let name = argument.name {
        guard let place = parameters.firstIndex(where: { $0.name.identifier == name.identifier })
        else { return nil }
        note(name.span, parameters[place].name.span)
        places[place] = index
      } else if next < parameters.count {
        places[next] = index
        next += 1
      } else {
        return nil
      }
    }
    return places
  }
}
