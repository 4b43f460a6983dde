// SPDX-License-Identifier: MIT
import CLoudness
import SceneGraphics
import SceneModel

/// Measures how loud sound is, by EBU R 128. Used by one thread.
@safe package final class LoudnessMeter {
  /// What was measured: LUFS, and dBTP; below every number for silence.
  package struct Reading: Hashable, Sendable {
    package let loudness: Double
    package let peak: Double
  }

  fileprivate static let corrections = 5

  private var state: UnsafeMutablePointer<ebur128_state>?

  package init() {
    unsafe state = ebur128_init(2, UInt(SoundModel.rate), scene_loudness_mode())
  }

  deinit { unsafe ebur128_destroy(&state) }

  /// Samples, left and right by turns.
  package func add(_ samples: [Float]) {
    guard let state = unsafe state else { return }
    _ = unsafe ebur128_add_frames_float(state, samples, samples.count / 2)
  }

  package var reading: Reading {
    var (loudness, most) = (-Double.infinity, 0.0)
    guard let state = unsafe state else { return Reading(loudness: loudness, peak: loudness) }
    _ = unsafe ebur128_loudness_global(state, &loudness)
    for channel in 0..<2 {
      var peak = 0.0
      _ = unsafe ebur128_true_peak(state, UInt32(channel), &peak)
      most = max(most, peak)
    }
    return Reading(loudness: loudness, peak: 20 * Math.log(most) / Math.log(10))
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
