// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// `captions "talk.srt"`: a text for each caption of a file.
extension Checker {
  /// The maximum speed in characters per second (BBC Subtitle Guidelines: 160 to 180 words per
  /// minute).
  private static let fastestReading = 25.0
  private static let mostLines = 2

  /// Creates the texts of a `captions` element, which have its properties.
  func makeCaptions(_ i: ElementNode) {
    guard let source = i.properties[.source] else {
      missing("a file", label: "write captions \"talk.srt\"", of: i)
      return
    }
    let span = source.value.span
    let value = evaluateProperty(source, of: i, now: now, words: [])
    guard let path = asConstantText(value, span), let track = captions(path, span) else {
      return
    }
    warnOfIgnored(track.ignored, of: path, at: span)
    let shown = track.captions.filter(\.isShown)
    // Checked before the first text is created.
    let limits = options.limits
    guard instanceCount + shown.count <= limits.elements,
      stepCount + shown.count * Checker.stepsOfText <= limits.steps
    else {
      exceeded(
        "elements", "\(shown.count) captions exceed the limits of a scene", at: span,
        raisedTo: limits.elements * 10)
      return
    }
    let plan = CaptionPlan()
    i.captionPlan = plan
    plan.path = path
    plan.units = i.children.filter { $0.kind == .each }
    i.children.removeAll { $0.kind == .each }
    // A position in the scene applies to all captions and replaces those of the file.
    let isPlaced = i.properties[.position] != nil || i.properties[.anchor] != nil
    plan.isAtTop = isPlaced ? isAtTop(i) : nil
    var lastEnd = -Double.infinity
    for caption in shown {
      var caption = caption
      if isPlaced { caption.placement = CaptionPlacement() }
      let covers = caption.start < lastEnd
      lastEnd = max(lastEnd, caption.end)
      guard addCaption(caption, to: plan, of: i, isPlaced: isPlaced, mayCover: covers, span) else {
        return
      }
      let speed = Double(caption.text.count) / (caption.end - caption.start)
      if speed > Checker.fastestReading, reports.isNew(span) {
        report(
          Diagnostic(
            .fastCaption,
            "the caption at \(seconds(caption.start)) has \(caption.text.count) characters in \(seconds(caption.end - caption.start))",
            at: span, label: "more than 25 characters per second are hard to read"))
      }
    }
    i.properties[.position] = nil
    i.properties[.anchor] = nil
  }

  private func seconds(_ x: Double) -> String {
    NumberFormat().text((x * 100).rounded() / 100) + "s"
  }

  private func captions(_ path: String, _ span: SourceSpan) -> ParsedCaptions? {
    let name = path.lowercased()
    if name.hasSuffix(".json") { return spokenCaptions(path, span) }
    guard name.hasSuffix(".srt") || name.hasSuffix(".vtt") else {
      _ = report(
        .undecodable, "'\(path)' is not a caption file", at: span,
        label: "expected a .srt, .vtt or .json file")
      return nil
    }
    let track = reading(path, at: span) {
      try CaptionFile.track(try assets.source(path), isWebVTT: name.hasSuffix(".vtt"))
    }
    if let track, !track.captions.contains(where: \.isShown) {
      _ = report(
        .undecodable, "'\(path)' has no valid captions", at: span,
        label:
          "each caption needs a line such as 00:00:01,500 --> 00:00:04,000, followed by its text")
      return nil
    }
    return track
  }

  /// The length of a line of captions made from a list of words, the usual limit in broadcasting.
  private static let lineLength = 42

  /// Returns the captions of the JSON file of a speech recognizer; `nil` after an error.
  private func spokenCaptions(_ path: String, _ span: SourceSpan) -> ParsedCaptions? {
    guard let data = reading(path, at: span, { try assets.json(path) }) else { return nil }
    guard let track = SpeechFile.captions(data, lineLength: Checker.lineLength) else {
      _ = report(
        .undecodable, "'\(path)' has no captions of a known structure", at: span,
        label: "expected the JSON of \(SpeechFile.supported)")
      return nil
    }
    guard track.captions.contains(where: \.isShown) else {
      _ = report(
        .undecodable, "'\(path)' has no valid captions", at: span,
        label: "no segment or word has a text, a start and a later end")
      return nil
    }
    if let first = track.estimatedWords.first {
      let count = NumberFormat.count(track.estimatedWords.count, of: "word")
      let note = "the times of \(count) in '\(path)' are estimated, such as '\(first)'"
      if !remarks.contains(note) { remarks.append(note) }
    }
    return track
  }

