// SPDX-License-Identifier: MIT
import CCairo
package import SceneIR

/// Owner of a `PangoFontMap` and a `PangoContext`, which break text into lines and choose glyphs.
///
/// Layout happens at scale 1 without hinting, so that it does not depend on how it is drawn.
@safe package final class TextShaper {
  private let fonts: FontLibrary
  private let map: UnsafeMutablePointer<PangoFontMap>
  private let context: OpaquePointer
  private var generation: Int

  package init(_ fonts: FontLibrary) {
    self.fonts = fonts
    // First, since a font map of Pango reads a configuration of its own where there is none yet.
    let (config, generation) = fonts.current
    self.generation = generation
    // Safe: Pango aborts by itself when it has no memory; these never return null.
    unsafe map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT)!
    unsafe pango_fc_font_map_set_config(scene_fc_font_map(map), config?.handle)
    // 96 dots an inch, so that absolute sizes are pixels.
    unsafe pango_cairo_font_map_set_resolution(OpaquePointer(map), 96)
    unsafe context = pango_font_map_create_context(map)!
    let options = unsafe cairo_font_options_create()
    unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    unsafe pango_cairo_context_set_font_options(context, options)
    unsafe cairo_font_options_destroy(options)
    unsafe pango_context_set_round_glyph_positions(context, 0)
  }

  deinit {
    unsafe g_object_unref(UnsafeMutableRawPointer(context))
    unsafe g_object_unref(UnsafeMutableRawPointer(map))
  }

  /// Takes notice of fonts that were added; whether there were any, so that texts look different.
  package func refresh() -> Bool {
    let now = fonts.generation
    guard now != generation else { return false }
    generation = now
    unsafe pango_fc_font_map_config_changed(scene_fc_font_map(map))
    return true
  }

  /// Lays a block out.
  package func shape(_ block: TextBlock) -> ShapedText {
    let isTurned = block.direction != .auto
    if isTurned {
      let isLeft = block.direction == .rightToLeft
      unsafe pango_context_set_base_dir(
        context, isLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR)
    }
    defer { if isTurned { unsafe pango_context_set_base_dir(context, PANGO_DIRECTION_LTR) } }
    return unsafe ShapedText(block, context)
  }

  /// Further names of faces in a run's family that are as bold and slanted.
  package func siblings(of run: ShapedRun) -> [String] {
    run.face.map { fonts.siblings(of: $0) } ?? []
  }
}
