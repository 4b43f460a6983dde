// SPDX-License-Identifier: MIT
import CStretch
import SceneSystem

/// An owned stretcher of librubberband, which changes the duration of audio without its pitch.
@safe final class Stretcher {
  /// The state of librubberband; `nil` if out of memory.
  @safe private let state: Owned<OpaquePointer>?
  private let channels: Int

  /// `count` is the number of input samples, and `ratio` the ratio of output to input samples.
  init(rate: Int, channels: Int, ratio: Double, count: Int) {
    self.channels = channels
    unsafe state = Owned(
      scene_stretcher(Int32(rate), Int32(channels), ratio, Int64(count)), rubberband_delete)
  }

  /// Consumes interleaved samples.
  func take(_ samples: [Float], isLast: Bool) {
    guard let state else { return }
    let count = Int32(samples.count / channels)
    _ = unsafe scene_stretch(state.pointer, samples, count, Int32(channels), isLast ? 1 : 0)
  }

  /// Returns the available output, interleaved.
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
