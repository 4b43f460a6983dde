// SPDX-License-Identifier: MIT
import SceneIR
import SceneLanguage
import SceneMath
import SceneModel
import SceneSyntax
import SceneText

// Effects that draw outlines and then fill them: `draw` as one line, `write` glyph by glyph.
extension Checker {
  /// The number of glyphs from which writing takes two seconds by default instead of one.
  static let manyGlyphs = 15

  /// Returns the progress of the effects that draw and fill the outlines of an element; `nil` if it
  /// has none.
  ///
  /// `drawn` is omitted for outlines that are only lines, since `trim` contains it.
  func writing(of i: ElementNode, isLine: Bool = false) -> WritingModel? {
    let drawn = isLine ? nil : least(.drawn, of: i)
    let written = least(.written, of: i)
    if drawn == nil, written == nil { return nil }
    return WritingModel(drawn: drawn ?? .one, written: written ?? .one)
  }

  /// Returns the minimum progress among the effects of an element; `nil` without such effects.
  private func least(_ property: EffectProperty, of i: ElementNode) -> Scalar? {
    var result: Scalar?
    for (value, span) in effect(property, of: i, now: now) {
      guard let share = asNumber(value, span) else { continue }
      result = result.map { builder.make(.minimum, a: $0, b: share) } ?? share
    }
    return result
  }

  /// Returns the drawn part of an outline for each effect that draws it.
  func drawnRanges(of i: ElementNode) -> [(Value, SourceSpan)] {
    effect(.drawn, of: i, now: now).compactMap { value, span in
      asNumber(value, span).map { (.range(.number(.zero), .number($0)), span) }
    }
  }

  /// Returns the drawing of an outline, with the effects that draw it.
  func outlineDrawing(
    _ outline: OutlineModel, fill: PaintModel?, stroke: StrokeModel?, of i: ElementNode,
    strokeIsFirst: Bool
  ) -> ElementModel.Drawing {
    let isLine = fill?.isInvisible != false && stroke != nil
    return .outline(
      outline, fill: fill, stroke: stroke, trim: trim(of: i, isLine: isLine),
      strokeIsFirst: strokeIsFirst, writing: writing(of: i, isLine: isLine))
  }

  // MARK: Glyphs

  /// Returns the number of glyphs that an effect of an element writes.
  func glyphCount(of i: ElementNode) -> Int {
    switch i.kind {
    case .text, .span: return textGlyphCount(of: i)
    case .math, .part:
      guard !isVectorPart(i), let host = formulaHost(of: i), let formula = formula(of: host) else {
        return 1
      }
      return i.kind == .part ? claim(of: i, in: formula).count : formula.parts.count
    default: return 1
    }
  }

  private func textGlyphCount(of i: ElementNode) -> Int {
    textRuns(of: i).reduce(0) { sum, run in
      guard let (value, span) = value(.content, of: run, now: now),
        let text = textPiece(value, span)
      else { return sum }
      return sum + text.greatestGlyphCount
    }
  }

  /// Returns the width in pixels of the line that draws the glyphs of a font size, by the same
  /// formula as `Writing`.
  func glyphLine(_ size: Scalar) -> Scalar {
    let width = builder.make(
      .minimum, a: builder.scaled(size, Writing.lineOfFontSize),
      b: .constant(Writing.greatestLine))
    return builder.make(.maximum, a: .constant(Writing.leastLine), b: width)
  }
}

extension PaintModel {
  /// Whether the paint is a transparent color at all times.
  var isInvisible: Bool {
    if case .color(let color) = self { color.alpha == .zero } else { false }
  }
}
