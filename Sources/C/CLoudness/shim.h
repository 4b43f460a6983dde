// SPDX-License-Identifier: MIT
#ifndef SCENE_CLOUDNESS_H
#define SCENE_CLOUDNESS_H
#include <ebur128.h>
#include <math.h>

// Safe to call: the owner keeps all objects alive that are passed in addition to plain values and
// strings. The function validates indices and frees nothing.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

// Creates a meter of integrated loudness and true peak.
static inline ebur128_state *scene_loudness_meter(unsigned channels, unsigned long rate) {
  return ebur128_init(channels, rate, EBUR128_MODE_I | EBUR128_MODE_TRUE_PEAK);
}
static inline void scene_loudness_end(ebur128_state *meter) { ebur128_destroy(&meter); }
SCENE_SAFE static inline double scene_loudness(ebur128_state *meter) {
  double loudness = -HUGE_VAL;
  ebur128_loudness_global(meter, &loudness);
  return loudness;
}
SCENE_SAFE static inline double scene_true_peak_of(ebur128_state *meter, unsigned channel) {
  double peak = 0;
  ebur128_true_peak(meter, channel, &peak);
  return peak;
}
SCENE_SAFE static inline double scene_latest_true_peak_of(ebur128_state *meter, unsigned channel) {
  double peak = 0;
  ebur128_prev_true_peak(meter, channel, &peak);
  return peak;
}
#endif
