// SPDX-License-Identifier: MIT
#include "Light.h"
#include <math.h>
#include <pthread.h>

static light_tables tables;

/// Rounds the values to a fixed number of binary digits, so that all machines compute the same tables.
static void make_tables(void) {
  for (int i = 0; i <= LIGHT_STEPS; i++) {
    double s = (double)i / LIGHT_STEPS;
    double l = s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
    tables.linear[i] = (float)(floor(l * 255 * 65536 + 0.5) / 65536);
  }
  for (int i = 0; i < 256; i++) {
    tables.whole[i] = tables.linear[16 * i];
    tables.light[i] = (uint16_t)(tables.whole[i] * 128 + 0.5f);
  }
  for (int i = 0; i < 65536; i++) {
    double l = i / 65535.0;
    double s = l <= 0.0031308 ? l * 12.92 : 1.055 * pow(l, 1 / 2.4) - 0.055;
    tables.srgb[i] = (uint16_t)(s * 255 * 128 + 0.5);
    tables.rounded[i] = (uint8_t)((tables.srgb[i] + 64) >> 7);
  }
}

const light_tables *light(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_tables);
  return &tables;
}
