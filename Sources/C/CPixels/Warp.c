// SPDX-License-Identifier: MIT
// Images on planes that the eye sees at an angle.
#include "CPixels.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

typedef uint8_t v4b __attribute__((vector_size(4)));
typedef int32_t v4i __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));

/// The maximum number of probes along the longer axis of a pixel's footprint, the maximum number of
/// levels, and the number of pixels in a block. Sixteen probes would gain less than 1.5 dB.
enum { MOST_PROBES = 8, MOST_LEVELS = 14, BLOCK = 16 };

typedef struct {
  scene_pixels levels[MOST_LEVELS];
  int count;
} pyramid;

/// The footprint of a device pixel in pixels of the image.
typedef struct {
  /// The distance between two probes.
  double step_x, step_y;
  int probes;
  int level;
  /// The weight of the next level.
  float share;
} footprint;

typedef float v8f __attribute__((vector_size(32)));

static inline int clamp(int x, int most) { return x < 0 ? 0 : x > most ? most : x; }

/// Returns the channels of two neighboring pixels.
static inline __attribute__((always_inline)) v8f both(const uint8_t *pixels) {
  typedef uint8_t v8b __attribute__((vector_size(8)));
  v8b bytes;
  memcpy(&bytes, pixels, 8);
  return __builtin_convertvector(bytes, v8f);
}

/// Returns the channels of two pixels.
static inline __attribute__((always_inline)) v8f pair(const uint8_t *left, const uint8_t *right) {
  typedef uint8_t v8b __attribute__((vector_size(8)));
  v8b bytes;
  memcpy(&bytes, left, 4);
  memcpy((uint8_t *)&bytes + 4, right, 4);
  return __builtin_convertvector(bytes, v8f);
}

/// Returns the footprint of the pixels around a point of the device.
static inline __attribute__((always_inline)) footprint footprint_at(scene_projection m, double px, double py, int levels) {
  double w = m.g * px + m.h * py + m.i;
  double u = (m.a * px + m.c * py + m.e) / w, v = (m.b * px + m.d * py + m.f) / w;
  double ux = (m.a - m.g * u) / w, vx = (m.b - m.g * v) / w;
  double uy = (m.c - m.h * u) / w, vy = (m.d - m.h * v) / w;
  // The axes of the ellipse to which the map transforms a circle.
  double p = ux * ux + uy * uy, q = ux * vx + uy * vy, r = vx * vx + vy * vy;
  double mean = (p + r) / 2, half = (p - r) / 2;
  double root = sqrt(half * half + q * q);
  double major = sqrt(mean + root), minor = sqrt(mean - root > 0 ? mean - root : 0);
  footprint f = {0, 0, 1, 0, 0};
  double least = minor > 1 ? minor : 1;
  if (!(major > least)) major = least;
  double count = ceil(major / least - 0.05);
  f.probes = count > MOST_PROBES ? MOST_PROBES : count < 1 ? 1 : (int)count;
  double width = major / f.probes;
  if (width < least) width = least;
  if (f.probes > 1) {
    // The direction of the longer axis.
    double ax = half + root, ay = q;
    if (ax * ax + ay * ay < 1e-18) { ax = q; ay = root - half; }
    double length = sqrt(ax * ax + ay * ay);
    if (length > 0) {
      f.step_x = ax / length * major / f.probes;
      f.step_y = ay / length * major / f.probes;
    }
  }
  int level = 0;
  while (width >= 2 && level < levels - 1) {
    width /= 2;
    level++;
  }
  f.level = level;
  // A bilinear sample alone is sharp enough for slightly smaller pixels, and half as expensive.
  double sharp = 1.1;
  f.share = level < levels - 1 && width > sharp ? (float)((width - sharp) / (2 - sharp)) : 0;
  return f;
}

/// A block of pixels in one row.
typedef struct {
  uint32_t *line;
  int count;
  /// The positions of the first probe of each pixel in the image.
  double u[BLOCK], v[BLOCK];
} block;

