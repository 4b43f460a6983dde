// SPDX-License-Identifier: MIT
// Conversion of colors to 8 bits by ordered dithering.
#pragma once
#include <stdint.h>
#include <string.h>

typedef float v4f __attribute__((vector_size(16)));

/// The pattern of B. E. Bayer (1973), 0 to 63, by the position on the device modulo 8.
static const uint8_t bayer[8][8] = {
    {0, 32, 8, 40, 2, 34, 10, 42},  {48, 16, 56, 24, 50, 18, 58, 26},
    {12, 44, 4, 36, 14, 46, 6, 38}, {60, 28, 52, 20, 62, 30, 54, 22},
    {3, 35, 11, 43, 1, 33, 9, 41},  {51, 19, 59, 27, 49, 17, 57, 25},
    {15, 47, 7, 39, 13, 45, 5, 37}, {63, 31, 55, 23, 61, 29, 53, 21}};

/// Returns the addend before truncation. Half a step of dither hides banding and costs an encoder a
/// third as many bits as a full step.
static inline float threshold(uint8_t entry) { return 0.5f + ((float)entry - 31.5f) / 128; }

/// Converts a pixel to channels in 0...255.
static inline v4f unpack(uint32_t pixel) {
  typedef uint8_t v4b __attribute__((vector_size(4)));
  v4b bytes;
  memcpy(&bytes, &pixel, 4);
  return __builtin_convertvector(bytes, v4f);
}

/// Converts channels in 0...255 to a pixel.
static inline uint32_t pack(v4f color, float threshold) {
  typedef int32_t v4i __attribute__((vector_size(16)));
  typedef uint8_t v4b __attribute__((vector_size(4)));
  v4b bytes = __builtin_convertvector(__builtin_convertvector(color + threshold, v4i), v4b);
  uint32_t pixel;
  memcpy(&pixel, &bytes, 4);
  return pixel;
}
