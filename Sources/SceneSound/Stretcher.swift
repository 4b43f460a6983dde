// SPDX-License-Identifier: MIT
import CStretch
import SceneSystem

/// Owner of one stretcher of librubberband: longer or shorter sound of the same pitch.
@safe final class Stretcher {
  /// Nothing without memory.
  @safe private let state: Owned<OpaquePointer>?
  private let channels: Int

  /// `count` samples will come, and `ratio` times as many go.
  init(rate: Int, channels: Int, ratio: Double, count: Int) {
    self.channels = channels
    unsafe state = Owned(
      scene_stretcher(Int32(rate), Int32(channels), ratio, Int64(count)), rubberband_delete)
  }

  /// Takes interleaved samples.
  func take(_ samples: [Float], isLast: Bool) {
    guard let state else { return }
    let count = Int32(samples.count / channels)
    _ = unsafe scene_stretch(state.pointer, samples, count, Int32(channels), isLast ? 1 : 0)
  }

  /// What it has ready, interleaved.
  func ready() -> [Float] {
    guard let state else { return [] }
    let count = rubberband_available(state.pointer)
    guard count > 0 else { return [] }
    var samples = [Float](repeating: 0, count: Int(count) * channels)
    let got = unsafe scene_stretched(state.pointer, &samples, count, Int32(channels))
    samples.removeLast(samples.count - Int(got) * channels)
    return samples
  }
}
