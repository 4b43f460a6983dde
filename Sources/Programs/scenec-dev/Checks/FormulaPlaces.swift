// SPDX-License-Identifier: MIT
import Foundation
import SceneCairo
import SceneGraphics
import SceneMath

/// The positions of the glyphs and rules of formulas, for comparison with TeX.
enum FormulaPlaces {
  /// Prints one line for each formula of a file: `G` with the number, character, position and size
  /// of each glyph, `R` for each rule. Positions are in em relative to the baseline.
  static func print(_ path: String) throws {
    guard let font = FontLibrary().formulaFont("Latin Modern Math") else { throw NoFont() }
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      let formula = try Formula(String(line), font: font)
      let items = formula.parts.flatMap { part in
        part.glyphs.map { glyph in
          let y = glyph.origin.y - formula.baseline
          return "G \(glyph.id) \(part.sign?.value ?? 0) \(glyph.origin.x) \(y) \(glyph.scale)"
        } + part.rules.map { _ in "R" }
      }
      Swift.print(items.joined(separator: ";"))
    }
  }

  /// An error for a missing font.
  struct NoFont: Error {}
}
