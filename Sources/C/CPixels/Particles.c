// SPDX-License-Identifier: MIT
// Drawing of particles: many small shapes or images, each with its own color.
#include "CPixels.h"
#include "Dither.h"
#include "Sine.h"
#include <math.h>
#include <stdlib.h>

#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

/// The squared radius from which a circle has its exact area; smaller ones become transparent.
static const float least_square = 0.36f;

/// A particle on the device.
typedef struct {
  /// The center, relative to the output.
  float x, y;
  /// The half axes of the shape: the images of (1, 0) and (0, 1).
  float ax, ay, bx, by;
  /// Premultiplied color in `0...255` and opacity.
  v4f color;
  float alpha;
} particle;

INLINE float clamp(float x, float low, float high) { return x > low ? (x < high ? x : high) : low; }
INLINE float unit(float x) { return clamp(x, 0, 1); }

INLINE float value(const scene_particles *p, int which, int i) { return p->values[(int64_t)which * p->count + i]; }

/// Computes the position of a particle; returns 0 if it is not visible.
static int locate(const scene_particles *p, int i, particle *it) {
  const scene_map m = p->map;
  double x = value(p, SCENE_PARTICLE_X, i), y = value(p, SCENE_PARTICLE_Y, i);
  it->x = (float)(m.a * x + m.c * y + m.e - p->x);
  it->y = (float)(m.b * x + m.d * y + m.f - p->y);
  it->alpha = unit(value(p, SCENE_PARTICLE_ALPHA, i));
  if (!(fabsf(it->x) < 1e6f && fabsf(it->y) < 1e6f && it->alpha > 0)) return 0;
  float width = value(p, SCENE_PARTICLE_WIDTH, i) / 2, height = value(p, SCENE_PARTICLE_HEIGHT, i) / 2;
  if (p->sprite_count) width = height = value(p, SCENE_PARTICLE_SCALE, i);
  if (!(width > 0 && height > 0 && width < 1e5f && height < 1e5f)) return 0;
  float angle = value(p, SCENE_PARTICLE_ANGLE, i), c = 1, s = 0;
  if (angle != 0 && fabsf(angle) < 1e6f) c = sine(angle + 90.0f), s = sine(angle);
  float vx = value(p, SCENE_PARTICLE_VX, i), vy = value(p, SCENE_PARTICLE_VY, i);
  float speed = sqrtf(vx * vx + vy * vy);
  if ((p->stretch > 0 || p->follows_motion) && speed > 0 && speed < 1e6f) {
    // The x axis points along the motion.
    float along = vx / speed, down = vy / speed, turned = c;
    if (p->stretch > 0) c = along, s = down;
    else c = along * turned - down * s, s = along * s + down * turned;
    // The trail ends at the particle.
    float half = speed * p->stretch / 2;
    if (half > 0 && !p->sprite_count) {
      it->x -= (float)(m.a * c + m.c * s) * half;
      it->y -= (float)(m.b * c + m.d * s) * half;
      width += half;
    }
  }
  it->ax = (float)(m.a * c + m.c * s) * width, it->ay = (float)(m.b * c + m.d * s) * width;
  it->bx = (float)(m.c * c - m.a * s) * height, it->by = (float)(m.d * c - m.b * s) * height;
  float red = unit(value(p, SCENE_PARTICLE_RED, i)), green = unit(value(p, SCENE_PARTICLE_GREEN, i));
  float blue = unit(value(p, SCENE_PARTICLE_BLUE, i)), scale = 255 * it->alpha;
  it->color = (v4f){blue * scale, green * scale, red * scale, scale};
  return 1;
}

// MARK: Shapes

/// Composites a color with an opacity onto a pixel.
INLINE void blend(uint32_t *pixel, v4f color, float opacity, int adds, uint8_t entry) {
  v4f sum = unpack(*pixel) * (adds ? 1.0f : 1.0f - opacity) + color;
  if (adds) for (int k = 0; k < 4; k++) sum[k] = sum[k] < 255.0f ? sum[k] : 255.0f;
  *pixel = pack(sum, threshold(entry));
}

/// Return the first pixel within `reach` of a center along one axis of the output, and the end of
/// these pixels.
INLINE int first_of(float center, float reach) { return center - reach > 0 ? (int)(center - reach) : 0; }
INLINE int end_of(float center, float reach, int size) {
  float end = center + reach + 1;
  return end < (float)size ? (int)end + 1 > size ? size : (int)end + 1 : size;
}

