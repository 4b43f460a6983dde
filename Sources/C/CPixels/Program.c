// SPDX-License-Identifier: MIT
// An interpreter for functions of the position that compute the color of each pixel.
#include "CPixels.h"
#include "Dither.h"
#include "Sine.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

// A register holds one number for each of LANES neighboring pixels. All operations are exact
// additions, multiplications, divisions, square roots and comparisons of single precision, so that
// every machine and compiler computes the same bits. The loops over lanes are vectorized by the
// compiler.
enum { LANES = 256, FEW_LANES = 32 };

#define INLINE static inline __attribute__((always_inline))

INLINE int32_t bits(float x) {
  int32_t y;
  memcpy(&y, &x, 4);
  return y;
}

INLINE float from_bits(int32_t x) {
  float y;
  memcpy(&y, &x, 4);
  return y;
}

INLINE float absolute(float x) { return from_bits(bits(x) & 0x7FFFFFFF); }
INLINE float least(float a, float b) { return b < a ? b : a; }
INLINE float most(float a, float b) { return b > a ? b : a; }
INLINE float truth(int x) { return x ? 1.0f : 0.0f; }

INLINE float rounds(float x) { return from_bits((bits(floorf(absolute(x) + 0.5f)) & 0x7FFFFFFF) | (bits(x) & (int32_t)0x80000000)); }

INLINE float modulo(float a, float b) { return a - b * floorf(a / b); }

/// Returns the direction of (x, y) in degrees, -180...180, with an error below 1e-4.
INLINE float direction(float y, float x) {
  float ax = absolute(x), ay = absolute(y);
  float high = ay > ax ? ay : ax, low = ay > ax ? ax : ay;
  float q = low / (high > 0 ? high : 1.0f);
  float s = q * q;
  // Minimax coefficients of atan on 0...1 (Abramowitz and Stegun 4.4.49).
  float r = q * (1.0f + s * (-0.3333314528f + s * (0.1999355085f + s * (-0.1420889944f +
            s * (0.1065626393f + s * (-0.0752896400f + s * (0.0429096138f +
            s * (-0.0161657367f + s * 0.0028662257f))))))));
  r *= 57.29577951308232f;
  r = ay > ax ? 90.0f - r : r;
  r = x < 0 ? 180.0f - r : r;
  return y < 0 ? -r : r;
}

/// Returns 2 to the power of x, with a relative error below 1e-6; 0 below -126, infinity from 128.
INLINE float power_of_two(float x) {
  float bound = x > -126.0f ? x : -126.0f;
  bound = bound < 127.5f ? bound : 127.5f;
  float n = floorf(bound);
  float f = (bound - n) - 0.5f;
  // The Taylor series of 2^f times the square root of 2.
  float p = 1.4142135624f + f * (0.9802581435f + f * (0.3397315842f + f * (0.0784950973f + f * (0.0136021667f + f * (0.0018856571f + f * 0.0002178314f)))));
  float y = p * from_bits((int32_t)((uint32_t)((int32_t)n + 127) << 23));
  y = x < -126.0f ? 0.0f : y;
  y = x >= 128.0f ? INFINITY : y;
  return x == x ? y : x;
}

/// Returns the binary logarithm of x, with an error below 3e-7; -infinity at 0, NaN below.
INLINE float logarithm(float x) {
  // The mantissa, from the square root of a half to that of 2.
  int32_t shifted = (int32_t)((uint32_t)bits(x) - 0x3F3504F3u);
  float exponent = (float)(shifted >> 23);
  float m = from_bits((shifted & 0x007FFFFF) + 0x3F3504F3);
  float u = (m - 1.0f) / (m + 1.0f);
  float s = u * u;
  float series = u * (2.0f + s * (0.66666667f + s * (0.4f + s * (0.28571429f + s * 0.22222222f))));
  float y = exponent + series * 1.4426950408889634f;
  y = x < 1.17549435e-38f ? -INFINITY : y;
  y = x == INFINITY ? x : y;
  y = x < 0 ? NAN : y;
  return x == x ? y : x;
}

