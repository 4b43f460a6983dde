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
final class SoundTrack: SoundPackets {
  private let pieces: SoundPieces
  private let maker: SoundMaker
  private let workers: Int
  private var crew: [WorkerThread] = []
  /// The piece that comes next, the rest of the one before, and its first packet.
  private var number = 0
  /// Pieces that were not taken.
  private var left: Int
  private var rest = MessageReader([])
  private var first: Packet?
  /// Where it was too loud, as far as it was handed out.
  private(set) var limited: Limited?

  var settings: SoundSettings { pieces.settings }

  private static let mostWorkers = 4

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
    pieces = try SoundPieces(settings, in: file, isChained: isStretched)
    let gain = try film.gain(settings, making.store) { try making.goOn() }
    var wanted = Array(0..<pieces.count)
    if let share {
      // What is a chain is made as a whole, when shares are joined.
      wanted = pieces.isChained ? [] : wanted.filter { $0 % share.count == share.number - 1 }
    }
    workers = pieces.isChained ? 1 : min(SoundTrack.mostWorkers, making.workers, pieces.count)
    maker = SoundMaker(film, pieces, wanted, in: file, gain: gain, workers: workers, making)
    left = wanted.count
  }

  deinit {
    maker.stop()
    for thread in crew { thread.join() }
  }

  func next(before sample: Int) throws(VideoFault) -> Packet? {
    while first == nil {
      if rest.isAtEnd {
        guard left > 0, pieces.start(of: number) < sample else { return nil }
        try take()
      } else {
        first = try Packet(&rest)
        guard first != nil else {
          throw VideoFault(
            action: "read the sound of an earlier build", reason: "it is damaged", code: 0)
        }
      }
    }
    guard let packet = first, packet.time < sample else { return nil }
    first = nil
    return packet
  }

  /// Makes all pieces for those who have the same store.
  func keep() throws(VideoFault) { while left > 0 { try take() } }

  private func take() throws(VideoFault) {
    if crew.isEmpty {
      do throws(BuildFault) {
        crew = try WorkerThread.start(workers) { [maker] in maker.make() }
      } catch {
        throw VideoFault(action: "mix the sound", reason: "no thread can be started", code: 0)
      }
    }
    guard let piece = try maker.take() else { return left = 0 }
    number += 1
    left -= 1
    rest = MessageReader(piece.packets)
    if let more = piece.limited, more.decibels > limited?.decibels ?? 0 { limited = more }
  }
}