  private static let mostIgnoredParts = 6

  /// Warns about captions of the file that are not shown, and about unsupported markup.
  private func warnOfIgnored(_ parts: [IgnoredPart], of path: String, at span: SourceSpan) {
    func warn(_ message: String, label: String, of parts: [IgnoredPart]) {
      if parts.isEmpty { return }
      var items = parts.prefix(Checker.mostIgnoredParts).map { "\($0.name) (line \($0.line))" }
      if parts.count > items.count { items.append("and \(parts.count - items.count) more") }
      report(
        Diagnostic(
          .ignoredMarkup, message, at: span, label: label + items.joined(separator: ", ")))
    }
    warn("captions in '\(path)' are not shown", label: "", of: parts.filter(\.isCaption))
    warn(
      "unsupported markup in '\(path)' is ignored", label: "ignored: ",
      of: parts.filter { !$0.isCaption })
  }

  // MARK: Texts

  /// Adds a caption to the element. Returns `false` if a limit is exceeded.
  private func addCaption(
    _ caption: Caption, to plan: CaptionPlan, of i: ElementNode, isPlaced: Bool, mayCover: Bool,
    _ span: SourceSpan
  ) -> Bool {
    let writing = CaptionPlan.Writing(caption)
    let isRightToLeft = caption.text.isRightToLeft
    let box = CaptionBox(caption.placement, isRightToLeft: isRightToLeft)
    var entry = CaptionPlan.Entry(
      caption: caption, placement: isPlaced ? nil : caption.placement,
      writing: writing, box: box)
    let isNarrow = !caption.placement.isAutomatic && box.size < CaptionBox.usualSize
    let hasBox = writing == .horizontal && !isPlaced && hasBackground(i)
    let lines = caption.lines
    let columns: [[CaptionRun]]
    switch writing {
    case .horizontal, .turned:
      let isWhole = isNarrow || writing == .turned || lines.count <= mostLines(of: i)
      columns = [lines.joined(by: isWhole ? "\n" : " ")]
    case .turnedColumns: columns = lines
    case .stackedColumns: columns = lines.map(\.stacked)
    }
    for (column, runs) in columns.enumerated() {
      guard reserveElement(span) else { return false }
      let text = captionElement(caption, in: i, at: span)
      text.caption = CaptionPart(entry: plan.entries.count, column: column)
      addRuns(runs, to: text, span)
      if caption.placement.alignment != .center {
        give(.align, .word(caption.placement.align(isRightToLeft)), to: text, at: span)
      }
      if isNarrow { text.properties[.maxLines] = nil }
      placeCaption(text, with: caption.placement, in: box, at: span)
      takeProperties(from: i, text)
      if writing != .horizontal {
        setVertically(text, as: writing, with: caption.placement, at: span)
      }
      if hasBox, caption.placement.region == nil, i.properties[.width] == nil {
        text.properties[.width] = Source(.caption(.width), scope: text.scope, at: span)
      }
      if mayCover || hasBox || !caption.placement.isAutomatic {
        text.properties[.translate] = Source(.caption(.translate), scope: text.scope, at: span)
      }
      addUnits(of: plan, to: text)
      i.children.append(text)
      entry.texts.append(text)
    }
    plan.entries.append(entry)
    return true
  }

  /// Copies the `each` of the element to a text.
  private func addUnits(of plan: CaptionPlan, to text: ElementNode) {
    // A second `each` is an error, which one text reports.
    for each in plan.entries.isEmpty ? plan.units : Array(plan.units.prefix(1)) {
      guard reserveElement(each.span) else { return }
      let body = ownerScope(in: text.scope)
      let copy = ElementNode(
        kind: .each, syntax: each.syntax, parent: text, scope: body, definition: nil,
        id: instanceCount)
      body.instance = copy
      text.children.append(copy)
    }
  }

  /// Returns the words of a caption's text with the times at which they are spoken, from the start
  /// of the text; `nil` if the file has no word timestamps.
  func spokenWords(of text: ElementNode) -> [SpokenWord]? {
    guard let part = text.caption, let plan = text.parent?.captionPlan,
      plan.entries.indices.contains(part.entry)
    else { return nil }
    let entry = plan.entries[part.entry]
    guard entry.texts.count == 1, !entry.caption.words.isEmpty else { return nil }
    return entry.caption.words.map {
      SpokenWord(
        $0.text, from: $0.start - entry.caption.start, to: $0.end - entry.caption.start)
    }
  }

