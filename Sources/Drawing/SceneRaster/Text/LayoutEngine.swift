// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR

/// Lays out text and caches the layouts. Each thread has its own engine.
final class LayoutEngine {
  private let shaper: TextShaper
  private var layouts: [TextBlock: TextLayout] = [:]
  /// The cached blocks in order of creation, for evicting the oldest.
  private var order: [TextBlock] = []
  /// The most recent text path, which several texts may share.
  private var line: MeasuredPath?

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

  func measured(_ path: Path) -> MeasuredPath {
    if let line, line.path == path { return line }
    let line = MeasuredPath(path)
    self.line = line
    return line
  }
}
