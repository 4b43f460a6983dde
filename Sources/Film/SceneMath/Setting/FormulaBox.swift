// SPDX-License-Identifier: MIT
package import SceneGraphics

/// A unit of drawing: a glyph, an assembled bracket, or a rule.
///
/// Coordinates are in em of the formula; y grows upward from the baseline.
package struct FormulaPiece: Hashable, Sendable {
  /// A glyph or rule of a piece.
  package enum Shape: Hashable, Sendable {
    /// A glyph with its origin relative to the piece, in em of the piece.
    case glyph(GlyphID, Point)
    case rule(Rect)
    /// A line with butt caps, such as the strike of `\cancel`.
    case line(Point, Point, width: Double)
  }

  package var shapes: [Shape]
  package var origin: Point
  /// The em of the piece, relative to the em of the formula.
  package var scale: Double
  /// The byte range in the source.
  package var range: Range<Int>
  /// The character that the piece represents, in any form; `nil` for a rule.
  package var sign: Unicode.Scalar?
  /// The color that the formula sets, or `nil`.
  package var color: Color?
  /// The number of the enclosing term. Terms begin at relations and binary operators outside all
  /// groups.
  package var term = 0
  /// The row of the outermost environment with rows, from 0; 0 outside environments.
  package var line = 0
  /// The role in the formula, as a number; 0 in the main row (`FormulaRole`).
  package var role = 0
  /// The byte offset of the word that the piece is a letter of, or `nil`.
  package var word: Int?
}

/// The roles of the boxes below a node. The role of a piece combines those of all enclosing boxes.
enum FormulaRole: Int {
  case superscript = 1
  case `subscript`
  case numerator
  case denominator
}

/// A typeset part of a formula.
struct FormulaBox {
  var width = 0.0
  var height = 0.0
  var depth = 0.0
  var pieces: [FormulaPiece] = []
  /// The glyph and the italic correction that determine the positions of scripts, for a single
  /// glyph or an accented one.
  var glyph: GlyphID?
  var italic = 0.0
  /// The accent position of a single glyph.
  var accent: Double?

  static func space(_ width: Double) -> FormulaBox { FormulaBox(width: width) }

  /// Inserts another box without changing the extent of this one.
  mutating func put(_ box: FormulaBox, x: Double, y: Double) {
    for piece in box.pieces {
      var piece = piece
      piece.origin = Point(piece.origin.x + x, piece.origin.y + y)
      pieces.append(piece)
    }
  }

  /// Inserts another box and extends the height and depth to include it.
  mutating func cover(_ box: FormulaBox, x: Double, y: Double) {
    put(box, x: x, y: y)
    height = max(height, box.height + y)
    depth = max(depth, box.depth - y)
  }

  /// Appends another box at the right.
  mutating func append(_ box: FormulaBox) {
    cover(box, x: width, y: 0)
    width += box.width
  }

  /// The box without its glyph properties.
  var plain: FormulaBox {
    var it = self
    it.glyph = nil
    it.accent = nil
    it.italic = 0
    return it
  }

  /// Returns the box with a role within the enclosing node.
  func acting(as role: FormulaRole) -> FormulaBox {
    var it = self
    for index in it.pieces.indices {
      it.pieces[index].role = it.pieces[index].role &* 5 &+ role.rawValue
    }
    return it
  }

  /// Returns the box with all pieces representing the character `sign`.
  func standing(for sign: Unicode.Scalar) -> FormulaBox {
    var it = self
    for index in it.pieces.indices { it.pieces[index].sign = sign }
    return it
  }

  /// Returns the box with all pieces as letters of a word, which begins at a byte offset.
  func spelling(_ word: Int?) -> FormulaBox {
    var it = self
    for index in it.pieces.indices { it.pieces[index].word = word }
    return it
  }

  /// Returns the box centered within a width.
  func centered(in width: Double) -> FormulaBox {
    var it = FormulaBox(width: width, height: height, depth: depth)
    it.put(self, x: (width - self.width) / 2, y: 0)
    return it
  }
}
