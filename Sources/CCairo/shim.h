// SPDX-License-Identifier: MIT
#ifndef SCENE_CCAIRO_H
#define SCENE_CCAIRO_H
#include <cairo.h>
#include <cairo-svg.h>
#include <cairo-pdf.h>
#include <cairo-ft.h>
#include <hb.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <fontconfig/fontconfig.h>

// Casts of GObject are macros, which Swift cannot import.
static inline PangoFcFontMap *scene_fc_font_map(PangoFontMap *map) { return PANGO_FC_FONT_MAP(map); }

static inline int scene_font_is_colored(PangoFont *font) {
  FcBool colored = FcFalse;
  if (!font || !PANGO_IS_FC_FONT(font)) return 0;
  FcPattern *pattern = pango_fc_font_get_pattern(PANGO_FC_FONT(font));
  return FcPatternGetBool(pattern, FC_COLOR, 0, &colored) == FcResultMatch && colored;
}
static inline FcPattern *scene_font_face(PangoFont *font) {
  return font && PANGO_IS_FC_FONT(font) ? pango_fc_font_get_pattern(PANGO_FC_FONT(font)) : NULL;
}
// Whether the glyph that a font has for a character draws nothing.
static inline int scene_font_draws_nothing(PangoFont *font, unsigned scalar) {
  hb_font_t *own = pango_font_get_hb_font(font);
  hb_codepoint_t glyph;
  hb_glyph_extents_t box;
  return own && hb_font_get_nominal_glyph(own, scalar, &glyph)
      && hb_font_get_glyph_extents(own, glyph, &box) && box.width == 0 && box.height == 0;
}
// Values of many settings, made by one call.
static inline PangoFontDescription *scene_font_description(
    const char *families, double size, int weight, int is_italic) {
  PangoFontDescription *it = pango_font_description_new();
  pango_font_description_set_family(it, families);
  pango_font_description_set_absolute_size(it, size);
  pango_font_description_set_weight(it, (PangoWeight)weight);
  pango_font_description_set_style(it, is_italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL);
  return it;
}
static inline cairo_font_options_t *scene_unhinted(void) {
  cairo_font_options_t *it = cairo_font_options_create();
  cairo_font_options_set_antialias(it, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(it, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(it, CAIRO_HINT_METRICS_OFF);
  return it;
}
// cairo_path_data_t is a union whose members Swift imports without their tags.
static inline int scene_path_type(const cairo_path_t *path, int index) { return path->data[index].header.type; }
static inline int scene_path_step(const cairo_path_t *path, int index) { return path->data[index].header.length; }
static inline double scene_path_x(const cairo_path_t *path, int index) { return path->data[index].point.x; }
static inline double scene_path_y(const cairo_path_t *path, int index) { return path->data[index].point.y; }
// FcPatternBuild and FcObjectSetBuild are variadic.
static inline FcObjectSet *scene_fc_face_objects(void) {
  return FcObjectSetBuild(FC_FAMILY, FC_STYLE, FC_FILE, FC_COLOR, FC_SLANT, FC_WEIGHT, FC_WIDTH, (char *)0);
}
#endif
