// SPDX-License-Identifier: MIT
// Prints digests of the results of the pixel kernels that use floating-point arithmetic. They must
// be equal for all compilers, optimization levels and instruction sets.
#include "CPixels.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 96 };

static uint64_t state = 0x9E3779B97F4A7C15u;

static uint32_t chance(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33);
}

static double number(double low, double high) { return low + (high - low) * chance() / 0x1p31; }

static scene_pixels make(void) {
  scene_pixels p = {calloc(SIDE * SIDE, 4), SIDE * 4, SIDE, SIDE};
  return p;
}

static scene_pixels noise(void) {
  scene_pixels p = make();
  for (int i = 0; i < SIDE * SIDE; i++) {
    uint8_t *at = p.bytes + 4 * i;
    at[3] = (uint8_t)(chance() & 255);
    for (int c = 0; c < 3; c++) at[c] = (uint8_t)(chance() % (at[3] + 1u));
  }
  return p;
}

static uint64_t digest(scene_pixels p, uint64_t hash) {
  for (int i = 0; i < SIDE * SIDE * 4; i++) hash = (hash ^ p.bytes[i]) * 0x100000001B3u;
  return hash;
}

static scene_projection projection(void) {
  scene_projection m = {number(0.2, 2), number(-1, 1), number(-1, 1), number(0.2, 2), number(-40, 40),
                        number(-40, 40), number(-0.002, 0.002), number(-0.002, 0.002), 1};
  return m;
}

/// Runs an operation on functions of the position and on special values.
static uint64_t program(int operation) {
  uint64_t hash = 0xCBF29CE484222325u;
  scene_pixels source = noise(), out = make(), none = {0};
  float table[SCENE_TABLE + 1];
  for (int i = 0; i <= SCENE_TABLE; i++) table[i] = sinf((float)i * 0.01f);
  const float special[] = {0, -0.0f, 1, -1, 0.5f, 1e-30f, 3e9f, -3e9f, 1e38f, INFINITY, -INFINITY, NAN};
  for (int round = 0; round < 40; round++) {
    float numbers[8] = {0, (float)number(-9, 9), (float)number(-0.1, 0.1), (float)number(0, 400),
                        special[chance() % 12], special[chance() % 12], 0.02f, 0.5f};
    // r0 = x, r1 = y, r2 = x * n2, r3 = r2 + n1, r4 = y * n6, then the operation on two of them, r8 = the fraction.
    scene_instruction code[] = {
      {SCENE_PIXEL_X, 0, -1, -1, -1, 0}, {SCENE_PIXEL_Y, 1, -1, -1, -1, 0},
      {SCENE_MULTIPLY, 2, 0, -3, -1, 0}, {SCENE_ADD, 3, 2, -2, -1, 0}, {SCENE_MULTIPLY, 4, 1, -7, -1, 0},
      {operation, 9, round % 4 == 3 ? -5 : 3, round % 8 == 5 ? -6 : 4, round % 2 ? 2 : -4, 0},
      {SCENE_FLOOR, 5, 9, -1, -1, 0}, {SCENE_SUBTRACT, 8, 9, 5, -1, 0},
    };
    scene_layer layer = {source, {1, 0, 0, 1, 0, 0, 0, 0, 1}, round & 1};
    scene_program p = {code, 8, 0, 16, numbers, 8, table, &layer, projection(), {8, 9, 4, -8}, 1};
    if (round & 1) p.inverse = (scene_projection){1.5, 0, 0, 1.5, -7, 3, 0, 0, 1};
    if (!scene_run_program(out, round & 2 ? source : none, round, 3 * round, &p)) exit(1);
    hash = digest(out, hash);
  }
  free(source.bytes);
  free(out.bytes);
  return hash;
}

/// Layers in both kinds of light: pixels, blurs, and pixels above shadows, on pixels with and without
/// alpha.
static uint64_t layers(int is_linear) {
  uint64_t hash = 0;
  scene_pixels own = noise(), mask = noise(), out = noise();
  for (int round = 0; round < 64; round++) {
    scene_layered layer = {.mode = round & 3, .is_linear = is_linear, .x = round, .y = 3 * round,
                           .is_dithered = round & 1, .is_opaque = round >> 2 & 1,
                           .by_luminance = round & 1, .is_inverted = round >> 1 & 1,
                           .is_tinted = round >> 3 & 1, .tint = {0.8f, 0.3f, 0.1f, 0.7f},
                           .opacity = round % 5 ? (float)number(0, 1) : 1};
    if (round % 3 != 1) layer.own = own;
    if (round % 4 == 2) layer.mask = mask;
    if (round % 3) {
      layer.blurred = (scene_blurred){.x = round, .y = 3 * round, .is_linear = is_linear};
      double x = number(0, 20), y = number(0, 20);
      if (!scene_blur_reduced_bgra(own, x, y, &layer.blurred)) exit(1);
    }
    if (!scene_composite_layer(out, 0, 0, &layer)) exit(1);
    hash = digest(out, hash);
    if (!layer.blurred.values) continue;
    if (!scene_settle_blurred(layer.blurred, out)) exit(1);
    hash = digest(out, hash);
    free(layer.blurred.values);
  }
  free(own.bytes), free(mask.bytes), free(out.bytes);
  return hash;
}

int main(void) {
  for (int operation = SCENE_PIXEL_X; operation <= SCENE_CUBE_ROOT; operation++) {
    printf("operation %d %016llx\n", operation, (unsigned long long)program(operation));
  }
  uint64_t warped = 0, filled = 0;
  scene_pixels source = noise(), out = make(), none = {0};
  float colors[(256 + 2) * 4];
  for (int i = 0; i < 258 * 4; i++) colors[i] = (float)number(0, 1);
  for (int round = 0; round < 60; round++) {
    if (!scene_warp_bgra(out, round, 2 * round, source, projection())) return 1;
    warped = digest(out, warped);
    scene_gradient gradient = {round % 3, 256, projection(), round >> 1 & 1, round >> 2 & 3, round >> 4 & 1};
    for (int i = 0; i < 6; i++) (&gradient.inverse.a)[i] /= SIDE;
    scene_gradient_bgra(out, round & 1 ? source : none, round, 2 * round, gradient, colors);
    filled = digest(out, filled);
  }
  uint64_t reduced = 0;
  for (int round = 0; round < 40; round++) {
    uint16_t linear[256], sums[4 * SIDE];
    for (int i = 0; i < 256; i++) linear[i] = (uint16_t)(i * 257);
    scene_pixels part = noise();
    part.width = SIDE - round, part.height = SIDE - 2 * (round % 7);
    if (round & 1)
      for (int i = 0; i < SIDE * SIDE; i++) part.bytes[4 * i] /= 8, part.bytes[4 * i + 1] /= 8;
    uint8_t cells[2][SIDE * SIDE] = {{0}};
    scene_flash_grid grid = {cells[0], cells[1], linear, 1 + round / 2, 1 + round % 9};
    if (!scene_reduce_to_flash_grid(part, grid, sums)) return 1;
    for (int i = 0; i < 2 * SIDE * SIDE; i++) reduced = (reduced ^ cells[0][i]) * 0x100000001B3u;
    free(part.bytes);
  }
  printf("flash grid %016llx\n", (unsigned long long)reduced);
  printf("warp %016llx\ngradient %016llx\n", (unsigned long long)warped, (unsigned long long)filled);
  for (int light = 0; light < 2; light++)
    printf("layers %d %016llx\n", light, (unsigned long long)layers(light));
  return 0;
}
