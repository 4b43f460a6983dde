// SPDX-License-Identifier: MIT
import CSound
import SceneGraphics
package import SceneModel

/// How much has to be taken off a mix so that it stays below a peak, in the steps of its rate.
///
/// What is taken at a sample follows from the samples around it alone: from about 5 ms ahead, in which it
/// grows, and 100 ms before, in which it goes back.
struct Limiter {
  /// Steps in which it grows, and in which it goes back.
  static let ahead = 4
  static let behind = 75
  private static let taps = 24
  /// Decibels that are taken beyond, since a peak may be higher between the points that are looked at.
  private static let margin = 0.1
  /// Samples around a step that its peaks follow from.
  static let reach = taps / 2

  /// The greatest amplitude that is let through.
  let ceiling: Double
  /// Samples of a step.
  private let step: Int
  /// For three points between two samples.
  private let table: [Float]
  /// By how much such a point may be above the samples around it.
  private let swell: Float

  init(ceiling: Double, step: Int) {
    self.ceiling = ceiling
    self.step = step
    let rows = (1...3).map { ResampleTable.row(Limiter.taps, 1, Double($0) / 4, 6) }
    table = rows.flatMap { $0 }
    swell = rows.map { $0.reduce(0) { $0 + abs($1) } }.max() ?? 1
  }

  /// The decibels that are too much in the step that begins at sample `first` of a window.
  func excess(_ window: Stereo, at first: Int) -> Double {
    let low = first - (Limiter.taps / 2 - 1)
    let around = low..<low + step + Limiter.taps - 1
    precondition(
      low >= 0 && around.upperBound <= window.count, "the window holds what is around the step")
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

  /// The decibels that are taken between two steps, from what is too much in those around: `excesses`
  /// has `behind + 1` steps before and `ahead + 1` after.
  static func reduction(_ excesses: ArraySlice<Double>) -> Double {
    guard excesses.contains(where: { $0 > 0 }) else { return 0 }
    let first = excesses.startIndex
    var most = 0.0
    // Between steps both count, so that a line between two such places is never above either.
    for back in -ahead...behind {
      let place = first + behind + 1 - back
      let near = max(excesses[place - 1], place < excesses.endIndex ? excesses[place] : 0)
      let share = back < 0 ? 1 + Double(back) / Double(ahead) : 1 - Double(back) / Double(behind)
      most = max(most, near * share)
    }
    return most
  }
}

/// Where a mix would have been too loud.
package struct Limited: Hashable, Sendable {
  /// The most that was taken, in decibels.
  package let decibels: Double
  package let time: Ticks

  package init(decibels: Double, time: Ticks) {
    self.decibels = decibels
    self.time = time
  }
}
