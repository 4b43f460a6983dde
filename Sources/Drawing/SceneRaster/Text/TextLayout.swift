// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import SceneModel
import ScenePixels

/// A block of text with broken lines and positioned glyphs, as outlines.
final class TextLayout {
  /// The glyphs of one run of the block on one line.
  struct Piece {
    /// The index of the run in the block, which determines the paint.
    let run: Int
    /// The outlines in pixels from the top left of the block.
    let path: Path
    /// Glyphs without outlines, such as color emoji.
    let bitmap: GlyphBitmap?
    let underline: Path?
  }

  struct Line {
    let top: Double
    let baseline: Double
    let height: Double
  }

  let block: TextBlock
  let extent: TextExtent
  /// The pieces, which are computed lazily, since measuring a text does not require outlines.
  private(set) lazy var pieces = TextLayout.pieces(
    of: shaped, in: block, runs: runs, lines: lines, shift: shift)
  /// The bounds of everything that is drawn.
  private(set) lazy var inkBounds = ink()
  let lines: [Line]
  private let shaped: ShapedText
  /// The horizontal shift that aligns balanced lines within the full width.
  private let shift: Double
  /// The width of the widest line.
  private let width: Double
  /// The number of empty glyphs for visible characters.
  private let blankCount: Int
  private let runs: RunMap
  /// The unit of each byte.
  private(set) lazy var units = TextUnitMap(block.string)
  /// The characters that are not white space.
  private(set) lazy var visibleCharacters = block.string.filter { !$0.isWhitespace }.map { $0 }
  /// The glyphs grouped into clusters, for texts with animated units.
  private(set) lazy var clusters = shaped.runs.flatMap { clusters(of: $0, OutlinePen()) }

  init(_ block: TextBlock, _ shaper: TextShaper) {
    self.block = block
    runs = RunMap(block)
    let wrapped = TextLayout.wrapped(block, runs: runs, shaper: shaper)
    (shaped, blankCount, shift) = (wrapped.text, wrapped.blankCount, wrapped.shift)
    lines = TextLayout.lines(of: shaped, block, runs)
    width = shaped.lines.map(\.width).max() ?? 0
    extent = TextExtent(
      width: block.width ?? max(0, width), height: lines.last.map { $0.top + $0.height } ?? 0,
      baseline: lines.first?.baseline ?? 0)
  }

  // MARK: Layout

  private func ink() -> Rect {
    var ink = Rect.empty
    for piece in pieces {
      ink = ink.union(piece.path.controlBounds)
      if let line = piece.underline { ink = ink.union(line.controlBounds) }
      if let bitmap = piece.bitmap {
        let size = block.runs[piece.run].font.size
        ink = ink.union(
          Rect(
            x: 0, y: bitmap.pen.y - 2 * size, width: max(width, extent.width) + size,
            height: 3 * size))
      }
    }
    return ink
  }

  /// Returns the lines. The largest font of a line determines its height.
  private static func lines(of shaped: ShapedText, _ block: TextBlock, _ runs: RunMap) -> [Line] {
    var top = 0.0
    return shaped.lines.map { line in
      let height = runs.largestSize(in: line.bytes) * block.lineHeight
      defer { top += height }
      return Line(
        top: top, baseline: top + (height - line.height) / 2 + line.ascent, height: height)
    }
  }

  private static func pieces(
    of shaped: ShapedText, in block: TextBlock, runs: RunMap, lines: [Line], shift: Double
  ) -> [Piece] {
    let pen = OutlinePen()
    return shaped.runs.map { run in
      let owner = runs.index(of: run.byte)
      let start = Point(run.x + shift, lines[run.line].baseline - block.runs[owner].rise)
      // Cairo would trace the bitmaps of color fonts as black shapes.
      let path =
        run.isColored ? Path() : pen.path(of: run, at: start, size: block.runs[owner].font.size)
      let isBitmap = run.isColored || (path.isEmpty && run.glyphs.contains(where: \.isVisible))
      return Piece(
        run: owner, path: path,
        bitmap: isBitmap ? GlyphBitmap(run: run, part: 0..<run.glyphCount, pen: start) : nil,
        underline: block.runs[owner].underline ? run.underline(from: start, run.width) : nil)
    }
  }

  /// Returns the clusters of one run. Glyphs with the same byte offset are adjacent in both
  /// directions.
  private func clusters(of run: ShapedRun, _ pen: OutlinePen) -> [TextCluster] {
    let owner = runs.index(of: run.byte)
    let line = lines[run.line]
    var clusters: [TextCluster] = []
    var left = run.x + shift
    var first = 0
    while first < run.glyphs.count {
      var next = first
      var width = 0.0
      while next < run.glyphs.count, run.glyphs[next].byte == run.glyphs[first].byte {
        width += run.glyphs[next].advance
        next += 1
      }
      let byte = min(units.glyphs.count - 1, run.glyphs[first].byte)
      let start = Point(left, line.baseline - block.runs[owner].rise)
      let path =
        run.isColored
        ? Path()
        : pen.path(of: run, first..<next, at: start, size: block.runs[owner].font.size)
      let underline = block.runs[owner].underline ? run.underline(from: start, width) : nil
      if byte >= 0, run.isColored || !path.isEmpty || underline != nil {
        clusters.append(
          TextCluster(
            run: owner, path: path, underline: underline,
            bitmap: run.isColored ? GlyphBitmap(run: run, part: first..<next, pen: start) : nil,
            box: Rect(x: left, y: line.top, width: width, height: line.height),
            glyph: Int(units.glyphs[byte]),
            word: Int(units.words[byte]), line: run.line))
      }
      left += width
      first = next
    }
    return clusters
  }

