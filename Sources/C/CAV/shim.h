// SPDX-License-Identifier: MIT
#ifndef SCENE_CAV_H
#define SCENE_CAV_H
#include <libavcodec/avcodec.h>
#include <libavcodec/avfft.h>
#include <libavcodec/vorbis_parser.h>
#include <libavformat/avformat.h>
#include <errno.h>
#include <float.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <libavutil/avutil.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/cpu.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

// Safe to call: the owner keeps all objects alive that are passed in addition to plain values and
// strings. The function validates indices and frees nothing. For a structure, this applies to all
// functions that take it.
#define SCENE_SAFE __attribute__((swift_attr("safe")))

// Macros that Swift cannot import.
static inline int scene_averror(int code) { return AVERROR(code); }
static inline int scene_averror_eof(void) { return AVERROR_EOF; }
static inline int scene_averror_exit(void) { return AVERROR_EXIT; }
static inline uint8_t *scene_frame_plane(AVFrame *frame, int plane) { return frame->data[plane]; }
SCENE_SAFE static inline void scene_set_palette(AVFrame *frame, int index, uint32_t color) {
  if (index >= 0 && index < 256) ((uint32_t *)frame->data[1])[index] = color;
}
SCENE_SAFE static inline int scene_frame_stride(AVFrame *frame, int plane) {
  return plane >= 0 && plane < AV_NUM_DATA_POINTERS ? frame->linesize[plane] : 0;
}

// Sets or clears CAP_SYS_NICE in the effective capabilities of the calling thread, if it is
// permitted. Returns whether it was set.
SCENE_SAFE static inline bool scene_set_nice_capability(bool is_effective) {
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  const uint32_t bit = UINT32_C(1) << CAP_SYS_NICE;
  if (syscall(SYS_capget, &head, sets) != 0) return false;
  const bool was_effective = sets[0].effective & bit;
  if (was_effective == is_effective || !(sets[0].permitted & bit)) return was_effective;
  sets[0].effective ^= bit;
  syscall(SYS_capset, &head, sets);
  return was_effective;
}

// A demuxer or muxer, which its owner keeps alive.
typedef struct SCENE_SAFE { AVFormatContext *context; } scene_format;

// Adds a chapter, in milliseconds, as libavformat does internally for its demuxers. The context
// frees the chapter. If out of memory, the chapter is omitted.
SCENE_SAFE static inline void scene_add_chapter(scene_format format, int64_t start, int64_t end, const char *title) {
  AVChapter **list = av_realloc_array(format.context->chapters, format.context->nb_chapters + 1, sizeof *list);
  if (list) format.context->chapters = list;
  AVChapter *chapter = list ? av_mallocz(sizeof *chapter) : NULL;
  if (!chapter) return;
  chapter->id = format.context->nb_chapters;
  chapter->time_base = (AVRational){1, 1000};
  chapter->start = start;
  chapter->end = end;
  av_dict_set(&chapter->metadata, "title", title, 0);
  list[format.context->nb_chapters++] = chapter;
}

// Returns whether the processor supports the instruction sets that x264 calls "avx2".
static inline int scene_has_avx2(void) {
#if defined(__x86_64__)
  int flags = av_get_cpu_flags();
  int needed = AV_CPU_FLAG_AVX2 | AV_CPU_FLAG_FMA3 | AV_CPU_FLAG_BMI1 | AV_CPU_FLAG_BMI2;
  return (flags & needed) == needed;
#else
  return 0;
#endif
}

// The properties of a stream as plain values.
typedef struct {
  int kind, codec, format, profile, width, height, disposition;
  AVRational base, rate, mean_rate, aspect;
  int matrix, range, transfer, siting, field_order, has_alpha;
  int64_t start, duration;
  int sample_rate, channels, frame_size, padding;
  // The speakers that the file declares as a bit mask; bits are in the order of the channels. 0 if
  // it declares none.
  uint64_t speakers;
  // The upper left part of the display matrix, in 2^-16.
  int has_turn, turn[4];
  // The peak luminance of the mastering display in cd/m², 0 if unknown, and the Dolby Vision
  // profile.
  double peak;
  int dolby_vision;
} scene_stream;

