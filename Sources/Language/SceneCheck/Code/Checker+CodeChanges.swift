// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// Code that changes: tokens of both versions move, removed tokens fade out, and inserted ones fade
// in.
extension Checker {
  /// Returns the size of a text with `syntax` that changes, or `nil` for other texts.
  func codeExtent(of i: ElementNode, now: Scalar) -> MeasuredText? {
    guard let content = changingCode(of: i, now: now),
      let writer = CodeWriter(self, of: i, now: now)
    else { return nil }
    return writer.extent(of: content)
  }

  /// Returns the elements of code that changes: its versions, and the transitions between them.
  func codeElements(of i: ElementNode) -> [ElementModel] {
    guard let content = changingCode(of: i, now: now), let begin = start(of: i, i.span),
      let end = shownEnd(of: i, i.span),
      var writer = CodeWriter(self, of: i, now: now)
    else { return [] }
    writer.write(content, from: begin, to: end)
    warnOfIdleLines(of: i)
    for model in writer.models { recording?.note(model, of: i.id, at: now) }
    return writer.models
  }
}

extension Checker {
  /// Warns about properties for line breaking, which have no effect on code that changes.
  private func warnOfIdleLines(of i: ElementNode) {
    for property in [Property.width, .maxWidth, .fitWidth, .maxLines, .wrap] {
      guard let source = i.properties[property], source.made == nil, source.scope === i.scope
      else { continue }
      report(
        Diagnostic(
          .idleProperty, "'\(property.name)' has no effect on code that changes",
          at: source.nameSpan, label: "its lines do not wrap; break them in the text"))
    }
  }
}

/// Generates the elements of code that changes.
private struct CodeWriter {
  private let checker: Checker
  private let i: ElementNode
  /// A run with the font of the text.
  private let run: TextModel.Run
  /// The text without its runs.
  private let frame: TextModel
  private let height: Scalar
  private(set) var models: [ElementModel] = []
  private var start = Ticks.zero
  private var end = Ticks.zero
  private var colors: [CodeKind: ColorModel] = [:]

  init?(_ checker: Checker, of i: ElementNode, now: Scalar) {
    guard var text = checker.textModel(of: i, now: now), let run = text.runs.first else {
      return nil
    }
    (self.checker, self.i, self.run) = (checker, i, run)
    // Lines do not wrap, so that tokens have fixed positions.
    (text.runs, text.width, text.fitWidth) = ([], nil, nil)
    frame = text
    text.runs = [checker.run("x", like: run)]
    height = checker.extent(of: text, in: i).height
  }

  // MARK: Sizes

  private func measured(_ text: String) -> MeasuredText {
    var model = frame
    model.runs = [checker.run(text, like: run)]
    return checker.extent(of: model, in: i)
  }

  func extent(of text: TextExpression) -> MeasuredText {
    switch text {
    case .literal(let text): return measured(text.replacing("\t", with: "    "))
    case .choose(let condition, let a, let b):
      return combined(a, b) { checker.builder.select(if: condition, then: $0, else: $1) }
    case .typed(let from, let to, let share):
      return combined(from, to) { checker.builder.mix($0, $1, at: share) }
    case .join, .number: return measured("")
    }
  }

  private func combined(
    _ a: TextExpression, _ b: TextExpression, by mix: (Scalar, Scalar) -> Scalar
  ) -> MeasuredText {
    let (x, y) = (extent(of: a), extent(of: b))
    return MeasuredText(
      width: mix(x.width, y.width), height: mix(x.height, y.height),
      baseline: mix(x.baseline, y.baseline))
  }

  /// Returns the positions of tokens, relative to the top left of the text.
  private func places(of code: CodeText) -> [PointModel] {
    let widths = code.lines.map { $0.isEmpty ? Scalar.zero : measured($0).width }
    let width = measured(code.lines.joined(separator: "\n")).width
    return code.tokens.map { token in
      let free = checker.builder.subtract(width, widths[token.line])
      let share =
        switch frame.align {
        case .center: 0.5
        case .right: 1.0
        default: 0.0
        }
      let before = token.prefix.isEmpty ? Scalar.zero : measured(token.prefix).width
      return PointModel(
        checker.builder.add(checker.builder.scaled(free, share), before),
        checker.builder.scaled(height, Double(token.line)))
    }
  }

  // MARK: Elements

  mutating func write(_ content: TextExpression, from start: Ticks, to end: Ticks) {
    (self.start, self.end) = (start, end)
    colors = checker.codeColors(of: i)
    write(content, visible: .one)
  }

