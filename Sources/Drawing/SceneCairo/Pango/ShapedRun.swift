// SPDX-License-Identifier: MIT
import CCairo
package import SceneGraphics
import SceneSystem

/// An owned `PangoGlyphItem`: the glyphs of one font on one line, from left to right.
@safe package final class ShapedRun {
  package struct Glyph {
    /// The byte offset of the glyph's cluster in the text.
    package let byte: Int
    /// The advance of the pen in pixels.
    package let advance: Double
    /// Whether the glyph has zero width and height.
    package let isBlank: Bool
    package let isVisible: Bool
  }

  @safe private let item: Owned<UnsafeMutablePointer<PangoGlyphItem>>
  /// The index of the line in the block.
  package let line: Int
  /// The distance from the left edge of the block and the width of the run, in pixels.
  package let x: Double
  package let width: Double

  /// Copies the glyphs, since a layout frees them when it is changed.
  init(_ run: UnsafeMutablePointer<PangoGlyphItem>, line: Int, x: Int32, width: Int32) {
    // Safe: Pango aborts if out of memory.
    unsafe item = Owned(always: pango_glyph_item_copy(run), pango_glyph_item_free)
    self.line = line
    self.x = x.asPixels
    self.width = width.asPixels
  }

  /// The run as an argument of functions in C.
  private var run: scene_run { unsafe scene_run(item: item.pointer) }

  /// The byte offset of the run in the text.
  package var byte: Int { Int(scene_run_start(run)) }

  package var glyphCount: Int { Int(scene_glyph_count(run)) }

  /// Whether the font has color glyphs, such as emoji.
  package private(set) lazy var isColored = scene_run_is_colored(run) != 0

  package private(set) lazy var glyphs: [Glyph] = GlyphLock.withLock {
    (0..<glyphCount).map { index in
      let it = scene_run_glyph(run, Int32(index))
      return Glyph(
        byte: Int(it.byte), advance: it.advance.asPixels, isBlank: it.width == 0 && it.height == 0,
        isVisible: it.width > 0 && it.height > 0)
    }
  }

  /// The fontconfig properties of the font.
  private(set) lazy var face: FontFace? = unsafe scene_run_face(run).map {
    unsafe FontFace($0)
  }

  /// The origin of the glyphs; `nil` if the font is unknown to fontconfig.
  package var source: FontSource? { face?.source }

  /// Whether the font is known to fontconfig.
  package var isFile: Bool { face != nil }

  /// Keeps the FreeType face of the font open for the lifetime of the process.
  func keepFaceOpen() { scene_run_keep_face_open(run) }

  /// All names of the font's family, the primary one first.
  package var families: [String] { face?.families ?? [] }

  /// Returns whether the font's glyph for a character is empty.
  package func drawsNothing(_ scalar: Unicode.Scalar) -> Bool {
    scene_run_draws_nothing(run, scalar.value) != 0
  }

  /// The position of the underline's top above the baseline, and its thickness, in pixels.
  package private(set) lazy var underline: (position: Double, thickness: Double)? = {
    let it = GlyphLock.withLock { scene_run_underline(run) }
    return it.is_known == 0 ? nil : (it.position.asPixels, it.thickness.asPixels)
  }()

  /// Draws glyphs without outlines in the colors of their font, starting at a point on the
  /// baseline.
  package func show(_ part: Range<Int>, at pen: Point, on context: DrawingContext) {
    put(part, at: pen, on: context, isOutline: false)
  }

  /// Draws glyphs or adds their outlines to the current path of the context.
  fileprivate func put(
    _ part: Range<Int>, at pen: Point, on context: DrawingContext, isOutline: Bool
  ) {
    precondition(part.lowerBound >= 0 && part.upperBound <= glyphCount)
    context.move(to: pen)
    GlyphLock.withLock {
      scene_put_glyphs(
        run, context.handle.pointer, Int32(part.lowerBound), Int32(part.count), isOutline)
    }
  }
}

/// Obtains the outlines of glyphs from Cairo, at 16 times their size for precision.
package struct OutlinePen {
  // Unbounded, since Cairo omits glyphs outside a surface.
  private let context = DrawingContext(.recording())

  package init() {}

  /// Returns the outlines of some glyphs of a run, by default all, with the pen at a point. `size`
  /// is the font size in pixels.
  package func path(of run: ShapedRun, _ part: Range<Int>? = nil, at pen: Point, size: Double)
    -> Path
  {
    // The largest size at which FreeType renders correctly.
    let scale = max(0.1, min(16, 4000 / max(1, size)))
    context.map = .identity
    context.scale(scale, scale)
    context.newPath()
    // Traced at the origin and moved afterward, since Cairo stores path coordinates as 24.8 fixed
    // point.
    run.put(part ?? 0..<run.glyphCount, at: .zero, on: context, isOutline: true)
    return context.path(movedBy: pen)
  }
}
