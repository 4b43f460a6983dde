// SPDX-License-Identifier: MIT
import SceneAV
import SceneCLI
import SceneFiles
import SceneLanguage
import SceneModel
import SceneOutput
import SceneRaster
import SceneSession
import SceneSound
import SceneVideo
import Scenec

/// A file of sound alone that is being made: nothing is drawn for it. Used by one thread.
final class SoundFile {
  let plan: OutputPlan
  private let file: OutputFile
  private let writer: SoundWriter
  private let mix: MixSource
  private let seconds: Double

  /// Opens it; `inputs` must not be overwritten.
  init?(
    _ plan: OutputPlan, _ film: SoundOfFilm, inputs: [String], store: PacketStore?,
    goOn: () throws(BuildFault) -> Void
  ) throws {
    guard var sound = plan.settings.sound else { return nil }
    self.plan = plan
    mix = try MixSource(film, sound, in: plan.settings.file, isAlone: true, store, goOn)
    sound.sampleCount = mix.sampleCount
    seconds = Double(sound.sampleCount) / Double(sound.rate)
    var notes = plan.settings.notes
    notes.chapters = film.model.chapters(in: film.frames)
    file = try OutputFile(plan.path, inputs: inputs)
    do {
      writer = try SoundWriter(sound, plan.settings.file, notes, from: mix, to: file)
    } catch {
      throw MediaFault(error, file)
    }
  }

  /// Where it was too loud.
  var limited: Limited? { mix.limited }

  func write(_ goOn: () throws(BuildFault) -> Void) throws {
    for second in stride(from: 1.0, to: max(1, seconds), by: 1) {
      try goOn()
      do throws(VideoFault) {
        try writer.write(until: second)
      } catch {
        throw MediaFault(error, file)
      }
    }
    do throws(VideoFault) { try writer.finish() } catch { throw MediaFault(error, file) }
  }

  /// Puts files in their places.
  static func commit(_ files: [SoundFile]) throws { try OutputFile.commit(files.map(\.file)) }
}
