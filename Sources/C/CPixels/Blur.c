// SPDX-License-Identifier: MIT
// Gaussian blur by three box filters, on 16-bit copies to avoid banding in smooth gradients.
#include "CPixels.h"
#include "Light.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

typedef uint16_t v4h __attribute__((vector_size(8)));
typedef int32_t v4i __attribute__((vector_size(16)));

/// A box filter that covers `radius` whole pixels on each side and the fraction `edge` of the next
/// pixels.
typedef struct {
  int radius;
  float edge;
  float scale;
} Box;

/// Returns the box filter whose three passes have the standard deviation `sigma`.
static Box make_box(double sigma) {
  double variance = sigma * sigma / 3;
  // The largest integer radius whose variance does not exceed the target.
  int r = (int)floor((sqrt(1 + 12 * variance) - 1) / 2);
  double whole = 2.0 * r + 1;
  // The sum of squares over the integer box, then the fraction of the edge pixels that provides the
  // rest.
  double squares = r * (r + 1.0) * (2.0 * r + 1) / 3;
  double next = (r + 1.0) * (r + 1.0);
  double edge = (variance * whole - squares) / (2 * (next - variance));
  if (edge < 0) edge = 0;
  if (edge > 1) edge = 1;
  Box box = {r, (float)edge, (float)(1 / (whole + 2 * edge))};
  return box;
}

static inline v4f load(const uint16_t *p) {
  v4h h;
  memcpy(&h, p, 8);
  return __builtin_convertvector(h, v4f);
}

static inline void store(uint16_t *p, v4f v) {
  v4i i = __builtin_convertvector(v + 0.5f, v4i);
  v4h h = __builtin_convertvector(i, v4h);
  memcpy(p, &h, 8);
}

/// Filters one row of `count` pixels. `from` has `radius + 1` transparent pixels of padding at both
/// ends.
SCENE_FAST static void box_row(const uint16_t *from, uint16_t *to, int count, Box box) {
  v4f sum = {0, 0, 0, 0};
  int r = box.radius;
  for (int i = -r; i <= r; i++) sum += load(from + 4 * i);
  for (int x = 0; x < count; x++) {
    v4f low = load(from + 4 * (x - r - 1));
    v4f high = load(from + 4 * (x + r + 1));
    store(to + 4 * x, (sum + (low + high) * box.edge) * box.scale);
    sum += high - load(from + 4 * (x - r));
  }
}

/// Filters all columns of an image with `width * 4` values per row simultaneously.
SCENE_FAST static void box_columns(
    const uint16_t *from, uint16_t *to, int count, int height, Box box, float *sums) {
  int r = box.radius;
  memset(sums, 0, sizeof(float) * (size_t)count);
  for (int i = 0; i <= r && i < height; i++)
    for (int x = 0; x < count; x++) sums[x] += from[(int64_t)i * count + x];
  static const uint16_t none[1] = {0};
  for (int y = 0; y < height; y++) {
    int a = y - r - 1, b = y + r + 1, c = y - r;
    const uint16_t *low = a >= 0 ? from + (int64_t)a * count : none;
    const uint16_t *high = b < height ? from + (int64_t)b * count : none;
    const uint16_t *leaving = c >= 0 ? from + (int64_t)c * count : none;
    uint16_t *out = to + (int64_t)y * count;
    int la = a >= 0, lb = b < height, lc = c >= 0;
    if (la && lb) {
      for (int x = 0; x < count; x++) {
        float h = high[x];
        out[x] = (uint16_t)((sums[x] + (low[x] + h) * box.edge) * box.scale + 0.5f);
        sums[x] += h - leaving[x];
      }
      continue;
    }
    for (int x = 0; x < count; x++) {
      float h = lb ? high[x] : 0, l = la ? low[x] : 0;
      out[x] = (uint16_t)((sums[x] + (l + h) * box.edge) * box.scale + 0.5f);
      sums[x] += h - (lc ? leaving[x] : 0);
    }
  }
}

/// Blurs 16-bit pixels without row padding. `other` is a buffer of the same size.
static int blur(uint16_t *pixels, uint16_t *other, int width, int height, double sx, double sy) {
  if (sx > 0.01) {
    Box box = make_box(sx);
    int pad = box.radius + 1;
    size_t row = (size_t)(width + 2 * pad) * 4;
    uint16_t *a = calloc(row, 2), *b = calloc(row, 2);
    if (!a || !b) {
      free(a);
      free(b);
      return 0;
    }
    for (int y = 0; y < height; y++) {
      uint16_t *line = pixels + (int64_t)y * width * 4;
      memcpy(a + pad * 4, line, (size_t)width * 8);
      box_row(a + pad * 4, b + pad * 4, width, box);
      box_row(b + pad * 4, a + pad * 4, width, box);
      box_row(a + pad * 4, line, width, box);
    }
    free(a);
    free(b);
  }
  if (sy > 0.01) {
    Box box = make_box(sy);
    float *sums = malloc(sizeof(float) * (size_t)width * 4);
    if (!sums) return 0;
    box_columns(pixels, other, width * 4, height, box, sums);
    box_columns(other, pixels, width * 4, height, box, sums);
    box_columns(pixels, other, width * 4, height, box, sums);
    memcpy(pixels, other, (size_t)width * (size_t)height * 8);
    free(sums);
  }
  return 1;
}

