// SPDX-License-Identifier: MIT
package import SceneCairo
package import SceneGraphics
package import SceneIR
package import SceneMath
package import SceneModel
import Synchronization

/// Measures text with the layout code that also draws it.
package final class PangoMetrics: TextMetrics {
  let fonts: FontLibrary
  private let lazy: Mutex<LazyEngine>
  /// The digests of font files by path, and the digest of the list of all fonts.
  let contents = Mutex<[String: String]>([:])
  let installed = Mutex<[String]?>(nil)

  // Safe: only one thread at a time uses the engine, under the lock.
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

  package func box(ofRuns runs: Range<Int>, in block: TextBlock) -> Rect {
    withLayout(of: block) { $0.box(ofRuns: runs) }
  }

  package func count(_ kind: TextUnitKind, in block: TextBlock) -> Int {
    withLayout(of: block) { $0.count(kind) }
  }

  /// Returns for each Unicode scalar whether a line may break before it (UAX 14). The first is
  /// omitted.
  package func lineBreaks(in block: TextBlock) -> [Bool] { withLayout(of: block) { $0.lineBreaks } }

  package func lineBoxes(of block: TextBlock) -> [Rect] {
    lazy.withLock { state in
      let engine = state.engine ?? LayoutEngine(fonts)
      state.engine = engine
      return engine.lineBoxes(of: block)
    }
  }

  package func outline(of block: TextBlock) -> Path { withLayout(of: block) { $0.outline } }

  package func outline(of block: TextBlock, along line: TextLine) -> Path {
    lazy.withLock { state in
      let engine = state.engine ?? LayoutEngine(fonts)
      state.engine = engine
      return Path(
        letters(of: engine.layout(block), along: line, engine).glyphs.flatMap(\.outline.elements))
    }
  }

  package func glyphs(of block: TextBlock) -> [GlyphOutline] {
    withLayout(of: block) { layout in
      layout.clusters.filter { $0.bitmap == nil }.map { layout.glyph(of: $0) }
    }
  }

  package func glyphs(of block: TextBlock, along line: TextLine) -> [GlyphOutline] {
    lazy.withLock { state in
      let engine = state.engine ?? LayoutEngine(fonts)
      state.engine = engine
      return letters(of: engine.layout(block), along: line, engine).glyphs
    }
  }

  /// Returns the letters of a layout on a path.
  private func letters(of layout: TextLayout, along line: TextLine, _ engine: LayoutEngine)
    -> ClusterLine
  {
    var units = TextUnits(kind: .glyph, styles: [])
    units.along = line
    return ClusterLine(units, layout, line: engine.line(under: layout, along: line))
  }

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

  package func axes(of family: String) -> [FontAxisRange] { fonts.axes(of: family) }

  package func hasWidths(_ family: String) -> Bool { fonts.hasWidths(family) }

  package var families: [String] { fonts.families }

  package func formulaFont(_ family: String) -> (any MathFont)? { fonts.formulaFont(family) }
}
