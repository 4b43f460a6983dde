// SPDX-License-Identifier: MIT
import SceneAV
import SceneEncoding
import SceneLanguage
import SceneModel
import SceneOutput
import SceneSound
import SceneSystem

/// The shared context of all audio tracks of a build.
struct SoundMaking: Sendable {
  let store: PacketStore?
  let workers: Int
  let timings: Timings?
  /// Returns `true` once the build has been cancelled.
  let isOver: @Sendable () -> Bool

  func goOn() throws(BuildError) { if isOver() { throw .interrupted(0) } }
}

/// The audio track of a file: its pieces are mixed and encoded in parallel or read from the cache,
/// and their packets are returned in order. Used by one thread.
///
/// A lossy codec can exceed the peak of the mix. The first packet of a lossy track is therefore
/// returned only after the whole track has been encoded, decoded and measured (`settle`). While the
/// peak is too high, the track is encoded again with a lower ceiling of the limiter. A loudness
/// loss of the codec is compensated as well.
final class SoundTrack: SoundPackets {
  private let film: SoundOfFilm
  private let file: FileFormat
  private let pieces: SoundPieces
  private let making: SoundMaking
  private var level: MixLevel
  private var isSettled: Bool
  /// Pieces encoded during the search for the level, up to `mostHeld` bytes.
  private var made: [SoundPiece] = []
  private var maker: SoundMaker?
  private let workers: Int
  private var threads: [WorkerThread] = []
  /// The numbers of the pieces to encode.
  private let wanted: [Int]
  private var taken = 0
  /// The unread packets of the current piece, and its first packet.
  private var rest = MessageReader([])
  private var first: Packet?
  /// The measured loudness without a limiter.
  private var plain: LoudnessMeter.Reading?
  /// The strongest reduction by the limiter in the pieces returned so far.
  private(set) var limited: Limited?

  var settings: SoundSettings { pieces.settings }

  /// The overshoot of the encoded audio that remains despite the lowered ceiling.
  var overshoot: SoundOvershoot? { level.overshoot }

  private static let mostWorkers = 4
  /// The maximum number of encoding passes to get below the peak limit.
  private static let passes = 8
  /// The maximum number of these passes that compensate the codec's loudness loss.
  private static let returns = 2
  private static let leastLoss = 0.1
  /// The overshoot in decibels from which a track is reported.
  private static let leastOvershoot = 0.1
  /// The ceiling in decibels is a multiple of this step. An edit then rarely moves the ceiling,
  /// which would require encoding everything again.
  private static let step = 0.25
  /// The size in bytes of packets held in memory. Further pieces are read from the cache or encoded
  /// again.
  private static let mostHeld = 64 << 20

  /// If a loudness is requested, the whole scene is measured first. For an audio-only file
  /// (`isAlone`), the track ends with the scene instead of the last frame. With a `share`, only
  /// some pieces are encoded.
  init(
    _ film: SoundOfFilm, settings: SoundSettings, in file: FileFormat, isAlone: Bool = false,
    share: BuildOptions.Shard? = nil, making: SoundMaking
  ) throws {
    let (model, frames) = (film.model, film.frames)
    let length = Double(frames.count) * Double(model.frameRate.denominator)
    var seconds = length / Double(model.frameRate.numerator)
    if isAlone {
      let start = model.frameRate.time(ofFrame: frames.lowerBound)
      seconds = min(seconds, (model.duration - start).seconds)
    }
    var settings = settings
    settings.sampleCount = Int((seconds * Double(settings.rate)).rounded())
    // Time stretching depends on all earlier stretched samples.
    let isStretched = model.sound.voices.contains {
      if case .steady(_, let speed, _) = $0.clock { $0.keepsPitch && speed != 1 } else { false }
    }
    (self.film, self.file, self.making) = (film, file, making)
    pieces = try SoundPieces(settings, in: file, isChained: isStretched)
    level = MixLevel(ceiling: settings.peak, loudness: settings.loudness)
    try film.setGain(of: &level, settings: settings, plain: &plain, store: making.store) {
      try making.goOn()
    }
    var wanted = Array(0..<pieces.count)
    if let share {
      // A chain is encoded as a whole by the build that joins the shards.
      wanted = pieces.isChained ? [] : wanted.filter { $0 % share.count == share.number - 1 }
    }
    self.wanted = wanted
    // Most tracks keep the initial ceiling, so shards use it.
    isSettled = share != nil
    workers = pieces.isChained ? 1 : min(SoundTrack.mostWorkers, making.workers, pieces.count)
  }

