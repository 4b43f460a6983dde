// SPDX-License-Identifier: MIT
#ifndef SCENE_CPIXELS_H
#define SCENE_CPIXELS_H
#include <stdint.h>

/// Opaque BGRA (32 bits a pixel, native little-endian ARGB) to planar 4:2:0, BT.709 limited range.
///
/// `width` and `height` are even; strides are bytes. Chroma is the mean of 2x2 pixels (centre).
/// Converts the rows `row_begin..<row_end`, both even.
void scene_bgra_to_yuv420_bt709(
    const uint8_t *bgra, int bgra_stride, uint8_t *y, int y_stride, uint8_t *u, int u_stride,
    uint8_t *v, int v_stride, int width, int row_begin, int row_end);

/// The same without subsampling, 4:4:4.
void scene_bgra_to_yuv444_bt709(
    const uint8_t *bgra, int bgra_stride, uint8_t *y, int y_stride, uint8_t *u, int u_stride,
    uint8_t *v, int v_stride, int width, int row_begin, int row_end);

/// Premultiplied BGRA to straight RGBA, `count` pixels, rounded to nearest.
void scene_unpremultiply_rgba(const uint8_t *bgra, uint8_t *rgba, int64_t count);

/// Straight BGRA to premultiplied BGRA in place, `count` pixels, rounded to nearest.
void scene_premultiply_bgra(uint8_t *bgra, int64_t count);

/// The image at half its size: each pixel the mean of 2x2, premultiplied BGRA.
///
/// `out` holds `(width / 2) * (height / 2)` pixels without padding; odd edges are dropped.
void scene_halve_bgra(const uint8_t *in, int in_stride, int width, int height, uint8_t *out);
#endif
