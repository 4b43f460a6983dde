// SPDX-License-Identifier: MIT
#ifndef SCENE_CAV_H
#define SCENE_CAV_H
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <errno.h>
#include <libavutil/avutil.h>
#include <libavutil/cpu.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>

// Macros that Swift cannot import.
static inline int scene_averror(int code) { return AVERROR(code); }
static inline int scene_averror_eof(void) { return AVERROR_EOF; }
static inline uint8_t *scene_frame_plane(AVFrame *frame, int plane) { return frame->data[plane]; }
static inline int scene_frame_stride(const AVFrame *frame, int plane) { return frame->linesize[plane]; }

// What libavformat does for its own demuxers alone: one more chapter, in milliseconds. The context
// frees it; without memory it is left out.
static inline void scene_add_chapter(AVFormatContext *format, int64_t start, int64_t end, const char *title) {
  AVChapter **list = av_realloc_array(format->chapters, format->nb_chapters + 1, sizeof *list);
  if (list) format->chapters = list;
  AVChapter *chapter = list ? av_mallocz(sizeof *chapter) : NULL;
  if (!chapter) return;
  chapter->id = format->nb_chapters;
  chapter->time_base = (AVRational){1, 1000};
  chapter->start = start;
  chapter->end = end;
  av_dict_set(&chapter->metadata, "title", title, 0);
  list[format->nb_chapters++] = chapter;
}

// The instructions that x264 means by "avx2".
static inline int scene_has_avx2(void) {
#if defined(__x86_64__)
  int flags = av_get_cpu_flags();
  int needed = AV_CPU_FLAG_AVX2 | AV_CPU_FLAG_FMA3 | AV_CPU_FLAG_BMI1 | AV_CPU_FLAG_BMI2;
  return (flags & needed) == needed;
#else
  return 0;
#endif
}
#endif
