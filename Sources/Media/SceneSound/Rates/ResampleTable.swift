// SPDX-License-Identifier: MIT
import CSound
import SceneGraphics

/// A resampling filter: a Kaiser-windowed sinc for many positions between two samples.
///
/// The filter has no state, so any position can be requested in any order.
struct ResampleTable {
  /// The number of input samples per output sample.
  let taps: Int
  private let phases: Int
  private let weights: [Float]

  /// The cutoff relative to half the sample rate, which keeps aliasing low.
  private static let cutoff = 0.97
  private static let usualTaps = 96
  private static let mostTaps = 1536
  private static let beta = 12.0

  /// `ratio` is the number of input samples per output sample. Above 1, the filter removes
  /// frequencies that the output rate cannot represent.
  init(ratio: Double) {
    let ratio = max(1, ratio)
    let wanted = Int((Double(ResampleTable.usualTaps) * min(ratio, 100)).rounded(.up) + 7) / 8 * 8
    taps = min(wanted, ResampleTable.mostTaps)
    phases = max(16, 512 * ResampleTable.usualTaps / taps)
    var weights: [Float] = []
    weights.reserveCapacity((phases + 1) * taps)
    for phase in 0...phases {
      let shift = Double(phase) / Double(phases)
      weights += ResampleTable.row(
        taps: taps, cutoff: ResampleTable.cutoff / ratio, place: shift, beta: ResampleTable.beta)
    }
    self.weights = weights
  }

  /// Returns the weights of samples `1 - taps / 2...taps / 2` for a position between samples 0 and
  /// 1. Their sum is 1.
  static func row(taps: Int, cutoff: Double, place: Double, beta: Double) -> [Float] {
    let half = Double(taps / 2)
    let row = (0..<taps).map { k -> Double in
      let x = Double(k) - (half - 1) - place
      let angle = .pi * cutoff * x
      let share = max(0, 1 - (x / half) * (x / half))
      return (angle == 0 ? 1 : Math.sin(angle) / angle) * bessel(beta * share.squareRoot())
    }
    let sum = row.reduce(0, +)
    return row.map { Float($0 / sum) }
  }

  /// Returns the value of the modified Bessel function of the first kind, of order 0.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term, k) = (1.0, 1.0, 1.0)
    while term > sum * 1e-17 {
      term *= (x / 2 / k) * (x / 2 / k)
      sum += term
      k += 1
    }
    return sum
  }

  /// The number of input samples before the integer part of a position.
  var reach: Int { taps / 2 - 1 }

  /// Returns the samples at `places`, each an integer position plus a fraction. `input` starts with
  /// sample `start` and must contain all required samples.
  func samples(_ input: Stereo, isMono: Bool, from start: Int, at places: [SamplePlace]) -> Stereo {
    let points = places.map { place -> scene_resample_point in
      let phase = place.share * Double(phases)
      let row = min(Int32(phase), Int32(phases - 1))
      return scene_resample_point(
        first: Int32(place.whole - reach - start), row: row, share: Float(phase - Double(row)))
    }
    let fits = points.allSatisfy { $0.first >= 0 && Int($0.first) + taps <= input.count }
    precondition(fits, "the window must contain all weighted samples")
    func channel(_ input: [Float]) -> [Float] {
      var out = [Float](repeating: 0, count: points.count)
      unsafe scene_resample(input, points, Int32(points.count), weights, Int32(taps), &out)
      return out
    }
    let left = channel(input.left)
    return Stereo(left, isMono ? left : channel(input.right))
  }
}
