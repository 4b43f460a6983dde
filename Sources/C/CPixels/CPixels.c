// SPDX-License-Identifier: MIT
// Performance-critical pixel loops. The matrix is that of ITU-R BT.709-6 section 3, limited range,
// in 15-bit fixed point. It agrees with the exact formula to 1/255.
#include "CPixels.h"
#include <string.h>

enum {
  // 219/255 * {0.2126, 0.7152, 0.0722} * 2^15, rounded so that white is exactly 235.
  YR = 5983, YG = 20127, YB = 2032,
  // 224/255 / 1.8556 * …; the rows sum to zero.
  UR = -3298, UG = -11094, UB = 14392,
  VR = 14392, VG = -13073, VB = -1319,
};

static inline int chroma_u(int r, int g, int b) { return UR * r + UG * g + UB * b; }
static inline int chroma_v(int r, int g, int b) { return VR * r + VG * g + VB * b; }

// Non-overlapping rows are vectorized, eight pixels at a time. They are separate functions, because
// the compiler ignores `restrict` after inlining.
static SCENE_FAST void luma(const uint32_t *restrict a, uint8_t *restrict y, int width) {
  for (int x = 0; x < width; x++) {
    int r = (a[x] >> 16) & 255, g = (a[x] >> 8) & 255, b = a[x] & 255;
    y[x] = (uint8_t)((YR * r + YG * g + YB * b + (16 << 15) + (1 << 14)) >> 15);
  }
}

// Computes one chroma sample from two rows of two columns and of the column before: a sum with a
// total weight of eight, with blue and red in one integer.
static inline void halve_chroma(
    const uint32_t *restrict a, const uint32_t *restrict c, int before, int x, uint8_t *restrict u,
    uint8_t *restrict v) {
  const uint32_t pair = 0xff00ff;
  uint32_t p = a[before], q = a[2 * x], r = a[2 * x + 1];
  uint32_t s = c[before], t = c[2 * x], w = c[2 * x + 1];
  uint32_t both = (p & pair) + 2 * (q & pair) + (r & pair) + (s & pair) + 2 * (t & pair) + (w & pair);
  int green = ((p >> 8) & 255) + 2 * ((q >> 8) & 255) + ((r >> 8) & 255) + ((s >> 8) & 255)
      + 2 * ((t >> 8) & 255) + ((w >> 8) & 255);
  int red = both >> 16, blue = both & 0xffff;
  u[x] = (uint8_t)((chroma_u(red, green, blue) + (128 << 18) + (1 << 17)) >> 18);
  v[x] = (uint8_t)((chroma_v(red, green, blue) + (128 << 18) + (1 << 17)) >> 18);
}

static SCENE_FAST void halved_chroma(
    const uint32_t *restrict a, const uint32_t *restrict c, uint8_t *restrict u, uint8_t *restrict v,
    int width) {
  // The first column has no left neighbor and uses itself.
  halve_chroma(a, c, 0, 0, u, v);
  for (int x = 1; x < width / 2; x++) halve_chroma(a, c, 2 * x - 1, x, u, v);
}

static SCENE_FAST void whole_chroma(
    const uint32_t *restrict a, uint8_t *restrict u, uint8_t *restrict v, int width) {
  for (int x = 0; x < width; x++) {
    int r = (a[x] >> 16) & 255, g = (a[x] >> 8) & 255, b = a[x] & 255;
    u[x] = (uint8_t)((chroma_u(r, g, b) + (128 << 15) + (1 << 14)) >> 15);
    v[x] = (uint8_t)((chroma_v(r, g, b) + (128 << 15) + (1 << 14)) >> 15);
  }
}

static inline const uint32_t *pixel_row(scene_pixels in, int row) {
  return (const uint32_t *)(in.bytes + (int64_t)row * in.stride);
}

static inline uint8_t *plane_row(scene_plane plane, int row) {
  return plane.bytes + (int64_t)row * plane.stride;
}

void scene_bgra_to_yuv420_bt709(scene_pixels in, scene_plane y, scene_plane u, scene_plane v) {
  for (int row = 0; row < in.height; row += 2) {
    const uint32_t *a = pixel_row(in, row), *c = pixel_row(in, row + 1);
    luma(a, plane_row(y, row), in.width);
    luma(c, plane_row(y, row + 1), in.width);
    halved_chroma(a, c, plane_row(u, row / 2), plane_row(v, row / 2), in.width);
  }
}

void scene_bgra_to_yuv444_bt709(scene_pixels in, scene_plane y, scene_plane u, scene_plane v) {
  for (int row = 0; row < in.height; row++) {
    const uint32_t *a = pixel_row(in, row);
    luma(a, plane_row(y, row), in.width);
    whole_chroma(a, plane_row(u, row), plane_row(v, row), in.width);
  }
}

void scene_unpremultiply_rgba(const uint8_t *bgra, uint8_t *rgba, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    unsigned alpha = bgra[4 * i + 3];
    if (alpha == 255) {
      uint32_t pixel;
      memcpy(&pixel, bgra + 4 * i, sizeof pixel);
      pixel = (pixel & 0xff00ff00) | (pixel >> 16 & 0xff) | (pixel & 0xff) << 16;
      memcpy(rgba + 4 * i, &pixel, sizeof pixel);
      continue;
    }
    for (int k = 0; k < 3; k++) {
      unsigned value = bgra[4 * i + 2 - k];
      unsigned straight = alpha == 0 ? 0 : (value * 255 + alpha / 2) / alpha;
      rgba[4 * i + k] = (uint8_t)(straight > 255 ? 255 : straight);
    }
    rgba[4 * i + 3] = (uint8_t)alpha;
  }
}

static SCENE_FAST void premultiply_row(uint8_t *bgra, int count) {
  for (int64_t i = 0; i < count; i++) {
    unsigned alpha = bgra[4 * i + 3];
    for (int k = 0; k < 3; k++) {
      bgra[4 * i + k] = (uint8_t)((bgra[4 * i + k] * alpha + 127) / 255);
    }
  }
}

void scene_premultiply_bgra(scene_pixels pixels) {
  for (int y = 0; y < pixels.height; y++)
    premultiply_row(pixels.bytes + (int64_t)y * pixels.stride, pixels.width);
}

void scene_double_bgra(scene_pixels in, scene_pixels out) {
  for (int y = 0; y < in.height; y++) {
    const uint32_t *from = (const uint32_t *)(in.bytes + (int64_t)y * in.stride);
    uint8_t *line = out.bytes + (int64_t)(2 * y) * out.stride;
    uint32_t *to = (uint32_t *)line;
    for (int x = 0; x < in.width; x++) to[2 * x] = to[2 * x + 1] = from[x];
    memcpy(line + out.stride, line, (size_t)in.width * 8);
  }
}

SCENE_FAST void scene_halve_bgra(scene_pixels in, scene_pixels out) {
  int w = in.width / 2, h = in.height / 2;
  for (int y = 0; y < h; y++) {
    const uint8_t *a = in.bytes + (int64_t)(2 * y) * in.stride;
    const uint8_t *b = a + in.stride;
    uint8_t *o = out.bytes + (int64_t)y * out.stride;
    for (int x = 0; x < w; x++) {
      for (int k = 0; k < 4; k++) {
        o[4 * x + k] =
            (uint8_t)((a[8 * x + k] + a[8 * x + 4 + k] + b[8 * x + k] + b[8 * x + 4 + k] + 2) >> 2);
      }
    }
  }
}
