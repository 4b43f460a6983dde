// SPDX-License-Identifier: MIT
package import SceneModel

/// Audio access with private decoders. The output of a decoder can depend on its start position,
/// and no other reader moves these decoders. Used by one thread.
package final class ClipSounds {
  private let store: ClipStore
  private var readers = SoundSchedule()

  package init(_ store: ClipStore) { self.store = store }

  /// Returns interleaved samples of a clip, starting at sample `from`, at the recorded rate.
  /// Samples outside the clip are silent.
  package func samples(_ clip: ClipDigest, from: Int, count: Int) throws(ClipError) -> [Float] {
    try store.sound(clip, from: from, count: count) { clip, sample in
      // A single thread has at most one reader in use, so a free reader or room for a new one
      // always exists.
      readers.take(clip, sample) ?? SoundReader(clip)
    } give: {
      readers.give($0)
    }
  }
}
