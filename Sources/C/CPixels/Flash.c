// SPDX-License-Identifier: MIT
// The reduction of a frame to the cells that are judged for flashes. All results are integers or
// correctly rounded, so they do not depend on the processor.
#include "CPixels.h"
#include <math.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

enum { SIDE = 240, CHANNELS = 4 };

/// The number of columns that are summed at a time, so that the sums stay in registers.
enum { CHUNK = 32 };

/// Writes the sums of the bytes in each of `count` columns.
static SCENE_FAST void add_rows(
    const uint8_t *restrict rows, int64_t stride, int height, uint16_t *restrict sums, int count) {
  int first = 0;
  for (; first + CHUNK <= count; first += CHUNK) {
    uint16_t chunk[CHUNK] = {0};
    for (int y = 0; y < height; y++)
      for (int i = 0; i < CHUNK; i++) chunk[i] += rows[y * stride + first + i];
    memcpy(sums + first, chunk, sizeof chunk);
  }
  for (; first < count; first++) {
    uint16_t sum = 0;
    for (int y = 0; y < height; y++) sum += rows[y * stride + first];
    sums[first] = sum;
  }
}

/// Returns the first pixel of a part if `size` pixels are divided into `count` equal parts.
static inline int edge(int part, int count, int size) {
  return (int)((int64_t)part * size / count);
}

/// A divisor of the sums of a quarter cell: dividing by a multiplication is faster.
typedef struct {
  uint32_t half;
  uint64_t inverse;
} divisor;

enum { SHIFT = 44 };

static divisor divisor_of(uint32_t count) {
  return (divisor){count / 2, count == 0 ? 0 : ((uint64_t)1 << SHIFT) / count + 1};
}

/// Returns the rounded quotient of a sum of up to 257 * 257 bytes and their count. It is exact: the
/// error of `inverse` is less than 1, so that of the product is less than 2^25, and less than
/// 2^SHIFT / count.
static inline uint32_t mean(uint32_t sum, divisor by) {
  return (uint32_t)(((uint64_t)(sum + by.half) * by.inverse) >> SHIFT);
}

/// The sums of the channels of a column of pixels, and of a quarter cell.
typedef uint16_t column_sums __attribute__((vector_size(CHANNELS * sizeof(uint16_t))));
typedef uint32_t quarter_sums __attribute__((vector_size(CHANNELS * sizeof(uint32_t))));

/// Returns the sums of the columns from `first` to `end`.
static inline quarter_sums add_columns(const uint16_t *sums, int first, int end) {
  quarter_sums quarter = {0};
  for (int x = first; x < end; x++) {
    column_sums column;
    memcpy(&column, sums + CHANNELS * x, sizeof column);
    quarter += __builtin_convertvector(column, quarter_sums);
  }
  return quarter;
}

static inline int is_equal(quarter_sums a, quarter_sums b) {
  quarter_sums difference = a ^ b;
  return (difference[0] | difference[1] | difference[2] | difference[3]) == 0;
}

/// The linear light of a row of cells: red, green and blue.
typedef uint32_t cell_light[CHANNELS - 1][SIDE / 2];

/// Adds the linear light of a row of quarter cells to their cells. `edges` are the first pixels of
/// all quarters, followed by the width.
static void add_light(
    const uint16_t *sums, const int *edges, int height, scene_flash_grid grid, cell_light light) {
  if (height == 0) return;
  int parts = 2 * grid.columns, least = edges[parts] / parts;
  // The widths of the quarters differ by at most a pixel.
  divisor divisors[2] = {
      divisor_of((uint32_t)(least * height)), divisor_of((uint32_t)((least + 1) * height))};
  int width = 0;
  quarter_sums quarter = {0};
  uint32_t red = 0, green = 0, blue = 0;
  for (int part = 0; part < parts; part++) {
    int first = edges[part], end = edges[part + 1];
    if (first == end) continue;
    quarter_sums next = add_columns(sums, first, end);
    // Many quarters are equal to the one before: backgrounds are often plain.
    if (end - first != width || !is_equal(next, quarter)) {
      width = end - first;
      quarter = next;
      divisor by = divisors[width - least];
      blue = grid.linear[mean(quarter[0], by)];
      green = grid.linear[mean(quarter[1], by)];
      red = grid.linear[mean(quarter[2], by)];
    }
    light[0][part / 2] += red;
    light[1][part / 2] += green;
    light[2][part / 2] += blue;
  }
}

/// Writes a row of cells from the sums of their four quarters.
static SCENE_FAST void write_cells(
    uint32_t (*restrict light)[SIDE / 2], int count, uint8_t *restrict luminance,
    uint8_t *restrict saturated) {
  const uint32_t whole = 4 * 65535;
  const uint32_t *reds = light[0], *greens = light[1], *blues = light[2];
  for (int x = 0; x < count; x++) {
    uint32_t sum = 2126 * reds[x] + 7152 * greens[x] + 722 * blues[x];
    luminance[x] = (uint8_t)(int)(sqrt((double)sum / (10000.0 * whole)) * 255 + 0.5);
  }
  for (int x = 0; x < count; x++) {
    uint32_t others = greens[x] + blues[x];
    int is_saturated = (reds[x] > others) & (reds[x] >= 4 * others);
    uint32_t value = is_saturated ? reds[x] - others : 0;
    saturated[x] = (uint8_t)((value * 510 + whole) / (2 * whole));
  }
}

