// SPDX-License-Identifier: MIT
package import SceneGraphics

/// A font without files, for tests and the fuzzer: each glyph is a box half an em wide.
///
/// The glyph number is the character; each of the larger variants, from 0x200000 on, is one em
/// taller.
package struct PlainMathFont: MathFont {
  package init() {}

  package func constant(_ name: MathConstant) -> Double {
    switch name {
    case .scriptPercentScaleDown: 70
    case .scriptScriptPercentScaleDown: 50
    case .radicalDegreeBottomRaisePercent: 60
    case .axisHeight: 0.25
    case .displayOperatorMinHeight: 1.3
    case .fractionRuleThickness, .radicalRuleThickness, .overbarRuleThickness,
      .underbarRuleThickness:
      0.04
    case .superscriptShiftUp, .superscriptShiftUpCramped: 0.4
    case .subscriptShiftDown: 0.2
    case .fractionNumeratorDisplayStyleShiftUp, .fractionDenominatorDisplayStyleShiftDown: 0.7
    case .fractionNumeratorShiftUp, .fractionDenominatorShiftDown: 0.4
    case .accentBaseHeight: 0.5
    case .radicalKernBeforeDegree: 0.3
    case .radicalKernAfterDegree: -0.5
    default: 0.1
    }
  }

  /// Returns `nil` for the snowman, to test missing characters.
  package func glyph(of scalar: Unicode.Scalar) -> GlyphID? {
    scalar == "\u{2603}" ? nil : scalar.value
  }

  package func script(_ glyph: GlyphID, level: Int) -> GlyphID { glyph }
  package func dotless(_ glyph: GlyphID) -> GlyphID { glyph }

  private func height(of glyph: GlyphID) -> Double {
    glyph >= 0x200000 ? Double(glyph >> 21) + 0.9 : 0.7
  }

  package func metrics(of glyph: GlyphID) -> GlyphMetrics {
    GlyphMetrics(
      advance: 0.5, left: 0.05, right: 0.45, top: height(of: glyph), bottom: -0.2, italic: 0,
      accent: 0.25)
  }

  package func kern(_ glyph: GlyphID, _ corner: MathCorner, height: Double) -> Double { 0 }

  /// Returns the glyph and three larger variants.
  package func variants(of glyph: GlyphID, _ side: StretchSide) -> [GlyphVariant] {
    guard side == .vertical, glyph < 0x200000 else { return [] }
    return (0...3).map { GlyphVariant(glyph: glyph | $0 << 21, length: Double($0) + 0.9) }
  }

  package func assembly(of glyph: GlyphID, _ side: StretchSide) -> [GlyphPart] {
    guard glyph == 0x28 || glyph == 0x23DE else { return [] }
    return [false, true, false].map {
      GlyphPart(
        glyph: glyph, startConnector: 0.2, endConnector: 0.2, length: 0.9, isExtender: $0)
    }
  }

  package func outline(of glyph: GlyphID) -> Path {
    if glyph & 0x1FFFFF == 0x20 { return Path() }
    let it = metrics(of: glyph)
    return Path.rect(
      Rect(x: it.left, y: it.bottom, width: it.right - it.left, height: it.top - it.bottom),
      radius: 0)
  }
}
