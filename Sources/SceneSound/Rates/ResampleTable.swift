// SPDX-License-Identifier: MIT
import CSound
import SceneGraphics

/// Weights for samples between samples: a sinc in a Kaiser window, at many places between two.
///
/// Nothing is remembered from sample to sample, so any place can be asked for, in any order.
struct ResampleTable {
  /// Samples that are weighed for each new one.
  let taps: Int
  private let phases: Int
  private let weights: [Float]

  /// What is left of the range up to half the rate, so that little beyond is folded back.
  private static let cutoff = 0.97
  private static let usualTaps = 96
  private static let mostTaps = 1536
  private static let beta = 12.0

  /// `ratio` is how many samples of the material pass for each new one; above 1 what the new ones
  /// cannot hold is taken away.
  init(ratio: Double) {
    let ratio = max(1, ratio)
    let wanted = Int((Double(ResampleTable.usualTaps) * min(ratio, 100)).rounded(.up) + 7) / 8 * 8
    taps = min(wanted, ResampleTable.mostTaps)
    phases = max(16, 512 * ResampleTable.usualTaps / taps)
    var weights: [Float] = []
    weights.reserveCapacity((phases + 1) * taps)
    for phase in 0...phases {
      let shift = Double(phase) / Double(phases)
      weights += ResampleTable.row(taps, ResampleTable.cutoff / ratio, shift, ResampleTable.beta)
    }
    self.weights = weights
  }

  /// The weights of samples `1 - taps / 2...taps / 2` for a place between samples 0 and 1, whose sum
  /// is 1.
  static func row(_ taps: Int, _ cutoff: Double, _ place: Double, _ beta: Double) -> [Float] {
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

  /// The modified Bessel function of the first kind, of order 0.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term, k) = (1.0, 1.0, 1.0)
    while term > sum * 1e-17 {
      term *= (x / 2 / k) * (x / 2 / k)
      sum += term
      k += 1
    }
    return sum
  }

  /// How many samples before the one at a place's whole number are weighed.
  var reach: Int { taps / 2 - 1 }

  /// The samples at `places`, of which each is a whole number and a share of the way to the next one;
  /// `input` begins with sample `start` and reaches as far as is needed.
  func samples(_ input: Stereo, isMono: Bool, from start: Int, at places: [SamplePlace]) -> Stereo {
    let count = places.count
    var first = [Int32](repeating: 0, count: count)
    var rows = first
    var shares = [Float](repeating: 0, count: count)
    for k in 0..<count {
      let phase = places[k].share * Double(phases)
      let row = min(Int32(phase), Int32(phases - 1))
      first[k] = Int32(places[k].whole - reach - start)
      rows[k] = row
      shares[k] = Float(phase - Double(row))
    }
    let fits = first.allSatisfy { $0 >= 0 && Int($0) + taps <= input.count }
    precondition(fits, "all samples that are weighed are there")
    func channel(_ input: [Float]) -> [Float] {
      var out = shares
      unsafe scene_resample(input, first, rows, shares, Int32(count), weights, Int32(taps), &out)
      return out
    }
    let left = channel(input.left)
    return Stereo(left, isMono ? left : channel(input.right))
  }
}
