// SPDX-License-Identifier: MIT
import CAV

extension CodecContext {
  fileprivate var channelCount: Int { Int(scene_channels(pointer)) }

  /// Takes so many channels in their usual order.
  package func setChannels(_ count: Int) {
    scene_set_channels(pointer, Int32(count))
  }
}

extension Frame {
  /// Becomes the sound of interleaved samples from -1 to 1, as an encoder takes it.
  package func take(_ samples: [Float], count: Int, for codec: CodecContext) -> Int32 {
    precondition(samples.count == count * codec.channelCount)
    return unsafe scene_set_sound(pointer, codec.pointer, samples, Int32(count))
  }

  /// Samples at its start that its decoder knows to be padding.
  package var padding: Int { Int(scene_padding(pointer)) }

  /// Its sound, interleaved, as numbers from -1 to 1; empty in a format that is not known.
  package func samples(channels: Int) -> [Float] {
    unsafe [Float](unsafeUninitializedCapacity: Int(max(0, self.nb_samples)) * channels) {
      out, count in
      let isKnown = unsafe scene_sound_samples(pointer, Int32(channels), out.baseAddress) != 0
      count = isKnown ? Int(self.nb_samples) * channels : 0
    }
  }
}
