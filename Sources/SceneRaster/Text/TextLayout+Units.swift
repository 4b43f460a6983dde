// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import ScenePixels

/// A cluster of glyphs that is drawn as one, and to which units it belongs.
struct TextCluster {
  let run: Int
  let path: Path
  let flat: FlatPath
  let underline: Rect?
  /// A glyph without outlines, at its pen position.
  let bitmap: GlyphBitmap?
  /// Its place: the advance by the height of the line.
  let box: Rect
  let glyph: Int
  let word: Int
  let line: Int

  /// Around its place and all that it draws.
  var ink: Rect {
    let own = box.union(path.controlBounds)
    return underline.map { own.union($0) } ?? own
  }

  func unit(_ kind: TextUnitKind) -> Int {
    switch kind {
    case .glyph: glyph
    case .word: word
    case .line: line
    }
  }
}

/// Glyphs without outlines, such as color emoji, and the place from which they are shown.
struct GlyphBitmap {
  let run: ShapedRun
  let part: Range<Int>
  let pen: Point

  /// Shows them in the colors of their font.
  func show(on context: DrawingContext) { run.show(part, at: pen, on: context) }
}

/// The units that the bytes of a text belong to.
struct TextUnitMap {
  /// For each byte the number of its glyph and word; that of the one before for white space.
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
  /// How many units of a kind there are.
  func count(_ kind: TextUnitKind) -> Int {
    switch kind {
    case .glyph: units.glyphCount
    case .word: units.wordCount
    case .line: lines.count
    }
  }

  /// Around each unit of a kind.
  func boxes(_ kind: TextUnitKind) -> [Rect] { union(\.box, kind) }

  /// Around each unit of a kind and all that it draws.
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
  /// Around all clusters of some runs.
  func box(ofRuns runs: Range<Int>) -> Rect {
    clusters.reduce(.empty) { runs.contains($1.run) ? $0.union($1.box) : $0 }
  }
}

/// How the clusters of a text are moved: by the spans that they are in, and by their units.
struct MovedText {
  private let units: TextUnits
  private let boxes: [Rect]
  /// Around each unit and all that it draws; empty unless a unit is shifted.
  private let inks: [Rect]
  private let spans: [(span: TextSpan, center: Point)]

  init(_ layout: TextLayout, _ units: TextUnits) {
    self.units = units
    boxes = layout.boxes(units.kind)
    inks = units.styles.contains { $0.shift != .zero } ? layout.inks(units.kind) : []
    spans = units.spans.map { ($0, layout.box(ofRuns: $0.runs).center) }
  }

  /// The window that a shifted unit is seen through, and the distance by which it is moved behind it.
  func window(of cluster: TextCluster) -> (window: Rect, offset: Point)? {
    let index = cluster.unit(units.kind)
    guard inks.indices.contains(index), units.styles.indices.contains(index) else { return nil }
    let (ink, shift) = (inks[index], units.styles[index].shift)
    guard shift != .zero else { return nil }
    // Only the edge that the unit crosses cuts.
    func interval(_ low: Double, _ high: Double, shift: Double) -> (Double, Double) {
      (shift < 0 ? low : low - 20_000, shift > 0 ? high : high + 20_000)
    }
    let (left, right) = interval(ink.x, ink.maxX, shift: shift.x)
    let (top, bottom) = interval(ink.y, ink.maxY, shift: shift.y)
    return (
      Rect(left, top, right - left, bottom - top),
      Point(shift.x * ink.width, shift.y * ink.height)
    )
  }

  /// All that is done to a cluster, as one style whose map needs no middle.
  func style(of cluster: TextCluster) -> TextUnitStyle {
    let index = cluster.unit(units.kind)
    var style = units.styles.indices.contains(index) ? units.styles[index] : TextUnitStyle()
    style.map = boxes.indices.contains(index) ? style.map.about(boxes[index].center) : .identity
    for (span, center) in spans.reversed() where span.runs.contains(cluster.run) {
      style.map = span.style.map.about(center).concat(style.map)
      style.opacity *= span.style.opacity
      style.blur += span.style.blur
    }
    return style
  }
}

extension Affine {
  /// The map with a point as its origin.
  func about(_ p: Point) -> Affine {
    Affine.translation(p.x, p.y).concat(self).concat(.translation(-p.x, -p.y))
  }
}
