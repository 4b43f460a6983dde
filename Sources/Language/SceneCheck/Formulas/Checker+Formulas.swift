// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneMath
import SceneModel
import SceneSyntax
import SceneText

/// All inputs of a typeset formula. Lengths of the result are in em.
struct FormulaKey: Hashable {
  let source: String
  let family: String
  let isDisplay: Bool
  /// The span, since errors are reported at each span.
  let place: SourceSpan
}

// `math`: formulas, typeset once in em and drawn as outlines.
extension Checker {
  static let defaultFormulaFamily = "Latin Modern Math"

  /// Returns the formula before its first change, or `nil` after an error.
  func formula(of i: ElementNode) -> Formula? {
    elaborate(i)
    guard let source = i.properties[.content] else {
      if i.unknownProperties.isEmpty { missing("a formula", label: "write math $…$", of: i) }
      return nil
    }
    return formula(source, of: i, in: i)
  }

  /// Returns the formula of an element or of one of its changes; `nil` after an error.
  func formula(_ source: Source, of owner: ElementNode, in i: ElementNode) -> Formula? {
    let span = source.value.span
    guard let tex = formulaSource(source, of: owner), let family = formulaFamily(of: i) else {
      return nil
    }
    let style: MathStyle = word(.mathStyle, of: i)
    let key = FormulaKey(
      source: tex, family: family, isDisplay: style == .normal, place: span)
    if let known = formulas[key] { return known }
    guard spend(Checker.stepsOfText + 20 * tex.utf8.count, span),
      let font = metrics.formulaFont(family)
    else { return nil }
    var made: Formula?
    do {
      made = try Formula(tex, font: font, isDisplay: key.isDisplay)
    } catch {
      report(wrongFormula(error, in: tex, at: span))
    }
    if let made { warnOfMissing(made, family: family, at: span) }
    formulas[key] = .some(made)
    return made
  }

  /// Returns the TeX source of a formula. Interpolated values are groups, as if their braces were
  /// those of TeX. Computed texts can contain formulas between dollar signs. Returns `nil` after an
  /// error.
  func formulaSource(_ source: Source, of owner: ElementNode) -> String? {
    let span = source.value.span
    let c = context(of: owner, now: now).with { $0.scope = source.scope }
    if source.made == nil, case .text(let parts) = source.value.kind, parts.count > 1 {
      var tex = ""
      for part in parts {
        switch part {
        case .literal(let text), .formula(let text): tex += text
        case .value(let expression):
          let value = releasing { evaluate(expression, c) }
          guard let piece = textPiece(value, expression.span),
            let text = asConstantText(.text(piece), expression.span)
          else { return nil }
          tex += "{\(Formula.source(of: text))}"
        }
      }
      return tex
    }
    let value = evaluateProperty(source, of: owner, now: now, words: [])
    if case .quantity = value, let piece = textPiece(value, span) {
      return asConstantText(.text(piece), span)
    }
    guard let text = asConstantText(value, span) else { return nil }
    if case .text(let parts) = source.value.kind, !parts.contains(where: \.isValue) { return text }
    return Formula.source(of: text)
  }

  /// Returns the span of a range in a literal formula. For computed formulas, returns the span of
  /// the whole.
  private func place(of range: Range<Int>, _ tex: String, _ span: SourceSpan) -> SourceSpan {
    let written = text(at: span)
    for quote in ["$$", "$", "\"\"\"", "\""] where written.hasPrefix(quote) {
      let start = span.start + quote.utf8.count
      guard written.dropFirst(quote.count).hasPrefix(tex) else { break }
      return SourceSpan(
        file: span.file, start: start + range.lowerBound, end: start + range.upperBound)
    }
    return span
  }

  private func wrongFormula(_ diagnostic: FormulaError, in tex: String, at span: SourceSpan)
    -> Diagnostic
  {
    let place = place(of: diagnostic.range, tex, span)
    let change = diagnostic.fix.map { $0.isEmpty ? "remove it" : "change to '\($0)'" }
    // A computed formula has no span for the fix, so the label describes it.
    let isFixed = place != span
    let label = diagnostic.label.isEmpty && !isFixed ? change ?? "" : diagnostic.label
    var it = Diagnostic(.invalidFormula, diagnostic.message, at: place, label: label)
    if isFixed, let change, let fix = diagnostic.fix {
      it.fixIts = [FixIt(change, replacing: place, with: fix, isSafe: false)]
    }
    return it
  }