static inline int scene_format_has_alpha(int format) {
  const AVPixFmtDescriptor *it = av_pix_fmt_desc_get((enum AVPixelFormat)format);
  return it && (it->flags & AV_PIX_FMT_FLAG_ALPHA);
}

static inline scene_stream scene_stream_facts(scene_format format, unsigned number) {
  if (number >= format.context->nb_streams) return (scene_stream){0};
  const AVStream *stream = format.context->streams[number];
  const AVCodecParameters *codec = stream->codecpar;
  const AVDictionaryEntry *alpha = av_dict_get(stream->metadata, "alpha_mode", NULL, 0);
  scene_stream it = {
    .kind = codec->codec_type, .codec = codec->codec_id, .format = codec->format,
    .profile = codec->profile, .width = codec->width, .height = codec->height,
    .disposition = stream->disposition, .base = stream->time_base, .rate = stream->r_frame_rate,
    .mean_rate = stream->avg_frame_rate, .aspect = stream->sample_aspect_ratio,
    .matrix = codec->color_space, .range = codec->color_range, .transfer = codec->color_trc,
    .siting = codec->chroma_location, .field_order = codec->field_order,
    .has_alpha = (alpha && !strcmp(alpha->value, "1")) || scene_format_has_alpha(codec->format),
    .start = stream->start_time, .duration = stream->duration,
    .sample_rate = codec->sample_rate, .channels = codec->ch_layout.nb_channels,
    .frame_size = codec->frame_size, .padding = codec->initial_padding,
    .speakers = codec->ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? codec->ch_layout.u.mask : 0,
  };
  if (it.aspect.num <= 0) it.aspect = codec->sample_aspect_ratio;
  size_t size = 0;
  const uint8_t *matrix = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  if (matrix && size >= 9 * sizeof(int32_t)) {
    const int32_t *m = (const int32_t *)matrix;
    it.has_turn = 1;
    it.turn[0] = m[0], it.turn[1] = m[1], it.turn[2] = m[3], it.turn[3] = m[4];
  }
  const AVMasteringDisplayMetadata *display = (const AVMasteringDisplayMetadata *)
      av_stream_get_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, &size);
  if (display && size >= sizeof *display && display->has_luminance && display->max_luminance.den > 0)
    it.peak = av_q2d(display->max_luminance);
  const AVDOVIDecoderConfigurationRecord *dolby = (const AVDOVIDecoderConfigurationRecord *)
      av_stream_get_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size);
  if (dolby && size >= sizeof *dolby) it.dolby_vision = dolby->dv_profile;
  return it;
}

// The properties of a packet. Timestamps may be AV_NOPTS_VALUE.
typedef struct {
  int64_t pts, dts, duration, position;
  int stream, size, flags;
  // The number of samples that the decoder must drop at the start and the end of the packet.
  int skipped, dropped;
} scene_packet;

SCENE_SAFE static inline scene_packet scene_packet_facts(AVPacket *packet) {
  scene_packet it = {packet->pts, packet->dts, packet->duration, packet->pos, packet->stream_index,
    packet->size, packet->flags, 0, 0};
  size_t size = 0;
  const uint8_t *skip = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
  if (skip && size >= 10) it.skipped = (int)AV_RL32(skip), it.dropped = (int)AV_RL32(skip + 4);
  return it;
}

// The samples of a packet that are NaN or infinite.
typedef struct {
  // The number of these samples in all channels.
  int64_t count;
  // The indices of the first and last of these samples, counted across all channels; -1 if there
  // are none.
  int64_t first;
  int64_t last;
} scene_invalid;

// Finds the samples that are NaN or infinite, which have an exponent of all ones, in a PCM packet
// with samples of `width` bytes.
SCENE_SAFE static inline scene_invalid scene_invalid_samples(const AVPacket *packet, int width, int is_big_endian) {
  scene_invalid it = {0, -1, -1};
  int top = is_big_endian ? 0 : width - 1, next = is_big_endian ? 1 : width - 2;
  uint8_t mask = width == 4 ? 0x80 : 0xF0;
  for (int64_t k = 0; (k + 1) * width <= packet->size; k++) {
    const uint8_t *sample = packet->data + k * width;
    if ((sample[top] & 0x7F) != 0x7F || (sample[next] & mask) != mask) continue;
    if (it.first < 0) it.first = k;
    it.last = k;
    it.count++;
  }
  return it;
}

