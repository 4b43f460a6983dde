// SPDX-License-Identifier: MIT
// Blend modes of premultiplied colors, in sRGB or in linear light.
#pragma once
#include "CPixels.h"
#include "Light.h"

#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

/// Combines premultiplied colors with channels in 0...255.
INLINE v4f blended(v4f s, v4f d, int mode) {
  const float unit = 1.0f / 255;
  switch (mode) {
  case SCENE_BLEND_PLUS_LIGHTER: {
    v4f sum = s + d, full = {255, 255, 255, 255};
    light_indices fits = sum < full;
    return (v4f)(((light_indices)sum & fits) | ((light_indices)full & ~fits));
  }
  case SCENE_BLEND_SCREEN: return s + d - s * d * unit;
  case SCENE_BLEND_MULTIPLY: return (s * d + s * (255 - d[3]) + d * (255 - s[3])) * unit;
  default: return s + d * (1 - s[3] / 255);
  }
}
