// SPDX-License-Identifier: MIT
import CSound
import SceneGraphics
package import SceneModel

/// Computes the reduction that keeps a mix below a peak, in the steps of its rate.
///
/// The reduction at a sample depends only on the surrounding samples: the attack takes about 5 ms
/// before a peak and the release about 100 ms after it.
struct Limiter {
  /// The length of the attack and of the release in steps.
  static let ahead = 4
  static let behind = 75
  private static let taps = 24
  /// An additional reduction in decibels, since the peak may be higher between the examined points.
  private static let margin = 0.1
  /// The number of samples around a step that its peak depends on.
  static let reach = taps / 2

  /// The maximum amplitude.
  let ceiling: Double
  /// The number of samples per step.
  private let step: Int
  /// The interpolation weights for three points between two samples.
  private let table: [Float]
  /// The maximum ratio of an interpolated point to the surrounding samples.
  private let swell: Float

  init(ceiling: Double, step: Int) {
    self.ceiling = ceiling
    self.step = step
    let rows = (1...3).map {
      ResampleTable.row(taps: Limiter.taps, cutoff: 1, place: Double($0) / 4, beta: 6)
    }
    table = rows.flatMap { $0 }
    swell = rows.map { $0.reduce(0) { $0 + abs($1) } }.max() ?? 1
  }

  /// Returns the excess in decibels of the step that starts at sample `first` of a window.
  func excess(_ window: Stereo, at first: Int) -> Double {
    let low = first - (Limiter.taps / 2 - 1)
    let around = low..<low + step + Limiter.taps - 1
    precondition(
      low >= 0 && around.upperBound <= window.count, "the window must surround the step")
    var peak: Float = 0
    for channel in [window.left, window.right] {
      let most = channel[around].reduce(0) { max($0, abs($1)) }
      guard Double(most * swell) > ceiling else { continue }
      let part = Array(channel[around])
      peak = max(
        peak, unsafe scene_true_peak(part, Int32(step), table, Int32(Limiter.taps)))
    }
    guard Double(peak) > ceiling else { return 0 }
    return 20 * Math.log(Double(peak) / ceiling) / Math.log(10) + Limiter.margin
  }

  /// Returns the reduction in decibels at the boundary of two steps. `excesses` contains `behind +
  /// 1` steps before and `ahead + 1` after it.
  static func reduction(_ excesses: ArraySlice<Double>) -> Double {
    guard excesses.contains(where: { $0 > 0 }) else { return 0 }
    let first = excesses.startIndex
    var most = 0.0
    // At a boundary, the excess of both steps counts, so a line between two boundaries never
    // exceeds either.
    for back in -ahead...behind {
      let place = first + behind + 1 - back
      let near = max(excesses[place - 1], place < excesses.endIndex ? excesses[place] : 0)
      let share = back < 0 ? 1 + Double(back) / Double(ahead) : 1 - Double(back) / Double(behind)
      most = max(most, near * share)
    }
    return most
  }
}

/// The strongest reduction by the limiter.
package struct Limited: Hashable, Sendable {
  /// The reduction in decibels.
  package let decibels: Double
  package let time: Ticks

  package init(decibels: Double, time: Ticks) {
    self.decibels = decibels
    self.time = time
  }
}
