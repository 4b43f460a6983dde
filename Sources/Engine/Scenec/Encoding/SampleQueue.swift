// SPDX-License-Identifier: MIT
import SceneAV
import SceneEncoding

/// The appended audio samples that the track has not consumed yet. Used by the encoder thread.
final class SampleQueue: SampleSource {
  private var samples: [Float] = []
  /// The index of the first unconsumed sample.
  private var start = 0
  /// The number of consumed samples per channel.
  private var taken = 0
  private var isEnded = false

  var readyCount: Int { isEnded ? .max : taken + (samples.count - start) / 2 }

  /// Appends interleaved stereo samples.
  func append(_ more: [Float]) {
    samples.removeFirst(start)
    start = 0
    samples += more
  }

  /// Marks the end; silence follows.
  func end() { isEnded = true }

  func next(_ count: Int) throws(VideoError) -> [Float] {
    let part = samples[start..<min(start + 2 * count, samples.count)]
    start += part.count
    taken += count
    return part + [Float](repeating: 0, count: 2 * count - part.count)
  }
}
