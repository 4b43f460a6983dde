// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneIR
import SceneLanguage
import SceneSyntax

// The permitted parents of elements.
extension Checker {
  func accepted(
    _ kind: ElementKind, _ syntax: ElementSyntax, in parent: ElementNode
  ) -> ElementKind? {
    let mayStand = parent.kind.mayHold(kind)
    let wrong: String?
    switch kind {
    case .change where syntax.target != nil: wrong = targetError(parent)
    case .soundTrack: return nil
    case .audio where parent.kind == .output: return .soundTrack
    case .from, .to: wrong = clipError(kind, parent)
    case .slot where parent.kind.mayHold(.group) || parent.kind == .steps: wrong = nil
    case .each where mayStand: wrong = eachError(syntax, parent)
    case _ where mayStand: wrong = nil
    case .scene: wrong = "'scene' must be at the top level of the file"
    case .span: wrong = "'span' must be inside a text"
    case .part: wrong = "'part' must be inside a formula or an svg"
    case .each where parent.kind == .each: wrong = "'each' cannot be inside 'each'"
    case .each: wrong = "'each' must be inside a text, a formula or an svg"
    case .clip, .mask: wrong = "'\(kind.rawValue)' must be inside a drawn element"
    case .change where parent.kind == .scene:
      wrong = "a scene cannot contain 'change'; animate its properties as a -> b"
    case .step: wrong = "'step' must be inside 'steps'"
    case .project: wrong = "'project' must be at the top level of '\(ProjectFile.name)'"
    case .marker: wrong = "'marker' must be directly inside a scene"
    case .output: wrong = "'output' must be directly inside a scene or project"
    default: wrong = "'\(parent.kindName)' cannot contain '\(kind.rawValue)'"
    }
    guard let wrong else { return kind }
    report(Diagnostic(.misplacedElement, wrong, at: syntax.headSpan))
    return nil
  }

  private func targetError(_ parent: ElementNode) -> String? {
    if parent.kind == .steps { return "'change of' must be inside a 'step'" }
    if crossing(around: parent) != nil { return "a transition cannot contain 'change of'" }
    return parent.kind == .scene || parent.kind.isDrawn
      ? nil : "'\(parent.kindName)' cannot contain 'change of'"
  }

  /// Returns whether an element is allowed in its parent, since `steps` accepts only steps. Reports
  /// other elements.
  func isStep(_ syntax: ElementSyntax, in parent: ElementNode) -> Bool {
    guard parent.kind == .steps, let word = syntax.kind.first else { return true }
    let kind = syntax.kind.count == 1 ? KnownWords.kinds[word] : nil
    if let kind, kind == .step || !kind.hasLife { return true }
    if kind == nil, binding(of: syntax, parent.scope) == nil { return true }
    report(
      Diagnostic(
        .misplacedElement, "'steps' cannot contain '\(syntax.kindText)' directly",
        at: syntax.headSpan, label: "move it into a step: step { … }"))
    return false
  }

  private func clipError(_ kind: ElementKind, _ parent: ElementNode) -> String? {
    guard let crossing = crossing(around: parent) else {
      return "'\(kind.rawValue)' must be inside a transition"
    }
    return crossing.used.insert(kind).inserted ? nil : "'\(kind.rawValue)' is used twice"
  }

  private func eachError(_ syntax: ElementSyntax, _ text: ElementNode) -> String? {
    if text.kind == .svg {
      return syntax.name?.text == ElementKind.part.rawValue ? nil : "expected 'each part'"
    }
    if text.kind == .math {
      let isKnown = syntax.name.flatMap { FormulaUnit(rawValue: $0.text) } != nil
      return isKnown ? nil : "expected 'each glyph', 'each term' or 'each line'"
    }
    let words = TextUnitKind.allCases.map(\.rawValue)
    guard let name = syntax.name?.text, words.contains(name) else {
      return "expected 'each glyph', 'each word' or 'each line'"
    }
    return nil
  }
}
