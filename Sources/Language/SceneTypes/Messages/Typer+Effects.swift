// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneSyntax
import SceneText

// Effects and transitions, which are names of definitions and not values.
extension Typer {
  /// Types the arguments and clauses of effects or a transition, and reports unknown ones.
  func typeEffects(
    _ e: Expression, _ kind: DefinitionSyntax.Kind, isExit: Bool = false, in scope: Scope
  ) {
    switch e.kind {
    case .list(let items) where kind == .effect:
      for item in items { typeEffects(item, kind, isExit: isExit, in: scope) }
    case .timed(let value, let clauses):
      typeEffects(value, kind, isExit: isExit, in: scope)
      type(clauses, scope)
    case .none, .error: break
    case .conditional(let condition, let a, let b):
      _ = type(condition, in: scope)
      typeEffects(a, kind, isExit: isExit, in: scope)
      typeEffects(b, kind, isExit: isExit, in: scope)
    case .call(let callee, let arguments):
      typeUse(callee, arguments, at: e.span, of: kind, isExit: isExit, in: scope)
    case .reference("cut") where kind == .transition && scope.lookup("cut") == nil: break
    case .reference, .member: typeUse(e, [], at: e.span, of: kind, isExit: isExit, in: scope)
    default:
      typeUse(e, [], at: e.span, of: kind, isExit: isExit, in: scope)
      _ = silently { type(e, in: scope) }
    }
  }

  private func typeUse(
    _ callee: Expression, _ arguments: [Argument], at span: SourceSpan,
    of kind: DefinitionSyntax.Kind, isExit: Bool, in scope: Scope
  ) {
    var definition: Definition?
    var isSilent = false
    switch callee.kind {
    case .reference(let name):
      definition = scope.definition(name, kind)
      if let definition {
        use(name, at: callee.span, definition)
      } else {
        use(name, at: callee.span, in: scope, only: kind == .effect ? .effect : .transition)
      }
    case .member(let base, let name):
      guard case .reference(let word) = base.kind, case .file(let file)? = scope.lookup(word) else {
        break
      }
      use(name, of: word, at: base.span, in: scope)
      switch file?.publicName(name.identifier) {
      case .definition(let it)?: definition = it.syntax.kind == kind ? it : nil
      case nil: isSilent = true
      case .some: break
      }
    default: break
    }
    note(arguments, for: definition?.parameters ?? [:], of: callee)
    guard let definition else {
      if !isSilent { unknownDefinition(kind, callee, isExit: isExit, in: scope) }
      type(arguments, for: [], of: callee, in: scope)
      return
    }
    let parameters = definition.syntax.parameters
    if !hasTimeInside(arguments, of: definition.syntax, callee: callee, at: span) {
      _ = check(arguments, for: parameters, of: definition.syntax.name.text, at: span)
    }
    type(arguments, for: parameters, of: callee, in: scope)
  }

  /// Records the use of an effect or a transition. Their names have a namespace of their own.
  private func use(_ name: Identifier, at span: SourceSpan, _ definition: Definition) {
    let kind: FileNames.Symbol.Kind = definition.syntax.kind == .effect ? .effect : .transition
    fileNames.use(name, at: span, definition.symbol.map(FileNames.Meaning.symbol) ?? .free(kind))
  }

  private func unknownDefinition(
    _ kind: DefinitionSyntax.Kind, _ callee: Expression, isExit: Bool, in scope: Scope
  ) {
    let isEffect = kind == .effect
    guard case .reference(let name) = callee.kind else {
      report(
        Diagnostic(
          .typeMismatch, isEffect ? "expected an effect" : "expected a transition",
          at: callee.span
        ).advising(
          isEffect
            ? "use an effect such as fade, slide(from: left) or a list of them"
            : "use a transition such as dissolve over 0.5s or push(from: left)"))
      return
    }
    guard isReporting(at: callee.span), !mayBeMissing(in: callee.span.file) else { return }
    switch scope.lookup(name) {
    case .error?: return
    // A `let` of effects has its own error.
    case .value(let it)? where it.type == .error:
      markInvalid(callee.span)
      return
    default: break
    }
    let meant = ForeignWords.definition(name.text, isEffect: isEffect, isExit: isExit)
    let diagnostic = Diagnostic(.unknownName, "unknown \(kind.rawValue) '\(name)'", at: callee.span)
    if let other = scope.definition(name, isEffect ? .transition : .effect)?.syntax {
      let what = other.kind.description
      let advice = "use '\(name)' with \(other.placeOfUse)"
      report(
        other.encloses(callee.span)
          ? Diagnostic(.unknownName, "\(what) cannot use itself", at: callee.span).advising(advice)
          : diagnostic.advising("\(advice); it is \(what)").suggesting(meant))
      return
    }
    if let known = importing(name.text, kind, for: diagnostic) { return report(known) }
    let known = definitions(of: kind, scope) + (isEffect ? [] : ["cut"])
    if let meant {
      let isSafe = ForeignWords.exactDefinitions.contains(ForeignWords.dashed(name.text))
      report(diagnostic.suggesting(meant, isSafe: isSafe))
    } else if nearest(name.text, in: known) != nil {
      report(diagnostic.suggesting(nearestTo: name.text, in: known))
    } else if let known = nearlyImporting(name.text, kind, for: diagnostic) {
      report(known)
    } else {
      report(
        diagnostic.noting("the \(kind.rawValue)s are \(known.sorted().joined(separator: ", "))"))
    }
  }

