// SPDX-License-Identifier: MIT
// Filters that process each pixel independently.
#include "CPixels.h"
#include <math.h>
#include <string.h>

static inline float held(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/// Reads a pixel as straight blue, green, red and alpha in `0...1`.
static inline void read_straight(const uint8_t *p, float c[4]) {
  float a = p[3];
  float k = a > 0 ? 1 / a : 0;
  for (int i = 0; i < 3; i++) c[i] = held((float)p[i] * k);
  c[3] = a / 255;
}

static inline void write_straight(uint8_t *p, const float c[4]) {
  float a = held(c[3]) * 255;
  for (int i = 0; i < 3; i++) p[i] = (uint8_t)(held(c[i]) * a + 0.5f);
  p[3] = (uint8_t)(a + 0.5f);
}

void scene_color_matrix_bgra(scene_pixels pixels, const float *m) {
  // Transparent pixels stay transparent unless the matrix adds a constant to alpha.
  int keeps_clear = m[19] == 0;
  for (int y = 0; y < pixels.height; y++) {
    uint8_t *p = pixels.bytes + (int64_t)y * pixels.stride;
    for (int x = 0; x < pixels.width; x++, p += 4) {
      if (p[3] == 0 && keeps_clear) continue;
      float c[4], d[4];
      read_straight(p, c);
      for (int i = 0; i < 4; i++) {
        const float *row = m + 5 * i;
        float v = row[0] * c[2] + row[1] * c[1] + row[2] * c[0] + row[3] * c[3] + row[4];
        d[i == 3 ? 3 : 2 - i] = v;
      }
      write_straight(p, d);
    }
  }
}

void scene_lut_bgra(scene_pixels pixels, const float *table, int size) {
  int row = size * 3, plane = size * size * 3;
  for (int y = 0; y < pixels.height; y++) {
    uint8_t *p = pixels.bytes + (int64_t)y * pixels.stride;
    for (int x = 0; x < pixels.width; x++, p += 4) {
      if (p[3] == 0) continue;
      float c[4], at[3];
      int cell[3];
      read_straight(p, c);
      for (int i = 0; i < 3; i++) {
        float place = c[2 - i] * (float)(size - 1);
        cell[i] = (int)place < size - 2 ? (int)place : size - 2;
        at[i] = place - (float)cell[i];
      }
      const float *base = table + cell[0] * 3 + cell[1] * row + cell[2] * plane;
      // Walks from the darkest corner to the lightest, along the axis with the largest fraction
      // first.
      int order[3] = {0, 1, 2};
      int steps[3] = {3, row, plane};
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
          if (at[order[j]] < at[order[j + 1]]) {
            int t = order[j];
            order[j] = order[j + 1];
            order[j + 1] = t;
          }
      const float *corner = base;
      float before = 1, out[3] = {0, 0, 0};
      for (int k = 0; k <= 3; k++) {
        float next = k < 3 ? at[order[k]] : 0;
        for (int i = 0; i < 3; i++) out[i] += corner[i] * (before - next);
        before = next;
        if (k < 3) corner += steps[order[k]];
      }
      float d[4] = {out[2], out[1], out[0], c[3]};
      write_straight(p, d);
    }
  }
}

void scene_chroma_key_bgra(scene_pixels pixels, scene_color key, float tolerance, float softness) {
  float luma = 0.2126f * key.red + 0.7152f * key.green + 0.0722f * key.blue;
  float cb = (key.blue - luma) / 1.8556f, cr = (key.red - luma) / 1.5748f;
  float length = sqrtf(cb * cb + cr * cr);
  for (int y = 0; y < pixels.height; y++) {
    uint8_t *p = pixels.bytes + (int64_t)y * pixels.stride;
    for (int x = 0; x < pixels.width; x++, p += 4) {
      if (p[3] == 0) continue;
      float c[4];
      read_straight(p, c);
      float l = 0.2126f * c[2] + 0.7152f * c[1] + 0.0722f * c[0];
      float u = (c[0] - l) / 1.8556f, v = (c[2] - l) / 1.5748f;
      float distance = sqrtf((u - cb) * (u - cb) + (v - cr) * (v - cr));
      float share = softness > 0 ? held((distance - tolerance) / softness) : distance > tolerance;
      // Near the key color, chroma in its direction is spill.
      float along = length > 0 ? (u * cb + v * cr) / length : 0;
      float near = held(1 - (distance - tolerance - softness) / (tolerance + 2 * softness + 1e-6f));
      if (along > 0 && near > 0) {
        u -= cb / length * along * near;
        v -= cr / length * along * near;
        c[0] = l + 1.8556f * u;
        c[2] = l + 1.5748f * v;
        c[1] = (l - 0.2126f * c[2] - 0.0722f * c[0]) / 0.7152f;
      }
      c[3] *= share;
      write_straight(p, c);
    }
  }
}

void scene_mask_bgra(scene_pixels pixels, scene_pixels mask, int by_luminance, int inverted) {
  for (int y = 0; y < pixels.height; y++) {
    uint8_t *p = pixels.bytes + (int64_t)y * pixels.stride;
    const uint8_t *q = mask.bytes + (int64_t)y * mask.stride;
    for (int x = 0; x < pixels.width; x++, p += 4, q += 4) {
      // Premultiplied luminance is luminance times alpha (CSS Masking Level 1).
      int share = by_luminance ? (54 * q[2] + 183 * q[1] + 19 * q[0] + 128) >> 8 : q[3];
      if (inverted) share = 255 - share;
      for (int c = 0; c < 4; c++) {
        int v = p[c] * share + 128;
        p[c] = (uint8_t)((v + (v >> 8)) >> 8);
      }
    }
  }
}

void scene_tint_bgra(scene_pixels pixels, scene_color color) {
  const float alpha = color.alpha;
  float values[4] = {color.blue * alpha, color.green * alpha, color.red * alpha, alpha};
  uint8_t table[256][4];
  for (int a = 0; a < 256; a++)
    for (int c = 0; c < 4; c++) table[a][c] = (uint8_t)(held(values[c]) * (float)a + 0.5f);
  for (int y = 0; y < pixels.height; y++) {
    uint8_t *p = pixels.bytes + (int64_t)y * pixels.stride;
    for (int x = 0; x < pixels.width; x++, p += 4) {
      const uint8_t *to = table[p[3]];
      p[0] = to[0], p[1] = to[1], p[2] = to[2], p[3] = to[3];
    }
  }
}

/// Converts sRGB to linear light (IEC 61966-2-1).
static float to_linear(float s) {
  return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f);
}

