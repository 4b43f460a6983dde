// SPDX-License-Identifier: MIT
package import SceneClips
package import SceneModel
import SceneSound

extension ClipStore: SoundSource {
  package func samples(_ clip: ClipDigest, from: Int, count: Int) throws -> [Float] {
    try sound(clip, from: from, count: count)
  }
}

/// The audio of clips, with decoders that are not shared with other users.
struct ClipSoundSource: SoundSource {
  private let sounds: ClipSounds

  init(_ clips: ClipStore) { sounds = ClipSounds(clips) }

  func samples(_ clip: ClipDigest, from: Int, count: Int) throws -> [Float] {
    try sounds.samples(clip, from: from, count: count)
  }
}
