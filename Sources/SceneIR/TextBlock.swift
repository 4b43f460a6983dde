// SPDX-License-Identifier: MIT

/// A face to look up: families in order of preference, size in pixels.
public struct FontSpec: Hashable, Sendable {
  public var families: [String]
  public var size: Double
  /// 100…900, as in CSS.
  public var weight: Int
  public var italic: Bool

  public init(families: [String], size: Double, weight: Int = 400, italic: Bool = false) {
    self.families = families
    self.size = size
    self.weight = weight
    self.italic = italic
  }
}

/// A stretch of text with one set of attributes.
package struct TextRun: Hashable, Sendable {
  package var text: String
  package var font: FontSpec
  /// Pixels added behind each cluster.
  package var letterSpacing: Double
  /// OpenType features in CSS syntax, such as `"tnum" 1`; empty for the font's defaults.
  package var features: String
  package var underline: Bool
  /// BCP 47, or empty.
  package var language: String
  /// Pixels above the line.
  package var rise: Double

  package init(
    _ text: String, font: FontSpec, letterSpacing: Double = 0, features: String = "",
    underline: Bool = false, language: String = "", rise: Double = 0
  ) {
    self.rise = rise
    self.text = text
    self.font = font
    self.letterSpacing = letterSpacing
    self.features = features
    self.underline = underline
    self.language = language
  }
}

/// Where lines of a text begin or end.
public enum TextAlign: String, Hashable, Sendable, Encodable, CaseIterable {
  case left, center, right, justify
}

/// Which way lines run; by itself each paragraph takes that of its first strong character.
package enum TextDirection: String, Hashable, Sendable, Encodable, CaseIterable {
  case leftToRight = "left-to-right"
  case rightToLeft = "right-to-left"
  case auto
}

/// How a text is broken into lines where it is wider than its width; names as CSS `text-wrap-style`.
package enum TextWrap: String, Hashable, Sendable, Encodable, CaseIterable {
  /// As much as fits in each line.
  case auto
  /// Lines about as long as each other, no more of them than that.
  case balance
}

/// All that decides how text is laid out, and nothing of how it is painted.
package struct TextBlock: Hashable, Sendable {
  package var runs: [TextRun]
  /// Lines wrap at it; `nil` for as wide as the longest line.
  package var width: Double?
  package var align: TextAlign
  /// Distance of two baselines as a multiple of the font size.
  package var lineHeight: Double
  package var direction: TextDirection
  package var wrap: TextWrap

  package init(
    runs: [TextRun], width: Double? = nil, align: TextAlign = .left, lineHeight: Double = 1.2,
    direction: TextDirection = .auto, wrap: TextWrap = .auto
  ) {
    self.wrap = wrap
    self.runs = runs
    self.width = width
    self.align = align
    self.lineHeight = lineHeight
    self.direction = direction
  }

  package var string: String { runs.map(\.text).joined() }
}

/// How a run is painted: filled, then stroked, unless `strokeIsFirst`.
package struct TextPaint: Hashable, Sendable {
  package var fill: Paint?
  package var stroke: Paint?
  package var strokeStyle: StrokeStyle
  package var strokeIsFirst: Bool

  package init(
    fill: Paint?, stroke: Paint? = nil, strokeStyle: StrokeStyle = .init(width: 1),
    strokeIsFirst: Bool = false
  ) {
    self.fill = fill
    self.stroke = stroke
    self.strokeStyle = strokeStyle
    self.strokeIsFirst = strokeIsFirst
  }
}
