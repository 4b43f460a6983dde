// SPDX-License-Identifier: MIT
package import SceneModel

/// The sound of clips for one who reads alone: what a decoder gives may depend on where it began, and
/// here nobody else has moved it. Used by one thread.
package final class ClipSounds {
  private let store: ClipStore
  private var readers = SoundSchedule()

  package init(_ store: ClipStore) { self.store = store }

  /// Samples of a clip from a number on, interleaved as they were recorded; silence where it has none.
  package func samples(_ clip: ClipDigest, from: Int, count: Int) throws(ClipFault) -> [Float] {
    try store.sound(clip, from: from, count: count) { clip, sample in
      // One thread has one reader at a time, so there is always one that is free.
      readers.take(clip, sample) ?? SoundReader(clip)
    } give: {
      readers.give($0)
    }
  }
}
