// SPDX-License-Identifier: MIT
#ifndef SCENE_CPIXELS_H
#define SCENE_CPIXELS_H
#include <stdint.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SCENE_PORTABLE
#endif
#endif

#if defined(__x86_64__) && !defined(SCENE_PORTABLE)
#define SCENE_FAST __attribute__((target_clones("avx2", "default")))
#else
#define SCENE_FAST
#endif

// Safe to use: only the owner of the memory creates these values, and the memory outlives them.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

/// Rows of BGRA pixels (32 bits per pixel, native little-endian ARGB), premultiplied unless a
/// function says otherwise. The stride is in bytes.
typedef struct SCENE_SAFE {
  uint8_t *bytes;
  int stride, width, height;
} scene_pixels;

/// A plane of samples. The stride is in bytes.
typedef struct SCENE_SAFE {
  uint8_t *bytes;
  int stride;
} scene_plane;

/// A straight color in `0...1`.
typedef struct {
  float red, green, blue, alpha;
} scene_color;

/// The affine map x' = a x + c y + e, y' = b x + d y + f.
typedef struct {
  double a, b, c, d, e, f;
} scene_map;

/// The projective map x' = (a x + c y + e) / w, y' = (b x + d y + f) / w with w = g x + h y + i.
typedef struct {
  double a, b, c, d, e, f, g, h, i;
} scene_projection;

/// Converts opaque pixels to planar 4:2:0 in BT.709 limited range. Width and height are even.
///
/// Chroma is sited at the left of two pixels, as players assume: [1 2 1]/4 horizontally, the mean
/// of two lines vertically.
void scene_bgra_to_yuv420_bt709(scene_pixels in, scene_plane y, scene_plane u, scene_plane v);

/// Converts to 4:4:4, without subsampling.
void scene_bgra_to_yuv444_bt709(scene_pixels in, scene_plane y, scene_plane u, scene_plane v);

/// The cells of a frame that are judged for flashes; see `FlashGrid`.
typedef struct SCENE_SAFE {
  /// `columns * rows` values each. A frame has at most 120 columns.
  uint8_t *luminance, *red;
  /// The linear light of each code value, in 0...65535.
  const uint16_t *linear;
  int columns, rows;
} scene_flash_grid;

/// Reduces a frame to cells. Code values are averaged over quarter cells, then linear light over
/// the four quarters of a cell. Transparent pixels appear on black.
///
/// `sums` has room for `4 * width` values. Returns 0 if the cells are too large.
int scene_reduce_to_flash_grid(scene_pixels in, scene_flash_grid grid, uint16_t *sums);

/// Writes the differences of `count` cells from predicted ones: a bit for each block of 64 cells,
/// set if the block differs, then the differences of these blocks, modulo 256. `packed` has room for
/// `count + count / 512 + 1` bytes. Returns the number of bytes written.
int64_t scene_pack_cells(
    const uint8_t *cells, const uint8_t *predicted, int64_t count, uint8_t *packed);

/// Adds packed differences to `count` predicted cells. Returns the number of bytes read, or -1 if
/// `size` bytes are too few.
int64_t scene_unpack_cells(const uint8_t *packed, int64_t size, uint8_t *cells, int64_t count);

/// Changes `count` cells by as much as they changed since `older`, clamped to 0–255.
void scene_extrapolate_cells(const uint8_t *older, uint8_t *cells, int64_t count);

/// The number of cells and the definition of a transition: a change by at least `threshold` whose
/// lower amount is less than `ceiling`. The amount of a cell is its value, or its square.
typedef struct {
  int64_t count;
  int32_t threshold, ceiling;
  int is_squared;
} scene_transitions;

/// Extends the ranges of the cells that differ from `last` and make no transition. `ranges` holds
/// the lowest value of each cell, then the highest value of each cell, since its last transition.
/// Writes the cells that make a transition to `turning`, which has room for `count` values: a rising
/// cell as its index, a falling cell as the complement of its index. Returns the number of these
/// cells.
///
/// A cell rises if its last direction is not positive and its value exceeds its lowest value by a
/// transition. It falls if its last direction is not negative and its value is below its highest
/// value by a transition.
int64_t scene_track_cells(
    const uint8_t *values, const uint8_t *last, const int8_t *directions, uint8_t *ranges,
    scene_transitions of, int32_t *turning);

