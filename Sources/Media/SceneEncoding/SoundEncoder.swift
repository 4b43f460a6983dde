// SPDX-License-Identifier: MIT
import CAV
import SceneAV
import SceneLanguage

/// Encodes audio into packets. Used by one thread.
final class SoundEncoder {
  let codec: CodecContext
  private let settings: SoundSettings
  private let frame: Frame
  private var position: Int

  /// Opens an encoder whose first sample is sample `position` of the track.
  init(_ settings: SoundSettings, in file: FileFormat, from position: Int = 0) throws(VideoError) {
    av_log_set_level(AV_LOG_FATAL)
    self.settings = settings
    self.position = position
    frame = try Frame()
    let name = settings.encoder
    guard let codec = try CodecContext(encoder: name) else {
      throw VideoError(
        action: "find the encoder '\(name)'",
        reason:
          "it is not part of this libavcodec; install the Debian package '\(EncoderOptions.package)'",
        code: 0)
    }
    self.codec = codec
    codec.sample_rate = Int32(settings.rate)
    codec.setChannels(settings.channels)
    codec.time_base = AVRational(num: 1, den: Int32(settings.rate))
    codec.sample_fmt = settings.sampleFormat
    if settings.bits == 24 { codec.bits_per_raw_sample = 24 }
    if ![.wav, .mp3].contains(file) { codec.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER) }
    if let bits = settings.bitrate { codec.bit_rate = Int64(bits) }
    codec.thread_count = 1
    var options = AVOptions()
    for (name, value) in settings.options { options.set(name, value) }
    let status = codec.open(&options)
    if status < 0 { throw VideoError("open the audio encoder with these settings", status) }
  }

  /// The number of samples per channel in one frame of the encoder.
  var frameSize: Int { codec.frame_size > 0 ? Int(codec.frame_size) : 4096 }

  /// Encodes interleaved stereo samples. Timestamps are in samples; those of priming packets are
  /// negative.
  func encode(_ samples: [Float], count: Int) throws(VideoError) -> [Packet] {
    let heard = settings.channels == 1 ? mono(samples) : samples
    let ready = settings.isFixed && !isExact(heard) ? dithered(heard) : heard
    let status = frame.take(ready, count: count, for: codec)
    if status < 0 { throw VideoError("allocate an audio frame", status) }
    frame.pts = Int64(position)
    position += count
    return try packets(after: codec.send(frame))
  }

  private func mono(_ samples: [Float]) -> [Float] {
    stride(from: 0, to: samples.count, by: 2).map { (samples[$0] + samples[$0 + 1]) / 2 }
  }

  /// Flushes the encoder.
  func finish() throws(VideoError) -> [Packet] { try packets(after: codec.send(nil)) }

  private func packets(after status: Int32) throws(VideoError) -> [Packet] {
    if status < 0 { throw VideoError("encode audio", status) }
    var list: [Packet] = []
    while true {
      let packet = try Packet()
      let status = codec.receive(packet)
      if status == scene_averror(EAGAIN) || status == scene_averror_eof() { return list }
      if status < 0 { throw VideoError("encode audio", status) }
      list.append(packet)
    }
  }

  /// Returns whether integers represent all samples exactly, as for a file that plays unchanged.
  private func isExact(_ samples: [Float]) -> Bool {
    let scale = Float(1 << (settings.bits - 1))
    return samples.allSatisfy { ($0 * scale).rounded() == $0 * scale }
  }

  /// Returns the samples rounded to integer steps after adding triangular dither: the sum of two
  /// random values of half a step each, which replaces distortion with noise. The random values
  /// depend on the sample index only. Digital silence is not changed.
  private func dithered(_ samples: [Float]) -> [Float] {
    let scale = Float(1 << (settings.bits - 1))
    var out = samples
    for (k, sample) in samples.enumerated() where sample != 0 {
      var x = UInt64(position * settings.channels + k) &* 0x9E37_79B9_7F4A_7C15
      x = (x ^ (x >> 30)) &* 0xBF58_476D_1CE4_E5B9
      x = (x ^ (x >> 27)) &* 0x94D0_49BB_1331_11EB
      x ^= x >> 31
      let noise = Float(x >> 40) * 0x1p-24 - Float(x & 0xFF_FFFF) * 0x1p-24
      out[k] = (sample * scale + noise).rounded() / scale
    }
    return out
  }
}

extension SoundSettings {
  /// Whether samples are stored as integers with audible quantization.
  fileprivate var isFixed: Bool { codec == .flac || codec == .pcm && bits < 32 }

  /// The name of the encoder in libav.
  var encoder: String {
    switch codec {
    case .aac, .flac: codec.rawValue
    case .opus: "libopus"
    case .mp3: "libmp3lame"
    case .pcm: "pcm_s\(bits)le"
    }
  }

  fileprivate var sampleFormat: AVSampleFormat {
    switch codec {
    case .aac, .mp3: AV_SAMPLE_FMT_FLTP
    case .opus: AV_SAMPLE_FMT_FLT
    case .flac, .pcm: bits == 16 ? AV_SAMPLE_FMT_S16 : AV_SAMPLE_FMT_S32
    }
  }

  /// The codec-specific options.
  fileprivate var options: [(String, String)] {
    switch codec {
    case .opus: [("application", "audio"), ("vbr", "on")]
    case .mp3:
      bitrate == nil ? [("global_quality", "\(2 * FF_QP2LAMBDA)"), ("flags", "+qscale")] : []
    case .flac: [("compression_level", "8")]
    case .aac:
      // The other search of libav targets low bit rates. At this rate or above, it takes three
      // times as long and leaves 5 to 12 dB more noise in the bands of music and speech.
      (bitrate ?? 0) / Double(max(1, channels)) >= 48_000 ? [("aac_coder", "fast")] : []
    case .pcm: []
    }
  }
}
