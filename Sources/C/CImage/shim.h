// SPDX-License-Identifier: MIT
#ifndef SCENE_CIMAGE_H
#define SCENE_CIMAGE_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
#include <string.h>
#include <png.h>
#include <zlib.h>
#include <turbojpeg.h>
#include <gif_lib.h>
#include <lcms2.h>
#include <libexif/exif-data.h>
#include <ft2build.h>
#include FT_FREETYPE_H

// Safe to call: the owner keeps all objects alive that are passed in addition to plain values and
// strings. The function validates indices and frees nothing. For a structure, this applies to all
// functions that take it.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

// The flags to load unscaled and unhinted outlines, as in text layout. FreeType's flags are macros
// with casts.
static const FT_Int32 scene_ft_load_outline = FT_LOAD_NO_SCALE | FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP;

// Little CMS formats are macros: blue, green, red and a fourth byte that is preserved.
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

// A GIF that is read record by record, which its owner keeps alive.
typedef struct SCENE_SAFE { GifFileType *file; } scene_gif;

// Functions that read a GIF and return values. Returns the type of the next record, -1 if the file
// is damaged.
static inline int scene_gif_record(scene_gif gif) {
  GifRecordType kind = UNDEFINED_RECORD_TYPE;
  return DGifGetRecordType(gif.file, &kind) == GIF_OK ? (int)kind : -1;
}
static inline int scene_gif_error(scene_gif gif) { return gif.file->Error; }
static inline int scene_gif_width(scene_gif gif) { return gif.file->SWidth; }
static inline int scene_gif_height(scene_gif gif) { return gif.file->SHeight; }

// Reads an extension. Returns whether it is complete, and its content if it is a graphic control
// extension.
typedef struct { _Bool is_whole, is_control; int disposal, hundredths, clear; } scene_gif_control;
static inline scene_gif_control scene_gif_extension(scene_gif gif) {
  scene_gif_control it = {0, 0, 0, 0, 0};
  int code = 0;
  GifByteType *block = NULL;
  GraphicsControlBlock found;
  if (DGifGetExtension(gif.file, &code, &block) != GIF_OK) return it;
  while (block) {
    if (code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(block[0], block + 1, &found) == GIF_OK) {
      it.is_control = 1;
      it.disposal = found.DisposalMode, it.hundredths = found.DelayTime, it.clear = found.TransparentColor;
    }
    if (DGifGetExtensionNext(gif.file, &block) != GIF_OK) return it;
  }
  it.is_whole = 1;
  return it;
}

// The descriptor of an image with the number of its colors.
typedef struct { _Bool is_whole, is_interlaced; int left, top, width, height, colors; } scene_gif_place;
static inline ColorMapObject *scene_gif_map(scene_gif gif) {
  return gif.file->Image.ColorMap ? gif.file->Image.ColorMap : gif.file->SColorMap;
}
static inline scene_gif_place scene_gif_picture(scene_gif gif) {
  if (DGifGetImageDesc(gif.file) != GIF_OK) return (scene_gif_place){0, 0, 0, 0, 0, 0, 0};
  const GifImageDesc *it = &gif.file->Image;
  const ColorMapObject *map = scene_gif_map(gif);
  return (scene_gif_place){1, it->Interlace, it->Left, it->Top, it->Width, it->Height, map ? map->ColorCount : 0};
}
typedef struct { unsigned char red, green, blue; } scene_gif_rgb;
static inline scene_gif_rgb scene_gif_color(scene_gif gif, int index) {
  const ColorMapObject *map = scene_gif_map(gif);
  if (!map || index < 0 || index >= map->ColorCount) return (scene_gif_rgb){0, 0, 0};
  const GifColorType *it = map->Colors + index;
  return (scene_gif_rgb){it->Red, it->Green, it->Blue};
}
static inline _Bool scene_gif_skip(scene_gif gif) {
  int size;
  GifByteType *block = NULL;
  if (DGifGetCode(gif.file, &size, &block) != GIF_OK) return 0;
  while (block)
    if (DGifGetCodeNext(gif.file, &block) != GIF_OK) return 0;
  return 1;
}

// Reads a PNG with libpng's full interface. The simplified one interprets 16-bit samples without a
// color space as linear light, which authors of such files do not intend, and does not limit
// chunks.
typedef struct SCENE_SAFE {
  unsigned width, height;
  unsigned char *profile;  // Freed by the caller.
  unsigned profile_size;
  char message[120];
  const unsigned char *bytes;
  size_t count, at;
  // If the gamma of the file differs from sRGB: the table from 16-bit samples to sRGB, and the
  // buffer of 16-bit rows.
  unsigned char *to_srgb;
  unsigned char *wide;
} scene_png;