/// Draws one shape. The coverage is that of a straight edge at the distance of the pixel's center from the outline.
SCENE_FAST static void draw_shape(scene_pixels out, const scene_particles *p, particle it, int number) {
  float ax = it.ax, ay = it.ay, bx = it.bx, by = it.by;
  float length = sqrtf(ax * ax + ay * ay), width = sqrtf(bx * bx + by * by);
  if (!(length > 1e-4f && width > 1e-4f)) return;
  int shape = p->shape;
  // A trail of a circle is a capsule: the axis of a rounded line with the width as its diameter.
  int is_capsule = shape == SCENE_CIRCLE && p->stretch > 0 && length > width;
  float opacity = 1;
  if (shape == SCENE_RECT) {
    // A side thinner than a pixel makes the shape more transparent instead.
    if (length < 0.5f) opacity *= 2 * length, ax *= 0.5f / length, ay *= 0.5f / length, length = 0.5f;
    if (width < 0.5f) opacity *= 2 * width, bx *= 0.5f / width, by *= 0.5f / width, width = 0.5f;
  } else if (shape == SCENE_CIRCLE) {
    float square = is_capsule ? width * width : length * width;
    float kept = square > least_square ? square : least_square;
    opacity *= is_capsule && square < least_square ? sqrtf(square / least_square) : square / kept;
    // The antialiased edge, one pixel wide, increases the squared radius of the covered area by
    // 1/12.
    float scale = sqrtf((kept - 1 / 12.0f) / square);
    if (is_capsule) {
      float ends = width * scale;
      bx *= scale, by *= scale;
      ax *= (length - width + ends) / length, ay *= (length - width + ends) / length;
      length += ends - width, width = ends;
    } else {
      ax *= scale, ay *= scale, bx *= scale, by *= scale;
      length *= scale, width *= scale;
    }
  } else if (length * width < 1) {
    float scale = 1 / sqrtf(length * width);
    opacity /= scale * scale;
    ax *= scale, ay *= scale, bx *= scale, by *= scale;
  }
  float determinant = ax * by - bx * ay;
  if (!(fabsf(determinant) > 1e-9f)) return;
  // The inverse matrix, and the lengths of its rows, which are the gradients of the shape's
  // coordinates.
  float ux = by / determinant, uy = -bx / determinant, vx = -ay / determinant, vy = ax / determinant;
  float su = sqrtf(ux * ux + uy * uy), sv = sqrtf(vx * vx + vy * vy);
  float rx = fabsf(ax) + fabsf(bx) + 1, ry = fabsf(ay) + fabsf(by) + 1;
  int x0 = first_of(it.x, rx), x1 = end_of(it.x, rx, out.width);
  int y0 = first_of(it.y, ry), y1 = end_of(it.y, ry, out.height);
  // The half axis of a capsule between its rounded ends, as a fraction of the half length.
  float core = is_capsule ? (length - width) / length : 0;
  int shift = number * 5;
  for (int y = y0; y < y1; y++) {
    uint32_t *line = (uint32_t *)(out.bytes + (int64_t)y * out.stride);
    const uint8_t *pattern = bayer[(p->y + y + 3 * number) & 7];
    float dy = (float)y + 0.5f - it.y;
    for (int x = x0; x < x1; x++) {
      float dx = (float)x + 0.5f - it.x;
      float u = ux * dx + uy * dy, v = vx * dx + vy * dy;
      float coverage;
      if (shape == SCENE_RECT) {
        coverage = unit(0.5f - (fabsf(u) - 1) / su) * unit(0.5f - (fabsf(v) - 1) / sv);
      } else if (shape == SCENE_SOFT) {
        float rest = 1 - (u * u + v * v);
        coverage = rest > 0 ? rest * rest : 0;
      } else if (is_capsule) {
        float along = fabsf(u) > core ? (fabsf(u) - core) * length : 0, across = v * width;
        coverage = unit(0.5f - (sqrtf(along * along + across * across) - width));
      } else {
        float square = u * u + v * v, gx = ux * u + vx * v, gy = uy * u + vy * v;
        float slope = sqrtf(gx * gx + gy * gy), distance = sqrtf(square);
        coverage = slope > 1e-12f ? unit(0.5f - (distance - 1) * distance / slope) : 1;
      }
      if (coverage <= 0) continue;
      float share = coverage * opacity;
      blend(line + x, it.color * share, it.alpha * share, p->adds, pattern[(p->x + x + shift) & 7]);
    }
  }
}

