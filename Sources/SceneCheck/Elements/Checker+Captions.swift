// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// `captions "talk.srt"`: a text for each caption of a file.
extension Checker {
  /// More letters a second cannot be read along (BBC Subtitle Guidelines: 160 to 180 words a minute).
  private static let fastestReading = 25.0
  /// Of the parent's box: in the middle, above the edge that screens may cover.
  private static let place = (x: 0.5, y: 0.92, width: 0.8)
  private static let mostLines = 2

  /// Makes the texts of a `captions` element, which carry its properties.
  func makeCaptions(_ i: Instance) {
    guard let source = i.properties[.source] else {
      missing("a file", "write captions \"talk.srt\"", i)
      return
    }
    let span = source.value.span
    let value = evaluateProperty(source, of: i, now: now, words: [])
    guard let path = asConstantText(value, span), let captions = captions(path, span) else {
      return
    }
    let shown = captions.filter { $0.end > $0.start && !$0.text.isEmpty }
    // Counted before the first of them is made.
    let limits = options.limits
    guard instanceCount + shown.count <= limits.elements,
      stepCount + shown.count * Checker.stepsOfText <= limits.steps
    else {
      faults.exceeded(
        "elements", "\(shown.count) captions are too many for one scene", span,
        raisedTo: limits.elements * 10)
      return
    }
    for caption in shown {
      guard reserveElement(span) else { return }
      let text = captionInstance(caption, i, span)
      i.children.append(text)
      let speed = Double(caption.text.count) / (caption.end - caption.start)
      if speed > Checker.fastestReading, faults.isNew(span) {
        report(
          Diagnostic(
            .fastCaption,
            "the caption at \(seconds(caption.start)) shows \(caption.text.count) characters for \(seconds(caption.end - caption.start))",
            at: span, label: "people can read at most 25 a second"))
      }
    }
    i.properties[.position] = nil
    i.properties[.anchor] = nil
  }

  private func seconds(_ x: Double) -> String {
    NumberFormat().text((x * 100).rounded() / 100) + "s"
  }

  private func captions(_ path: String, _ span: SourceSpan) -> [Caption]? {
    let name = path.lowercased()
    guard name.hasSuffix(".srt") || name.hasSuffix(".vtt") else {
      _ = fault(
        .undecodable, "'\(path)' is not a caption file", at: span,
        label: "use a .srt or .vtt file")
      return nil
    }
    let captions = reading(path, span) {
      try CaptionFile.captions(try assets.source(path), isWebVTT: name.hasSuffix(".vtt"))
    }
    if let captions, !captions.contains(where: { $0.end > $0.start && !$0.text.isEmpty }) {
      _ = fault(
        .undecodable, "'\(path)' has no caption that can be shown", at: span,
        label:
          "each caption needs a line such as 00:00:01,500 --> 00:00:04,000, and a text below it")
      return nil
    }
    return captions
  }

  private func captionInstance(_ caption: Caption, _ i: Instance, _ span: SourceSpan) -> Instance {
    let syntax = ElementSyntax(
      kind: [Name("text", i.span)], name: nil, subject: nil, items: [], span: i.span)
    let body = ownerScope(in: i.scope)
    let text = Instance(
      kind: .text, syntax: syntax, parent: i, scope: body, definition: nil, id: instanceCount)
    body.instance = text
    func give(_ property: Property, _ value: Value) {
      text.properties[property] = Source(.value(value), scope: body, at: span)
    }
    func percent(_ share: Double) -> Value { .percent(.constant(share)) }
    func time(_ seconds: Double) -> Value {
      .quantity(.constant((seconds * Double(Ticks.perSecond)).rounded()), .time)
    }
    give(.content, .literal(oneOrTwoLines(caption.text)))
    give(.at, time(caption.start))
    give(.for, time(caption.end - caption.start))
    give(.anchor, .word("bottom"))
    give(.position, .pair(percent(Checker.place.x), percent(Checker.place.y)))
    give(.width, percent(Checker.place.width))
    give(.maxLines, .number(Double(Checker.mostLines)))
    give(.align, .word("center"))
    // A line of one short word is read badly.
    give(.wrap, .word("balance"))
    // White with a dark edge can be read on anything.
    give(.fill, .color(ColorModel(.white)))
    give(.stroke, .color(ColorModel(Color(0, 0, 0, 0.8))))
    give(.strokeWidth, percent(0.006))
    give(.join, .word("round"))
    give(.paintOrder, .word("stroke"))
    if inherited(.fontSize, i) == nil { give(.fontSize, percent(0.05)) }
    if inherited(.fontWeight, i) == nil { give(.fontWeight, .number(500)) }
    for property in Checker.captionProperties {
      if let source = i.properties[property] { text.properties[property] = source }
    }
    // Where they stand, not where their group does.
    for property in [Property.position, .anchor] {
      if let source = i.properties[property] { text.properties[property] = source }
    }
    // With paints of its own, no edge is added to them.
    if i.properties[.fill] != nil, i.properties[.stroke] == nil {
      text.properties[.stroke] = nil
    }
    return text
  }

  /// What the texts take from the element; fonts are inherited anyway.
  private static let captionProperties: [Property] = [
    .fill, .stroke, .strokeWidth, .cap, .join, .miterLimit, .dash, .dashOffset, .paintOrder,
    .align, .width, .wrap, .lineHeight, .maxLines, .underline, .enter, .exit,
  ]

  /// More lines than two are joined, to be broken where there is room.
  private func oneOrTwoLines(_ text: String) -> String {
    let lines = text.split(separator: "\n")
    return lines.count <= Checker.mostLines
      ? lines.joined(separator: "\n") : lines.joined(separator: " ")
  }
}
