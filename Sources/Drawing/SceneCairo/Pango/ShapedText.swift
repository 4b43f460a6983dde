// SPDX-License-Identifier: MIT
import CCairo
import SceneIR
import SceneSystem

/// An owned `PangoLayout`: a block with broken lines and selected glyphs.
@safe package final class ShapedText {
  package struct Line {
    /// The byte range in the text.
    package let bytes: Range<Int>
    /// The width, height and ascent of the line in pixels.
    package let width: Double
    package let height: Double
    package let ascent: Double
  }

  @safe private let layout: Owned<OpaquePointer>
  package let lines: [Line]
  /// The runs in the order of lines, from left to right.
  package let runs: [ShapedRun]

  // Safe: Pango aborts if out of memory.
  init(_ block: TextBlock, _ context: OpaquePointer) {
    unsafe layout = Owned(always: pango_layout_new(context)) { unsafe g_object_unref(.init($0)) }
    let layout = layout
    var lines: [Line] = []
    runs = GlyphLock.shape {
      ShapedText.configure(layout, block)
      lines = ShapedText.linesWithoutIndents(of: layout, block)
      return ShapedText.runs(of: layout)
    }
    self.lines = lines
  }

  /// Hides the spaces at the start of wrapped lines and returns the lines.
  ///
  /// Spaces belong to the end of the previous line (CSS Text 3, 4.1.2). If they do not fit there,
  /// Pango breaks the line between them, and the remaining spaces would indent the next line.
  @safe private static func linesWithoutIndents(
    of layout: Owned<OpaquePointer>, _ block: TextBlock
  ) -> [Line] {
    var lines = lines(of: layout)
    guard block.width != nil, lines.count > 1 else { return lines }
    let bytes = Array(block.string.utf8)
    var hidden = Set<Int>()
    // After another layout pass, other lines may start with spaces.
    for _ in 0..<8 {
      let found = lines.dropFirst().flatMap { indent(of: $0, bytes) }.filter {
        !hidden.contains($0)
      }
      if found.isEmpty { break }
      hidden.formUnion(found)
      setAttributes(of: layout, block, hidden: hidden.sorted())
      lines = self.lines(of: layout)
    }
    return lines
  }

  /// Returns the byte range of the spaces at the start of a line, unless the line follows a line
  /// separator.
  private static func indent(of line: Line, _ bytes: [UInt8]) -> Range<Int> {
    let start = min(line.bytes.lowerBound, bytes.count)
    let isWrapped = bytes[..<start].last.map { $0 != 0x0A && $0 != 0x0D } ?? false
    // U+2028 and U+2029.
    let isSeparated = [0xA8, 0xA9].contains { bytes[..<start].suffix(3) == [0xE2, 0x80, $0] }
    guard isWrapped, !isSeparated else { return start..<start }
    return start..<start + bytes[start...].prefix { $0 == 0x20 }.count
  }

  @safe private static func configure(_ layout: Owned<OpaquePointer>, _ block: TextBlock) {
    let text = block.string
    unsafe pango_layout_set_text(layout.pointer, text, Int32(clamping: text.utf8.count))
    pango_layout_set_wrap(layout.pointer, PANGO_WRAP_WORD_CHAR)
    if let width = block.width {
      let units = Int32(clamping: Int((width * Double(PANGO_SCALE)).rounded(.up)))
      pango_layout_set_width(layout.pointer, units)
    }
    // Pango swaps left and right alignment only in a paragraph whose direction it detects itself.
    let isTurned = block.align == .justify && block.direction == .rightToLeft
    pango_layout_set_alignment(
      layout.pointer, isTurned ? PANGO_ALIGN_RIGHT : block.align.number)
    if block.align == .justify { pango_layout_set_justify(layout.pointer, 1) }
    if block.direction != .auto { pango_layout_set_auto_dir(layout.pointer, 0) }
    setAttributes(of: layout, block, hidden: [])
  }

  /// Sets the attributes of a layout from the runs. The bytes in `hidden`, in ascending order, take
  /// no space.
  @safe private static func setAttributes(
    of layout: Owned<OpaquePointer>, _ block: TextBlock, hidden: [Int]
  ) {
    guard let attributes = unsafe Owned(pango_attr_list_new(), pango_attr_list_unref) else {
      return
    }
    var start = 0
    for (index, run) in block.runs.enumerated() {
      let end = start + run.text.utf8.count
      unsafe ShapedText.attributes(of: run, index).forEach {
        // The list takes ownership of the attribute.
        unsafe scene_insert_attribute(
          attributes.pointer, $0, UInt32(clamping: start), UInt32(clamping: end))
      }
      start = end
    }
    for byte in hidden {
      unsafe scene_insert_hiding(
        attributes.pointer, UInt32(clamping: byte), UInt32(clamping: byte + 1))
    }
    pango_layout_set_attributes(layout.pointer, attributes.pointer)
  }

  private static func attributes(of run: TextRun, _ index: Int)
    -> [UnsafeMutablePointer<PangoAttribute>]
  {
    let size = max(0.01, run.font.size) * Double(PANGO_SCALE)
    // Safe: Pango aborts if out of memory.
    let font = unsafe Owned(
      always: scene_font_description(
        run.font.families.joined(separator: ","), size, Int32(max(1, run.font.weight)),
        run.font.italic ? 1 : 0, run.font.axes.first { $0.tag == "wdth" }?.value ?? 100,
        run.font.axes.settings), pango_font_description_free)
    let spacing = Int32(clamping: Int((run.letterSpacing * Double(PANGO_SCALE)).rounded()))
    return unsafe [
      pango_attr_font_desc_new(font.pointer),
      // Words longer than a line are broken without inserting hyphens.
      pango_attr_insert_hyphens_new(0),
      // A unique color for each run prevents Pango from merging runs.
      pango_attr_foreground_new(UInt16(truncatingIfNeeded: index), 0, 0),
      run.letterSpacing == 0 ? nil : pango_attr_letter_spacing_new(spacing),
      run.features.isEmpty ? nil : pango_attr_font_features_new(run.features),
      run.language.isEmpty
        ? nil : pango_attr_language_new(pango_language_from_string(run.language)),
    ].compactMap { unsafe $0 }
  }

  @safe private static func lines(of layout: Owned<OpaquePointer>) -> [Line] {
    guard
      let iterator = unsafe Owned(pango_layout_get_iter(layout.pointer), pango_layout_iter_free)
    else { return [] }
    var lines: [Line] = []
    repeat {
      let line = scene_layout_line(iterator.pointer)
      guard line.is_there != 0 else { break }
      lines.append(
        Line(
          bytes: Int(line.start)..<Int(line.start) + Int(line.length), width: line.width.asPixels,
          height: line.height.asPixels, ascent: line.ascent.asPixels))
    } while pango_layout_iter_next_line(iterator.pointer) != 0
    return lines
  }

  @safe private static func runs(of layout: Owned<OpaquePointer>) -> [ShapedRun] {
    guard
      let iterator = unsafe Owned(pango_layout_get_iter(layout.pointer), pango_layout_iter_free)
    else { return [] }
    var runs: [ShapedRun] = []
    var line = 0
    repeat {
      // Each line ends with an empty run.
      guard let run = unsafe pango_layout_iter_get_run_readonly(iterator.pointer) else {
        line += 1
        continue
      }
      let reach = scene_run_reach(iterator.pointer)
      unsafe runs.append(ShapedRun(run, line: line, x: reach.x, width: reach.width))
    } while pango_layout_iter_next_run(iterator.pointer) != 0
    return runs
  }

  /// Whether a line may break before each Unicode scalar but the first (UAX 14).
  package var lineBreaks: [Bool] {
    var count: Int32 = 0
    guard let attributes = unsafe pango_layout_get_log_attrs_readonly(layout.pointer, &count) else {
      return []
    }
    // There is one attribute more than scalars, for the end of the text.
    return (1..<max(1, Int(count) - 1)).map { unsafe attributes[$0].is_line_break != 0 }
  }

  /// The number of characters that no installed font supports.
  package var unknownGlyphCount: Int {
    Int(pango_layout_get_unknown_glyphs_count(layout.pointer))
  }
}

extension Int32 {
  /// The length in pixels, converted from Pango units.
  var asPixels: Double { Double(self) / Double(PANGO_SCALE) }
}

extension TextAlign {
  fileprivate var number: PangoAlignment {
    switch self {
    case .left, .justify: PANGO_ALIGN_LEFT
    case .center: PANGO_ALIGN_CENTER
    case .right: PANGO_ALIGN_RIGHT
    }
  }
}
