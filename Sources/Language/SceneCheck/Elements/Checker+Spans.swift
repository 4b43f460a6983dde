// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// Spans with a clock of their own: parts of a text that come, go and move, laid out as the whole text.
extension Checker {
  /// What makes a span a part that is drawn apart.
  private static let livingProperties: [Property] = [
    .at, .for, .visible, .opacity, .translate, .rotate, .scale, .skew, .blur, .enter, .exit,
  ]

  /// The spans of a text that live or move, outer ones first, each with its runs.
  func livingSpans(of text: Instance) -> [TextUnitsModel.Span] {
    var spans: [TextUnitsModel.Span] = []
    var count = 0
    func walk(_ i: Instance) {
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

  /// How a span differs from how the text is laid out.
  private func part(_ i: Instance, in text: Instance) -> TextUnitsModel.Unit {
    var unit = movedPart(i, in: text)
    let begin = start(of: i, i.span) ?? .zero
    let end = shownEnd(of: i, i.span) ?? begin
    var shown = bool(.visible, of: i, now: now)
    if i.properties[.at] != nil {
      let start = Scalar.constant(Double(begin.rawValue))
      shown = builder.multiply(shown, builder.make(.lessOrEqual, start, now))
    }
    if i.properties[.for] != nil {
      let end = Scalar.constant(Double(end.rawValue))
      shown = builder.multiply(shown, builder.make(.less, now, end))
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

  /// How far the letters of a span are above the line.
  func rise(of i: Instance, _ size: Scalar, _ now: Scalar) -> Scalar {
    guard let (value, span) = value(.baselineShift, of: i, now: now) else { return .zero }
    // As browsers do it: by the letters around it.
    let around = i.parent.map { fontSize(of: $0, now) } ?? size
    switch value {
    case .word("super"): return builder.scaled(around, 1.0 / 3)
    case .word("sub"): return builder.scaled(around, -1.0 / 5)
    default: return asShift(value, span, of: size) ?? .zero
    }
  }

  /// A length that letters are moved by, `nil` for a word; anything else is reported with the words.
  func asShift(_ value: Value, _ span: SourceSpan, of size: Scalar) -> Scalar? {
    if case .word = value {
      _ = asWord(value, span, ["super", "sub"])
      return nil
    }
    if value.isNumberLike || value.isPoison { return asLength(value, span, of: size) }
    mismatch("a length", value, span, help: "write a length such as 0.3em or -20%, or super or sub")
    return nil
  }
}
