// SPDX-License-Identifier: MIT
import SceneDigest
import SceneLanguage
import SceneLower
import SceneModel
import SceneRaster
import SceneSound
import SceneSystem
import SceneVideo

/// Some frames of a scene, as far as they are heard.
struct SoundOfFilm: Sendable {
  let model: SceneModel
  let frames: Range<Int>
  let metrics: PangoMetrics
  let resources: DrawingResources

  /// The first sample of a mix that is heard.
  func firstSample(at rate: MixRate) -> Int {
    rate.sample(at: model.frameRate.time(ofFrame: frames.lowerBound))
  }

  /// The time in the scene of a sample of a file.
  func time(ofSample sample: Int, _ settings: SoundSettings) -> Ticks {
    let start = model.frameRate.time(ofFrame: frames.lowerBound)
    return start
      + Ticks(Int64((Double(sample) / Double(settings.rate) * Double(Ticks.perSecond)).rounded()))
  }

  /// The whole mix, made louder by a factor and kept below a peak. Nobody else moves what it reads.
  func mixer(_ rate: MixRate, gain: Double, peak: Double) -> Mixer {
    Mixer(
      model.sound, duration: model.duration, source: ClipSoundSource(resources.images.clips),
      metrics: metrics, rate: rate, gain: gain, peak: peak)
  }

  /// Makes the whole as loud as a level says below its ceiling; where a `store` has the gain, nothing is
  /// measured. `plain` is the loudness without a limiter, once it is known.
  func setGain(
    of level: inout MixLevel, _ settings: SoundSettings, plain: inout LoudnessMeter.Reading?,
    _ store: PacketStore?, _ goOn: () throws -> Void
  ) throws {
    guard let loudness = level.loudness else { return }
    let key = try store.map { _ in
      SHA256(
        of: SegmentKeys.code.bytes + message("loudness") + message(settings.mixRate.samples)
          + message(loudness) + message(level.ceiling) + (try whole))
    }
    if let key, let bytes = store?.read(key), bytes.count == 16 {
      var reader = MessageReader(bytes)
      (level.gain, level.reached) = (reader.double(), reader.double())
      return
    }
    (level.gain, level.reached) = try Mixer.gain(
      to: loudness, peak: level.ceiling, plain: &plain, goOn
    ) { mixer(settings.mixRate, gain: $0, peak: $1) }
    if let key { store?.keep(message(level.gain) + message(level.reached), key) }
  }

  /// By what the level of a file's mix is known.
  func levelKey(_ settings: SoundSettings, in file: FileFormat) throws -> SHA256 {
    let encoder = CanonicalEncoder()
    try encoder.encode(settings)
    try encoder.encode(file)
    return SHA256(
      of: SegmentKeys.code.bytes + message("level") + encoder.bytes
        + message(firstSample(at: settings.mixRate)) + (try whole))
  }

  /// What all of the sound follows from.
  var whole: [UInt8] {
    get throws {
      var content = SoundContent(model, metrics: metrics)
      return message(Int(model.duration.rawValue))
        + (try content.content(of: 0..<max(0, model.duration.rawValue)))
    }
  }
}

extension SoundSettings {
  /// That of the mix: sound that is mixed at the rate of its file is resampled once at most.
  var mixRate: MixRate { MixRate(for: rate) }
}

/// By what the pieces of a sound track are known.
struct SoundKeys {
  private let film: SoundOfFilm
  private let pieces: SoundPieces
  private var content: SoundContent
  /// What they have in common.
  private let base: [UInt8]
  /// Where a piece is known by all of the sound: it follows from it, or has many numbers to look at.
  private let whole: SHA256?

  /// Bytes beyond which the pieces do not look at what each of them follows from.
  private static let mostContent = 16 << 20

  init(_ film: SoundOfFilm, _ pieces: SoundPieces, in file: FileFormat, _ level: MixLevel) throws {
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
