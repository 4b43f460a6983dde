// SPDX-License-Identifier: MIT
#ifndef SCENE_CLOUDNESS_H
#define SCENE_CLOUDNESS_H
#include <ebur128.h>

// Integrated loudness and true peak.
static inline int scene_loudness_mode(void) { return EBUR128_MODE_I | EBUR128_MODE_TRUE_PEAK; }
#endif
