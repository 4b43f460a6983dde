// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// Functions as arguments: names of declared or built-in functions, and lambdas.
extension Checker {
  /// Resolves an argument of a function type, or reports an error and returns `nil`.
  func function(_ e: Expression, for parameter: ParameterSyntax, _ c: Context) -> Scope.Binding? {
    guard let type = parameter.type, isKnown(type), let taken = type.parameters,
      let found = function(e, taking: taken.count, c)
    else { return nil }
    guard case .function(let written, let home) = found else { return found }
    for (taking, wanted) in zip(written.parameters, taken) {
      guard let own = taking.type, !mayTake(own, wanted) else { continue }
      _ = report(
        .typeMismatch,
        "'\(written.name.text)' requires \(described(own)), but is called with \(described(wanted))",
        at: e.span, label: "expected \(text(at: type.span))")
      return nil
    }
    if let gives = written.result, let wanted = type.element, !mayTake(wanted, gives) {
      _ = report(
        .typeMismatch,
        "'\(written.name.text)' returns \(described(gives)), expected \(described(wanted))",
        at: e.span, label: "expected \(text(at: type.span))")
      return nil
    }
    // Parameters of a lambda have the types of the expected function.
    let parameters = written.parameters.enumerated().map { index, it in
      let wanted = index < taken.count ? taken[index] : nil
      return ParameterSyntax(name: it.name, type: it.type ?? wanted, value: it.value)
    }
    return .function(
      FunctionSyntax(
        name: parameter.name, parameters: parameters, result: written.result ?? type.element,
        value: written.value), home)
  }

  /// Resolves a function of `count` parameters, or reports an error and returns `nil`.
  func function(_ e: Expression, taking count: Int, _ c: Context) -> Scope.Binding? {
    let found: Scope.Binding
    if case .lambda(let written) = e.kind {
      found = .function(written, c.scope)
    } else if let (binding, _) = resolve(e, c.scope) {
      found = binding
    } else if case .reference(let name) = e.kind, let builtIn = BuiltIn.all[name] {
      found = .builtIn(builtIn)
    } else {
      notAFunction(e, c)
      return nil
    }
    switch found {
    case .function(let it, _):
      let needed = it.parameters.count { $0.value == nil }
      if (needed...max(needed, it.parameters.count)).contains(count) { return found }
      return wrongCount(e, of: it.name.text, takes: it.parameters.count, given: count)
    case .builtIn(let it):
      let needed = it.parameters.count { !$0.isOptional }
      let isMany = it.parameters.contains(where: \.isMany)
      if isMany ? count > 0 : (needed...max(needed, it.parameters.count)).contains(count) {
        return found
      }
      return wrongCount(e, of: it.name, takes: it.parameters.count, given: count)
    default:
      notAFunction(e, c)
      return nil
    }
  }

  private func wrongCount(_ e: Expression, of name: String, takes: Int, given: Int)
    -> Scope.Binding?
  {
    func values(_ count: Int) -> String { count == 1 ? "1 value" : "\(count) values" }
    let what = name == "fn" ? "this function" : "'\(name)'"
    _ = report(
      .wrongArguments, "\(what) accepts \(values(takes))", at: e.span,
      label: "called with \(values(given))")
    return nil
  }

  private func notAFunction(_ e: Expression, _ c: Context) {
    if case .reference(let name) = e.kind {
      if isReported(name, c.scope) { return }
      if c.scope.lookup(name) == nil {
        let known = Array(BuiltIn.all.keys) + c.scope.visibleNames
        report(
          Diagnostic(.unknownFunction, "unknown function '\(name)'", at: e.span)
            .suggesting(nearestTo: name.text, in: known))
        return
      }
    }
    if case .member = e.kind { return }
    report(
      Diagnostic(
        .typeMismatch, "expected a function", at: e.span,
        label: "write the name of a function, such as sqrt, or fn(x) = 2 * x"))
  }

  /// Calls a function with evaluated arguments.
  func apply(_ function: Scope.Binding, to values: [Value], at span: SourceSpan, in c: Context)
    -> Value
  {
    guard spend(1, span) else { return poison(span) }
    switch function {
    case .function(let it, let home):
      return run(it, at: span, in: c) {
        let scope = Scope(parent: home, owner: nil)
        for (index, parameter) in it.parameters.enumerated() {
          var value: Value
          if index < values.count {
            value = values[index]
          } else if let e = parameter.value {
            value = evaluate(e, c.with { $0.scope = scope }, words: parameter.type?.words ?? [])
          } else {
            return nil
          }
          if let type = parameter.type { value = convert(value, to: type, at: span) }
          if value.isPoison { return nil }
          scope.bind(parameter.name, .value(value, parameter.name.span))
        }
        return scope
      }
    case .builtIn(let it):
      // Built-in functions take expressions, so the values are bound to names that a scene cannot
      // contain.
      let scope = Scope(parent: c.scope, owner: nil)
      let arguments = values.enumerated().map { index, value in
        let name = Identifier("#\(index)")
        scope.bind(name, .value(value, span))
        return Argument(name: nil, value: Expression(.reference(name), span))
      }
      let call = Call(it, arguments, places: [], at: span)
      return it.value(Site(checker: self, call: call, context: c.with { $0.scope = scope }))
    default: return poison(span)
    }
  }

  // MARK: Types

  /// Returns whether a value of one type is accepted for another, as far as their names determine
  /// it.
  private func mayTake(_ wanted: TypeSyntax, _ given: TypeSyntax) -> Bool {
    if wanted.isFunction || given.isFunction { return wanted.isFunction == given.isFunction }
    guard wanted.names.count == 1, given.names.count == 1,
      let a = KnownWords.types[wanted.names[0]],
      let b = KnownWords.types[given.names[0]], a != b
    else { return true }
    let numbers: Set<ValueType> = [.number, .percent, .length, .pair]
    let paints: Set<ValueType> = [.color, .paint]
    let texts: Set<ValueType> = [.text, .image]
    return [numbers, paints, texts].contains { $0.contains(a) && $0.contains(b) }
  }

  private func described(_ type: TypeSyntax) -> String {
    guard type.names.count == 1, let known = KnownWords.types[type.names[0]] else {
      return text(at: type.span)
    }
    return known.description
  }
}