/// Converts `count` pixels of premultiplied BGRA to straight RGBA, rounded to nearest.
void scene_unpremultiply_rgba(const uint8_t *bgra, uint8_t *rgba, int64_t count);

/// Converts straight to premultiplied alpha in place, rounded to nearest.
void scene_premultiply_bgra(scene_pixels pixels);

/// Clamps colors to alpha, in place.
void scene_clamp_to_alpha_bgra(scene_pixels pixels);

/// Makes every pixel opaque without changing its color, in place.
void scene_make_opaque_bgra(scene_pixels pixels);

/// Enlarges an image to twice its size by repeating pixels.
void scene_double_bgra(scene_pixels in, scene_pixels out);
/// Reduces an image to half its size by averaging 2x2 pixels. Odd edges are dropped.
void scene_halve_bgra(scene_pixels in, scene_pixels out);

/// A blurred image at reduced size with 16 bits per channel, without row padding.
///
/// Each of its `width * height` pixels stands for `step_x * step_y` pixels of the image and contains
/// channels of 0...255 multiplied by 128, in linear light if `is_linear`. The steps are powers of
/// two of at most 64. `x`, `y` is the device position of the image's first pixel. The caller frees
/// `values`.
typedef struct {
  uint16_t *values;
  int width, height, step_x, step_y, x, y, is_linear;
} scene_blurred;

/// Blurs an image. The Gaussian is approximated by three box blurs with fractional edges per
/// direction (P. Gwosdek et al. 2011), on a reduced copy for large deviations. Pixels outside the
/// image are transparent.
///
/// `pixels` must not be empty. The caller sets `x`, `y` and `is_linear` of `out`. `sigma_x`,
/// `sigma_y` are standard deviations in pixels, at least 0. Returns 0 if out of memory; `out` is
/// then undefined.
int scene_blur_reduced_bgra(
    scene_pixels pixels, double sigma_x, double sigma_y, scene_blurred *out);

/// Enlarges a blurred image to pixels of its original size, in sRGB. If it has a reduced size, the
/// result is dithered by an 8x8 pattern that is aligned to the device. Returns 0 if out of memory.
int scene_settle_blurred(scene_blurred in, scene_pixels out);

/// Blurs pixels in place; see `scene_blur_reduced_bgra` and `scene_settle_blurred`. The caller sets
/// `x`, `y` and `is_linear` of `blurred`.
int scene_blur_bgra(scene_pixels pixels, double sigma_x, double sigma_y, scene_blurred blurred);

enum {
  SCENE_BLEND_NORMAL, SCENE_BLEND_PLUS_LIGHTER, SCENE_BLEND_SCREEN, SCENE_BLEND_MULTIPLY,
};

/// A layer that is composited before it is rounded to 8 bits: a blurred image, `own` pixels, or
/// pixels on top of a blurred image.
typedef struct SCENE_SAFE {
  /// Pixels and a mask of the same size; without bytes if there are none.
  scene_pixels own, mask;
  /// The blurred image; without values if there is none.
  scene_blurred blurred;
  /// The device position of the layer's first pixel.
  int x, y;
  /// A blend mode, whose formula is applied in linear light if `is_linear`.
  int mode, is_linear;
  /// Whether the result is dithered by an 8x8 pattern that is aligned to the device.
  int is_dithered;
  /// Whether the target has no alpha.
  int is_opaque;
  /// Whether the mask is used by its luminance instead of its alpha, and whether it is inverted.
  int by_luminance, is_inverted;
  /// Whether the blurred image has the color `tint`, multiplied by its alpha.
  int is_tinted;
  scene_color tint;
  /// The opacity in `0...1`.
  float opacity;
} scene_layered;

/// Composites a part of a layer onto pixels. `left`, `top` is the position of the part in the
/// layer, in which it must lie. Returns 0 if out of memory.
int scene_composite_layer(scene_pixels target, int left, int top, const scene_layered *layer);

