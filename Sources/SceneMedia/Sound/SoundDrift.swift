// SPDX-License-Identifier: MIT
import SceneModel

/// How far the times that a file names for its sound go away from the number of its samples: the clock of
/// many recorders is wrong by some millionths.
struct SoundDrift {
  /// Of the packets in each ten seconds.
  private var sums: [(off: Double, count: Double)] = []
  /// By how many samples the last packet came later than those before it say.
  private(set) var latest = 0.0

  /// What a clock may be wrong by; beyond that, times mean something else.
  private static let greatest = 0.005

  mutating func add(_ off: Double, at sample: Int, _ rate: Int) {
    latest = off
    let part = sample / (ClipSound.lagSeconds * rate)
    guard part < 100_000 else { return }
    while sums.count <= part { sums.append((0, 0)) }
    sums[part].off += off
    sums[part].count += 1
  }

  /// Knots every ten seconds; none where they stay within a millisecond and what the container rounds.
  func lags(_ rate: Int, unit: Double) -> [Float] {
    guard sums.count >= 3, sums.allSatisfy({ $0.count > 0 }) else { return [] }
    let means = sums.map { $0.off / $0.count }
    let ends = (2 * means[0] - means[1], 2 * means[means.count - 1] - means[means.count - 2])
    // A mean is that of the middle of its ten seconds.
    let knots = zip([ends.0] + means, means + [ends.1]).map { ($0 + $1) / 2 }
    let steps = zip(knots, knots.dropFirst()).map { abs($1 - $0) }
    guard let most = knots.map(abs).max(), most > Double(rate) * (0.001 + unit),
      steps.allSatisfy({ $0 <= SoundDrift.greatest * Double(ClipSound.lagSeconds * rate) })
    else { return [] }
    return knots.map { Float($0 - knots[0]) }
  }
}
