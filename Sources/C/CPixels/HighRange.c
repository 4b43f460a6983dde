// SPDX-License-Identifier: MIT
// Tone mapping of high-dynamic-range frames to SDR: ITU-R BT.2100-2 (PQ, HLG), the roll-off of
// BT.2390-10 to a white of 203 cd/m² (BT.2408-5), then BT.2020 to BT.709 and BT.1886.
#include "HighRange.h"
#include <math.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

static const double WHITE = 203, HLG_PEAK = 1000;

/// Converts a PQ value to cd/m²; `to_pq` is the inverse.
static double from_pq(double value) {
  double p = pow(fmax(value, 0), 32 / 2523.0);
  double above = fmax(p - 3424 / 4096.0, 0);
  return 10000 * pow(above / (2413 / 128.0 - 2392 / 128.0 * p), 8192 / 1305.0);
}

static double to_pq(double light) {
  double y = pow(light / 10000, 1305 / 8192.0);
  return pow((3424 / 4096.0 + 2413 / 128.0 * y) / (1 + 2392 / 128.0 * y), 2523 / 32.0);
}

/// Converts an HLG value to scene light in 0 to 1.
static double from_hlg(double value) {
  double a = 0.17883277, b = 1 - 4 * a, c = 0.5 - a * log(4 * a);
  return value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12;
}

/// Applies the roll-off to a luminance in cd/m² that was mastered for a display with the luminance
/// `peak`.
static double rolled_off(double light, double peak) {
  if (peak <= WHITE) return fmin(light, WHITE);
  double top = to_pq(peak), white = to_pq(WHITE) / top, value = fmin(1, to_pq(light) / top);
  double knee = 1.5 * white - 0.5;
  if (value < knee) return light;
  double t = (value - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
  return from_pq(top
      * ((2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * white));
}

/// Returns the center of an entry in a table indexed by light.
static double light_at(int entry, int each) {
  return ldexp(1 + (entry % each + 0.5) / each, entry / each - 20);
}

void scene_light_make(scene_light *it, int transfer, double peak) {
  int is_hlg = transfer == SCENE_HLG;
  if (is_hlg) peak = HLG_PEAK;
  for (int i = 0; i < LIGHT_STEPS; i++) {
    double value = i / (LIGHT_STEPS - 1.0);
    it->light[i] = (float)((is_hlg ? from_hlg(value) * HLG_PEAK : from_pq(value)) / WHITE);
  }
  for (int i = 0; i < LIGHT_OCTAVES * 128; i++) {
    double light = light_at(i, 128);
    it->system[i] = is_hlg ? (float)pow(light * WHITE / HLG_PEAK, 0.2) : 1;
    it->roll[i] = (float)(rolled_off(light * WHITE, peak) / WHITE / light);
  }
  for (int i = 0; i < LIGHT_OCTAVES * 256; i++)
    it->shown[i] = (uint8_t)(255 * pow(fmin(1, light_at(i, 256)), 1 / 2.4) + 0.5);
}

/// Returns the entry in a table with `1 << bits` entries per octave.
static inline int entry(float light, int bits) {
  light = light < 0x1p-20f ? 0x1p-20f : light > 0x1.fffp5f ? 0x1.fffp5f : light;
  uint32_t number;
  memcpy(&number, &light, sizeof number);
  return (int)(number >> (23 - bits)) - ((127 - 20) << bits);
}

static inline float lower(float a, float b) { return a < b ? a : b; }
static inline float higher(float a, float b) { return a > b ? a : b; }

/// Returns the fraction of the saturation that keeps a component in gamut, relative to the gray of
/// the same luminance.
static inline float kept(float value, float grey) {
  if (value < 0) return grey / (grey - value);
  return value > 1 ? (1 - grey) / (value - grey) : 1;
}

SCENE_FAST void scene_light_row(
    const scene_light *it, const scene_decoded *in, const int16_t *y, const int16_t *u,
    const int16_t *v, uint32_t *out) {
  const float step = (LIGHT_STEPS - 1) / (255.0f * (1 << 20)), most = LIGHT_STEPS - 1;
  for (int x = 0; x < in->width; x++) {
    float luma = (float)((y[x] - in->black) * in->luma);
    float red = luma + (float)(in->red_v * v[x]);
    float green = luma - (float)(in->green_u * u[x]) - (float)(in->green_v * v[x]);
    float blue = luma + (float)(in->blue_u * u[x]);
    float r = it->light[(int)(lower(higher(red * step, 0), most) + 0.5f)];
    float g = it->light[(int)(lower(higher(green * step, 0), most) + 0.5f)];
    float b = it->light[(int)(lower(higher(blue * step, 0), most) + 0.5f)];
    float gain = it->system[entry(0.2627f * r + 0.6780f * g + 0.0593f * b, 7)];
    gain *= it->roll[entry(gain * higher(r, higher(g, b)), 7)];
    r *= gain, g *= gain, b *= gain;
    float grey = lower(1, 0.2627f * r + 0.6780f * g + 0.0593f * b);
    // BT.2087-0: converts the primaries of BT.2020 to those of BT.709.
    float r709 = 1.66049f * r - 0.58764f * g - 0.07285f * b;
    float g709 = -0.12455f * r + 1.13290f * g - 0.00835f * b;
    float b709 = -0.01815f * r - 0.10058f * g + 1.11873f * b;
    float share = lower(kept(r709, grey), lower(kept(g709, grey), kept(b709, grey)));
    uint32_t shown_r = it->shown[entry(grey + (r709 - grey) * share, 8)];
    uint32_t shown_g = it->shown[entry(grey + (g709 - grey) * share, 8)];
    uint32_t shown_b = it->shown[entry(grey + (b709 - grey) * share, 8)];
    out[x] = 0xff000000u | shown_r << 16 | shown_g << 8 | shown_b;
  }
}
