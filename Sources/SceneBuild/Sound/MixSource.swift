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
  private var output: OutputRate
  private let channels: Int
  private var position = 0

  /// Where a loudness is asked for, the whole scene is measured first; `goOn` may end that. Without
  /// pictures (`isAlone`), the sound ends where the scene does, not with its last frame.
  init(
    _ model: SceneModel, _ frames: Range<Int>, _ settings: SoundSettings, metrics: any TextMetrics,
    resources: DrawingResources, isAlone: Bool = false, _ goOn: () throws(BuildFault) -> Void
  ) throws {
    let start = model.frameRate.time(ofFrame: frames.lowerBound)
    let first = Double(start.rawValue) / Double(SoundModel.sampleTicks)
    func mixer(gain: Double, peak: Double) -> Mixer {
      Mixer(
        model.sound, duration: model.duration, source: resources.images.clips,
        metrics: metrics, gain: gain, peak: peak)
    }
    let gain = try settings.loudness.map {
      try Mixer.gain(to: $0, peak: settings.peak, goOn, mixer)
    }
    output = OutputRate(
      mixer(gain: gain ?? 1, peak: settings.peak), from: Int(first.rounded()), rate: settings.rate)
    channels = settings.channels
    let length = Double(frames.count) * Double(model.frameRate.denominator)
    var seconds = length / Double(model.frameRate.numerator)
    if isAlone { seconds = min(seconds, (model.duration - start).seconds) }
    sampleCount = Int((seconds * Double(settings.rate)).rounded())
  }

  /// Where the mix was too loud.
  var limited: Limited? { output.limited }

  func next(_ count: Int) throws(VideoFault) -> [Float] {
    do {
      let samples = try output.samples(from: position, count: count)
      position += count
      return channels == 1 ? MixSource.mono(samples) : samples
    } catch {
      throw VideoFault(action: "mix the sound", reason: "\(error)", code: 0)
    }
  }

  private static func mono(_ samples: [Float]) -> [Float] {
    stride(from: 0, to: samples.count, by: 2).map { (samples[$0] + samples[$0 + 1]) / 2 }
  }
}
