// SPDX-License-Identifier: MIT
import CCairo
package import SceneIR
import SceneSystem

/// An owned `PangoFontMap` and `PangoContext`, which break text into lines and select glyphs.
///
/// Layout uses scale 1 without hinting, so it does not depend on the output scale.
@safe package final class TextShaper {
  private let fonts: FontLibrary
  @safe private let map: Owned<UnsafeMutablePointer<PangoFontMap>>
  @safe private let context: Owned<OpaquePointer>
  private var generation: Int

  package init(_ fonts: FontLibrary) {
    self.fonts = fonts
    // Must come first, since without a configuration a Pango font map reads its own.
    let (config, generation) = fonts.current
    self.generation = generation
    // Safe: these functions never return null; Pango aborts if out of memory.
    unsafe map = Owned(
      always: pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT)
    ) { unsafe g_object_unref($0) }
    scene_font_map_setup(map.pointer, config?.handle.pointer)
    unsafe context = Owned(always: pango_font_map_create_context(map.pointer)) {
      unsafe g_object_unref(.init($0))
    }
    let options = unsafe Owned(always: scene_unhinted(), cairo_font_options_destroy)
    pango_cairo_context_set_font_options(context.pointer, options.pointer)
    pango_context_set_round_glyph_positions(context.pointer, 0)
  }

  /// Updates the font map after fonts were added. Returns whether it changed, which invalidates
  /// layouts.
  package func refresh() -> Bool {
    let now = fonts.generation
    guard now != generation else { return false }
    generation = now
    scene_font_map_changed(map.pointer)
    return true
  }

  /// Lays out a block.
  package func shape(_ block: TextBlock) -> ShapedText {
    if block.direction != .auto { turn(toLeft: block.direction == .rightToLeft) }
    defer { if block.direction != .auto { turn(toLeft: false) } }
    return unsafe ShapedText(block, context.pointer)
  }

  private func turn(toLeft isLeft: Bool) {
    pango_context_set_base_dir(context.pointer, isLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR)
  }

  /// Returns additional names of faces in a run's family with the same weight, width and slant.
  package func siblings(of run: ShapedRun) -> [String] {
    run.face.map { fonts.siblings(of: $0) } ?? []
  }
}
