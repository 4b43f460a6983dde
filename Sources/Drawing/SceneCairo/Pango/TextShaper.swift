// SPDX-License-Identifier: MIT
import CCairo
package import SceneIR
import SceneSystem

/// Breaks text into lines and selects glyphs.
///
/// Layout uses scale 1 without hinting, so it does not depend on the output scale.
package final class TextShaper {
  /// The number of requested fonts after which the font map is replaced, since a font map retains
  /// every font that it has created.
  private static let mostFonts = 512

  private let fonts: FontLibrary
  private var map: FontMap
  private var generation: Int
  /// The fonts that were requested from the map.
  private var requested: Set<FontSpec> = []

  package init(_ fonts: FontLibrary) {
    self.fonts = fonts
    // Must come first, since without a configuration a Pango font map reads its own.
    let (config, generation) = fonts.current
    self.generation = generation
    map = FontMap(config)
  }

  /// Updates the font map after fonts were added. Returns whether it changed, which invalidates
  /// layouts.
  package func refresh() -> Bool {
    let now = fonts.generation
    guard now != generation else { return false }
    generation = now
    scene_font_map_changed(map.handle.pointer)
    return true
  }

  /// Lays out a block.
  package func shape(_ block: TextBlock) -> ShapedText {
    renew(for: block)
    if block.direction != .auto { turn(toLeft: block.direction == .rightToLeft) }
    defer { if block.direction != .auto { turn(toLeft: false) } }
    return unsafe ShapedText(block, map.context.pointer)
  }

  /// Replaces the font map once it has made many fonts, so that memory stays flat while the size or
  /// the axes of a font change.
  private func renew(for block: TextBlock) {
    for run in block.runs { requested.insert(run.font) }
    guard requested.count > TextShaper.mostFonts else { return }
    requested = Set(block.runs.map(\.font))
    map = FontMap(fonts.current.config)
  }

  private func turn(toLeft isLeft: Bool) {
    pango_context_set_base_dir(
      map.context.pointer, isLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR)
  }

  /// Returns additional names of faces in a run's family with the same weight, width and slant.
  package func siblings(of run: ShapedRun) -> [String] {
    run.face.map { fonts.siblings(of: $0) } ?? []
  }
}

/// An owned `PangoFontMap` and `PangoContext`.
@safe private struct FontMap {
  @safe let handle: Owned<UnsafeMutablePointer<PangoFontMap>>
  @safe let context: Owned<OpaquePointer>

  init(_ config: FontConfiguration?) {
    // Safe: these functions never return null; Pango aborts if out of memory.
    unsafe handle = Owned(
      always: pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT)
    ) { unsafe g_object_unref($0) }
    scene_font_map_setup(handle.pointer, config?.handle.pointer)
    unsafe context = Owned(always: pango_font_map_create_context(handle.pointer)) {
      unsafe g_object_unref(.init($0))
    }
    let options = unsafe Owned(always: scene_unhinted(), cairo_font_options_destroy)
    pango_cairo_context_set_font_options(context.pointer, options.pointer)
    pango_context_set_round_glyph_positions(context.pointer, 0)
  }
}
