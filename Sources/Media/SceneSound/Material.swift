// SPDX-License-Identifier: MIT
import SceneModel

/// The audio of a clip for one voice, as stereo.
///
/// Samples are read in large parts at fixed positions, so the output of a decoder does not depend
/// on which samples are requested together.
struct Material {
  private let clip: ClipDigest
  private let sound: ClipSound
  /// The number of samples per part.
  private let size: Int
  private var parts: [(number: Int, samples: Stereo)] = []

  private static let most = 4

  /// Uses longer parts for non-sequential access, since each part requires a seek.
  init(_ voice: VoiceModel) {
    clip = voice.digest
    sound = voice.sound
    var isForwards = false
    if case .steady(_, let speed, _) = voice.clock { isForwards = speed > 0 }
    size = isForwards ? 8192 : max(8192, 4 * min(sound.rate, 400_000))
  }

  var isMono: Bool { sound.channels == 1 }

  mutating func forget() { parts = [] }

  /// Returns a range of samples. Samples beyond the ends are silent, or wrap around in a ring.
  mutating func samples(_ range: Range<Int>, ring: Range<Int>?, _ source: some SoundSource) throws
    -> Stereo
  {
    var out = Stereo(silent: range.count)
    var at = range.lowerBound
    while at < range.upperBound {
      var (from, end) = (at, range.upperBound)
      if let ring {
        let turns = (Double(at - ring.lowerBound) / Double(ring.count)).rounded(.down)
        from = at - Int(turns) * ring.count
        end = min(end, at + ring.upperBound - from)
      }
      try copy(from..<from + (end - at), to: at - range.lowerBound, of: &out, source)
      at = end
    }
    return out
  }

  private mutating func copy(
    _ range: Range<Int>, to place: Int, of out: inout Stereo, _ source: some SoundSource
  ) throws {
    let inside = range.clamped(to: 0..<max(0, sound.sampleCount))
    var at = inside.lowerBound
    while at < inside.upperBound {
      let number = at / size
      let part = try self.part(number, source)
      let first = at - number * size
      let count = min(size - first, inside.upperBound - at)
      let to = place + at - range.lowerBound
      for k in 0..<count {
        out.left[to + k] = part.left[first + k]
        out.right[to + k] = part.right[first + k]
      }
      at += count
    }
  }

  private mutating func part(_ number: Int, _ source: some SoundSource) throws -> Stereo {
    if let known = parts.first(where: { $0.number == number }) { return known.samples }
    let from = number * size
    let count = min(size, sound.sampleCount - from)
    let samples = try source.samples(clip, from: from, count: count)
    guard samples.count == count * sound.channels else {
      preconditionFailure("a source must return the requested number of samples")
    }
    if parts.count == Material.most { parts.removeFirst() }
    let folded = ChannelFold.stereo(samples, channels: sound.channels, speakers: sound.speakers)
    parts.append((number, folded))
    return parts[parts.count - 1].samples
  }
}