// MARK: Sprites

/// The pixels of a sprite as channels in `0...255`, and whether a pixel or one of its neighbors to the
/// right and below is visible.
typedef struct {
  v4f *pixels;
  uint8_t *is_visible;
  int width, height;
  scene_map map;
} texture;

/// Unpacks a sprite. Returns 0 if out of memory.
static int unpack_sprite(const scene_sprite *sprite, texture *out) {
  const scene_pixels image = sprite->pixels;
  size_t count = (size_t)image.width * (size_t)image.height;
  *out = (texture){NULL, NULL, image.width, image.height, sprite->map};
  out->pixels = aligned_alloc(16, count * sizeof(v4f));
  out->is_visible = calloc(count, 1);
  if (!out->pixels || !out->is_visible) return 0;
  for (int y = 0; y < image.height; y++) {
    const uint32_t *line = (const uint32_t *)(image.bytes + (int64_t)y * image.stride);
    for (int x = 0; x < image.width; x++) {
      int64_t at = (int64_t)y * image.width + x;
      out->pixels[at] = unpack(line[x]);
      if (!(line[x] >> 24)) continue;
      out->is_visible[at] = 1;
      if (x > 0) out->is_visible[at - 1] = 1;
      if (y > 0) out->is_visible[at - image.width] = 1;
      if (x > 0 && y > 0) out->is_visible[at - image.width - 1] = 1;
    }
  }
  return 1;
}

/// Narrows the range of x in which `start + slope * x` is at least 0 and below `size`.
INLINE void narrow(float start, float slope, float size, float *low, float *high) {
  if (fabsf(slope) < 1e-9f) {
    if (start < 0 || start >= size) *high = *low - 1;
    return;
  }
  float a = -start / slope, b = (size - start) / slope;
  float first = a < b ? a : b, last = a < b ? b : a;
  if (first > *low) *low = first;
  if (last < *high) *high = last;
}

SCENE_FAST static void draw_sprite(
    scene_pixels out, const scene_particles *p, particle it, int number, const texture *textures) {
  float determinant = it.ax * it.by - it.bx * it.ay;
  if (!(fabsf(determinant) > 1e-9f)) return;
  // The smallest image that is reduced when it is drawn, so that edges stay sharp under rotation.
  float scale = sqrtf(fabsf(determinant));
  const texture *image = textures;
  while (image + 1 < textures + p->sprite_count && image[1].map.a >= scale * 1.4) image++;
  const scene_map m = image->map;
  // The map from the device through the particle to the image.
  float a = (float)m.a * it.by / determinant, c = (float)m.a * -it.bx / determinant;
  float b = (float)m.d * -it.ay / determinant, d = (float)m.d * it.ax / determinant;
  float left = (float)(-m.e / m.a), right = (float)((image->width - m.e) / m.a);
  float top = (float)(-m.f / m.d), bottom = (float)((image->height - m.f) / m.d);
  float cx = (left + right) / 2, cy = (top + bottom) / 2, w = (right - left) / 2, h = (bottom - top) / 2;
  float px = it.x + it.ax * cx + it.bx * cy, py = it.y + it.ay * cx + it.by * cy;
  float rx = fabsf(it.ax) * w + fabsf(it.bx) * h + 1, ry = fabsf(it.ay) * w + fabsf(it.by) * h + 1;
  int x0 = first_of(px, rx), x1 = end_of(px, rx, out.width);
  int y0 = first_of(py, ry), y1 = end_of(py, ry, out.height);
  v4f tint = it.color * (1 / 255.0f);
  for (int y = y0; y < y1; y++) {
    uint32_t *line = (uint32_t *)(out.bytes + (int64_t)y * out.stride);
    const uint8_t *pattern = bayer[(p->y + y + 3 * number) & 7];
    float dy = (float)y + 0.5f - it.y;
    // The position in the image at x = 0; its last row and column have no neighbors.
    float u0 = a * (0.5f - it.x) + c * dy + (float)m.e - 0.5f;
    float v0 = b * (0.5f - it.x) + d * dy + (float)m.f - 0.5f;
    float low = (float)x0, high = (float)(x1 - 1);
    narrow(u0, a, (float)(image->width - 1), &low, &high);
    narrow(v0, b, (float)(image->height - 1), &low, &high);
    for (int x = (int)ceilf(low); x <= (int)floorf(high); x++) {
      float u = u0 + a * (float)x, v = v0 + b * (float)x;
      int column = (int)u, row = (int)v;
      if (u < 0 || v < 0 || column >= image->width - 1 || row >= image->height - 1) continue;
      int64_t at = (int64_t)row * image->width + column;
      if (!image->is_visible[at]) continue;
      const v4f *texel = image->pixels + at;
      float fu = u - (float)column, fv = v - (float)row;
      v4f above = texel[0] + (texel[1] - texel[0]) * fu;
      texel += image->width;
      v4f below = texel[0] + (texel[1] - texel[0]) * fu;
      v4f color = above + (below - above) * fv;
      color = p->is_tinted ? tint * color[3] : color * it.alpha;
      blend(line + x, color, color[3] * (1 / 255.0f), p->adds, pattern[(p->x + x + 5 * number) & 7]);
    }
  }
}

