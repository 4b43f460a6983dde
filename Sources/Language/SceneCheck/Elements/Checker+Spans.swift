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

  /// Returns the text that contains a span.
  func text(around span: ElementNode) -> ElementNode? {
    sequence(first: span, next: \.parent).first { $0.kind == .text }
  }

  /// Returns the box of a span in the coordinates of its text, before transforms; `nil` after an
  /// error. It contains the letters of the span, and is as high as their lines.
  func spanBox(of i: ElementNode, now: Scalar) -> BoxModel? {
    guard let text = text(around: i) else { return nil }
    if spanTexts[text.id]?[now] == nil {
      spanTexts[text.id, default: TimeMap()][now] = textModel(of: text, now: now)
    }
    guard let model = spanTexts[text.id]?[now] else { return nil }
    let (all, own) = (textRuns(of: text), textRuns(of: i))
    let empty = BoxModel(x: .zero, y: .zero, width: .zero, height: .zero)
    guard let first = all.firstIndex(where: { $0 === own.first }), spend(model.letterCount, i.span)
    else { return empty }
    let runs = first..<first + own.count
    if model.isConstant {
      let block = Evaluator(Program(), metrics: metrics).block(model)
      let box = metrics.box(ofRuns: runs, in: block)
      if box.isEmpty { return empty }
      return BoxModel(
        x: .constant(box.x), y: .constant(box.y), width: .constant(box.width),
        height: .constant(box.height))
    }
    let index = builder.register(model, runs: runs)
    let parts = (0..<4).map { builder.make(.textExtent, index: index * 4 + Int32($0)) }
    return BoxModel(x: parts[0], y: parts[1], width: parts[2], height: parts[3])
  }

  /// Returns the map of a span to the coordinates of its text or of the span around it: its
  /// transform about the center of its box. Returns `nil` after an error.
  func spanPlacement(of i: ElementNode, now: Scalar) -> AffineModel? {
    guard let text = text(around: i),
      let box = box(of: i, now: now)
    else { return nil }
    let center = shareOfBox(box, Point(0.5, 0.5))
    let back = PointModel(builder.make(.negate, a: center.x), builder.make(.negate, a: center.y))
    let moved = builder.concat(.translation(center), motion(of: i, in: text, now: now).map)
    return builder.concat(moved, .translation(back))
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
