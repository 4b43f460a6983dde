// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR

/// Lays text out and remembers it. Each thread has its own.
final class LayoutEngine {
  private let shaper: TextShaper
  private var layouts: [TextBlock: TextLayout] = [:]
  /// Blocks in the order of their last making, for forgetting the oldest.
  private var order: [TextBlock] = []
  /// The line that a text stood on last; many may stand on one.
  private var line: MeasuredPath?

  init(_ fonts: FontLibrary) { shaper = TextShaper(fonts) }

  /// The layout of a block, kept for the next time.
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

  func measured(_ path: Path) -> MeasuredPath {
    if let line, line.path == path { return line }
    let line = MeasuredPath(path)
    self.line = line
    return line
  }
}
