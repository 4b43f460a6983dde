// SPDX-License-Identifier: MIT
import CCairo
import SceneGraphics
import SceneIR
import SceneModel

/// Lays text out with Pango. Each thread has its own.
///
/// Layout happens at scale 1 without hinting, so that it does not depend on how it is drawn.
@safe final class LayoutEngine {
  private let fonts: FontLibrary
  private let map: UnsafeMutablePointer<PangoFontMap>
  private let context: OpaquePointer
  private var generation: Int
  private var layouts: [TextBlock: TextLayout] = [:]
  /// Blocks in the order of their last making, for forgetting the oldest.
  private var order: [TextBlock] = []

  init(_ fonts: FontLibrary) {
    self.fonts = fonts
    // First, since a font map of Pango reads a configuration of its own where there is none yet.
    unsafe fonts.withConfig { _, _ in }
    // Safe: Pango aborts by itself when it has no memory; these never return null.
    unsafe map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT)!
    let used = unsafe map
    generation = unsafe fonts.withConfig { config, generation in
      unsafe pango_fc_font_map_set_config(scene_fc_font_map(used), config)
      return generation
    }
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
    layouts = [:]
    unsafe g_object_unref(UnsafeMutableRawPointer(context))
    unsafe g_object_unref(UnsafeMutableRawPointer(map))
  }

  /// The layout of a block, kept for the next time.
  func layout(_ block: TextBlock) -> TextLayout {
    if generation != fonts.generation {
      let used = unsafe map
      generation = unsafe fonts.withConfig { _, generation in
        unsafe pango_fc_font_map_config_changed(scene_fc_font_map(used))
        return generation
      }
      layouts = [:]
      order = []
    }
    if let known = layouts[block] { return known }
    let made = unsafe TextLayout(block, context: context, fonts: fonts)
    if block.direction != .auto {
      unsafe pango_context_set_base_dir(context, PANGO_DIRECTION_LTR)
    }
    if order.count >= 512 {
      for old in order.prefix(128) { layouts[old] = nil }
      order.removeFirst(128)
    }
    layouts[block] = made
    order.append(block)
    return made
  }
}
