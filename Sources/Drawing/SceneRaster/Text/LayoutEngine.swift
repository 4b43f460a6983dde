// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import SceneModel

/// Lays out text and caches the layouts. Each thread has its own engine.
final class LayoutEngine {
  private let shaper: TextShaper
  private var layouts: [TextBlock: TextLayout] = [:]
  /// The cached blocks in order of creation, for evicting the oldest.
  private var order: [TextBlock] = []
  /// The most recent text path, which several texts may share.
  private var line: LetterLine?

  init(_ fonts: FontLibrary) { shaper = TextShaper(fonts) }

  /// Returns the layout of a block from the cache or creates it.
  func layout(_ block: TextBlock) -> TextLayout {
    if shaper.refresh() {
      layouts = [:]
      order = []
    }
    if let known = layouts[block] { return known }
    let made = TextLayout(block, shaper)
    if order.count >= 512 {
      for old in order.prefix(128) { layouts[old] = nil }
      order.removeFirst(128)
    }
    layouts[block] = made
    order.append(block)
    return made
  }

  /// Returns the boxes of the lines with visible glyphs. Their heights follow from the font alone,
  /// so that lines with and without tall glyphs have equal boxes.
  func lineBoxes(of block: TextBlock) -> [Rect] {
    let layout = layout(block)
    let fonts = layout.largestFonts
    return layout.reaches.enumerated().compactMap { line, reach in
      guard let reach else { return nil }
      let strut = self.layout(TextBlock(runs: [TextRun("x", font: fonts[line])])).strut
      return Rect(
        x: reach.lowerBound, y: layout.lines[line].baseline - strut.ascent,
        width: reach.upperBound - reach.lowerBound, height: strut.height)
    }
  }

  /// Returns the line for the letters of a text on a path. Reuses the last line if it is the same.
  func line(under layout: TextLayout, along: TextLine) -> LetterLine {
    let height = layout.middleHeight { run in
      // Measured on the letter x, since fonts need not declare their x-height.
      let letter = self.layout(TextBlock(runs: [TextRun("x", font: run.font)]))
      return max(0, letter.extent.baseline - letter.inkBounds.y) / 2
    }
    let size = layout.block.runs.map(\.font.size).max() ?? 0
    if let line, line.height == height, line.fontSize == size, line.isRounded == along.isBent,
      line.source == along.path
    {
      return line
    }
    let line = LetterLine(
      along.path, height: height, fontSize: size, isRounded: along.isBent)
    self.line = line
    return line
  }
}
