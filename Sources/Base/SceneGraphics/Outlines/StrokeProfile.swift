// SPDX-License-Identifier: MIT

/// The width of a stroke along a path, as a factor of the stroke width.
package struct StrokeProfile: Hashable, Sendable {
  /// The fractions of the length over which the stroke grows at its start and shrinks at its end,
  /// `0...1`.
  private let start: Double
  private let end: Double
  /// Factors at equal distances, at least 0; empty for a constant width.
  private let factors: [Double]
  /// The derivatives of the factors by the index.
  private let slopes: [Double]

  /// Creates a profile. Numbers outside the range are clamped, and numbers that are not finite
  /// count as 0.
  package init(taper: Point = .zero, factors: [Double] = []) {
    func clamped(_ value: Double, _ most: Double) -> Double {
      value.isFinite ? max(0, min(most, value)) : 0
    }
    start = clamped(taper.x, 1)
    end = clamped(taper.y, 1)
    let factors = factors.map { clamped($0, 1000) }
    self.factors = factors
    slopes = StrokeProfile.slopes(factors)
  }

  /// Returns the factor at a fraction of the length, `0...1`.
  package func factor(at share: Double) -> Double {
    let u = max(0, min(1, share))
    var factor = interpolated(u)
    if start > 0, u < start { factor *= StrokeProfile.growth(u / start) }
    if end > 0, 1 - u < end { factor *= StrokeProfile.growth((1 - u) / end) }
    return factor
  }

  /// Returns the factor of a tapered stroke at the fraction `u` of the taper. It meets the full
  /// width without a kink.
  private static func growth(_ u: Double) -> Double { u > 0 ? 1 - Math.pow(1 - u, 1.5) : 0 }

  /// Returns the slopes of a monotone cubic interpolation (Fritsch and Butland 1984), which does
  /// not overshoot.
  private static func slopes(_ values: [Double]) -> [Double] {
    guard values.count > 2 else {
      return values.map { _ in values.count == 2 ? values[1] - values[0] : 0 }
    }
    let steps = zip(values, values.dropFirst()).map { $1 - $0 }
    var slopes = Array(repeating: 0.0, count: values.count)
    for index in 1..<values.count - 1 {
      let (a, b) = (steps[index - 1], steps[index])
      slopes[index] = a * b > 0 ? 2 * a * b / (a + b) : 0
    }
    return slopes
  }

  private func interpolated(_ u: Double) -> Double {
    guard let last = factors.indices.last else { return 1 }
    guard last > 0 else { return factors[0] }
    let at = u * Double(last)
    let index = min(Int(at), last - 1)
    let t = at - Double(index)
    let (a, b) = (factors[index], factors[index + 1])
    let (p, q) = (slopes[index], slopes[index + 1])
    let (t2, t3) = (t * t, t * t * t)
    return a * (2 * t3 - 3 * t2 + 1) + p * (t3 - 2 * t2 + t) + b * (3 * t2 - 2 * t3) + q * (t3 - t2)
  }
}
