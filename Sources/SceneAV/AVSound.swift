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
}