  private mutating func write(_ text: TextExpression, visible: Scalar) {
    switch text {
    case .literal(let text): rest(text, visible: visible)
    case .choose(let condition, let a, let b):
      write(a, visible: checker.builder.select(if: condition, then: visible, else: .zero))
      write(b, visible: checker.builder.select(if: condition, then: .zero, else: visible))
    case .typed(let from, let to, let share):
      let isBefore = checker.builder.make(.lessOrEqual, a: share, b: .zero)
      let isAfter = checker.builder.make(.lessOrEqual, a: .one, b: share)
      write(from, visible: checker.builder.select(if: isBefore, then: visible, else: .zero))
      if let a = from.versions?.last, let b = to.versions?.first,
        let old = checker.code(a, of: i), let new = checker.code(b, of: i)
      {
        let rests = checker.builder.make(.maximum, a: isBefore, b: isAfter)
        change(
          old, new, at: share,
          visible: checker.builder.select(if: rests, then: .zero, else: visible))
      }
      write(to, visible: checker.builder.select(if: isAfter, then: visible, else: .zero))
    case .join, .number: break
    }
  }

  /// Adds a version between two changes.
  private mutating func rest(_ text: String, visible: Scalar) {
    guard !text.isEmpty, let code = checker.code(text, of: i) else { return }
    var model = frame
    model.runs = code.pieces.map { checker.run($0.text, like: run) }
    let paints = code.pieces.map { checker.codePaint(colors[$0.kind], of: i) }
    add(model, paints, units: checker.textUnits(of: i, model), visible: visible)
  }

  /// Adds a change from a version to the next one.
  private mutating func change(
    _ old: CodeText, _ new: CodeText, at share: Scalar, visible: Scalar
  ) {
    guard checker.spend(50 + old.tokens.count * new.tokens.count / 20, i.span) else { return }
    let match = CodeMatch(from: old.tokens, to: new.tokens)
    let partners = Dictionary(
      match.pairs.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    let kept = Set(match.pairs.map(\.to))
    let (from, to) = (places(of: old), places(of: new))
    let gone = fading(checker.builder.subtract(.one, checker.builder.scaled(share, 1 / 0.6)))
    let come = fading(
      checker.builder.scaled(checker.builder.subtract(share, .constant(0.4)), 1 / 0.6))
    var units = TextUnitsModel()
    var paints: [TextPaintModel] = []
    for (index, part) in old.runs.enumerated() {
      guard let token = part.token, let color = colors[old.tokens[token].kind] else {
        paints.append(checker.codePaint(nil, of: i))
        continue
      }
      guard let partner = partners[token] else {
        paints.append(checker.codePaint(faded(color, by: gone), of: i))
        continue
      }
      let next = colors[new.tokens[partner].kind] ?? color
      paints.append(
        checker.codePaint(
          next == color ? color : checker.builder.mix(color, next, at: share, in: .oklab), of: i))
      let (dx, dy) = (
        checker.builder.subtract(to[partner].x, from[token].x),
        checker.builder.subtract(to[partner].y, from[token].y)
      )
      if dx == .zero, dy == .zero { continue }
      let move = PointModel(
        checker.builder.multiply(dx, share), checker.builder.multiply(dy, share))
      units.spans.append(
        TextUnitsModel.Span(
          runs: index..<(index + 1),
          unit: TextUnitsModel.Unit(opacity: .one, map: .translation(move), fill: nil)))
    }
    add(
      model(of: old), paints, units: units == TextUnitsModel() ? nil : units, visible: visible)
    guard !match.come.isEmpty else { return }
    let inserted = new.runs.map { part -> TextPaintModel in
      guard let token = part.token, !kept.contains(token),
        let color = colors[new.tokens[token].kind]
      else { return checker.codePaint(nil, of: i) }
      return checker.codePaint(faded(color, by: come), of: i)
    }
    add(model(of: new), inserted, visible: visible)
  }

  private func model(of code: CodeText) -> TextModel {
    var model = frame
    model.runs = code.runs.map { checker.run($0.text, like: run) }
    return model
  }

  private func fading(_ share: Scalar) -> Scalar {
    checker.builder.make(
      .minimum, a: .one, b: checker.builder.make(.maximum, a: .zero, b: share))
  }

  private func faded(_ color: ColorModel, by share: Scalar) -> ColorModel {
    ColorModel(
      red: color.red, green: color.green, blue: color.blue,
      alpha: checker.builder.multiply(color.alpha, share))
  }

  private mutating func add(
    _ text: TextModel, _ paints: [TextPaintModel], units: TextUnitsModel? = nil, visible: Scalar
  ) {
    if visible == .zero { return }
    models.append(
      ElementModel(
        kind: i.kindName, name: i.syntax.name?.text, span: i.span, start: start, end: end,
        transform: .identity, opacity: visible,
        drawing: .text(text, paints: paints, origin: .zero, units: units), rough: nil))
  }
}