  // MARK: Queries

  /// The range of x from the first to the last visible glyph of each line; `nil` for a line without
  /// visible glyphs.
  var reaches: [ClosedRange<Double>?] {
    var reaches = [ClosedRange<Double>?](repeating: nil, count: lines.count)
    for run in shaped.runs {
      var left = run.x + shift
      for glyph in run.glyphs {
        defer { left += glyph.advance }
        if glyph.isBlank { continue }
        let known = reaches[run.line]
        let (start, end) = (min(left, left + glyph.advance), max(left, left + glyph.advance))
        reaches[run.line] =
          min(start, known?.lowerBound ?? start)...max(end, known?.upperBound ?? end)
      }
    }
    return reaches
  }

  /// The largest font of each line.
  var largestFonts: [FontSpec] {
    shaped.lines.map { block.runs[runs.indexOfLargest(in: $0.bytes)].font }
  }

  /// The ascent and the height of the fonts of the first line, including those of fallback glyphs.
  var strut: (ascent: Double, height: Double) {
    shaped.lines.first.map { ($0.ascent, $0.height) } ?? (0, 0)
  }

  /// The x-coordinate that is placed at the start position on a path, according to the alignment.
  var anchor: Double {
    switch block.align {
    case .left: 0
    case .justify: block.direction == .rightToLeft ? extent.width : 0
    case .center: extent.width / 2
    case .right: extent.width
    }
  }

  /// All outlines, including underlines.
  var outline: Path {
    var path = Path()
    for piece in pieces {
      path.elements += piece.path.elements
      if let line = piece.underline { path.elements += line.elements }
    }
    return path
  }

  /// The fonts of all glyphs.
  var sources: Set<FontSource> { Set(shaped.runs.compactMap(\.source)) }
  var families: Set<String> { Set(shaped.runs.flatMap(\.families)) }

  /// The fallback families of glyphs that are missing in the requested fonts, except color fonts.
  var fallbackFamilies: [String] {
    var found: [String] = []
    for run in shaped.runs where !run.isColored && run.glyphs.contains(where: \.isVisible) {
      guard run.isFile else { continue }
      let names = run.families
      let wanted = block.runs[runs.index(of: run.byte)].font.families.map { $0.lowercased() }
      let isGeneric = wanted.contains { ["sans-serif", "serif", "monospace"].contains($0) }
      guard !isGeneric, !names.contains(where: { wanted.contains($0.lowercased()) }),
        let family = names.first, !found.contains(family)
      else { continue }
      found.append(family)
    }
    return found
  }

  /// Whether a line may break before each Unicode scalar but the first (UAX 14).
  var lineBreaks: [Bool] { shaped.lineBreaks }

  /// The number of characters for which no installed font has a visible glyph.
  var unknownGlyphCount: Int { shaped.unknownGlyphCount + blankCount }
}

/// The run of each byte of a block.
struct RunMap {
  private struct Run {
    let start: Int
    let end: Int
    let size: Double
  }

  private let runs: [Run]

  init(_ block: TextBlock) {
    var start = 0
    runs = block.runs.map { run in
      defer { start += run.text.utf8.count }
      return Run(start: start, end: start + run.text.utf8.count, size: run.font.size)
    }
  }

  /// Returns the run that contains a byte. Empty runs contain no bytes.
  func index(of byte: Int) -> Int {
    var index = 0
    while index + 1 < runs.count, runs[index].end <= byte { index += 1 }
    return index
  }

  /// Returns the first run with the largest font size in a range, or the last run if the range
  /// contains none.
  func indexOfLargest(in bytes: Range<Int>) -> Int {
    let size = largestSize(in: bytes)
    let upper = max(bytes.upperBound, bytes.lowerBound + 1)
    return runs.firstIndex { $0.start < upper && $0.end > bytes.lowerBound && $0.size == size }
      ?? max(0, runs.count - 1)
  }

  /// Returns the largest font size in a range, or that of the last run if the range contains none.
  func largestSize(in bytes: Range<Int>) -> Double {
    let upper = max(bytes.upperBound, bytes.lowerBound + 1)
    let inside = runs.filter { $0.start < upper && $0.end > bytes.lowerBound }
    let largest = inside.map(\.size).max() ?? 0
    return largest == 0 ? runs.last?.size ?? 0 : largest
  }
}

extension ShapedRun {
  /// Returns the underline for a part of the run that is `width` pixels wide; `nil` if the font
  /// defines no underline.
  fileprivate func underline(from pen: Point, _ width: Double) -> Path? {
    underline.map {
      let line = Rect(x: pen.x, y: pen.y - $0.position, width: width, height: $0.thickness)
      return Path.rect(line, radius: 0)
    }
  }
}
