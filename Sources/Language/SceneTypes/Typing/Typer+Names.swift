// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// The types of names and members.
extension Typer {
  func reference(
    _ name: Identifier, at span: SourceSpan, in scope: Scope, expecting expected: Expected
  ) -> Type {
    if expected.words.contains(name.text) {
      fileNames.use(name, at: span, .builtIn)
      return .word([name.text])
    }
    use(name, at: span, in: scope, for: expected.receiver)
    if let binding = scope.lookup(name) { return type(of: binding) }
    return Typer.builtIn(name.text, expected)
      ?? unknown(name.text, at: span, in: scope, expecting: expected)
  }

  private func type(of binding: Scope.Binding) -> Type {
    switch binding {
    case .value(let it): it.type
    case .element(let it): .element(it)
    case .elements(let it): .list(.element(it), items: nil)
    case .function, .functionParameter, .definition, .scene, .file, .error: .error
    }
  }

  /// Returns the type of a built-in name, or `nil` if it is unknown.
  private static func builtIn(_ name: String, _ expected: Expected) -> Type? {
    switch ElementWord(rawValue: name) {
    // In place of a word, `start` and `end` are words of CSS.
    case .start, .end: return expected.isWord ? nil : .time
    case .t, .duration, .sceneTime: return .time
    case .progress: return .number
    case nil: break
    }
    switch name {
    case "origin": return .point
    case "ink": return .color
    case "pi": return .number
    default: break
    }
    if Words.points[name] != nil || Words.baselinePoints[name] != nil {
      return expected.isWord ? nil : .point
    }
    if Color(name: name) != nil { return .color }
    return Words.easings.contains(name) ? .easing : nil
  }

  /// Types a name or a member before a dot, where a marker remains an element.
  func named(_ e: Expression, _ scope: Scope) -> Type {
    let type: Type
    switch e.kind {
    case .reference(let name):
      type = reference(name, at: e.span, in: scope, expecting: Expected(wanted: .owner))
    case .member(let base, let name): type = member(base, name, in: scope)
    default: return self.type(e, in: scope)
    }
    note(e.span, type)
    return type
  }

  func member(_ base: Expression, _ name: Name, in scope: Scope) -> Type {
    if case .reference(let word) = base.kind {
      if case .file(let file)? = scope.lookup(word) {
        use(name, of: word, at: base.span, in: scope)
        guard let file else { return .error }
        if let binding = file.publicName(name.identifier) { return type(of: binding) }
        unknownName(name, in: file)
        return .error
      }
      if word.text == "scene", scope.lookup(word) == nil {
        switch CanvasMember(rawValue: name.text) {
        case .width, .height, .aspect: return .number
        case .size: return .point
        case .duration: return .time
        case nil: return unknownMember(name, of: "'scene'", CanvasMember.allCases.map(\.rawValue))
        }
      }
      // Without an owner, `enter.end` is that of the element itself.
      if ["enter", "exit"].contains(word.text), scope.lookup(word) == nil {
        return Typer.lifeMembers.contains(name.text)
          ? .time : unknownMember(name, of: "'\(word)'", Typer.lifeMembers)
      }
    }
    // The member is `card.enter.end`, unless the body has an element with the name `enter`.
    if case .member(let owner, let word) = base.kind, ["enter", "exit"].contains(word.text),
      Typer.lifeMembers.contains(name.text), case .element(let it) = named(owner, scope),
      it.body.map({ bodies[$0].scope.names[word.identifier] == nil }) ?? true
    {
      return .time
    }
    let owner = named(base, scope)
    let outcome = owner.convert { member(name, of: $0) }
    if outcome == .never { unknownMember(name, of: owner, base) }
    return outcome.type
  }

  private static let lifeMembers = ["start", "end", "duration"]

  private func member(_ name: Name, of shape: Type) -> Outcome {
    switch shape {
    case .unknown: return .sometimes(.unknown)
    case .element(let it): return member(name, of: it)
    case .box:
      switch BoxMember(rawValue: name.text) {
      case .width, .height: return .always(.number)
      case .size: return .always(.point)
      case nil: return .never
      }
    case .pair(let x, let y):
      switch name.text {
      case "x", "width": return .always(x)
      case "y", "height": return .always(y)
      default: return .never
      }
    case .color: return ColorMember(rawValue: name.text) == nil ? .never : .always(.number)
    case .record(let it):
      if let type = it[name.text] { return it.isOpen ? .sometimes(type) : .always(type) }
      return it.isOpen ? .sometimes(.unknown) : .never
    default: return .never
    }
  }

  /// Records the use of an element's member.
  private func note(_ name: Name, _ symbol: Scope.Symbol?) {
    guard case .symbol(let it)? = symbol else { return }
    fileNames.use(name.identifier, at: name.span, .symbol(it))
  }

  private func member(_ name: Name, of element: ElementType) -> Outcome {
    if let index = element.body {
      let body = bodies[index]
      if let definition = body.definition {
        if definition.syntax.parameters.contains(where: { $0.name.text == name.text }),
          let binding = definition.scope.names[name.identifier]
        {
          note(name, definition.parameters[name.identifier])
          return .always(type(of: binding))
        }
      } else {
        switch body.scope.names[name.identifier] {
        case .element(let it)?:
          note(name, body.scope.symbols[name.identifier])
          return .always(.element(it))
        case .elements(let it)?:
          note(name, body.scope.symbols[name.identifier])
          return .always(.list(.element(it), items: nil))
        // An element of an unknown kind.
        case .error?:
          note(name, body.scope.symbols[name.identifier])
          return .always(.error)
        default: break
        }
      }
    }
    switch name.text {
    case "box": return .always(.box)
    case "start", "end", "duration": return .always(.time)
    case "tempo" where element.kind == .audio || element.kind == .video: return .always(.number)
    case "origin": return .always(.point)
    default: break
    }
    if Words.points[name.text] != nil || Words.baselinePoints[name.text] != nil {
      return .always(.point)
    }
    guard let property = Property.named(name.text) else {
      return element.kind == nil || element.body == nil ? .sometimes(.unknown) : .never
    }
    switch property {
    case .size, .position: return .always(.point)
    case .at: return .sometimes(.time)
    default: break
    }
    guard let kind = element.kind else { return .sometimes(.unknown) }
    switch property.declaration.use(in: kind)?.type {
    case nil: return .never
    case .lengthX, .lengthY, .length, .share, .number: return .sometimes(.number)
    case .point: return .sometimes(.point)
    // The value as set in the source, which may be inherited or come from a style.
    default: return .sometimes(.unknown)
    }
  }
}
