// SPDX-License-Identifier: MIT
import CCairo
import SceneIR

// A font may have a glyph for a character and draw nothing with it, as EB Garamond's optical size 08
// does for Greek letters: then another face of the family is taken.
extension TextLayout {
  /// Lays the block out with faces that draw all of it, where there are such. Answers how many
  /// characters are drawn as nothing.
  static func configure(
    _ layout: OpaquePointer, _ block: TextBlock, _ starts: [Int], _ fonts: FontLibrary
  ) -> Int {
    unsafe configure(layout, block, starts)
    var blanks = unsafe self.blanks(layout, block, starts)
    var best = block
    for (run, blank) in blanks.sorted(by: { $0.key < $1.key }) {
      for name in unsafe fonts.siblings(of: blank.face) {
        var tried = best
        tried.runs[run].font.families.insert(name, at: 0)
        unsafe configure(layout, tried, starts)
        let left = unsafe self.blanks(layout, block, starts)
        guard left[run] == nil else { continue }
        best = tried
        blanks = left
        break
      }
      unsafe configure(layout, best, starts)
    }
    return blanks.values.reduce(0) { $0 + $1.count }
  }

  @safe private struct Blank {
    let face: OpaquePointer
    var count: Int
  }

  /// The runs of the block that have glyphs that draw nothing, each with the face of the first.
  private static func blanks(_ layout: OpaquePointer, _ block: TextBlock, _ starts: [Int])
    -> [Int: Blank]
  {
    var found: [Int: Blank] = [:]
    var text = block.string
    let iterator = unsafe pango_layout_get_iter(layout)
    defer { unsafe pango_layout_iter_free(iterator) }
    repeat {
      guard let run = unsafe pango_layout_iter_get_run_readonly(iterator),
        let glyphs = unsafe run.pointee.glyphs, let list = unsafe glyphs.pointee.glyphs,
        let clusters = unsafe glyphs.pointee.log_clusters,
        let font = unsafe run.pointee.item.pointee.analysis.font,
        unsafe scene_font_is_colored(font) == 0, let face = unsafe scene_font_face(font)
      else { continue }
      let offset = Int(unsafe run.pointee.item.pointee.offset)
      for index in 0..<Int(unsafe glyphs.pointee.num_glyphs) {
        var ink = PangoRectangle()
        unsafe pango_font_get_glyph_extents(font, list[index].glyph, &ink, nil)
        guard ink.width == 0, ink.height == 0,
          let scalar = scalar(at: offset + Int(unsafe clusters[index]), in: &text),
          isVisible(scalar), unsafe scene_font_draws_nothing(font, scalar.value) != 0
        else { continue }
        let owner = TextLayout.owner(of: offset, block, starts)
        unsafe found[owner, default: Blank(face: face, count: 0)].count += 1
      }
    } while unsafe pango_layout_iter_next_run(iterator) != 0
    return found
  }

  private static func scalar(at offset: Int, in text: inout String) -> Unicode.Scalar? {
    text.withUTF8 { bytes in
      guard offset < bytes.count else { return nil }
      var decoder = UTF8()
      var rest = unsafe bytes[offset...].makeIterator()
      guard case .scalarValue(let scalar) = unsafe decoder.decode(&rest) else { return nil }
      return scalar
    }
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
