// SPDX-License-Identifier: MIT
// Gaussian blur by three box filters, on 16-bit copies to avoid banding in smooth gradients.
#include "CPixels.h"
#include "Dither.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

typedef int32_t v8i __attribute__((vector_size(32)));
typedef uint8_t v8b __attribute__((vector_size(8)));

/// Interpolates a row at full size bilinearly. `values` receives the channels multiplied by 2^15,
/// with room for a step more than the row at both ends. `row` has room for two pixels more than a
/// row of `in`, whose `step_x` is 1 or even.
SCENE_FAST static void grow_row(scene_blurred in, int y, int32_t *row, int32_t *values) {
  const int w = in.width, h = in.height, fx = in.step_x, fy = in.step_y;
  // The position between the centers of two reduced rows, in 1/256.
  int at = ((2 * y + 1) * 128) / fy - 128;
  int j = at >> 8, v = at & 255;
  const uint16_t *a = in.values + (int64_t)(j < 0 ? 0 : j) * w * 4;
  const uint16_t *b = in.values + (int64_t)(j + 1 >= h ? h - 1 : j + 1) * w * 4;
  if (fx == 1) {
    for (int x = 0; x < w * 4; x++) values[x] = a[x] * (256 - v) + b[x] * v;
    return;
  }
  int32_t *line = row + 4;
  for (int x = 0; x < w * 4; x++) line[x] = (a[x] * (256 - v) + b[x] * v + 128) >> 8;
  memcpy(row, line, 16);
  memcpy(line + w * 4, line + (w - 1) * 4, 16);
  // Between the centers of pixels i - 1 and i are fx pixels, half of which belong to pixel i - 1.
  for (int i = 0; i <= w; i++) {
    const int32_t *c = row + 4 * i;
    v8i from = {c[0], c[1], c[2], c[3], c[0], c[1], c[2], c[3]};
    v8i to = {c[4], c[5], c[6], c[7], c[4], c[5], c[6], c[7]};
    v8i way = to - from;
    from *= 256;
    int32_t *out = values + 4 * (i * fx - fx / 2);
    for (int k = 0; k < fx; k += 2) {
      int u = ((2 * k + 1) * 128) / fx, n = ((2 * k + 3) * 128) / fx;
      v8i share = {u, u, u, u, n, n, n, n};
      v8i both = from + way * share;
      memcpy(out + 4 * k, &both, 32);
    }
  }
}

/// Returns the memory for `grow_row`, of which `values` points to the first value of the row.
static int32_t *grow_memory(scene_blurred in, int32_t **values) {
  size_t row = (size_t)(in.width + 2) * 4, all = (size_t)(in.width + 2) * (size_t)in.step_x * 4;
  int32_t *memory = malloc(sizeof(int32_t) * (row + all));
  if (memory) *values = memory + row + 4 * in.step_x;
  return memory;
}

SCENE_FAST static void settle_row(
    const int32_t *values, uint32_t *to, int count, int is_dithered, int x, int y) {
  const uint8_t *pattern = bayer[y & 7];
  int i = 0;
  for (; i + 2 <= count; i += 2) {
    // Half a step of dither, as for gradients.
    int p = 1 << 14, q = 1 << 14;
    if (is_dithered) p = (33 + pattern[(x + i) & 7]) << 8, q = (33 + pattern[(x + i + 1) & 7]) << 8;
    v8i threshold = {p, p, p, p, q, q, q, q}, both;
    memcpy(&both, values + 4 * i, 32);
    v8b bytes = __builtin_convertvector((both + threshold) >> 15, v8b);
    memcpy(to + i, &bytes, 8);
  }
  for (; i < count; i++) {
    int threshold = is_dithered ? (33 + pattern[(x + i) & 7]) << 8 : 1 << 14;
    uint8_t *out = (uint8_t *)(to + i);
    for (int c = 0; c < 4; c++) out[c] = (uint8_t)((values[4 * i + c] + threshold) >> 15);
  }
}

