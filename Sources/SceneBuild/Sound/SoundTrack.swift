// SPDX-License-Identifier: MIT
import SceneAV
import SceneCLI
import SceneLanguage
import SceneModel
import SceneSound
import SceneSystem
import SceneVideo

/// What the sound of all files of a build is made with.
struct SoundMaking: Sendable {
  let store: PacketStore?
  let workers: Int
  let timings: Timings?
  /// Whether nobody wants it any more.
  let isOver: @Sendable () -> Bool

  func goOn() throws(BuildFault) { if isOver() { throw .interrupted(0) } }
}

/// The sound track of a file: its pieces are mixed and encoded side by side, or were by an earlier build,
/// and their packets are handed out in order. Used by one thread.
///
/// A codec that loses something can exceed the peak of the mix. The first packet is handed out only when all
/// of such a track was encoded, decoded and measured (`settle`): as long as it is too high, the limiter gets
/// a lower ceiling, and all is encoded anew. What the codec takes off the loudness is given back too.
final class SoundTrack: SoundPackets {
  private let film: SoundOfFilm
  private let file: FileFormat
  private let pieces: SoundPieces
  private let making: SoundMaking
  private var level: MixLevel
  private var isSettled: Bool
  /// Pieces that were encoded while the level was looked for, as long as they are few bytes.
  private var made: [SoundPiece] = []
  private var maker: SoundMaker?
  private let workers: Int
  private var crew: [WorkerThread] = []
  /// The numbers of the pieces that are made, and how many of them were taken.
  private let wanted: [Int]
  private var taken = 0
  /// The rest of the last piece, and its first packet.
  private var rest = MessageReader([])
  private var first: Packet?
  /// The loudness without a limiter, once it was measured.
  private var plain: LoudnessMeter.Reading?
  /// Where it was too loud, as far as it was handed out.
  private(set) var limited: Limited?

  var settings: SoundSettings { pieces.settings }

  /// Where the encoded sound is above its peak, though the mix was lowered.
  var overshoot: SoundOvershoot? { level.overshoot }

  private static let mostWorkers = 4
  /// How often a track is encoded, to be below its peak.
  private static let passes = 8
  /// How often, of these, the loudness that a codec takes is given back, and from how many LU on.
  private static let returns = 2
  private static let leastLoss = 0.1
  /// Decibels above its peak from which a track has a warning.
  private static let leastOvershoot = 0.1
  /// Ceilings are multiples of it, so that an edit seldom moves them: all would have to be encoded anew.
  private static let step = 0.25
  /// Bytes of packets beyond which a track is taken from the cache, or encoded again.
  private static let mostHeld = 64 << 20

  /// Where a loudness is asked for, the whole scene is measured first. Without pictures (`isAlone`), the
  /// sound ends where the scene does, not with its last frame. Of a `share` only some pieces are made.
  init(
    _ film: SoundOfFilm, _ settings: SoundSettings, in file: FileFormat, isAlone: Bool = false,
    share: BuildOptions.Shard? = nil, _ making: SoundMaking
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
    // What is stretched follows from all that was stretched before it.
    let isStretched = model.sound.voices.contains {
      if case .steady(_, let speed, _) = $0.clock { $0.keepsPitch && speed != 1 } else { false }
    }
    (self.film, self.file, self.making) = (film, file, making)
    pieces = try SoundPieces(settings, in: file, isChained: isStretched)
    level = MixLevel(ceiling: settings.peak, loudness: settings.loudness)
    try film.setGain(of: &level, settings, plain: &plain, making.store) { try making.goOn() }
    var wanted = Array(0..<pieces.count)
    if let share {
      // What is a chain is made as a whole, when shares are joined.
      wanted = pieces.isChained ? [] : wanted.filter { $0 % share.count == share.number - 1 }
    }
    self.wanted = wanted
    // Most tracks need no other ceiling, so shares are made with the first one.
    isSettled = share != nil
    workers = pieces.isChained ? 1 : min(SoundTrack.mostWorkers, making.workers, pieces.count)
  }

  deinit { stop() }

  private func stop() {
    maker?.stop()
    for thread in crew { thread.join() }
    (maker, crew) = (nil, [])
  }

  func next(before sample: Int) throws(VideoFault) -> Packet? {
    while first == nil {
      if rest.isAtEnd {
        guard taken < wanted.count, pieces.start(of: taken) < sample else { return nil }
        try take()
      } else {
        first = try Packet(&rest)
        guard first != nil else {
          throw VideoFault(
            action: "read the cached audio", reason: "it is damaged", code: 0)
        }
      }
    }
    guard let packet = first, packet.time < sample else { return nil }
    first = nil
    return packet
  }

  /// Makes all pieces for those who have the same store.
  func keep() throws(VideoFault) { while taken < wanted.count { try take() } }

  private func take() throws(VideoFault) {
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

  /// The maker of the pieces that were not taken, whose crew works.
  private func start() throws(VideoFault) -> SoundMaker {
    if let maker { return maker }
    let maker = SoundMaker(
      film, pieces, wanted, in: file, level, workers: workers, making)
    self.maker = maker
    do throws(BuildFault) {
      crew = try WorkerThread.start(workers) { maker.make() }
    } catch {
      throw VideoFault(action: "mix the audio", reason: "no thread can be started", code: 0)
    }
    return maker
  }

  // MARK: Level

  /// Finds the ceiling at which the encoded sound is below its peak, or takes that of an earlier build.
  private func settle() throws(VideoFault) {
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
        try film.setGain(of: &level, settings, plain: &plain, making.store) { try making.goOn() }
      }
      if let key { making.store?.keep(level.bytes, key) }
    } catch {
      throw error as? VideoFault
        ?? VideoFault(action: "mix the audio", reason: "\(error)", code: 0)
    }
  }

  /// The loudness of a mix that is as loud as asked for once it is encoded; `nil` where another cause than
  /// the codec, such as silence, must be at work.
  private func mixLoudness(encoded: Double) -> Double? {
    let loss = level.reached - encoded
    return abs(loss) < 1 ? settings.loudness.map { $0 + loss } : nil
  }

  /// Encodes all of it with the level, and measures what is decoded.
  private func measure(_ meter: inout EncodedPeakMeter) throws(VideoFault)
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
