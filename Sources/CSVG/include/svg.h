// SPDX-License-Identifier: MIT
#ifndef SCENE_CSVG_H
#define SCENE_CSVG_H
#include <stddef.h>
#include <stdint.h>

// librsvg, loaded at the first SVG: its fifty libraries take longer to load than a photograph to
// decode.

/// Loads it and reads the list of fonts; 0 when it is there.
int scene_svg_load(void);

/// The folders of fonts and of what is known of them; answers how many there are.
size_t scene_svg_folders(const char **folders, size_t room);

// Safe to call: it takes whole arrays and plain values, and keeps none of them.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

/// The size in pixels; that of the view box without one. 0 when done, else `why` has the reason.
SCENE_SAFE int scene_svg_size(const uint8_t *bytes, size_t count, double *width, double *height, char *why, size_t room);

/// Draws the whole SVG into premultiplied BGRA. 0 when done.
int scene_svg_draw(
    const uint8_t *bytes, size_t count, uint8_t *bgra, int width, int height, int stride, char *why, size_t room);
#endif
