// SPDX-License-Identifier: MIT
import CCairo
import SceneGraphics
import SceneIR
import SceneModel

/// A block of text with its lines broken and glyphs placed, as outlines to be drawn anywhere.
@safe final class TextLayout {
  /// Glyphs of one run of the block on one line.
  struct Piece {
    /// Which run of the block it belongs to, for its paint.
    let run: Int
    /// Outlines in pixels from the top left of the block.
    let path: Path
    /// Glyphs without outlines, such as colour emoji, are shown from the line: its index and x.
    let bitmap: (line: Int, item: Int, x: Double, baseline: Double)?
    let underline: Rect?
  }

  private let layout: OpaquePointer
  /// Glyphs that draw nothing though they are not blank by nature.
  private let blankCount: Int
  let extent: TextExtent
  private(set) var pieces: [Piece] = []
  /// Around everything that is drawn.
  private(set) var inkBounds = Rect.empty

  struct Line {
    let top: Double
    let baseline: Double
    let height: Double
  }

  let block: TextBlock
  private let starts: [Int]
  private let lines: [Line]
  /// Which unit each byte belongs to.
  private(set) lazy var units = TextUnitMap(block.string)
  /// The glyphs by clusters, for texts whose parts move.
  private(set) lazy var clusters = makeClusters()
  var lineCount: Int { lines.count }