/// Returns a to the power of b. A negative base needs a whole exponent.
INLINE float power(float a, float b) {
  float y = power_of_two(b * logarithm(absolute(a)));
  float half = b * 0.5f;
  float negative = floorf(half) == half ? y : floorf(b) == b ? -y : NAN;
  y = a < 0 ? negative : y;
  return b == 0 ? 1.0f : y;
}

/// Applies the inverse sRGB transfer function (IEC 61966-2-1), extended as an odd function.
INLINE float to_linear(float encoded) {
  float x = absolute(encoded);
  float curve = power_of_two(2.4f * logarithm((x + 0.055f) * (1 / 1.055f)));
  float y = x <= 0.04045f ? x * (1 / 12.92f) : curve;
  return encoded < 0 ? -y : y;
}

INLINE float from_linear(float linear) {
  float x = absolute(linear);
  float curve = 1.055f * power_of_two((1 / 2.4f) * logarithm(x)) - 0.055f;
  float y = x <= 0.0031308f ? x * 12.92f : curve;
  return linear < 0 ? -y : y;
}

INLINE float cube_root(float x) {
  float y = power_of_two((1 / 3.0f) * logarithm(absolute(x)));
  return x < 0 ? -y : y;
}

/// Mixes the bits of a word (C. Wellons 2018, "lowbias32").
INLINE uint32_t mixed(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7FEB352Du;
  x ^= x >> 15;
  x *= 0x846CA68Bu;
  return x ^ (x >> 16);
}

/// Returns the bits of a number; positive zero, negative zero and NaN are equivalent. The high bits,
/// in which whole numbers differ, also change the low ones.
INLINE uint32_t key(float x) {
  uint32_t y = (uint32_t)bits((x == x ? x : 0.0f) + 0.0f);
  return y ^ (y >> 16);
}

/// Returns a hash of three numbers.
INLINE uint32_t hash(float x, float y, float z) {
  return mixed(key(x) * 0x9E3779B1u + key(y) * 0x85EBCA77u + key(z) * 0xC2B2AE3Du);
}

/// Returns a pseudorandom number in `0..<1`.
INLINE float chance(float x, float y, float z) { return (float)(int32_t)(hash(x, y, z) >> 8) * 0x1p-24f; }

/// Returns the product of the gradient that a hash selects and the offset from its corner.
INLINE float slope(uint32_t key, float fx, float fy) {
  uint32_t h = mixed(key);
  float gx = (float)(int32_t)(h & 0xFFFFu) * (1 / 32768.0f) - 1.0f;
  float gy = (float)(int32_t)(h >> 16) * (1 / 32768.0f) - 1.0f;
  return gx * fx + gy * fy;
}

/// Returns two-dimensional gradient noise (K. Perlin 2002) in `-1...1`.
INLINE float noise(float x, float y, float seed) {
  float cx = floorf(x), cy = floorf(y);
  float fx = x - cx, fy = y - cy;
  float u = fx * fx * fx * (fx * (fx * 6.0f - 15.0f) + 10.0f);
  float v = fy * fy * fy * (fy * (fy * 6.0f - 15.0f) + 10.0f);
  // The terms of the hashes that the four corners share.
  uint32_t left = key(cx) * 0x9E3779B1u, right = key(cx + 1.0f) * 0x9E3779B1u;
  uint32_t rest = key(seed) * 0xC2B2AE3Du;
  uint32_t above = key(cy) * 0x85EBCA77u + rest, below = key(cy + 1.0f) * 0x85EBCA77u + rest;
  float a = slope(left + above, fx, fy), b = slope(right + above, fx - 1.0f, fy);
  float c = slope(left + below, fx, fy - 1.0f), d = slope(right + below, fx - 1.0f, fy - 1.0f);
  float top = a + (b - a) * u, bottom = c + (d - c) * u;
  float n = 1.5f * (top + (bottom - top) * v);
  return least(most(n, -1.0f), 1.0f);
}

// MARK: Layers

