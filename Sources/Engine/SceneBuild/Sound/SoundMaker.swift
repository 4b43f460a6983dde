// SPDX-License-Identifier: MIT
import SceneAV
import SceneEncoding
import SceneLanguage
import SceneModel
import SceneSound
import SceneSystem

/// An encoded piece of an audio track.
struct SoundPiece: Sendable {
  let packets: ArraySlice<UInt8>
  /// The strongest reduction by the limiter in this piece; `nil` without any.
  let limited: Limited?

  init(_ packets: [UInt8], _ limited: Limited?) {
    self.packets = packets[...]
    self.limited = limited
  }

  /// Decodes a cached piece.
  init?(_ bytes: ArraySlice<UInt8>) {
    var reader = MessageReader(bytes)
    let (isLimited, decibels, time) = (reader.number(), reader.double(), reader.number())
    guard reader.isWhole else { return nil }
    limited = isLimited == 1 ? Limited(decibels: decibels, time: Ticks(Int64(time))) : nil
    packets = bytes.dropFirst(24)
  }

  var bytes: [UInt8] {
    message(limited == nil ? 0 : 1) + message(limited?.decibels ?? 0)
      + message(Int(limited?.time.rawValue ?? 0)) + packets
  }
}

/// Mixes and encodes the pieces of an audio track, in parallel unless they are chained.
///
/// Each piece has its own mixer and decoders, so its bytes do not depend on the thread or on other
/// pieces. A chain shares one mixer and one decoder per clip. At most two finished pieces per
/// thread wait for the consumer.
final class SoundMaker: Sendable {
  private let film: SoundOfFilm
  private let pieces: SoundPieces
  /// The numbers of the pieces to encode.
  private let wanted: [Int]
  private let level: MixLevel
  private let making: SoundMaking
  private let file: FileFormat
  private let isKept: Bool
  private let work: OrderedWork<SoundPiece, VideoError>

  /// The size in bytes beyond which a lossless track is not cached.
  private static let mostKept = 90 << 20

  init(
    _ film: SoundOfFilm, pieces: SoundPieces, wanted: [Int], in file: FileFormat,
    level: MixLevel,
    workers: Int, making: SoundMaking
  ) {
    work = OrderedWork(wanted.indices.map { $0..<($0 + 1) }, ahead: 2 * workers)
    self.film = film
    self.pieces = pieces
    self.wanted = wanted
    self.level = level
    self.making = making
    self.file = file
    let settings = pieces.settings
    let size = settings.sampleCount * settings.channels * settings.bits / 8
    isKept = making.store != nil && (settings.codec.depths.isEmpty || size <= SoundMaker.mostKept)
  }

  /// Blocks until the next piece is available; returns `nil` after the last.
  func take() throws(VideoError) -> SoundPiece? {
    switch work.next() {
    case .piece(let piece, _): piece
    case .failure(let failure): throw failure
    case .end, .progress: nil
    }
  }

  func stop() { work.stop() }

  /// Encodes pieces until none are left. Called on each worker thread.
  func make() {
    let thread = work.join()
    do {
      var keys = isKept ? try SoundKeys(film, pieces: pieces, in: file, level: level) : nil
      let worker = Worker(self, SoundPieceEncoder(pieces))
      while let place = work.claim()?.first {
        let key = try keys?.key(of: wanted[place])
        let kept = key.flatMap { making.store?.read($0) }.flatMap { SoundPiece($0) }
        let piece =
          if let kept { kept } else {
            try making.timings.measure(.sound, thread: 1000 + thread) { () throws(VideoError) in
              try worker.make(wanted[place])
            }
          }
        // Once a part is silent, pieces are not cached, so that each build repeats the warning.
        if let key, kept == nil, !film.isDamaged {
          making.store?.keep(piece.bytes, key)
        }
        work.finish(place, piece)
      }
    } catch {
      work.fail(
        error as? VideoError ?? VideoError(action: "mix the audio", reason: "\(error)", code: 0))
    }
  }

  /// The mixing and encoding state of one thread.
  private final class Worker {
    private let maker: SoundMaker
    private let encoder: SoundPieceEncoder
    private var output: OutputRate?
    /// The number of the piece being mixed.
    private var piece = -1
    private var limited: Limited?

    init(_ maker: SoundMaker, _ encoder: SoundPieceEncoder) {
      self.maker = maker
      self.encoder = encoder
    }

    func make(_ number: Int) throws(VideoError) -> SoundPiece {
      let packets = try encoder.encode(number) { (piece, samples) throws(VideoError) in
        try mix(piece, samples)
      }
      return SoundPiece(packets, limited)
    }

    /// Returns samples of a piece or of its surroundings.
    private func mix(_ piece: Int, _ samples: Range<Int>) throws(VideoError) -> [Float] {
      if maker.making.isOver() || maker.work.isOver() {
        throw VideoError(action: "mix the audio", reason: "the build was canceled", code: 0)
      }
      let own = maker.pieces.samples(of: piece)
      // A chain restarts with its first piece.
      if output == nil || self.piece != piece && (!maker.pieces.isChained || piece == 0) {
        let settings = maker.pieces.settings
        let mixer = maker.film.mixer(
          for: settings, gain: maker.level.gain, peak: maker.level.ceiling)
        output = OutputRate(
          mixer, from: maker.film.firstSample(at: settings.mixRate), rate: settings.rate)
      }
      if self.piece != piece { limited = nil }
      self.piece = piece
      do {
        if samples.lowerBound <= own.lowerBound { output?.limited = nil }
        let mixed = try output?.samples(from: samples.lowerBound, count: samples.count) ?? []
        if own.contains(samples.lowerBound) { limited = output?.limited }
        return mixed
      } catch {
        throw VideoError(action: "mix the audio", reason: "\(error)", code: 0)
      }
    }
  }
}
