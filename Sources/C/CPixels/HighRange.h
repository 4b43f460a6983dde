// SPDX-License-Identifier: MIT
#ifndef SCENE_HIGH_RANGE_H
#define SCENE_HIGH_RANGE_H
#include "CPixels.h"

enum { LIGHT_STEPS = 4096, LIGHT_OCTAVES = 26 };

/// The tables for tone mapping R'G'B' of high dynamic range to SDR. Tables indexed by light have a
/// fixed number of entries per octave, from 2^-20 to 64 times white.
typedef struct {
  /// The recorded light of R', G' or B', with white at 1.
  float light[LIGHT_STEPS];
  /// The factor of the system gamma (HLG), indexed by recorded luminance.
  float system[LIGHT_OCTAVES * 128];
  /// The factor of the roll-off, indexed by the maximum of red, green and blue.
  float roll[LIGHT_OCTAVES * 128];
  /// The R', G' or B' value of an SDR display.
  uint8_t shown[LIGHT_OCTAVES * 256];
} scene_light;

void scene_light_make(scene_light *it, int transfer, double peak);

/// Converts one row to opaque pixels. Y is in steps of the frame, Cb and Cr are in 1/16 steps.
void scene_light_row(
    const scene_light *it, const scene_decoded *in, const int16_t *y, const int16_t *u,
    const int16_t *v, uint32_t *out);
#endif