/// Returns a pixel of a layer; outside the layer, an edge pixel or transparent.
INLINE uint32_t pixel_at(const scene_layer *layer, int x, int y) {
  const scene_pixels p = layer->pixels;
  if (layer->extends) {
    x = x < 0 ? 0 : x >= p.width ? p.width - 1 : x;
    y = y < 0 ? 0 : y >= p.height ? p.height - 1 : y;
  } else if (x < 0 || y < 0 || x >= p.width || y >= p.height) {
    return 0;
  }
  uint32_t pixel;
  memcpy(&pixel, p.bytes + (int64_t)y * p.stride + 4 * x, 4);
  return pixel;
}

/// Returns a channel in `0...255`.
INLINE float channel(uint32_t pixel, int shift) { return (float)(int32_t)(pixel >> shift & 255); }

/// Stores a premultiplied color in `0...255` as straight channels in `0...1` in four registers.
INLINE void put(float *to, int i, float red, float green, float blue, float alpha) {
  float scale = alpha > 0 ? 1 / alpha : 0;
  to[i] = red * scale;
  to[LANES + i] = green * scale;
  to[2 * LANES + i] = blue * scale;
  to[3 * LANES + i] = alpha * (1 / 255.0f);
}

// MARK: Blocks

/// A run of pixels in a row of the device.
typedef struct {
  const scene_program *program;
  scene_pixels out;
  float *registers;
  /// The position of the first pixel, in the output and on the device.
  int column, row, x, y;
  /// The inputs of a program outside an image.
  const scene_lanes *lanes;
} run;

/// Returns the numbers of an operand: a register, or a number that is the same for all pixels.
INLINE const float *read(const run *r, int slot) {
  int position = slot < 0 ? r->program->registers + ~slot : slot;
  return r->registers + (int64_t)position * LANES;
}

static int is_affine(scene_projection m) { return m.g == 0 && m.h == 0 && m.i == 1; }

/// Computes the position of each pixel in the coordinates of the box, or the width of a pixel.
INLINE void locate(const run *r, int operation, int lanes, float *restrict to) {
  const scene_projection m = r->program->inverse;
  double px = r->x + 0.5, py = r->y + 0.5;
  if (is_affine(m)) {
    double scale = operation == SCENE_PIXEL_X ? m.a : operation == SCENE_PIXEL_Y ? m.b : 0;
    double start = operation == SCENE_PIXEL_X ? m.c * py + m.e
                 : operation == SCENE_PIXEL_Y ? m.d * py + m.f
                                              : sqrt(fabs(m.a * m.d - m.c * m.b));
    // Relative to the start of the row, so that a pixel gets the same value in every part.
    for (int i = 0; i < lanes; i++) to[i] = (float)(start + scale * (px + i));
    return;
  }
  for (int i = 0; i < lanes; i++) {
    double x = px + i, w = m.g * x + m.h * py + m.i;
    double u = (m.a * x + m.c * py + m.e) / w, v = (m.b * x + m.d * py + m.f) / w;
    // The square root of the area of a device pixel.
    double ux = (m.a - m.g * u) / w, uy = (m.c - m.h * u) / w;
    double vx = (m.b - m.g * v) / w, vy = (m.d - m.h * v) / w;
    double width = sqrt(fabs(ux * vy - uy * vx));
    to[i] = (float)(operation == SCENE_PIXEL_X ? u : operation == SCENE_PIXEL_Y ? v : width);
  }
}

/// Reads the pixels at the position of the run from a layer with the layout of the output.
INLINE void load(const run *r, const scene_layer *layer, int lanes, float *restrict to) {
  uint32_t pixels[LANES] = {0};
  int count = layer->pixels.width - r->column;
  const uint8_t *line = layer->pixels.bytes + (int64_t)r->row * layer->pixels.stride + 4 * r->column;
  memcpy(pixels, line, 4 * (size_t)(count < lanes ? count : lanes));
  for (int i = 0; i < lanes; i++) {
    put(to, i, channel(pixels[i], 16), channel(pixels[i], 8), channel(pixels[i], 0), channel(pixels[i], 24));
  }
}