/// Applies a color matrix (feColorMatrix of Filter Effects Level 1) in place, on straight sRGB in
/// `0...1`. `m` contains the rows for red, green, blue and alpha, with five factors each.
void scene_color_matrix_bgra(scene_pixels pixels, const float *m);

/// Applies a color table in place: `size³` RGB entries in `0...1`, with red varying fastest. Colors
/// are interpolated within the enclosing tetrahedron.
void scene_lut_bgra(scene_pixels pixels, const float *table, int size);

/// Makes colors near a key color transparent in place, and removes the spill of the key color from
/// the rest.
///
/// Distances are in chroma (BT.709 Cb and Cr, `0...1`): pixels within `tolerance` become
/// transparent, and pixels from `tolerance + softness` on stay opaque. The alpha of the key color
/// is ignored.
void scene_chroma_key_bgra(scene_pixels pixels, scene_color key, float tolerance, float softness);

/// Multiplies pixels by the alpha or the luminance of `mask`, which has at least their size, in
/// place. With `inverted`, multiplies by the complement.
void scene_mask_bgra(scene_pixels pixels, scene_pixels mask, int by_luminance, int inverted);

/// Composites pixels onto others of the same size at an opacity of `0...255` (Porter and Duff's
/// source over).
void scene_over_bgra(scene_pixels target, scene_pixels source, int opacity);

/// Composites like `scene_over_bgra`, dithered by an 8x8 pattern that is aligned to the device, so
/// that the rounding of smooth gradients shows no bands. `x`, `y` is the device position of the
/// first pixel.
void scene_over_dithered_bgra(scene_pixels target, scene_pixels source, int opacity, int x, int y);

/// Sets every pixel to a color, multiplied by the pixel's alpha, in place.
void scene_tint_bgra(scene_pixels pixels, scene_color color);

/// Adds an image to sums in linear light, with four values per pixel (blue, green, red, alpha).
void scene_accumulate_linear(scene_pixels in, float *sums);

/// Computes the mean of `count` added images as pixels in sRGB.
void scene_resolve_linear(const float *sums, int count, scene_pixels out);

enum { SCENE_LINEAR, SCENE_RADIAL, SCENE_CONIC };
enum { SCENE_GRADIENT_ENTRIES = 4096 };

/// A gradient with a table of 2 to `SCENE_GRADIENT_ENTRIES` colors.
///
/// `inverse` maps the centers of device pixels to gradient space. A linear gradient runs from x = 0
/// to 1, a radial one from the origin to radius 1, and a conic one by the angle in turns, clockwise
/// from the right.
typedef struct {
  int kind, entries;
  scene_projection inverse;
  /// Whether the table contains linear light, in which the gradient is composited with a mode.
  int is_linear, mode;
  /// Whether the pixels below have no alpha; only read if `is_linear`.
  int is_opaque;
} scene_gradient;

/// Fills pixels with a gradient, dithered by an 8x8 pattern that is aligned to the device where the
/// color changes.
///
/// `table` contains the colors from 0 to 1 (premultiplied blue, green, red, alpha in `0...1`),
/// followed by the colors before 0 and after 1. `x`, `y` is the device position of the first pixel.
/// If `below` has pixels, which may be those of `out`, the gradient is composited onto them before
/// it is rounded.
void scene_gradient_bgra(
    scene_pixels out, scene_pixels below, int x, int y, scene_gradient gradient,
    const float *table);

/// Fills pixels with an image under a projection.
///
/// `inverse` maps device pixels to pixels of the image, with a positive w in front of the eye. `x`,
/// `y` is the device position of the first pixel. Each pixel is the mean of up to 8 trilinear
/// samples along the longer axis of its footprint; edge pixels of the image are repeated outside
/// it. Returns 0 if out of memory.
int scene_warp_bgra(scene_pixels out, int x, int y, scene_pixels image, scene_projection inverse);

