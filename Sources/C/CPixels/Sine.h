// SPDX-License-Identifier: MIT
// A sine that every machine and compiler computes the same.
#pragma once
#include <math.h>

#pragma STDC FP_CONTRACT OFF

/// Returns the sine of an angle in degrees, exact at multiples of 180. A polynomial on -90...90 with an
/// error below 1e-7.
static inline __attribute__((always_inline)) float sine(float degrees) {
  float turns = floorf(degrees * (1.0f / 180) + 0.5f);
  float x = (degrees - turns * 180.0f) * 0.017453292519943295f;
  float s = x * x;
  float y = x + x * s * (-1.6666667e-1f + s * (8.3333310e-3f + s * (-1.9840874e-4f + s * (2.7525562e-6f + s * -2.3889859e-8f))));
  // An odd number of half turns changes the sign.
  float half = turns * 0.5f;
  return floorf(half) == half ? y : -y;
}
