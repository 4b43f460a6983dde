// SPDX-License-Identifier: MIT
import SceneModel
import SceneOutput
import SceneText

/// How a film is written: what `output { … }` says in a scene. What is left out is as in a scene, too.
///
/// Nothing is checked here. The writer of the film refuses what its file or codec cannot do.
public struct FilmSettings: Hashable, Sendable {
  /// By default the first that the file may hold: H.264 in an `.mp4`.
  public var codec: VideoCodec?
  /// On the scale of the codec (`VideoCodec.quality`).
  public var quality: Double?
  /// Bits a second, in place of a quality.
  public var bitrate: Double?
  /// How much the encoder tries, in x264's words for all codecs: `ultrafast` … `placebo`.
  public var preset: String?
  /// One of `VideoCodec.profiles`.
  public var profile: String?
  /// Of H.264: `3.1`.
  public var level: String?
  /// By default the first of `VideoCodec.pixelFormats`, or one with alpha where the film lets something
  /// through.
  public var pixelFormat: PixelFormat?
  /// How often an animated image plays; `nil` without end.
  public var plays: Int?
  /// Whether a picture lasts until the next one, so that a file holds no picture twice. Else the frames of
  /// a longer one are repeated.
  public var isVariable = false
  /// Whether what is not drawn on lets through what is behind; else it is black.
  public var isTransparent = false
  /// `nil` for a silent film.
  public var sound: SoundTrack?
  public var title = ""
  public var author = ""
  public var comment = ""

  /// The sound track of a film. Its samples are appended at `rate`, left and right by turns.
  public struct SoundTrack: Hashable, Sendable {
    /// By default the first that the file may hold: AAC in an `.mp4`.
    public var codec: SoundCodec?
    /// Bits a second.
    public var bitrate: Double?
    /// 1 for the mean of both sides.
    public var channels: Int
    /// Samples a second.
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

  /// All that is decided of the file, checked as `scenec build` does it.
  func plan(_ size: PixelSize, _ rate: Double, _ path: String) throws -> OutputPlan {
    guard FilmSettings.sides.contains(size.width), FilmSettings.sides.contains(size.height) else {
      throw FilmFault(.settings, "the frame size must be from 1x1 to 16384x16384, found \(size)")
    }
    guard FilmSettings.rates.contains(rate), let rate = FrameRate(rate) else {
      throw FilmFault(.settings, "the frame rate must be from 0.01 to 1000, found \(rate)")
    }
    if quality != nil, bitrate != nil {
      throw FilmFault(.settings, "'quality' and 'bitrate' cannot be combined")
    }
    if let preset, !Property.presets.contains(preset) {
      throw FilmFault(
        .settings, "unknown preset '\(preset)'",
        help: "use \(Property.presets.joined(separator: ", "))")
    }
    let nowhere = SourceSpan(file: FileID(0), start: 0, end: 0)
    let places = ScenePlaces(scene: nowhere, size: nil, isSizeGiven: false, background: nil)
    var shape = FilmShape(size: size, rate: rate, places: places)
    shape.isTransparent = isTransparent
    shape.isHeard = sound != nil
    (shape.notes.title, shape.notes.author, shape.notes.comment) = (title, author, comment)
    let plan = try OutputPlan(path, block(nowhere), CallSettings(), shape)
    if plan.settings.file.isSound {
      throw FilmFault(.settings, "a \(plan.settings.file.ending) file cannot contain video")
    }
    return plan
  }

  /// What a scene would say.
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
