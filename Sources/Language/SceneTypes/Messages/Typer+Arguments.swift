// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneSyntax
import SceneText

// The arguments of calls: their number and names.
extension Typer {
  /// Returns whether the arguments of a built-in function are complete and known. Reports an
  /// argument that is not.
  func check(
    _ arguments: [Argument], for function: FunctionSignature, at span: SourceSpan
  ) -> Bool {
    let names = function.parameters.map(\.name)
    let usage = Note("usage: \(function.description)")
    func fail(_ message: String, at place: SourceSpan) -> Bool {
      report(Diagnostic(.wrongArguments, message, at: place, notes: [usage]))
      return false
    }
    var places = [Int?](repeating: nil, count: names.count)
    var next = 0
    for (index, argument) in arguments.enumerated() {
      if let name = argument.name {
        guard let place = names.firstIndex(of: name.text), !(function.takesMany && place == 0)
        else {
          let error = Diagnostic(
            .wrongArguments, "unknown argument '\(name.text)' of '\(function.name)'",
            at: name.span, notes: [usage])
          let meant = ForeignWords.sameArgument[ForeignWords.dashed(name.text)]
          report(
            meant.map(names.contains) == true
              ? error.suggesting(meant) : error.suggesting(nearestTo: name.text, in: names))
          return false
        }
        if let earlier = places[place] {
          let first = text(at: arguments[earlier].value.span)
          report(
            Diagnostic(
              .propertyTwice, "duplicate argument '\(name.text)'", at: name.span,
              notes: [Note("'\(first)' is already the argument '\(name.text)'"), usage]))
          return false
        }
        places[place] = index
      } else if !function.takesMany {
        guard next < names.count, places[next] == nil else {
          return fail(
            "'\(function.name)' accepts at most \(Typer.counted(names.count))",
            at: argument.value.span)
        }
        places[next] = index
        next += 1
      }
    }
    for (place, parameter) in function.parameters.enumerated()
    where parameter.isNeeded && places[place] == nil {
      return fail("'\(function.name)' requires the argument '\(parameter.name)'", at: span)
    }
    if function.takesMany, !arguments.contains(where: { $0.name == nil }) {
      return fail("'\(function.name)' requires at least one value", at: span)
    }
    return true
  }

  private static func counted(_ count: Int) -> String {
    count == 0 ? "no values" : count == 1 ? "1 value" : "\(count) values"
  }

  /// Returns whether the arguments of a declared function, effect or transition are complete and
  /// known. Reports an argument that is not.
  func check(
    _ arguments: [Argument], for parameters: [ParameterSyntax], of name: String,
    at span: SourceSpan
  ) -> Bool {
    var isGiven = [Bool](repeating: false, count: parameters.count)
    var next = 0
    let usage = Note("usage: \(name)(\(parameters.map(notation).joined(separator: ", ")))")
    for argument in arguments {
      if let given = argument.name {
        guard let place = parameters.firstIndex(where: { $0.name.identifier == given.identifier })
        else {
          let names = parameters.map(\.name.text)
          report(
            Diagnostic(
              .wrongArguments, "unknown argument '\(given.text)' of '\(name)'", at: given.span,
              notes: [usage]
            ).suggesting(nearestTo: given.text, in: names))
          return false
        }
        isGiven[place] = true
      } else if next < parameters.count {
        isGiven[next] = true
        next += 1
      } else {
        let excess = Diagnostic(
          .wrongArguments, "'\(name)' accepts \(Typer.counted(parameters.count))",
          at: argument.value.span, notes: [usage])
        report(withPairs(excess, arguments, for: parameters))
        return false
      }
    }
    for (place, parameter) in parameters.enumerated()
    where !isGiven[place] && parameter.value == nil {
      report(
        Diagnostic(
          .wrongArguments, "'\(name)' requires the argument '\(parameter.name.text)'", at: span,
          notes: [usage]))
      return false
    }
    return true
  }

  /// Returns the notation of a parameter in the usage of a function: `x: pair`.
  private func notation(of parameter: ParameterSyntax) -> String {
    guard let type = parameter.type.map({ text(at: $0.span) }), !type.isEmpty else {
      return parameter.name.text
    }
    return "\(parameter.name.text): \(type)"
  }

  /// Returns the diagnostic with a fix for pairs without parentheses, as in `plane(0, 4, 0, 5)`.
  private func withPairs(
    _ diagnostic: Diagnostic, _ arguments: [Argument], for parameters: [ParameterSyntax]
  ) -> Diagnostic {
    let values = arguments.map { text(at: $0.value.span) }
    guard arguments.allSatisfy({ $0.name == nil && $0.value.literalNumber != nil }),
      values.count == 2 * parameters.count,
      parameters.allSatisfy({ $0.type?.names.map(\.text) == ["pair"] }),
      let first = arguments.first?.value.span, let last = arguments.last?.value.span
    else { return diagnostic }
    let pairs = parameters.indices.map { "(\(values[2 * $0]), \(values[2 * $0 + 1]))" }
    let written = pairs.joined(separator: ", ")
    return diagnostic.fixing(
      "write pairs in parentheses: \(written)",
      replacing: SourceSpan(file: first.file, start: first.start, end: last.end), with: written)
  }

