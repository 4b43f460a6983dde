// SPDX-License-Identifier: MIT
#ifndef SCENE_CSCALE_H
#define SCENE_CSCALE_H
#include <libavutil/frame.h>
#include <libswscale/swscale.h>

// From one format and size of pictures to another, BGRA where `to` is below 0; NULL for a format
// that is not known. Exact rather than fast, the same on every processor.
static inline struct SwsContext *scene_scaler(
    int format, int width, int height, int to, int to_width, int to_height, int matrix, int is_full) {
  int flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT;
  struct SwsContext *it = sws_getContext(
      width, height, (enum AVPixelFormat)format, to_width, to_height,
      to < 0 ? AV_PIX_FMT_BGRA : (enum AVPixelFormat)to, flags, NULL, NULL, NULL);
  const int *factors = sws_getCoefficients(matrix);
  if (it) sws_setColorspaceDetails(it, factors, is_full, factors, to < 0 || is_full, 0, 1 << 16, 1 << 16);
  return it;
}

// The rows that were written.
static inline int scene_scale(
    struct SwsContext *scaler, const AVFrame *frame, uint8_t *const planes[4], const int strides[4]) {
  return sws_scale(
      scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides);
}
#endif
