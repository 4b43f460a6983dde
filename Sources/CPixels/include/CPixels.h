// SPDX-License-Identifier: MIT
#ifndef SCENE_CPIXELS_H
#define SCENE_CPIXELS_H
#include <stdint.h>

#if defined(__x86_64__) && !(defined(__has_feature) && __has_feature(thread_sanitizer))
#define SCENE_FAST __attribute__((target_clones("avx2", "default")))
#else
#define SCENE_FAST
#endif

/// Opaque BGRA (32 bits a pixel, native little-endian ARGB) to planar 4:2:0, BT.709 limited range.
///
/// `width` and `height` are even; strides are bytes. Chroma sits on the left pixel of two, as players
/// assume: [1 2 1]/4 across, the mean of two lines.
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

/// Lowers colors that are above alpha to it, in place.
void scene_clamp_to_alpha_bgra(uint8_t *bgra, int stride, int width, int height);

/// Every pixel opaque, its color as it is; in place.
void scene_make_opaque_bgra(uint8_t *bgra, int stride, int width, int height);

/// The image at half its size: each pixel the mean of 2x2, premultiplied BGRA.
///
/// `out` holds `(width / 2) * (height / 2)` pixels without padding; odd edges are dropped.
void scene_halve_bgra(const uint8_t *in, int in_stride, int width, int height, uint8_t *out);

/// A Gaussian blur in place of `width * height` premultiplied BGRA pixels: three box blurs with
/// fractional edges for each direction (P. Gwosdek et al. 2011), on a smaller copy where the
/// deviation is large. Outside of the picture everything is clear.
///
/// `sigma_x`, `sigma_y` are standard deviations in pixels, at least 0. Returns 0 without memory.
int scene_blur_bgra(
    uint8_t *bgra, int stride, int width, int height, double sigma_x, double sigma_y);

/// A color matrix (feColorMatrix of Filter Effects Level 1) in place, on straight sRGB in `0...1`:
/// `m` holds the rows for red, green, blue and alpha, each with five factors.
void scene_color_matrix_bgra(uint8_t *bgra, int stride, int width, int height, const float *m);

/// A table of colors in place: `size³` entries of red, green, blue in `0...1`, red running fastest,
/// mixed within the tetrahedron that holds the color.
void scene_lut_bgra(
    uint8_t *bgra, int stride, int width, int height, const float *table, int size);

/// Makes what is near a color clear, in place, and takes the color's cast off what stays.
///
/// `red`, `green`, `blue` are `0...1`. Distances are of chroma (BT.709 Cb and Cr, `0...1`): up to
/// `tolerance` all is clear, from `tolerance + softness` on nothing.
void scene_chroma_key_bgra(
    uint8_t *bgra, int stride, int width, int height, float red, float green, float blue,
    float tolerance, float softness);

/// Multiplies `bgra` with the alpha of `mask`, or with its luminance, in place; both premultiplied
/// and of the same form. With `inverted` by what is left to 1.
void scene_mask_bgra(
    uint8_t *bgra, const uint8_t *mask, int stride, int width, int height, int by_luminance,
    int inverted);

/// Puts premultiplied pixels on others, at an opacity of `0...255`: Porter and Duff's source over.
void scene_over_bgra(
    uint8_t *target, int target_stride, const uint8_t *source, int source_stride, int width,
    int height, int opacity);

/// Every pixel in one color, straight in `0...1`, at the pixel's alpha; in place.
void scene_tint_bgra(
    uint8_t *bgra, int stride, int width, int height, float red, float green, float blue,
    float alpha);

/// Adds a picture to sums of linear light: four numbers a pixel (blue, green, red, alpha).
void scene_accumulate_linear(
    const uint8_t *bgra, int stride, int width, int height, float *sums);

/// The mean of `count` pictures that were added, as premultiplied BGRA of sRGB.
void scene_resolve_linear(
    const float *sums, int count, uint8_t *bgra, int stride, int width, int height);

enum { SCENE_LINEAR, SCENE_RADIAL, SCENE_CONIC };

