// SPDX-License-Identifier: MIT
import SceneAV
import SceneVideo

/// Samples that were appended, until the track takes them. Used by the thread that encodes.
final class SampleQueue: SampleSource {
  private var samples: [Float] = []
  /// The first one that was not taken.
  private var start = 0
  /// Samples of each channel that came before it.
  private var taken = 0
  private var isEnded = false

  var readyCount: Int { isEnded ? .max : taken + (samples.count - start) / 2 }

  /// Takes samples, left and right by turns.
  func append(_ more: [Float]) {
    samples.removeFirst(start)
    start = 0
    samples += more
  }

  /// Says that silence follows.
  func end() { isEnded = true }

  func next(_ count: Int) throws(VideoFault) -> [Float] {
    let part = samples[start..<min(start + 2 * count, samples.count)]
    start += part.count
    taken += count
    return part + [Float](repeating: 0, count: 2 * count - part.count)
  }
}
