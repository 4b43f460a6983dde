// SPDX-License-Identifier: MIT
import CLinux
import SceneAV
import SceneCLI
import SceneLanguage
import SceneModel
import SceneOutput
import SceneSound
import SceneSystem
import SceneVideo
import Scenec

/// A file that a film is shown in, with its sound.
///
/// Used by one thread at a time.
final class FilmFile {
  let media: MediaFile
  private let track: SoundTrack?

  var settings: VideoSettings { media.settings }

  /// Opens it; `inputs` must not be overwritten.
  init(
    _ plan: OutputPlan, _ film: Film, inputs: [String], _ making: SoundMaking
  ) throws {
    var settings = film.settings(of: plan)
    settings.frameCount = film.frames.count
    settings.notes.chapters = film.model.chapters(in: film.frames)
    track = try settings.sound.map {
      try SoundTrack(film.sound, $0, in: plan.settings.file, making)
    }
    settings.sound = track?.settings
    media = try MediaFile(
      plan.path, settings, isWhole: !film.isSegmented, inputs: inputs,
      pipe: plan.path == "-" ? StandardOutput() : nil, sound: track.map { .packets($0) })
  }

  /// Writes a packet of a stretch that begins with a frame.
  func write(_ packet: VideoPacket, from start: Int) throws(BuildFault) {
    do throws(MediaFault) { try media.write(packet, from: start) } catch { throw .media(error) }
  }

  /// Where its sound was too loud.
  var limited: Limited? { track?.limited }

  /// Where its sound is too loud.
  var overshoot: SoundOvershoot? { track?.overshoot }
}

/// A pipe: bytes go out in order.
private final class StandardOutput: ByteStore {
  var isSeekable: Bool { false }

  func write(_ bytes: RawSpan, at offset: Int) -> Int32 {
    Console.print(bytes.array)
    return Console.outputFailure
  }

  func read(_ bytes: inout MutableRawSpan, at offset: Int) -> Int { -Int(ESPIPE) }
}

extension SceneModel {
  /// The chapters that begin in some frames, as times from the first of them.
  func chapters(in frames: Range<Int>) -> [FileNotes.Chapter] {
    let start = frameRate.time(ofFrame: frames.lowerBound)
    let end = frameRate.time(ofFrame: frames.upperBound)
    return chapters.filter { $0.start >= start && $0.start < end }.map {
      FileNotes.Chapter(
        startMilliseconds: ($0.start - start).rawValue * 1000 / Ticks.perSecond, title: $0.title)
    }
  }
}
