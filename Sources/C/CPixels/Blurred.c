// SPDX-License-Identifier: MIT
// Blurred images at full size, and the composition of layers with more than 8 bits.
#include "CPixels.h"
#include "Blend.h"
#include <stdlib.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

typedef int32_t v4i __attribute__((vector_size(16)));
typedef int32_t v8i __attribute__((vector_size(32)));
typedef uint8_t v8b __attribute__((vector_size(8)));

/// Interpolates a row at full size bilinearly. `values` receives the channels multiplied by 2^15;
/// it has room for `step_x` additional pixels at both ends. `row` has room for one additional
/// reduced pixel at both ends. The shares are exact because the steps are powers of two.
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
  // The share of pixel i, in 1/256, is u at the first one and grows by 2u with each of them. Two
  // pixels are computed at once.
  const int u = 128 / fx;
  const v8i shares = {u, u, u, u, 3 * u, 3 * u, 3 * u, 3 * u};
  for (int i = 0; i <= w; i++) {
    const int32_t *c = row + 4 * i;
    v8i from = {c[0], c[1], c[2], c[3], c[0], c[1], c[2], c[3]};
    v8i to = {c[4], c[5], c[6], c[7], c[4], c[5], c[6], c[7]};
    v8i way = to - from, both = from * 256 + way * shares, step = way * (4 * u);
    int32_t *out = values + 4 * (i * fx - fx / 2);
    for (int k = 0; k < fx; k += 2) {
      memcpy(out + 4 * k, &both, 32);
      both += step;
    }
  }
}

/// Returns the memory for `grow_row`; `values` points to the first value of the row.
static int32_t *grow_memory(scene_blurred in, int32_t **values) {
  size_t row = (size_t)(in.width + 2) * 4, all = (size_t)(in.width + 2) * (size_t)in.step_x * 4;
  int32_t *memory = malloc(sizeof(int32_t) * (row + all));
  if (memory) *values = memory + row + 4 * in.step_x;
  return memory;
}

INLINE v4f loaded(const int32_t *values) {
  v4i value;
  memcpy(&value, values, 16);
  return __builtin_convertvector(value, v4f);
}