// Sets the bytes of an empty packet.
static inline int scene_fill_packet(AVPacket *packet, const uint8_t *bytes, int count) {
  int status = count > 0 ? av_grow_packet(packet, count) : 0;
  if (status >= 0 && count > 0) memcpy(packet->data, bytes, count);
  return status;
}

static inline int64_t scene_no_time(void) { return AV_NOPTS_VALUE; }

// A callback that refuses to open the other files to which a file refers.
static inline int scene_refuse_to_open(
    AVFormatContext *format, AVIOContext **made, const char *name, int flags, AVDictionary **options) {
  (void)format, (void)name, (void)flags, (void)options;
  *made = NULL;
  return AVERROR(EPERM);
}

// Counts the errors that a demuxer reports in the user data of its context. Everything else that
// libav reports is discarded.
static inline void scene_count_errors(void *context, int level, const char *format, va_list values) {
  (void)format, (void)values;
  const AVClass *kind = context ? *(const AVClass **)context : NULL;
  if (level > AV_LOG_ERROR || !kind || strcmp(kind->class_name, "AVFormatContext")) return;
  AVFormatContext *file = context;
  file->opaque = (void *)((intptr_t)file->opaque + 1);
}
static inline void scene_silence_libav(void) { av_log_set_callback(scene_count_errors); }
static inline int64_t scene_error_count(scene_format format) {
  return (intptr_t)format.context->opaque;
}

// Opens a file that is read only through `bytes`, in one of `formats`. Returns NULL and sets
// `status` on failure.
static inline AVFormatContext *scene_open_input(
    AVIOContext *bytes, const char *formats, const char *codecs, int *status) {
  AVFormatContext *it = avformat_alloc_context();
  AVDictionary *options = NULL;
  *status = AVERROR(ENOMEM);
  if (!it) return NULL;
  it->pb = bytes;
  it->flags |= AVFMT_FLAG_CUSTOM_IO;
  it->io_open = scene_refuse_to_open;
  av_dict_set(&options, "format_whitelist", formats, 0);
  av_dict_set(&options, "codec_whitelist", codecs, 0);
  // No protocol has this name, so all protocols are disabled.
  av_dict_set(&options, "protocol_whitelist", "none", 0);
  av_dict_set_int(&options, "formatprobesize", 1 << 20, 0);
  *status = avformat_open_input(&it, "", NULL, &options);
  av_dict_free(&options);
  return *status < 0 ? NULL : it;
}

// Sets the codec headers of a stream.
static inline int scene_set_headers(AVStream *stream, const uint8_t *bytes, int count) {
  uint8_t *copy = av_mallocz((size_t)count + AV_INPUT_BUFFER_PADDING_SIZE);
  if (!copy) return AVERROR(ENOMEM);
  memcpy(copy, bytes, count);
  av_freep(&stream->codecpar->extradata);
  stream->codecpar->extradata = copy;
  stream->codecpar->extradata_size = count;
  return 0;
}

// Returns the number of samples per channel in a packet, 0 if its size does not determine it.
static inline int scene_sound_length(scene_format format, unsigned stream, int size) {
  if (stream >= format.context->nb_streams) return 0;
  return av_get_audio_frame_duration2(format.context->streams[stream]->codecpar, size);
}

// Returns the number of samples at the start of a frame that its decoder reports as padding, such
// as the delay of an encoder that identifies itself in the stream. Requires
// AV_CODEC_FLAG2_SKIP_MANUAL.
SCENE_SAFE static inline int64_t scene_padding(const AVFrame *frame) {
  const AVFrameSideData *it = av_frame_get_side_data(frame, AV_FRAME_DATA_SKIP_SAMPLES);
  return it && it->size >= 4 ? AV_RL32(it->data) : 0;
}

// Copies the parameters of a stream to a decoder; returns a negative error code on failure.
SCENE_SAFE static inline int scene_describe_stream(scene_format format, unsigned stream, AVCodecContext *decoder) {
  if (stream >= format.context->nb_streams) return AVERROR(EINVAL);
  decoder->pkt_timebase = format.context->streams[stream]->time_base;
  return avcodec_parameters_to_context(decoder, format.context->streams[stream]->codecpar);
}

