// SPDX-License-Identifier: MIT
// Gradients without banding: colors from a fine table, dithered to 8 bits.
#include "CPixels.h"
#include "Blend.h"
#include <math.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

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

/// Marks the entries of a table that are equal to a neighbor, where dithering would add noise to
/// areas of one color.
static void mark_flat(const float *table, int entries, uint8_t *flat) {
  memset(flat, 0, (size_t)entries);
  for (int i = 1; i < entries; i++)
    if (!memcmp(table + 4 * i, table + 4 * i - 4, 16)) flat[i] = flat[i - 1] = 1;
  flat[entries] = flat[entries + 1] = 1;
}

SCENE_FAST void scene_gradient_bgra(
    scene_pixels out, scene_pixels below, int x0, int y0, scene_gradient gradient,
    const float *table) {
  const scene_projection m = gradient.inverse;
  const int isAffine = m.g == 0 && m.h == 0 && m.i == 1;
  const int kind = gradient.kind, entries = gradient.entries;
  float last = (float)(entries - 1);
  const light_tables *tables = gradient.is_linear ? light() : NULL;
  const uint32_t opaque = gradient.is_opaque ? 0xff000000 : 0;
  uint8_t flat[SCENE_GRADIENT_ENTRIES + 2];
  mark_flat(table, entries, flat);
  for (int row = 0; row < out.height; row++) {
    uint32_t *line = (uint32_t *)(out.bytes + (int64_t)row * out.stride);
    double px = x0 + 0.5, py = y0 + row + 0.5;
    double u = m.a * px + m.c * py + m.e;
    double v = m.b * px + m.d * py + m.f;
    const uint32_t *under =
        below.bytes ? (const uint32_t *)(below.bytes + (int64_t)row * below.stride) : NULL;
    const uint8_t *pattern = bayer[(y0 + row) & 7];
    for (int i = 0; i < out.width; i++) {
      float x, y;
      if (isAffine) {
        x = (float)(u + m.a * i);
        y = (float)(v + m.b * i);
      } else {
        double w = m.g * (px + i) + m.h * py + m.i;
        x = (float)((u + m.a * i) / w);
        y = (float)((v + m.b * i) / w);
      }
      float t = kind == SCENE_LINEAR ? x : kind == SCENE_RADIAL ? sqrtf(x * x + y * y) : turns(x, y);
      // A negative number and NaN, which occurs on the horizon of a plane.
      int index = !(t >= 0) ? entries : t > 1 ? entries + 1 : (int)(t * last + 0.5f);
      v4f color;
      __builtin_memcpy(&color, table + 4 * index, 16);
      color *= 255.0f;
      if (tables) {
        v4f d = to_light(tables, (under ? under[i] : 0) | opaque);
        int addend = flat[index] ? 64 : 33 + pattern[(x0 + i) & 7];
        line[i] = from_light(tables, blended(color, d, gradient.mode), addend);
        continue;
      }
      if (under && under[i]) color += unpack(under[i]) * (1 - color[3] / 255);
      line[i] = pack(color, flat[index] ? 0.5f : threshold(pattern[(x0 + i) & 7]));
    }
  }
}
