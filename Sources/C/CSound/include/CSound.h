// SPDX-License-Identifier: MIT
#ifndef SCENE_CSOUND_H
#define SCENE_CSOUND_H
#include <stdint.h>

/// Resamples `in`. For each of `count` outputs, `taps` samples from `first[i]` on are weighted with
/// a row of the table and with the next one, and the results are interpolated by `share[i]`.
///
/// `taps` is a multiple of 8. Sums are accumulated in eight lanes on all processors, so the result
/// is bit-exact.
void scene_resample(
    const float *in, const int32_t *first, const int32_t *row, const float *share, int32_t count,
    const float *table, int32_t taps, float *out);

/// Returns the maximum absolute value of `count` samples and of three interpolated points after
/// each. `table` contains the weights of the points, `taps` each. The first sample is `in[taps / 2
/// - 1]`; `count` is a multiple of 8.
float scene_true_peak(const float *in, int32_t count, const float *table, int32_t taps);
#endif
