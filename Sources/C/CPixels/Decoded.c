// SPDX-License-Identifier: MIT
// Conversion of decoded video frames to pixels. Chroma is interpolated at each pixel in 1/16 steps
// with integer arithmetic, so the result does not depend on the processor.
#include "CPixels.h"
#include "HighRange.h"

enum { SHIFT = 20, PAD = 16 };

#define INLINE static inline __attribute__((always_inline))

/// Computes the weighted mean of two rows of samples. The weights sum to four, and `wa` is that of
/// the first row. The first and last samples are repeated as padding.
INLINE void blend_rows(
    const uint8_t *a, const uint8_t *b, int wa, int deep, int count, int16_t *restrict out) {
  const int wb = 4 - wa;
  if (deep) {
    const uint16_t *p = (const uint16_t *)a, *q = (const uint16_t *)b;
    for (int x = 0; x < count; x++) out[x] = (int16_t)((p[x] & 1023) * wa + (q[x] & 1023) * wb);
  } else {
    for (int x = 0; x < count; x++) out[x] = (int16_t)(a[x] * wa + b[x] * wb);
  }
  out[-1] = out[0];
  out[count] = out[count - 1];
}

/// Interpolates one row of chroma at each pixel, in 1/16 steps.
INLINE void chroma_row(const scene_decoded *in, int plane, int row, int16_t *half,
    int16_t *restrict out) {
  int columns = in->halves_columns ? (in->width + 1) / 2 : in->width;
  int rows = in->halves_rows ? (in->height + 1) / 2 : in->height;
  int near = in->halves_rows ? row / 2 : row;
  int other = near, weight = 4;
  if (in->halves_rows && in->siting == SCENE_TOP_LEFT) {
    if (row & 1) other = near + 1, weight = 2;
  } else if (in->halves_rows) {
    other = row & 1 ? near + 1 : near - 1;
    weight = 3;
  }
  if (other < 0) other = 0;
  if (other >= rows) other = rows - 1;
  const uint8_t *samples = in->planes[plane];
  blend_rows(
      samples + (int64_t)near * in->strides[plane], samples + (int64_t)other * in->strides[plane],
      weight, in->depth > 8, columns, half);
  // Hides the pointers from the optimizer, which would otherwise carry samples between iterations
  // and prevent vectorization.
  const int16_t *before = half - 1, *after = half + 1;
  __asm__("" : "+r"(before), "+r"(after) : : "memory");
  if (!in->halves_columns) {
    for (int x = 0; x < columns; x++) out[x] = (int16_t)(half[x] * 4);
  } else if (in->siting == SCENE_CENTER) {
    for (int x = 0; x < columns; x++) {
      out[2 * x] = (int16_t)(before[x] + 3 * half[x]);
      out[2 * x + 1] = (int16_t)(after[x] + 3 * half[x]);
    }
  } else {
    for (int x = 0; x < columns; x++) {
      out[2 * x] = (int16_t)(half[x] * 4);
      out[2 * x + 1] = (int16_t)((half[x] + after[x]) * 2);
    }
  }
}

INLINE uint32_t clamped(int32_t value) {
  value >>= SHIFT;
  value = value < 0 ? 0 : value;
  return (uint32_t)(value > 255 ? 255 : value);
}

INLINE uint32_t pixel(const scene_decoded *in, int y, int u, int v) {
  int32_t luma = (y - in->black) * in->luma + (1 << (SHIFT - 1));
  uint32_t r = clamped(luma + in->red_v * v);
  uint32_t g = clamped(luma - in->green_u * u - in->green_v * v);
  uint32_t b = clamped(luma + in->blue_u * u);
  return 0xff000000u | r << 16 | g << 8 | b;
}

INLINE uint32_t scaled(uint32_t value, uint32_t alpha) {
  uint32_t product = value * alpha + 128;
  return (product + (product >> 8)) >> 8;
}

INLINE uint32_t clamped_to_alpha(uint32_t p, uint32_t a) {
  uint32_t r = p >> 16 & 255, g = p >> 8 & 255, b = p & 255;
  return a << 24 | (r < a ? r : a) << 16 | (g < a ? g : a) << 8 | (b < a ? b : a);
}

INLINE uint32_t *pixel_row(scene_pixels pixels, int row) {
  return (uint32_t *)(pixels.bytes + (int64_t)row * pixels.stride);
}

void scene_clamp_to_alpha_bgra(scene_pixels pixels) {
  for (int row = 0; row < pixels.height; row++) {
    uint32_t *line = pixel_row(pixels, row);
    for (int x = 0; x < pixels.width; x++) line[x] = clamped_to_alpha(line[x], line[x] >> 24);
  }
}

void scene_make_opaque_bgra(scene_pixels pixels) {
  for (int row = 0; row < pixels.height; row++) {
    uint32_t *line = pixel_row(pixels, row);
    for (int x = 0; x < pixels.width; x++) line[x] |= 0xff000000u;
  }
}