/// Returns whether all channels of a pixel are whole 8-bit values, as in areas of one color, where
/// dithering would add noise.
INLINE int is_whole(const int32_t *values) {
  return !((values[0] | values[1] | values[2] | values[3]) & 0x7fff);
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

SCENE_FAST static void settle_light_row(
    const int32_t *values, uint32_t *to, int count, int is_dithered, int x, int y) {
  const light_tables *tables = light();
  const uint8_t *pattern = bayer[y & 7];
  for (int i = 0; i < count; i++) {
    int threshold = is_dithered ? 33 + pattern[(x + i) & 7] : 64;
    to[i] = from_light(tables, loaded(values + 4 * i) * (1.0f / 32768), threshold);
  }
}

int scene_settle_blurred(scene_blurred in, scene_pixels out) {
  int32_t *values, *row = grow_memory(in, &values);
  if (!row) return 0;
  // Small blurs are too steep to show bands.
  int is_dithered = in.step_x > 1 || in.step_y > 1;
  for (int j = 0; j < out.height; j++) {
    grow_row(in, j, row, values);
    uint32_t *to = (uint32_t *)(out.bytes + (int64_t)j * out.stride);
    if (in.is_linear) {
      settle_light_row(values, to, out.width, is_dithered, in.x, in.y + j);
    } else {
      settle_row(values, to, out.width, is_dithered, in.x, in.y + j);
    }
  }
  free(row);
  return 1;
}

/// Lookup tables from an 8-bit channel to its contribution in linear light: of a layer's opaque
/// pixels, and of the pixels below them. `alpha` is the alpha of the pixels below, and `is_opaque`
/// whether the results are opaque.
typedef struct {
  uint16_t own[256], below[256];
  int alpha, is_opaque;
} layer_shares;

/// The parameters of the loop over a row of a layer. All pointers refer to the first pixel that is
/// composited.
typedef struct {
  const scene_layered *layer;
  /// The blurred image, or `NULL`, and its neighboring row if it is linear.
  const int32_t *values, *near;
  const uint32_t *own;
  const uint8_t *mask;
  /// The premultiplied tint, with channels in 0...1.
  v4f tint;
  const light_tables *light;
  /// The tables for `composite_shares`, or `NULL`.
  const layer_shares *shares;
  float share;
} layer_row;

/// Returns whether the pixel `i` of a row is in an area of one color. In linear light, its channels
/// are not whole numbers, but equal to those of its neighbors.
INLINE int is_flat(const layer_row r, int i, int count) {
  const int32_t *own = r.values + 4 * i;
  if (!r.near) return is_whole(own);
  const int32_t *beside = i > 0 ? own - 4 : count > 1 ? own + 4 : own;
  return !memcmp(own, r.near + 4 * i, 16) && !memcmp(own, beside, 16);
}

INLINE float masked(const scene_layered *layer, const uint8_t *mask) {
  // Premultiplied luminance is luminance times alpha (CSS Masking Level 1).
  float share = layer->by_luminance
                    ? (float)(54 * mask[2] + 183 * mask[1] + 19 * mask[0]) * (1.0f / 65280)
                    : (float)mask[3] * (1.0f / 255);
  return layer->is_inverted ? 1 - share : share;
}

INLINE void composite(const layer_row r, uint32_t *to, int count, int x, int y) {
  const scene_layered *layer = r.layer;
  const uint8_t *pattern = bayer[y & 7];
  const int mode = layer->mode, is_opaque = layer->is_opaque;
  const int copies = r.own && r.share == 1 && mode == SCENE_BLEND_NORMAL && !r.mask;
  // Areas of one color are computed once.
  uint32_t known_own = 0, known_below = 0, known = 0;
  int is_known = 0;
  for (int i = 0; i < count; i++) {
    uint32_t own = r.own ? r.own[i] : 0;
    if (copies && own >= 0xff000000) {
      to[i] = own;
      continue;
    }
    if (!r.values && !own) continue;
    uint32_t below = is_opaque ? to[i] | 0xff000000 : to[i];
    int is_dithered = layer->is_dithered;
    v4f s = {0, 0, 0, 0};
    if (r.values) {
      const int32_t *values = r.values + 4 * i;
      s = loaded(values) * (1.0f / 32768);
      if (layer->is_tinted) s = r.tint * s[3];
      if (is_dithered && is_flat(r, i, count)) is_dithered = 0;
      if (!values[3] && !own) continue;
    } else if (is_known && own == known_own && below == known_below) {
      to[i] = known;
      continue;
    }
    if (own) {
      v4f above = r.light ? to_light(r.light, own) : unpack(own);
      s = r.values ? above + s * (1 - above[3] / 255) : above;
    }
    s *= r.mask ? r.share * masked(layer, r.mask + 4 * i) : r.share;
    v4f color = s;
    if (mode != SCENE_BLEND_NORMAL || s[3] < 254.998f) {
      color = blended(s, r.light ? to_light(r.light, below) : unpack(below), mode);
    }
    int entry = is_dithered ? pattern[(x + i) & 7] : -1;
    uint32_t pixel = r.light ? from_light(r.light, color, entry < 0 ? 64 : 33 + entry)
                             : pack(color, entry < 0 ? 0.5f : threshold((uint8_t)entry));
    to[i] = is_opaque ? pixel | 0xff000000 : pixel;
    known_own = own, known_below = below, known = pixel;
    is_known = !layer->is_dithered && !r.mask;
  }
}

/// Composites a tinted blurred image, with the layer's own pixels on top if there are any. Equals
/// `composite` in sRGB, without a mask and with the normal blend mode.
SCENE_FAST static void composite_shadow(layer_row r, uint32_t *to, int count, int x, int y) {
  const uint8_t *pattern = bayer[y & 7];
  const uint32_t opaque = 0xff000000, alpha = r.layer->is_opaque ? opaque : 0;
  const int copies = r.share == 1, is_dithered = r.layer->is_dithered;
  float thresholds[8];
  for (int k = 0; k < 8; k++) thresholds[k] = is_dithered ? threshold(pattern[(x + k) & 7]) : 0.5f;
  for (int i = 0; i < count; i++) {
    const uint32_t own = r.own ? r.own[i] : 0;
    if (copies && own >= opaque) {
      to[i] = own;
      continue;
    }
    const int32_t *values = r.values + 4 * i;
    if (!values[3] && !own) continue;
    v4f s = r.tint * ((float)values[3] * (1.0f / 32768));
    if (own) {
      v4f above = unpack(own);
      s = above + s * (1 - above[3] / 255);
    }
    s *= r.share;
    if (s[3] < 254.998f) s += unpack(to[i] | alpha) * (1 - s[3] / 255);
    to[i] = pack(s, is_whole(values) ? 0.5f : thresholds[i & 7]) | alpha;
  }
}

SCENE_FAST static void composite_srgb(layer_row r, uint32_t *to, int count, int x, int y) {
  r.light = NULL;
  composite(r, to, count, x, y);
}

SCENE_FAST static void composite_light(layer_row r, uint32_t *to, int count, int x, int y) {
  composite(r, to, count, x, y);
}

INLINE uint32_t light_sum(const layer_row r, uint32_t own, uint32_t below) {
  int sum = r.shares->own[own & 255] + r.shares->below[below & 255];
  return r.light->rounded[sum < 65535 ? sum : 65535];
}

/// Composites a row by tables where the layer is opaque, and without conversion where the pixels
/// below are transparent.
SCENE_FAST static void composite_shares(layer_row r, uint32_t *to, int count, int x, int y) {
  const uint32_t opaque = 0xff000000, alpha = r.layer->is_opaque ? opaque : 0;
  const uint32_t fitting = r.shares->is_opaque ? (uint32_t)r.shares->alpha : 256;
  const uint32_t *own = r.own;
  // Areas of one color are computed once.
  uint32_t known_above = 0, known_below = 0, known = 0;
  for (int i = 0; i < count;) {
    for (; i < count && own[i] >= opaque && (to[i] | alpha) >> 24 == fitting; i++) {
      uint32_t above = own[i], below = to[i];
      if (above != known_above || below != known_below) {
        known = opaque | light_sum(r, above >> 16, below >> 16) << 16 |
                light_sum(r, above >> 8, below >> 8) << 8 | light_sum(r, above, below);
        known_above = above, known_below = below;
      }
      to[i] = known;
    }
    int first = i;
    while (i < count && !(to[i] | alpha)) i++;
    if (i > first) {
      scene_pixels target = {(uint8_t *)(to + first), 4 * (i - first), i - first, 1};
      scene_pixels source = {(uint8_t *)(own + first), 4 * (i - first), i - first, 1};
      scene_over_bgra(target, source, (int)(r.share * 255 + 0.5f));
    }
    first = i;
    while (i < count && (to[i] | alpha) &&
           !(own[i] >= opaque && (to[i] | alpha) >> 24 == fitting))
      i++;
    layer_row rest = r;
    rest.own = own + first;
    composite(rest, to + first, i - first, x + first, y);
  }
}

/// Computes the tables for pixels below that have the given alpha.
static void compute_shares(const layer_row *r, layer_shares *shares, int alpha) {
  if (shares->alpha == alpha || !alpha) return;
  const float rest = r->layer->mode == SCENE_BLEND_NORMAL ? 1 - r->share : 1;
  const float scale = LIGHT_STEPS / (float)alpha, part = rest * 257 * (float)alpha / 255;
  for (int i = 0; i < 256; i++) {
    int step = (int)((float)i * scale + 0.5f);
    float below = r->light->linear[step < LIGHT_STEPS ? step : LIGHT_STEPS];
    shares->own[i] = (uint16_t)(r->light->whole[i] * 257 * r->share + 0.5f);
    shares->below[i] = (uint16_t)(below * part + 0.5f);
  }
  shares->alpha = alpha;
  shares->is_opaque = 255 * r->share + (float)alpha * rest >= 254.5f;
}

INLINE void composite_blurred_pixel(
    const int32_t *values, uint32_t *to, float share, uint8_t entry) {
  if (!values[3]) return;
  v4f color = loaded(values) * share;
  color += unpack(*to) * (1 - color[3] / 255);
  *to = pack(color, is_whole(values) ? 0.5f : threshold(entry));
}

/// Composites a blurred image alone, in sRGB.
SCENE_FAST static void composite_blurred(layer_row r, uint32_t *to, int count, int x, int y) {
  const int32_t *values = r.values;
  const uint8_t *pattern = bayer[y & 7];
  const int opaque = 255 << 15, copies = r.share == 1;
  const float share = r.share / 32768;
  // The thresholds of two neighboring pixels.
  v8i thresholds[8];
  for (int k = 0; k < 8; k++) {
    int p = (65 + 2 * pattern[k]) << 7, q = (65 + 2 * pattern[(k + 1) & 7]) << 7;
    thresholds[k] = (v8i){p, p, p, p, q, q, q, q};
  }
  int i = 0;
  for (; i + 2 <= count; i += 2) {
    v8i both;
    memcpy(&both, values + 4 * i, 32);
    if (copies && both[3] >= opaque && both[7] >= opaque) {
      // The same sums as below, in integers.
      v8b bytes = __builtin_convertvector((both + thresholds[(x + i) & 7]) >> 15, v8b);
      memcpy(to + i, &bytes, 8);
      continue;
    }
    composite_blurred_pixel(values + 4 * i, to + i, share, pattern[(x + i) & 7]);
    composite_blurred_pixel(values + 4 * i + 4, to + i + 1, share, pattern[(x + i + 1) & 7]);
  }
  for (; i < count; i++)
    composite_blurred_pixel(values + 4 * i, to + i, share, pattern[(x + i) & 7]);
}

/// Composites a blurred image alone, in linear light. Opaque pixels are computed in integers.
SCENE_FAST static void composite_blurred_light(
    layer_row r, uint32_t *to, int count, int x, int y) {
  const int32_t *values = r.values;
  const uint8_t *pattern = bayer[y & 7];
  const uint16_t *srgb = r.light->srgb;
  const int opaque = r.share == 1 ? 255 << 15 : INT32_MAX;
  const int is_dithered = r.layer->is_dithered;
  for (int i = 0; i < count;) {
    for (; i < count && values[4 * i + 3] >= opaque; i++) {
      const int32_t *v = values + 4 * i;
      int t = is_dithered && !is_flat(r, i, count) ? 33 + pattern[(x + i) & 7] : 64;
      // 255 * 2^15 becomes 65535.
      uint32_t b = ((uint32_t)v[0] * 257 + 16384) >> 15, g = ((uint32_t)v[1] * 257 + 16384) >> 15;
      uint32_t red = ((uint32_t)v[2] * 257 + 16384) >> 15;
      to[i] = 0xff000000 | (uint32_t)(srgb[red] + t) >> 7 << 16 |
              (uint32_t)(srgb[g] + t) >> 7 << 8 | (uint32_t)(srgb[b] + t) >> 7;
    }
    int first = i;
    while (i < count && values[4 * i + 3] < opaque) i++;
    layer_row rest = r;
    rest.values = values + 4 * first;
    if (r.near) rest.near = r.near + 4 * first;
    composite(rest, to + first, i - first, x + first, y);
  }
}

/// Allocates a row for `is_flat` and fills it with a neighbor of row `y`, the first one that is
/// composited.
static int32_t *make_near_row(scene_blurred in, int y, int32_t *row, int32_t *values) {
  size_t bytes = sizeof(int32_t) * (size_t)in.width * (size_t)in.step_x * 4;
  int32_t *near = malloc(bytes);
  if (!near) return NULL;
  grow_row(in, y > 0 ? y - 1 : y + 1, row, values);
  memcpy(near, values, bytes);
  return near;
}

/// Returns the tint of a layer, premultiplied, with channels in 0...1.
static v4f tint(const scene_layered *layer) {
  scene_color c = layer->tint;
  if (!layer->is_linear) return (v4f){c.blue, c.green, c.red, 1} * c.alpha;
  const float *linear = light()->linear, unit = 1.0f / 255, steps = LIGHT_STEPS;
  return (v4f){linear[(int)(c.blue * steps + 0.5f)] * unit,
               linear[(int)(c.green * steps + 0.5f)] * unit,
               linear[(int)(c.red * steps + 0.5f)] * unit, 1} * c.alpha;
}

int scene_composite_layer(scene_pixels target, int left, int top, const scene_layered *layer) {
  const scene_blurred blurred = layer->blurred;
  const scene_pixels own = layer->own, mask = layer->mask;
  int32_t *values = NULL, *row = NULL, *near = NULL;
  if (blurred.values && !(row = grow_memory(blurred, &values))) return 0;
  if (values && blurred.is_linear && !(near = make_near_row(blurred, top, row, values))) {
    free(row);
    return 0;
  }
  layer_row r = {.layer = layer, .share = layer->opacity, .tint = tint(layer)};
  if (layer->is_linear) r.light = light();
  const int is_simple = values && !own.bytes && !mask.bytes && !layer->is_tinted &&
                        layer->mode == SCENE_BLEND_NORMAL;
  const int is_shadow = values && !mask.bytes && layer->is_tinted && !layer->is_linear &&
                        !blurred.is_linear && layer->mode == SCENE_BLEND_NORMAL;
  layer_shares shares = {.alpha = 0};
  const int has_shares = layer->mode == SCENE_BLEND_PLUS_LIGHTER ||
                         (layer->mode == SCENE_BLEND_NORMAL && r.share < 1);
  if (layer->is_linear && !values && !mask.bytes && !layer->is_dithered && has_shares) {
    r.shares = &shares;
  }
  for (int j = 0; j < target.height; j++) {
    int y = top + j;
    uint32_t *to = (uint32_t *)(target.bytes + (int64_t)j * target.stride);
    if (values) {
      grow_row(blurred, y, row, values);
      r.values = values + 4 * left;
      if (near) r.near = near + 4 * left;
    }
    if (own.bytes) r.own = (const uint32_t *)(own.bytes + (int64_t)y * own.stride) + left;
    if (mask.bytes) r.mask = mask.bytes + (int64_t)y * mask.stride + 4 * left;
    if (is_simple) {
      (layer->is_linear ? composite_blurred_light : composite_blurred)(
          r, to, target.width, layer->x + left, layer->y + y);
    } else if (is_shadow) {
      composite_shadow(r, to, target.width, layer->x + left, layer->y + y);
    } else if (r.shares) {
      // The pixels of a dissolve mostly have the same alpha, so that of one pixel selects the
      // tables.
      compute_shares(&r, &shares, layer->is_opaque ? 255 : (int)(to[target.width / 2] >> 24));
      composite_shares(r, to, target.width, layer->x + left, layer->y + y);
    } else if (layer->is_linear) {
      composite_light(r, to, target.width, layer->x + left, layer->y + y);
    } else {
      composite_srgb(r, to, target.width, layer->x + left, layer->y + y);
    }
    if (near) memcpy(near + 4 * left, r.values, sizeof(int32_t) * (size_t)target.width * 4);
  }
  free(row);
  free(near);
  return 1;
}
