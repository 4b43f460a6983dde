// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// Spans with their own clock: animated parts of a text that do not affect its layout.
extension Checker {
  /// The properties that require a span to be drawn separately.
  private static let livingProperties: [Property] = [
    .at, .for, .visible, .opacity, .translate, .rotate, .rotateX, .rotateY, .translateZ, .scale,
    .skew, .blur, .enter, .exit,
  ]

  /// Returns the animated spans of a text with their runs, outer spans first.
  func livingSpans(of text: ElementNode) -> [TextUnitsModel.Span] {
    var spans: [TextUnitsModel.Span] = []
    var count = 0
    func walk(_ i: ElementNode) {
      elaborate(i)
      let (first, place) = (count, spans.count)
      if i.properties[.content] != nil { count += 1 }
      for child in i.children where child.kind == .span { walk(child) }
      guard i.kind == .span, count > first,
        Checker.livingProperties.contains(where: { i.properties[$0] != nil })
      else { return }
      spans.insert(TextUnitsModel.Span(runs: first..<count, unit: part(i, in: text)), at: place)
    }
    walk(text)
    return spans
  }

  /// Returns the transform and the visibility of a span, relative to its position in the layout.
  private func part(_ i: ElementNode, in text: ElementNode) -> TextUnitsModel.Unit {
    var unit = movedPart(i, in: text)
    let begin = start(of: i, i.span) ?? .zero
    let end = shownEnd(of: i, i.span) ?? begin
    var shown = bool(.visible, of: i, now: now)
    if i.properties[.at] != nil {
      let start = Scalar.constant(Double(begin.rawValue))
      shown = builder.multiply(shown, builder.make(.lessOrEqual, a: start, b: now))
    }
    if i.properties[.for] != nil {
      let end = Scalar.constant(Double(end.rawValue))
      shown = builder.multiply(shown, builder.make(.less, a: now, b: end))
    }
    unit.opacity = builder.multiply(unit.opacity, shown)
    if let source = i.properties[.at], let last = shownEnd(of: text, text.span), begin >= last {
      report(
        Diagnostic(
          .neverSeen, "the span is never visible", at: source.value.span,
          label: "the text ends before the span begins"))
    }
    return unit
  }

  /// Returns the distance of a span's glyphs above the baseline.
  func rise(of i: ElementNode, _ size: Scalar, now: Scalar) -> Scalar {
    guard let (value, span) = value(.baselineShift, of: i, now: now) else { return .zero }
    // Relative to the font size of the parent, as in browsers.
    let around = i.parent.map { fontSize(of: $0, now: now) } ?? size
    switch value {
    case .word("super"): return builder.scaled(around, 1.0 / 3)
    case .word("sub"): return builder.scaled(around, -1.0 / 5)
    default: return asShift(value, span, of: size) ?? .zero
    }
  }

  /// Converts a baseline shift to a length. Returns `nil` for a word, and reports invalid values.
  func asShift(_ value: Value, _ span: SourceSpan, of size: Scalar) -> Scalar? {
    if case .word = value {
      _ = asWord(value, span, from: ["super", "sub"])
      return nil
    }
    if value.amount != nil || value.isPoison { return asLength(value, span, of: size) }
    mismatch("a length", value, at: span, help: "write a length such as 8 or -20%, or super or sub")
    return nil
  }
}
