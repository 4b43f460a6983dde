// SPDX-License-Identifier: MIT
#ifndef SCENE_CCLIPPER_H
#define SCENE_CCLIPPER_H
#include <stdint.h>

// Outlines of straight lines between whole numbers, combined and offset by Clipper. Each thread has its own
// outlines, so that no pointer goes across; whoever begins reads the result before anybody else can begin.

#ifdef __cplusplus
extern "C" {
#endif

// Forgets all outlines of this thread.
void scene_clip_begin(void);
// Begins an outline, whose contours follow.
void scene_clip_outline(void);
// Begins a contour of the outline.
void scene_clip_contour(int is_closed);
// Less than 2^30, so that products have room in 64 bits.
void scene_clip_point(int64_t x, int64_t y);

enum { SCENE_CLIP_UNION, SCENE_CLIP_INTERSECT, SCENE_CLIP_SUBTRACT, SCENE_CLIP_EXCLUDE };
// Makes one outline of all; each is filled by the nonzero rule. 0 where they may cross more often than can be
// worked out in a short time.
int scene_clip_combine(int operation);
// Moves the border of the first outline outwards. An open contour becomes the outline of a line around it.
// Corners are arcs that are no further from a circle than `tolerance`, or else mitres. 0 as above.
int scene_clip_offset(double distance, int is_round, double miter_limit, double tolerance);

// The result: nothing after a fault.
int scene_clip_contour_count(void);
int scene_clip_point_count(int contour);
int64_t scene_clip_x(int contour, int point);
int64_t scene_clip_y(int contour, int point);

#ifdef __cplusplus
}
#endif
#endif
