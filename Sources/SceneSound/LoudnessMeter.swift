// SPDX-License-Identifier: MIT
import CLoudness
import SceneGraphics
import SceneModel
import SceneSystem

/// Measures how loud sound is, by EBU R 128. Used by one thread.
@safe package final class LoudnessMeter {
  /// What was measured: LUFS, and dBTP; below every number for silence.
  package struct Reading: Hashable, Sendable {
    package let loudness: Double
    package let peak: Double
  }

  fileprivate static let corrections = 5

  /// Nothing without memory.
  @safe private let state = unsafe Owned(
    scene_loudness_meter(2, UInt(SoundModel.rate)), scene_loudness_end)

  package init() {}

  /// Samples, left and right by turns.
  package func add(_ samples: [Float]) {
    guard let state else { return }
    _ = unsafe ebur128_add_frames_float(state.pointer, samples, samples.count / 2)
  }

  package var reading: Reading {
    guard let state else { return Reading(loudness: -.infinity, peak: -.infinity) }
    let most = max(scene_true_peak_of(state.pointer, 0), scene_true_peak_of(state.pointer, 1))
    return Reading(
      loudness: scene_loudness(state.pointer), peak: 20 * Math.log(most) / Math.log(10))
  }
}

extension Mixer {
  /// Measures all of it.
  package mutating func measure(_ goOn: () throws -> Void = {}) throws -> LoudnessMeter.Reading {
    let meter = LoudnessMeter()
    for from in stride(from: 0, to: sampleCount, by: SoundModel.rate) {
      try goOn()
      meter.add(try mix(from: from, count: min(SoundModel.rate, sampleCount - from)))
    }
    return meter.reading
  }

  /// The factor that makes a mix as loud as `target`, in LUFS, with a peak that the limiter holds, in
  /// dBTP; 1 for silence. `make` makes the mix with a factor and a peak.
  ///
  /// It is measured without the limiter, and where that would act with it too: what it takes off the
  /// loudness is given back, as often as that helps.
  package static func gain(
    to target: Double, peak: Double, _ goOn: () throws -> Void = {},
    _ make: (_ gain: Double, _ peak: Double) -> Mixer
  ) throws -> Double {
    var mixer = make(1, 200)
    let plain = try mixer.measure(goOn)
    guard plain.loudness > -70 else { return 1 }
    var decibels = target - plain.loudness
    guard plain.peak + decibels > peak else { return Math.pow(10, decibels / 20) }
    for _ in 0..<LoudnessMeter.corrections {
      var limited = make(Math.pow(10, decibels / 20), peak)
      let off = target - (try limited.measure(goOn)).loudness
      guard off > 0.05 else { break }
      decibels += off
    }
    return Math.pow(10, decibels / 20)
  }
}
