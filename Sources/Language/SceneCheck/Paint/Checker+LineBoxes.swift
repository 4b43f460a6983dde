// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// The `background` of texts and captions: a box behind each line.
extension Checker {
  /// Returns the boxes behind the lines of a text; `nil` for a text without a background.
  func lineBoxes(of i: ElementNode, now: Scalar) -> LineBoxesModel? {
    guard hasBackground(i), i.kind == .text, let source = i.properties[.background],
      let (value, span) = value(.background, of: i, now: now)
    else { return nil }
    guard !followsPath(i) else {
      report(
        Diagnostic(
          .propertyElsewhere, "'background' cannot be combined with 'along'", at: source.nameSpan,
          label: "a text on a path has no box"
        ).advising("draw the path with a wide 'stroke' behind the text"))
      return nil
    }
    let (x, y) = fontLengths(.padding, of: i, now: now)
    let (radius, _) = fontLengths(.cornerRadius, of: i, now: now)
    guard let text = textModel(of: i, now: now),
      let paint = paint(
        value, at: span, in: paintBox(of: i, text: text, now: now, padding: (x, y)), of: i, now: now
      )
    else { return nil }
    return LineBoxesModel(
      text, paint: paint, paddingX: x, paddingY: y, radius: radius,
      isColumn: isStackedColumn(i))
  }

  /// Returns whether a text or captions have a background other than `none`.
  func hasBackground(_ i: ElementNode) -> Bool {
    guard let (value, _) = value(.background, of: i, now: now) else { return false }
    return if case .none = opened(value) { false } else { true }
  }

  /// Returns the box in which the paint of the boxes is placed: that of the text with the padding;
  /// `nil` after an error.
  private func paintBox(
    of i: ElementNode, text: TextModel, now: Scalar,
    padding: (x: LineBoxesModel.Length, y: LineBoxesModel.Length)
  ) -> BoxModel? {
    guard let box = box(of: i, now: now) else { return nil }
    let size = drawnFontSize(of: text, in: i) ?? fontSize(of: i, now: now)
    let (x, y) = (pixels(padding.x, at: size), pixels(padding.y, at: size))
    return BoxModel(
      x: builder.subtract(box.x, x), y: builder.subtract(box.y, y),
      width: builder.add(box.width, builder.scaled(x, 2)),
      height: builder.add(box.height, builder.scaled(y, 2)))
  }

  /// Returns the size at which the largest font of a constant text is drawn, after `fit-width` and
  /// `max-lines`. The size of a text that changes over time is computed for each frame, so it is
  /// `nil` here.
  private func drawnFontSize(of text: TextModel, in i: ElementNode) -> Scalar? {
    guard text.isConstant else { return nil }
    let block = Evaluator(Program(), metrics: metrics).block(text)
    guard let size = block.runs.map(\.font.size).max() else { return nil }
    if block.runs.first?.font.size != text.runs.first?.size.constantValue {
      _ = spend(text.letterCount * Checker.stepsOfFitting, i.span)
    }
    return Scalar.constant(size)
  }

  /// Returns the space between a text and the border of its boxes, in pixels at its full font size;
  /// zero without a background.
  ///
  /// This is an upper bound for a font that shrinks to fit. The fitted size is unknown here, since
  /// the width of a caption depends on its padding.
  func boxPadding(of i: ElementNode, now: Scalar) -> PointModel {
    guard hasBackground(i) else { return .zero }
    let (x, y) = fontLengths(.padding, of: i, now: now)
    let size = fontSize(of: i, now: now)
    return PointModel(pixels(x, at: size), pixels(y, at: size))
  }

  private func pixels(_ length: LineBoxesModel.Length, at fontSize: Scalar) -> Scalar {
    builder.add(length.pixels, builder.multiply(length.share, fontSize))
  }

  /// Returns the lengths along both axes, from one length or a pair. If the font shrinks to fit,
  /// lengths relative to its size shrink as well.
  private func fontLengths(_ property: Property, of i: ElementNode, now: Scalar)
    -> (x: LineBoxesModel.Length, y: LineBoxesModel.Length)
  {
    func length(_ value: Value, _ span: SourceSpan) -> LineBoxesModel.Length {
      let parts = opened(value).lengthParts
      if parts == nil { _ = asLength(value, span, of: .one) }
      return LineBoxesModel.Length(
        pixels: parts?.pixels ?? .zero, share: parts?.share ?? .zero)
    }
    let given = self.value(property, of: i, now: now)
    let initial = self.initial(property, of: i).map { self.value(of: $0, in: i, now: now) }
    let value = given?.0 ?? initial ?? .number(0)
    let span = given?.1 ?? i.span
    switch opened(value) {
    case .pair(let x, let y): return (length(x, span), length(y, span))
    case .list:
      mismatch("a length or a pair", value, at: span)
      let none = LineBoxesModel.Length(pixels: .zero, share: .zero)
      return (none, none)
    default: break
    }
    return (length(value, span), length(value, span))
  }

  /// Warns about the padding or the corners of a box that a text does not have.
  func warnOfIdleBox(of i: ElementNode) {
    guard [.text, .captions].contains(i.kind), i.properties[.background] == nil else { return }
    let owner = i.kind == .captions ? "captions" : "a text"
    for property in [Property.padding, .cornerRadius] {
      guard let source = i.properties[property], source.made == nil, source.scope === i.scope
      else { continue }
      report(
        Diagnostic(
          .idleProperty, "'\(property.name)' of \(owner) has no effect without 'background'",
          at: source.nameSpan, label: "set 'background' as well"))
    }
  }
}
