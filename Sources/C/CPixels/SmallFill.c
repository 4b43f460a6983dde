// SPDX-License-Identifier: MIT
// Small fills with exact coverage. Signed areas are accumulated along rows, as in the accumulation
// buffer of font rasterizers (R. Levien 2016).
#include "CPixels.h"
#include <math.h>
#include <string.h>

enum { SIDE = 256 };
_Static_assert(
    SCENE_FILL_SCRATCH >= 2 * 4096 * sizeof(double) + SIDE * SIDE * sizeof(float), "too small");

/// The sums of signed areas, by row and column. The first cell is at `left`, `top`.
typedef struct {
  float *cells;
  int columns, rows;
  double left, top;
} Sums;

/// Adds the signed area to the right of an edge, row by row. Coordinates are relative to the first
/// cell.
static void add_edge(const Sums *sums, double x0, double y0, double x1, double y1) {
  if (y0 == y1) return;
  double sign = 1;
  if (y0 > y1) {
    double t = x0;
    x0 = x1, x1 = t;
    t = y0, y0 = y1, y1 = t;
    sign = -1;
  }
  double slope = (x1 - x0) / (y1 - y0);
  int first = (int)y0, end = (int)ceil(y1);
  if (end > sums->rows) end = sums->rows;
  for (int row = first; row < end; row++) {
    double top = y0 > row ? y0 : row, bottom = y1 < row + 1 ? y1 : row + 1;
    double dy = (bottom - top) * sign;
    if (dy == 0) continue;
    double xa = x0 + (top - y0) * slope, xb = x0 + (bottom - y0) * slope;
    double left = xa < xb ? xa : xb, right = xa < xb ? xb : xa;
    float *line = sums->cells + (int64_t)row * sums->columns;
    int column = (int)left;
    if (right <= column + 1) {
      double middle = 0.5 * (left + right) - column;
      line[column] += (float)(dy * (1 - middle));
      line[column + 1] += (float)(dy * middle);
      continue;
    }
    // The edge crosses several pixels. The area to its right is added to each of them.
    double scale = 1 / (right - left), before = 0;
    int last = (int)ceil(right);
    for (int c = column; c < last; c++) {
      double a = left > c ? left : c, b = right < c + 1 ? right : c + 1;
      double covered = (b - a) * scale;
      double middle = 0.5 * (a + b) - c;
      line[c] += (float)(dy * covered * (1 - middle) + before);
      before = dy * covered * middle;
    }
    line[last] += (float)before;
  }
}

/// Blends a color with an opacity of 0 to 255 onto `count` pixels.
static inline void blend(
    uint32_t *line, int count, uint32_t r, uint32_t g, uint32_t b, uint32_t share) {
  if (share == 255) {
    uint32_t color = 0xff000000u | r << 16 | g << 8 | b;
    for (int i = 0; i < count; i++) line[i] = color;
    return;
  }
  // Processes two channels at once, with pixman's division by 255.
  uint32_t rest = 255 - share;
  uint32_t own_rb = (r << 16 | b) * share + 0x800080;
  uint32_t own_ag = (255u << 16 | g) * share + 0x800080;
  for (int i = 0; i < count; i++) {
    uint32_t under = line[i];
    uint32_t rb = (under & 0xff00ff) * rest + own_rb;
    rb = ((rb + ((rb >> 8) & 0xff00ff)) >> 8) & 0xff00ff;
    uint32_t ag = ((under >> 8) & 0xff00ff) * rest + own_ag;
    ag = (ag + ((ag >> 8) & 0xff00ff)) & 0xff00ff00;
    line[i] = rb | ag;
  }
}

static void line_to(const Sums *sums, const double *from, const double *to) {
  add_edge(
      sums, from[0] - sums->left, from[1] - sums->top, to[0] - sums->left, to[1] - sums->top);
}