// Wrappers of functions that take the address of the pointer to the object that they free.
static inline void scene_free_options(AVDictionary *options) { av_dict_free(&options); }
static inline void scene_free_vorbis(AVVorbisParseContext *parser) { av_vorbis_parse_free(&parser); }
static inline void scene_free_store(AVIOContext **context) {
  av_freep(&(*context)->buffer);
  avio_context_free(context);
}

// Configures a decoder for the output of an encoder; returns a negative error code on failure.
SCENE_SAFE static inline int scene_describe_decoder(AVCodecContext *decoder, const AVCodecContext *encoder) {
  AVCodecParameters *it = avcodec_parameters_alloc();
  if (!it) return AVERROR(ENOMEM);
  int status = avcodec_parameters_from_context(it, encoder);
  if (status >= 0) status = avcodec_parameters_to_context(decoder, it);
  avcodec_parameters_free(&it);
  decoder->pkt_timebase = encoder->time_base;
  return status;
}

// Stores the samples of a frame, interleaved, in the range -1 to 1. Missing channels are silent.
// Returns 0 for an unknown format.
static inline int scene_sound_samples(const AVFrame *frame, int channels, float *out) {
  enum AVSampleFormat format = av_get_packed_sample_fmt((enum AVSampleFormat)frame->format);
  int is_planar = av_sample_fmt_is_planar((enum AVSampleFormat)frame->format);
  int own = frame->ch_layout.nb_channels;
  for (int channel = 0; channel < channels; channel++) {
    float *to = out + channel;
    if (channel >= own) {
      for (int k = 0; k < frame->nb_samples; k++) to[(size_t)k * channels] = 0;
      continue;
    }
    const uint8_t *plane = is_planar ? frame->extended_data[channel] : frame->extended_data[0];
    size_t step = is_planar ? 1 : own, first = is_planar ? 0 : channel;
#define SCENE_TAKE(type, value) \
  for (int k = 0; k < frame->nb_samples; k++) { \
    type x = ((const type *)plane)[first + step * k]; \
    to[(size_t)k * channels] = (float)(value); \
  } \
  break
    switch (format) {
    case AV_SAMPLE_FMT_U8: SCENE_TAKE(uint8_t, (x - 128) / 128.0);
    case AV_SAMPLE_FMT_S16: SCENE_TAKE(int16_t, x / 32768.0);
    case AV_SAMPLE_FMT_S32: SCENE_TAKE(int32_t, x / 2147483648.0);
    // NaN and infinity become silence, so that the limiter does not lower the sound around them. Finite
    // samples far beyond full scale are clamped.
    case AV_SAMPLE_FMT_FLT: SCENE_TAKE(float, x >= -1e4f ? (x <= 1e4f ? x : x <= FLT_MAX ? 1e4f : 0) : x >= -FLT_MAX ? -1e4f : 0);
    case AV_SAMPLE_FMT_DBL: SCENE_TAKE(double, x >= -1e4 ? (x <= 1e4 ? x : x <= DBL_MAX ? 1e4 : 0) : x >= -DBL_MAX ? -1e4 : 0);
    default: return 0;
    }
#undef SCENE_TAKE
  }
  return 1;
}

// Returns a sample as an integer of 16 or 32 bits, clamped to its range.
static inline int64_t scene_fixed(float sample, double scale) {
  double x = sample * scale;
  return (int64_t)(x < -scale ? -scale : x > scale - 1 ? scale - 1 : x < 0 ? x - 0.5 : x + 0.5);
}