/// Reads numbers of an input, starting at the position of the run.
INLINE void take(const run *r, int index, int lanes, float *restrict to) {
  int rest = r->lanes->count - r->column, count = rest < lanes ? rest : lanes;
  memcpy(to, r->lanes->inputs + (int64_t)index * r->lanes->count + r->column, sizeof(float) * (size_t)count);
}

INLINE void look_up(const float *entries, const float *at, int lanes, float *restrict to) {
  for (int i = 0; i < lanes; i++) {
    float place = at[i] > 0 ? (at[i] < 1 ? at[i] : 1) * SCENE_TABLE : 0;
    int index = (int)place;
    if (index >= SCENE_TABLE) index = SCENE_TABLE - 1;
    to[i] = entries[index] + (entries[index + 1] - entries[index]) * (place - (float)index);
  }
}

/// Interpolates a channel of four pixels bilinearly.
INLINE float mixture(const uint32_t pixels[4][LANES], int i, int shift, float p, float q) {
  float a = channel(pixels[0][i], shift), b = channel(pixels[1][i], shift);
  float c = channel(pixels[2][i], shift), d = channel(pixels[3][i], shift);
  float above = a + (b - a) * p, below = c + (d - c) * p;
  return above + (below - above) * q;
}

/// Samples a layer bilinearly at points of the box.
INLINE void sample(
    const scene_layer *layer, const float *x, const float *y, int lanes, float *restrict to) {
  const float a = (float)layer->map.a, b = (float)layer->map.b, c = (float)layer->map.c;
  const float d = (float)layer->map.d, e = (float)layer->map.e, f = (float)layer->map.f;
  const float g = (float)layer->map.g, h = (float)layer->map.h, k = (float)layer->map.i;
  const int affine = is_affine(layer->map);
  float p[LANES], q[LANES];
  int32_t left[LANES], top[LANES];
  uint32_t pixels[4][LANES];
  for (int i = 0; i < lanes; i++) {
    float w = affine ? 1 : g * x[i] + h * y[i] + k;
    float u = (a * x[i] + c * y[i] + e) / w - 0.5f, v = (b * x[i] + d * y[i] + f) / w - 0.5f;
    // Positions that are far outside, behind the eye or NaN are mapped to a point outside the
    // layer.
    u = fabsf(u) < 1e6f ? u : -1e6f;
    v = fabsf(v) < 1e6f ? v : -1e6f;
    float m = floorf(u), n = floorf(v);
    left[i] = (int32_t)m;
    top[i] = (int32_t)n;
    p[i] = u - m;
    q[i] = v - n;
  }
  const int width = layer->pixels.width, height = layer->pixels.height;
  for (int i = 0; i < lanes; i++) {
    int l = left[i], t = top[i];
    if (l >= 0 && t >= 0 && l + 1 < width && t + 1 < height) {
      const uint8_t *at = layer->pixels.bytes + (int64_t)t * layer->pixels.stride + 4 * l;
      memcpy(&pixels[0][i], at, 4);
      memcpy(&pixels[1][i], at + 4, 4);
      memcpy(&pixels[2][i], at + layer->pixels.stride, 4);
      memcpy(&pixels[3][i], at + layer->pixels.stride + 4, 4);
    } else {
      pixels[0][i] = pixel_at(layer, l, t), pixels[1][i] = pixel_at(layer, l + 1, t);
      pixels[2][i] = pixel_at(layer, l, t + 1), pixels[3][i] = pixel_at(layer, l + 1, t + 1);
    }
  }
  for (int i = 0; i < lanes; i++) {
    float red = mixture(pixels, i, 16, p[i], q[i]), green = mixture(pixels, i, 8, p[i], q[i]);
    float blue = mixture(pixels, i, 0, p[i], q[i]), alpha = mixture(pixels, i, 24, p[i], q[i]);
    put(to, i, red, green, blue, alpha);
  }
}