  deinit { stop() }

  private func stop() {
    maker?.stop()
    for thread in threads { thread.join() }
    (maker, threads) = (nil, [])
  }

  func next(before sample: Int) throws(VideoError) -> Packet? {
    while first == nil {
      if rest.isAtEnd {
        guard taken < wanted.count, pieces.start(of: taken) < sample else { return nil }
        try take()
      } else {
        first = try Packet(&rest)
        guard first != nil else {
          throw VideoError(
            action: "read the cached audio", reason: "it is damaged", code: 0)
        }
      }
    }
    guard let packet = first, packet.time < sample else { return nil }
    first = nil
    return packet
  }

  /// Encodes all pieces into the store for later builds.
  func keep() throws(VideoError) { while taken < wanted.count { try take() } }

  private func take() throws(VideoError) {
    try settle()
    let piece: SoundPiece
    if taken < made.count {
      piece = made[taken]
      made[taken] = SoundPiece([], nil)
    } else {
      guard let next = try start().take() else {
        taken = wanted.count
        return
      }
      piece = next
    }
    taken += 1
    rest = MessageReader(piece.packets)
    if let more = piece.limited, more.decibels > limited?.decibels ?? 0 { limited = more }
  }

  /// Returns the running encoder of the remaining pieces and starts it if necessary.
  private func start() throws(VideoError) -> SoundMaker {
    if let maker { return maker }
    let maker = SoundMaker(
      film, pieces: pieces, wanted: wanted, in: file, level: level, workers: workers, making: making
    )
    self.maker = maker
    do throws(BuildError) {
      threads = try WorkerThread.start(workers) { maker.make() }
    } catch {
      throw VideoError(action: "mix the audio", reason: "cannot start a thread", code: 0)
    }
    return maker
  }

  // MARK: Level

  /// Finds the ceiling at which the encoded audio stays below its peak limit, or reads it from the
  /// cache.
  private func settle() throws(VideoError) {
    guard !isSettled else { return }
    isSettled = true
    do {
      guard var meter = try EncodedPeakMeter(pieces, limit: settings.peak) else { return }
      let key = try making.store.map { _ in try film.levelKey(settings, in: file) }
      if let key, let known = making.store?.read(key).flatMap({ MixLevel($0) }) {
        level = known
        return
      }
      for pass in 1...SoundTrack.passes {
        let (peak, loudness) = try measure(&meter)
        let over = peak.decibels - settings.peak
        let mixed = loudness.flatMap { mixLoudness(encoded: $0) }
        let isOff = mixed.map { abs($0 - (level.loudness ?? $0)) >= SoundTrack.leastLoss } ?? false
        let isMoved = pass <= SoundTrack.returns && isOff
        guard over > 0 || isMoved else { break }
        guard pass < SoundTrack.passes,
          let next = try EncodedPeakMeter(pieces, limit: settings.peak)
        else {
          if over < SoundTrack.leastOvershoot { break }
          level.overshoot = SoundOvershoot(
            decibels: peak.decibels, time: film.time(ofSample: peak.sample, settings))
          break
        }
        meter = next
        if over > 0 {
          level.ceiling -= (over / SoundTrack.step).rounded(.up) * SoundTrack.step
        }
        if isMoved { level.loudness = mixed }
        try film.setGain(of: &level, settings: settings, plain: &plain, store: making.store) {
          try making.goOn()
        }
      }
      if let key { making.store?.keep(level.bytes, key) }
    } catch {
      throw error as? VideoError
        ?? VideoError(action: "mix the audio", reason: "\(error)", code: 0)
    }
  }

  /// Returns the mix loudness at which the encoded audio has the requested loudness. Returns `nil`
  /// for differences that the codec cannot explain, such as silence.
  private func mixLoudness(encoded: Double) -> Double? {
    let loss = level.reached - encoded
    return abs(loss) < 1 ? settings.loudness.map { $0 + loss } : nil
  }

  /// Encodes the whole track at the current level and measures the decoded audio.
  private func measure(_ meter: inout EncodedPeakMeter) throws(VideoError)
    -> (peak: EncodedPeak, loudness: Double?)
  {
    let maker = try start()
    var (held, bytes) = ([SoundPiece](), 0)
    while let piece = try maker.take() {
      try meter.add(piece)
      bytes += piece.packets.count
      if bytes <= SoundTrack.mostHeld { held.append(piece) }
    }
    stop()
    meter.finish()
    made = bytes <= SoundTrack.mostHeld ? held : []
    return (meter.peak, meter.loudness)
  }
}
