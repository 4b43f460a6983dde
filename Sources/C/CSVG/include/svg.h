// SPDX-License-Identifier: MIT
#ifndef SCENE_CSVG_H
#define SCENE_CSVG_H
#include <stddef.h>
#include <stdint.h>

// librsvg, loaded at the first SVG, because loading its fifty libraries takes longer than decoding
// a photograph.

/// Loads librsvg and the list of fonts; returns 0 on success.
int scene_svg_load(void);

/// Stores the folders of fonts and of the font configuration and cache; returns their number.
size_t scene_svg_folders(const char **folders, size_t room);

// Safe to call: the function takes strings, arrays with their sizes and plain values. It retains
// and frees nothing.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

/// Returns the size in pixels; without a size, that of the view box. Returns 0 on success; otherwise
/// `why` has the reason.
SCENE_SAFE int scene_svg_size(const uint8_t *bytes, size_t count, double *width, double *height, char *why, size_t room);

/// Rows of premultiplied BGRA pixels. The stride is in bytes.
typedef struct {
  uint8_t *bytes;
  int width, height, stride;
} scene_svg_pixels;

/// Draws an SVG: all of it, or the elements in `ids` in order, which are separated by spaces and
/// start with '#'. Returns 0 on success.
int scene_svg_draw(
    const uint8_t *bytes, size_t count, const char *ids, scene_svg_pixels out, char *why, size_t room);

// The following functions share one result buffer, since the process reads only one file.

/// Parses XML with libxml2, which is a dependency of librsvg. The result is a sequence of
/// null-terminated strings: "E", a name, "1" for an SVG element, and its line; "A", a name and a
/// value; "X" for the end of an element; "T" and a text; "P" and the two parts of a processing
/// instruction. Returns 0 on success.
SCENE_SAFE int scene_xml_read(const uint8_t *bytes, size_t count);

/// Opens the SVG whose elements are traced, with a view size in pixels. Returns 0 on success.
SCENE_SAFE int scene_svg_open(const uint8_t *bytes, size_t count, double width, double height);

/// Traces one element, whose id follows '#'. The result is an SVG written by Cairo, enlarged by
/// SCENE_SVG_SCALE. Returns 0 on success.
SCENE_SAFE int scene_svg_trace(const char *id);
enum { SCENE_SVG_SCALE = 64 };

/// Stores the ink bounds of one element: x, y, width, height. Returns 0 on success.
SCENE_SAFE int scene_svg_ink(const char *id, double *box);

/// Copies the result and returns its size in bytes.
SCENE_SAFE size_t scene_svg_result(uint8_t *bytes, size_t room);
#endif
