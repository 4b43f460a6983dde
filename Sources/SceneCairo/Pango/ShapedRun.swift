// SPDX-License-Identifier: MIT
import CCairo
package import SceneGraphics
import SceneSystem

/// Owner of one `PangoGlyphItem`: glyphs of one font on one line, from left to right.
@safe package final class ShapedRun {
  package struct Glyph {
    /// The byte of the text at which its cluster begins.
    package let byte: Int
    /// How far the pen moves, in pixels.
    package let advance: Double
    /// Whether it draws nothing: as wide and as high as nothing.
    package let isBlank: Bool
    package let isVisible: Bool
  }

  @safe private let item: Owned<UnsafeMutablePointer<PangoGlyphItem>>
  /// The line of the block.
  package let line: Int
  /// Pixels from the left of the block, and to the end of the run.
  package let x: Double
  package let width: Double

  /// Copies the glyphs, which a layout forgets when it is laid out anew.
  init(_ run: UnsafeMutablePointer<PangoGlyphItem>, line: Int, x: Int32, width: Int32) {
    // Safe: Pango aborts by itself when it has no memory.
    unsafe item = Owned(always: pango_glyph_item_copy(run), pango_glyph_item_free)
    self.line = line
    self.x = x.asPixels
    self.width = width.asPixels
  }

  /// The byte of the text at which it begins.
  package var byte: Int { Int(scene_run_start(item.pointer)) }

  package var glyphCount: Int { Int(scene_glyph_count(item.pointer)) }

  /// Whether the font has colors of its own, as for emoji.
  package private(set) lazy var isColored = scene_run_is_colored(item.pointer) != 0

  /// All glyphs.
  package private(set) lazy var glyphs: [Glyph] = (0..<glyphCount).map { index in
    let it = scene_run_glyph(item.pointer, Int32(index))
    return Glyph(
      byte: Int(it.byte), advance: it.advance.asPixels, isBlank: it.width == 0 && it.height == 0,
      isVisible: it.width > 0 && it.height > 0)
  }

  /// What fontconfig knows of its font.
  private(set) lazy var face: FontFace? = unsafe scene_run_face(item.pointer).map {
    unsafe FontFace($0)
  }

  /// Where its glyphs come from; `nil` where fontconfig does not know the font.
  package var source: FontSource? { face?.source }

  /// Whether fontconfig knows the font.
  package var isFile: Bool { face != nil }

  /// All names of the font's family, the usual one first.
  package var families: [String] { face?.families ?? [] }

  /// Whether the font's glyph for a character draws nothing.
  package func drawsNothing(_ scalar: Unicode.Scalar) -> Bool {
    scene_run_draws_nothing(item.pointer, scalar.value) != 0
  }

  /// Where a line under the text is: its top from the baseline, upwards, and how thick it is.
  package private(set) lazy var underline: (position: Double, thickness: Double)? = {
    let it = scene_run_underline(item.pointer)
    return it.is_known == 0 ? nil : (it.position.asPixels, it.thickness.asPixels)
  }()

  /// Shows glyphs that have no outlines, in the colors of their font, from a point of the baseline.
  package func show(_ part: Range<Int>, at pen: Point, on context: DrawingContext) {
    put(part, at: pen, on: context, isOutline: false)
  }

  /// Shows glyphs, or adds their outlines to the path of the context.
  fileprivate func put(
    _ part: Range<Int>, at pen: Point, on context: DrawingContext, isOutline: Bool
  ) {
    precondition(part.lowerBound >= 0 && part.upperBound <= glyphCount)
    context.move(to: pen)
    scene_put_glyphs(
      item.pointer, context.handle.pointer, Int32(part.lowerBound), Int32(part.count), isOutline)
  }
}

/// Takes the outlines of glyphs from Cairo, at 16 times the size, so that they are exact.
package struct OutlinePen {
  // Unbounded, since Cairo leaves glyphs out that lie off the surface.
  private let context = DrawingContext(.recording())

  package init() {}

  /// The outlines of some glyphs of a run, all without `part`, with the pen at a point; `size` is
  /// that of the font, in pixels.
  package func path(of run: ShapedRun, _ part: Range<Int>? = nil, at pen: Point, size: Double)
    -> Path
  {
    // As large as FreeType draws without fault.
    let scale = max(0.1, min(16, 4000 / max(1, size)))
    context.map = .identity
    context.scale(scale, scale)
    context.newPath()
    // Taken at the origin and moved after, since Cairo's path numbers are 24.8 fixed point.
    run.put(part ?? 0..<run.glyphCount, at: .zero, on: context, isOutline: true)
    return context.path(movedBy: pen)
  }
}
