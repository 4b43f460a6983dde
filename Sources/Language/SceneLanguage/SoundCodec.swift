// SPDX-License-Identifier: MIT

/// An audio codec. This file is the single source of the capabilities of each codec.
public enum SoundCodec: String, CaseIterable, Hashable, Sendable, Encodable {
  case aac, opus, mp3, flac
  /// Uncompressed samples.
  case pcm

  /// The common name of the codec.
  public var title: String {
    switch self {
    case .aac: "AAC"
    case .opus: "Opus"
    case .mp3: "MP3"
    case .flac: "FLAC"
    case .pcm: "PCM"
    }
  }

  /// The supported bit rates in bits per second, and the default. `nil` for lossless codecs. The
  /// default is `nil` if the encoder uses a constant quality unless a bit rate is set.
  public var bitrates: (range: ClosedRange<Double>, initial: Double?)? {
    switch self {
    case .aac: (16_000...512_000, 192_000)
    case .opus: (6_000...510_000, 160_000)
    case .mp3: (32_000...320_000, nil)
    case .flac, .pcm: nil
    }
  }

  /// The supported sample rates in Hz; empty if all are supported.
  public var rates: [Int] {
    switch self {
    case .aac:
      [
        48_000, 96_000, 88_200, 64_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025,
        8000,
      ]
    case .opus: [48_000, 24_000, 16_000, 12_000, 8000]
    case .mp3: [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000]
    case .flac, .pcm: []
    }
  }

  /// The supported bit depths; empty for the lossy codecs, which have no such setting.
  package var depths: [Int] {
    switch self {
    case .pcm: [16, 24, 32]
    case .flac: [16, 24]
    case .aac, .opus, .mp3: []
    }
  }
}

extension FileFormat {
  /// Returns the audio codecs that the format supports together with a video codec; the first one
  /// is the default. Empty if the format has no audio.
  package func sounds(with pictures: VideoCodec?) -> [SoundCodec] {
    switch self {
    case .mp4: [.aac, .flac, .mp3, .opus]
    case .mov: pictures?.quality == nil ? [.pcm, .aac] : [.aac, .pcm]
    case .webm: [.opus]
    case .mkv:
      pictures?.quality == nil
        ? [.flac, .opus, .aac, .mp3, .pcm] : [.opus, .flac, .aac, .mp3, .pcm]
    case .wav: [.pcm]
    case .flac: [.flac]
    case .mp3: [.mp3]
    case .m4a: [.aac]
    case .opus, .ogg: [.opus]
    case .y4m, .gif, .webp, .apng, .pngStills, .jpegStills, .vtt, .srt, .txt: []
    }
  }

  /// Whether the format contains only audio.
  package var isSound: Bool { [.wav, .flac, .mp3, .m4a, .opus, .ogg].contains(self) }
}

/// The complete settings of an audio track.
package struct SoundSettings: Hashable, Sendable, Encodable {
  package var codec: SoundCodec
  /// The bit rate in bits per second; `nil` for the encoder's own choice.
  package var bitrate: Double?
  package var channels = 2
  /// The sample rate in Hz.
  package var rate = 48_000
  /// The number of bits per sample of lossless codecs.
  package var bits = 16
  /// The target loudness in LUFS; `nil` to leave it unchanged.
  package var loudness: Double?
  /// The maximum true peak in dBTP.
  package var peak = -1.0
  /// The number of samples per channel.
  package var sampleCount = 0

  package init(_ codec: SoundCodec) {
    self.codec = codec
    bitrate = codec.bitrates?.initial
  }
}