  private func mostLines(of i: ElementNode) -> Int {
    i.properties[.maxLines] == nil
      ? Checker.mostLines : wholeNumber(.maxLines, of: i, in: 1...1000, or: Checker.mostLines)
  }

  private func give(
    _ property: Property, _ value: Value, to i: ElementNode, at span: SourceSpan
  ) {
    i.properties[property] = Source(.value(value), scope: i.scope, at: span)
  }

  private func percent(_ share: Double) -> Value { .percent(.constant(share)) }

  /// Creates the text of a caption, without content and position.
  private func captionElement(_ caption: Caption, in i: ElementNode, at span: SourceSpan)
    -> ElementNode
  {
    let text = instance(of: .text, in: i, scope: i.scope)
    func give(_ property: Property, _ value: Value) {
      self.give(property, value, to: text, at: span)
    }
    func time(_ seconds: Double) -> Value {
      .quantity(.constant((seconds * Double(Ticks.perSecond)).rounded()), .time)
    }
    give(.at, time(caption.start))
    give(.for, time(caption.end - caption.start))
    give(.maxLines, .number(Double(Checker.mostLines)))
    give(.align, .word("center"))
    // Balanced lines avoid a last line with one short word.
    give(.wrap, .word("balance"))
    // White with a dark outline is legible on any background.
    give(.fill, .color(ColorModel(.white)))
    give(.stroke, .color(ColorModel(Color(red: 0, green: 0, blue: 0, alpha: 0.8))))
    give(.strokeWidth, percent(0.006))
    give(.join, .word("round"))
    give(.paintOrder, .word("stroke"))
    if inherited(.fontSize, i) == nil { give(.fontSize, percent(0.05)) }
    if inherited(.fontWeight, i) == nil { give(.fontWeight, .number(500)) }
    return text
  }

  private func instance(of kind: ElementKind, in parent: ElementNode, scope: Scope) -> ElementNode {
    let syntax = ElementSyntax(
      kind: [Name(kind.rawValue, parent.span)], name: nil, subject: nil, items: [],
      span: parent.span)
    let body = ownerScope(in: scope)
    let made = ElementNode(
      kind: kind, syntax: syntax, parent: parent, scope: body, definition: nil, id: instanceCount)
    body.instance = made
    return made
  }

  /// Sets the content of a text, or adds spans for style changes by tags.
  private func addRuns(_ runs: [CaptionRun], to text: ElementNode, _ span: SourceSpan) {
    // Separate spans keep the colors and underlines of the file, which the scene's properties would
    // override.
    let isWhole = runs.count == 1 && runs[0].style.color == nil && !runs[0].style.isUnderlined
    for run in runs {
      guard isWhole || reserveElement(span) else { return }
      let part = isWhole ? text : instance(of: .span, in: text, scope: text.scope)
      give(.content, .literal(run.text), to: part, at: span)
      if run.style.isBold { give(.fontWeight, .number(700), to: part, at: span) }
      if run.style.isItalic { give(.italic, .bool(.one), to: part, at: span) }
      if run.style.isUnderlined { give(.underline, .bool(.one), to: part, at: span) }
      if let color = run.style.color { give(.fill, .color(ColorModel(color)), to: part, at: span) }
      if !run.style.language.isEmpty {
        give(.language, .literal(run.style.language), to: part, at: span)
      }
      if !isWhole { text.children.append(part) }
    }
  }

  /// Copies the properties of the `captions` element to a text. They take precedence over those of
  /// the file.
  private func takeProperties(from i: ElementNode, _ text: ElementNode) {
    for property in Checker.captionProperties {
      if let source = i.properties[property] { text.properties[property] = source }
    }
    // The position applies to each caption, not to the group.
    for property in [Property.position, .anchor] {
      if let source = i.properties[property] { text.properties[property] = source }
    }
    // With a fill or a box of the scene, no default outline is added.
    if i.properties[.fill] != nil || hasBackground(i), i.properties[.stroke] == nil {
      text.properties[.stroke] = nil
    }
  }

  /// The properties that texts take from the element. Font properties are inherited.
  private static let captionProperties: [Property] = [
    .fill, .background, .padding, .cornerRadius, .stroke, .strokeWidth, .cap, .join, .miterLimit,
    .dash, .dashOffset, .paintOrder,
    .align, .width, .wrap, .lineHeight, .maxLines, .underline, .enter, .exit,
  ]

  // MARK: Positions