static inline __attribute__((always_inline)) void over_pixel(
    const int32_t *values, uint32_t *to, float share, uint8_t entry) {
  v4i value;
  memcpy(&value, values, 16);
  if (!value[3]) return;
  v4f color = __builtin_convertvector(value, v4f) * share;
  color += unpack(*to) * (1 - color[3] / 255);
  *to = pack(color, threshold(entry));
}

SCENE_FAST static void over_row(
    const int32_t *values, uint32_t *to, int count, float share, int x, int y) {
  const uint8_t *pattern = bayer[y & 7];
  const int opaque = 255 << 15;
  int is_whole = share * 32768 == 1, i = 0;
  for (; i + 2 <= count; i += 2) {
    v8i both;
    memcpy(&both, values + 4 * i, 32);
    if (is_whole && both[3] >= opaque && both[7] >= opaque) {
      // The same sums as below, in integers.
      int p = (65 + 2 * pattern[(x + i) & 7]) << 7, q = (65 + 2 * pattern[(x + i + 1) & 7]) << 7;
      v8i threshold = {p, p, p, p, q, q, q, q};
      v8b bytes = __builtin_convertvector((both + threshold) >> 15, v8b);
      memcpy(to + i, &bytes, 8);
      continue;
    }
    over_pixel(values + 4 * i, to + i, share, pattern[(x + i) & 7]);
    over_pixel(values + 4 * i + 4, to + i + 1, share, pattern[(x + i + 1) & 7]);
  }
  for (; i < count; i++) over_pixel(values + 4 * i, to + i, share, pattern[(x + i) & 7]);
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
    scene_pixels pixels, double sigma_x, double sigma_y, int x, int y, scene_blurred *out) {
  const int width = pixels.width, height = pixels.height;
  int fx = shrinking(&sigma_x), fy = shrinking(&sigma_y);
  int w = (width + fx - 1) / fx, h = (height + fy - 1) / fy;
  size_t bytes = (size_t)w * (size_t)h * 8;
  uint16_t *small = malloc(bytes), *other = malloc(bytes);
  void *row = malloc(sizeof(uint16_t) * (size_t)width * 4);
  int done = 0;
  if (small && other && row) {
    *out = (scene_blurred){small, w, h, fx, fy, x, y};
    shrink(pixels, *out, row);
    done = blur(small, other, w, h, sigma_x, sigma_y);
  }
  if (!done) free(small);
  free(other);
  free(row);
  return done;
}

int scene_settle_blurred(scene_blurred in, scene_pixels out) {
  int32_t *values, *row = grow_memory(in, &values);
  if (!row) return 0;
  // Small blurs are too steep to show bands.
  int is_dithered = in.step_x > 1 || in.step_y > 1;
  for (int j = 0; j < out.height; j++) {
    grow_row(in, j, row, values);
    settle_row(
        values, (uint32_t *)(out.bytes + (int64_t)j * out.stride), out.width, is_dithered, in.x,
        in.y + j);
  }
  free(row);
  return 1;
}

int scene_over_blurred_bgra(
    scene_pixels target, scene_blurred in, int left, int top, float opacity) {
  int32_t *values, *row = grow_memory(in, &values);
  if (!row) return 0;
  for (int j = 0; j < target.height; j++) {
    grow_row(in, top + j, row, values);
    over_row(
        values + 4 * left, (uint32_t *)(target.bytes + (int64_t)j * target.stride), target.width,
        opacity / 32768, in.x + left, in.y + top + j);
  }
  free(row);
  return 1;
}

int scene_blur_bgra(scene_pixels pixels, double sigma_x, double sigma_y, int x, int y) {
  if (pixels.width <= 0 || pixels.height <= 0) return 1;
  scene_blurred blurred;
  if (!scene_blur_reduced_bgra(pixels, sigma_x, sigma_y, x, y, &blurred)) return 0;
  int done = scene_settle_blurred(blurred, pixels);
  free(blurred.values);
  return done;
}