int scene_reduce_to_flash_grid(scene_pixels in, scene_flash_grid grid, uint16_t *sums) {
  if (grid.columns < 1 || grid.columns > SIDE / 2 || grid.rows < 1) return 0;
  int parts = 2 * grid.rows, bytes = CHANNELS * in.width;
  cell_light light;
  int edges[SIDE + 1];
  for (int part = 0; part <= 2 * grid.columns; part++)
    edges[part] = edge(part, 2 * grid.columns, in.width);
  for (int part = 0; part < parts; part++) {
    int first = edge(part, parts, in.height), end = edge(part + 1, parts, in.height);
    // Sums of at most 257 bytes fit in 16 bits.
    if (end - first > 257) return 0;
    if (part % 2 == 0) memset(light, 0, sizeof light);
    add_rows(in.bytes + (int64_t)first * in.stride, in.stride, end - first, sums, bytes);
    add_light(sums, edges, end - first, grid, light);
    if (part % 2 == 0) continue;
    int64_t row = (int64_t)(part / 2) * grid.columns;
    write_cells(light, grid.columns, grid.luminance + row, grid.red + row);
  }
  return 1;
}

/// Cells are compared in blocks of this size. Most blocks of most frames are equal.
enum { BLOCK = 64 };

static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

int64_t scene_pack_cells(
    const uint8_t *cells, const uint8_t *predicted, int64_t count, uint8_t *packed) {
  uint8_t *bits = packed, *next = packed + (count + 8 * BLOCK - 1) / (8 * BLOCK);
  memset(bits, 0, (size_t)(next - bits));
  for (int64_t first = 0, block = 0; first < count; first += BLOCK, block++) {
    int64_t size = smaller(BLOCK, count - first);
    if (memcmp(cells + first, predicted + first, (size_t)size) == 0) continue;
    bits[block / 8] |= (uint8_t)(1 << block % 8);
    for (int64_t i = 0; i < size; i++) next[i] = (uint8_t)(cells[first + i] - predicted[first + i]);
    next += size;
  }
  return next - packed;
}

int64_t scene_unpack_cells(
    const uint8_t *packed, int64_t size, uint8_t *cells, int64_t count) {
  int64_t position = (count + 8 * BLOCK - 1) / (8 * BLOCK);
  if (size < position) return -1;
  for (int64_t first = 0, block = 0; first < count; first += BLOCK, block++) {
    if ((packed[block / 8] >> block % 8 & 1) == 0) continue;
    int64_t length = smaller(BLOCK, count - first);
    if (size - position < length) return -1;
    for (int64_t i = 0; i < length; i++) cells[first + i] += packed[position + i];
    position += length;
  }
  return position;
}

SCENE_FAST void scene_extrapolate_cells(const uint8_t *older, uint8_t *cells, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    int16_t next = (int16_t)(2 * cells[i] - older[i]);
    next = next < 0 ? 0 : next;
    cells[i] = (uint8_t)(next > 255 ? 255 : next);
  }
}

/// Returns whether a cell rises; see `scene_track_cells`.
static inline int rises(int32_t amount, int32_t low, int direction, scene_transitions of) {
  return (direction <= 0) & (amount - low >= of.threshold) & (low < of.ceiling);
}

/// Returns whether a cell falls.
static inline int falls(int32_t amount, int32_t high, int direction, scene_transitions of) {
  return (direction >= 0) & (high - amount >= of.threshold) & (amount < of.ceiling);
}

static inline int32_t amount_of(uint8_t value, int is_squared) {
  return is_squared ? value * value : value;
}

/// Returns whether a cell of a block makes a transition.
static SCENE_FAST int turns(
    const uint8_t *restrict values, const int8_t *restrict directions,
    const uint8_t *restrict lows, const uint8_t *restrict highs, scene_transitions of) {
  int any = 0;
  for (int i = 0; i < of.count; i++) {
    int32_t amount = amount_of(values[i], of.is_squared);
    any |= rises(amount, amount_of(lows[i], of.is_squared), directions[i], of)
        | falls(amount, amount_of(highs[i], of.is_squared), directions[i], of);
  }
  return any;
}

static SCENE_FAST void widen(
    const uint8_t *restrict values, uint8_t *restrict lows, uint8_t *restrict highs, int count) {
  for (int i = 0; i < count; i++) {
    lows[i] = values[i] < lows[i] ? values[i] : lows[i];
    highs[i] = values[i] > highs[i] ? values[i] : highs[i];
  }
}

int64_t scene_track_cells(
    const uint8_t *values, const uint8_t *last, const int8_t *directions, uint8_t *ranges,
    scene_transitions of, int32_t *turning) {
  uint8_t *lows = ranges, *highs = ranges + of.count;
  int64_t turned = 0;
  for (int64_t first = 0; first < of.count; first += BLOCK) {
    scene_transitions block = of;
    block.count = smaller(BLOCK, of.count - first);
    // Equal values cannot make a transition.
    if (memcmp(values + first, last + first, (size_t)block.count) == 0) continue;
    if (!turns(values + first, directions + first, lows + first, highs + first, block)) {
      widen(values + first, lows + first, highs + first, (int)block.count);
      continue;
    }
    for (int64_t cell = first; cell < first + block.count; cell++) {
      int32_t amount = amount_of(values[cell], of.is_squared);
      if (rises(amount, amount_of(lows[cell], of.is_squared), directions[cell], of))
        turning[turned++] = (int32_t)cell;
      else if (falls(amount, amount_of(highs[cell], of.is_squared), directions[cell], of))
        turning[turned++] = ~(int32_t)cell;
      else
        widen(values + cell, lows + cell, highs + cell, 1);
    }
  }
  return turned;
}
