// SPDX-License-Identifier: MIT
#ifndef SCENE_CIMAGE_H
#define SCENE_CIMAGE_H
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
#include <string.h>
#include <png.h>
#include <zlib.h>
#include <turbojpeg.h>
#include <gif_lib.h>
#include <lcms2.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <libexif/exif-data.h>

// The formats of libpng's simplified API are macros with casts, which Swift cannot import.
static inline void scene_png_begin(png_image *image) { memset(image, 0, sizeof *image); image->version = PNG_IMAGE_VERSION; }
static inline void scene_png_want_bgra(png_image *image) { image->format = PNG_FORMAT_BGRA; }
static inline int scene_png_is_16_bit(const png_image *image) { return (image->format & PNG_FORMAT_FLAG_LINEAR) != 0; }
static inline void scene_png_want_linear(png_image *image) { image->format = PNG_FORMAT_LINEAR_RGB_ALPHA; }
static inline const char *scene_png_message(const png_image *image) { return image->message; }

// Formats of Little CMS are macros. Blue, green, red and a fourth byte that is kept.
static inline cmsHTRANSFORM scene_to_srgb(const void *profile, unsigned size) {
  cmsHPROFILE from = cmsOpenProfileFromMem(profile, size);
  if (!from) return NULL;
  cmsHTRANSFORM transform = NULL;
  if (cmsGetColorSpace(from) == cmsSigRgbData) {
    cmsHPROFILE to = cmsCreate_sRGBProfile();
    transform = cmsCreateTransform(
        from, TYPE_BGRA_8, to, TYPE_BGRA_8, INTENT_RELATIVE_COLORIMETRIC,
        cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_COPY_ALPHA);
    cmsCloseProfile(to);
  }
  cmsCloseProfile(from);
  return transform;
}

// Reads the colour profile of a PNG through libpng's full interface; 0 when it has none. The bytes
// are the caller's to free.
typedef struct { const unsigned char *bytes; size_t count, at; } scene_png_source;
static void scene_png_read(png_structp png, png_bytep to, size_t count) {
  scene_png_source *source = png_get_io_ptr(png);
  if (count > source->count - source->at) png_error(png, "truncated");
  memcpy(to, source->bytes + source->at, count);
  source->at += count;
}
static void scene_png_silent(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}
static inline unsigned scene_png_profile(
    const unsigned char *bytes, size_t count, unsigned char **profile) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, scene_png_silent);
  if (!png) return 0;
  png_infop info = png_create_info_struct(png);
  scene_png_source source = {bytes, count, 0};
  png_charp name = NULL;
  png_bytep data = NULL;
  png_uint_32 size = 0;
  int method = 0;
  unsigned found = 0;
  if (info && setjmp(png_jmpbuf(png)) == 0) {
    png_set_read_fn(png, &source, scene_png_read);
    png_read_info(png, info);
    if (png_get_iCCP(png, info, &name, &method, &data, &size) && size > 0 && size < (4u << 20)) {
      *profile = malloc(size);
      if (*profile) {
        memcpy(*profile, data, size);
        found = size;
      }
    }
  }
  png_destroy_read_struct(&png, &info, NULL);
  return found;
}
#endif
