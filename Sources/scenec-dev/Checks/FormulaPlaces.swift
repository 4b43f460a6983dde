// SPDX-License-Identifier: MIT
import Foundation
import SceneCairo
import SceneGraphics
import SceneMath

/// Where the glyphs and rules of formulas are, for a comparison with TeX.
enum FormulaPlaces {
  /// One line for each formula of a file: `G` with number, character, place and size of each glyph, `R` for
  /// each rule; in em from the baseline.
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

  /// The font is not on this machine.
  struct NoFont: Error {}
}