INLINE void square_roots(const float *x, int lanes, float *restrict to) {
  for (int i = 0; i < lanes; i += 4) {
    v4f four;
    memcpy(&four, x + i, 16);
#if defined(__clang__)
    // Unlike sqrtf, which sets errno, this is one instruction.
    four = __builtin_elementwise_sqrt(four);
#else
    for (int k = 0; k < 4; k++) four[k] = sqrtf(four[k]);
#endif
    memcpy(to + i, &four, 16);
  }
}

/// Applies an expression of the operands `a`, `b`, `c` to all lanes.
#define EACH(expression)                          \
  for (int i = 0; i < lanes; i++) {               \
    float a = A[i], b = B[i], c = C[i];           \
    (void)a, (void)b, (void)c;                    \
    to[i] = (expression);                         \
  }                                               \
  break

/// Executes instructions for `lanes` pixels, a constant, so that the loops are unrolled.
INLINE void execute(const run *r, int first, int end, int lanes) {
  for (int k = first; k < end; k++) {
    const scene_instruction code = r->program->code[k];
    // No instruction writes one of its operands.
    float *restrict to = r->registers + (int64_t)code.target * LANES;
    const float *A = read(r, code.a), *B = read(r, code.b), *C = read(r, code.c);
    switch (code.operation) {
    case SCENE_PIXEL_X: case SCENE_PIXEL_Y: case SCENE_PIXEL_WIDTH:
      locate(r, code.operation, lanes, to);
      break;
    case SCENE_INPUT: take(r, code.index, lanes, to); break;
    case SCENE_LOAD: load(r, r->program->layers + code.index, lanes, to); break;
    case SCENE_SAMPLE: sample(r->program->layers + code.index, A, B, lanes, to); break;
    case SCENE_TABLE_ENTRY:
      look_up(r->program->tables + (int64_t)code.index * (SCENE_TABLE + 1), A, lanes, to);
      break;
    case SCENE_ADD: EACH(a + b);
    case SCENE_SUBTRACT: EACH(a - b);
    case SCENE_MULTIPLY: EACH(a * b);
    case SCENE_DIVIDE: EACH(a / b);
    case SCENE_NEGATE: EACH(-a);
    case SCENE_ABSOLUTE: EACH(absolute(a));
    case SCENE_MINIMUM: EACH(least(a, b));
    case SCENE_MAXIMUM: EACH(most(a, b));
    case SCENE_FLOOR: EACH(floorf(a));
    case SCENE_CEILING: EACH(ceilf(a));
    case SCENE_ROUND: EACH(rounds(a));
    case SCENE_SQUARE_ROOT: square_roots(A, lanes, to); break;
    case SCENE_POWER: EACH(power(a, b));
    case SCENE_MODULO: EACH(modulo(a, b));
    case SCENE_EXPONENTIAL: EACH(power_of_two(a * 1.4426950408889634f));
    case SCENE_LOGARITHM: EACH(logarithm(a) * 0.6931471805599453f);
    case SCENE_SINE: EACH(sine(a));
    case SCENE_COSINE: EACH(sine(a + 90.0f));
    case SCENE_ARC_TANGENT: EACH(direction(a, b));
    case SCENE_LESS: EACH(truth(a < b));
    case SCENE_LESS_OR_EQUAL: EACH(truth(a <= b));
    case SCENE_EQUAL: EACH(truth(a == b));
    case SCENE_AND: EACH(truth((a != 0) & (b != 0)));
    case SCENE_OR: EACH(truth((a != 0) | (b != 0)));
    case SCENE_NOT: EACH(truth(a == 0));
    case SCENE_SELECT: EACH(a != 0 ? b : c);
    case SCENE_NOISE: EACH(noise(a, b, c));
    case SCENE_RANDOM: EACH(chance(a, b, c));
    case SCENE_TO_LINEAR: EACH(to_linear(a));
    case SCENE_FROM_LINEAR: EACH(from_linear(a));
    case SCENE_CUBE_ROOT: EACH(cube_root(a));
    default: break;
    }
  }
}

