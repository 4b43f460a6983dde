// SPDX-License-Identifier: MIT
import SceneModel

/// The drift between the timestamps of an audio track and its sample count. The clocks of many
/// recorders are off by a few parts per million.
struct SoundDrift {
  /// The accumulated drift of the packets in each interval of ten seconds.
  private var sums: [(off: Double, count: Double)] = []
  /// The drift of the last packet in samples.
  private(set) var latest = 0.0

  /// The maximum clock error. Larger differences have other causes.
  private static let greatest = 0.005

  mutating func add(_ off: Double, at sample: Int, _ rate: Int) {
    latest = off
    let part = sample / (ClipSound.lagSeconds * rate)
    guard part < 100_000 else { return }
    while sums.count <= part { sums.append((0, 0)) }
    sums[part].off += off
    sums[part].count += 1
  }

  /// Returns the drift every ten seconds, in samples. Empty if the drift stays within one
  /// millisecond plus the rounding of the container.
  func lags(_ rate: Int, unit: Double) -> [Float] {
    guard sums.count >= 3, sums.allSatisfy({ $0.count > 0 }) else { return [] }
    let means = sums.map { $0.off / $0.count }
    let ends = (2 * means[0] - means[1], 2 * means[means.count - 1] - means[means.count - 2])
    // A mean applies to the middle of its ten seconds.
    let knots = zip([ends.0] + means, means + [ends.1]).map { ($0 + $1) / 2 }
    let steps = zip(knots, knots.dropFirst()).map { abs($1 - $0) }
    guard let most = knots.map(abs).max(), most > Double(rate) * (0.001 + unit),
      steps.allSatisfy({ $0 <= SoundDrift.greatest * Double(ClipSound.lagSeconds * rate) })
    else { return [] }
    return knots.map { Float($0 - knots[0]) }
  }
}
