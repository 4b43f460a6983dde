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
    /// What it draws, in units of the font map.
    fileprivate let ink: PangoRectangle

    /// Whether it draws nothing: as wide and as high as nothing.
    package var isBlank: Bool { ink.width == 0 && ink.height == 0 }
    package var isVisible: Bool { ink.width > 0 && ink.height > 0 }
  }

  private let item: Owned<UnsafeMutablePointer<PangoGlyphItem>>
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

  private var font: UnsafeMutablePointer<PangoFont>? {
    unsafe item.pointer.pointee.item.pointee.analysis.font
  }

  private var all: PangoGlyphString { unsafe item.pointer.pointee.glyphs.pointee }

  /// The byte of the text at which it begins.
  package var byte: Int { Int(unsafe item.pointer.pointee.item.pointee.offset) }

  package var glyphCount: Int { Int(unsafe all.num_glyphs) }

  /// Whether the font has colours of its own, as for emoji.
  package private(set) lazy var isColored = unsafe scene_font_is_colored(font) != 0

  /// All glyphs.
  package private(set) lazy var glyphs: [Glyph] = (0..<glyphCount).map { index in
    let (info, cluster) = unsafe (all.glyphs[index], Int(all.log_clusters[index]))
    var ink = PangoRectangle()
    unsafe pango_font_get_glyph_extents(font, info.glyph, &ink, nil)
    return Glyph(byte: byte + cluster, advance: info.geometry.width.asPixels, ink: ink)
  }

  /// What fontconfig knows of its font.
  private(set) lazy var face: FontFace? = unsafe scene_font_face(font).map { unsafe FontFace($0) }

  /// Where its glyphs come from; `nil` where fontconfig does not know the font.
  package var source: FontSource? { face?.source }

  /// Whether fontconfig knows the font.
  package var isFile: Bool { face != nil }

  /// All names of the font's family, the usual one first.
  package var families: [String] { face?.families ?? [] }

  /// Whether the font's glyph for a character draws nothing.
  package func drawsNothing(_ scalar: Unicode.Scalar) -> Bool {
    unsafe scene_font_draws_nothing(font, scalar.value) != 0
  }

  /// Where a line under the text is: its top from the baseline, upwards, and how thick it is.
  package private(set) lazy var underline: (position: Double, thickness: Double)? = {
    guard
      let metrics = unsafe Owned(
        font.map { unsafe pango_font_get_metrics($0, nil) } ?? nil, pango_font_metrics_unref)
    else { return nil }
    return unsafe (
      pango_font_metrics_get_underline_position(metrics.pointer).asPixels,
      pango_font_metrics_get_underline_thickness(metrics.pointer).asPixels
    )
  }()

  /// Shows glyphs that have no outlines, in the colours of their font, from a point of the baseline.
  package func show(_ part: Range<Int>, at pen: Point, on context: DrawingContext) {
    put(part, at: pen, on: context, isOutline: false)
  }

  /// Shows glyphs, or adds their outlines to the path of the context.
  fileprivate func put(
    _ part: Range<Int>, at pen: Point, on context: DrawingContext, isOutline: Bool
  ) {
    precondition(part.lowerBound >= 0 && part.upperBound <= glyphCount)
    var glyphs = unsafe PangoGlyphString(
      num_glyphs: Int32(part.count), glyphs: all.glyphs + part.lowerBound,
      log_clusters: all.log_clusters + part.lowerBound, space: 0)
    context.move(to: pen)
    let put = unsafe isOutline ? pango_cairo_glyph_string_path : pango_cairo_show_glyph_string
    unsafe put(context.handle.pointer, font, &glyphs)
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
