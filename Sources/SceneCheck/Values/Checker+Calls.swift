// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// A call of a built-in function with its arguments by the names of the parameters.
struct Call {
  let name: String
  let span: SourceSpan
  /// Those of a parameter with `…`.
  var many: [Expression] = []
  var named = NameTable<Expression>()
  /// The words of the enumeration that is expected of the call.
  var words: Set<String> = []
}

extension Checker {
  func call(
    _ callee: Expression, _ arguments: [Argument], _ span: SourceSpan, _ c: Context,
    _ words: Set<String>
  ) -> Value {
    guard case .reference(let name) = callee.kind else {
      let found = resolve(callee, c.scope)?.0
      if case .function(let function, let home)? = found {
        return call(function, home, arguments, span, c)
      }
      // A name that a file does not have was reported.
      if found == nil, isOfModule(callee, c) { return poison(span) }
      return fault(
        .unknownFunction, "only a named function can be called", at: callee.span)
    }
    var known = BuiltIn.all[name]
    switch c.scope.lookup(name)?.0 {
    // A function of the language may be called where an element has its name.
    case .element where known != nil, .elements where known != nil: break
    case .function(let function, let home)?:
      note(callee.span, .function(function, home))
      return call(function, home, arguments, span, c)
    case let found?:
      note(callee.span, found)
      if case .builtIn(let given) = found { known = given }
    case nil: break
    }
    guard let function = known else {
      guard faults.isNew(callee.span), !isReported(name, c.scope) else { return poison(span) }
      report(unknownFunction(name, callee, arguments, span, c))
      return poison(span)
    }
    guard var call = bind(arguments, to: function, span) else { return poison(span) }
    call.words = words
    return function.value(Site(checker: self, call: call, context: c))
  }

  private func isOfModule(_ callee: Expression, _ c: Context) -> Bool {
    guard case .member(let base, _) = callee.kind, case .reference(let file) = base.kind,
      case .module? = c.scope.lookup(file)?.0
    else { return false }
    return true
  }

  private func unknownFunction(
    _ name: String, _ callee: Expression, _ arguments: [Argument], _ span: SourceSpan, _ c: Context
  ) -> Diagnostic {
    let fault = Diagnostic(.unknownFunction, "there is no function '\(name)'", at: callee.span)
    let values = arguments.map { text(at: $0.value.span) }
    if name == "range", (1...2).contains(values.count) {
      let range = values.count == 1 ? "0..\(values[0])" : "\(values[0])..\(values[1])"
      return fault.mended("write \(range)", span, range)
    }
    if let note = Checker.otherFunction[name] { return fault.noting(note) }
    if let same = Checker.sameFunction[name] { return fault.suggesting(same) }
    if let known = importing(name, nil, fault) { return known }
    let meant = nearest(name, in: Array(BuiltIn.all.keys) + c.scope.visibleNames)
    return (meant == nil ? nearlyImporting(name, nil, fault) : nil) ?? fault.suggesting(meant)
  }

  private func bind(
    _ arguments: [Argument], to function: BuiltIn, _ span: SourceSpan
  ) -> Call? {
    var call = Call(name: function.name, span: span)
    let names = function.parameterNames
    let isMany = function.parameters.first?.isMany == true
    var next = 0
    for argument in arguments {
      if let name = argument.name {
        guard names.contains(name.text), !(isMany && name.text == names[0]) else {
          report(
            Diagnostic(
              .wrongArguments, "'\(function.name)' has no argument '\(name.text)'",
              at: name.span, notes: [Note("usage: \(function.description)")]
            ).suggesting(nearest(name.text, in: names)))
          return nil
        }
        if let earlier = call.named.set(argument.value, for: name.text) {
          _ = fault(
            .propertyTwice, "'\(name.text)' is given twice", at: name.span,
            help:
              "'\(text(at: earlier.span))' is its '\(name.text)' already; usage: \(function.description)"
          )
          return nil
        }
      } else if isMany {
        call.many.append(argument.value)
      } else {
        guard next < names.count, call.named[names[next]] == nil else {
          _ = fault(
            .wrongArguments, "'\(function.name)' takes at most \(counted(names.count))",
            at: argument.value.span, help: "usage: \(function.description)")
          return nil
        }
        call.named.set(argument.value, for: names[next])
        next += 1
      }
    }
    for parameter in function.parameters
    where !parameter.isOptional && !parameter.isMany && call.named[parameter.name] == nil {
      _ = fault(
        .wrongArguments, "'\(function.name)' needs the argument '\(parameter.name)'", at: span,
        help: "usage: \(function.description)")
      return nil
    }
    if isMany, call.many.isEmpty {
      _ = fault(
        .wrongArguments, "'\(function.name)' needs at least one value", at: span,
        help: "usage: \(function.description)")
      return nil
    }
    return call
  }