  private func warnOfMissing(_ formula: Formula, family: String, at span: SourceSpan) {
    guard let (scalar, range) = formula.missing else { return }
    report(
      Diagnostic(
        .missingGlyph, "the font '\(family)' has no glyph for '\(scalar)'",
        at: place(of: range, formula.source, span), label: "not drawn",
        notes: [Note(help: "use a 'text' element for text in other scripts")]))
  }

  /// Returns the font of a formula: its own, an inherited one that supports formulas, or the
  /// default. Returns `nil` after an error.
  private func formulaFamily(of i: ElementNode) -> String? {
    if let (_, owner) = inherited(.font, i), let source = owner.properties[.font] {
      let names = families(of: i)
      if let name = names.first(where: { metrics.formulaFont($0) != nil }) { return name }
      if owner === i {
        _ = report(
          .unknownFont, "the font '\(names[0])' cannot typeset formulas", at: source.value.span,
          label: "it has no 'MATH' table; use \"\(Checker.defaultFormulaFamily)\"")
        return nil
      }
    }
    let name = Checker.defaultFormulaFamily
    if metrics.formulaFont(name) != nil { return name }
    if reports.isNew(i.span) {
      report(
        Diagnostic(
          .unknownFont, "the formula font '\(name)' is not installed",
          at: i.span, label: "requires this font",
          notes: [
            Note(help: "install the Debian package 'fonts-lmodern'"),
            Note(help: "select a different font with a 'MATH' table: font: \"…\""),
          ]))
    }
    return nil
  }

  // MARK: Boxes

  /// Returns the ink bounds of a formula, or of a part in the coordinates of its formula; `nil`
  /// after an error.
  func formulaBox(of i: ElementNode, now: Scalar) -> BoxModel? {
    guard let host = formulaHost(of: i), let first = formula(of: host) else { return nil }
    let size = fontSize(of: host, now: now)
    if i.kind == .part {
      var ink: Rect?
      for index in claim(of: i, in: first) {
        ink = ink.map { $0.union(first.parts[index].box) } ?? first.parts[index].box
      }
      let box = ink ?? Rect(x: 0, y: 0, width: 0, height: 0)
      return BoxModel(
        x: builder.scaled(size, box.x), y: builder.scaled(size, box.y),
        width: builder.scaled(size, box.width), height: builder.scaled(size, box.height))
    }
    var (width, height) = (Scalar.constant(first.width), Scalar.constant(first.height))
    for step in formulaSteps(of: host, now: now) {
      width = builder.mix(width, .constant(step.formula.width), at: step.progress)
      height = builder.mix(height, .constant(step.formula.height), at: step.progress)
    }
    return BoxModel(
      x: .zero, y: .zero, width: builder.multiply(size, width),
      height: builder.multiply(size, height))
  }

  func formulaBaseline(of i: ElementNode, now: Scalar) -> Scalar? {
    guard let first = formula(of: i) else { return nil }
    var baseline = Scalar.constant(first.baseline)
    for step in formulaSteps(of: i, now: now) {
      baseline = builder.mix(baseline, .constant(step.formula.baseline), at: step.progress)
    }
    return builder.multiply(fontSize(of: i, now: now), baseline)
  }

  /// Returns the outlines of a formula or a part before its first change; `nil` after an error.
  func formulaPath(of i: ElementNode, now: Scalar) -> PathModel? {
    guard let host = formulaHost(of: i), let first = formula(of: host) else { return nil }
    let indices = i.kind == .part ? claim(of: i, in: first) : Array(first.parts.indices)
    return inPixels(
      PathModel([.glyphs(indices.map { first.parts[$0].glyph })]), fontSize(of: host, now: now))
  }

  /// Scales outlines from em to a size in pixels.
  func path(_ outlines: [Path], _ size: Scalar) -> PathModel {
    let path = Path(outlines.flatMap(\.elements))
    return inPixels(PathModel([.fixed(path)]), size)
  }

  func inPixels(_ path: PathModel, _ size: Scalar) -> PathModel {
    if let known = size.constantValue, path.segments.count == 1 {
      let map = Affine.scale(known, known)
      switch path.segments[0] {
      case .fixed(let outline): return PathModel([.fixed(outline.transformed(by: map))])
      case .glyphs(let glyphs):
        return PathModel([.glyphs(glyphs.map { $0.transformed(by: map) })])
      default: break
      }
    }
    return PathModel([
      .mapped(AffineModel(a: size, b: .zero, c: .zero, d: size, e: .zero, f: .zero), path)
    ])
  }

  /// Returns the formula that contains a part, or the element itself.
  func formulaHost(of i: ElementNode) -> ElementNode? { i.kind == .part ? i.parent : i }
}