SCENE_FAST static void execute_many(const run *r, int first, int end) { execute(r, first, end, LANES); }

SCENE_FAST static void execute_few(const run *r, int first, int end) { execute(r, first, end, FEW_LANES); }

/// Returns a channel in `0...1`; NaN is 0.
INLINE float unit(float x) {
  float positive = x > 0 ? x : 0;
  return positive < 1 ? positive : 1;
}

/// Composites the color registers, as premultiplied pixels, onto those of `below`, if any.
SCENE_FAST static void store(const run *r, scene_pixels below, int lanes) {
  int count = r->program->part.x1 - r->column;
  if (count > lanes) count = lanes;
  uint32_t *line = (uint32_t *)(r->out.bytes + (int64_t)r->row * r->out.stride) + r->column;
  const uint32_t *under =
      below.bytes ? (const uint32_t *)(below.bytes + (int64_t)r->row * below.stride) + r->column : NULL;
  const uint8_t *pattern = bayer[r->y & 7];
  const float *red = read(r, r->program->color[0]), *green = read(r, r->program->color[1]);
  const float *blue = read(r, r->program->color[2]), *alpha = read(r, r->program->color[3]);
  for (int i = 0; i < count; i++) {
    float opacity = unit(alpha[i]) * r->program->opacity, scale = opacity * 255.0f;
    v4f color = {unit(blue[i]) * scale, unit(green[i]) * scale, unit(red[i]) * scale, scale};
    if (under && under[i]) color += unpack(under[i]) * (1.0f - opacity);
    line[i] = pack(color, threshold(pattern[(r->x + i) & 7]));
  }
}

/// Returns cleared registers, followed by the numbers; `NULL` if out of memory.
static float *registers_of(const scene_program *program) {
  size_t count = (size_t)program->registers + (size_t)program->number_count + 1;
  float *memory = aligned_alloc(64, count * LANES * sizeof(float));
  if (!memory) return NULL;
  memset(memory, 0, count * LANES * sizeof(float));
  for (int n = 0; n < program->number_count; n++) {
    float *to = memory + (int64_t)(program->registers + n) * LANES;
    for (int i = 0; i < LANES; i++) to[i] = program->numbers[n];
  }
  return memory;
}

int scene_run_lanes(const scene_program *program, const scene_lanes *lanes) {
  float *memory = registers_of(program);
  if (!memory) return 0;
  run r = {.program = program, .registers = memory, .lanes = lanes};
  for (; r.column < lanes->count; r.column += LANES) {
    int rest = lanes->count - r.column;
    execute_many(&r, 0, program->count);
    for (int slot = 0; slot < lanes->slot_count; slot++) {
      float *to = lanes->outputs + (int64_t)slot * lanes->count + r.column;
      memcpy(to, read(&r, lanes->slots[slot]), sizeof(float) * (size_t)(rest < LANES ? rest : LANES));
    }
  }
  free(memory);
  return 1;
}

int scene_run_program(scene_pixels out, scene_pixels below, int x, int y, const scene_program *program) {
  float *memory = registers_of(program);
  if (!memory) return 0;
  // Without rotation, y is the same for all pixels of a row.
  const scene_projection m = program->inverse;
  int row_count = is_affine(m) && m.b == 0 ? program->row_count : 0;
  const scene_part part = program->part;
  for (int row = part.y0; row < part.y1; row++) {
    run r = {program, out, memory, 0, row, x, y + row, NULL};
    (part.x1 - part.x0 > FEW_LANES ? execute_many : execute_few)(&r, 0, row_count);
    for (int column = part.x0, lanes = LANES; column < part.x1; column += lanes) {
      // Narrow parts and the ends of rows are computed in shorter runs, which saves unused lanes.
      lanes = part.x1 - column > LANES / 2 ? LANES : FEW_LANES;
      r.column = column;
      r.x = x + column;
      (lanes == LANES ? execute_many : execute_few)(&r, row_count, program->count);
      store(&r, below, lanes);
    }
  }
  free(memory);
  return 1;
}