/// Computes means of `fx * fy` pixels, multiplied by 128. Pixels beyond the edges are transparent.
/// `row` has room for a row of `in`.
SCENE_FAST static void shrink(scene_pixels in, scene_blurred out, uint16_t *row) {
  const int width = in.width, height = in.height, w = out.width, fx = out.step_x, fy = out.step_y;
  float scale = 128.0f / (float)(fx * fy);
  for (int y = 0; y < out.height; y++) {
    // Up to 64 rows of 255 fit in 16 bits.
    memset(row, 0, sizeof(uint16_t) * (size_t)width * 4);
    for (int j = 0; j < fy && y * fy + j < height; j++) {
      const uint8_t *line = in.bytes + (int64_t)(y * fy + j) * in.stride;
      for (int x = 0; x < width * 4; x++) row[x] = (uint16_t)(row[x] + line[x]);
    }
    uint16_t *to = out.values + (int64_t)y * w * 4;
    for (int x = 0; x < w; x++) {
      uint32_t sum[4] = {0, 0, 0, 0};
      int last = (x + 1) * fx < width ? (x + 1) * fx : width;
      for (int i = x * fx; i < last; i++)
        for (int c = 0; c < 4; c++) sum[c] += row[i * 4 + c];
      for (int c = 0; c < 4; c++) to[x * 4 + c] = (uint16_t)((float)sum[c] * scale + 0.5f);
    }
  }
}

/// Computes the same means in linear light. `row` has room for a row of `in`.
SCENE_FAST static void shrink_light(scene_pixels in, scene_blurred out, int32_t *row) {
  const light_tables *tables = light();
  const int width = in.width, height = in.height, w = out.width, fx = out.step_x, fy = out.step_y;
  const float scale = 1 / (float)(fx * fy);
  for (int y = 0; y < out.height; y++) {
    memset(row, 0, sizeof(int32_t) * (size_t)width * 4);
    for (int j = 0; j < fy && y * fy + j < height; j++) {
      const uint32_t *line = (const uint32_t *)(in.bytes + (int64_t)(y * fy + j) * in.stride);
      for (int x = 0; x < width; x++) {
        const uint32_t pixel = line[x];
        if (!pixel) continue;
        v4i values, sum;
        if (pixel >= 0xff000000) {
          values = (v4i){tables->light[pixel & 255], tables->light[pixel >> 8 & 255],
                         tables->light[pixel >> 16 & 255], 255 * 128};
        } else {
          values = __builtin_convertvector(to_light(tables, pixel) * 128 + 0.5f, v4i);
        }
        memcpy(&sum, row + 4 * x, 16);
        sum += values;
        memcpy(row + 4 * x, &sum, 16);
      }
    }
    uint16_t *to = out.values + (int64_t)y * w * 4;
    for (int x = 0; x < w; x++) {
      v4i sum = {0, 0, 0, 0}, one;
      int end = (x + 1) * fx < width ? (x + 1) * fx : width;
      for (int i = x * fx; i < end; i++) {
        memcpy(&one, row + 4 * i, 16);
        sum += one;
      }
      store(to + 4 * x, __builtin_convertvector(sum, v4f) * scale);
    }
  }
}

/// Returns the reduction factor before a blur and sets `sigma` to the remaining deviation at
/// reduced size.
static int shrinking(double *sigma) {
  int factor = 1;
  // A coarser copy shows its pixels as facets when it is enlarged.
  while (*sigma / factor > (factor < 4 ? 5 : 10) && factor < 64) factor *= 2;
  if (factor > 1) {
    // Averaging f pixels has the variance (f² - 1) / 12, and linear interpolation f² / 6.
    double f = factor;
    double rest = *sigma * *sigma - (f * f - 1) / 12 - f * f / 6;
    *sigma = sqrt(rest > 0 ? rest : 0) / f;
  }
  return factor;
}

int scene_blur_reduced_bgra(
    scene_pixels pixels, double sigma_x, double sigma_y, scene_blurred *out) {
  const int width = pixels.width, height = pixels.height;
  int fx = shrinking(&sigma_x), fy = shrinking(&sigma_y);
  int w = (width + fx - 1) / fx, h = (height + fy - 1) / fy;
  size_t bytes = (size_t)w * (size_t)h * 8;
  uint16_t *small = malloc(bytes), *other = malloc(bytes);
  void *row = malloc(sizeof(int32_t) * (size_t)width * 4);
  int done = 0;
  if (small && other && row) {
    *out = (scene_blurred){small, w, h, fx, fy, out->x, out->y, out->is_linear};
    if (out->is_linear) {
      shrink_light(pixels, *out, row);
    } else {
      shrink(pixels, *out, row);
    }
    done = blur(small, other, w, h, sigma_x, sigma_y);
  }
  if (!done) free(small);
  free(other);
  free(row);
  return done;
}

int scene_blur_bgra(scene_pixels pixels, double sigma_x, double sigma_y, scene_blurred blurred) {
  if (pixels.width <= 0 || pixels.height <= 0) return 1;
  if (!scene_blur_reduced_bgra(pixels, sigma_x, sigma_y, &blurred)) return 0;
  int done = scene_settle_blurred(blurred, pixels);
  free(blurred.values);
  return done;
}
