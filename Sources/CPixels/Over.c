// SPDX-License-Identifier: MIT
#include "CPixels.h"
#include <string.h>

typedef uint16_t v16h __attribute__((vector_size(32)));
typedef uint8_t v16b __attribute__((vector_size(16)));

static inline uint8_t scaled(int value, int share) {
  int v = value * share + 128;
  return (uint8_t)((v + (v >> 8)) >> 8);
}

SCENE_FAST void scene_over_bgra(
    uint8_t *target, int target_stride, const uint8_t *source, int source_stride, int width,
    int height, int opacity) {
  for (int y = 0; y < height; y++) {
    uint8_t *to = target + (int64_t)y * target_stride;
    const uint8_t *from = source + (int64_t)y * source_stride;
    int x = 0;
    for (; x + 4 <= width; x += 4) {
      v16b a, b;
      memcpy(&a, from + 4 * x, 16);
      memcpy(&b, to + 4 * x, 16);
      v16h s = __builtin_convertvector(a, v16h) * (uint16_t)opacity + 128;
      s = (s + (s >> 8)) >> 8;
      v16h rest =
          255 - __builtin_shufflevector(s, s, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
      v16h d = __builtin_convertvector(b, v16h) * rest + 128;
      d = s + ((d + (d >> 8)) >> 8);
      v16b out = __builtin_convertvector(d, v16b);
      memcpy(to + 4 * x, &out, 16);
    }
    for (; x < width; x++) {
      int rest = 255 - scaled(from[4 * x + 3], opacity);
      for (int c = 0; c < 4; c++)
        to[4 * x + c] = (uint8_t)(scaled(from[4 * x + c], opacity) + scaled(to[4 * x + c], rest));
    }
  }
}
