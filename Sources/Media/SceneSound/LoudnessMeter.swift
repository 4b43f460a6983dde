// SPDX-License-Identifier: MIT
import CLoudness
import SceneGraphics
import SceneModel
import SceneSystem

/// Measures loudness according to EBU R 128. Used by one thread.
@safe package final class LoudnessMeter {
  /// A measurement in LUFS and dBTP; negative infinity for silence.
  package struct Reading: Hashable, Sendable {
    package let loudness: Double
    package let peak: Double
  }

  fileprivate static let corrections = 5

  /// The state of libebur128; `nil` if out of memory.
  @safe private let state: Owned<UnsafeMutablePointer<ebur128_state>>?
  private let channels: Int

  /// `rate` is the sample rate in hertz.
  package init(rate: Int = SoundModel.rate, channels: Int = 2) {
    self.channels = channels
    unsafe state = Owned(
      scene_loudness_meter(UInt32(channels), UInt(rate)), scene_loudness_end)
  }

  /// Adds interleaved samples.
  package func add(_ samples: [Float]) {
    guard let state else { return }
    _ = unsafe ebur128_add_frames_float(state.pointer, samples, samples.count / channels)
  }

  package var reading: Reading {
    guard let state else { return Reading(loudness: -.infinity, peak: -.infinity) }
    return Reading(
      loudness: scene_loudness(state.pointer), peak: peak { scene_true_peak_of(state.pointer, $0) })
  }

  /// The true peak of the most recently added samples, in dBTP.
  package var latestPeak: Double {
    guard let state else { return -.infinity }
    return peak { scene_latest_true_peak_of(state.pointer, $0) }
  }

  private func peak(_ ofChannel: (UInt32) -> Double) -> Double {
    let most = (0..<UInt32(channels)).map(ofChannel).max() ?? 0
    return 20 * Math.log(most) / Math.log(10)
  }
}

extension Mixer {
  /// Measures the whole mix.
  package mutating func measure(_ goOn: () throws -> Void = {}) throws -> LoudnessMeter.Reading {
    let meter = LoudnessMeter(rate: rate.samples)
    for from in stride(from: 0, to: sampleCount, by: rate.samples) {
      try goOn()
      meter.add(try mix(from: from, count: min(rate.samples, sampleCount - from)))
    }
    return meter.reading
  }

  /// Returns the gain that brings a mix to the loudness `target`, in LUFS, with a peak limit in
  /// dBTP; 1 for silence. `make` creates the mix with a gain and a peak limit.
  ///
  /// The mix is first measured without the limiter, unless `plain` is known. If the limiter would
  /// act, the mix is measured with it, too, and the loss of loudness is compensated repeatedly.
  /// `reached` is the loudness of the last measured mix with the gain.
  package static func gain(
    to target: Double, peak: Double, plain known: inout LoudnessMeter.Reading?,
    _ goOn: () throws -> Void = {}, _ make: (_ gain: Double, _ peak: Double) -> Mixer
  ) throws -> (gain: Double, reached: Double) {
    var mixer = make(1, 200)
    let plain = if let known { known } else { try mixer.measure(goOn) }
    known = plain
    guard plain.loudness > -70 else { return (1, plain.loudness) }
    var decibels = target - plain.loudness
    guard plain.peak + decibels > peak else { return (Math.pow(10, decibels / 20), target) }
    var reached = target
    for _ in 0..<LoudnessMeter.corrections {
      var limited = make(Math.pow(10, decibels / 20), peak)
      reached = try limited.measure(goOn).loudness
      let off = target - reached
      guard off > 0.05 else { break }
      decibels += off
    }
    return (Math.pow(10, decibels / 20), reached)
  }
}
