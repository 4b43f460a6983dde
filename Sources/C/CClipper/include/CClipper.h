// SPDX-License-Identifier: MIT
#ifndef SCENE_CCLIPPER_H
#define SCENE_CCLIPPER_H
#include <stdint.h>

// Polygons with integer coordinates, combined and offset by Clipper. Each thread has its own
// outlines, so no pointers are exchanged. A thread must read its result before it starts again.

#ifdef __cplusplus
extern "C" {
#endif

// Clears all outlines of this thread.
void scene_clip_begin(void);
// Starts an outline. Its contours follow.
void scene_clip_outline(void);
// Starts a contour of the outline.
void scene_clip_contour(int is_closed);
// Adds a point. Coordinates must be below 2^30, so that products fit in 64 bits.
void scene_clip_point(int64_t x, int64_t y);

enum { SCENE_CLIP_UNION, SCENE_CLIP_INTERSECT, SCENE_CLIP_SUBTRACT, SCENE_CLIP_EXCLUDE };
// Combines all outlines, each filled by the nonzero rule. Returns 0 if there may be too many
// crossings to be processed in a short time.
int scene_clip_combine(int operation);
// Offsets the first outline outward. An open contour becomes the outline of a line around it.
// Corners are arcs with a maximum error of `tolerance`, or else miters. Returns 0 like
// `scene_clip_combine`.
int scene_clip_offset(double distance, int is_round, double miter_limit, double tolerance);

// The result; empty after an error.
int scene_clip_contour_count(void);
int scene_clip_point_count(int contour);
int64_t scene_clip_x(int contour, int point);
int64_t scene_clip_y(int contour, int point);

#ifdef __cplusplus
}
#endif
#endif
