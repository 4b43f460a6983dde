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

/// How the channels of a clip become two, by libav's usual order for their number.
enum ChannelFold {
  /// The share of a channel that both sides have, and of those at the back.
  private static let half: Float = 0.707_106_77

  /// Left and right of interleaved samples: centres and backs lowered by 3 dB, no effects channel, and
  /// not lowered as a whole.
  static func stereo(_ samples: [Float], channels: Int) -> Stereo {
    let count = samples.count / max(1, channels)
    var out = Stereo(silent: count)
    switch channels {
    case 1: return Stereo(samples, samples)
    case 2:
      for k in 0..<count { (out.left[k], out.right[k]) = (samples[2 * k], samples[2 * k + 1]) }
    default:
      let (left, right) = shares(channels)
      for k in 0..<count {
        for (channel, share) in left { out.left[k] += share * samples[k * channels + channel] }
        for (channel, share) in right { out.right[k] += share * samples[k * channels + channel] }
      }
    }
    return out
  }

  private static func shares(_ channels: Int) -> ([(Int, Float)], [(Int, Float)]) {
    let (center, sides): (Int?, [(Int, Int)]) =
      switch channels {
      case 3: (2, [])
      case 4: (nil, [(2, 3)])
      case 5: (2, [(3, 4)])
      case 6: (2, [(4, 5)])
      case 7: (2, [(4, 4), (5, 6)])
      case 8: (2, [(4, 5), (6, 7)])
      default: (nil, [])
      }
    let middle = center.map { [($0, half)] } ?? []
    return (
      [(0, 1)] + middle + sides.map { ($0.0, half) }, [(1, 1)] + middle + sides.map { ($0.1, half) }
    )
  }
}