  /// The positions of the first and last line, as fractions of the frame's height.
  static let captionLines = (top: 0.08, bottom: 0.92)

  /// Sets the part of a horizontal text's position that does not depend on its lines.
  private func placeCaption(
    _ text: ElementNode, with placement: CaptionPlacement, in box: CaptionBox, at span: SourceSpan
  ) {
    let share: Double
    let y: Double
    if let region = placement.region {
      (share, y) = (1, region.viewportAnchor.y / 100)
    } else if placement.snapsToLines {
      let isFromEnd = placement.computedLine < 0
      share = isFromEnd ? 1 : 0
      y = isFromEnd ? Checker.captionLines.bottom : Checker.captionLines.top
    } else {
      (share, y) = (placement.lineAlignment.share, placement.computedLine / 100)
    }
    give(.anchor, .word(word(box.alignment.share, share)), to: text, at: span)
    give(.position, .pair(percent(box.place / 100), percent(y)), to: text, at: span)
    give(.width, percent(box.size / 100), to: text, at: span)
  }

  /// Returns the name of a point of a box.
  private func word(_ x: Double, _ y: Double) -> String {
    Words.points.first { $0.value == Point(x, y) }?.key ?? "center"
  }

  /// Rotates a text, or stacks its characters.
  private func setVertically(
    _ text: ElementNode, as writing: CaptionPlan.Writing, with placement: CaptionPlacement,
    at span: SourceSpan
  ) {
    func compute(_ property: Property) {
      text.properties[property] = Source(.caption(property), scope: text.scope, at: span)
    }
    for property in [Property.width, .maxLines] { text.properties[property] = nil }
    let box = CaptionBox(placement, isRightToLeft: false)
    var (along, place) = (box.alignment.share, box.place / 100)
    if writing != .turned {
      // A column is aligned to the start or end that the caption's box would have.
      along = placement.alignment.share
      place = (box.start + along * box.size) / 100
    }
    give(.position, .pair(percent(0), percent(place)), to: text, at: span)
    if writing == .stackedColumns {
      give(.anchor, .word(word(0.5, along)), to: text, at: span)
      give(.align, .word("center"), to: text, at: span)
      give(.lineHeight, percent(1.1), to: text, at: span)
      // The `vert` feature selects the vertical forms of punctuation.
      if inherited(.features, text) == nil {
        give(.features, .literal("vert=1"), to: text, at: span)
      }
      compute(.fontSize)
    } else {
      give(.anchor, .word(word(along, 0.5)), to: text, at: span)
      give(.rotate, .quantity(.constant(90), .angle), to: text, at: span)
      compute(writing == .turned ? .width : .fitWidth)
    }
  }
}

extension [[CaptionRun]] {
  /// Joins all lines into one text.
  fileprivate func joined(by separator: String) -> [CaptionRun] {
    var runs: [CaptionRun] = []
    for (index, line) in enumerated() {
      for (place, run) in line.enumerated() {
        let text = index > 0 && place == 0 ? separator + run.text : run.text
        if let last = runs.indices.last, runs[last].style == run.style {
          runs[last].text += text
        } else {
          runs.append(CaptionRun(text, run.style))
        }
      }
    }
    return runs
  }
}

extension [CaptionRun] {
  /// The characters from top to bottom.
  fileprivate var stacked: [CaptionRun] {
    enumerated().map { index, run in
      let letters = run.text.map(String.init).joined(separator: "\n")
      return CaptionRun(index == 0 ? letters : "\n" + letters, run.style)
    }
  }
}

extension CaptionPlacement {
  /// Returns the word of `align` for a base direction. In a text, `left` is the start of lines.
  fileprivate func align(_ isRightToLeft: Bool) -> String {
    switch alignment {
    case .start: "left"
    case .center: "center"
    case .end: "right"
    case .left: isRightToLeft ? "right" : "left"
    case .right: isRightToLeft ? "left" : "right"
    }
  }
}

extension CaptionPlacement.LineAlignment {
  var share: Double {
    switch self {
    case .start: 0
    case .center: 0.5
    case .end: 1
    }
  }
}

extension CaptionPlacement.PositionAlignment {
  var share: Double {
    switch self {
    case .lineLeft: 0
    case .center: 0.5
    case .lineRight: 1
    }
  }
}

extension CaptionPlacement.TextAlignment {
  fileprivate var share: Double {
    switch self {
    case .start, .left: 0
    case .center: 0.5
    case .end, .right: 1
    }
  }
}
