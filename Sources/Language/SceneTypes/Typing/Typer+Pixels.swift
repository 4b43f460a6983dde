// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneSyntax
import SceneText

// The bodies of pixel functions.
extension Typer {
  /// Returns the scope of the words that a pixel function defines, without those that a name of
  /// `inner` shadows.
  func pixelScope(in home: Scope, unless inner: Scope? = nil) -> Scope {
    let scope = Scope(parent: home)
    for word in PixelWord.allCases where inner?.names[Identifier(word.rawValue)] == nil {
      let type: Type = word == .pixel ? .number : .point
      scope.bind(Identifier(word.rawValue), .value(LazyType(type)), as: .word)
    }
    return scope
  }

  /// Types the body of a pixel function in the scope of its parameters, and returns the type of its
  /// calls.
  func type(
    _ pixels: PixelSyntax, of function: FunctionSyntax, _ scope: Scope, container: Int?
  ) -> Type {
    for it in pixels.lets { bind(it, in: scope, container: container) }
    for it in pixels.lets { request(it.name) }
    if let color = pixels.color {
      let type = type(color, in: scope, expecting: .nothing)
      if type.converted(to: .color) == .never { reportColor(type, of: pixels, at: color.span) }
    } else if isReporting(at: function.name.span) {
      let example =
        pixels.kind == .transition
        ? "mix(sample(from, xy), sample(to, xy), progress)" : "mix(navy, gold, uv.x)"
      report(
        Diagnostic(
          .missingProperty, "the \(pixels.kind.rawValue) '\(function.name.text)' has no color",
          at: function.name.span,
          label: "add color: and the color of each pixel, such as color: \(example)"))
    }
    if let reach = pixels.reach { _ = type(reach, in: scope, expecting: .nothing) }
    let isShown = pixels.kind == .transition && pixels.color != nil
    let clips = pixels.others.filter { if case .element = $0 { isShown } else { false } }
    if case .element(let first)? = clips.first, let color = pixels.color {
      reportClip(first, color.span)
    }
    for item in pixels.others {
      if case .element = item, isShown { continue }
      reportOther(item, in: pixels)
    }
    return pixels.kind == .filter ? .filter : .gradient
  }

  private func reportColor(_ type: Type, of pixels: PixelSyntax, at span: SourceSpan) {
    reportType(
      Diagnostic(
        .typeMismatch, "expected a color, found \(type.description)", at: span,
        label:
          "the color of a pixel, such as hsl(t / 1s * 60deg, 70%, 50%) or mix(navy, gold, uv.x)"))
  }

  private func reportOther(_ item: Item, in pixels: PixelSyntax) {
    let allowed = pixels.kind == .filter ? "'let', 'color' and 'reach'" : "'let' and 'color'"
    let (span, name): (SourceSpan, String?) =
      switch item {
      case .property(let it): (it.name.span, it.name.text)
      case .element(let it): (it.headSpan, it.kindText)
      case .letDecl(let it): (it.name.span, nil)
      case .forItem(let it): (it.variable.span, "for")
      case .ifItem(let it): (it.condition.span, "if")
      case .segment(let it): (it.span, it.word.text)
      case .expectation(let it): (it.span, nil)
      }
    guard isReporting(at: span) else { return }
    let given = ["color": pixels.color?.span, "reach": pixels.reach?.span]
    if case .property = item, let name, let first = given[name] ?? nil {
      var diagnostic = Diagnostic(
        .propertyTwice, "duplicate property '\(name)'", at: span, label: "remove one of them")
      diagnostic.notes = [Note("first set here", at: first)]
      return report(diagnostic)
    }
    let subject = name.map { "'\($0)'" } ?? "this"
    let diagnostic = Diagnostic(
      .misplacedElement, "\(subject) is not allowed in a \(pixels.kind.rawValue)", at: span,
      label: "a \(pixels.kind.rawValue) contains only \(allowed)")
    if case .property(let it) = item {
      report(diagnostic.suggesting(nearestTo: it.name.text, in: ["color", "reach"]))
    } else {
      report(diagnostic)
    }
  }

  /// Reports an element in a transition that has a color.
  private func reportClip(_ element: ElementSyntax, _ color: SourceSpan) {
    guard isReporting(at: element.headSpan) else { return }
    var diagnostic = Diagnostic(
      .misplacedElement, "'\(element.kindText)' and 'color' cannot be combined in a transition",
      at: element.headSpan,
      label: "a transition has either 'from' and 'to', or 'let' and 'color'")
    diagnostic.notes = [Note("color set here", at: color)]
    report(diagnostic)
  }
}
