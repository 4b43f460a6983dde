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

// Safe to call: what takes texts, whole arrays and plain values, keeps none of them and frees nothing.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

/// The size in pixels; that of the view box without one. 0 when done, else `why` has the reason.
SCENE_SAFE int scene_svg_size(const uint8_t *bytes, size_t count, double *width, double *height, char *why, size_t room);

/// Draws an SVG into premultiplied BGRA: all of it, or of `ids`, which are apart by spaces and begin
/// with '#', one after another. 0 when done.
int scene_svg_draw(
    const uint8_t *bytes, size_t count, const char *ids, uint8_t *bgra, int width, int height, int stride, char *why,
    size_t room);

// What these find waits in one place of this process, which reads one file.

/// Reads XML with libxml2, which librsvg brings. The result is what it holds: "E", a name and "1" for one
/// of SVG, and its line; "A", a name and a value; "X", the end of an element; "T" and a text; "P" and the two parts of an
/// instruction; each with a zero byte after it. 0 when done.
SCENE_SAFE int scene_xml_read(const uint8_t *bytes, size_t count);

/// Makes an SVG the one whose elements are traced, in a view of so many pixels. 0 when done.
SCENE_SAFE int scene_svg_open(const uint8_t *bytes, size_t count, double width, double height);

/// What is drawn of one element, '#' before its id: an SVG of Cairo's, SCENE_SVG_SCALE times as large.
/// 0 when done.
SCENE_SAFE int scene_svg_trace(const char *id);
enum { SCENE_SVG_SCALE = 64 };

/// The box of what is drawn of one element: x, y, width, height. 0 when done.
SCENE_SAFE int scene_svg_ink(const char *id, double *box);

/// The bytes of the result, and how many there are.
SCENE_SAFE size_t scene_svg_result(uint8_t *bytes, size_t room);
#endif
