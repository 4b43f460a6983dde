// SPDX-License-Identifier: MIT
import SceneCairo
import SceneIR

// Fonts can contain an empty glyph for a visible character, as EB Garamond's optical size 08 does
// for Greek letters. Another face of the family is used instead.
extension ShapedText {
  /// Returns the byte offsets at which a line may start.
  fileprivate func allowedStarts(in string: String) -> Set<Int> {
    var starts: Set<Int> = [0]
    var byte = 0
    for (scalar, mayBreak) in zip(string.unicodeScalars, [true] + lineBreaks) {
      if mayBreak { starts.insert(byte) }
      byte += UTF8.width(scalar)
    }
    return starts
  }
}

extension TextLayout {
  /// Lays out a block with faces that have visible glyphs for all of it, if possible. Returns the
  /// number of characters that remain invisible.
  static func shape(_ block: TextBlock, runs: RunMap, shaper: TextShaper) -> (ShapedText, Int) {
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

  /// A laid-out text, with balanced lines if requested.
  struct Wrapped {
    let text: ShapedText
    /// The number of characters that remain invisible.
    let blankCount: Int
    /// The horizontal shift of the balanced lines.
    let shift: Double
  }

  /// Lays out a block like `shape` and balances its lines if requested.
  static func wrapped(_ block: TextBlock, runs: RunMap, shaper: TextShaper) -> Wrapped {
    let (text, blanks) = shape(block, runs: runs, shaper: shaper)
    guard block.wrap == .balance, let width = block.width, width >= 2, text.lines.count > 1 else {
      return Wrapped(text: text, blankCount: blanks, shift: 0)
    }
    // Finds the minimum width that adds no line and breaks no word.
    let breaks = text.allowedStarts(in: block.string)
    var best = (text: text, width: width)
    var (low, high) = (width / Double(text.lines.count + 1), width)
    while high - low > max(0.5, width / 60) {
      var tried = block
      tried.width = (low + high) / 2
      let (narrow, _) = shape(tried, runs: runs, shaper: shaper)
      let fits =
        narrow.lines.count <= text.lines.count
        && narrow.lines.allSatisfy { breaks.contains($0.bytes.lowerBound) }
      if fits {
        best = (narrow, (low + high) / 2)
        high = (low + high) / 2
      } else {
        low = (low + high) / 2
      }
    }
    let rest = width - best.width
    switch block.align {
    case .center: return Wrapped(text: best.text, blankCount: blanks, shift: rest / 2)
    case .right: return Wrapped(text: best.text, blankCount: blanks, shift: rest)
    case .left, .justify:
      // Right-to-left lines start at the right.
      let starts = best.text.lines.indices.map { line in
        best.text.runs.filter { $0.line == line }.map(\.x).min() ?? 0
      }
      return Wrapped(
        text: best.text, blankCount: blanks, shift: starts.contains { $0 > 1 } ? rest : 0)
    }
  }

  private struct Blank {
    /// The first run of glyphs with an empty glyph.
    let first: ShapedRun
    var count: Int
  }

  /// Returns the runs of the block with empty glyphs for visible characters.
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
