// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneSyntax
import SceneText

// Unknown members of values.
extension Typer {
  /// Reports an unknown member of a value that is not an expression, such as `scene`.
  func unknownMember(_ name: Name, of owner: String, _ known: [String]) -> Type {
    reportType(Mismatch.member(name.text, of: owner, known: known, at: name.span))
    return .error
  }

  /// Reports a member that no value of a type has.
  func unknownMember(_ name: Name, of type: Type, _ base: Expression) {
    guard isReporting(at: name.span) else { return }
    switch type {
    case .element(let element): unknownMember(name, of: element, base)
    case .box:
      let known = BoxMember.allCases.map(\.rawValue)
      _ = unknownMember(name, of: type.description, known)
    case .pair: _ = unknownMember(name, of: type.description, ["x", "y", "width", "height"])
    case .color:
      _ = unknownMember(name, of: type.description, ColorMember.allCases.map(\.rawValue))
    case .record(let it):
      _ = unknownMember(name, of: type.description, it.fields.map(\.name))
    case .list, .text:
      let whole = base.span.union(name.span)
      let owner = type.description
      let source = text(at: base.span)
      if case .list(.record(let row), _) = type,
        row.fields.contains(where: { $0.name == name.text })
      {
        reportType(Mismatch.column(name.text, of: owner, base: source, at: name.span, in: whole))
      } else if let length = Mismatch.length(
        name.text, of: owner, base: source, at: name.span, in: whole)
      {
        reportType(length)
      } else {
        _ = unknownMember(name, of: type.description, [])
      }
    default: _ = unknownMember(name, of: type.description, [])
    }
  }

  private func unknownMember(_ name: Name, of element: ElementType, _ base: Expression) {
    let owner = text(at: Typer.nameSpan(of: base))
    if let size = Mismatch.size(name.text, of: owner, at: name.span) { return reportType(size) }
    let body = element.body.map { bodies[$0] }
    if let definition = body?.definition?.syntax, Typer.holds(definition.items, name.text) {
      reportType(
        Diagnostic(
          .unknownMember,
          "'\(name.text)' is private to the component '\(definition.name.text)'",
          at: name.span, label: "the content of a component is private"
        ).advising("to read or set the value from outside, add a parameter to the component"))
      return
    }
    let names = body?.definition == nil ? body?.scope.names.keys.map(\.text).sorted() : nil
    let known = (element.kind?.members ?? ElementKind.commonMembers) + (names ?? [])
    reportType(
      Mismatch.member(
        name.text, of: "'\(owner)'", known: known, at: name.span, note: Mismatch.elementMembers))
  }

  /// Returns the type of the index that selects a part of a formula. The index is typed only once,
  /// so that the time for nested parts remains linear.
  func type(ofPart index: Expression, in formula: Expression, _ scope: Scope) -> Type {
    guard case .text(let parts) = index.kind, parts.contains(where: \.isValue) else {
      return type(index, in: scope)
    }
    return changingNameErrors(of: { type(index, in: scope) }) { errors in
      bracesOfTeX(in: parts, at: index.span, of: formula, errors)
    }
  }

  /// Returns the errors of an index whose braces may belong to TeX. If the index contains commands,
  /// a single error reports all unknown names in its braces.
  private func bracesOfTeX(
    in parts: [TextPart], at span: SourceSpan, of formula: Expression, _ errors: [Diagnostic]
  ) -> [Diagnostic] {
    guard let place = errors.firstIndex(where: { $0.code == .unknownName }) else { return errors }
    let tex = tex(of: parts)
    let part = tex.contains("$") ? nil : "\(text(at: formula.span))[$\(tex)$]"
    let hasCommand = parts.contains {
      if case .literal(let text) = $0 { text.contains("\\") } else { false }
    }
    guard hasCommand else {
      var errors = errors
      if let part, errors[place].fixIts.isEmpty, errors[place].notes.isEmpty {
        errors[place] = errors[place].advising("if the braces belong to TeX, write \(part)")
      }
      return errors
    }
    markInvalid(span)
    let error = Diagnostic(
      .unknownName, "a part with braces must be between dollar signs", at: span,
      label: "braces in quotes contain values: \(errors[place].message)")
    guard let part else { return [error] }
    return [error.fixing("write \(part)", replacing: span, with: "$\(tex)$", isSafe: false)]
  }

  /// Returns the text of a part as TeX: values in braces become groups.
  private func tex(of parts: [TextPart]) -> String {
    parts.map { part in
      switch part {
      case .literal(let text), .formula(let text): text
      case .value(let value): "{\(text(at: value.span))}"
      }
    }.joined()
  }

  /// Returns the span of the name that denotes an element.
  private static func nameSpan(of e: Expression) -> SourceSpan {
    if case .member(_, let name) = e.kind { name.span } else { e.span }
  }

  /// Returns whether the body of a component contains an element with a name, at any depth.
  private static func holds(_ items: [Item], _ name: String) -> Bool {
    items.contains { item in
      switch item {
      case .element(let it): it.name?.text == name || holds(it.items, name)
      case .forItem(let it): holds(it.items, name)
      case .ifItem(let it): holds(it.items, name) || holds(it.otherwise, name)
      default: false
      }
    }
  }
}
