// SPDX-License-Identifier: MIT
#ifndef SCENE_CCAIRO_H
#define SCENE_CCAIRO_H
#include <cairo.h>
#include <cairo-svg.h>
#include <cairo-pdf.h>
#include <cairo-ft.h>
#include <hb.h>
#include <hb-ot.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <fontconfig/fontconfig.h>

// Safe to call: the owner keeps all objects alive that are passed in addition to plain values and
// strings. The function validates indices and frees nothing. For a structure, this applies to all
// functions that take it.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

// Sets the fonts of a map and a resolution of 96 dpi, at which absolute sizes are pixels. GObject
// casts are macros, which Swift cannot import.
SCENE_SAFE static inline void scene_font_map_setup(PangoFontMap *map, FcConfig *fonts) {
  pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map), fonts);
  pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(map), 96);
}
SCENE_SAFE static inline void scene_font_map_changed(PangoFontMap *map) {
  pango_fc_font_map_config_changed(PANGO_FC_FONT_MAP(map));
}

static inline int scene_font_is_colored(PangoFont *font) {
  FcBool colored = FcFalse;
  if (!font || !PANGO_IS_FC_FONT(font)) return 0;
  FcPattern *pattern = pango_fc_font_get_pattern(PANGO_FC_FONT(font));
  return FcPatternGetBool(pattern, FC_COLOR, 0, &colored) == FcResultMatch && colored;
}
// A run of glyphs in a line, which its owner keeps alive.
typedef struct SCENE_SAFE { PangoGlyphItem *item; } scene_run;
static inline FcPattern *scene_run_face(scene_run run) {
  PangoFont *font = run.item->item->analysis.font;
  return font && PANGO_IS_FC_FONT(font) ? pango_fc_font_get_pattern(PANGO_FC_FONT(font)) : NULL;
}
// Opens the FreeType face of a run's font and locks it for the lifetime of the process. Cairo does not
// close locked faces, and other threads can still use them.
static inline void scene_run_keep_face_open(scene_run run) {
  PangoFont *font = run.item->item->analysis.font;
  if (!font || !PANGO_IS_CAIRO_FONT(font)) return;
  cairo_scaled_font_t *scaled = pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(font));
  if (!scaled || cairo_scaled_font_get_type(scaled) != CAIRO_FONT_TYPE_FT) return;
  if (cairo_ft_scaled_font_lock_face(scaled)) cairo_scaled_font_reference(scaled);
}
// Returns whether a font's glyph for a character is empty.
static inline int scene_font_draws_nothing(PangoFont *font, unsigned scalar) {
  hb_font_t *own = pango_font_get_hb_font(font);
  hb_codepoint_t glyph;
  hb_glyph_extents_t box;
  return own && hb_font_get_nominal_glyph(own, scalar, &glyph)
      && hb_font_get_glyph_extents(own, glyph, &box) && box.width == 0 && box.height == 0;
}
// Adds glyphs first..<first+count of a run to the path of a context as outlines, or draws them.
SCENE_SAFE static inline void scene_put_glyphs(
    scene_run run, cairo_t *context, int first, int count, _Bool is_outline) {
  PangoGlyphString *all = run.item->glyphs;
  if (first < 0 || count < 0 || first > all->num_glyphs - count) return;
  PangoGlyphString part = {.num_glyphs = count, .glyphs = all->glyphs + first,
    .log_clusters = all->log_clusters + first};
  PangoFont *font = run.item->item->analysis.font;
  if (is_outline) pango_cairo_glyph_string_path(context, font, &part);
  else pango_cairo_show_glyph_string(context, font, &part);
}
// The properties of a glyph in a run: the byte offset of its cluster, its advance, and its ink
// size.
typedef struct { int byte, advance, width, height; } scene_glyph;
static inline int scene_glyph_count(scene_run run) { return run.item->glyphs->num_glyphs; }
static inline int scene_run_start(scene_run run) { return run.item->item->offset; }
static inline scene_glyph scene_run_glyph(scene_run run, int index) {
  if (index < 0 || index >= run.item->glyphs->num_glyphs) return (scene_glyph){0, 0, 0, 0};
  const PangoGlyphInfo *info = run.item->glyphs->glyphs + index;
  PangoRectangle ink = {0, 0, 0, 0};
  pango_font_get_glyph_extents(run.item->item->analysis.font, info->glyph, &ink, NULL);
  return (scene_glyph){run.item->item->offset + run.item->glyphs->log_clusters[index], info->geometry.width,
    ink.width, ink.height};
}
static inline int scene_run_is_colored(scene_run run) {
  return scene_font_is_colored(run.item->item->analysis.font);
}
static inline int scene_run_draws_nothing(scene_run run, unsigned scalar) {
  return scene_font_draws_nothing(run.item->item->analysis.font, scalar);
}
// The position and thickness of an underline; `is_known` is 0 if the font does not declare them.
typedef struct { int is_known, position, thickness; } scene_underline;
static inline scene_underline scene_run_underline(scene_run run) {
  PangoFont *font = run.item->item->analysis.font;
  PangoFontMetrics *metrics = font ? pango_font_get_metrics(font, NULL) : NULL;
  if (!metrics) return (scene_underline){0, 0, 0};
  scene_underline it = {1, pango_font_metrics_get_underline_position(metrics),
    pango_font_metrics_get_underline_thickness(metrics)};
  pango_font_metrics_unref(metrics);
  return it;
}
// A line of a layout: its byte range, its size, and the distance of its baseline from its top.
typedef struct { int is_there, start, length, width, height, ascent; } scene_line;
SCENE_SAFE static inline scene_line scene_layout_line(PangoLayoutIter *at) {
  PangoLayoutLine *line = pango_layout_iter_get_line_readonly(at);
  PangoRectangle box = {0, 0, 0, 0};
  if (!line) return (scene_line){0, 0, 0, 0, 0, 0};
  pango_layout_iter_get_line_extents(at, NULL, &box);
  return (scene_line){1, line->start_index, line->length, box.width, box.height,
    pango_layout_iter_get_baseline(at) - box.y};
}
// Adds an attribute for a range of bytes to a list, which takes ownership of it.
static inline void scene_insert_attribute(
    PangoAttrList *list, PangoAttribute *attribute, unsigned start, unsigned end) {
  attribute->start_index = start, attribute->end_index = end;
  pango_attr_list_insert(list, attribute);
}
// Hides a range of bytes, which then takes no space and draws nothing.
static inline void scene_insert_hiding(PangoAttrList *list, unsigned start, unsigned end) {
  PangoRectangle nothing = {0, 0, 0, 0};
  scene_insert_attribute(list, pango_attr_shape_new(&nothing, &nothing), start, end);
}
typedef struct { int x, width; } scene_reach;
SCENE_SAFE static inline scene_reach scene_run_reach(PangoLayoutIter *at) {
  PangoRectangle box = {0, 0, 0, 0};
  pango_layout_iter_get_run_extents(at, NULL, &box);
  return (scene_reach){box.x, box.width};
}
// Functions that create objects with several settings in one call.
static inline PangoFontDescription *scene_font_description(
    const char *families, double size, int weight, int is_italic, double width, const char *axes) {
  PangoFontDescription *it = pango_font_description_new();
  pango_font_description_set_family(it, families);
  pango_font_description_set_absolute_size(it, size);
  pango_font_description_set_weight(it, (PangoWeight)weight);
  pango_font_description_set_style(it, is_italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL);
  // The upper bounds of the width classes of font faces, in percent.
  static const double classes[] = {56, 69, 81, 94, 106, 119, 137, 175};
  int stretch = 0;
  while (stretch < 8 && width > classes[stretch]) stretch++;
  pango_font_description_set_stretch(it, (PangoStretch)stretch);
  if (axes && *axes) pango_font_description_set_variations(it, axes);
  return it;
}
static inline cairo_font_options_t *scene_unhinted(void) {
  cairo_font_options_t *it = cairo_font_options_create();
  cairo_font_options_set_antialias(it, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(it, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(it, CAIRO_HINT_METRICS_OFF);
  return it;
}
// Functions that return values that Cairo passes through pointers.
SCENE_SAFE static inline cairo_matrix_t scene_matrix(cairo_t *context) {
  cairo_matrix_t it;
  cairo_get_matrix(context, &it);
  return it;
}
SCENE_SAFE static inline void scene_set_matrix(cairo_t *context, cairo_matrix_t map) { cairo_set_matrix(context, &map); }
SCENE_SAFE static inline void scene_transform(cairo_t *context, cairo_matrix_t map) { cairo_transform(context, &map); }
typedef struct { double x0, y0, x1, y1; } scene_extents;
SCENE_SAFE static inline scene_extents scene_clip_extents(cairo_t *context) {
  scene_extents it;
  cairo_clip_extents(context, &it.x0, &it.y0, &it.x1, &it.y1);
  return it;
}
typedef struct { double x, y; } scene_offset;
SCENE_SAFE static inline scene_offset scene_device_offset(cairo_surface_t *surface) {
  scene_offset it;
  cairo_surface_get_device_offset(surface, &it.x, &it.y);
  return it;
}
SCENE_SAFE static inline void scene_set_source_surface(
    cairo_t *context, cairo_surface_t *surface, double x, double y, cairo_extend_t extend, cairo_filter_t filter) {
  cairo_set_source_surface(context, surface, x, y);
  cairo_pattern_set_extend(cairo_get_source(context), extend);
  cairo_pattern_set_filter(cairo_get_source(context), filter);
}
// An element of a path with its points. The next element follows after `step` entries.
typedef struct {
  cairo_path_data_type_t kind;
  int step;
  double x1, y1, x2, y2, x3, y3;
} scene_path_element;
SCENE_SAFE static inline int scene_path_count(cairo_path_t *path) { return path->num_data; }
SCENE_SAFE static inline scene_path_element scene_path_part(cairo_path_t *path, int index) {
  if (index < 0 || index >= path->num_data) return (scene_path_element){CAIRO_PATH_CLOSE_PATH, 1, 0, 0, 0, 0, 0, 0};
  const cairo_path_data_t *at = path->data + index;
  scene_path_element it = {at->header.type, at->header.length, 0, 0, 0, 0, 0, 0};
  if (it.step > 1) it.x1 = at[1].point.x, it.y1 = at[1].point.y;
  if (it.step > 3) it.x2 = at[2].point.x, it.y2 = at[2].point.y, it.x3 = at[3].point.x, it.y3 = at[3].point.y;
  return it;
}
// Returns a property of a face; NULL or NaN if it is missing.
static inline const unsigned char *scene_font_string(FcPattern *face, const char *name, int index) {
  FcChar8 *text = NULL;
  return FcPatternGetString(face, name, index, &text) == FcResultMatch ? text : NULL;
}
SCENE_SAFE static inline double scene_font_number(FcPattern *face, const char *name) {
  double value = 0;
  return FcPatternGetDouble(face, name, 0, &value) == FcResultMatch ? value : __builtin_nan("");
}
// Replaces the families of a face with a single family.
SCENE_SAFE static inline void scene_font_rename(FcPattern *face, const char *family) {
  FcPatternDel(face, FC_FAMILY);
  FcPatternDel(face, FC_FAMILYLANG);
  FcPatternAddString(face, FC_FAMILY, (const FcChar8 *)family);
}
// A wrapper of FcObjectSetBuild, which is variadic.
static inline FcObjectSet *scene_fc_face_objects(void) {
  return FcObjectSetBuild(FC_FAMILY, FC_STYLE, FC_FILE, FC_INDEX, FC_COLOR, FC_SLANT, FC_WEIGHT, FC_WIDTH, (char *)0);
}
// Returns an immutable font for a face of a file, in font units; an empty font if the face does not
// exist.
static inline hb_font_t *scene_math_font(const char *path, int index) {
  hb_blob_t *file = hb_blob_create_from_file(path);
  hb_face_t *face = hb_face_create(file, (unsigned)index);
  hb_font_t *font = hb_font_create(face);
  hb_face_destroy(face);
  hb_blob_destroy(file);
  hb_font_make_immutable(font);
  return font;
}
// Writes the axes of a face of a file: the tag, minimum, initial value and maximum of each. Returns
// their number, at most `most`.
typedef struct { unsigned tag; double least, initial, most; } scene_font_axis;
static inline int scene_font_axes(const char *path, int index, scene_font_axis *axes, int most) {
  hb_blob_t *file = hb_blob_create_from_file(path);
  hb_face_t *face = hb_face_create(file, (unsigned)index);
  int count = 0;
  for (unsigned n = 0; n < hb_ot_var_get_axis_count(face) && count < most; n++) {
    hb_ot_var_axis_info_t info;
    unsigned one = 1;
    hb_ot_var_get_axis_infos(face, n, &one, &info);
    if (!one) break;
    axes[count++] = (scene_font_axis){info.tag, info.min_value, info.default_value, info.max_value};
  }
  hb_face_destroy(face);
  hb_blob_destroy(file);
  return count;
}
// An immutable font with a MATH table, which its owner keeps alive.
typedef struct SCENE_SAFE { hb_font_t *font; } scene_math;
static inline int scene_math_is_there(scene_math math) {
  return hb_ot_math_has_data(hb_font_get_face(math.font));
}
static inline int scene_math_units(scene_math math) {
  return (int)hb_face_get_upem(hb_font_get_face(math.font));
}
static inline int scene_math_constant(scene_math math, int number) {
  return hb_ot_math_get_constant(math.font, (hb_ot_math_constant_t)number);
}
static inline int scene_math_overlap(scene_math math) {
  return hb_ot_math_get_min_connector_overlap(math.font, HB_DIRECTION_TTB);
}
// Returns the glyph of a character; 0 if it is missing.
static inline unsigned scene_math_glyph(scene_math math, unsigned scalar) {
  hb_codepoint_t glyph = 0;
  return hb_font_get_nominal_glyph(math.font, scalar, &glyph) ? glyph : 0;
}
typedef struct { int advance, left, top, width, height, italic, accent; } scene_math_glyph_size;
static inline scene_math_glyph_size scene_math_size(scene_math math, unsigned glyph) {
  hb_glyph_extents_t box = {0, 0, 0, 0};
  hb_font_get_glyph_extents(math.font, glyph, &box);
  return (scene_math_glyph_size){hb_font_get_glyph_h_advance(math.font, glyph), box.x_bearing, box.y_bearing,
    box.width, box.height, hb_ot_math_get_glyph_italics_correction(math.font, glyph),
    hb_ot_math_get_glyph_top_accent_attachment(math.font, glyph)};
}
static inline int scene_math_kern(scene_math math, unsigned glyph, int corner, int height) {
  return hb_ot_math_get_glyph_kerning(math.font, glyph, (hb_ot_math_kern_t)corner, height);
}
typedef struct { unsigned glyph; int length, start, end, is_extender; } scene_math_form;
// Returns a larger variant of a glyph, or a part of its assembly; glyph 0 after the last one.
static inline scene_math_form scene_math_variant(
    scene_math math, unsigned glyph, _Bool is_vertical, int index) {
  hb_ot_math_glyph_variant_t it = {0, 0};
  unsigned count = 1;
  hb_ot_math_get_glyph_variants(
    math.font, glyph, is_vertical ? HB_DIRECTION_TTB : HB_DIRECTION_LTR, (unsigned)index, &count, &it);
  return count ? (scene_math_form){it.glyph, it.advance, 0, 0, 0} : (scene_math_form){0, 0, 0, 0, 0};
}
static inline scene_math_form scene_math_part(
    scene_math math, unsigned glyph, _Bool is_vertical, int index) {
  hb_ot_math_glyph_part_t it = {0, 0, 0, 0, 0};
  unsigned count = 1;
  hb_position_t italic;
  hb_ot_math_get_glyph_assembly(
    math.font, glyph, is_vertical ? HB_DIRECTION_TTB : HB_DIRECTION_LTR, (unsigned)index, &count, &it, &italic);
  if (!count) return (scene_math_form){0, 0, 0, 0, 0};
  return (scene_math_form){it.glyph, it.full_advance, it.start_connector_length, it.end_connector_length,
    (it.flags & HB_OT_MATH_GLYPH_PART_FLAG_EXTENDER) != 0};
}
// Returns the result of a feature for a single glyph: its first or a later alternate. Without
// alternates, returns the glyph itself.
static inline unsigned scene_math_alternate(
    scene_math math, unsigned glyph, unsigned feature, int number) {
  hb_face_t *face = hb_font_get_face(math.font);
  hb_tag_t tags[] = {feature, HB_TAG_NONE};
  hb_set_t *lookups = hb_set_create();
  hb_ot_layout_collect_lookups(face, HB_OT_TAG_GSUB, NULL, NULL, tags, lookups);
  hb_codepoint_t lookup = HB_SET_VALUE_INVALID, found = glyph;
  while (found == glyph && hb_set_next(lookups, &lookup)) {
    hb_codepoint_t forms[4];
    unsigned count = 4;
    unsigned all = hb_ot_layout_lookup_get_glyph_alternates(face, lookup, glyph, 0, &count, forms);
    if (all && count) found = forms[number < (int)count ? number : (int)count - 1];
  }
  hb_set_destroy(lookups);
  return found;
}
static void scene_math_move(hb_draw_funcs_t *f, void *to, hb_draw_state_t *s, float x, float y, void *u) {
  cairo_move_to((cairo_t *)to, x, y);
}
static void scene_math_line(hb_draw_funcs_t *f, void *to, hb_draw_state_t *s, float x, float y, void *u) {
  cairo_line_to((cairo_t *)to, x, y);
}
static void scene_math_curve(
    hb_draw_funcs_t *f, void *to, hb_draw_state_t *s, float a, float b, float c, float d, float x, float y, void *u) {
  cairo_curve_to((cairo_t *)to, a, b, c, d, x, y);
}
static void scene_math_close(hb_draw_funcs_t *f, void *to, hb_draw_state_t *s, void *u) {
  cairo_close_path((cairo_t *)to);
}
// Adds the outlines of a glyph to a path, in font units.
SCENE_SAFE static inline void scene_math_trace(scene_math math, unsigned glyph, cairo_t *path) {
  hb_draw_funcs_t *pen = hb_draw_funcs_create();
  hb_draw_funcs_set_move_to_func(pen, scene_math_move, NULL, NULL);
  hb_draw_funcs_set_line_to_func(pen, scene_math_line, NULL, NULL);
  hb_draw_funcs_set_cubic_to_func(pen, scene_math_curve, NULL, NULL);
  hb_draw_funcs_set_close_path_func(pen, scene_math_close, NULL, NULL);
  hb_font_get_glyph_shape(math.font, glyph, pen, path);
  hb_draw_funcs_destroy(pen);
}

// Removes the creation date of a PDF, which would make equal builds differ.
SCENE_SAFE static inline void scene_clear_date(cairo_surface_t *pdf) {
  cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_CREATE_DATE, "");
}

// Library functions to which SCENE_SAFE also applies.
#define SCENE_ALSO(function) extern __typeof__(function) function SCENE_SAFE
SCENE_ALSO(FcConfigAppFontAddFile);
SCENE_ALSO(FcConfigSetCurrent);
SCENE_ALSO(cairo_append_path);
SCENE_ALSO(cairo_clip);
SCENE_ALSO(cairo_close_path);
SCENE_ALSO(cairo_curve_to);
SCENE_ALSO(cairo_fill_preserve);
SCENE_ALSO(cairo_image_surface_create);
SCENE_ALSO(cairo_image_surface_get_format);
SCENE_ALSO(cairo_image_surface_get_height);
SCENE_ALSO(cairo_image_surface_get_stride);
SCENE_ALSO(cairo_image_surface_get_width);
SCENE_ALSO(cairo_line_to);
SCENE_ALSO(cairo_move_to);
SCENE_ALSO(cairo_new_path);
SCENE_ALSO(cairo_paint_with_alpha);
SCENE_ALSO(cairo_pattern_add_color_stop_rgba);
SCENE_ALSO(cairo_pattern_create_linear);
SCENE_ALSO(cairo_pattern_create_radial);
SCENE_ALSO(cairo_pop_group_to_source);
SCENE_ALSO(cairo_push_group);
SCENE_ALSO(cairo_rectangle);
SCENE_ALSO(cairo_restore);
SCENE_ALSO(cairo_save);
SCENE_ALSO(cairo_set_line_cap);
SCENE_ALSO(cairo_set_line_join);
SCENE_ALSO(cairo_set_line_width);
SCENE_ALSO(cairo_set_miter_limit);
SCENE_ALSO(cairo_set_operator);
SCENE_ALSO(cairo_set_source);
SCENE_ALSO(cairo_set_source_rgba);
SCENE_ALSO(cairo_show_page);
SCENE_ALSO(cairo_status);
SCENE_ALSO(cairo_stroke);
SCENE_ALSO(cairo_surface_finish);
SCENE_ALSO(cairo_surface_flush);
SCENE_ALSO(cairo_surface_mark_dirty);
SCENE_ALSO(cairo_surface_set_device_offset);
SCENE_ALSO(cairo_surface_status);
SCENE_ALSO(cairo_svg_surface_set_document_unit);
SCENE_ALSO(pango_cairo_context_set_font_options);
SCENE_ALSO(pango_context_set_base_dir);
SCENE_ALSO(pango_context_set_round_glyph_positions);
SCENE_ALSO(pango_layout_get_unknown_glyphs_count);
SCENE_ALSO(pango_layout_iter_next_line);
SCENE_ALSO(pango_layout_iter_next_run);
SCENE_ALSO(pango_layout_set_alignment);
SCENE_ALSO(pango_layout_set_attributes);
SCENE_ALSO(pango_layout_set_auto_dir);
SCENE_ALSO(pango_layout_set_justify);
SCENE_ALSO(pango_layout_set_width);
SCENE_ALSO(pango_layout_set_wrap);
#undef SCENE_ALSO
#endif
