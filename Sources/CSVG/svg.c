// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "svg.h"
#include <dlfcn.h>
#include <stdio.h>

// The part of the stable interfaces of librsvg 2.46, GLib, Cairo and fontconfig that is used here.
typedef struct { uint32_t domain; int code; char *message; } Fault;
typedef struct { double x, y, width, height; } Box;
typedef struct { double length; int unit; } Length;

static struct {
  void *(*rsvg_handle_new_from_data)(const uint8_t *, size_t, Fault **);
  void (*rsvg_handle_set_dpi)(void *, double);
  int (*rsvg_handle_get_intrinsic_size_in_pixels)(void *, double *, double *);
  void (*rsvg_handle_get_intrinsic_dimensions)(void *, int *, Length *, int *, Length *, int *, Box *);
  int (*rsvg_handle_render_document)(void *, void *, const Box *, Fault **);
  void (*g_object_unref)(void *);
  void (*g_error_free)(Fault *);
  void *(*cairo_image_surface_create_for_data)(uint8_t *, int, int, int, int);
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
  TAKE(g_object_unref);
  TAKE(g_error_free);
  TAKE(cairo_image_surface_create_for_data);
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
    // Not done with: the names live as long as the lists.
    while (lists[k] && count < room && (folder = (const char *)it.FcStrListNext(lists[k])))
      folders[count++] = folder;
  }
  return count;
}

static void *handle(const uint8_t *bytes, size_t count, char *why, size_t room) {
  Fault *fault = NULL;
  void *made = it.rsvg_handle_new_from_data(bytes, count, &fault);
  if (made) it.rsvg_handle_set_dpi(made, 96);
  else snprintf(why, room, "%s", fault && fault->message ? fault->message : "it is damaged");
  if (fault) it.g_error_free(fault);
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
    // Without any size it is as large as a browser makes it.
    *width = has_box ? box.width : 300;
    *height = has_box ? box.height : 150;
  }
  it.g_object_unref(svg);
  return 0;
}

int scene_svg_draw(
    const uint8_t *bytes, size_t count, uint8_t *bgra, int width, int height, int stride, char *why, size_t room) {
  void *svg = handle(bytes, count, why, room);
  if (!svg) return -1;
  void *surface = it.cairo_image_surface_create_for_data(bgra, 0, width, height, stride);
  void *context = it.cairo_create(surface);
  Box box = {0, 0, width, height};
  Fault *fault = NULL;
  int done = it.rsvg_handle_render_document(svg, context, &box, &fault) && it.cairo_status(context) == 0;
  if (!done) snprintf(why, room, "%s", fault && fault->message ? fault->message : "no memory");
  if (fault) it.g_error_free(fault);
  it.cairo_surface_flush(surface);
  it.cairo_destroy(context);
  it.cairo_surface_destroy(surface);
  it.g_object_unref(svg);
  return done ? 0 : -1;
}
