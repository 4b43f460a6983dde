// SPDX-License-Identifier: MIT

/// The progress of outlines that are drawn first and then filled.
package struct Writing: Hashable, Sendable {
  /// The progress, from 0 to 1, of drawing all outlines as one line and then filling them together.
  package var drawn: Double
  /// The progress, from 0 to 1, of writing one glyph after another.
  package var written: Double

  /// Creates a progress. Numbers outside 0…1 are clamped.
  package init(drawn: Double = 1, written: Double = 1) {
    self.drawn = Writing.share(drawn)
    self.written = Writing.share(written)
  }

  /// Whether everything is drawn and filled.
  package var isComplete: Bool { drawn >= 1 && written >= 1 }

  /// The state of one outline.
  package struct Stage: Hashable, Sendable {
    /// The drawn fraction of the line.
    package var line: Double
    /// The opacity of the fill.
    package var fill: Double

    package init(line: Double, fill: Double) {
      self.line = line
      self.fill = fill
    }

    package static let complete = Stage(line: 1, fill: 1)

    /// Returns the minimum of two states, for the line and the fill separately.
    package func combined(with other: Stage) -> Stage {
      Stage(line: min(line, other.line), fill: min(fill, other.fill))
    }
  }

  /// The fraction of `drawn` in which the outlines of a filled shape are drawn.
  private static let lineShare = 0.7

  /// Returns the state of outlines that are drawn as one line. Without a fill, drawing the line
  /// takes the whole time.
  package func stage(isFilled: Bool) -> Stage {
    guard isFilled else { return Stage(line: drawn, fill: 1) }
    return Stage(
      line: min(1, drawn / Writing.lineShare),
      fill: max(0, (drawn - Writing.lineShare) / (1 - Writing.lineShare)))
  }

  /// Returns the state of a glyph, by its position among the glyphs that are written one after
  /// another.
  ///
  /// The timing is that of `Write` in Manim: each glyph starts a fraction of its own duration after
  /// the preceding one. A filled glyph is outlined in the first half and filled in the second half.
  package func stage(ofGlyph rank: Int, among count: Int, isFilled: Bool) -> Stage {
    let lag = min(4 / Double(count + 1), 0.2)
    let whole = Double(max(0, count - 1)) * lag + 1
    let own = written >= 1 ? 1 : Writing.share(written * whole - Double(rank) * lag)
    guard isFilled else { return Stage(line: Writing.smooth(own), fill: 1) }
    return Stage(
      line: Writing.smooth(min(1, 2 * own)), fill: Writing.smooth(max(0, 2 * own - 1)))
  }

  /// Returns the width of the line around filled glyphs without a stroke, in pixels.
  package static func lineWidth(forFontSize size: Double) -> Double {
    max(leastLine, min(size * lineOfFontSize, greatestLine))
  }

  /// The width of the line as a fraction of the font size, and its limits in pixels.
  package static let lineOfFontSize = 1.0 / 48
  package static let leastLine = 0.75
  package static let greatestLine = 4.0
  /// The width of the line around filled shapes without a stroke, in pixels.
  package static let shapeLine = 2.0

  /// Returns a quintic smooth step, whose first and second derivatives are 0 at both ends.
  private static func smooth(_ u: Double) -> Double { u * u * u * (10 + u * (6 * u - 15)) }

  private static func share(_ value: Double) -> Double { value > 0 ? min(1, value) : 0 }
}
