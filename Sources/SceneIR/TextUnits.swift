// SPDX-License-Identifier: MIT
package import SceneGraphics

/// The parts of a text that can move one by one.
package enum TextUnitKind: String, Hashable, Sendable, Encodable, CaseIterable {
  /// A grapheme cluster (UAX 29) that is not white space.
  case glyph
  /// What stands between white space.
  case word
  case line
}

/// How the parts of a text are drawn, each moved about the middle of its own place.
package struct TextUnits: Hashable, Sendable {
  package var kind: TextUnitKind
  /// For each unit in reading order; further units are drawn as they are.
  package var styles: [TextUnitStyle]
  /// The number of glyphs that are shown from the start, whatever the kind; `nil` for all.
  package var shown: Int?
  /// The line that the text stands on, in place of a straight one.
  package var along: TextLine?
  /// Runs that are moved about their middle, and their units with them; outer ones first.
  package var spans: [TextSpan]

  package init(
    kind: TextUnitKind, styles: [TextUnitStyle], shown: Int? = nil, along: TextLine? = nil,
    spans: [TextSpan] = []
  ) {
    self.spans = spans
    self.kind = kind
    self.styles = styles
    self.shown = shown
    self.along = along
  }

  package func faded(_ opacity: Double) -> TextUnits {
    var it = self
    for index in it.styles.indices { it.styles[index].opacity *= opacity }
    return it
  }
}

/// Some runs of a text and how they are drawn.
package struct TextSpan: Hashable, Sendable {
  package var runs: Range<Int>
  package var style: TextUnitStyle

  package init(runs: Range<Int>, style: TextUnitStyle) {
    self.runs = runs
    self.style = style
  }
}

/// A path under the baseline of a text of one line.
package struct TextLine: Hashable, Sendable {
  /// In the coordinates of the text.
  package var path: Path
  /// The share of the length at which the text is held: begins, is centered or ends, as it is aligned.
  package var start: Double

  package init(path: Path, start: Double) {
    self.path = path
    self.start = start
  }
}

/// How one unit of a text is drawn: its place, opacity, paints and blur.
package struct TextUnitStyle: Hashable, Sendable {
  package var opacity: Double
  /// About the middle of the unit.
  package var map: Affine
  /// In place of the paints of the run.
  package var fill: Paint?
  package var stroke: Paint?
  /// The standard deviation of a blur, in pixels.
  package var blur: Double
  /// How far the unit is moved within its own box, in shares of the width and height. The box cuts off
  /// the part of the unit that leaves it.
  package var shift: Point

  package init(
    opacity: Double = 1, map: Affine = .identity, fill: Paint? = nil, stroke: Paint? = nil,
    blur: Double = 0, shift: Point = .zero
  ) {
    self.opacity = opacity
    self.map = map
    self.fill = fill
    self.stroke = stroke
    self.blur = blur
    self.shift = shift
  }
}
