// SPDX-License-Identifier: MIT
// Gradients without banding: colors from a fine table, dithered to 8 bits.
#include "CPixels.h"
#include <math.h>

/// The thresholds of ordered dithering (B. E. Bayer 1973), 0 to 63.
static const uint8_t bayer[8][8] = {
    {0, 32, 8, 40, 2, 34, 10, 42},  {48, 16, 56, 24, 50, 18, 58, 26},
    {12, 44, 4, 36, 14, 46, 6, 38}, {60, 28, 52, 20, 62, 30, 54, 22},
    {3, 35, 11, 43, 1, 33, 9, 41},  {51, 19, 59, 27, 49, 17, 57, 25},
    {15, 47, 7, 39, 13, 45, 5, 37}, {63, 31, 55, 23, 61, 29, 53, 21}};

typedef float v4f __attribute__((vector_size(16)));
typedef int32_t v4i __attribute__((vector_size(16)));

static inline uint32_t pack(v4f color, float threshold) {
  v4i c = __builtin_convertvector(color * 255.0f + threshold, v4i);
  return (uint32_t)c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
}

/// Returns the angle of (x, y) in turns, `0..<1`, from a polynomial with an error below 1e-5.
static inline float turns(float x, float y) {
  float ax = fabsf(x), ay = fabsf(y);
  float low = ax < ay ? ax : ay, high = ax < ay ? ay : ax;
  float q = high > 0 ? low / high : 0;
  float s = q * q;
  // Minimax coefficients of atan on 0...1 (Abramowitz and Stegun 4.4.49), divided by 2 pi.
  float r = q * (0.15915494f + s * (-0.05303900f + s * (0.03168300f + s * (-0.02213200f +
            s * (0.01532100f + s * (-0.00864500f + s * (0.00316600f + s * -0.00055400f)))))));
  if (ay > ax) r = 0.25f - r;
  if (x < 0) r = 0.5f - r;
  if (y < 0) r = 1 - r;
  return r >= 1 ? r - 1 : r;
}

SCENE_FAST void scene_gradient_bgra(
    scene_pixels out, int x0, int y0, scene_gradient gradient, const float *table) {
  const scene_map m = gradient.inverse;
  const int kind = gradient.kind, entries = gradient.entries;
  float last = (float)(entries - 1);
  for (int row = 0; row < out.height; row++) {
    uint32_t *line = (uint32_t *)(out.bytes + (int64_t)row * out.stride);
    double px = x0 + 0.5, py = y0 + row + 0.5;
    double u = m.a * px + m.c * py + m.e;
    double v = m.b * px + m.d * py + m.f;
    const uint8_t *pattern = bayer[(y0 + row) & 7];
    for (int i = 0; i < out.width; i++) {
      float x = (float)(u + m.a * i), y = (float)(v + m.b * i);
      float t = kind == SCENE_LINEAR ? x : kind == SCENE_RADIAL ? sqrtf(x * x + y * y) : turns(x, y);
      int index = t < 0 ? entries : t > 1 ? entries + 1 : (int)(t * last + 0.5f);
      v4f color;
      __builtin_memcpy(&color, table + 4 * index, 16);
      // Half a step of dither hides banding and costs an encoder a third as many bits as a full
      // step.
      line[i] = pack(color, 0.5f + ((float)pattern[(x0 + i) & 7] - 31.5f) / 128);
    }
  }
}
