// SPDX-License-Identifier: MIT
import SceneClips
import SceneDigest
import SceneEncoding
import SceneLanguage
import SceneLower
import SceneModel
import SceneRaster
import SceneSound
import SceneSystem

/// The audio of a range of frames of a scene.
struct SoundOfFilm: Sendable {
  let model: SceneModel
  let frames: Range<Int>
  let metrics: PangoMetrics
  let resources: DrawingResources

  /// Returns the first audible sample of the mix.
  func firstSample(at rate: MixRate) -> Int {
    rate.sample(at: model.frameRate.time(ofFrame: frames.lowerBound))
  }

  /// Returns the scene time of a sample of the file.
  func time(ofSample sample: Int, _ settings: SoundSettings) -> Ticks {
    let start = model.frameRate.time(ofFrame: frames.lowerBound)
    return start
      + Ticks(Int64((Double(sample) / Double(settings.rate) * Double(Ticks.perSecond)).rounded()))
  }

  /// Whether a part of a clip's audio could not be decoded so far.
  var isDamaged: Bool { resources.images.clips.silenced != nil }

  /// Returns a mixer for the whole mix with a gain and a peak limit. The mixer has its own
  /// decoders, so other readers do not move their positions.
  func mixer(for settings: SoundSettings, gain: Double, peak: Double) -> Mixer {
    Mixer(
      model.sound, duration: model.duration, source: ClipSoundSource(resources.images.clips),
      metrics: metrics, rate: settings.mixRate, gain: gain, peak: peak,
      isMono: settings.channels == 1)
  }

  /// Sets the gain of a level so that the whole mix reaches the level's loudness below its ceiling.
  /// If `store` has the gain, no measurement is needed. `plain` caches the loudness without a
  /// limiter.
  func setGain(
    of level: inout MixLevel, settings: SoundSettings, plain: inout LoudnessMeter.Reading?,
    store: PacketStore?, goOn: () throws -> Void
  ) throws {
    guard let loudness = level.loudness else { return }
    let key = try store.map { _ in
      SHA256(
        of: SegmentKeys.code.bytes + message("loudness") + message(settings.mixRate.samples)
          + message(settings.channels) + message(loudness) + message(level.ceiling) + (try whole))
    }
    if let key, let bytes = store?.read(key), bytes.count == 16 {
      var reader = MessageReader(bytes)
      (level.gain, level.reached) = (reader.double(), reader.double())
      return
    }
    (level.gain, level.reached) = try Mixer.gain(
      to: loudness, peak: level.ceiling, plain: &plain, goOn
    ) { mixer(for: settings, gain: $0, peak: $1) }
    if let key { store?.keep(message(level.gain) + message(level.reached), key) }
  }

  /// Returns the cache key of a file's mix level.
  func levelKey(_ settings: SoundSettings, in file: FileFormat) throws -> SHA256 {
    let encoder = CanonicalEncoder()
    try encoder.encode(settings)
    try encoder.encode(file)
    return SHA256(
      of: SegmentKeys.code.bytes + message("level") + encoder.bytes
        + message(firstSample(at: settings.mixRate)) + (try whole))
  }

  /// The content that determines all of the audio.
  var whole: [UInt8] {
    get throws {
      var content = SoundContent(model, metrics: metrics)
      return message(Int(model.duration.rawValue))
        + (try content.content(of: 0..<max(0, model.duration.rawValue)))
    }
  }
}

extension SoundSettings {
  /// The sample rate of the mix, chosen so that audio at the file's rate is resampled at most once.
  var mixRate: MixRate { MixRate(for: rate) }
}

/// Computes the cache keys of the pieces of an audio track.
struct SoundKeys {
  private let film: SoundOfFilm
  private let pieces: SoundPieces
  private var content: SoundContent
  /// The key content that all pieces share.
  private let base: [UInt8]
  /// A digest of all audio, used for every piece if the pieces are chained or their own content is
  /// large.
  private let whole: SHA256?

  /// The size in bytes beyond which all pieces are keyed by the whole audio.
  private static let mostContent = 16 << 20

  init(_ film: SoundOfFilm, pieces: SoundPieces, in file: FileFormat, level: MixLevel) throws {
    self.film = film
    self.pieces = pieces
    var settings = pieces.settings
    (settings.sampleCount, settings.loudness) = (0, nil)
    let encoder = CanonicalEncoder()
    try encoder.encode(settings)
    try encoder.encode(file)
    encoder.write(level.gain)
    encoder.write(level.ceiling)
    encoder.write(film.firstSample(at: pieces.settings.mixRate))
    encoder.write(pieces.isChained ? pieces.settings.sampleCount : 0)
    base = SegmentKeys.code.bytes + encoder.bytes
    content = SoundContent(film.model, metrics: film.metrics)
    let bytes = try film.whole
    whole =
      pieces.isChained || bytes.count * pieces.count > SoundKeys.mostContent
      ? SHA256(of: bytes) : nil
  }

  mutating func key(of piece: Int) throws -> SHA256 {
    let reach = pieces.reach(of: piece)
    let own = message([
      piece, pieces.samples(of: piece).count, reach.lowerBound, reach.upperBound,
      piece == pieces.count - 1 ? 1 : 0,
    ])
    if let whole { return SHA256(of: base + own + whole.bytes) }
    let rate = Double(pieces.settings.rate)
    let mix = pieces.settings.mixRate
    func ticks(_ sample: Int) -> Int64 {
      Int64(film.firstSample(at: mix)) * mix.sampleTicks
        + Int64((Double(sample) / rate * Double(Ticks.perSecond)).rounded())
    }
    let time = ticks(reach.lowerBound)..<ticks(reach.upperBound)
    // The mix ends with the scene.
    let end = min(film.model.duration.rawValue, time.upperBound + Ticks.perSecond)
    return SHA256(of: base + own + message(Int(end)) + (try content.content(of: time)))
  }
}
