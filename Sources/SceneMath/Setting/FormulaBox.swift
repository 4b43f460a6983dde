// SPDX-License-Identifier: MIT
package import SceneGraphics

/// Something that is drawn as one: a glyph, a bracket of several parts, a rule.
///
/// Coordinates are em of the formula; y grows upwards from the baseline.
package struct FormulaPiece: Hashable, Sendable {
  /// A part of a piece.
  package enum Shape: Hashable, Sendable {
    /// With its origin at a point, relative to the piece and in em of its size.
    case glyph(GlyphID, Point)
    case rule(Rect)
  }

  package var shapes: [Shape]
  package var origin: Point
  /// Its em, as a share of that of the formula.
  package var scale: Double
  /// The bytes that it is written with.
  package var range: Range<Int>
  /// The character that it stands for, in whatever form; `nil` for a rule.
  package var sign: Unicode.Scalar?
  /// The number of the term that it is in: what begins at a relation or a binary operator outside
  /// all groups.
  package var term = 0
}

/// A part of a formula that is set.
struct FormulaBox {
  var width = 0.0
  var height = 0.0
  var depth = 0.0
  var pieces: [FormulaPiece] = []
  /// Of a single glyph, and of an accent on one: what scripts are placed by.
  var glyph: GlyphID?
  var italic = 0.0
  /// Where accents are placed on a single glyph.
  var accent: Double?

  static func space(_ width: Double) -> FormulaBox { FormulaBox(width: width) }

  /// Puts another box into this one without a change of its extent.
  mutating func put(_ box: FormulaBox, x: Double, y: Double) {
    for piece in box.pieces {
      var piece = piece
      piece.origin = Point(piece.origin.x + x, piece.origin.y + y)
      pieces.append(piece)
    }
  }

  /// Puts another box in, and covers it in height and depth.
  mutating func cover(_ box: FormulaBox, x: Double, y: Double) {
    put(box, x: x, y: y)
    height = max(height, box.height + y)
    depth = max(depth, box.depth - y)
  }

  /// Adds another box at the right.
  mutating func append(_ box: FormulaBox) {
    cover(box, x: width, y: 0)
    width += box.width
  }

  /// The same without being a glyph.
  var plain: FormulaBox {
    var it = self
    it.glyph = nil
    it.accent = nil
    it.italic = 0
    return it
  }

  /// The same, which stands for a character.
  func standing(for sign: Unicode.Scalar) -> FormulaBox {
    var it = self
    for index in it.pieces.indices { it.pieces[index].sign = sign }
    return it
  }

  /// As wide as another one, in its middle.
  func centered(in width: Double) -> FormulaBox {
    var it = FormulaBox(width: width, height: height, depth: depth)
    it.put(self, x: (width - self.width) / 2, y: 0)
    return it
  }
}