/// Operations of `scene_instruction` on the numbers `a`, `b` and `c`. Angles are in degrees, and
/// booleans are 1 and 0.
enum {
  /// The position of the pixel's center in the coordinates of the box, and the width of the pixel.
  SCENE_PIXEL_X, SCENE_PIXEL_Y, SCENE_PIXEL_WIDTH,
  /// Four registers: the straight color of layer `index` at the pixel itself, or at (a, b).
  SCENE_LOAD, SCENE_SAMPLE,
  /// The value of table `index` at `a`.
  SCENE_TABLE_ENTRY,
  SCENE_ADD, SCENE_SUBTRACT, SCENE_MULTIPLY, SCENE_DIVIDE, SCENE_NEGATE, SCENE_ABSOLUTE,
  SCENE_MINIMUM, SCENE_MAXIMUM, SCENE_FLOOR, SCENE_CEILING, SCENE_ROUND, SCENE_SQUARE_ROOT,
  SCENE_POWER, SCENE_MODULO, SCENE_EXPONENTIAL, SCENE_LOGARITHM, SCENE_SINE, SCENE_COSINE,
  SCENE_ARC_TANGENT, SCENE_LESS, SCENE_LESS_OR_EQUAL, SCENE_EQUAL, SCENE_AND, SCENE_OR, SCENE_NOT,
  /// `a != 0 ? b : c`
  SCENE_SELECT,
  /// Gradient noise at (a, b) in `-1...1`, and a pseudorandom number in `0..<1`; `c` is the seed.
  SCENE_NOISE, SCENE_RANDOM,
  SCENE_TO_LINEAR, SCENE_FROM_LINEAR, SCENE_CUBE_ROOT,
  /// Input `index` of `scene_lanes`.
  SCENE_INPUT,
};

/// The number of steps in a table of values from 0 to 1.
enum { SCENE_TABLE = 1024 };

/// An instruction. `target` is the register of the result. A negative operand is the complement of
/// the index of a number that is equal for all pixels.
typedef struct {
  int32_t operation, target, a, b, c, index;
} scene_instruction;

/// Pixels that a program samples. `map` maps the coordinates of the box to pixels. Outside, the
/// edge pixels are repeated if `extends`; else the layer is transparent.
typedef struct SCENE_SAFE {
  scene_pixels pixels;
  scene_projection map;
  int extends;
} scene_layer;

/// A part of an image: the first column and row, and those after the last ones.
typedef struct {
  int x0, y0, x1, y1;
} scene_part;

/// A function of the position that computes the color of a pixel.
typedef struct {
  const scene_instruction *code;
  /// The first `row_count` instructions depend on y alone.
  int count, row_count, registers;
  const float *numbers;
  int number_count;
  /// Tables of `SCENE_TABLE + 1` values each.
  const float *tables;
  const scene_layer *layers;
  /// Maps device pixels to the coordinates of the box.
  scene_projection inverse;
  /// The operands that hold red, green, blue and alpha, not premultiplied.
  int color[4];
  float opacity;
  /// The part of the output that is computed.
  scene_part part;
} scene_program;

/// Computes each pixel of a part with a program and dithers it. `x`, `y` is the device position of the first
/// pixel. If `below` has pixels, the colors are composited onto them before they are rounded. Layers
/// that are loaded have the layout of `out`. Returns 0 if out of memory.
int scene_run_program(
    scene_pixels out, scene_pixels below, int x, int y, const scene_program *program);

/// The minimum and maximum coordinates of a box.
typedef struct {
  double x0, y0, x1, y1;
} scene_box;

/// Numbers that a program computes outside an image. `inputs` holds `count` numbers for each input,
/// and `outputs` as many for each output.
typedef struct {
  const float *inputs;
  float *outputs;
  int count;
  /// The operands that hold the outputs.
  const int *slots;
  int slot_count;
} scene_lanes;

/// Computes the outputs of a program that reads inputs instead of positions and layers. Returns 0 if
/// out of memory.
int scene_run_lanes(const scene_program *program, const scene_lanes *lanes);