/// A gradient as premultiplied BGRA, dithered by an 8x8 pattern that is fixed to the device.
///
/// `inverse` maps the middles of device pixels to the space of the gradient: x' = m0 x + m2 y + m4,
/// y' = m1 x + m3 y + m5, where a linear one runs from x = 0 to 1, a radial one from the origin to
/// radius 1 and a conic one by turns of the angle, clockwise from the right. `table` holds `entries`
/// premultiplied colors (blue, green, red, alpha in `0...1`), the ends at 0 and 1, then those
/// before 0 and behind 1. `x`, `y` is the device place of the first pixel.
void scene_gradient_bgra(
    uint8_t *bgra, int stride, int x, int y, int width, int height, int kind,
    const double *inverse, const float *table, int entries);

/// x' = a x + c y + e, y' = b x + d y + f
typedef struct {
  double a, b, c, d, e, f;
} scene_map;

enum { SCENE_FILL_SCRATCH = 64 * 1024 + 256 * 1024 };
enum { SCENE_MOVE, SCENE_LINE, SCENE_CURVE, SCENE_CLOSE };

/// Repeats the pixels at the edges of a box outside of it, in place.
///
/// `to` brings the coordinates of the box to the pixels, `back` is its inverse; `limits` are the
/// least and the greatest x, y of what is kept: x0, y0, x1, y1.
void scene_extend_bgra(
    uint8_t *bgra, int stride, int width, int height, scene_map to, scene_map back,
    const double *limits);

/// Fills a path over opaque or premultiplied BGRA pixels with exact coverage.
///
/// `verbs` take 1, 1, 3 and 0 of the `count` points, pairs that the map `m` brings to
/// the pixels. Overlapping parts that run the same way count once, holes run the other way. The
/// color is straight, `0...1`. Answers 0 when the path is wider or higher than 250 pixels or has
/// more than 4096 points, and then draws nothing. `scratch` lends SCENE_FILL_SCRATCH bytes.
int scene_fill_small(
    uint8_t *bgra, int stride, int width, int height, const uint8_t *verbs, int verb_count,
    const double *points, int count, scene_map m, float red, float green, float blue, float alpha,
    void *scratch);

enum { SCENE_LEFT = 0, SCENE_CENTER = 1, SCENE_TOP_LEFT = 2 };
enum { SCENE_STANDARD = 0, SCENE_PQ = 1, SCENE_HLG = 2 };
enum { SCENE_DECODED_SIDE = 8192 };

/// A decoded picture of a clip: planes of Y, Cb, Cr and perhaps alpha, of 8 or 10 bits.
typedef struct {
  const uint8_t *planes[4];
  int strides[4];
  int width, height, depth;
  /// Whether there is one sample of chroma for two columns, for two rows, and where it is.
  int halves_columns, halves_rows, siting;
  /// The sample of Y that is black; factors in 2^-20 for a step of Y, and for a 16th of one of Cb, Cr.
  int32_t black, luma, red_v, green_u, green_v, blue_u;
  /// How R'G'B' was made of light, and the brightest light in cd/m² that it was made for.
  int transfer, peak;
  /// Whether colors were multiplied by alpha before.
  int is_premultiplied;
} scene_decoded;

/// Premultiplied BGRA, each value within 0.51 of the exact one; chroma is bilinear. PQ and HLG are
/// brought to the range of an ordinary display, within 1.5 of the exact values.
void scene_decoded_to_bgra(const scene_decoded *in, uint8_t *bgra, int stride);

/// A plane of an interlaced picture as one whole: `width` samples in a row, of 8 bits or with `deep`
/// of 10 in two bytes. The lines of the field that was taken first, `first` and each second one, are
/// kept. `before` is the picture before it, or the same one.
void scene_join_fields(
    const uint8_t *before, int before_stride, const uint8_t *now, int now_stride, int width,
    int rows, int deep, int first, uint8_t *out, int stride);

/// The picture mirrored left to right or not, then turned clockwise by quarters.
void scene_turn_bgra(
    const void *in, int in_stride, int width, int height, uint8_t *out, int out_stride,
    int quarter_turns, int mirrored);
#endif
