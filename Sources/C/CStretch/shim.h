// SPDX-License-Identifier: MIT
#ifndef SCENE_CSTRETCH_H
#define SCENE_CSTRETCH_H
#include <rubberband/rubberband-c.h>
#include <stdlib.h>

// Safe to call: the owner keeps all objects alive that are passed in addition to plain values and
// strings. The function validates indices and frees nothing.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

// Creates a stretcher with the finer engine on one thread, for audio of known length. `ratio` is
// the ratio of output to input length.
static inline RubberBandState scene_stretcher(int rate, int channels, double ratio, int64_t count) {
  int options = RubberBandOptionProcessOffline | RubberBandOptionThreadingNever
    | RubberBandOptionEngineFiner | RubberBandOptionChannelsTogether;
  RubberBandState it = rubberband_new((unsigned)rate, (unsigned)channels, options, ratio, 1);
  if (it) rubberband_set_expected_input_duration(it, (unsigned)count);
  return it;
}

// Allocates `count` samples per channel, stored by channel; returns NULL if out of memory.
static inline float **scene_channels(int channels, int count) {
  float **rows = malloc(sizeof *rows * (size_t)channels + sizeof **rows * (size_t)channels * (size_t)count);
  if (!rows) return NULL;
  for (int channel = 0; channel < channels; channel++)
    rows[channel] = (float *)(rows + channels) + (size_t)channel * (size_t)count;
  return rows;
}

// Consumes interleaved samples; returns 0 if out of memory.
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

// Stores up to `count` interleaved samples and returns their number.
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

// Library functions to which SCENE_SAFE also applies.
#define SCENE_ALSO(function) extern __typeof__(function) function SCENE_SAFE
SCENE_ALSO(rubberband_available);
#undef SCENE_ALSO
#endif
