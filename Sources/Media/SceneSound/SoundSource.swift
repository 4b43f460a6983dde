// SPDX-License-Identifier: MIT
package import SceneModel

/// A source of decoded audio from clips.
package protocol SoundSource {
  /// Returns interleaved samples of a clip, starting at sample `from`, at the recorded rate.
  /// Samples outside the clip are silent.
  func samples(_ clip: ClipDigest, from: Int, count: Int) throws -> [Float]
}

/// Two channels of equal length, stored separately.
struct Stereo {
  var left: [Float]
  var right: [Float]

  init(silent count: Int) {
    left = [Float](repeating: 0, count: count)
    right = left
  }

  init(_ left: [Float], _ right: [Float]) {
    self.left = left
    self.right = right
  }

  var count: Int { left.count }
}

/// The downmix of a clip's channels to stereo.
enum ChannelFold {
  private static let half: Float = 0.707_106_77

  /// The factors of each speaker for both sides, in the bit order of `ClipSound.speakers`. Center
  /// and rear channels are lowered by 3 dB, and low-frequency effects are omitted.
  private static let shares: [(left: Float, right: Float)] = [
    (1, 0), (0, 1), (half, half), (0, 0), (half, 0), (0, half), (1, 0), (0, 1),
    (half * half, half * half), (half, 0), (0, half),
  ]

  /// Returns the default speakers for a number of channels.
  private static func usual(_ channels: Int) -> UInt64 {
    switch channels {
    case 3: 0b111
    case 4: 0b11_0011
    case 5: 0b11_0111
    case 6: 0b11_1111
    case 7: 0b111_0000_1111
    case 8: 0b110_0011_1111
    default: 0b11
    }
  }

  /// Returns the stereo downmix of interleaved samples, without overall attenuation.
  static func stereo(_ samples: [Float], channels: Int, speakers: UInt64 = 0) -> Stereo {
    if channels == 1 { return Stereo(samples, samples) }
    let speakers = speakers.nonzeroBitCount == channels ? speakers : usual(channels)
    let count = samples.count / max(1, channels)
    var out = Stereo(silent: count)
    // Two channels are always left and right.
    if channels == 2 {
      for k in 0..<count { (out.left[k], out.right[k]) = (samples[2 * k], samples[2 * k + 1]) }
      return out
    }
    let named = (0..<64).filter { speakers >> $0 & 1 == 1 }
    for (channel, speaker) in named.enumerated() where speaker < shares.count {
      let share = shares[speaker]
      for k in 0..<count {
        let sample = samples[k * channels + channel]
        out.left[k] += share.left * sample
        out.right[k] += share.right * sample
      }
    }
    return out
  }
}