/// Approximates a curve by lines with an error below 1/150 pixel.
static void curve_to(
    const Sums *sums, const double *a, const double *b, const double *c, const double *d) {
  double ax = a[0] - 2 * b[0] + c[0], ay = a[1] - 2 * b[1] + c[1];
  double bx = b[0] - 2 * c[0] + d[0], by = b[1] - 2 * c[1] + d[1];
  double bend = fmax(ax * ax + ay * ay, bx * bx + by * by);
  // The maximum error of n lines is 6 / 8 of the second difference divided by n².
  int n = (int)ceil(sqrt(sqrt(bend) * 0.75 * 150));
  n = n < 1 ? 1 : n > 64 ? 64 : n;
  double last[2] = {a[0], a[1]};
  for (int i = 1; i <= n; i++) {
    double u = (double)i / n, v = 1 - u;
    double p = v * v * v, q = 3 * v * v * u, r = 3 * v * u * u, s = u * u * u;
    double next[2] = {
        p * a[0] + q * b[0] + r * c[0] + s * d[0], p * a[1] + q * b[1] + r * c[1] + s * d[1]};
    if (i == n) next[0] = d[0], next[1] = d[1];
    line_to(sums, last, next);
    last[0] = next[0], last[1] = next[1];
  }
}

SCENE_FAST int scene_fill_small(
    scene_pixels out, const uint8_t *verbs, const double *points, scene_fill fill, void *scratch) {
  enum { MOST = 4096 };
  const scene_map m = fill.map;
  const int count = fill.point_count, width = out.width, height = out.height;
  double *moved = scratch;
  float *cells = (float *)(moved + 2 * MOST);
  if (count > MOST || count < 1) return count < 1;
  double low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
  for (int i = 0; i < count; i++) {
    double px = points[2 * i], py = points[2 * i + 1];
    double x = m.a * px + m.c * py + m.e, y = m.b * px + m.d * py + m.f;
    moved[2 * i] = x, moved[2 * i + 1] = y;
    low_x = x < low_x ? x : low_x, high_x = x > high_x ? x : high_x;
    low_y = y < low_y ? y : low_y, high_y = y > high_y ? y : high_y;
  }
  if (!(high_x - low_x < SIDE - 4) || !(high_y - low_y < SIDE - 4)) return 0;
  if (high_x <= 0 || high_y <= 0 || low_x >= width || low_y >= height) return 1;
  int left = (int)floor(low_x), top = (int)floor(low_y);
  int columns = (int)ceil(high_x) - left + 2, rows = (int)ceil(high_y) - top;
  memset(cells, 0, sizeof(float) * (size_t)columns * (size_t)rows);
  Sums sums = {cells, columns, rows, left, top};
  const double *at = moved, *end = moved + 2 * count, *start = moved, *pen = moved;
  for (int i = 0; i < fill.verb_count; i++) {
    int needed = verbs[i] == SCENE_CURVE ? 3 : verbs[i] == SCENE_CLOSE ? 0 : 1;
    if (at + 2 * needed > end) return 1;
    switch (verbs[i]) {
    case SCENE_MOVE:
      line_to(&sums, pen, start);
      start = pen = at;
      break;
    case SCENE_LINE:
      line_to(&sums, pen, at);
      pen = at;
      break;
    case SCENE_CURVE:
      curve_to(&sums, pen, at, at + 2, at + 4);
      pen = at + 4;
      break;
    default:
      line_to(&sums, pen, start);
      pen = start;
    }
    at += 2 * needed;
  }
  line_to(&sums, pen, start);
  float scale = fill.color.alpha * 255;
  uint32_t b = (uint32_t)(fill.color.blue * 255 + 0.5f);
  uint32_t g = (uint32_t)(fill.color.green * 255 + 0.5f);
  uint32_t r = (uint32_t)(fill.color.red * 255 + 0.5f);
  for (int row = 0; row < rows; row++) {
    int y = top + row;
    if (y < 0 || y >= height) continue;
    uint32_t *line = (uint32_t *)(out.bytes + (int64_t)y * out.stride);
    const float *cell = cells + (int64_t)row * columns;
    float sum = 0;
    int c = 0;
    while (c < columns) {
      sum += cell[c];
      // The coverage is constant up to the next edge.
      int next = c + 1;
      while (next < columns && cell[next] == 0) next++;
      float cover = sum < 0 ? -sum : sum;
      uint32_t share = (uint32_t)((cover > 1 ? 1 : cover) * scale + 0.5f);
      int from = left + c, to = left + next;
      if (from < 0) from = 0;
      if (to > width) to = width;
      if (share > 0 && from < to) blend(line + from, to - from, r, g, b, share);
      c = next;
    }
  }
  return 1;
}
