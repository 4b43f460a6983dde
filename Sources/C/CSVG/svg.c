// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "svg.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The required subset of the stable interfaces of librsvg 2.46, GLib, Cairo and fontconfig.
typedef struct { uint32_t domain; int code; char *message; } Failure;
typedef struct { double x, y, width, height; } Box;
typedef struct { double length; int unit; } Length;

static struct {
  void *(*rsvg_handle_new_from_data)(const uint8_t *, size_t, Failure **);
  void (*rsvg_handle_set_dpi)(void *, double);
  int (*rsvg_handle_get_intrinsic_size_in_pixels)(void *, double *, double *);
  void (*rsvg_handle_get_intrinsic_dimensions)(void *, int *, Length *, int *, Length *, int *, Box *);
  int (*rsvg_handle_render_document)(void *, void *, const Box *, Failure **);
  int (*rsvg_handle_render_layer)(void *, void *, const char *, const Box *, Failure **);
  int (*rsvg_handle_get_geometry_for_layer)(void *, const char *, const Box *, Box *, Box *, Failure **);
  void (*g_object_unref)(void *);
  void (*g_error_free)(Failure *);
  void *(*cairo_image_surface_create_for_data)(uint8_t *, int, int, int, int);
  void *(*cairo_svg_surface_create_for_stream)(int (*)(void *, const uint8_t *, unsigned), void *, double, double);
  void (*cairo_surface_finish)(void *);
  void (*cairo_scale)(void *, double, double);
  void *(*cairo_create)(void *);
  int (*cairo_status)(void *);
  void (*cairo_destroy)(void *);
  void (*cairo_surface_flush)(void *);
  void (*cairo_surface_destroy)(void *);
  void *(*FcInitLoadConfigAndFonts)(void);
  int (*FcConfigSetCurrent)(void *);
  void *(*FcConfigGetFontDirs)(void *);
  void *(*FcConfigGetConfigDirs)(void *);
  void *(*FcConfigGetCacheDirs)(void *);
  uint8_t *(*FcStrListNext)(void *);
  void (*FcStrListDone)(void *);
  void *(*xmlReaderForMemory)(const char *, int, const char *, const char *, int);
  void (*xmlFreeTextReader)(void *);
  int (*xmlTextReaderRead)(void *);
  int (*xmlTextReaderNodeType)(void *);
  int (*xmlTextReaderIsEmptyElement)(void *);
  void *(*xmlTextReaderCurrentNode)(void *);
  long (*xmlGetLineNo)(void *);
  int (*xmlTextReaderMoveToNextAttribute)(void *);
  int (*xmlTextReaderMoveToElement)(void *);
  const char *(*xmlTextReaderConstName)(void *);
  const char *(*xmlTextReaderConstNamespaceUri)(void *);
  const char *(*xmlTextReaderConstValue)(void *);
} it;
static void *library, *fonts;

int scene_svg_load(void) {
  if (library) return 0;
  void *found = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_GLOBAL);
  if (!found) return -1;
#define TAKE(name) if (!(*(void **)&it.name = dlsym(found, #name))) return -1
  TAKE(rsvg_handle_new_from_data);
  TAKE(rsvg_handle_set_dpi);
  TAKE(rsvg_handle_get_intrinsic_size_in_pixels);
  TAKE(rsvg_handle_get_intrinsic_dimensions);
  TAKE(rsvg_handle_render_document);
  TAKE(rsvg_handle_render_layer);
  TAKE(rsvg_handle_get_geometry_for_layer);
  TAKE(g_object_unref);
  TAKE(g_error_free);
  TAKE(cairo_image_surface_create_for_data);
  TAKE(cairo_svg_surface_create_for_stream);
  TAKE(cairo_surface_finish);
  TAKE(cairo_scale);
  TAKE(cairo_create);
  TAKE(cairo_status);
  TAKE(cairo_destroy);
  TAKE(cairo_surface_flush);
  TAKE(cairo_surface_destroy);
  TAKE(FcInitLoadConfigAndFonts);
  TAKE(FcConfigSetCurrent);
  TAKE(FcConfigGetFontDirs);
  TAKE(FcConfigGetConfigDirs);
  TAKE(FcConfigGetCacheDirs);
  TAKE(FcStrListNext);
  TAKE(FcStrListDone);
  TAKE(xmlReaderForMemory);
  TAKE(xmlFreeTextReader);
  TAKE(xmlTextReaderRead);
  TAKE(xmlTextReaderNodeType);
  TAKE(xmlTextReaderIsEmptyElement);
  TAKE(xmlTextReaderCurrentNode);
  TAKE(xmlGetLineNo);
  TAKE(xmlTextReaderMoveToNextAttribute);
  TAKE(xmlTextReaderMoveToElement);
  TAKE(xmlTextReaderConstName);
  TAKE(xmlTextReaderConstNamespaceUri);
  TAKE(xmlTextReaderConstValue);
