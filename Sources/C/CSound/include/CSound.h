// SPDX-License-Identifier: MIT
#ifndef SCENE_CSOUND_H
#define SCENE_CSOUND_H
#include <stdint.h>

/// The samples that determine an output, starting at `first`. They are weighted with `row` of the
/// table and with the next row; `share` is the weight of the next row's sum in the result.
typedef struct {
  int32_t first, row;
  float share;
} scene_resample_point;

/// Resamples `in`. Each of `count` outputs is computed from `taps` samples.
///
/// `taps` is a multiple of 8. Sums are accumulated in eight lanes on all processors, so the result
/// is bit-exact.
void scene_resample(
    const float *in, const scene_resample_point *points, int32_t count, const float *table, int32_t taps,
    float *out);

/// Returns the maximum absolute value of `count` samples and of three interpolated points after
/// each. `table` contains the weights of the points, `taps` each. The first sample is `in[taps / 2
/// - 1]`; `count` is a multiple of 8.
float scene_true_peak(const float *in, int32_t count, const float *table, int32_t taps);
#endif
