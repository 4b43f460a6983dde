// SPDX-License-Identifier: MIT
#ifndef SCENE_CSTRETCH_H
#define SCENE_CSTRETCH_H
#include <rubberband/rubberband-c.h>
#include <stdlib.h>

// Safe to call: what such a function is given beside plain values and texts is kept alive by its owner;
// it checks what is an index, and frees nothing.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

// Its finer engine, on one thread, for sound that is there as a whole; `ratio` is the new length for
// each old one.
static inline RubberBandState scene_stretcher(int rate, int channels, double ratio, int64_t count) {
  int options = RubberBandOptionProcessOffline | RubberBandOptionThreadingNever
    | RubberBandOptionEngineFiner | RubberBandOptionChannelsTogether;
  RubberBandState it = rubberband_new((unsigned)rate, (unsigned)channels, options, ratio, 1);
  if (it) rubberband_set_expected_input_duration(it, (unsigned)count);
  return it;
}

// Memory for as many samples of each channel, one channel after the other; NULL when there is none.
static inline float **scene_channels(int channels, int count) {
  float **rows = malloc(sizeof *rows * (size_t)channels + sizeof **rows * (size_t)channels * (size_t)count);
  if (!rows) return NULL;
  for (int channel = 0; channel < channels; channel++)
    rows[channel] = (float *)(rows + channels) + (size_t)channel * (size_t)count;
  return rows;
}

// Takes interleaved samples; 0 without memory.
static inline int scene_stretch(
    RubberBandState it, const float *samples, int count, int channels, int is_last) {
  float **rows = scene_channels(channels, count);
  if (!rows) return 0;
  for (int k = 0; k < count; k++)
    for (int channel = 0; channel < channels; channel++)
      rows[channel][k] = samples[(size_t)k * (size_t)channels + (size_t)channel];
  rubberband_process(it, (const float *const *)rows, (unsigned)count, is_last);
  free(rows);
  return 1;
}

// Gives up to `count` interleaved samples, and how many they are.
static inline int scene_stretched(RubberBandState it, float *samples, int count, int channels) {
  float **rows = scene_channels(channels, count);
  if (!rows) return 0;
  int got = (int)rubberband_retrieve(it, rows, (unsigned)count);
  for (int k = 0; k < got; k++)
    for (int channel = 0; channel < channels; channel++)
      samples[(size_t)k * (size_t)channels + (size_t)channel] = rows[channel][k];
  free(rows);
  return got;
}

// Of the library, the same.
#define SCENE_ALSO(function) extern __typeof__(function) function SCENE_SAFE
SCENE_ALSO(rubberband_available);
#undef SCENE_ALSO
#endif