  init(_ block: TextBlock, context: OpaquePointer, fonts: FontLibrary) {
    // Safe: Pango aborts by itself when it has no memory.
    unsafe layout = pango_layout_new(context)!
    var starts: [Int] = []
    var length = 0
    for run in block.runs {
      starts.append(length)
      length += run.text.utf8.count
    }
    unsafe blankCount = TextLayout.configure(layout, block, starts, fonts)
    let heights = unsafe TextLayout.lineHeights(layout, block, starts)
    var lines: [Line] = []
    var top = 0.0
    let iterator = unsafe pango_layout_get_iter(layout)
    defer { unsafe pango_layout_iter_free(iterator) }
    var width = 0.0
    for height in heights {
      var logical = PangoRectangle()
      unsafe pango_layout_iter_get_line_extents(iterator, nil, &logical)
      let natural = TextLayout.pixels(logical.height)
      let ascent = TextLayout.pixels(
        unsafe pango_layout_iter_get_baseline(iterator) - logical.y)
      lines.append(
        Line(top: top, baseline: top + (height - natural) / 2 + ascent, height: height))
      width = max(width, TextLayout.pixels(logical.width))
      top += height
      _ = unsafe pango_layout_iter_next_line(iterator)
    }
    extent = TextExtent(
      width: block.width ?? width, height: top, baseline: lines.first?.baseline ?? 0)
    self.block = block
    self.starts = starts
    self.lines = lines
    pieces = unsafe TextLayout.pieces(layout, block, starts, lines)
    for piece in pieces {
      inkBounds = inkBounds.union(piece.path.controlBounds)
      if let line = piece.underline { inkBounds = inkBounds.union(line) }
      if let bitmap = piece.bitmap {
        let size = block.runs[piece.run].font.size
        inkBounds = inkBounds.union(
          Rect(0, bitmap.baseline - 2 * size, max(width, extent.width) + size, 3 * size))
      }
    }
  }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(layout)) }

  private static func pixels(_ units: Int32) -> Double { Double(units) / Double(PANGO_SCALE) }

  // MARK: Making

  static func configure(_ layout: OpaquePointer, _ block: TextBlock, _ starts: [Int]) {
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
    if block.direction != .auto {
      unsafe pango_layout_set_auto_dir(layout, 0)
      unsafe pango_context_set_base_dir(
        pango_layout_get_context(layout),
        block.direction == .rightToLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR)
      unsafe pango_layout_context_changed(layout)
    }
    let attributes = unsafe pango_attr_list_new()
    for (index, run) in block.runs.enumerated() {
      let from = UInt32(clamping: starts[index])
      let to = UInt32(clamping: starts[index] + run.text.utf8.count)
      func insert(_ attribute: UnsafeMutablePointer<PangoAttribute>?) {
        guard let attribute = unsafe attribute else { return }
        unsafe attribute.pointee.start_index = from
        unsafe attribute.pointee.end_index = to
        // The list owns the attribute from here on.
        unsafe pango_attr_list_insert(attributes, attribute)
      }
      let description = unsafe pango_font_description_new()
      unsafe pango_font_description_set_family(
        description, run.font.families.joined(separator: ","))
      unsafe pango_font_description_set_absolute_size(
        description, max(0.01, run.font.size) * Double(PANGO_SCALE))
      unsafe pango_font_description_set_weight(
        description, PangoWeight(rawValue: UInt32(max(1, run.font.weight))))
      unsafe pango_font_description_set_style(
        description, run.font.italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
      unsafe insert(pango_attr_font_desc_new(description))
      unsafe pango_font_description_free(description)
      // A word that is longer than a line is broken, and nothing is put in that is not there.
      unsafe insert(pango_attr_insert_hyphens_new(0))
      // A colour that differs from run to run keeps Pango from joining them.
      unsafe insert(pango_attr_foreground_new(UInt16(truncatingIfNeeded: index), 0, 0))
      if run.letterSpacing != 0 {
        let units = Int32(clamping: Int((run.letterSpacing * Double(PANGO_SCALE)).rounded()))
        unsafe insert(pango_attr_letter_spacing_new(units))
      }
      if !run.features.isEmpty { unsafe insert(pango_attr_font_features_new(run.features)) }
      if !run.language.isEmpty {
        unsafe insert(pango_attr_language_new(pango_language_from_string(run.language)))
      }
    }
    unsafe pango_layout_set_attributes(layout, attributes)
    unsafe pango_attr_list_unref(attributes)
  }

  /// Each line is as high as its largest font wants it.
  private static func lineHeights(
    _ layout: OpaquePointer, _ block: TextBlock, _ starts: [Int]
  ) -> [Double] {
    var heights: [Double] = []
    let count = unsafe pango_layout_get_line_count(layout)
    for index in 0..<count {
      guard let line = unsafe pango_layout_get_line_readonly(layout, index) else { continue }
      let from = Int(unsafe line.pointee.start_index)
      let to = from + Int(unsafe line.pointee.length)
      var size = 0.0
      for (run, start) in zip(block.runs, starts)
      where start < max(to, from + 1) && start + run.text.utf8.count > from {
        size = max(size, run.font.size)
      }
      if size == 0 { size = block.runs.last?.font.size ?? 0 }
      heights.append(size * block.lineHeight)
    }
    return heights
  }

  private static func pieces(
    _ layout: OpaquePointer, _ block: TextBlock, _ starts: [Int], _ lines: [Line]
  ) -> [Piece] {
    let pen = OutlinePen()
    var pieces: [Piece] = []
    let iterator = unsafe pango_layout_get_iter(layout)
    defer { unsafe pango_layout_iter_free(iterator) }
    var lineIndex = 0
    var itemIndex = 0
    repeat {
      guard let run = unsafe pango_layout_iter_get_run_readonly(iterator) else {
        lineIndex += 1
        itemIndex = 0
        continue
      }
      guard lineIndex < lines.count else { break }
      var logical = PangoRectangle()
      unsafe pango_layout_iter_get_run_extents(iterator, nil, &logical)
      let offset = Int(unsafe run.pointee.item.pointee.offset)
      let owner = TextLayout.owner(of: offset, block, starts)
      let x = pixels(logical.x)
      let baseline = lines[lineIndex].baseline
      // Cairo would trace the bitmaps of colour fonts as black shapes.
      let isColored = unsafe scene_font_is_colored(run.pointee.item.pointee.analysis.font) != 0
      let path =
        isColored
        ? Path()
        : unsafe pen.path(
          of: run, x: x, y: baseline, size: block.runs[owner].font.size)
      let isBitmap = unsafe isColored || (path.isEmpty && hasVisibleGlyph(run))
      var underline: Rect?
      if block.runs[owner].underline {
        underline = unsafe underlineRect(run, x: x, baseline: baseline, logical.width)
      }
      pieces.append(
        Piece(
          run: owner, path: path,
          bitmap: isBitmap ? (lineIndex, itemIndex, x, baseline) : nil, underline: underline))
      itemIndex += 1
    } while unsafe pango_layout_iter_next_run(iterator) != 0
    return pieces
  }

  /// The run that holds a byte; empty runs hold none.
  static func owner(of offset: Int, _ block: TextBlock, _ starts: [Int]) -> Int {
    var index = 0
    while index + 1 < starts.count, starts[index] + block.runs[index].text.utf8.count <= offset {
      index += 1
    }
    return index
  }

  private static func hasVisibleGlyph(_ run: UnsafeMutablePointer<PangoLayoutRun>) -> Bool {
    guard let glyphs = unsafe run.pointee.glyphs,
      let font = unsafe run.pointee.item.pointee.analysis.font,
      let list = unsafe glyphs.pointee.glyphs
    else { return false }
    for index in 0..<Int(unsafe glyphs.pointee.num_glyphs) {
      var ink = PangoRectangle()
      unsafe pango_font_get_glyph_extents(font, list[index].glyph, &ink, nil)
      if ink.width > 0, ink.height > 0 { return true }
    }
    return false
  }

  private static func underlineRect(
    _ run: UnsafeMutablePointer<PangoLayoutRun>, x: Double, baseline: Double, _ width: Int32
  ) -> Rect? {
    guard let font = unsafe run.pointee.item.pointee.analysis.font else { return nil }
    let metrics = unsafe pango_font_get_metrics(font, nil)
    defer { unsafe pango_font_metrics_unref(metrics) }
    let position = unsafe pixels(pango_font_metrics_get_underline_position(metrics))
    let thickness = unsafe pixels(pango_font_metrics_get_underline_thickness(metrics))
    return Rect(x, baseline - position, pixels(width), thickness)
  }

  // MARK: Clusters

  private func makeClusters() -> [TextCluster] {
    let pen = OutlinePen()
    var clusters: [TextCluster] = []
    let iterator = unsafe pango_layout_get_iter(layout)
    defer { unsafe pango_layout_iter_free(iterator) }
    var line = 0
    repeat {
      guard let run = unsafe pango_layout_iter_get_run_readonly(iterator) else {
        line += 1
        continue
      }
      guard line < lines.count else { break }
      var logical = PangoRectangle()
      unsafe pango_layout_iter_get_run_extents(iterator, nil, &logical)
      unsafe clusters += self.clusters(run, TextLayout.pixels(logical.x), line, pen)
    } while unsafe pango_layout_iter_next_run(iterator) != 0
    return clusters
  }

  /// The clusters of one run; glyphs with the same byte stand together, in either direction.
  private func clusters(
    _ run: UnsafeMutablePointer<PangoLayoutRun>, _ x: Double, _ line: Int, _ pen: OutlinePen
  ) -> [TextCluster] {
    guard let glyphs = unsafe run.pointee.glyphs, let list = unsafe glyphs.pointee.glyphs,
      let bytes = unsafe glyphs.pointee.log_clusters, let item = unsafe run.pointee.item
    else { return [] }
    let isColored = unsafe scene_font_is_colored(item.pointee.analysis.font) != 0
    let offset = Int(unsafe item.pointee.offset)
    let owner = TextLayout.owner(of: offset, block, starts)
    var clusters: [TextCluster] = []
    var left = x
    var first = 0
    let count = Int(unsafe glyphs.pointee.num_glyphs)
    while first < count {
      var next = first
      var width = 0.0
      while next < count, unsafe bytes[next] == bytes[first] {
        width += unsafe TextLayout.pixels(list[next].geometry.width)
        next += 1
      }
      let byte = min(units.glyphs.count - 1, offset + Int(unsafe bytes[first]))
      let baseline = lines[line].baseline
      let path =
        isColored
        ? Path()
        : unsafe pen.path(
          of: run, first..<next, x: left, y: baseline, size: block.runs[owner].font.size)
      var underline: Rect?
      if block.runs[owner].underline {
        let units = Int32(clamping: Int(width * Double(PANGO_SCALE)))
        underline = unsafe TextLayout.underlineRect(run, x: left, baseline: baseline, units)
      }
      let isSpace = !isColored && path.isEmpty && underline == nil
      if byte >= 0, !isSpace {
        clusters.append(
          TextCluster(
            run: owner, path: path, flat: FlatPath(path), underline: underline,
            bitmap: isColored
              ? unsafe TextCluster.Bitmap(
                item: run, first: first, count: next - first, pen: Point(left, baseline)) : nil,
            box: Rect(left, lines[line].top, width, lines[line].height),
            glyph: Int(units.glyphs[byte]), word: Int(units.words[byte]), line: line))
      }
      left += width
      first = next
    }
    return clusters
  }

  /// Shows the glyphs of a cluster that has no outlines, in the colours of its font.
  func showBitmap(_ bitmap: TextCluster.Bitmap, on context: OpaquePointer) {
    guard var part = unsafe bitmap.item.pointee.glyphs?.pointee else { return }
    unsafe part.glyphs += bitmap.first
    unsafe part.log_clusters += bitmap.first
    unsafe part.num_glyphs = Int32(bitmap.count)
    unsafe cairo_move_to(context, bitmap.pen.x, bitmap.pen.y)
    unsafe pango_cairo_show_glyph_string(
      context, bitmap.item.pointee.item.pointee.analysis.font, &part)
  }

  // MARK: Drawing

  /// Shows the glyphs of a piece that has no outlines, in the colours of its font.
  func showBitmap(_ piece: Piece, on context: OpaquePointer) {
    guard let bitmap = piece.bitmap,
      let line = unsafe pango_layout_get_line_readonly(layout, Int32(bitmap.line)),
      let node = unsafe g_slist_nth_data(line.pointee.runs, UInt32(bitmap.item))
    else { return }
    let run = unsafe node.assumingMemoryBound(to: PangoGlyphItem.self)
    unsafe cairo_move_to(context, bitmap.x, bitmap.baseline)
    unsafe pango_cairo_show_glyph_string(
      context, run.pointee.item.pointee.analysis.font, run.pointee.glyphs)
  }

  /// The x that a text on a path is held by, as its lines are aligned.
  var anchor: Double {
    switch block.align {
    case .left, .justify: 0
    case .center: extent.width / 2
    case .right: extent.width
    }
  }

  /// All outlines, lines under the text too.
  var outline: Path {
    var path = Path()
    for piece in pieces {
      path.elements += piece.path.elements
      if let line = piece.underline { path.elements += Path.rect(line, radius: 0).elements }
    }
    return path
  }

  /// Families that glyphs are taken from though the run names others, colour fonts apart.
  var fallbackFamilies: [String] {
    var found: [String] = []
    let iterator = unsafe pango_layout_get_iter(layout)
    defer { unsafe pango_layout_iter_free(iterator) }
    repeat {
      guard let run = unsafe pango_layout_iter_get_run_readonly(iterator),
        let font = unsafe run.pointee.item.pointee.analysis.font, unsafe isVisible(run),
        unsafe scene_font_is_colored(font) == 0
      else { continue }
      guard let face = unsafe scene_font_face(font) else { continue }
      let names = unsafe FontLibrary.families(of: face)
      let owner = TextLayout.owner(
        of: Int(unsafe run.pointee.item.pointee.offset), block, starts)
      let wanted = block.runs[owner].font.families.map { $0.lowercased() }
      let isGeneric = wanted.contains { ["sans-serif", "serif", "monospace"].contains($0) }
      guard !isGeneric, !names.contains(where: { wanted.contains($0.lowercased()) }),
        let family = names.first, !found.contains(family)
      else { continue }
      found.append(family)
    } while unsafe pango_layout_iter_next_run(iterator) != 0
    return found
  }

  private func isVisible(_ run: UnsafeMutablePointer<PangoLayoutRun>) -> Bool {
    unsafe TextLayout.hasVisibleGlyph(run)
  }

  /// Whether a line may end before each Unicode scalar (UAX 14), the first apart.
  var lineBreaks: [Bool] {
    var count: Int32 = 0
    guard let attributes = unsafe pango_layout_get_log_attrs_readonly(layout, &count) else {
      return []
    }
    // One more than there are scalars, for the end.
    return (1..<max(1, Int(count) - 1)).map { unsafe attributes[$0].is_line_break != 0 }
  }

  /// Characters that no font on this machine has.
  var unknownGlyphCount: Int {
    Int(unsafe pango_layout_get_unknown_glyphs_count(layout)) + blankCount
  }
}

