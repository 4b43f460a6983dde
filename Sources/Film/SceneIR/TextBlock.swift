// SPDX-License-Identifier: MIT

/// A font face to look up: families in order of preference, and a size in pixels.
public struct FontSpec: Hashable, Sendable {
  public var families: [String]
  public var size: Double
  /// The weight as in CSS, 100…900.
  public var weight: Int
  public var italic: Bool
  /// The values of axes of a variable font, sorted by tag. Fonts ignore axes that they do not have.
  public var axes: [FontAxis] = []

  public init(families: [String], size: Double, weight: Int = 400, italic: Bool = false) {
    self.families = families
    self.size = size
    self.weight = weight
    self.italic = italic
  }
}

/// The value of an axis of a variable font.
public struct FontAxis: Hashable, Sendable {
  /// The four characters of the OpenType tag, such as `wdth`.
  public let tag: String
  /// The value in the units of the axis, rounded to 1/100. Fonts clamp it to their range.
  public let value: Double

  /// Creates the value of an axis. A number that is not finite counts as 0.
  public init(tag: String, value: Double) {
    self.tag = tag
    let bounded = value.isFinite ? max(-32_768, min(32_767, value)) : 0
    self.value = (bounded * 100).rounded() / 100
  }
}

extension [FontAxis] {
  /// The axes in the syntax of CSS's `font-variation-settings` without quotes, such as
  /// `wdth=75,wght=300.5`, independent of the locale.
  package var settings: String {
    map { axis in
      let hundredths = Int((axis.value * 100).rounded())
      let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
      let sign = hundredths < 0 ? "-" : ""
      return "\(axis.tag)=\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }.joined(separator: ",")
  }
}

/// A run of text with one set of attributes.
package struct TextRun: Hashable, Sendable {
  package var text: String
  package var font: FontSpec
  /// The distance added after each cluster, in pixels.
  package var letterSpacing: Double
  /// The OpenType features in CSS syntax, such as `"tnum" 1`; empty for the font's defaults.
  package var features: String
  package var underline: Bool
  /// A BCP 47 language tag, or empty.
  package var language: String
  /// The rise above the baseline, in pixels.
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

/// The alignment of lines.
public enum TextAlign: String, Hashable, Sendable, Encodable, CaseIterable {
  case left, center, right, justify
}

/// The base direction of a text; `auto` takes the direction of each paragraph's first strong
/// character.
package enum TextDirection: String, Hashable, Sendable, Encodable, CaseIterable {
  case leftToRight = "left-to-right"
  case rightToLeft = "right-to-left"
  case auto
}

/// The line breaking strategy; names follow CSS `text-wrap-style`.
package enum TextWrap: String, Hashable, Sendable, Encodable, CaseIterable {
  /// Fills each line as far as possible.
  case auto
  /// Makes lines similarly long without adding lines.
  case balance
}

/// The inputs of text layout, without paints.
package struct TextBlock: Hashable, Sendable {
  package var runs: [TextRun]
  /// The width at which lines wrap; `nil` for the width of the longest line.
  package var width: Double?
  package var align: TextAlign
  /// The distance between baselines as a multiple of the font size.
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

/// The paint of a run: fill, then stroke, unless `strokeIsFirst`.
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

/// An axis of a variable font.
package struct FontAxisRange: Hashable, Sendable {
  package let tag: String
  package let minimum: Double
  /// The value of the axis if it is not set.
  package let initial: Double
  package let maximum: Double

  package init(tag: String, minimum: Double, initial: Double, maximum: Double) {
    self.tag = tag
    self.minimum = minimum
    self.initial = initial
    self.maximum = maximum
  }
}
