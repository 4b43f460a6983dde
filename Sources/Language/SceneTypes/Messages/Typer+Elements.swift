// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// Elements where they are not allowed, unknown elements, and unknown styles.
extension Typer {
  /// Returns whether an element is known and allowed in its place; otherwise, reports an error.
  func check(
    _ element: ElementSyntax, kind: ElementKind?, use: Place.Use?, in scope: Scope, at place: Place
  ) -> Bool {
    guard let name = element.kind.last else { return true }
    if element.kind.count == 2, case .file? = scope.lookup(element.kind[0].identifier) {
    } else if element.kind.count == 2 {
      guard !mayBeMissing(in: element.span.file) else { return false }
      report(
        Diagnostic(
          .unknownName, "no import is named '\(element.kind[0].text)'", at: element.kind[0].span
        ).suggesting(nearestTo: element.kind[0].text, in: scope.visibleNames))
      return false
    }
    guard let kind else {
      unknownElement(name, for: element, in: scope, at: place)
      return false
    }
    if kind == .change, lacksOf(element, in: scope) { return false }
    guard let around = place.kind, place.host == nil else { return true }
    if around == .steps, kind != .step, use != nil || kind.hasLife {
      report(
        Diagnostic(
          .misplacedElement, "'steps' cannot contain '\(element.kindText)' directly",
          at: element.headSpan, label: "move it into a step: step { … }"))
      return false
    }
    guard use == nil, let message = misplacement(of: kind, element, in: around, place) else {
      return true
    }
    var diagnostic = Diagnostic(.misplacedElement, message, at: element.headSpan)
    if kind == .step {
      diagnostic = diagnostic.advising("write steps { step { … }  step { … } }")
    }
    if kind == .clip, element.subject != nil {
      diagnostic = diagnostic.fixing(
        "use 'video' for a video clip", replacing: name.span, with: "video")
    }
    if kind == .each, let unit = element.name, let meant = Typer.otherUnits[unit.text] {
      diagnostic = diagnostic.fixing(
        "write 'each \(meant.rawValue)'", replacing: unit.span, with: meant.rawValue)
    }
    if kind == .each, around == .each {
      diagnostic = diagnostic.advising(
        "use one 'each' with the smaller unit, and compute its properties from 'index'")
    }
    report(diagnostic)
    return false
  }

  /// Reports a `change` with the name of another element of the body, which requires `of`. Returns
  /// whether it is one.
  private func lacksOf(_ change: ElementSyntax, in scope: Scope) -> Bool {
    guard change.target == nil, let name = change.name, let owner = scope.owner else {
      return false
    }
    let isOther = owner.items.contains { item in
      guard case .element(let it) = item, it.name?.text == name.text else { return false }
      return it.span != change.span && it.kindText != change.kindText
    }
    guard isOther else { return false }
    markInvalid(change.headSpan)
    report(
      Diagnostic(.misplacedElement, "expected 'of' before the name of an element", at: name.span)
        .fixing(
          "add 'of'",
          replacing: SourceSpan(file: name.span.file, start: name.span.start, end: name.span.start),
          with: "of "))
    return true
  }

  /// Returns the reason why an element of a built-in kind is not allowed in its place; `nil` if it
  /// is allowed.
  private func misplacement(
    of kind: ElementKind, _ element: ElementSyntax, in around: ElementKind, _ place: Place
  ) -> String? {
    switch element.kindText {
    case "from", "to":
      return place.isInTransition ? nil : "'\(element.kindText)' must be inside a transition"
    default: break
    }
    let mayStand = around.mayHold(kind)
    switch kind {
    case .change where element.target != nil:
      if around == .steps { return "'change of' must be inside a 'step'" }
      if place.isInTransition { return "a transition cannot contain 'change of'" }
      return around == .scene || around.isDrawn
        ? nil : "'\(place.kindName)' cannot contain 'change of'"
    case .soundTrack: return nil
    case .slot:
      guard around.mayHold(.group) || around == .steps else {
        return "'\(place.kindName)' cannot contain 'slot'"
      }
      return nil
    case .each where mayStand: return eachError(element, around)
    case _ where mayStand: return nil
    case .scene: return "'scene' must be at the top level of the file"
    case .span: return "'span' must be inside a text"
    case .part: return "'part' must be inside a formula or an svg"
    case .each where around == .each: return "'each' cannot be inside 'each'"
    case .each: return "'each' must be inside a text, a formula or an svg"
    case .clip, .mask: return "'\(kind.rawValue)' must be inside a drawn element"
    case .change where around == .scene:
      return "a scene cannot contain 'change'; animate its properties as a -> b"
    case .step: return "'step' must be inside 'steps'"
    case .project: return "'project' must be at the top level of 'project.scene'"
    case .marker: return "'marker' must be directly inside a scene"
    case .output: return "'output' must be directly inside a scene or project"
    default: return "'\(place.kindName)' cannot contain '\(kind.rawValue)'"
    }
  }

