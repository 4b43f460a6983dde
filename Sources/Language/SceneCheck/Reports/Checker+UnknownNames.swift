// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// Unknown names and properties. The typer reports those that follow from the source alone, with
// suggestions. This file contains those that depend on evaluation.
extension Checker {
  /// Binds the name of an invalid element, so that its uses are not reported as unknown.
  func keepName(of syntax: ElementSyntax, in scope: Scope) {
    guard let name = syntax.name, scope.bindings[name] == nil else { return }
    scope.bind(name, .value(poison(syntax.headSpan), name.span))
  }

  /// Returns whether the error of a name, such as a duplicate declaration, was already reported.
  func isReported(_ name: Identifier, _ scope: Scope) -> Bool {
    if case .value(let value, _)? = scope.lookup(name)?.0 { value.isPoison } else { false }
  }

  /// Reports a missing required property, unless an unknown property was reported, which may be a
  /// misspelling of it.
  func missing(_ message: String, label: String, of i: ElementNode) {
    if !i.unknownProperties.isEmpty { return }
    let diagnostic = Diagnostic(
      .missingProperty, "'\(i.displayName)' requires \(message)", at: i.span)
    let subject = givenAsName(i)
    report(
      diagnostic.labelled(
        subject.map { "the word after '\(i.syntax.kindText)' is its name; write \($0)" }
          ?? label))
  }

  /// Returns `image "{photo}"` for `image photo` if `photo` is a value; otherwise, `nil`.
  private func givenAsName(_ i: ElementNode) -> String? {
    guard let name = i.syntax.name?.text, i.kind.subjectProperty != nil, i.syntax.subject == nil
    else { return nil }
    return isValue(name, i.scope) ? "\(i.syntax.kindText) \"{\(name)}\"" : nil
  }

  /// Returns whether a name denotes a value in an enclosing scope.
  private func isValue(_ name: String, _ scope: Scope) -> Bool {
    sequence(first: scope, next: \.parent).contains { scope in
      switch scope.bindings[name] {
      case .expression: true
      case .value(let value, _): !value.isPoison
      default: false
      }
    }
  }

  /// Reports `text title`, which names the text, where the value of `title` was probably meant as
  /// content. Returns whether it was reported.
  func isValueAsName(_ i: ElementNode) -> Bool {
    let syntax = i.syntax
    guard i.kind == .text, let name = syntax.name, syntax.subject == nil,
      isValue(name.text, i.scope),
      !syntax.items.contains(where: { item in
        switch item {
        case .property(let it): it.name.text == Property.content.name
        case .element(let it): it.kindText == ElementKind.span.rawValue
        case .forItem, .ifItem: true
        default: false
        }
      })
    else { return false }
    let value = "\"{\(name.text)}\""
    report(
      Diagnostic(
        .missingProperty, "'\(name.text)' is the name of this text, which is empty",
        at: name.span
      ).fixing("write \(value) to show the value", replacing: name.span, with: value))
    return true
  }

  func unknownElement(_ name: Name, _ scope: Scope) {
    guard reports.isNew(name.span), !isReported(name.identifier, scope) else { return }
    report(Diagnostic(.unknownElement, "unknown element '\(name.text)'", at: name.span))
  }

  func unknownProperty(_ name: Name, _ instance: ElementNode) {
    instance.unknownProperties.append(name.text)
    // Without a known element to animate, the property may be a parameter of its component.
    if instance.kind == .change, instance.host == nil { return }
    guard reports.isNew(name.span) else { return }
    guard let host = changed(by: instance), let definition = host.definition else {
      report(
        Diagnostic(
          .unknownProperty, "unknown property '\(name.text)' on '\(instance.kindName)'",
          at: name.span))
      return
    }
    let names = definition.parameters.map(\.name.text).joined(separator: ", ")
    let diagnostic = Diagnostic(
      .unknownProperty, "'\(host.displayName)' has no parameter '\(name.text)'", at: name.span
    ).noting(
      names.isEmpty
        ? "'\(definition.name.text)' has no parameters"
        : "the parameters of '\(definition.name.text)' are \(names)")
    report(advisingSeparateChanges(diagnostic, instance))
  }

  /// Returns the element that a `change of` animates, or `nil` for other elements.
  private func changed(by instance: ElementNode) -> ElementNode? {
    instance.syntax.target == nil ? nil : instance.host
  }

  /// Returns the diagnostic with advice about a `change` of several elements that do not all have a
  /// property.
  private func advisingSeparateChanges(_ diagnostic: Diagnostic, _ instance: ElementNode)
    -> Diagnostic
  {
    guard let target = instance.syntax.target, let host = instance.host,
      case .list(let items) = target.kind, items.count > 1
    else { return diagnostic }
    return diagnostic.advising(
      "write a separate change for it: change of \(host.displayName) { … }")
  }

  func misplaced(_ name: Name, _ instance: ElementNode) {
    instance.unknownProperties.append(name.text)
    let diagnostic = Diagnostic(
      .propertyElsewhere,
      "'\(name.text)' is not a property of '\(changed(by: instance)?.displayName ?? instance.kindName)'",
      at: name.span)
    report(advisingSeparateChanges(diagnostic, instance))
  }

  /// Returns poison for an unknown name. The typer reports undeclared names. Here, the declaration
  /// was not evaluated, for example that of an element in a branch that is not taken.
  func unknown(_ name: String, _ span: SourceSpan) -> Value {
    report(.unknownName, "unknown name '\(name)'", at: span)
  }
}
