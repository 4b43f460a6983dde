// SPDX-License-Identifier: MIT
#ifndef SCENE_CPIXELS_H
#define SCENE_CPIXELS_H
#include <stdint.h>

#if defined(__x86_64__) && !(defined(__has_feature) && __has_feature(thread_sanitizer))
#define SCENE_FAST __attribute__((target_clones("avx2", "default")))
#else
#define SCENE_FAST
#endif

/// Converts opaque BGRA (32 bits per pixel, native little-endian ARGB) to planar 4:2:0 in BT.709
/// limited range.
///
/// `width` and `height` are even; strides are in bytes. Chroma is sited at the left of two pixels,
/// as players assume: [1 2 1]/4 horizontally, the mean of two lines vertically. Converts the rows
/// `row_begin..<row_end`, both even.
void scene_bgra_to_yuv420_bt709(
    const uint8_t *bgra, int bgra_stride, uint8_t *y, int y_stride, uint8_t *u, int u_stride,
    uint8_t *v, int v_stride, int width, int row_begin, int row_end);

/// Converts to 4:4:4, without subsampling.
void scene_bgra_to_yuv444_bt709(
    const uint8_t *bgra, int bgra_stride, uint8_t *y, int y_stride, uint8_t *u, int u_stride,
    uint8_t *v, int v_stride, int width, int row_begin, int row_end);

/// Converts `count` pixels of premultiplied BGRA to straight RGBA, rounded to nearest.
void scene_unpremultiply_rgba(const uint8_t *bgra, uint8_t *rgba, int64_t count);

/// Converts `count` pixels of straight BGRA to premultiplied BGRA in place, rounded to nearest.
void scene_premultiply_bgra(uint8_t *bgra, int64_t count);

/// Clamps colors to alpha, in place.
void scene_clamp_to_alpha_bgra(uint8_t *bgra, int stride, int width, int height);

/// Makes every pixel opaque without changing its color, in place.
void scene_make_opaque_bgra(uint8_t *bgra, int stride, int width, int height);

/// Reduces premultiplied BGRA to half its size by averaging 2x2 pixels.
///
/// `out` has room for `(width / 2) * (height / 2)` pixels without padding. Odd edges are dropped.
void scene_halve_bgra(const uint8_t *in, int in_stride, int width, int height, uint8_t *out);

/// Blurs `width * height` premultiplied BGRA pixels in place. The Gaussian is approximated by three
/// box blurs with fractional edges per direction (P. Gwosdek et al. 2011), on a reduced copy for
/// large deviations. Pixels outside the image are transparent.
///
/// `sigma_x`, `sigma_y` are standard deviations in pixels, at least 0. Returns 0 if out of memory.
int scene_blur_bgra(
    uint8_t *bgra, int stride, int width, int height, double sigma_x, double sigma_y);

/// Applies a color matrix (feColorMatrix of Filter Effects Level 1) in place, on straight sRGB in
/// `0...1`. `m` contains the rows for red, green, blue and alpha, with five factors each.
void scene_color_matrix_bgra(uint8_t *bgra, int stride, int width, int height, const float *m);

/// Applies a color table in place: `size³` RGB entries in `0...1`, with red varying fastest. Colors
/// are interpolated within the enclosing tetrahedron.
void scene_lut_bgra(
    uint8_t *bgra, int stride, int width, int height, const float *table, int size);

/// Makes colors near a key color transparent in place, and removes the spill of the key color from
/// the rest.
///
/// `red`, `green`, `blue` are `0...1`. Distances are in chroma (BT.709 Cb and Cr, `0...1`): pixels
/// within `tolerance` become transparent, and pixels from `tolerance + softness` on stay opaque.
void scene_chroma_key_bgra(
    uint8_t *bgra, int stride, int width, int height, float red, float green, float blue,
    float tolerance, float softness);

/// Multiplies `bgra` by the alpha or the luminance of `mask` in place. Both are premultiplied and
/// have the same layout. With `inverted`, multiplies by the complement.
void scene_mask_bgra(
    uint8_t *bgra, const uint8_t *mask, int stride, int width, int height, int by_luminance,
    int inverted);

/// Composites premultiplied pixels onto others at an opacity of `0...255` (Porter and Duff's source
/// over).
void scene_over_bgra(
    uint8_t *target, int target_stride, const uint8_t *source, int source_stride, int width,
    int height, int opacity);

/// Sets every pixel to a straight color in `0...1`, multiplied by the pixel's alpha, in place.
void scene_tint_bgra(
    uint8_t *bgra, int stride, int width, int height, float red, float green, float blue,
    float alpha);