/// Takes the outlines of glyphs from Cairo, at 16 times the size, so that they are exact.
@safe private final class OutlinePen {
  private let surface: OpaquePointer
  private let context: OpaquePointer

  init() {
    // Safe: Cairo never returns null; what failed is a context in an error state.
    // Unbounded, since Cairo leaves glyphs out that lie off the surface.
    unsafe surface = cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, nil)!
    unsafe context = cairo_create(surface)!
  }

  deinit {
    unsafe cairo_destroy(context)
    unsafe cairo_surface_destroy(surface)
  }

  /// `size` is that of the font, in pixels; `part` are glyphs of the run, all of them without it.
  func path(
    of run: UnsafeMutablePointer<PangoLayoutRun>, _ part: Range<Int>? = nil, x: Double, y: Double,
    size: Double
  ) -> Path {
    guard var glyphs = unsafe run.pointee.glyphs?.pointee else { return Path() }
    if let part {
      unsafe glyphs.glyphs += part.lowerBound
      unsafe glyphs.log_clusters += part.lowerBound
      unsafe glyphs.num_glyphs = Int32(part.count)
    }
    // As large as FreeType draws without fault.
    let scale = max(0.1, min(16, 4000 / max(1, size)))
    unsafe cairo_identity_matrix(context)
    unsafe cairo_scale(context, scale, scale)
    unsafe cairo_new_path(context)
    // Taken at the origin and moved after, since Cairo's path numbers are 24.8 fixed point.
    unsafe cairo_move_to(context, 0, 0)
    unsafe pango_cairo_glyph_string_path(
      context, run.pointee.item.pointee.analysis.font, &glyphs)
    guard let data = unsafe cairo_copy_path(context) else { return Path() }
    defer { unsafe cairo_path_destroy(data) }
    func point(_ index: Int32) -> Point {
      unsafe Point(scene_path_x(data, index) + x, scene_path_y(data, index) + y)
    }
    var path = Path()
    var index: Int32 = 0
    while unsafe index < data.pointee.num_data {
      switch unsafe UInt32(scene_path_type(data, index)) {
      case CAIRO_PATH_MOVE_TO.rawValue: path.move(point(index + 1))
      case CAIRO_PATH_LINE_TO.rawValue: path.line(point(index + 1))
      case CAIRO_PATH_CURVE_TO.rawValue:
        path.cubic(point(index + 1), point(index + 2), point(index + 3))
      default: path.close()
      }
      index += unsafe Int32(scene_path_step(data, index))
    }
    if case .move = path.elements.last { path.elements.removeLast() }
    return path
  }
}
