// SPDX-License-Identifier: MIT
#ifndef SCENE_CIMAGE_H
#define SCENE_CIMAGE_H
#include <stdio.h>
#include <string.h>
#include <png.h>
#include <turbojpeg.h>
#include <webp/decode.h>
#include <libexif/exif-data.h>

// The formats of libpng's simplified API are macros with casts, which Swift cannot import.
static inline void scene_png_begin(png_image *image) { memset(image, 0, sizeof *image); image->version = PNG_IMAGE_VERSION; }
static inline void scene_png_want_bgra(png_image *image) { image->format = PNG_FORMAT_BGRA; }
static inline int scene_png_is_16_bit(const png_image *image) { return (image->format & PNG_FORMAT_FLAG_LINEAR) != 0; }
static inline void scene_png_want_linear(png_image *image) { image->format = PNG_FORMAT_LINEAR_RGB_ALPHA; }
static inline const char *scene_png_message(const png_image *image) { return image->message; }
#endif
