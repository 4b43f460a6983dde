// SPDX-License-Identifier: MIT
import SceneAV
import SceneEncoding
import SceneFiles
import SceneLanguage
import SceneModel
import SceneOutput
import SceneRaster
import SceneSession
import SceneSound
import SceneWriting

/// An audio-only output file in progress. No frame is rendered for it. Used by one thread.
final class SoundFile {
  let plan: OutputPlan
  private let file: OutputFile
  private let writer: SoundWriter
  private let track: SoundTrack
  private let seconds: Double

  /// Opens the file. Files in `inputs` are never overwritten.
  init?(
    _ plan: OutputPlan, film: SoundOfFilm, inputs: [String], making: SoundMaking
  ) throws {
    guard let settings = plan.settings.sound else { return nil }
    self.plan = plan
    track = try SoundTrack(
      film, settings: settings, in: plan.settings.file, isAlone: true, making: making)
    let sound = track.settings
    seconds = Double(sound.sampleCount) / Double(sound.rate)
    var notes = plan.settings.notes
    notes.chapters = film.model.chapters(in: film.frames)
    file = try OutputFile(plan.path, inputs: inputs, nameHelp: plan.nameHelp)
    do {
      writer = try SoundWriter(
        sound, file: plan.settings.file, notes: notes, from: .packets(track), to: file)
    } catch {
      throw MediaError(error, file)
    }
  }

  /// The strongest reduction by the limiter.
  var limited: Limited? { track.limited }

  /// The overshoot of the encoded audio.
  var overshoot: SoundOvershoot? { track.overshoot }

  func write(_ goOn: () throws(BuildError) -> Void) throws {
    for second in stride(from: 1.0, to: max(1, seconds), by: 1) {
      try goOn()
      do throws(VideoError) {
        try writer.write(until: second)
      } catch {
        throw MediaError(error, file)
      }
    }
    do throws(VideoError) { try writer.finish() } catch { throw MediaError(error, file) }
  }

  /// Moves files into place.
  static func commit(_ files: [SoundFile]) throws { try OutputFile.commit(files.map(\.file)) }
}
