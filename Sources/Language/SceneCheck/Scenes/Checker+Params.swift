// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// The values of `param`s: defaults, and values given outside the file.
extension Checker {
  func parameter(
    _ name: Name, type: TypeSyntax?, value: Expression?, at span: SourceSpan,
    given: GivenParameter?, shared: Expression?, standsIn: Bool
  ) -> Scope.Binding? {
    if let type, type.isFunction {
      let diagnostic = report(
        .typeMismatch, "a 'param' cannot be a function", at: type.span,
        label: "cannot be set on the command line",
        help: "declare it with 'fn', or pass it to a component")
      return .value(diagnostic, name.span)
    }
    if given == nil, let shared {
      return .expression(
        LetBinding(name: name, type: type, value: shared, id: newID(), home: project?.scope))
    }
    guard let given else {
      guard let value else {
        if standsIn { return .value(placeholder(of: type), name.span) }
        let diagnostic = report(
          .missingProperty, "the param '\(name.text)' has no value", at: name.span,
          label: "add a default, or set it with --set \(name.text)=…")
        return .value(diagnostic, name.span)
      }
      return .expression(
        LetBinding(name: name, type: type, value: value, id: newID(), home: fileScope))
    }
    let isText = type?.names.count == 1 && type?.names[0].text == "text"
    var result: Value
    if given.row != nil, given.text.isEmpty {
      result = emptyCell(given, isText: isText, value: value, of: name)
    } else if isText {
      result = .literal(given.text)
    } else {
      let text = NumberFormat.withHyphens(given.text)
      guard let written = parseValue(SourceFile(id: span.file, name: "--set", text: text)) else {
        return .value(noValue(given, type: type, of: name), name.span)
      }
      result = evaluateGiven(written, type: type, of: name, given: given)
    }
    return .value(result, name.span)
  }

  /// Returns the value of an empty cell in a row: an empty text if the default of the param is one,
  /// otherwise an error. The default is for rows without the column. In a personalized video, a
  /// default in place of an empty cell would be an unnoticed error.
  private func emptyCell(
    _ given: GivenParameter, isText: Bool, value: Expression?, of name: Name
  ) -> Value {
    if isText, case .text(let parts)? = value?.kind, parts.isEmpty { return .literal("") }
    return report(
      .outOfRange, "\(given.origin): the cell of the param '\(name.text)' is empty", at: name.span,
      label: "requires a value in each row",
      help: isText
        ? "to allow empty cells, add an empty default: param \(name.text): text = \"\""
        : "fill in the cell, or remove the column to use the default")
  }

  /// Checks the ranges of params after all names are declared, since a range may use later names.
  func checkBounds(_ declared: [Declaration], in module: Module, isRoot: Bool) {
    for case .param(let name, _, let value, let bound?, _) in declared {
      fileScope = module.scope
      let given = isRoot ? options.parameters.last { $0.name == name.text } : nil
      if let given, case .value(let known, _)? = module.scope.bindings[name] {
        checkBound(known, bound, at: name.span, of: name, given: given)
      } else if isRoot, let shared = sharedValue(of: name) {
        let value = evaluate(Expression(.reference(name.identifier), name.span), fileContext())
        checkBound(value, bound, at: shared.span, of: name, given: nil)
      } else if let value {
        checkBound(
          evaluate(value, fileContext()), bound, at: value.span, of: name, given: nil)
      }
    }
  }

  /// Evaluates a param value that is given outside the file, as with `--set`. Its spans do not
  /// refer to the file, so errors are reported at the param.
  private func evaluateGiven(
    _ e: Expression, type: TypeSyntax?, of name: Name, given: GivenParameter
  ) -> Value {
    let (value, reports) = self.reports.trying {
      let value = evaluate(e, fileContext(), words: type?.words ?? [])
      return type.map { convert(value, to: $0, at: name.span) } ?? value
    }
    guard let first = reports.first else { return value }
    if first.code == .unknownName { return noValue(given, type: type, of: name) }
    var diagnostic = Diagnostic(
      .outOfRange, "\(given.origin): \(first.message)", at: name.span)
    diagnostic.notes = first.notes
    report(diagnostic)
    return poison(e.span)
  }

  private func noValue(_ given: GivenParameter, type: TypeSyntax?, of name: Name) -> Value {
    let names = (type?.names ?? []).map { $0.text == "bool" ? "true or false" : $0.text }
    return report(
      .outOfRange,
      "\(given.origin): '\(visible(given.text))' is not a valid value for the param '\(name.text)'",
      at: name.span, label: names.isEmpty ? "" : "expected \(names.joined(separator: " or "))")
  }

  private func checkBound(
    _ value: Value, _ bound: Expression, at span: SourceSpan, of name: Name,
    given: GivenParameter?
  ) {
    guard case .quantity(.constant(let number), let d) = value,
      case .range(.quantity(.constant(let low), d), .quantity(.constant(let high), d)) = evaluate(
        bound, fileContext())
    else { return }
    if number < low || number > high {
      let origin = given.map { "\($0.origin): " } ?? ""
      _ = report(
        .outOfRange, "\(origin)'\(name.text)' is \(shown(number, d))", at: span,
        label: "expected \(shown(low, d)) to \(shown(high, d))")
    }
  }

  /// Formats a quantity as in a scene file.
  private func shown(_ number: Double, _ dimension: Dimension) -> String {
    switch dimension {
    case .time: Ticks(rounding: number)?.description ?? "?"
    case .angle: NumberFormat().text(number) + "deg"
    case .gain: NumberFormat().text(number) + "dB"
    default: NumberFormat().text(number)
    }
  }

  func checkGivenParameters(_ file: SourceFile) {
    for name in options.parameters.map(\.name) where fileScope.bindings[name] == nil {
      var diagnostic = Diagnostic(
        .unknownName, "unknown param '\(visible(name))'", at: file.span(0, 0))
      if let near = nearest(name, in: fileScope.bindings.keys) {
        diagnostic.notes = [Note(help: "did you mean --set \(near)=…?")]
      }
      report(diagnostic)
    }
  }
}
