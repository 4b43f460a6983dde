// SPDX-License-Identifier: MIT
#include "CPixels.h"
#include "Dither.h"
#include <string.h>

typedef uint8_t v32b __attribute__((vector_size(32)));
typedef uint16_t v16h __attribute__((vector_size(32)));
typedef uint32_t v16i __attribute__((vector_size(64)));

static inline uint8_t scaled(int value, int share) {
  int v = value * share + 128;
  return (uint8_t)((v + (v >> 8)) >> 8);
}

// Macros, since the ABI of functions does not support the vector types of every clone.

// Divides each of 16 products of two bytes by 255, rounded, as the high half of a product with 257.
#define BY_255(products)                                                                     \
  __builtin_convertvector(                                                                   \
      (__builtin_convertvector((products) + 128, v16i) * 257) >> 16, v16h)

// Widens the first or second 8 bytes of each half to 16 bits.
#define LOW(v)                                                                               \
  (v16h) __builtin_shufflevector(                                                            \
      v, zero, 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48, 17, 49, 18,   \
      50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55)
#define HIGH(v)                                                                              \
  (v16h) __builtin_shufflevector(                                                            \
      v, zero, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 24, 56, 25, 57, \
      26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63)

// Narrows the 16-bit values of both vectors to bytes and joins them.
#define JOINED(low, high)                                                                    \
  __builtin_shufflevector(                                                                   \
      (v32b)(low), (v32b)(high), 0, 2, 4, 6, 8, 10, 12, 14, 32, 34, 36, 38, 40, 42, 44, 46,  \
      16, 18, 20, 22, 24, 26, 28, 30, 48, 50, 52, 54, 56, 58, 60, 62)

// Repeats the alpha of each of four pixels four times.
#define ALPHAS(v)                                                                            \
  __builtin_shufflevector(v, v, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15)

SCENE_FAST void scene_over_bgra(scene_pixels target, scene_pixels source, int opacity) {
  const v32b zero = {0};
  const uint16_t share = (uint16_t)opacity;
  const int width = source.width;
  for (int y = 0; y < source.height; y++) {
    uint8_t *to = target.bytes + (int64_t)y * target.stride;
    const uint8_t *from = source.bytes + (int64_t)y * source.stride;
    int x = 0;
    for (; x + 8 <= width; x += 8) {
      v32b a, b;
      memcpy(&a, from + 4 * x, 32);
      memcpy(&b, to + 4 * x, 32);
      v16h low = BY_255(LOW(a) * share);
      v16h high = BY_255(HIGH(a) * share);
      low += BY_255(LOW(b) * (255 - ALPHAS(low)));
      high += BY_255(HIGH(b) * (255 - ALPHAS(high)));
      v32b out = JOINED(low, high);
      memcpy(to + 4 * x, &out, 32);
    }
    for (; x < width; x++) {
      int rest = 255 - scaled(from[4 * x + 3], opacity);
      for (int c = 0; c < 4; c++)
        to[4 * x + c] = (uint8_t)(scaled(from[4 * x + c], opacity) + scaled(to[4 * x + c], rest));
    }
  }
}

SCENE_FAST void scene_over_dithered_bgra(
    scene_pixels target, scene_pixels source, int opacity, int x0, int y0) {
  const float share = (float)opacity / 255;
  for (int y = 0; y < source.height; y++) {
    uint32_t *to = (uint32_t *)(target.bytes + (int64_t)y * target.stride);
    const uint32_t *from = (const uint32_t *)(source.bytes + (int64_t)y * source.stride);
    const uint8_t *pattern = bayer[(y0 + y) & 7];
    for (int x = 0; x < source.width; x++) {
      uint32_t pixel = from[x];
      if (!pixel) continue;
      if (opacity == 255 && pixel >= 0xff000000) {
        to[x] = pixel;
        continue;
      }
      v4f color = unpack(pixel) * share;
      color += unpack(to[x]) * (1 - color[3] / 255);
      to[x] = pack(color, threshold(pattern[(x0 + x) & 7]));
    }
  }
}
