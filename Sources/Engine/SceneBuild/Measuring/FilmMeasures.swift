// SPDX-License-Identifier: MIT
package import SceneModel
import SceneRaster
package import SceneSession
import SceneSound

/// Measurements of the mix and the frames of a scene, without encoding. Each is made at most once.
package final class FilmMeasures {
  private let scene: LoadedScene
  private let model: SceneModel
  /// Called for each second of the mix and each frame; may throw.
  private let goOn: () throws -> Void
  private var known: [Measurement: Double] = [:]

  package init(_ scene: LoadedScene, _ model: SceneModel, goOn: @escaping () throws -> Void) {
    self.scene = scene
    self.model = model
    self.goOn = goOn
  }

  /// Returns the value of a measurement; `nil` for a mix without sound and for other measurements.
  package func value(of measurement: Measurement) throws -> Double? {
    if let value = known[measurement] { return value }
    switch measurement {
    case .loudness(let from, let to):
      let reading = try self.reading(from: from, to: to)
      known[measurement] = reading?.loudness
    case .peak: known[measurement] = try reading(from: .zero, to: model.duration)?.peak
    case .flashes: known[measurement] = try flashCount()
    default: return nil
    }
    return known[measurement]
  }

  private func reading(from: Ticks, to: Ticks) throws -> (loudness: Double, peak: Double)? {
    guard !model.sound.voices.isEmpty else { return nil }
    var mixer = Mixer(
      model.sound, duration: model.duration, source: scene.resources.images.clips,
      metrics: scene.metrics)
    func sample(_ time: Ticks) -> Int {
      Int(max(0, min(time.rawValue, model.duration.rawValue)) / SoundModel.sampleTicks)
    }
    let meter = LoudnessMeter()
    let end = min(mixer.sampleCount, sample(to))
    for first in stride(from: sample(from), to: end, by: SoundModel.rate) {
      try goOn()
      meter.add(try mixer.mix(from: first, count: min(SoundModel.rate, end - first)))
    }
    let reading = meter.reading
    return (reading.loudness, reading.peak)
  }

  /// Returns the number of intervals that flash.
  private func flashCount() throws -> Double {
    let search = FlashSearch(scene, model)
    repeat { try goOn() } while try search.judgeNext()
    return Double(search.count)
  }
}
