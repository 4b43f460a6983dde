// SPDX-License-Identifier: MIT
// Deinterlacing. The lines of the first field are kept. The lines in between are interpolated from
// three fields as described by J. P. Weston, "Interpolating lines of video signals" (BBC R&D): low
// vertical frequencies come from the lines above and below, high ones from the previous and next
// fields where nothing moved.
#include "CPixels.h"

/// Clamps a line number to the nearest line of the same field within the frame.
static int inside(int row, int rows) {
  if (row < 0) row = row & 1 ? 1 : 0;
  if (row >= rows) row = rows - 1 - ((rows - 1 - row) & 1);
  return row < 0 || row >= rows ? 0 : row;
}

#define WEAVE(SAMPLE, MOST) \
  for (int x = 0; x < width; x++) { \
    const SAMPLE **a = (const SAMPLE **)own, **b = (const SAMPLE **)next, **c = (const SAMPLE **)last; \
    int32_t sum = 17236 * (a[1][x] + a[2][x]) - 852 * (a[0][x] + a[3][x]) + 16384; \
    sum += 5570 * (b[2][x] + c[2][x]) - 3801 * (b[1][x] + b[3][x] + c[1][x] + c[3][x]) \
        + 1016 * (b[0][x] + b[4][x] + c[0][x] + c[4][x]); \
    sum >>= 15; \
    ((SAMPLE *)out)[x] = (SAMPLE)(sum < 0 ? 0 : sum > MOST ? MOST : sum); \
  }

/// Interpolates one line between those of the first field.
SCENE_FAST static void weave(
    const uint8_t **own, const uint8_t **next, const uint8_t **last, uint8_t *out, int width,
    int deep) {
  if (deep) {
    WEAVE(uint16_t, 1023)
  } else {
    WEAVE(uint8_t, 255)
  }
}

static inline uint8_t *row_of(scene_plane plane, int row) {
  return plane.bytes + (int64_t)row * plane.stride;
}

void scene_join_fields(
    scene_plane before, scene_plane now, scene_fields fields, scene_plane out) {
  const int rows = fields.rows;
  for (int row = 0; row < rows; row++) {
    uint8_t *to = row_of(out, row);
    const uint8_t *line = row_of(now, row);
    if ((row & 1) == fields.first) {
      for (int x = 0; x < fields.width << fields.is_deep; x++) to[x] = line[x];
      continue;
    }
    const uint8_t *own[4], *next[5], *last[5];
    for (int i = 0; i < 4; i++) own[i] = row_of(now, inside(row + 2 * i - 3, rows));
    for (int i = 0; i < 5; i++) {
      int other = inside(row + 2 * i - 4, rows);
      next[i] = row_of(now, other);
      last[i] = row_of(before, other);
    }
    weave(own, next, last, to, fields.width, fields.is_deep);
  }
}
