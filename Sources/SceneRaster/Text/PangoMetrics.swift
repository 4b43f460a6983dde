// SPDX-License-Identifier: MIT
package import SceneCairo
package import SceneGraphics
package import SceneIR
package import SceneMath
package import SceneModel
import Synchronization

/// Measures text with the same layout that draws it.
package final class PangoMetrics: TextMetrics {
  let fonts: FontLibrary
  private let lazy: Mutex<LazyEngine>
  /// The digests of font files, and of the list of all.
  let contents = Mutex<[String: String]>([:])
  let installed = Mutex<[String]?>(nil)

  // Safe: the engine is used by one thread at a time, under the lock.
  private struct LazyEngine: @unchecked Sendable {
    var engine: LayoutEngine?
    var extents: [TextBlock: TextExtent] = [:]
  }

  package init(_ fonts: FontLibrary) {
    self.fonts = fonts
    lazy = Mutex(LazyEngine())
  }

  package func measure(_ block: TextBlock) -> TextExtent {
    lazy.withLock { state in
      if let known = state.extents[block] { return known }
      let engine = state.engine ?? LayoutEngine(fonts)
      state.engine = engine
      let extent = engine.layout(block).extent
      if state.extents.count > 4096 { state.extents = [:] }
      state.extents[block] = extent
      return extent
    }
  }

  package func count(_ kind: TextUnitKind, in block: TextBlock) -> Int {
    withLayout(of: block) { $0.count(kind) }
  }

  /// Whether a line of the text may end before each Unicode scalar but the first (UAX 14).
  package func lineBreaks(in block: TextBlock) -> [Bool] { withLayout(of: block) { $0.lineBreaks } }

  package func outline(of block: TextBlock) -> Path { withLayout(of: block) { $0.outline } }

  package func fallbackFamilies(of block: TextBlock) -> [String] {
    withLayout(of: block) { $0.fallbackFamilies }
  }

  package func unknownGlyphCount(_ block: TextBlock) -> Int {
    withLayout(of: block) { $0.unknownGlyphCount }
  }

  func sources(of block: TextBlock) -> (Set<FontSource>, families: Set<String>) {
    withLayout(of: block) { ($0.sources, $0.families) }
  }

  private func withLayout<T: Sendable>(of block: TextBlock, _ body: (TextLayout) -> T) -> T {
    lazy.withLock { state in
      let engine = state.engine ?? LayoutEngine(fonts)
      state.engine = engine
      return body(engine.layout(block))
    }
  }

  package func hasFamily(_ name: String) -> Bool {
    ["sans-serif", "serif", "monospace"].contains(name)
      || fonts.families.contains { $0.lowercased() == name.lowercased() }
  }

  package var families: [String] { fonts.families }

  package func formulaFont(_ family: String) -> (any MathFont)? { fonts.formulaFont(family) }
}