static float to_srgb(float l) {
  return l <= 0.0031308f ? l * 12.92f : 1.055f * powf(l, 1 / 2.4f) - 0.055f;
}

void scene_accumulate_linear(scene_pixels in, float *sums) {
  float table[256];
  for (int i = 0; i < 256; i++) table[i] = to_linear((float)i / 255);
  for (int y = 0; y < in.height; y++) {
    const uint8_t *p = in.bytes + (int64_t)y * in.stride;
    float *sum = sums + (int64_t)y * in.width * 4;
    for (int x = 0; x < in.width; x++, p += 4, sum += 4) {
      int a = p[3];
      if (a == 0) continue;
      float share = (float)a / 255;
      for (int c = 0; c < 3; c++) {
        int straight = a == 255 ? p[c] : (p[c] * 255 + a / 2) / a;
        sum[c] += table[straight > 255 ? 255 : straight] * share;
      }
      sum[3] += share;
    }
  }
}

void scene_resolve_linear(const float *sums, int count, scene_pixels out) {
  // Indexing by the square root makes the table finer than an 8-bit step everywhere.
  enum { SIZE = 2048 };
  float table[SIZE + 1];
  for (int i = 0; i <= SIZE; i++) {
    float root = (float)i / SIZE;
    table[i] = to_srgb(root * root);
  }
  for (int y = 0; y < out.height; y++) {
    const float *sum = sums + (int64_t)y * out.width * 4;
    uint8_t *p = out.bytes + (int64_t)y * out.stride;
    for (int x = 0; x < out.width; x++, p += 4, sum += 4) {
      float weight = sum[3];
      float a = weight / (float)count;
      for (int c = 0; c < 3; c++) {
        float linear = weight > 0 ? held(sum[c] / weight) : 0;
        p[c] = (uint8_t)(table[(int)(sqrtf(linear) * SIZE + 0.5f)] * held(a) * 255 + 0.5f);
      }
      p[3] = (uint8_t)(held(a) * 255 + 0.5f);
    }
  }
}

static inline double within(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

/// Returns a pixel index clamped to `0..<count`.
static inline int64_t held_index(double value, int count) {
  return value >= 0 ? (value < count ? (int64_t)value : count - 1) : 0;
}

void scene_extend_bgra(scene_pixels pixels, scene_map to, scene_map back, scene_box limits) {
  for (int y = 0; y < pixels.height; y++) {
    for (int x = 0; x < pixels.width; x++) {
      double u = back.a * (x + 0.5) + back.c * (y + 0.5) + back.e;
      double v = back.b * (x + 0.5) + back.d * (y + 0.5) + back.f;
      double p = within(u, limits.x0, limits.x1), q = within(v, limits.y0, limits.y1);
      if (p == u && q == v) continue;
      int64_t column = held_index(to.a * p + to.c * q + to.e, pixels.width);
      int64_t row = held_index(to.b * p + to.d * q + to.f, pixels.height);
      const uint8_t *from = pixels.bytes + row * pixels.stride + column * 4;
      memcpy(pixels.bytes + (int64_t)y * pixels.stride + x * 4, from, 4);
    }
  }
}
