// SPDX-License-Identifier: MIT
#ifndef SCENE_CSTILLS_H
#define SCENE_CSTILLS_H
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

// A growing buffer that the caller frees.
typedef struct { unsigned char *bytes; size_t count, room; } scene_still;

static void scene_png_append(png_structp png, png_bytep from, size_t count) {
  scene_still *file = png_get_io_ptr(png);
  if (file->room - file->count < count) {
    size_t room = 2 * file->room + count;
    unsigned char *bytes = realloc(file->bytes, room);
    if (!bytes) png_error(png, "no memory");
    file->bytes = bytes;
    file->room = room;
  }
  memcpy(file->bytes + file->count, from, count);
  file->count += count;
}
static void scene_png_flush(png_structp png) { (void)png; }
static void scene_png_ignore(png_structp png, png_const_charp message) { (void)png, (void)message; }

// Writes a PNG file with 8 bits per channel in sRGB. Opaque rows contain blue, green, red and an
// unused byte; others red, green, blue and straight alpha. Returns 0 if out of memory.
//
// Only the Sub filter is used. Dithered gradients become smaller and are encoded several times
// faster than with the filters that libpng would try.
static inline int scene_png_write(
    const unsigned char *pixels, size_t stride, unsigned width, unsigned height, int is_opaque, int level,
    scene_still *file) {
  memset(file, 0, sizeof *file);
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, scene_png_ignore);
  if (!png) return 0;
  png_infop info = png_create_info_struct(png);
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return 0;
  }
  png_set_write_fn(png, file, scene_png_append, scene_png_flush);
  png_set_IHDR(
      png, info, width, height, 8, is_opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
      PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_compression_level(png, level);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  png_write_info(png, info);
  if (is_opaque) {
    png_set_bgr(png);
    png_set_filler(png, 0, PNG_FILLER_AFTER);
  }
  for (unsigned y = 0; y < height; y++) png_write_row(png, pixels + y * stride);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return 1;
}

// Writes a JPEG file from rows of blue, green, red and an unused byte. From quality 90 on, chroma
// is not subsampled. Returns 0 if out of memory.
static inline int scene_jpeg_write(
    const unsigned char *pixels, size_t stride, unsigned width, unsigned height, int quality, scene_still *file) {
  memset(file, 0, sizeof *file);
  int sampling = quality >= 90 ? TJSAMP_444 : TJSAMP_420;
  tjhandle jpeg = tjInitCompress();
  unsigned long count = tjBufSize((int)width, (int)height, sampling);
  // Uses its own memory, since memory of the library must be freed by the library.
  file->bytes = malloc(count);
  int status = jpeg && file->bytes
      ? tjCompress2(
            jpeg, pixels, (int)width, (int)stride, (int)height, TJPF_BGRX, &file->bytes, &count, sampling, quality,
            TJFLAG_ACCURATEDCT | TJFLAG_NOREALLOC)
      : -1;
  if (jpeg) tjDestroy(jpeg);
  file->count = count;
  return status == 0;
}
#endif
