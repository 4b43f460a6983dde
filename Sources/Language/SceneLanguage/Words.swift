// SPDX-License-Identifier: MIT

/// A word that every element defines for the expressions in its body.
package enum ElementWord: String, CaseIterable, Sendable {
  case t, start, end, duration, progress
  case sceneTime = "scene-time"
}

/// A member of the canvas, as in `scene.width`.
package enum CanvasMember: String, CaseIterable, Sendable {
  case width, height, size, aspect
}

/// A member of an element's box, as in `title.box.width`.
package enum BoxMember: String, CaseIterable, Sendable {
  case size, width, height
}

/// The units of a formula that `each` animates.
package enum FormulaUnit: String, CaseIterable, Sendable {
  case glyph
  /// A part that starts at a relation or a binary operator outside all groups.
  case term
}