// Fills a frame with interleaved samples in the range -1 to 1, in the format of an encoder. Returns
// a negative error code on failure.
static inline int scene_set_sound(AVFrame *frame, const AVCodecContext *codec, const float *samples, int count) {
  av_frame_unref(frame);
  frame->format = codec->sample_fmt, frame->nb_samples = count, frame->sample_rate = codec->sample_rate;
  int status = av_channel_layout_copy(&frame->ch_layout, &codec->ch_layout);
  if (status >= 0) status = av_frame_get_buffer(frame, 0);
  if (status < 0) return status;
  int channels = codec->ch_layout.nb_channels, is_planar = av_sample_fmt_is_planar(codec->sample_fmt);
  for (int channel = 0; channel < channels; channel++) {
    uint8_t *to = frame->extended_data[is_planar ? channel : 0];
    for (int k = 0; k < count; k++) {
      float x = samples[(size_t)k * channels + channel];
      size_t place = is_planar ? (size_t)k : (size_t)k * channels + channel;
      switch (av_get_packed_sample_fmt(codec->sample_fmt)) {
      case AV_SAMPLE_FMT_S16: ((int16_t *)to)[place] = (int16_t)scene_fixed(x, 32768); break;
      case AV_SAMPLE_FMT_S32: ((int32_t *)to)[place] = (int32_t)scene_fixed(x, 2147483648.0); break;
      case AV_SAMPLE_FMT_FLT: ((float *)to)[place] = x; break;
      default: return AVERROR(EINVAL);
      }
    }
  }
  return 0;
}

// The format and size of frames.
typedef struct { int format, width, height; } scene_frame_form;

// Creates a converter between formats and sizes; NULL for an unknown format. Accurate instead of
// fast, and independent of the processor.
static inline struct SwsContext *scene_scaler(
    scene_frame_form from, scene_frame_form to, int matrix, int is_full) {
  int flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT;
  struct SwsContext *it = sws_getContext(
      from.width, from.height, (enum AVPixelFormat)from.format, to.width, to.height,
      (enum AVPixelFormat)to.format, flags, NULL, NULL, NULL);
  const int *factors = sws_getCoefficients(matrix);
  int is_full_after = to.format == AV_PIX_FMT_BGRA || is_full;
  if (it) sws_setColorspaceDetails(it, factors, is_full, factors, is_full_after, 0, 1 << 16, 1 << 16);
  return it;
}

// Converts a frame and stores it in `planes`; returns the number of written rows.
static inline int scene_scale(
    struct SwsContext *scaler, const AVFrame *frame, uint8_t *const planes[4], const int strides[4]) {
  return sws_scale(
      scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides);
}
SCENE_SAFE static inline _Bool scene_has_encoder(const char *name) { return avcodec_find_encoder_by_name(name) != NULL; }
SCENE_SAFE static inline int scene_channels(AVCodecContext *codec) { return codec->ch_layout.nb_channels; }
SCENE_SAFE static inline void scene_set_channels(AVCodecContext *codec, int count) {
  av_channel_layout_default(&codec->ch_layout, count);
}
// Returns whether the format of a stream is known without decoding: H.264 in a container that
// stores the headers, frame order and frame rate.
static inline _Bool scene_tells_by_head(scene_format format, unsigned stream) {
  if (stream >= format.context->nb_streams || strncmp(format.context->iformat->name, "mov,", 4)) return 0;
  const AVCodecParameters *codec = format.context->streams[stream]->codecpar;
  return codec->codec_id == AV_CODEC_ID_H264 && codec->extradata_size > 6 && codec->extradata[0] == 1;
}

// Reads the stream information. Unless `decodes`, streams for which `scene_tells_by_head` returns
// true have no pixel format afterward; decoding a first frame of several MB would take 100 ms.
static inline int scene_find_streams(scene_format format, _Bool decodes) {
  unsigned count = format.context->nb_streams;
  AVDictionary **options = decodes || !count ? NULL : av_calloc(count, sizeof *options);
  for (unsigned stream = 0; options && stream < count; stream++)
    if (scene_tells_by_head(format, stream)) av_dict_set(&options[stream], "skip_frame", "all", 0);
  int status = avformat_find_stream_info(format.context, options);
  for (unsigned stream = 0; options && stream < count; stream++) av_dict_free(&options[stream]);
  av_free(options);
  return status;
}

