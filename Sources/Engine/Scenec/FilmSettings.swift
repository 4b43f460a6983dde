// SPDX-License-Identifier: MIT
import SceneModel
import SceneOutput
import SceneText

/// The encoding settings of a video, like a scene's `output { … }` block. Defaults are the same as
/// in a scene.
///
/// The initializer validates nothing. `FilmWriter` rejects settings that the file or the codec does
/// not support.
public struct FilmSettings: Hashable, Sendable {
  /// The video codec. Defaults to the container's preferred codec, such as H.264 for `.mp4`.
  public var codec: VideoCodec?
  /// The quality, on the codec's own scale (`VideoCodec.quality`).
  public var quality: Double?
  /// The bit rate in bits per second. Excludes a quality.
  public var bitrate: Double?
  /// The encoder's speed preset, named as in x264 for all codecs: `ultrafast` … `placebo`.
  public var preset: String?
  /// The profile, a member of `VideoCodec.profiles`.
  public var profile: String?
  /// The H.264 level, such as `3.1`.
  public var level: String?
  /// The pixel format. Defaults to the first of `VideoCodec.pixelFormats`, or to a format with
  /// alpha if the video is transparent.
  public var pixelFormat: PixelFormat?
  /// The number of times that an animated image plays, or `nil` for endless looping.
  public var plays: Int?
  /// Whether the frame rate is variable: a repeated frame extends the duration of the previous one.
  /// With a constant rate, repeated frames are encoded.
  public var isVariable = false
  /// Whether areas without drawing are transparent. Otherwise they are black.
  public var isTransparent = false
  /// The audio track, or `nil` for a silent video.
  public var sound: SoundTrack?
  public var title = ""
  public var author = ""
  public var comment = ""

  /// The settings of the audio track. Samples are appended at `rate`, as interleaved stereo.
  public struct SoundTrack: Hashable, Sendable {
    /// The audio codec. Defaults to the container's preferred codec, such as AAC for `.mp4`.
    public var codec: SoundCodec?
    /// The bit rate in bits per second.
    public var bitrate: Double?
    /// The number of encoded channels. With 1, left and right are averaged.
    public var channels: Int
    /// The sample rate in hertz.
    public var rate: Int

    public init(
      codec: SoundCodec? = nil, bitrate: Double? = nil, channels: Int = 2, rate: Int = 48_000
    ) {
      self.codec = codec
      self.bitrate = bitrate
      self.channels = channels
      self.rate = rate
    }
  }

  public init(
    codec: VideoCodec? = nil, quality: Double? = nil, bitrate: Double? = nil,
    preset: String? = nil, profile: String? = nil, level: String? = nil,
    pixelFormat: PixelFormat? = nil, plays: Int? = nil, isVariable: Bool = false,
    isTransparent: Bool = false, sound: SoundTrack? = nil
  ) {
    self.codec = codec
    self.quality = quality
    self.bitrate = bitrate
    self.preset = preset
    self.profile = profile
    self.level = level
    self.pixelFormat = pixelFormat
    self.plays = plays
    self.isVariable = isVariable
    self.isTransparent = isTransparent
    self.sound = sound
  }
}

extension FilmSettings {
  private static let sides = 1...16_384
  private static let rates = FrameRate.least...1000

  /// Returns the output plan, validated like the plans of `scenec build`.
  func plan(_ size: PixelSize, rate: Double, path: String) throws -> OutputPlan {
    guard FilmSettings.sides.contains(size.width), FilmSettings.sides.contains(size.height) else {
      throw FilmError(.settings, "the frame size must be from 1x1 to 16384x16384, found \(size)")
    }
    guard FilmSettings.rates.contains(rate), let rate = FrameRate(rate) else {
      throw FilmError(.settings, "the frame rate must be from 0.01 to 1000, found \(rate)")
    }
    if quality != nil, bitrate != nil {
      throw FilmError(.settings, "'quality' and 'bitrate' cannot be combined")
    }
    if let preset, !Property.presets.contains(preset) {
      throw FilmError(
        .settings, "unknown preset '\(preset)'",
        help: "use \(Property.presets.joined(separator: ", "))")
    }
    let nowhere = SourceSpan(file: FileID(0), start: 0, end: 0)
    let places = ScenePlaces(scene: nowhere, size: nil, isSizeGiven: false, background: nil)
    var shape = FilmShape(size: size, rate: rate, places: places)
    shape.isTransparent = isTransparent
    shape.isHeard = sound != nil
    (shape.notes.title, shape.notes.author, shape.notes.comment) = (title, author, comment)
    let plan = try OutputPlan(path, block: block(nowhere), call: CallSettings(), shape: shape)
    if !plan.settings.file.isDrawn {
      throw FilmError(.settings, "a \(plan.settings.file.ending) file cannot contain video")
    }
    return plan
  }

  /// Returns the equivalent `output` block of a scene.
  private func block(_ place: SourceSpan) -> OutputSettings {
    var block = OutputSettings(nil, place, places: [:])
    block.codec = codec?.rawValue
    (block.quality, block.bitrate, block.preset) = (quality, bitrate, preset)
    (block.profile, block.level) = (profile, level)
    block.pixelFormat = pixelFormat?.rawValue
    block.plays = plays
    block.isVariable = isVariable
    if let sound {
      block.sound.isWanted = true
      block.sound.codec = sound.codec?.rawValue
      (block.sound.bitrate, block.sound.channels) = (sound.bitrate, sound.channels)
      block.sound.rate = sound.rate
    }
    return block
  }
}