/// Outputs of the program of a particle: the position, the velocity per second, the size, the angle
/// in degrees, the scale of a sprite, and the straight color in `0...1`.
enum {
  SCENE_PARTICLE_X, SCENE_PARTICLE_Y, SCENE_PARTICLE_VX, SCENE_PARTICLE_VY, SCENE_PARTICLE_WIDTH,
  SCENE_PARTICLE_HEIGHT, SCENE_PARTICLE_ANGLE, SCENE_PARTICLE_SCALE, SCENE_PARTICLE_RED,
  SCENE_PARTICLE_GREEN, SCENE_PARTICLE_BLUE, SCENE_PARTICLE_ALPHA, SCENE_PARTICLE_VALUES,
};

/// Shapes of particles; a soft circle becomes transparent toward its edge.
enum { SCENE_CIRCLE, SCENE_RECT, SCENE_SOFT };

/// An image of a particle. `map` maps the coordinates of the particle to its pixels.
typedef struct SCENE_SAFE {
  scene_pixels pixels;
  scene_map map;
} scene_sprite;

typedef struct SCENE_SAFE {
  /// `count` numbers for each of the `SCENE_PARTICLE_VALUES`.
  const float *values;
  int count;
  /// Maps the coordinates of the field to the device, on which the output begins at (x, y).
  scene_map map;
  int x, y;
  int shape, adds, follows_motion, is_reversed, is_tinted;
  /// The interval of motion that a particle covers, in seconds.
  float stretch;
  /// Images of the same drawing, in descending size. Without images, `shape` is drawn.
  const scene_sprite *sprites;
  int sprite_count;
} scene_particles;

/// Composites particles onto an image with dithering.
void scene_draw_particles(scene_pixels out, const scene_particles *particles);

/// Returns the bounds of particles on the device; empty without particles. Sprites extend to
/// `reach` from their origin, at a scale of 1.
scene_box scene_particle_bounds(const scene_particles *particles, float reach);

enum { SCENE_FILL_SCRATCH = 64 * 1024 + 256 * 1024 };
enum { SCENE_MOVE, SCENE_LINE, SCENE_CURVE, SCENE_CLOSE };

/// Repeats the edge pixels of a box outside it, in place.
///
/// `to` maps the coordinates of the box to pixels, and `back` is its inverse. `limits` is the part
/// of the box to be kept.
void scene_extend_bgra(scene_pixels pixels, scene_map to, scene_map back, scene_box limits);

/// The size of a path, the map from its points to pixels, and its color.
typedef struct {
  int verb_count, point_count;
  scene_map map;
  scene_color color;
} scene_fill;

/// Fills a path over opaque or premultiplied pixels with exact coverage.
///
/// The verbs `SCENE_MOVE`, `SCENE_LINE`, `SCENE_CURVE` and `SCENE_CLOSE` consume 1, 1, 3 and 0
/// points, which are pairs of numbers. Overlapping parts with the same direction count once; holes
/// have the opposite direction. Returns 0 and draws nothing if the path is wider or taller than 250
/// pixels or has more than 4096 points. `scratch` has SCENE_FILL_SCRATCH bytes.
int scene_fill_small(
    scene_pixels out, const uint8_t *verbs, const double *points, scene_fill fill, void *scratch);

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

/// Converts to premultiplied pixels of the same size. Each value is within 0.51 of the exact one;
/// chroma is interpolated bilinearly. PQ and HLG are tone-mapped to SDR, within 1.5 of the exact
/// values.
void scene_decoded_to_bgra(const scene_decoded *in, scene_pixels out);

/// The lines of an interlaced plane: `width` samples per row, of 8 bits or, if `is_deep`, of 10
/// bits in two bytes. `first` is the first line of the first field, 0 or 1.
typedef struct {
  int width, rows, is_deep, first;
} scene_fields;

/// Deinterlaces a plane. The lines of the first field are kept. `before` is the previous frame, or
/// the same one.
void scene_join_fields(
    scene_plane before, scene_plane now, scene_fields fields, scene_plane out);

/// Mirrors an image horizontally if `mirrored`, then turns it clockwise by quarter turns. `out` has
/// the size of the result.
void scene_turn_bgra(scene_pixels in, scene_pixels out, int quarter_turns, int mirrored);
#endif