  private func eachError(_ element: ElementSyntax, _ around: ElementKind) -> String? {
    let word = element.name?.text
    switch around {
    case .svg: return word == ElementKind.part.rawValue ? nil : "expected 'each part'"
    case .math:
      return word.flatMap { FormulaUnit(rawValue: $0) } != nil
        ? nil : "expected 'each glyph', 'each term' or 'each line'"
    default:
      return word.flatMap { TextUnitKind(rawValue: $0) } != nil
        ? nil : "expected 'each glyph', 'each word' or 'each line'"
    }
  }

  /// Foreign words for the units of a text.
  private static let otherUnits: [String: TextUnitKind] = [
    "letter": .glyph, "letters": .glyph, "char": .glyph, "character": .glyph,
    "characters": .glyph, "glyphs": .glyph, "words": .word, "lines": .line,
  ]

  // MARK: Unknown elements

  private func unknownElement(
    _ name: Name, for syntax: ElementSyntax, in scope: Scope, at place: Place
  ) {
    guard isReporting(at: name.span), !mayBeMissing(in: name.span.file) else { return }
    if syntax.kind.count == 1 {
      switch scope.lookup(name.identifier) {
      case .error?: return
      case .definition(let it)?:
        return notAComponent(name, it)
      case .value?:
        report(
          Diagnostic(.unknownElement, "'\(name.text)' is a value, not an element", at: name.span)
            .advising("show it with text \"{\(name.text)}\""))
        return
      default: break
      }
    } else if case .file(let file)? = scope.lookup(syntax.kind[0].identifier) {
      guard let file else { return }
      switch file.publicName(name.identifier) {
      case .definition(let it)?:
        return notAComponent(name, it)
      case nil: return unknownName(name, in: file)
      default: break
      }
    }
    let kinds = ElementKind.written.filter { ![.scene, .project, .slot].contains($0) }.map(
      \.rawValue)
    let diagnostic = Diagnostic(
      .unknownElement, "unknown element '\(name.text)'", at: name.span)
    if let known = importing(name.text, .component, for: diagnostic) { return report(known) }
    let components = components(in: scope, for: syntax)
    let word = name.text.lowercased()
    if let meant = halfWritten(name.text, syntax, in: place),
      !kinds.contains(where: { $0.hasPrefix(name.text) })
    {
      report(diagnostic.advising("did you mean the property '\(meant): …'?"))
    } else if let note = ForeignWords.otherElements[word] {
      report(diagnostic.advising(note))
    } else if nearest(name.text, in: kinds + components) != nil {
      report(diagnostic.suggesting(nearestTo: name.text, in: kinds + components))
    } else if let meant = ForeignWords.sameElement[word] {
      report(
        diagnostic.suggesting(meant, isSafe: ForeignWords.exactElements.contains(word)))
    } else if Property.named(name.text) != nil {
      report(diagnostic.advising("write '\(name.text): …' for the property"))
    } else if let known = nearlyImporting(name.text, .component, for: diagnostic) {
      report(known)
    } else {
      report(diagnostic.noting("the elements are \(kinds.joined(separator: ", "))"))
    }
  }