/// The offset of a probe from the first one, and the size of the image relative to the finest level.
typedef struct {
  double x, y, scale;
} probe;

/// Adds one sample for each pixel of a block, between the pixels of an image, with channels in
/// 0...255. Edge pixels are repeated unless all samples are inside.
///
/// `probe` maps the coordinates of the block to those of the image.
static inline __attribute__((always_inline)) void add_samples(
    v4f *sums, const block *b, const scene_pixels *image, probe probe, int is_inside) {
  int xs[BLOCK], ys[BLOCK];
  float fx[BLOCK], fy[BLOCK];
  double most_x = image->width + 2.0, most_y = image->height + 2.0;
  for (int i = 0; i < BLOCK; i++) {
    double u = (b->u[i] + probe.x) * probe.scale, v = (b->v[i] + probe.y) * probe.scale;
    if (!is_inside) {
      u = u > -2 ? u : -2;
      v = v > -2 ? v : -2;
      u = u < most_x ? u : most_x;
      v = v < most_y ? v : most_y;
    }
    // The center of the first pixel is at 0.5. With the added number, truncation is a floor.
    int x = (int)(u + 65535.5), y = (int)(v + 65535.5);
    fx[i] = (float)(u + 65535.5 - x);
    fy[i] = (float)(v + 65535.5 - y);
    xs[i] = x - 65536;
    ys[i] = y - 65536;
  }
  for (int i = 0; i < b->count; i++) {
    int x = xs[i], y = ys[i];
    v8f upper, lower;
    if (is_inside) {
      const uint8_t *a = image->bytes + (int64_t)y * image->stride + x * 4;
      upper = both(a);
      lower = both(a + image->stride);
    } else {
      int x0 = clamp(x, image->width - 1) * 4, x1 = clamp(x + 1, image->width - 1) * 4;
      const uint8_t *p = image->bytes + (int64_t)clamp(y, image->height - 1) * image->stride;
      const uint8_t *q = image->bytes + (int64_t)clamp(y + 1, image->height - 1) * image->stride;
      upper = pair(p + x0, p + x1);
      lower = pair(q + x0, q + x1);
    }
    v8f mixed = upper + (lower - upper) * fy[i];
    v4f left = __builtin_shufflevector(mixed, mixed, 0, 1, 2, 3);
    v4f right = __builtin_shufflevector(mixed, mixed, 4, 5, 6, 7);
    sums[i] += left + (right - left) * fx[i];
  }
}

static inline __attribute__((always_inline)) void fill(
    const block *b, const pyramid *image, footprint f, int is_inside) {
  v4f sums[BLOCK] = {{0}}, next[BLOCK] = {{0}};
  double scale = 1.0 / (1 << f.level);
  const scene_pixels *level = &image->levels[f.level];
  for (int k = 0; k < f.probes; k++) {
    probe at = {k * f.step_x, k * f.step_y, scale};
    add_samples(sums, b, level, at, is_inside);
    at.scale /= 2;
    if (f.share > 0) add_samples(next, b, level + 1, at, is_inside);
  }
  float whole = 1.0f / (float)f.probes;
  for (int i = 0; i < b->count; i++) {
    v4f sum = f.share > 0 ? sums[i] + (next[i] - sums[i]) * f.share : sums[i];
    v4b c = __builtin_convertvector(__builtin_convertvector(sum * whole + 0.5f, v4i), v4b);
    memcpy(b->line + i, &c, 4);
  }
}

