// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneSyntax
import SceneText

// Components with the name of a built-in element kind.
extension Checker {
  /// Registers a component whose name is an element kind. It replaces the kind in its own file, so
  /// that new element kinds of the language do not break existing files.
  func replace(_ kind: ElementKind, by definition: DefinitionSyntax, _ home: Scope) {
    let span = definition.name.span
    // `part` and `step` are allowed in few elements; elsewhere, their words are available as names.
    if kind == .part || kind == .step { return }
    guard kind.mayBeReplaced else {
      report(
        Diagnostic(
          .nameTwice, "a component cannot be named '\(kind.rawValue)'", at: span,
          label: "'\(kind.rawValue)' is a built-in element"))
      return
    }
    report(
      Diagnostic(
        .shadowsBuiltIn, "this name hides the element '\(kind.rawValue)'", at: span,
        label: "give it another name"))
    if replacedKinds[span.file]?[kind] == nil {
      replacedKinds[span.file, default: [:]][kind] = (definition, home)
    }
  }

  /// Returns the component that replaces a built-in kind, or `nil` inside the component itself,
  /// where the name denotes the built-in kind.
  func replacement(
    of kind: ElementKind, for syntax: ElementSyntax, in parent: ElementNode
  ) -> (DefinitionSyntax, Scope)? {
    guard let found = replacedKinds[syntax.headSpan.file]?[kind] else { return nil }
    let isInside = found.0.body.map { body in
      body.start <= syntax.headSpan.start && syntax.headSpan.end <= body.end
    }
    return isInside == true ? nil : found
  }

  /// Returns whether a name denotes a component or scene of the file instead of a `part` or `step`,
  /// which are allowed in few elements.
  func isReplaced(_ kind: ElementKind, in parent: ElementNode, _ scope: Scope) -> Bool {
    guard kind == .part || kind == .step, !parent.kind.mayHold(kind) else { return false }
    switch scope.lookup(Identifier(kind.rawValue))?.0 {
    case .definition(let it, _): return it.kind == .component
    case .scene: return true
    default: return false
    }
  }
}