  private func counted(_ count: Int) -> String {
    count == 0 ? "no values" : count == 1 ? "1 value" : "\(count) values"
  }

  /// A function of the scene: its parameters are values, its clock that of the use.
  private func call(
    _ function: FunctionSyntax, _ home: Scope, _ arguments: [Argument], _ span: SourceSpan,
    _ c: Context
  ) -> Value {
    computedNames.insert(function.name.span)
    return run(function, span, c) {
      let scope = Scope(parent: home, owner: nil)
      let name = function.name.text
      return self.bindParameters(function.parameters, arguments, name, span, scope, c) ? scope : nil
    }
  }

  /// The value of a function, whose parameters `bind` puts into a scope.
  func run(
    _ function: FunctionSyntax, _ span: SourceSpan, _ c: Context, _ bind: () -> Scope?
  ) -> Value {
    guard !endlessFunctions.contains(function.name.span) else { return poison(span) }
    guard functionDepth < 64 else {
      endlessFunctions.insert(function.name.span)
      return fault(
        .recursion, "'\(function.name.text)' calls itself", at: span,
        label: "64 calls deep; functions cannot be recursive")
    }
    guard let scope = bind(), let body = function.value else { return poison(span) }
    functionDepth += 1
    defer { functionDepth -= 1 }
    let value = evaluate(body, c.with { $0.scope = scope }, words: words(of: function.result))
    return function.result.map { convert(value, to: $0, body.span) } ?? value
  }

  /// Puts the values of parameters into a scope; `false` when one is wrong.
  func bindParameters(
    _ parameters: [ParameterSyntax], _ arguments: [Argument], _ what: String, _ span: SourceSpan,
    _ scope: Scope, _ c: Context
  ) -> Bool {
    var given = NameTable<Expression>()
    var next = 0
    for argument in arguments {
      let name: String
      if let it = argument.name {
        name = it.text
      } else if next < parameters.count {
        name = parameters[next].name.text
        next += 1
      } else {
        _ = fault(
          .wrongArguments, "'\(what)' takes \(counted(parameters.count))", at: argument.value.span)
        return false
      }
      guard parameters.contains(where: { $0.name.text == name }) else {
        report(
          Diagnostic(
            .wrongArguments, "'\(what)' has no parameter '\(name)'",
            at: argument.name?.span ?? argument.value.span,
            notes: [Note("usage: \(what)(\(parameters.map(\.name.text).joined(separator: ", ")))")]
          ).suggesting(nearest(name, in: parameters.map(\.name.text))))
        return false
      }
      if let written = argument.name {
        note(written.span, parameters.first { $0.name.text == name }?.name.span)
      }
      given.set(argument.value, for: name)
    }
    for parameter in parameters {
      let name = parameter.name.text
      if parameter.type?.isFunction == true, let e = given[name] ?? parameter.value {
        let isGiven = given[name] != nil
        guard let it = function(e, for: parameter, isGiven ? c : c.with { $0.scope = scope }) else {
          return false
        }
        scope.bind(name, it)
        continue
      }
      var value: Value
      let at: SourceSpan
      if let e = given[name] {
        value = evaluate(e, c, words: words(of: parameter.type))
        at = e.span
      } else if let e = parameter.value {
        value = evaluate(e, c.with { $0.scope = scope }, words: words(of: parameter.type))
        at = e.span
      } else {
        _ = fault(.wrongArguments, "'\(what)' needs the parameter '\(name)'", at: span)
        return false
      }
      if let type = parameter.type { value = convert(value, to: type, at) }
      if value.isPoison { return false }
      scope.bind(name, .value(value, parameter.name.span))
    }
    return true
  }

  /// The words of an enumeration type such as `light | dark`.
  func words(of type: TypeSyntax?) -> Set<String> {
    guard let type, type.names.count > 1 else {
      return type?.names.first?.text == "easing" ? Set(Easing.named.keys) : []
    }
    return Set(type.names.map(\.text))
  }
}
