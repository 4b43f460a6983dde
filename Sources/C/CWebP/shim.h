// SPDX-License-Identifier: MIT
#ifndef SCENE_CWEBP_H
#define SCENE_CWEBP_H
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <webp/decode.h>
#include <webp/demux.h>

// Safe to call: the owner keeps all objects alive that are passed in addition to plain values and
// strings. The function validates indices and frees nothing.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

// A decoder for the frames of a WebP, in order, each as a complete image in BGRA.
typedef struct {
  WebPAnimDecoder *decoder;
  unsigned char *own;
  int width, height, count, has_alpha;
  // The index of the next frame.
  int next;
} __attribute__((swift_attr("safe"))) scene_webp;

SCENE_SAFE static inline void scene_webp_close(scene_webp *it) {
  if (it->decoder) WebPAnimDecoderDelete(it->decoder);
  free(it->own);
  memset(it, 0, sizeof *it);
}

// Opens a WebP; returns 0 if the bytes are not one. The bytes must remain valid until it is closed.
static inline int scene_webp_open(
    scene_webp *it, const unsigned char *bytes, size_t count, int is_premultiplied) {
  WebPAnimDecoderOptions options;
  WebPAnimDecoderOptionsInit(&options);
  options.color_mode = is_premultiplied ? MODE_bgrA : MODE_BGRA;
  WebPData data = {bytes, count};
  WebPAnimInfo info;
  it->decoder = WebPAnimDecoderNew(&data, &options);
  if (!it->decoder || !WebPAnimDecoderGetInfo(it->decoder, &info)) return 0;
  it->width = (int)info.canvas_width, it->height = (int)info.canvas_height, it->count = (int)info.frame_count;
  const WebPDemuxer *parts = WebPAnimDecoderGetDemuxer(it->decoder);
  it->has_alpha = (WebPDemuxGetI(parts, WEBP_FF_FORMAT_FLAGS) & ALPHA_FLAG) != 0;
  return 1;
}

// Reads a file of `count` bytes and keeps alpha straight.
SCENE_SAFE static inline int scene_webp_read(scene_webp *it, int file, size_t count) {
  it->own = malloc(count);
  for (size_t at = 0; it->own && at < count;) {
    ssize_t more = pread(file, it->own + at, count - at, (off_t)at);
    if (more <= 0) return 0;
    at += (size_t)more;
  }
  return it->own && scene_webp_open(it, it->own, count, 0);
}

// Returns the duration of a frame in milliseconds; the index starts at 0. Returns -1 if the frame
// is missing.
SCENE_SAFE static inline int scene_webp_duration(const scene_webp *it, int picture) {
  WebPIterator frame;
  if (!WebPDemuxGetFrame(WebPAnimDecoderGetDemuxer(it->decoder), picture + 1, &frame)) return -1;
  int duration = frame.complete ? frame.duration : -1;
  WebPDemuxReleaseIterator(&frame);
  return duration;
}

// Decodes a frame and copies it to rows of `stride` bytes unless `rows` is NULL. Returns the end
// time of the frame in milliseconds, or -1 if a frame is damaged. Sequential access is fastest.
static inline int scene_webp_decode(scene_webp *it, int picture, unsigned char *rows, size_t stride) {
  unsigned char *pixels = NULL;
  int end = -1;
  if (picture < it->next) WebPAnimDecoderReset(it->decoder), it->next = 0;
  for (; it->next <= picture; it->next++)
    if (!WebPAnimDecoderGetNext(it->decoder, &pixels, &end)) return -1;
  size_t width = 4 * (size_t)it->width;
  for (int y = 0; rows && y < it->height; y++) memcpy(rows + y * stride, pixels + y * width, width);
  return end;
}
#endif
