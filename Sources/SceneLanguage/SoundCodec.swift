// SPDX-License-Identifier: MIT

/// How the sound of a file is encoded. The one place where it is written what each can do.
public enum SoundCodec: String, CaseIterable, Hashable, Sendable, Encodable {
  case aac, opus, mp3, flac
  /// Samples as they are.
  case pcm

  /// What people call it.
  public var title: String {
    switch self {
    case .aac: "AAC"
    case .opus: "Opus"
    case .mp3: "MP3"
    case .flac: "FLAC"
    case .pcm: "PCM"
    }
  }

  /// The bits a second that it keeps to, and those that are taken; `nil` where nothing is lost, or where the
  /// encoder keeps a quality unless it is asked for a rate.
  public var bitrates: (range: ClosedRange<Double>, initial: Double?)? {
    switch self {
    case .aac: (16_000...512_000, 192_000)
    case .opus: (6_000...510_000, 160_000)
    case .mp3: (32_000...320_000, nil)
    case .flac, .pcm: nil
    }
  }

  /// Samples a second that it can have; any where there are none.
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

  /// Bits of a sample that it can have; none where it has no samples of its own.
  package var depths: [Int] {
    switch self {
    case .pcm: [16, 24, 32]
    case .flac: [16, 24]
    case .aac, .opus, .mp3: []
    }
  }
}

extension FileFormat {
  /// How the sound of a file may be encoded beside pictures of a codec; the first is what is taken. Empty
  /// where it holds none.
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
    case .y4m, .gif, .webp, .apng, .pngStills, .jpegStills: []
    }
  }

  /// Whether it holds sound alone.
  package var isSound: Bool { [.wav, .flac, .mp3, .m4a, .opus, .ogg].contains(self) }
}

/// What the sound track of a file is to be; every choice is made.
package struct SoundSettings: Hashable, Sendable, Encodable {
  package var codec: SoundCodec
  /// Bits a second; `nil` for what the encoder makes of it.
  package var bitrate: Double?
  package var channels = 2
  /// Samples a second.
  package var rate = 48_000
  /// Bits of a sample where nothing is lost.
  package var bits = 16
  /// How loud the whole is made, in LUFS; `nil` to leave it as it is.
  package var loudness: Double?
  /// What it stays below, in dBTP.
  package var peak = -1.0
  /// Samples of each channel.
  package var sampleCount = 0

  package init(_ codec: SoundCodec) {
    self.codec = codec
    bitrate = codec.bitrates?.initial
  }
}
