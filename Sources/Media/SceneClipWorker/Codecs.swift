// SPDX-License-Identifier: MIT
import SceneAV

/// The supported subset of libav: container formats and one decoder for each codec.
enum Codecs {
  static let formats =
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,wav,aiff,flac,mp3,aac,ogg,gif,apng,"
    + "yuv4mpegpipe,h264,hevc,ac3,eac3"

  /// Decoder names by codec name, both as in libav.
  private static let pictures = [
    "h264": "h264", "hevc": "hevc", "av1": "libdav1d", "vp8": "vp8", "vp9": "vp9",
    "mpeg1video": "mpeg1video", "mpeg2video": "mpeg2video", "mpeg4": "mpeg4", "prores": "prores",
    "dnxhd": "dnxhd", "mjpeg": "mjpeg", "ffv1": "ffv1", "qtrle": "qtrle", "png": "png",
    "gif": "gif", "apng": "apng", "rawvideo": "rawvideo", "v210": "v210", "hap": "hap",
  ]
  /// Decoders for streams with alpha, which libav's native decoders discard.
  private static let clearPictures = ["vp8": "libvpx", "vp9": "libvpx-vp9"]

  private static let sounds = [
    "aac": "aac", "mp2": "mp2float", "mp3": "mp3float", "ac3": "ac3", "eac3": "eac3",
    "opus": "opus",
    "vorbis": "vorbis", "flac": "flac", "alac": "alac",
  ]
  private static let plainSounds = [
    "pcm_u8", "pcm_s8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le",
    "pcm_s32be", "pcm_f32le", "pcm_f32be", "pcm_f64le", "pcm_f64be", "pcm_mulaw", "pcm_alaw",
  ]

  static let decoders =
    ([pictures, clearPictures, sounds].flatMap { $0.values } + plainSounds).sorted()
    .joined(separator: ",")

  static func pictureDecoder(_ codec: String, hasAlpha: Bool) -> String? {
    (hasAlpha ? clearPictures[codec] : nil) ?? pictures[codec]
  }

  static func soundDecoder(_ codec: String) -> String? {
    sounds[codec] ?? (plainSounds.contains(codec) ? codec : nil)
  }

  static var pictureNames: String { pictures.keys.sorted().joined(separator: ", ") }
}