// Determines the format of a packet's stream from its first slice header, which is all that the
// decoder receives. Returns a negative error code and changes nothing on failure.
SCENE_SAFE static inline int scene_read_head(scene_format format, const AVPacket *packet) {
  enum { most = 512 };
  unsigned number = packet->stream_index;
  if (!scene_tells_by_head(format, number)) return AVERROR(EINVAL);
  AVCodecParameters *codec = format.context->streams[number]->codecpar;
  int size = (codec->extradata[4] & 3) + 1, place = 0, kept = 0;
  while (!kept && place < packet->size - size) {
    unsigned length = 0;
    for (int k = 0; k < size; k++) length = length << 8 | packet->data[place + k];
    if (!length || length > (unsigned)(packet->size - size - place)) break;
    int kind = packet->data[place + size] & 31;
    if (kind == 1 || kind == 5) kept = length < most ? length : most;
    else place += size + length;
  }
  if (!kept) return AVERROR_INVALIDDATA;
  AVPacket *head = av_packet_alloc();
  AVCodecContext *decoder = avcodec_alloc_context3(avcodec_find_decoder_by_name("h264"));
  int status = head && decoder ? av_new_packet(head, place + size + kept) : AVERROR(ENOMEM);
  if (status >= 0) {
    memcpy(head->data, packet->data, head->size);
    for (int k = 0; k < size; k++) head->data[place + k] = kept >> 8 * (size - 1 - k);
    head->flags = packet->flags;
    status = avcodec_parameters_to_context(decoder, codec);
  }
  if (status >= 0) {
    decoder->thread_count = 1;
    decoder->error_concealment = 0;
    decoder->max_pixels = 8192 * 8192;
    status = avcodec_open2(decoder, NULL, NULL);
  }
  if (status >= 0) {
    // The truncated slice is an expected error.
    avcodec_send_packet(decoder, head);
    status = decoder->pix_fmt < 0 ? AVERROR_INVALIDDATA : avcodec_parameters_from_context(codec, decoder);
  }
  avcodec_free_context(&decoder);
  av_packet_free(&head);
  return status;
}
SCENE_SAFE static inline int scene_describe(AVStream *stream, AVCodecContext *codec) {
  return avcodec_parameters_from_context(stream->codecpar, codec);
}
// Describes a caption track: its codec and the size of the frames.
SCENE_SAFE static inline void scene_describe_captions(AVStream *stream, enum AVCodecID codec, int width, int height) {
  stream->codecpar->codec_type = AVMEDIA_TYPE_SUBTITLE;
  stream->codecpar->codec_id = codec;
  stream->codecpar->width = width;
  stream->codecpar->height = height;
}
SCENE_SAFE static inline void scene_set_stream_metadata(AVStream *stream, const char *key, const char *value) {
  av_dict_set(&stream->metadata, key, value, 0);
}
static inline void scene_flush(scene_format format) { avio_flush(format.context->pb); }
static inline int scene_late_error(scene_format format) { return format.context->pb->error; }
// Enables or disables reading a stream.
static inline void scene_choose(scene_format format, unsigned stream, _Bool is_wanted) {
  if (stream < format.context->nb_streams) format.context->streams[stream]->discard = is_wanted ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
}
SCENE_SAFE static inline void scene_set_metadata(scene_format format, const char *key, const char *value) {
  av_dict_set(&format.context->metadata, key, value, 0);
}

// Library functions to which SCENE_SAFE also applies.
#define SCENE_ALSO(function) extern __typeof__(function) function SCENE_SAFE
SCENE_ALSO(av_frame_get_buffer);
SCENE_ALSO(av_frame_make_writable);
SCENE_ALSO(av_frame_ref);
SCENE_ALSO(av_frame_unref);
SCENE_ALSO(av_interleaved_write_frame);
SCENE_ALSO(av_opt_set_q);
SCENE_ALSO(av_packet_ref);
SCENE_ALSO(av_packet_rescale_ts);
SCENE_ALSO(av_packet_unref);
SCENE_ALSO(av_read_frame);
SCENE_ALSO(av_seek_frame);
SCENE_ALSO(av_write_trailer);
SCENE_ALSO(avcodec_flush_buffers);
SCENE_ALSO(avcodec_receive_frame);
SCENE_ALSO(avcodec_receive_packet);
SCENE_ALSO(avcodec_send_frame);
SCENE_ALSO(avcodec_send_packet);
SCENE_ALSO(sws_scale_frame);
#undef SCENE_ALSO
#endif
