// SPDX-License-Identifier: MIT
package import SceneGraphics

/// The parts of a text that can move one by one.
package enum TextUnitKind: String, Hashable, Sendable, CaseIterable {
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

  package init(kind: TextUnitKind, styles: [TextUnitStyle], shown: Int? = nil) {
    self.kind = kind
    self.styles = styles
    self.shown = shown
  }

  package func faded(_ opacity: Double) -> TextUnits {
    var it = self
    for index in it.styles.indices { it.styles[index].opacity *= opacity }
    return it
  }
}

package struct TextUnitStyle: Hashable, Sendable {
  package var opacity: Double
  /// About the middle of the unit.
  package var map: Affine
  /// In place of the paint of the run.
  package var fill: Paint?

  package init(opacity: Double = 1, map: Affine = .identity, fill: Paint? = nil) {
    self.opacity = opacity
    self.map = map
    self.fill = fill
  }
}
