// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import ScenePixels

/// A cluster of glyphs that is drawn as a whole, with the units that contain it.
struct TextCluster {
  let run: Int
  var path: Path { didSet { flat = FlatPath(path) } }
  private(set) var flat: FlatPath
  var underline: Path?
  /// The path to stroke if it differs from `path`.
  var pen: Path?
  /// Glyphs without outlines, at their pen position.
  let bitmap: GlyphBitmap?
  /// The layout box: the advance width by the line height.
  let box: Rect
  let glyph: Int
  let word: Int
  let line: Int

  init(
    run: Int, path: Path, underline: Path?, bitmap: GlyphBitmap?, box: Rect, glyph: Int, word: Int,
    line: Int
  ) {
    (self.run, self.path, flat) = (run, path, FlatPath(path))
    (self.underline, self.bitmap, self.box) = (underline, bitmap, box)
    (self.glyph, self.word, self.line) = (glyph, word, line)
  }

  /// The union of the layout box and everything that is drawn.
  var ink: Rect {
    let own = box.union(path.controlBounds)
    return underline.map { own.union($0.controlBounds) } ?? own
  }

  func unit(_ kind: TextUnitKind) -> Int {
    switch kind {
    case .glyph: glyph
    case .word: word
    case .line: line
    }
  }
}

/// Glyphs without outlines, such as color emoji, with their pen position.
struct GlyphBitmap {
  let run: ShapedRun
  let part: Range<Int>
  let pen: Point

  /// Draws the glyphs in the colors of their font.
  func show(on context: DrawingContext) { run.show(part, at: pen, on: context) }
}

/// The units of each byte of a text.
struct TextUnitMap {
  /// The glyph and word index of each byte. White space has the indices of the preceding character.
  private(set) var glyphs: [Int32] = []
  private(set) var words: [Int32] = []
  private(set) var glyphCount = 0
  private(set) var wordCount = 0

  init(_ text: String) {
    var isInWord = false
    for character in text {
      if character.isWhitespace {
        isInWord = false
      } else {
        glyphCount += 1
        if !isInWord { wordCount += 1 }
        isInWord = true
      }
      for _ in 0..<character.utf8.count {
        glyphs.append(Int32(glyphCount - 1))
        words.append(Int32(wordCount - 1))
      }
    }
  }
}

extension TextLayout {
  /// Returns the number of units of a kind.
  func count(_ kind: TextUnitKind) -> Int {
    switch kind {
    case .glyph: units.glyphCount
    case .word: units.wordCount
    case .line: lines.count
    }
  }

  /// Returns the layout box of each unit of a kind.
  func boxes(_ kind: TextUnitKind) -> [Rect] { union(\.box, kind) }

  /// Returns the ink bounds of each unit of a kind.
  func inks(_ kind: TextUnitKind) -> [Rect] { union(\.ink, kind) }

  private func union(_ part: (TextCluster) -> Rect, _ kind: TextUnitKind) -> [Rect] {
    var boxes = [Rect](repeating: .empty, count: count(kind))
    for cluster in clusters where boxes.indices.contains(cluster.unit(kind)) {
      boxes[cluster.unit(kind)] = boxes[cluster.unit(kind)].union(part(cluster))
    }
    return boxes
  }
}

extension TextLayout {
  /// Returns the outlines of a cluster, including its underline, with its first character.
  func glyph(of cluster: TextCluster) -> GlyphOutline {
    let sign =
      visibleCharacters.indices.contains(cluster.glyph)
      ? String(visibleCharacters[cluster.glyph]) : ""
    return GlyphOutline(
      sign: sign, outline: Path(cluster.path.elements + (cluster.underline?.elements ?? [])))
  }

  /// Returns the union of the layout boxes of some runs.
  func box(ofRuns runs: Range<Int>) -> Rect {
    clusters.reduce(.empty) { runs.contains($1.run) ? $0.union($1.box) : $0 }
  }
}

/// The styles of a text's clusters, combined from their spans and units.
struct MovedText {
  private let units: TextUnits
  private let boxes: [Rect]
  /// The ink bounds of each unit; empty unless a unit is shifted.
  private let inks: [Rect]
  private let spans: [(span: TextSpan, center: Point)]

  init(_ layout: TextLayout, _ units: TextUnits) {
    self.units = units
    boxes = layout.boxes(units.kind)
    inks = units.styles.contains { $0.shift != .zero } ? layout.inks(units.kind) : []
    spans = units.spans.map { ($0, layout.box(ofRuns: $0.runs).center) }
  }

  /// Returns the window that clips a shifted unit, and the offset of the unit. Returns `nil` if the
  /// unit is not shifted.
  func window(of cluster: TextCluster) -> (window: Rect, offset: Point)? {
    let index = cluster.unit(units.kind)
    guard inks.indices.contains(index), units.styles.indices.contains(index) else { return nil }
    let (ink, shift) = (inks[index], units.styles[index].shift)
    guard shift != .zero else { return nil }
    // Only the edge that the unit crosses clips it.
    func interval(_ low: Double, _ high: Double, shift: Double) -> (Double, Double) {
      (shift < 0 ? low : low - 20_000, shift > 0 ? high : high + 20_000)
    }
    let (left, right) = interval(ink.x, ink.maxX, shift: shift.x)
    let (top, bottom) = interval(ink.y, ink.maxY, shift: shift.y)
    return (
      Rect(x: left, y: top, width: right - left, height: bottom - top),
      Point(shift.x * ink.width, shift.y * ink.height)
    )
  }

  /// Returns the combined style of a cluster. Its transformation accounts for the centers of
  /// rotation and scaling.
  func style(of cluster: TextCluster) -> TextUnitStyle {
    let index = cluster.unit(units.kind)
    var style = units.styles.indices.contains(index) ? units.styles[index] : TextUnitStyle()
    let center = boxes.indices.contains(index) ? boxes[index].center : nil
    var space = center.flatMap { style.space?.about($0) }
    style.map = center.map { style.map.about($0) } ?? .identity
    for (span, center) in spans.reversed() where span.runs.contains(cluster.run) {
      if let own = span.style.space {
        space = own.about(center).concat(space ?? SpaceMap(style.map))
      } else if let inner = space {
        space = SpaceMap(span.style.map.about(center)).concat(inner)
      }
      style.map = span.style.map.about(center).concat(style.map)
      style.opacity *= span.style.opacity
      style.blur += span.style.blur
    }
    style.space = space
    return style
  }
}

extension SpaceMap {
  /// Returns the transformation with a point as its origin.
  fileprivate func about(_ p: Point) -> SpaceMap {
    SpaceMap.translation(p).concat(self).concat(.translation(Point(-p.x, -p.y)))
  }
}

extension Affine {
  /// Returns the transformation with a point as its origin.
  func about(_ p: Point) -> Affine {
    Affine.translation(p.x, p.y).concat(self).concat(.translation(-p.x, -p.y))
  }
}