#undef TAKE
  fonts = it.FcInitLoadConfigAndFonts();
  if (fonts) it.FcConfigSetCurrent(fonts);
  library = found;
  return 0;
}

size_t scene_svg_folders(const char **folders, size_t room) {
  size_t count = 0;
  void *lists[] = {it.FcConfigGetFontDirs(fonts), it.FcConfigGetConfigDirs(fonts), it.FcConfigGetCacheDirs(fonts)};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    const char *folder;
    // The lists are not freed, since the names belong to them.
    while (lists[k] && count < room && (folder = (const char *)it.FcStrListNext(lists[k])))
      folders[count++] = folder;
  }
  return count;
}

static void *handle(const uint8_t *bytes, size_t count, char *why, size_t room) {
  Failure *failure = NULL;
  void *made = it.rsvg_handle_new_from_data(bytes, count, &failure);
  if (made) it.rsvg_handle_set_dpi(made, 96);
  else snprintf(why, room, "%s", failure && failure->message ? failure->message : "it is damaged");
  if (failure) it.g_error_free(failure);
  return made;
}

int scene_svg_size(
    const uint8_t *bytes, size_t count, double *width, double *height, char *why, size_t room) {
  void *svg = handle(bytes, count, why, room);
  if (!svg) return -1;
  if (!it.rsvg_handle_get_intrinsic_size_in_pixels(svg, width, height)) {
    int has_width, has_height, has_box;
    Length w, h;
    Box box = {0};
    it.rsvg_handle_get_intrinsic_dimensions(svg, &has_width, &w, &has_height, &h, &has_box, &box);
    // Without any size, the default of browsers applies.
    *width = has_box ? box.width : 300;
    *height = has_box ? box.height : 150;
  }
  it.g_object_unref(svg);
  return 0;
}

/// Draws the elements of a list of ids in order.
static int draw_layers(void *svg, void *context, const char *ids, const Box *box, Failure **failure) {
  char *rest = strdup(ids), *place = NULL;
  int done = rest != NULL;
  for (char *id = rest ? strtok_r(rest, " ", &place) : NULL; id && done; id = strtok_r(NULL, " ", &place))
    done = it.rsvg_handle_render_layer(svg, context, id, box, failure);
  free(rest);
  return done;
}

int scene_svg_draw(
    const uint8_t *bytes, size_t count, const char *ids, scene_svg_pixels out, char *why, size_t room) {
  void *svg = handle(bytes, count, why, room);
  if (!svg) return -1;
  void *surface = it.cairo_image_surface_create_for_data(out.bytes, 0, out.width, out.height, out.stride);
  void *context = it.cairo_create(surface);
  Box box = {0, 0, out.width, out.height};
  Failure *failure = NULL;
  int done = *ids ? draw_layers(svg, context, ids, &box, &failure)
                  : it.rsvg_handle_render_document(svg, context, &box, &failure);
  done = done && it.cairo_status(context) == 0;
  if (!done) snprintf(why, room, "%s", failure && failure->message ? failure->message : "no memory");
  if (failure) it.g_error_free(failure);
  it.cairo_surface_flush(surface);
  it.cairo_destroy(context);
  it.cairo_surface_destroy(surface);
  it.g_object_unref(svg);
  return done ? 0 : -1;
}

// The result of the last call.
static struct { uint8_t *bytes; size_t count, room; int failed; } result;

static void put(const void *bytes, size_t count) {
  if (result.count + count > result.room) {
    size_t room = 2 * (result.count + count) + 4096;
    void *more = realloc(result.bytes, room);
    result.failed |= !more;
    if (!more) return;
    result.bytes = more;
    result.room = room;
  }
  memcpy(result.bytes + result.count, bytes, count);
  result.count += count;
}

