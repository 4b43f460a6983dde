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

  /// Returns `image "{photo}"` for `image photo` if `photo` is a value, or `nil`.
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
  /// content.
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
    guard reports.isNew(name.span) else { return }
    report(
      Diagnostic(
        .unknownProperty, "unknown property '\(name.text)' on '\(instance.kindName)'",
        at: name.span))
  }

  func misplaced(_ name: Name, _ instance: ElementNode) {
    instance.unknownProperties.append(name.text)
    let host = instance.syntax.target == nil ? nil : instance.host
    report(
      Diagnostic(
        .propertyElsewhere,
        "'\(name.text)' is not a property of '\(host?.displayName ?? instance.kindName)'",
        at: name.span))
  }

  /// Returns poison for an unknown name. The typer reports names that no declaration has; here, a
  /// name is missing whose declaration was not evaluated, such as an element in a branch that is not
  /// taken.
  func unknown(_ name: String, _ span: SourceSpan) -> Value {
    report(.unknownName, "unknown name '\(name)'", at: span)
  }
}
