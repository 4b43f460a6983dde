// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR

// Texts on paths.

extension Evaluator {
  /// Returns the outlines or the box of a text on a path.
  package func letters(_ model: LetterPathModel) -> Path {
    guard mayGoOn() else { return Path() }
    let block = block(model.text)
    let line = TextLine(path: path(model.path), start: self(model.start), isBent: model.isBent)
    switch model.part {
    case .glyphs: return metrics.outline(of: block, along: line)
    case .box: return metrics.box(of: block, along: line)
    }
  }
}

extension Evaluator {
  /// Returns the glyphs of the outlines of a text or formula; `nil` for other paths.
  package func glyphs(_ model: PathModel) -> [GlyphOutline]? {
    guard model.segments.count == 1 else { return nil }
    switch model.segments[0] {
    case .glyphs(let glyphs): return glyphs
    case .text(let text): return metrics.glyphs(of: block(text))
    case .letters(let it) where it.part == .glyphs:
      let line = TextLine(path: path(it.path), start: self(it.start), isBent: it.isBent)
      return metrics.glyphs(of: block(it.text), along: line)
    case .mapped(let map, let inner):
      let map = affine(map)
      return glyphs(inner)?.map { $0.transformed(by: map) }
    default: return nil
    }
  }

  /// Returns two paths with the same commands for the interpolation between two paths. The glyphs
  /// of texts and formulas are matched one by one.
  package func matching(_ a: PathModel, _ b: PathModel) -> (Path, Path) {
    if let own = glyphs(a), let others = glyphs(b) { return Path.matched(own, others) }
    return Path.matched(path(a), path(b))
  }
}

extension TextMetrics {
  /// Returns the outlines of the glyphs of a text. By default, the text is one glyph.
  package func glyphs(of block: TextBlock) -> [GlyphOutline] {
    [GlyphOutline(sign: block.string, outline: outline(of: block))]
  }

  /// Returns the outlines of the glyphs of a text on a path, in the coordinates of the path.
  package func glyphs(of block: TextBlock, along line: TextLine) -> [GlyphOutline] {
    [GlyphOutline(sign: block.string, outline: outline(of: block, along: line))]
  }

  /// Returns the layout box of a text, bent along a path: two lines that follow the path, at the
  /// heights of the top and the bottom of the text.
  ///
  /// It is empty if the text is beyond the ends of the path.
  package func box(of block: TextBlock, along line: TextLine) -> Path {
    let extent = measure(block)
    let letters = LetterLine(text: block, along: line)
    let start = letters.start(of: block, width: extent.width, from: line.start)
    let (from, to) = (
      max(0, start), min(letters.position(atShare: 1), start + extent.width)
    )
    guard letters.fontSize > 0, !start.isNaN, from < to else { return Path() }
    let straight = Rect(x: from, y: 0, width: to - from, height: extent.height)
    return Path.rect(straight, radius: 0).bent {
      letters.point(at: $0.x, above: extent.baseline - $0.y)
    }
  }
}

extension LetterLine {
  /// Half the height of small letters, as a fraction of the font size.
  private static let middle = 0.26

  /// Creates the line of a text from its font size, without the metrics of its font.
  package init(text block: TextBlock, along line: TextLine) {
    let size = block.runs.map(\.font.size).max() ?? 0
    self.init(
      line.path, height: size * LetterLine.middle, fontSize: size, isRounded: line.isBent)
  }

  /// Returns the position of the left edge of a text whose anchor is at a fraction of the path.
  package func start(of block: TextBlock, width: Double, from share: Double) -> Double {
    let anchor = position(atShare: share)
    switch block.align {
    case .left: return anchor
    case .justify: return anchor - (block.direction == .rightToLeft ? width : 0)
    case .center: return anchor - width / 2
    case .right: return anchor - width
    }
  }
}