  /// Reports an argument of `loop` that names a kind of repetition, such as `pingpong`, and returns
  /// whether there is one.
  func reportsKindOfRepetition(
    in arguments: [Argument], of function: FunctionSignature, _ scope: Scope
  ) -> Bool {
    guard function.name == "loop" else { return false }
    for argument in arguments.dropFirst() where argument.name == nil {
      let value = argument.value
      var word = value.literalText
      if case .reference(let name) = value.kind, scope.lookup(name) == nil { word = name.text }
      guard let word, let isMirrored = RepetitionWords.isMirrored[ForeignWords.dashed(word)] else {
        continue
      }
      guard isReporting(at: value.span) else { return true }
      let error = Diagnostic(
        .wrongArguments, "unknown argument '\(word)' of 'loop'", at: value.span)
      report(
        isMirrored
          ? error.fixing(
            "write mirror: true", replacing: value.span, with: "mirror: true", isSafe: false)
          : error.advising("remove the argument; 'loop' repeats until the element ends"))
      return true
    }
    return false
  }

  // MARK: Unknown functions

  func unknownFunction(
    _ name: String, _ callee: Expression, arguments: [Argument], at span: SourceSpan,
    in scope: Scope
  ) -> Diagnostic {
    let diagnostic = Diagnostic(.unknownFunction, "unknown function '\(name)'", at: callee.span)
    for kind in [DefinitionSyntax.Kind.transition, .effect] {
      guard let found = scope.definition(Identifier(name), kind) else { continue }
      let isOwn = found.syntax.encloses(callee.span)
      return Diagnostic(
        .unknownFunction,
        isOwn ? "'\(name)' cannot call itself" : "'\(name)' is \(kind.description), not a function",
        at: callee.span
      ).advising("use '\(name)' with \(found.syntax.placeOfUse)")
    }
    let values = arguments.map { text(at: $0.value.span) }
    if name == "range", (1...2).contains(values.count) {
      let range = values.count == 1 ? "0..\(values[0])" : "\(values[0])..\(values[1])"
      return diagnostic.fixing("write \(range)", replacing: span, with: range)
    }
    if let easing = calledEasing(name, arguments, at: callee.span, in: scope) { return easing }
    let word = ForeignWords.dashed(name)
    if let note = ForeignWords.otherFunction[name] ?? ForeignWords.otherFunction[word] {
      return diagnostic.advising(note)
    }
    if let same = ForeignWords.sameFunction[name] ?? ForeignWords.sameFunction[word] {
      return diagnostic.suggesting(same)
    }
    if let known = importing(name, nil, for: diagnostic) { return known }
    let known = signatures.keys.map(\.text) + scope.visibleNames
    let isKnown = nearest(name, in: known) != nil
    return (isKnown ? nil : nearlyImporting(name, nil, for: diagnostic))
      ?? diagnostic.suggesting(nearestTo: name, in: known)
  }
}

extension Typer {
  /// Returns the error for an easing that is called like a function, or `nil` for other names.
  private func calledEasing(
    _ name: String, _ arguments: [Argument], at span: SourceSpan, in scope: Scope
  ) -> Diagnostic? {
    let word = ForeignWords.dashed(name)
    let easing = ForeignWords.sameWord[word] ?? word
    guard Words.easings.contains(easing) else { return nil }
    let motion = "0 -> 1 over 1s with \(easing)"
    let error = Diagnostic(
      .unknownFunction, "'\(name)' is an easing, not a function", at: span
    ).advising("write the easing after a motion: \(motion)")
    guard arguments.count == 1, let x = arguments.first?.value, let time = time(for: x, in: scope)
    else { return error }
    return error.advising(
      "for its value at a fraction of the motion, write at-time(\(motion), \(time))")
  }

  /// Returns the source text of the time at which a motion of 1s has a progress, which is a number
  /// or already a time; `nil` for other types and for long expressions.
  private func time(for progress: Expression, in scope: Scope) -> String? {
    let source = text(at: progress.span)
    guard source.count <= 30, !source.contains(where: \.isNewline) else { return nil }
    switch silently({ type(progress, in: scope) }) {
    case .time: return source
    case .number, .percent:
      let isAtom =
        switch progress.kind {
        case .number, .reference, .member, .call, .index: true
        default: false
        }
      return isAtom ? "\(source) * 1s" : "(\(source)) * 1s"
    default: return nil
    }
  }
}

extension DefinitionSyntax {
  /// The properties that use an effect or a transition.
  var placeOfUse: String {
    kind == .effect ? "'enter' and 'exit'" : "the 'transition' of a sequence"
  }

  /// Returns whether a span is in the body of the definition.
  func encloses(_ span: SourceSpan) -> Bool {
    guard let body, body.file == span.file else { return false }
    return body.start <= span.start && span.end <= body.end
  }
}