enum { MOST_SPRITES = 8 };

/// Returns the number of the particle that is drawn at a position in the painting order.
INLINE int drawn_number(const scene_particles *p, int position) {
  return p->is_reversed ? p->count - 1 - position : position;
}

/// Returns the greatest distance of a sprite's edges from its origin along the axes of the particle,
/// in units of the half axes.
static float sprite_reach(const texture *image) {
  const scene_map m = image->map;
  double left = -m.e / m.a, right = (image->width - m.e) / m.a;
  double top = -m.f / m.d, bottom = (image->height - m.f) / m.d;
  return (float)fmax(fmax(fabs(left), fabs(right)), fmax(fabs(top), fabs(bottom)));
}

/// The maximum number of rows of a particle that is prefetched; large ones wait less for memory.
static const int most_prefetched = 64;

/// Loads the pixels that a particle covers into the cache while the particle before it is drawn.
/// Particles are scattered over the image, so most of their pixels are not in the cache.
static void prefetch(scene_pixels out, particle it, float reach) {
  float rx = (fabsf(it.ax) + fabsf(it.bx)) * reach + 1;
  float ry = (fabsf(it.ay) + fabsf(it.by)) * reach + 1;
  int x0 = first_of(it.x, rx), x1 = end_of(it.x, rx, out.width);
  int y0 = first_of(it.y, ry), y1 = end_of(it.y, ry, out.height);
  if (x0 >= x1 || y1 - y0 > most_prefetched) return;
  for (int y = y0; y < y1; y++) {
    const uint8_t *line = out.bytes + (int64_t)y * out.stride;
    for (int x = x0 & ~15; x < x1; x += 16) __builtin_prefetch(line + 4 * (int64_t)x, 1);
  }
}

void scene_draw_particles(scene_pixels out, const scene_particles *p) {
  texture textures[MOST_SPRITES];
  int count = 0, is_ready = p->sprite_count <= MOST_SPRITES;
  for (; is_ready && count < p->sprite_count; count++) is_ready = unpack_sprite(p->sprites + count, textures + count);
  // All sprites show the same drawing.
  const float reach = count > 0 ? sprite_reach(textures) : 1;
  particle next = {0};
  int is_next = 0;
  for (int i = 0; i <= p->count && is_ready; i++) {
    const particle it = next;
    const int is_visible = is_next;
    is_next = i < p->count && locate(p, drawn_number(p, i), &next);
    if (is_next) prefetch(out, next, reach);
    if (!is_visible) continue;
    const int number = drawn_number(p, i - 1);
    if (p->sprite_count) draw_sprite(out, p, it, number, textures);
    else draw_shape(out, p, it, number);
  }
  for (int i = 0; i < count; i++) {
    free(textures[i].pixels);
    free(textures[i].is_visible);
  }
}

scene_box scene_particle_bounds(const scene_particles *p, float reach) {
  scene_box box = {0, 0, 0, 0};
  int is_empty = 1;
  for (int i = 0; i < p->count; i++) {
    particle it;
    if (!locate(p, i, &it)) continue;
    float across = fabsf(it.ax) + fabsf(it.bx), down = fabsf(it.ay) + fabsf(it.by);
    if (reach > 0) across *= reach, down *= reach;
    double left = it.x - across - 1, right = it.x + across + 1, top = it.y - down - 1, bottom = it.y + down + 1;
    if (is_empty || left < box.x0) box.x0 = left;
    if (is_empty || top < box.y0) box.y0 = top;
    if (is_empty || right > box.x1) box.x1 = right;
    if (is_empty || bottom > box.y1) box.y1 = bottom;
    is_empty = 0;
  }
  return box;
}
