// SPDX-License-Identifier: MIT
import CCairo
import SceneIR

/// Owner of one `PangoLayout`: a block with its lines broken and its glyphs chosen.
@safe package final class ShapedText {
  package struct Line {
    /// The bytes of the text.
    package let bytes: Range<Int>
    /// Pixels: of what it holds, and down to the baseline from its top.
    package let width: Double
    package let height: Double
    package let ascent: Double
  }

  private let layout: OpaquePointer
  package let lines: [Line]
  /// In the order of lines, from left to right.
  package let runs: [ShapedRun]

  // Safe: Pango aborts by itself when it has no memory.
  init(_ block: TextBlock, _ context: OpaquePointer) {
    unsafe layout = pango_layout_new(context)!
    unsafe ShapedText.configure(layout, block)
    var lines: [Line] = []
    var runs: [ShapedRun] = []
    let iterator = unsafe pango_layout_get_iter(layout)
    defer { unsafe pango_layout_iter_free(iterator) }
    repeat {
      guard let line = unsafe pango_layout_iter_get_line_readonly(iterator) else { break }
      var box = PangoRectangle()
      unsafe pango_layout_iter_get_line_extents(iterator, nil, &box)
      let start = Int(unsafe line.pointee.start_index)
      lines.append(
        Line(
          bytes: start..<start + Int(unsafe line.pointee.length), width: box.width.asPixels,
          height: box.height.asPixels,
          ascent: (unsafe pango_layout_iter_get_baseline(iterator) - box.y).asPixels))
    } while unsafe pango_layout_iter_next_line(iterator) != 0
    let walk = unsafe pango_layout_get_iter(layout)
    defer { unsafe pango_layout_iter_free(walk) }
    var line = 0
    repeat {
      // Each line ends with no run.
      guard let run = unsafe pango_layout_iter_get_run_readonly(walk) else {
        line += 1
        continue
      }
      var box = PangoRectangle()
      unsafe pango_layout_iter_get_run_extents(walk, nil, &box)
      unsafe runs.append(ShapedRun(run, line: line, x: box.x, width: box.width))
    } while unsafe pango_layout_iter_next_run(walk) != 0
    self.lines = lines
    self.runs = runs
  }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }

  private static func configure(_ layout: OpaquePointer, _ block: TextBlock) {
    let text = block.string
    unsafe pango_layout_set_text(layout, text, Int32(clamping: text.utf8.count))
    unsafe pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
    if let width = block.width {
      let units = Int32(clamping: Int((width * Double(PANGO_SCALE)).rounded(.up)))
      unsafe pango_layout_set_width(layout, units)
    }
    switch block.align {
    case .left: unsafe pango_layout_set_alignment(layout, PANGO_ALIGN_LEFT)
    case .center: unsafe pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
    case .right: unsafe pango_layout_set_alignment(layout, PANGO_ALIGN_RIGHT)
    case .justify: unsafe pango_layout_set_justify(layout, 1)
    }
    if block.direction != .auto { unsafe pango_layout_set_auto_dir(layout, 0) }
    let attributes = TextAttributes()
    var start = 0
    for (index, run) in block.runs.enumerated() {
      attributes.add(run, index, start)
      start += run.text.utf8.count
    }
    unsafe pango_layout_set_attributes(layout, attributes.list)
  }

  /// Whether a line may end before each Unicode scalar (UAX 14), the first apart.
  package var lineBreaks: [Bool] {
    var count: Int32 = 0
    guard let attributes = unsafe pango_layout_get_log_attrs_readonly(layout, &count) else {
      return []
    }
    // One more than there are scalars, for the end.
    return (1..<max(1, Int(count) - 1)).map { unsafe attributes[$0].is_line_break != 0 }
  }

  /// Characters that no font on this machine has.
  package var unknownGlyphCount: Int { Int(unsafe pango_layout_get_unknown_glyphs_count(layout)) }
}

/// Owner of a `PangoAttrList`: fonts and features by ranges of bytes.
@safe private struct TextAttributes: ~Copyable {
  let list = unsafe pango_attr_list_new()

  deinit { unsafe pango_attr_list_unref(list) }

  func add(_ run: TextRun, _ index: Int, _ start: Int) {
    let bytes = start..<start + run.text.utf8.count
    let font = unsafe pango_font_description_new()
    defer { unsafe pango_font_description_free(font) }
    unsafe pango_font_description_set_family(font, run.font.families.joined(separator: ","))
    unsafe pango_font_description_set_absolute_size(
      font, max(0.01, run.font.size) * Double(PANGO_SCALE))
    unsafe pango_font_description_set_weight(
      font, PangoWeight(rawValue: UInt32(max(1, run.font.weight))))
    unsafe pango_font_description_set_style(
      font, run.font.italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
    unsafe insert(pango_attr_font_desc_new(font), bytes)
    // A word that is longer than a line is broken, and nothing is put in that is not there.
    unsafe insert(pango_attr_insert_hyphens_new(0), bytes)
    // A colour that differs from run to run keeps Pango from joining them.
    unsafe insert(pango_attr_foreground_new(UInt16(truncatingIfNeeded: index), 0, 0), bytes)
    if run.letterSpacing != 0 {
      let units = Int32(clamping: Int((run.letterSpacing * Double(PANGO_SCALE)).rounded()))
      unsafe insert(pango_attr_letter_spacing_new(units), bytes)
    }
    if !run.features.isEmpty { unsafe insert(pango_attr_font_features_new(run.features), bytes) }
    if !run.language.isEmpty {
      unsafe insert(pango_attr_language_new(pango_language_from_string(run.language)), bytes)
    }
  }

  private func insert(_ attribute: UnsafeMutablePointer<PangoAttribute>?, _ bytes: Range<Int>) {
    guard let attribute = unsafe attribute else { return }
    unsafe attribute.pointee.start_index = UInt32(clamping: bytes.lowerBound)
    unsafe attribute.pointee.end_index = UInt32(clamping: bytes.upperBound)
    // The list owns the attribute from here on.
    unsafe pango_attr_list_insert(list, attribute)
  }
}

extension Int32 {
  /// From Pango's units.
  var asPixels: Double { Double(self) / Double(PANGO_SCALE) }
}
