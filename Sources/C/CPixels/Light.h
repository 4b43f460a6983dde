// SPDX-License-Identifier: MIT
// Conversion between sRGB and linear light (IEC 61966-2-1) by tables.
#pragma once
#include "Dither.h"

#pragma STDC FP_CONTRACT OFF

/// The steps of a straight channel, in 1/16 of an 8-bit step.
enum { LIGHT_STEPS = 255 * 16 };

typedef int32_t light_indices __attribute__((vector_size(16)));

typedef struct {
  /// Linear light in 0...255 of straight channels in 1/16 of an 8-bit step.
  float linear[LIGHT_STEPS + 1];
  /// The linear light of 8-bit channels, and the same multiplied by 128.
  float whole[256];
  uint16_t light[256];
  /// sRGB in 0...255, multiplied by 128, of linear light in 0...65535.
  uint16_t srgb[65536];
  /// The same, rounded to 8 bits.
  uint8_t rounded[65536];
} light_tables;

/// Returns the tables, which the first call computes.
const light_tables *light(void);

/// Converts a premultiplied pixel to premultiplied linear light, with channels in 0...255.
static inline v4f to_light(const light_tables *t, uint32_t pixel) {
  const float *linear = t->linear;
  int b = pixel & 255, g = pixel >> 8 & 255, r = pixel >> 16 & 255, a = pixel >> 24;
  if (a == 255) return (v4f){t->whole[b], t->whole[g], t->whole[r], 255};
  if (!a) return (v4f){0, 0, 0, 0};
  float scale = LIGHT_STEPS / (float)a, share = (float)a / 255;
  int i = (int)((float)b * scale + 0.5f), j = (int)((float)g * scale + 0.5f);
  int k = (int)((float)r * scale + 0.5f);
  i = i < LIGHT_STEPS ? i : LIGHT_STEPS;
  j = j < LIGHT_STEPS ? j : LIGHT_STEPS;
  k = k < LIGHT_STEPS ? k : LIGHT_STEPS;
  return (v4f){linear[i] * share, linear[j] * share, linear[k] * share, (float)a};
}

/// Returns the indices of linear light in 0...255 in the tables of sRGB.
static inline light_indices light_index(v4f linear) {
  light_indices i = __builtin_convertvector(linear * 257 + 0.5f, light_indices);
  light_indices high = i > 65535;
  i = (i & ~high) | (65535 & high);
  return i & ~(i < 0);
}

/// Converts premultiplied linear light to a premultiplied pixel. `threshold` is the addend before
/// truncation, in 1/128 of an 8-bit step.
static inline uint32_t from_light(const light_tables *t, v4f color, int threshold) {
  const uint16_t *srgb = t->srgb;
  float a = color[3];
  if (a >= 254.998f) {
    light_indices i = light_index(color);
    uint32_t b = (uint32_t)(srgb[i[0]] + threshold) >> 7;
    uint32_t g = (uint32_t)(srgb[i[1]] + threshold) >> 7;
    uint32_t r = (uint32_t)(srgb[i[2]] + threshold) >> 7;
    return 0xff000000 | r << 16 | g << 8 | b;
  }
  if (!(a > 0)) return 0;
  float share = a / 255;
  light_indices i = light_index(color * (255 / a));
  int b = (int)((float)srgb[i[0]] * share) + threshold;
  int g = (int)((float)srgb[i[1]] * share) + threshold;
  int r = (int)((float)srgb[i[2]] * share) + threshold;
  int alpha = (int)(a * 128) + threshold;
  return (uint32_t)(alpha >> 7) << 24 | (uint32_t)(r >> 7) << 16 | (uint32_t)(g >> 7) << 8 |
         (uint32_t)(b >> 7);
}
