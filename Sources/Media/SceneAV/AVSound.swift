// SPDX-License-Identifier: MIT
import CAV

extension CodecContext {
  fileprivate var channelCount: Int { Int(scene_channels(pointer)) }

  /// Sets the default layout for a number of channels.
  package func setChannels(_ count: Int) {
    scene_set_channels(pointer, Int32(count))
  }
}

extension Packet {
  /// Returns the samples that are NaN or infinite in a packet of floating-point PCM: their number,
  /// and the range from the first to the last one, both counted across all channels. Returns `nil`
  /// if all samples are finite, and for other codecs.
  package func invalidSamples(codec: String) -> (count: Int, range: ClosedRange<Int>)? {
    let width: Int32
    switch codec {
    case "pcm_f32le", "pcm_f32be": width = 4
    case "pcm_f64le", "pcm_f64be": width = 8
    default: return nil
    }
    let found = scene_invalid_samples(pointer, width, codec.hasSuffix("be") ? 1 : 0)
    return found.count == 0 ? nil : (Int(found.count), Int(found.first)...Int(found.last))
  }
}

extension Frame {
  /// Stores interleaved samples in the range -1 to 1 in the format of an encoder.
  package func take(_ samples: [Float], count: Int, for codec: CodecContext) -> Int32 {
    precondition(samples.count == count * codec.channelCount)
    return unsafe scene_set_sound(pointer, codec.pointer, samples, Int32(count))
  }

  /// The number of leading samples that the decoder reports as padding.
  package var padding: Int { Int(scene_padding(pointer)) }

  /// Returns the audio as interleaved samples in the range -1 to 1; empty for an unsupported
  /// format.
  package func samples(channels: Int) -> [Float] {
    unsafe [Float](unsafeUninitializedCapacity: Int(max(0, self.nb_samples)) * channels) {
      out, count in
      let isKnown = unsafe scene_sound_samples(pointer, Int32(channels), out.baseAddress) != 0
      count = isKnown ? Int(self.nb_samples) * channels : 0
    }
  }
}
