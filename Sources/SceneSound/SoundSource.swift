// SPDX-License-Identifier: MIT
package import SceneModel

/// Where the decoded sound of clips comes from.
package protocol SoundSource {
  /// Samples of a clip from a number on, interleaved as they were recorded; silence where it has none.
  func samples(_ clip: ClipDigest, from: Int, count: Int) throws -> [Float]
}

/// Two channels of equal length, one after the other in time.
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

/// How the channels of a clip become two.
enum ChannelFold {
  private static let half: Float = 0.707_106_77

  /// What each side gets of each speaker, in the order of the bits of `ClipSound.speakers`: centers and those
  /// behind lowered by 3 dB, no low-frequency effects.
  private static let shares: [(left: Float, right: Float)] = [
    (1, 0), (0, 1), (half, half), (0, 0), (half, 0), (0, half), (1, 0), (0, 1),
    (half * half, half * half), (half, 0), (0, half),
  ]

  /// The speakers of so many channels where a file names none.
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

  /// Left and right of interleaved samples, not lowered as a whole.
  static func stereo(_ samples: [Float], channels: Int, speakers: UInt64 = 0) -> Stereo {
    if channels == 1 { return Stereo(samples, samples) }
    let speakers = speakers.nonzeroBitCount == channels ? speakers : usual(channels)
    let count = samples.count / max(1, channels)
    var out = Stereo(silent: count)
    // Two are left and right, whatever they are called.
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
