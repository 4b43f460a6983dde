// SPDX-License-Identifier: MIT
#ifndef SCENE_CSTILLS_H
#define SCENE_CSTILLS_H
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>
#include <zlib.h>

// Safe to use: only the owner of the memory creates these values, and the memory outlives them.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

// Rows of pixels to be written to a file. The stride is in bytes.
typedef struct SCENE_SAFE { const unsigned char *bytes; size_t stride; unsigned width, height; } scene_image;

// A file in a growing buffer that the caller frees; NULL if out of memory.
typedef struct SCENE_SAFE { unsigned char *bytes; size_t count, room; } scene_still;

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

// Appends a PNG file to an empty buffer; returns 0 if out of memory.
static inline int scene_png_fill(scene_still *file, scene_image image, int is_opaque, int level) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, scene_png_ignore);
  if (!png) return 0;
  png_infop info = png_create_info_struct(png);
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return 0;
  }
  png_set_write_fn(png, file, scene_png_append, scene_png_flush);
  png_set_IHDR(
      png, info, image.width, image.height, 8, is_opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
      PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_compression_level(png, level);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  png_write_info(png, info);
  if (is_opaque) {
    png_set_bgr(png);
    png_set_filler(png, 0, PNG_FILLER_AFTER);
  }
  for (unsigned y = 0; y < image.height; y++) png_write_row(png, image.bytes + y * image.stride);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return 1;
}

// Writes a PNG file with 8 bits per channel in sRGB. Opaque rows contain blue, green, red and an
// unused byte; others red, green, blue and straight alpha.
//
// Only the Sub filter is used. Dithered gradients become smaller and are encoded several times
// faster than with the filters that libpng would try.
static inline scene_still scene_png_write(scene_image image, int is_opaque, int level) {
  scene_still file = {NULL, 0, 0};
  if (scene_png_fill(&file, image, is_opaque, level)) return file;
  free(file.bytes);
  return (scene_still){NULL, 0, 0};
}

// Writes a JPEG file from rows of blue, green, red and an unused byte. From quality 90 on, chroma
// is not subsampled.
static inline scene_still scene_jpeg_write(scene_image image, int quality) {
  int width = (int)image.width, height = (int)image.height;
  int sampling = quality >= 90 ? TJSAMP_444 : TJSAMP_420;
  tjhandle jpeg = tjInitCompress();
  unsigned long count = tjBufSize(width, height, sampling);
  // Allocates the buffer here: only the library could free a buffer of its own.
  unsigned char *bytes = malloc(count);
  int status = jpeg && bytes
      ? tjCompress2(
            jpeg, image.bytes, width, (int)image.stride, height, TJPF_BGRX, &bytes, &count, sampling, quality,
            TJFLAG_ACCURATEDCT | TJFLAG_NOREALLOC)
      : -1;
  if (jpeg) tjDestroy(jpeg);
  if (status == 0) return (scene_still){bytes, count, count};
  free(bytes);
  return (scene_still){NULL, 0, 0};
}
#endif