static void put_text(const char *text) { put(text ? text : "", text ? strlen(text) + 1 : 1); }

static void begin(void) { result.count = result.failed = 0; }

size_t scene_svg_result(uint8_t *bytes, size_t room) {
  if (room >= result.count && result.count) memcpy(bytes, result.bytes, result.count);
  return result.count;
}

static void put_element(void *reader) {
  const char *space = it.xmlTextReaderConstNamespaceUri(reader);
  int is_empty = it.xmlTextReaderIsEmptyElement(reader);
  put_text("E");
  put_text(it.xmlTextReaderConstName(reader));
  put_text(space && !strcmp(space, "http://www.w3.org/2000/svg") ? "1" : "0");
  char line[24];
  snprintf(line, sizeof line, "%ld", it.xmlGetLineNo(it.xmlTextReaderCurrentNode(reader)));
  put_text(line);
  while (it.xmlTextReaderMoveToNextAttribute(reader) == 1) {
    put_text("A");
    put_text(it.xmlTextReaderConstName(reader));
    put_text(it.xmlTextReaderConstValue(reader));
  }
  it.xmlTextReaderMoveToElement(reader);
  if (is_empty) put_text("X");
}

int scene_xml_read(const uint8_t *bytes, size_t count) {
  begin();
  // Substitutes entities, loads no external data, prints no messages, and allows text of any
  // length.
  enum { NOENT = 1 << 1, NOERROR = 1 << 5, NOWARNING = 1 << 6, NONET = 1 << 11, HUGE_TEXTS = 1 << 19 };
  if (count > INT_MAX) return -1;
  void *reader = it.xmlReaderForMemory(
      (const char *)bytes, (int)count, NULL, NULL, NOENT | NOERROR | NOWARNING | NONET | HUGE_TEXTS);
  if (!reader) return -1;
  int code;
  while ((code = it.xmlTextReaderRead(reader)) == 1) {
    switch (it.xmlTextReaderNodeType(reader)) {
      case 1: put_element(reader); break;
      case 3: case 4: case 13: case 14:
        put_text("T");
        put_text(it.xmlTextReaderConstValue(reader));
        break;
      case 7:
        put_text("P");
        put_text(it.xmlTextReaderConstName(reader));
        put_text(it.xmlTextReaderConstValue(reader));
        break;
      case 15: put_text("X"); break;
    }
  }
  it.xmlFreeTextReader(reader);
  return code == 0 && !result.failed ? 0 : -1;
}

static void *opened;
static Box view;

int scene_svg_open(const uint8_t *bytes, size_t count, double width, double height) {
  char why[8];
  opened = handle(bytes, count, why, sizeof why);
  view = (Box){0, 0, width, height};
  return opened ? 0 : -1;
}

static int take(void *closure, const uint8_t *bytes, unsigned count) {
  (void)closure;
  put(bytes, count);
  return 0;
}

int scene_svg_trace(const char *id) {
  begin();
  void *surface = it.cairo_svg_surface_create_for_stream(
      take, NULL, view.width * SCENE_SVG_SCALE, view.height * SCENE_SVG_SCALE);
  void *context = it.cairo_create(surface);
  // Cairo stores path coordinates in steps of 1/256.
  it.cairo_scale(context, SCENE_SVG_SCALE, SCENE_SVG_SCALE);
  Failure *failure = NULL;
  int done = it.rsvg_handle_render_layer(opened, context, id, &view, &failure) && it.cairo_status(context) == 0;
  if (failure) it.g_error_free(failure);
  it.cairo_destroy(context);
  it.cairo_surface_finish(surface);
  it.cairo_surface_destroy(surface);
  return done && !result.failed ? 0 : -1;
}

int scene_svg_ink(const char *id, double *box) {
  Box ink = {0}, logical = {0};
  Failure *failure = NULL;
  int done = it.rsvg_handle_get_geometry_for_layer(opened, id, &view, &ink, &logical, &failure);
  if (failure) it.g_error_free(failure);
  memcpy(box, &ink, sizeof ink);
  return done ? 0 : -1;
}
