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

  /// The first sample of the mix that is heard.
  var firstSample: Int {
    let start = model.frameRate.time(ofFrame: frames.lowerBound)
    return Int((Double(start.rawValue) / Double(SoundModel.sampleTicks)).rounded())
  }

  /// The whole mix, made louder by a factor and kept below a peak. Nobody else moves what it reads.
  func mixer(gain: Double, peak: Double) -> Mixer {
    Mixer(
      model.sound, duration: model.duration, source: ClipSoundSource(resources.images.clips),
      metrics: metrics, gain: gain, peak: peak)
  }

  /// What makes the whole as loud as its settings say; where a `store` has it, nothing is measured.
  func gain(
    _ settings: SoundSettings, _ store: PacketStore?, _ goOn: () throws -> Void
  ) throws -> Double {
    guard let loudness = settings.loudness else { return 1 }
    let key = try store.map { _ in
      SHA256(
        of: SegmentKeys.code.bytes + message("loudness") + message(loudness)
          + message(settings.peak) + (try whole))
    }
    if let key, let bytes = store?.read(key), bytes.count == 8 {
      var reader = MessageReader(bytes)
      return reader.double()
    }
    let gain = try Mixer.gain(to: loudness, peak: settings.peak, goOn) {
      mixer(gain: $0, peak: $1)
    }
    if let key { store?.keep(message(gain), key) }
    return gain
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

  init(_ film: SoundOfFilm, _ pieces: SoundPieces, in file: FileFormat, gain: Double) throws {
    self.film = film
    self.pieces = pieces
    var settings = pieces.settings
    (settings.sampleCount, settings.loudness) = (0, nil)
    let encoder = CanonicalEncoder()
    try encoder.encode(settings)
    try encoder.encode(file)
    encoder.write(gain)
    encoder.write(film.firstSample)
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
    func ticks(_ sample: Int) -> Int64 {
      Int64(film.firstSample) * SoundModel.sampleTicks
        + Int64((Double(sample) / rate * Double(Ticks.perSecond)).rounded())
    }
    let time = ticks(reach.lowerBound)..<ticks(reach.upperBound)
    // The mix ends with the scene.
    let end = min(film.model.duration.rawValue, time.upperBound + Ticks.perSecond)
    return SHA256(of: base + own + message(Int(end)) + (try content.content(of: time)))
  }
}
