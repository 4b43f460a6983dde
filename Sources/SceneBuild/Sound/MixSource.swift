// SPDX-License-Identifier: MIT
import SceneAV
package import SceneClips
import SceneLanguage
package import SceneModel
import SceneRaster
import SceneSound
import SceneVideo

extension ClipStore: SoundSource {
  package func samples(_ clip: ClipDigest, from: Int, count: Int) throws -> [Float] {
    try sound(clip, from: from, count: count)
  }
}

/// The mix of some frames of a scene as the samples of a sound track. Used by one thread.
final class MixSource: SampleSource {
  /// Samples of the track.
  let sampleCount: Int
  /// `nil` where the track is there already.
  private var output: OutputRate?
  private var position = 0
  private let kept: KeptSound?
  let encoded: EncodedSound?

  /// Where a loudness is asked for, the whole scene is measured first; `goOn` may end that. Without
  /// pictures (`isAlone`), the sound ends where the scene does, not with its last frame. A track that a
  /// `store` has is not mixed again.
  init(
    _ film: SoundOfFilm, _ settings: SoundSettings, in file: FileFormat, isAlone: Bool = false,
    _ store: PacketStore?, _ goOn: () throws(BuildFault) -> Void
  ) throws {
    let (model, frames) = (film.model, film.frames)
    let start = model.frameRate.time(ofFrame: frames.lowerBound)
    let first = Int((Double(start.rawValue) / Double(SoundModel.sampleTicks)).rounded())
    let length = Double(frames.count) * Double(model.frameRate.denominator)
    var seconds = length / Double(model.frameRate.numerator)
    if isAlone { seconds = min(seconds, (model.duration - start).seconds) }
    let count = Int((seconds * Double(settings.rate)).rounded())
    sampleCount = count
    kept = try store.map {
      try KeptSound(film, settings, in: file, first: first, count: count, $0)
    }
    encoded = kept?.encoded
    guard encoded == nil else { return }
    func mixer(gain: Double, peak: Double) -> Mixer {
      Mixer(
        model.sound, duration: model.duration, source: film.resources.images.clips,
        metrics: film.metrics, gain: gain, peak: peak)
    }
    let gain = try settings.loudness.map {
      try Mixer.gain(to: $0, peak: settings.peak, goOn, mixer)
    }
    output = OutputRate(
      mixer(gain: gain ?? 1, peak: settings.peak), from: first, rate: settings.rate)
  }

  /// Where the mix was too loud.
  var limited: Limited? { output == nil ? kept?.limited : output?.limited }

  func keep(_ encoded: EncodedSound) { kept?.keep(encoded, limited) }

  func next(_ count: Int) throws(VideoFault) -> [Float] {
    do {
      let samples = try output?.samples(from: position, count: count) ?? []
      position += count
      return samples
    } catch {
      throw VideoFault(action: "mix the sound", reason: "\(error)", code: 0)
    }
  }
}
