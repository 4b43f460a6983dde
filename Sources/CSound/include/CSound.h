// SPDX-License-Identifier: MIT
#ifndef SCENE_CSOUND_H
#define SCENE_CSOUND_H
#include <stdint.h>

/// Samples between those of `in`: for each of `count`, from `first[i]` on, as many as there are taps
/// are weighed by a row of the table and by the next one, and `share[i]` lies between the two sums.
///
/// `taps` is a multiple of 8. Sums are kept in eight lanes whatever the processor has, so that the
/// bits are the same everywhere.
void scene_resample(
    const float *in, const int32_t *first, const int32_t *row, const float *share, int32_t count,
    const float *table, int32_t taps, float *out);

/// The greatest absolute value of `count` samples, and of the three points between each and the next
/// that `table` gives with so many taps each. The first sample is `in[taps / 2 - 1]`; `count` is a
/// multiple of 8.
float scene_true_peak(const float *in, int32_t count, const float *table, int32_t taps);
#endif