/// Returns whether all samples are inside the image, at its level and at the coarser one.
static inline int lies_inside(const block *b, const pyramid *image, footprint f) {
  double edge = 4 << f.level;
  double more_x = f.step_x * (f.probes - 1), more_y = f.step_y * (f.probes - 1);
  double right = image->levels[0].width - edge, bottom = image->levels[0].height - edge;
  // Along a line, the projection is monotonic.
  for (int end = 0; end < 2; end++) {
    double u = b->u[end ? b->count - 1 : 0], v = b->v[end ? b->count - 1 : 0];
    double s = u + more_x, t = v + more_y;
    if (!(u > edge && v > edge && s > edge && t > edge)) return 0;
    if (!(u < right && v < bottom && s < right && t < bottom)) return 0;
  }
  return 1;
}

static inline __attribute__((always_inline)) void draw_block(
    block *b, const pyramid *image, footprint f, scene_projection m, double px, double py) {
  double left = -0.5 * (f.probes - 1);
  for (int i = 0; i < BLOCK; i++) {
    // Lanes after the end of the row repeat the last position; their results are not used.
    double x = px + (i < b->count ? i : b->count - 1), w = m.g * x + m.h * py + m.i;
    b->u[i] = (m.a * x + m.c * py + m.e) / w + left * f.step_x;
    b->v[i] = (m.b * x + m.d * py + m.f) / w + left * f.step_y;
  }
  if (!lies_inside(b, image, f)) return fill(b, image, f, 0);
  if (f.probes == 1 && f.share == 0) {
    // The usual case for an image that is not reduced: a single sample.
    footprint sharp = {0, 0, 1, f.level, 0};
    return fill(b, image, sharp, 1);
  }
  fill(b, image, f, 1);
}

SCENE_FAST static void draw(
    scene_pixels out, int x0, int y0, const pyramid *image, scene_projection m) {
  for (int row = 0; row < out.height; row++) {
    uint32_t *line = (uint32_t *)(out.bytes + (int64_t)row * out.stride);
    double py = y0 + row + 0.5;
    for (int i = 0; i < out.width; i += BLOCK) {
      int count = out.width - i < BLOCK ? out.width - i : BLOCK;
      double px = x0 + i + 0.5;
      // Near the vanishing line, the image is only one color.
      double first = m.g * px + m.h * py + m.i, last = first + m.g * (count - 1);
      if (!(first > 0 && last > 0)) {
        memset(line + i, 0, (size_t)count * 4);
        continue;
      }
      footprint f = footprint_at(m, px + 0.5 * (count - 1), py, image->count);
      block b = {.line = line + i, .count = count};
      draw_block(&b, image, f, m, px, py);
    }
  }
}

int scene_warp_bgra(scene_pixels out, int x, int y, scene_pixels image, scene_projection inverse) {
  pyramid whole = {.levels = {image}, .count = 1};
  int64_t size = 0;
  int w = image.width, h = image.height;
  for (int k = 1; k < MOST_LEVELS && w > 1 && h > 1; k++) {
    w /= 2;
    h /= 2;
    size += (int64_t)w * h * 4;
    whole.count++;
  }
  // Only the levels that the farthest corner needs.
  int needed = 0;
  for (int corner = 0; corner < 4; corner++) {
    double px = x + (corner & 1 ? out.width - 0.5 : 0.5);
    double py = y + (corner & 2 ? out.height - 0.5 : 0.5);
    int isVisible = inverse.g * px + inverse.h * py + inverse.i > 0;
    int level = isVisible ? footprint_at(inverse, px, py, whole.count).level + 2 : whole.count;
    if (level > needed) needed = level;
  }
  if (needed < whole.count) whole.count = needed;
  uint8_t *memory = NULL;
  if (whole.count > 1) {
    memory = malloc((size_t)size);
    if (!memory) return 0;
  }
  uint8_t *next = memory;
  for (int k = 1; k < whole.count; k++) {
    scene_pixels *level = &whole.levels[k], *above = level - 1;
    *level = (scene_pixels){next, above->width / 2 * 4, above->width / 2, above->height / 2};
    scene_halve_bgra(*above, *level);
    next += (int64_t)level->stride * level->height;
  }
  draw(out, x, y, &whole, inverse);
  free(memory);
  return 1;
}
