// SPDX-License-Identifier: MIT
import SceneCairo
import SceneIR

// A font may have a glyph for a character and draw nothing with it, as EB Garamond's optical size 08
// does for Greek letters: then another face of the family is taken.
extension TextLayout {
  /// Lays the block out with faces that draw all of it, where there are such. Answers how many
  /// characters are drawn as nothing.
  static func shape(_ block: TextBlock, _ runs: RunMap, _ shaper: TextShaper) -> (ShapedText, Int) {
    var best = (block: block, text: shaper.shape(block))
    var blanks = self.blanks(in: best.text, block, runs)
    for (run, blank) in blanks.sorted(by: { $0.key < $1.key }) {
      for name in shaper.siblings(of: blank.first) {
        var tried = best.block
        tried.runs[run].font.families.insert(name, at: 0)
        let text = shaper.shape(tried)
        let left = self.blanks(in: text, block, runs)
        guard left[run] == nil else { continue }
        best = (tried, text)
        blanks = left
        break
      }
    }
    return (best.text, blanks.values.reduce(0) { $0 + $1.count })
  }

  private struct Blank {
    /// The first run of glyphs that has one.
    let first: ShapedRun
    var count: Int
  }

  /// The runs of the block that have glyphs that draw nothing.
  private static func blanks(in text: ShapedText, _ block: TextBlock, _ runs: RunMap)
    -> [Int: Blank]
  {
    var found: [Int: Blank] = [:]
    let bytes = Array(block.string.utf8)
    for run in text.runs where !run.isColored && run.isFile {
      for glyph in run.glyphs where glyph.isBlank {
        guard let scalar = scalar(at: glyph.byte, in: bytes), isVisible(scalar),
          run.drawsNothing(scalar)
        else { continue }
        found[runs.index(of: run.byte), default: Blank(first: run, count: 0)].count += 1
      }
    }
    return found
  }

  private static func scalar(at offset: Int, in bytes: [UInt8]) -> Unicode.Scalar? {
    guard offset < bytes.count else { return nil }
    var decoder = UTF8()
    var rest = bytes[offset...].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
    return scalar
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate,
      .unassigned, .privateUse:
      false
    default: !scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isWhitespace
    }
  }
}
