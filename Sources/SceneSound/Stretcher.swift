// SPDX-License-Identifier: MIT
import CStretch

/// Owner of one stretcher of librubberband: longer or shorter sound of the same pitch.
@safe final class Stretcher {
  private var state: OpaquePointer?
  private let channels: Int

  /// `count` samples will come, and `ratio` times as many go.
  init(rate: Int, channels: Int, ratio: Double, count: Int) {
    self.channels = channels
    unsafe state = scene_stretcher(Int32(rate), Int32(channels), ratio, Int64(count))
  }

  deinit { if let state = unsafe state { unsafe rubberband_delete(state) } }

  /// Takes interleaved samples.
  func take(_ samples: [Float], isLast: Bool) {
    guard let state = unsafe state else { return }
    let count = Int32(samples.count / channels)
    _ = unsafe scene_stretch(state, samples, count, Int32(channels), isLast ? 1 : 0)
  }

  /// What it has ready, interleaved.
  func ready() -> [Float] {
    guard let state = unsafe state else { return [] }
    let count = unsafe rubberband_available(state)
    guard count > 0 else { return [] }
    var samples = [Float](repeating: 0, count: Int(count) * channels)
    let got = unsafe scene_stretched(state, &samples, count, Int32(channels))
    samples.removeLast(samples.count - Int(got) * channels)
    return samples
  }
}
