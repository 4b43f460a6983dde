// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
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
    guard let source = i.properties["source"] else {
      missing("a file", "write captions \"talk.srt\"", i)
      return
    }
    let span = source.value.span
    let value = evaluateProperty(source, of: i, now: now, words: [])
    guard let path = asConstantText(value, span), let captions = captions(path, span) else {
      return
    }
    for caption in captions where caption.end > caption.start && !caption.text.isEmpty {
      guard reserveElement(span) else { return }
      let text = captionInstance(caption, i, span)
      i.children.append(text)
      let speed = Double(caption.text.count) / (caption.end - caption.start)
      if speed > Checker.fastestReading, isNew(span) {
        report(
          Diagnostic(
            .fastCaption,
            "the caption at \(seconds(caption.start)) shows \(caption.text.count) characters for \(seconds(caption.end - caption.start))",
            at: span, label: "nobody reads more than 25 a second"))
      }
    }
  }

  private func seconds(_ x: Double) -> String {
    NumberFormat().text((x * 100).rounded() / 100) + "s"
  }

  private func captions(_ path: String, _ span: SourceSpan) -> [Caption]? {
    let name = path.lowercased()
    guard name.hasSuffix(".srt") || name.hasSuffix(".vtt") else {
      _ = fault(
        .undecodable, "'\(path)' is no file of captions", at: span,
        label: "captions are .srt or .vtt")
      return nil
    }
    let captions = reading(path, span) {
      try CaptionFile.captions(try assets.source(path), isWebVTT: name.hasSuffix(".vtt"))
    }
    if let captions, !captions.contains(where: { $0.end > $0.start && !$0.text.isEmpty }) {
      _ = fault(
        .undecodable, "'\(path)' has no caption that could be shown", at: span,
        label: "each needs a line such as 00:00:01,500 --> 00:00:04,000, and a text below it")
      return nil
    }
    return captions
  }

  private func captionInstance(_ caption: Caption, _ i: Instance, _ span: SourceSpan) -> Instance {
    func e(_ kind: Expression.Kind) -> Expression { Expression(kind, span) }
    let syntax = ElementSyntax(
      kind: [Name("text", i.span)], name: nil,
      subject: e(.text([.literal(oneOrTwoLines(caption.text))])),
      items: [], span: i.span)
    let body = ownerScope(in: i.scope)
    let text = Instance(
      kind: .text, syntax: syntax, parent: i, scope: body, definition: nil, id: instanceCount)
    body.instance = text
    func give(_ name: String, _ value: Expression) {
      text.properties[name] = Source(value: value, scope: body, nameSpan: span)
    }
    func percent(_ share: Double) -> Expression { e(.number(share * 100, .percent)) }
    give("content", syntax.subject ?? e(.none))
    give("at", e(.number(caption.start, .s)))
    give("for", e(.number(caption.end - caption.start, .s)))
    give("anchor", e(.reference("bottom")))
    give("position", e(.pair(percent(Checker.place.x), percent(Checker.place.y))))
    give("width", percent(Checker.place.width))
    give("max-lines", e(.number(Double(Checker.mostLines), nil)))
    give("align", e(.reference("center")))
    // White with a dark edge can be read on anything.
    give("fill", e(.color("ffffff")))
    give("stroke", e(.color("000000cc")))
    give("stroke-width", e(.number(0.6, .percent)))
    give("join", e(.reference("round")))
    give("paint-order", e(.reference("stroke")))
    if inherited("font-size", i) == nil { give("font-size", percent(0.05)) }
    if inherited("font-weight", i) == nil { give("font-weight", e(.number(500, nil))) }
    for (name, source) in Checker.captionProperties.compactMap({ name in
      i.properties[name].map { (name, $0) }
    }) {
      text.properties[name] = source
    }
    // With paints of its own, no edge is added to them.
    if i.properties["fill"] != nil, i.properties["stroke"] == nil {
      text.properties["stroke"] = nil
    }
    return text
  }

  /// What the texts take from the element; fonts are inherited anyway.
  private static let captionProperties = [
    "fill", "stroke", "stroke-width", "cap", "join", "miter-limit", "dash", "dash-offset",
    "paint-order", "align", "width", "line-height", "max-lines", "underline", "enter", "exit",
  ]

  /// More lines than two are joined, to be broken where there is room.
  private func oneOrTwoLines(_ text: String) -> String {
    let lines = text.split(separator: "\n")
    return lines.count <= Checker.mostLines
      ? lines.joined(separator: "\n") : lines.joined(separator: " ")
  }
}