static void scene_png_take(png_structp png, png_bytep to, size_t count) {
  scene_png *it = png_get_io_ptr(png);
  if (count > it->count - it->at) png_error(png, "the file ends early");
  memcpy(to, it->bytes + it->at, count);
  it->at += count;
}
static void scene_png_fail(png_structp png, png_const_charp message) {
  scene_png *it = png_get_error_ptr(png);
  snprintf(it->message, sizeof it->message, "%s", message);
  png_longjmp(png, 1);
}
static void scene_png_silent(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}
// Creates the table from 16-bit samples, which are light to the power of `gamma`, to sRGB. libpng
// corrects 16-bit samples with 11-bit tables, which lose dark values, and with a power function
// instead of the sRGB curve.
static inline void scene_png_gamma(scene_png *it, double gamma) {
  it->to_srgb = malloc(65536);
  if (!it->to_srgb) return;
  for (unsigned sample = 0; sample < 65536; sample++) {
    double light = pow(sample / 65535.0, 1 / gamma);
    double value = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    it->to_srgb[sample] = (unsigned char)(255 * value + 0.5);
  }
}
static inline void scene_png_colours(png_structp png, png_infop info, scene_png *it) {
  png_charp name;
  png_bytep data;
  png_uint_32 size;
  int method;
  png_fixed_point gamma;
  if (png_get_iCCP(png, info, &name, &method, &data, &size) && size > 0) {
    it->profile = malloc(size);
    if (!it->profile) return;
    memcpy(it->profile, data, size);
    it->profile_size = size;
  } else if (!png_get_valid(png, info, PNG_INFO_sRGB) && png_get_gAMA_fixed(png, info, &gamma)
      && (gamma < 43300 || gamma > 47700)) {
    scene_png_gamma(it, gamma / 100000.0);
  }
}
static inline void scene_png_narrow(
    const scene_png *it, const unsigned char *from, unsigned char *to) {
  for (size_t i = 0; i < 4 * (size_t)it->width; i++) {
    unsigned sample = from[2 * i] << 8 | from[2 * i + 1];
    to[i] = i % 4 == 3 ? (sample + 128) / 257 : it->to_srgb[sample];
  }
}
static inline void scene_png_release(scene_png *it) {
  free(it->to_srgb);
  free(it->wide);
  it->to_srgb = it->wide = NULL;
}
// Reads the size and, if `bgra` is given, all pixels with straight alpha. Returns 0, or -1 with a
// message.
static inline int scene_png_read(
    scene_png *it, const unsigned char *bytes, size_t count, unsigned char *bgra, size_t stride) {
  memset(it, 0, sizeof *it);
  it->bytes = bytes;
  it->count = count;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, it, scene_png_fail, scene_png_silent);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!info || setjmp(png_jmpbuf(png))) {
    if (png) png_destroy_read_struct(&png, &info, NULL);
    scene_png_release(it);
    if (!it->message[0]) snprintf(it->message, sizeof it->message, "no memory");
    return -1;
  }
  png_set_read_fn(png, it, scene_png_take);
  png_set_benign_errors(png, 1);
  png_set_chunk_malloc_max(png, 8 << 20);
  png_set_chunk_cache_max(png, 200);
  png_read_info(png, info);
  it->width = png_get_image_width(png, info);
  it->height = png_get_image_height(png, info);
  if (bgra) {
    scene_png_colours(png, info, it);
    png_set_expand(png);
    if (it->to_srgb) png_set_expand_16(png);
    else png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_bgr(png);
    png_set_add_alpha(png, it->to_srgb ? 65535 : 255, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (it->to_srgb) {
      // Interlaced rows are completed from pass to pass; other rows are converted one by one.
      size_t length = 8 * (size_t)it->width, next = passes > 1 ? length : 0;
      it->wide = calloc(passes > 1 ? it->height : 1, length);
      if (!it->wide) png_error(png, "no memory");
      for (int pass = 0; pass < passes; pass++)
        for (size_t row = 0; row < it->height; row++) {
          png_read_row(png, it->wide + row * next, NULL);
          if (pass == passes - 1) scene_png_narrow(it, it->wide + row * next, bgra + row * stride);
        }
    } else {
      while (passes-- > 0)
        for (size_t row = 0; row < it->height; row++) png_read_row(png, bgra + row * stride, NULL);
    }
    png_read_end(png, NULL);
  }
  png_destroy_read_struct(&png, &info, NULL);
  scene_png_release(it);
  return 0;
}
// Returns the orientation of the camera, 1 to 8, from image file directory 0 (CIPA DC-008); 1 if
// missing.
static inline int scene_exif_orientation(const unsigned char *bytes, unsigned count) {
  ExifData *data = exif_data_new_from_data(bytes, count);
  ExifEntry *entry = data ? exif_content_get_entry(data->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION) : NULL;
  int value = entry && entry->size >= 2 ? exif_get_short(entry->data, exif_data_get_byte_order(data)) : 1;
  if (data) exif_data_unref(data);
  return value >= 1 && value <= 8 ? value : 1;
}
#endif
