// SPDX-License-Identifier: MIT
#ifndef SCENE_HIGH_RANGE_H
#define SCENE_HIGH_RANGE_H
#include "CPixels.h"

enum { LIGHT_STEPS = 4096, LIGHT_OCTAVES = 26 };

/// What turns R'G'B' of high dynamic range into that of an ordinary display. Tables by light have
/// so many entries for each octave, from 2^-20 of white to 64 times white.
typedef struct {
  /// Light of R', G' or B' as it was recorded, 1 for white.
  float light[LIGHT_STEPS];
  /// Factor by the luminance that was recorded: what a display adds (HLG).
  float system[LIGHT_OCTAVES * 128];
  /// Factor by the greatest of red, green and blue: what brings highlights below white.
  float roll[LIGHT_OCTAVES * 128];
  /// R', G' or B' of an ordinary display.
  uint8_t shown[LIGHT_OCTAVES * 256];
} scene_light;

void scene_light_make(scene_light *it, int transfer, double peak);

/// One row, opaque, from samples of Y in steps of the picture and of Cb and Cr in 16ths of one.
void scene_light_row(
    const scene_light *it, const scene_decoded *in, const int16_t *y, const int16_t *u,
    const int16_t *v, uint32_t *out);
#endif
