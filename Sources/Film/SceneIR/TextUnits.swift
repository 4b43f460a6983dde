// SPDX-License-Identifier: MIT
package import SceneGraphics

/// The kind of text unit that can move separately.
package enum TextUnitKind: String, Hashable, Sendable, Encodable, CaseIterable {
  /// A grapheme cluster (UAX 29) that is not white space.
  case glyph
  /// A sequence of characters between white space.
  case word
  case line
}

/// The styles of a text's units, each transformed about its own center.
package struct TextUnits: Hashable, Sendable {
  package var kind: TextUnitKind
  /// The style of each unit in reading order; further units have the default style.
  package var styles: [TextUnitStyle]
  /// The number of visible glyphs from the start, regardless of `kind`; `nil` for all.
  package var shown: Int?
  /// The progress of drawing and filling all glyphs; `nil` for complete glyphs.
  package var writing: Writing?
  /// The path that the text follows instead of a straight line.
  package var along: TextLine?
  /// Spans of runs that are transformed about their center together with their units; outer ones
  /// first.
  package var spans: [TextSpan]
  /// The pen that redraws the glyphs by hand; `nil` for exact outlines.
  package var rough: RoughPen?
  /// The eye that looks at units in space, in the coordinates of the text.
  package var eye = SpaceMap.identity

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

  /// Whether any glyphs are drawn and then filled, as by the effect `write`.
  package var isWritten: Bool {
    writing != nil || styles.contains { $0.writing != nil }
      || spans.contains { $0.style.writing != nil }
  }

  package func faded(_ opacity: Double) -> TextUnits {
    var it = self
    for index in it.styles.indices { it.styles[index].opacity *= opacity }
    return it
  }
}

/// A range of runs with a style.
package struct TextSpan: Hashable, Sendable {
  package var runs: Range<Int>
  package var style: TextUnitStyle

  package init(runs: Range<Int>, style: TextUnitStyle) {
    self.runs = runs
    self.style = style
  }
}

/// Whether the letters of a text on a path keep their shape.
package enum LetterShape: String, Hashable, Sendable, CaseIterable {
  case rigid
  /// The outlines bend with the path.
  case bent
}

/// A path under the baseline of a single-line text.
package struct TextLine: Hashable, Sendable {
  /// The path in the coordinates of the text.
  package var path: Path
  /// The anchor as a fraction of the path's length: the start, center or end of the text, depending
  /// on its alignment.
  package var start: Double
  /// Whether the glyphs bend with the path.
  package var isBent: Bool

  package init(path: Path, start: Double, isBent: Bool = false) {
    self.path = path
    self.start = start
    self.isBent = isBent
  }
}

/// The style of one text unit: transform, opacity, paints and blur.
package struct TextUnitStyle: Hashable, Sendable {
  package var opacity: Double
  /// The transform about the center of the unit.
  package var map: Affine
  /// The transform in space about the center of the unit, which replaces `map`; `nil` for a flat
  /// unit.
  package var space: SpaceMap?
  /// The paints that replace those of the run.
  package var fill: Paint?
  package var stroke: Paint?
  /// The standard deviation of the blur, in pixels.
  package var blur: Double
  /// The displacement within the unit's own box, as fractions of its width and height. The box
  /// clips the unit.
  package var shift: Point
  /// The progress of drawing and filling the glyphs of the unit; `nil` for complete glyphs.
  package var writing: Writing?

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