  private func notAComponent(_ name: Name, _ definition: Definition) {
    let what = definition.syntax.kind.description
    report(
      Diagnostic(.unknownElement, "'\(name.text)' is \(what), not a component", at: name.span))
  }

  /// Reports a name that an imported file does not declare.
  func unknownName(_ name: Name, in file: FileTypes) {
    let isPrivate = file.scope.names[name.identifier] != nil
    report(
      Diagnostic(
        .unknownMember, "unknown name '\(name.text)' in '\(file.path)'", at: name.span,
        label: isPrivate ? "a name that begins with '_' is private to its file" : ""
      ).suggesting(
        nearestTo: name.text, in: file.scope.names.keys.map(\.text).filter { !$0.hasPrefix("_") }))
  }

  /// Returns the names of the components and scenes that can be used in a place.
  private func components(in scope: Scope, for syntax: ElementSyntax) -> [String] {
    sequence(first: scope, next: \.parent).flatMap { scope in
      scope.names.compactMap { name, binding in
        switch binding {
        case .definition(let it): return it.syntax.kind == .component ? name.text : nil
        case .scene(let it):
          let isInside =
            it.span.file == syntax.span.file && it.span.start <= syntax.span.start
            && syntax.span.end <= it.span.end
          return isInside ? nil : name.text
        default: return nil
        }
      }
    }
  }

  /// Returns the property name that a lone word probably abbreviates, or `nil`.
  private func halfWritten(_ word: String, _ syntax: ElementSyntax, in place: Place) -> String? {
    guard syntax.span.end - syntax.span.start == word.utf8.count, let kind = place.kind else {
      return nil
    }
    let parameters = (place.component ?? place.definition)?.syntax.parameters ?? []
    let known = Property.all(of: kind).map(\.name) + parameters.map(\.name.text)
    return known.contains(word) ? nil : nearest(word, in: known)
  }

  // MARK: Styles

  /// Records the names of styles.
  func useStyles(_ value: Expression, in scope: Scope) {
    switch value.kind {
    case .list(let items): for item in items { useStyles(item, in: scope) }
    case .reference(let name): use(name, at: value.span, in: scope)
    case .member(let base, let name):
      guard case .reference(let word) = base.kind, case .file? = scope.lookup(word) else { break }
      use(name, of: word, at: base.span, in: scope)
    default: _ = silently { type(value, in: scope) }
    }
  }

  /// Reports unknown styles, and properties of known ones that the element does not have.
  func checkStyles(_ value: Expression, in scope: Scope, on place: Place) {
    let names: [Expression]
    if case .list(let items) = value.kind { names = items } else { names = [value] }
    for e in names {
      var style: Definition?
      switch e.kind {
      case .reference(let name):
        let binding = scope.lookup(name)
        if case .definition(let it)? = binding, it.syntax.kind == .style { style = it }
        if case .error? = binding { continue }
        if style == nil, !mayBeMissing(in: e.span.file) {
          report(
            Diagnostic(.unknownName, "unknown style '\(name)'", at: e.span)
              .suggesting(nearestTo: name.text, in: definitions(of: .style, scope)))
        }
      case .member(let base, let name):
        guard case .reference(let word) = base.kind, case .file(let file)? = scope.lookup(word)
        else {
          report(Diagnostic(.typeMismatch, "expected the name of a style", at: e.span))
          continue
        }
        switch file?.publicName(name.identifier) {
        case .definition(let it)? where it.syntax.kind == .style: style = it
        case nil: if let file { unknownName(name, in: file) }
        case .some: report(Diagnostic(.typeMismatch, "expected the name of a style", at: e.span))
        }
      case .error: continue
      default: report(Diagnostic(.typeMismatch, "expected the name of a style", at: e.span))
      }
      guard let style, let kind = place.kind else { continue }
      for case .property(let it) in style.syntax.items {
        guard let known = Property.named(it.name.text), use(of: known, in: kind, place) == nil
        else {
          continue
        }
        misplaced(known, it.name, value: it.value, in: place, scope: scope)
      }
    }
  }
}
