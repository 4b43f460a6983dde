// SPDX-License-Identifier: MIT
import CLinux
import SceneAV
import SceneEncoding
import SceneIR
import SceneLanguage
import SceneModel
import SceneOutput
import SceneSound
import SceneSystem
import SceneWriting

/// An output file of a `Film`, with its audio tracks.
///
/// Used by one thread at a time.
final class FilmFile {
  let media: MediaFile
  /// The audio track, and a second one with descriptions.
  private let tracks: [SoundTrack]

  var settings: VideoSettings { media.settings }

  /// Opens the file. Files in `inputs` are never overwritten.
  init(
    _ plan: OutputPlan, film: Film, inputs: [String], making: SoundMaking
  ) throws {
    var settings = film.settings(of: plan)
    settings.frameCount = film.frames.count
    settings.notes.chapters = film.model.chapters(in: film.frames)
    tracks =
      try settings.sound.map { sound in
        try film.sounds(of: plan).map {
          try SoundTrack($0, settings: sound, in: plan.settings.file, making: making)
        }
      } ?? []
    settings.sound = tracks.first?.settings
    media = try MediaFile(
      plan.path, settings, isWhole: !film.isSegmented, inputs: inputs, nameHelp: plan.nameHelp,
      pipe: plan.path == "-" ? StandardOutputStore() : nil, sounds: tracks.map { .packets($0) },
      captions: plan.captions.hasTracks
        ? film.model.captions(in: film.frames).filter { !$0.timedTexts.isEmpty } : [])
  }

  /// Writes a packet of the segment that starts at frame `start`.
  func write(_ packet: VideoPacket, from start: Int) throws(BuildError) {
    do throws(MediaError) { try media.write(packet, from: start) } catch { throw .media(error) }
  }

  /// The strongest reduction by the limiter in the audio tracks.
  var limited: Limited? { tracks.compactMap(\.limited).max { $0.decibels < $1.decibels } }

  /// The overshoot of the encoded audio.
  var overshoot: SoundOvershoot? { tracks.lazy.compactMap(\.overshoot).first }
}

/// The standard output as a sequential byte store.
private final class StandardOutputStore: ByteStore {
  var isSeekable: Bool { false }

  func write(_ bytes: RawSpan, at offset: Int) -> Int32 {
    StandardOutput.write(bytes.array)
    return StandardOutput.failure
  }

  func read(_ bytes: inout MutableRawSpan, at offset: Int) -> Int { -Int(ESPIPE) }
}

extension SceneModel {
  /// Returns the chapters that start in a range of frames, with times relative to the first frame.
  func chapters(in frames: Range<Int>) -> [FileNotes.Chapter] {
    let start = frameRate.time(ofFrame: frames.lowerBound)
    let end = frameRate.time(ofFrame: frames.upperBound)
    return chapters.filter { $0.start >= start && $0.start < end }.map {
      FileNotes.Chapter(
        startMilliseconds: ($0.start - start).rawValue * 1000 / Ticks.perSecond, title: $0.title)
    }
  }
}