  /// Returns the names of all visible definitions of a kind.
  func definitions(of kind: DefinitionSyntax.Kind, _ scope: Scope) -> [String] {
    sequence(first: scope, next: \.parent).flatMap { scope in
      scope.names.compactMap { name, binding in
        if case .definition(let it) = binding, it.syntax.kind == kind { name.text } else { nil }
      }
    }
  }

  /// Returns whether a duration among the arguments is not a parameter, and reports it.
  private func hasTimeInside(
    _ arguments: [Argument], of definition: DefinitionSyntax, callee: Expression,
    at span: SourceSpan
  ) -> Bool {
    let words = ["over", "for", "duration", "length", "time", "after", "delay", "with", "easing"]
    let names = definition.parameters.map(\.name.text)
    let takesTime = definition.parameters.contains { $0.type?.names.first?.text == "time" }
    let found = arguments.first { argument in
      guard let name = argument.name?.text else {
        guard case .number(_, let unit?) = argument.value.kind else { return false }
        return [.s, .ms, .min, .f, .beat].contains(unit) && !takesTime
      }
      return words.contains(name) && !names.contains(name)
    }
    guard let argument = found else { return false }
    let word =
      switch argument.name?.text {
      case "after", "delay": "after"
      case "with", "easing": "with"
      default: "over"
      }
    let diagnostic = Diagnostic(
      .wrongArguments, "'\(word)' must be after '\(definition.name.text)', outside the parentheses",
      at: argument.name?.span ?? argument.value.span)
    let others = arguments.filter { $0.value.span != argument.value.span }.map {
      ($0.name.map { "\($0.text): " } ?? "") + text(at: $0.value.span)
    }
    let list = SourceSpan(file: span.file, start: callee.span.end, end: span.end)
    let kept = others.isEmpty ? "" : "(\(others.joined(separator: ", ")))"
    let written = "\(kept) \(word) \(text(at: argument.value.span))"
    report(
      diagnostic.fixing("write \(text(at: callee.span))\(written)", replacing: list, with: written))
    return true
  }

  /// Returns the error for a `let` of effects or transitions, which are not values; `nil` for other
  /// values.
  func effectsAsValue(_ value: Expression, _ name: Name, in scope: Scope) -> Diagnostic? {
    func kind(_ e: Expression, isTimed: Bool = false) -> DefinitionSyntax.Kind? {
      switch e.kind {
      case .timed(let inner, _): return kind(inner, isTimed: true)
      case .list(let items): return items.first.flatMap { kind($0) }
      case .call(let callee, _):
        // `blur(4)` is a filter although a transition has the same name.
        if case .reference(let name) = callee.kind, signatures[name] != nil, !isTimed { return nil }
        return kind(callee)
      case .reference(let name):
        guard case .definition(let it)? = scope.lookup(name) else { return nil }
        return it.syntax.kind
      case .member(let base, let name):
        guard case .reference(let word) = base.kind, case .file(let file)? = scope.lookup(word),
          case .definition(let it)? = file?.publicName(name.identifier)
        else { return nil }
        return it.syntax.kind
      default: return nil
      }
    }
    guard let kind = kind(value), [.effect, .transition].contains(kind) else { return nil }
    let property = kind == .effect ? "enter" : "transition"
    return Diagnostic(
      .typeMismatch, "\(kind == .effect ? "an effect" : "a transition") cannot be a value",
      at: value.span
    ).advising("use a style: style \(name.text) { \(property): \(text(at: value.span)) }")
  }
}
