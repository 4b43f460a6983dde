// SPDX-License-Identifier: MIT
package import SceneGraphics

/// The properties of a font with a `MATH` table that typesetting needs. Lengths are in em; y grows
/// upward.
///
/// Names and meanings follow OpenType 1.9, chapter "MATH". All methods accept any glyph number,
/// including invalid ones.
package protocol MathFont: Sendable {
  func constant(_ name: MathConstant) -> Double
  /// Returns the glyph of a character; `nil` if the font lacks it.
  func glyph(of scalar: Unicode.Scalar) -> GlyphID?
  /// Returns the script form of a glyph (the first or second alternate of the feature `ssty`), or
  /// the glyph itself.
  func script(_ glyph: GlyphID, level: Int) -> GlyphID
  /// Returns the dotless form of a glyph for use below an accent (`dtls`), or the glyph itself.
  func dotless(_ glyph: GlyphID) -> GlyphID
  func metrics(of glyph: GlyphID) -> GlyphMetrics
  /// Returns the kerning of a script at a corner, at a height above the glyph's baseline.
  func kern(_ glyph: GlyphID, _ corner: MathCorner, height: Double) -> Double
  /// Returns the size variants in ascending order.
  func variants(of glyph: GlyphID, _ side: StretchSide) -> [GlyphVariant]
  /// Returns the parts from which the glyph is assembled in any size, from the bottom or the left;
  /// empty if there are none.
  func assembly(of glyph: GlyphID, _ side: StretchSide) -> [GlyphPart]
  /// Returns the outline relative to the glyph's origin.
  func outline(of glyph: GlyphID) -> Path
}

/// The number of a glyph in its font.
package typealias GlyphID = UInt32

/// The direction in which a glyph is stretched.
package enum StretchSide: Sendable { case vertical, horizontal }

/// The corner of a glyph at which a script is attached.
package enum MathCorner: Int, Sendable { case topRight, topLeft, bottomRight, bottomLeft }

/// The metrics of a glyph, in em.
package struct GlyphMetrics: Hashable, Sendable {
  package var advance: Double
  /// The ink bounds.
  package var left: Double
  package var right: Double
  package var top: Double
  package var bottom: Double
  package var italic: Double
  /// The horizontal attachment point of an accent, relative to the origin.
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

/// A size variant of a glyph, with its length in the stretch direction.
package struct GlyphVariant: Hashable, Sendable {
  package let glyph: GlyphID
  package let length: Double

  package init(glyph: GlyphID, length: Double) {
    self.glyph = glyph
    self.length = length
  }
}

/// A part of a glyph assembly.
package struct GlyphPart: Hashable, Sendable {
  package let glyph: GlyphID
  /// The maximum overlaps with the preceding and the following part.
  package let startConnector: Double
  package let endConnector: Double
  package let length: Double
  /// Whether the part can be repeated or omitted.
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

/// The constants of the `MATH` table in use; raw values are their indices in the table.
package enum MathConstant: Int, CaseIterable, Sendable {
  /// Script sizes, as percentages of the font size.
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
  /// A percentage of the height of the radical.
  case radicalDegreeBottomRaisePercent = 55
  /// The minimum overlap of assembly parts; from the variants table, not a constant of the `MATH`
  /// table.
  case minConnectorOverlap = 56
}
