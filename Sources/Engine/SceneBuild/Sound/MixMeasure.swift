// SPDX-License-Identifier: MIT
import SceneGraphics
package import SceneModel
import SceneRaster
package import SceneSession
import SceneSound
package import SceneTimeline

/// Measures the loudness of a scene and its peaks in `parts` equal intervals. Returns `nil` for a
/// silent scene. `goOn` is called for each second and may throw.
package func measureMix(
  of scene: LoadedScene, _ model: SceneModel, parts: Int, _ goOn: () throws -> Void
) throws -> Timeline.Mix? {
  guard !model.sound.voices.isEmpty else { return nil }
  var mixer = Mixer(
    model.sound, duration: model.duration, source: scene.resources.images.clips,
    metrics: scene.metrics)
  let meter = LoudnessMeter()
  var peaks = [Float](repeating: 0, count: parts)
  for from in stride(from: 0, to: mixer.sampleCount, by: SoundModel.rate) {
    try goOn()
    let samples = try mixer.mix(
      from: from, count: min(SoundModel.rate, mixer.sampleCount - from))
    meter.add(samples)
    for (index, sample) in samples.enumerated() {
      let part = (from + index / 2) * parts / mixer.sampleCount
      peaks[part] = max(peaks[part], abs(sample))
    }
  }
  func hundredths(_ value: Double) -> Double? {
    value.isFinite ? (value * 100).rounded() / 100 : nil
  }
  let reading = meter.reading
  return Timeline.Mix(
    lufs: hundredths(reading.loudness), peak: hundredths(reading.peak),
    limited: mixer.limited.flatMap { limited in
      hundredths(limited.decibels).map {
        Timeline.Mix.Limit(time: Timeline.Time(limited.time), decibels: $0)
      }
    },
    peaks: peaks.map { $0 > 0 ? hundredths(20 * Math.log(Double($0)) / Math.log(10)) : nil })
}
