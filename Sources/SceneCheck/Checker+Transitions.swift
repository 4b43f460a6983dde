// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneModel
import SceneSyntax
import SceneText

// `transition name(…) { from { … } to { … } }`: how one clip gives way to another.
extension Checker {
  /// What `from` and `to` may be given: what effects may, and what acts on a layer.
  static let transitionProperties =
    EffectProperty.allCases.filter { $0 != .trim && $0 != .shown }.map(\.rawValue)
    + ["blend", "filter", "z"]

  /// Faults of a declaration: each clip is used once, and every expression fits its property for a
  /// `progress` that runs from 0 to 1.
  func checkDefinition(ofTransition definition: DefinitionSyntax, _ home: Scope) {
    var clips: [String: ElementSyntax] = [:]
    let scope = Scope(parent: home, owner: nil)
    for parameter in definition.parameters { bindPlaceholder(parameter, scope) }
    scope.bind("progress", .value(.number(now), definition.name.span))
    for item in definition.items {
      switch item {
      case .letDecl(let it):
        scope.bind(
          it.name.text,
          .expression(LetBinding(name: it.name, type: it.type, value: it.value, id: newID())))
      case .element(let it) where ["from", "to"].contains(it.kindText):
        if let first = clips[it.kindText] {
          report(
            Diagnostic(
              .misplacedElement, "'\(it.kindText)' is used twice", at: it.headSpan,
              notes: [Note("the first one", at: first.headSpan)]))
        }
        clips[it.kindText] = it
        checkClip(it, scope)
      case .property(let it):
        report(
          Diagnostic(
            .unknownProperty, "a transition has no properties of its own", at: it.name.span,
            notes: [Note("give '\(it.name.text)' to 'from' or 'to'")]))
      case .element(let it):
        report(
          Diagnostic(
            .misplacedElement, "a transition holds no '\(it.kindText)'",
            at: it.kind.last?.span ?? it.headSpan, notes: [Note("it holds 'from' and 'to'")]
          ).suggesting(nearest(it.kindText, in: ["from", "to"])))
      default: reportMisplaced(item, in: "a transition")
      }
    }
    for name in ["from", "to"] where clips[name] == nil {
      report(
        Diagnostic(
          .missingProperty, "'\(definition.name.text)' does not use '\(name)'",
          at: definition.name.span, label: "add '\(name) { … }'"))
    }
  }

  private func checkClip(_ clip: ElementSyntax, _ scope: Scope) {
    for item in clip.items {
      guard case .property(let it) = item else {
        report(
          Diagnostic(
            .misplacedElement, "'\(clip.kindText)' holds properties only", at: clip.headSpan))
        continue
      }
      guard Checker.transitionProperties.contains(it.name.text) else {
        report(
          Diagnostic(
            .unknownProperty, "'\(clip.kindText)' has no property '\(it.name.text)'",
            at: it.name.span,
            notes: [Note("it has \(Checker.transitionProperties.joined(separator: ", "))")]
          ).suggesting(nearest(it.name.text, in: Checker.transitionProperties)))
        continue
      }
      let c = fileContext().with {
        $0.scope = scope
        $0.constantFor = nil
      }
      let words = it.name.text == "translate" ? Set(namedPoints.keys) : []
      checkFit(evaluate(it.value, c, words: words), of: it, c)
    }
  }

  /// Whether a value is one for a property of a clip.
  private func checkFit(_ value: Value, of property: PropertySyntax, _ c: Context) {
    let span = property.value.span
    switch property.name.text {
    case "opacity", "z": _ = asNumber(value, span)
    case "scale": _ = asFactors(value, span)
    case "rotate": _ = asAngle(value, span)
    case "skew": _ = asAngles(value, span)
    case "blur": _ = asLength(value, span, of: .one)
    case "translate": _ = asPoint(value, span, c, width: .one, height: .one)
    default: break
    }
  }

  /// A value of the parameter's type, its default where there is one.
  private func bindPlaceholder(_ parameter: ParameterSyntax, _ scope: Scope) {
    let span = parameter.name.span
    if let value = parameter.value {
      scope.bind(
        parameter.name.text,
        .expression(
          LetBinding(name: parameter.name, type: parameter.type, value: value, id: newID())))
      return
    }
    let names = parameter.type?.names.map(\.text) ?? []
    let value: Value
    switch names.first {
    case "number" where names.count == 1, "length" where names.count == 1: value = .number(now)
    case "percent" where names.count == 1: value = .percent(now)
    case "angle" where names.count == 1: value = .quantity(now, .angle)
    case "color" where names.count == 1: value = .color(ColorModel(.black))
    case "bool" where names.count == 1: value = .bool(.one)
    case let first? where names.count > 1: value = .word(first)
    default: value = .poison
    }
    scope.bind(parameter.name.text, .value(value, span))
  }
}
