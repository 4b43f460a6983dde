// SPDX-License-Identifier: MIT
#include "CSound.h"
#include "CPixels.h"
#include <stddef.h>
#pragma STDC FP_CONTRACT OFF

typedef float lanes __attribute__((vector_size(32), aligned(4), may_alias));

static inline float sum(const float *x) {
  return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

SCENE_FAST void scene_resample(
    const float *in, const scene_resample_point *points, int32_t count, const float *table, int32_t taps,
    float *out) {
  for (int32_t i = 0; i < count; i++) {
    const scene_resample_point at = points[i];
    const float *x = in + at.first, *h = table + (size_t)at.row * taps;
    lanes here = {0}, next = {0};
    for (int32_t k = 0; k < taps; k += 8) {
      lanes samples = *(const lanes *)(x + k);
      here += samples * *(const lanes *)(h + k);
      next += samples * *(const lanes *)(h + taps + k);
    }
    float a = sum((const float *)&here), b = sum((const float *)&next);
    out[i] = a + at.share * (b - a);
  }
}

SCENE_FAST float scene_true_peak(const float *in, int32_t count, const float *table, int32_t taps) {
  lanes most = {0};
  for (int32_t i = 0; i < count; i += 8) {
    for (int32_t point = 0; point < 4; point++) {
      lanes value = {0};
      if (point == 0) value = *(const lanes *)(in + i + taps / 2 - 1);
      else
        for (int32_t k = 0; k < taps; k++)
          value += *(const lanes *)(in + i + k) * table[(point - 1) * taps + k];
      for (int lane = 0; lane < 8; lane++) {
        float size = value[lane] < 0 ? -value[lane] : value[lane];
        most[lane] = size > most[lane] ? size : most[lane];
      }
    }
  }
  float result = 0;
  for (int lane = 0; lane < 8; lane++) result = most[lane] > result ? most[lane] : result;
  return result;
}