/// Applies the alpha of a row.
INLINE void alpha_row(const scene_decoded *in, int row, uint32_t *out) {
  const uint8_t *alpha = in->planes[3] + (int64_t)row * in->strides[3];
  for (int x = 0; x < in->width; x++) {
    uint32_t a =
        in->depth > 8 ? ((((const uint16_t *)alpha)[x] & 1023u) * 255 + 511) / 1023 : alpha[x];
    uint32_t p = out[x];
    if (in->is_premultiplied) {
      out[x] = clamped_to_alpha(p, a);
      continue;
    }
    out[x] = a << 24 | scaled(p >> 16 & 255, a) << 16 | scaled(p >> 8 & 255, a) << 8
        | scaled(p & 255, a);
  }
}

/// Widens 8-bit or 10-bit samples to 16 bits.
INLINE void widen_row(const uint8_t *samples, int depth, int width, int16_t *restrict out) {
  if (depth > 8)
    for (int x = 0; x < width; x++) out[x] = (int16_t)(((const uint16_t *)samples)[x] & 1023);
  else
    for (int x = 0; x < width; x++) out[x] = samples[x];
}

/// Converts a frame of high dynamic range; see `scene_decoded_to_bgra`.
static void mapped_to_bgra(const scene_decoded *in, scene_pixels pixels) {
  int16_t halves[SCENE_DECODED_SIDE + 2 * PAD], us[SCENE_DECODED_SIDE + PAD], vs[SCENE_DECODED_SIDE + PAD];
  int16_t ys[SCENE_DECODED_SIDE];
  scene_light light;
  scene_light_make(&light, in->transfer, in->peak);
  int16_t middle = (int16_t)(1 << (in->depth - 1 + 4));
  for (int row = 0; row < in->height; row++) {
    uint32_t *out = pixel_row(pixels, row);
    chroma_row(in, 1, row, halves + PAD, us);
    chroma_row(in, 2, row, halves + PAD, vs);
    for (int x = 0; x < in->width; x++) us[x] -= middle, vs[x] -= middle;
    widen_row(in->planes[0] + (int64_t)row * in->strides[0], in->depth, in->width, ys);
    scene_light_row(&light, in, ys, us, vs, out);
    if (in->planes[3]) alpha_row(in, row, out);
  }
}

SCENE_FAST static void plain_to_bgra(const scene_decoded *in, scene_pixels pixels) {
  int16_t halves[SCENE_DECODED_SIDE + 2 * PAD], us[SCENE_DECODED_SIDE + PAD], vs[SCENE_DECODED_SIDE + PAD];
  const scene_decoded copy = *in;
  int middle = 1 << (copy.depth - 1 + 4);
  for (int row = 0; row < copy.height; row++) {
    uint32_t *out = pixel_row(pixels, row);
    chroma_row(&copy, 1, row, halves + PAD, us);
    chroma_row(&copy, 2, row, halves + PAD, vs);
    const uint8_t *luma = copy.planes[0] + (int64_t)row * copy.strides[0];
    if (copy.depth > 8) {
      const uint16_t *deep = (const uint16_t *)luma;
      for (int x = 0; x < copy.width; x++)
        out[x] = pixel(&copy, deep[x] & 1023, us[x] - middle, vs[x] - middle);
    } else {
      for (int x = 0; x < copy.width; x++)
        out[x] = pixel(&copy, luma[x], us[x] - middle, vs[x] - middle);
    }
    if (copy.planes[3]) alpha_row(&copy, row, out);
  }
}

void scene_decoded_to_bgra(const scene_decoded *in, scene_pixels out) {
  (in->transfer == SCENE_STANDARD ? plain_to_bgra : mapped_to_bgra)(in, out);
}

void scene_turn_bgra(scene_pixels in, scene_pixels out, int quarter_turns, int mirrored) {
  enum { TILE = 16 };
  int swaps = quarter_turns & 1;
  int w = swaps ? in.height : in.width, h = swaps ? in.width : in.height;
  // The source of the first output pixel, and the source offsets for one pixel to the right and one
  // down.
  int from_right = (quarter_turns == 2 || quarter_turns == 3) != !!mirrored;
  int from_below = quarter_turns == 1 || quarter_turns == 2;
  int64_t x_step = from_right ? -4 : 4, y_step = from_below ? -in.stride : in.stride;
  const uint8_t *first = in.bytes + (from_right ? (in.width - 1) * 4 : 0)
      + (from_below ? (int64_t)(in.height - 1) * in.stride : 0);
  int64_t right = swaps ? y_step : x_step, down = swaps ? x_step : y_step;
  for (int top = 0; top < h; top += TILE)
    for (int left = 0; left < w; left += TILE)
      for (int y = top; y < top + TILE && y < h; y++) {
        uint32_t *to = pixel_row(out, y);
        for (int x = left; x < left + TILE && x < w; x++)
          to[x] = *(const uint32_t *)(first + x * right + y * down);
      }
}