/// Adds an image to sums in linear light, with four values per pixel (blue, green, red, alpha).
void scene_accumulate_linear(
    const uint8_t *bgra, int stride, int width, int height, float *sums);

/// Computes the mean of `count` added images as premultiplied BGRA in sRGB.
void scene_resolve_linear(
    const float *sums, int count, uint8_t *bgra, int stride, int width, int height);

enum { SCENE_LINEAR, SCENE_RADIAL, SCENE_CONIC };

/// Fills premultiplied BGRA with a gradient, dithered by an 8x8 pattern that is aligned to the
/// device.
///
/// `inverse` maps the centers of device pixels to gradient space: x' = m0 x + m2 y + m4, y' = m1 x
/// + m3 y + m5. A linear gradient runs from x = 0 to 1, a radial one from the origin to radius 1,
/// and a conic one by the angle in turns, clockwise from the right. `table` contains `entries`
/// premultiplied colors (blue, green, red, alpha in `0...1`) from 0 to 1, followed by the colors
/// before 0 and after 1. `x`, `y` is the device position of the first pixel.
void scene_gradient_bgra(
    uint8_t *bgra, int stride, int x, int y, int width, int height, int kind,
    const double *inverse, const float *table, int entries);

/// x' = a x + c y + e, y' = b x + d y + f
typedef struct {
  double a, b, c, d, e, f;
} scene_map;

enum { SCENE_FILL_SCRATCH = 64 * 1024 + 256 * 1024 };
enum { SCENE_MOVE, SCENE_LINE, SCENE_CURVE, SCENE_CLOSE };

/// Repeats the edge pixels of a box outside it, in place.
///
/// `to` maps the coordinates of the box to pixels, and `back` is its inverse. `limits` are the
/// minimum and maximum x, y to be kept: x0, y0, x1, y1.
void scene_extend_bgra(
    uint8_t *bgra, int stride, int width, int height, scene_map to, scene_map back,
    const double *limits);

/// Fills a path over opaque or premultiplied BGRA pixels with exact coverage.
///
/// `verbs` consume 1, 1, 3 and 0 of the `count` points, which are pairs that `m` maps to pixels.
/// Overlapping parts with the same direction count once; holes have the opposite direction. The
/// color is straight, in `0...1`. Returns 0 and draws nothing if the path is wider or higher than
/// 250 pixels or has more than 4096 points. `scratch` has SCENE_FILL_SCRATCH bytes.
int scene_fill_small(
    uint8_t *bgra, int stride, int width, int height, const uint8_t *verbs, int verb_count,
    const double *points, int count, scene_map m, float red, float green, float blue, float alpha,
    void *scratch);

enum { SCENE_LEFT = 0, SCENE_CENTER = 1, SCENE_TOP_LEFT = 2 };
enum { SCENE_STANDARD = 0, SCENE_PQ = 1, SCENE_HLG = 2 };
enum { SCENE_DECODED_SIDE = 8192 };

/// A decoded video frame: planes of Y, Cb, Cr and optionally alpha, with 8 or 10 bits.
typedef struct {
  const uint8_t *planes[4];
  int strides[4];
  int width, height, depth;
  /// Whether chroma is subsampled horizontally and vertically, and its siting.
  int halves_columns, halves_rows, siting;
  /// The black level of Y, and factors in 2^-20 for a step of Y and for 1/16 of a step of Cb and
  /// Cr.
  int32_t black, luma, red_v, green_u, green_v, blue_u;
  /// The transfer function, and the peak luminance in cd/m² of the mastering display.
  int transfer, peak;
  /// Whether colors are premultiplied by alpha.
  int is_premultiplied;
} scene_decoded;

/// Converts to premultiplied BGRA. Each value is within 0.51 of the exact one; chroma is
/// interpolated bilinearly. PQ and HLG are tone-mapped to SDR, within 1.5 of the exact values.
void scene_decoded_to_bgra(const scene_decoded *in, uint8_t *bgra, int stride);

/// Deinterlaces a plane with `width` samples per row, of 8 bits or, with `deep`, of 10 bits in two
/// bytes. The lines of the first field, `first` and every second one after it, are kept. `before`
/// is the previous frame, or the same one.
void scene_join_fields(
    const uint8_t *before, int before_stride, const uint8_t *now, int now_stride, int width,
    int rows, int deep, int first, uint8_t *out, int stride);

/// Mirrors an image horizontally if `mirrored`, then turns it clockwise by quarter turns.
void scene_turn_bgra(
    const void *in, int in_stride, int width, int height, uint8_t *out, int out_stride,
    int quarter_turns, int mirrored);
#endif
