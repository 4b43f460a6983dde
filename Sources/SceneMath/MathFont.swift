// SPDX-License-Identifier: MIT
package import SceneGraphics

/// What a formula needs to know of a font that has a `MATH` table; lengths are in em, y grows upwards.
///
/// Names and meanings are those of OpenType 1.9, chapter "MATH". Everything answers for every glyph
/// number, also for one that the font does not have.
package protocol MathFont: Sendable {
  func constant(_ name: MathConstant) -> Double
  /// The glyph of a character; `nil` where the font has none.
  func glyph(of scalar: Unicode.Scalar) -> GlyphID?
  /// Its form in scripts: the first or second one of the feature `ssty`, else itself.
  func script(_ glyph: GlyphID, level: Int) -> GlyphID
  /// Its form without a dot, below an accent (`dtls`), else itself.
  func dotless(_ glyph: GlyphID) -> GlyphID
  func metrics(of glyph: GlyphID) -> GlyphMetrics
  /// How far a script at a corner comes nearer, at some height above the baseline of the glyph.
  func kern(_ glyph: GlyphID, _ corner: MathCorner, height: Double) -> Double
  /// Larger forms, from small to large.
  func variants(of glyph: GlyphID, _ side: StretchSide) -> [GlyphVariant]
  /// Parts of which it can be built in any size, from the bottom or the left; empty for none.
  func assembly(of glyph: GlyphID, _ side: StretchSide) -> [GlyphPart]
  /// Its outlines, from its origin.
  func outline(of glyph: GlyphID) -> Path
}

/// The number of a glyph in its font.
package typealias GlyphID = UInt32

/// Which way a glyph grows.
package enum StretchSide: Sendable { case vertical, horizontal }

/// Where scripts meet a glyph.
package enum MathCorner: Int, Sendable { case topRight, topLeft, bottomRight, bottomLeft }

/// What is known of a glyph, in em.
package struct GlyphMetrics: Hashable, Sendable {
  package var advance: Double
  /// The box of its ink.
  package var left: Double
  package var right: Double
  package var top: Double
  package var bottom: Double
  package var italic: Double
  /// Where an accent is placed, from its origin.
  package var accent: Double

  package init(
    advance: Double, left: Double, right: Double, top: Double, bottom: Double, italic: Double,
    accent: Double
  ) {
    self.advance = advance
    self.left = left
    self.right = right
    self.top = top
    self.bottom = bottom
    self.italic = italic
    self.accent = accent
  }
}

/// A larger form of a glyph, and how long it is in the direction in which it grows.
package struct GlyphVariant: Hashable, Sendable {
  package let glyph: GlyphID
  package let length: Double

  package init(glyph: GlyphID, length: Double) {
    self.glyph = glyph
    self.length = length
  }
}

/// A part of a glyph that is built in any size.
package struct GlyphPart: Hashable, Sendable {
  package let glyph: GlyphID
  /// How far it may overlap the part before it, and the one after it.
  package let startConnector: Double
  package let endConnector: Double
  package let length: Double
  /// Whether it may be repeated, or left out.
  package let isExtender: Bool

  package init(
    glyph: GlyphID, startConnector: Double, endConnector: Double, length: Double, isExtender: Bool
  ) {
    self.glyph = glyph
    self.startConnector = startConnector
    self.endConnector = endConnector
    self.length = length
    self.isExtender = isExtender
  }
}

/// The constants of a `MATH` table that are used here, by their numbers in the table.
package enum MathConstant: Int, CaseIterable, Sendable {
  /// Shares of the size, in percent.
  case scriptPercentScaleDown = 0
  case scriptScriptPercentScaleDown = 1
  case delimitedSubFormulaMinHeight = 2
  case displayOperatorMinHeight = 3
  case axisHeight = 5
  case accentBaseHeight = 6
  case subscriptShiftDown = 8
  case subscriptTopMax = 9
  case subscriptBaselineDropMin = 10
  case superscriptShiftUp = 11
  case superscriptShiftUpCramped = 12
  case superscriptBottomMin = 13
  case superscriptBaselineDropMax = 14
  case subSuperscriptGapMin = 15
  case superscriptBottomMaxWithSubscript = 16
  case spaceAfterScript = 17
  case upperLimitGapMin = 18
  case upperLimitBaselineRiseMin = 19
  case lowerLimitGapMin = 20
  case lowerLimitBaselineDropMin = 21
  case stackTopShiftUp = 22
  case stackTopDisplayStyleShiftUp = 23
  case stackBottomShiftDown = 24
  case stackBottomDisplayStyleShiftDown = 25
  case stackGapMin = 26
  case stackDisplayStyleGapMin = 27
  case stretchStackGapAboveMin = 30
  case stretchStackGapBelowMin = 31
  case fractionNumeratorShiftUp = 32
  case fractionNumeratorDisplayStyleShiftUp = 33
  case fractionDenominatorShiftDown = 34
  case fractionDenominatorDisplayStyleShiftDown = 35
  case fractionNumeratorGapMin = 36
  case fractionNumDisplayStyleGapMin = 37
  case fractionRuleThickness = 38
  case fractionDenominatorGapMin = 39
  case fractionDenomDisplayStyleGapMin = 40
  case overbarVerticalGap = 43
  case overbarRuleThickness = 44
  case overbarExtraAscender = 45
  case underbarVerticalGap = 46
  case underbarRuleThickness = 47
  case underbarExtraDescender = 48
  case radicalVerticalGap = 49
  case radicalDisplayStyleVerticalGap = 50
  case radicalRuleThickness = 51
  case radicalExtraAscender = 52
  case radicalKernBeforeDegree = 53
  case radicalKernAfterDegree = 54
  /// A share of the height of the root, in percent.
  case radicalDegreeBottomRaisePercent = 55
  /// Not a constant of the table but of its variants: how much parts overlap at least.
  case minConnectorOverlap = 56
}
