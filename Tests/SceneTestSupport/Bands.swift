// SPDX-License-Identifier: MIT
import SceneGraphics

/// An image whose channels depend only on the distance from a point, for the detection of banding.
package struct Bands {
  private let value: (Int, Int) -> Int
  private let center: (x: Double, y: Double)
  private let radii: Range<Int>
  /// The exact value at each distance up to the largest one.
  private let exact: [Double]

  /// `value` returns a channel of the pixel at x, y, which exists at all distances in `radii`.
  /// Without `exact`, the exact values are the means at each distance, smoothed over 40 pixels.
  package init(
    around center: (x: Double, y: Double), radii: Range<Int>, exact: ((Double) -> Double)? = nil,
    value: @escaping (Int, Int) -> Int
  ) {
    (self.center, self.radii, self.value) = (center, radii, value)
    if let exact {
      self.exact = (0...radii.upperBound).map { exact(Double($0)) }
    } else {
      self.exact = Bands.means(around: center, radii: radii, value: value)
    }
  }

  /// The largest change of the exact value within a run of equal values, along 64 radii. The ideal
  /// is 1, the length over which the exact value changes by one step.
  package var greatestRun: Double {
    var greatest = 0.0
    for turn in 0..<64 {
      let (x, y) = (Math.cosDegrees(Double(turn) * 5.625), Math.sinDegrees(Double(turn) * 5.625))
      var first = radii.lowerBound
      var known: Int?
      for radius in radii {
        let pixel = value(
          Int((center.x + x * Double(radius)).rounded(.down)),
          Int((center.y + y * Double(radius)).rounded(.down)))
        if pixel != known { (known, first) = (pixel, radius) }
        greatest = max(greatest, abs(exact[radius + 1] - exact[first]))
      }
    }
    return greatest
  }

  private static func means(
    around center: (x: Double, y: Double), radii: Range<Int>, value: (Int, Int) -> Int
  ) -> [Double] {
    let end = radii.upperBound
    var sums = Array(repeating: 0.0, count: end + 1)
    var counts = sums
    for y in -end...end {
      for x in -end...end {
        let distance = Int(Math.hypot(Double(x) + 0.5, Double(y) + 0.5))
        guard distance >= radii.lowerBound, distance < end else { continue }
        sums[distance] += Double(value(Int(center.x) + x, Int(center.y) + y))
        counts[distance] += 1
      }
    }
    let means = (0..<end).map { counts[$0] > 0 ? sums[$0] / counts[$0] : 0 }
    return (0...end).map { at in
      // A window with the same reach on both sides, which keeps a constant slope.
      let reach = max(0, min(20, at - radii.lowerBound, end - 1 - at))
      let near = means[max(0, min(at, end - 1) - reach)...min(end - 1, at + reach)]
      return near.reduce(0, +) / Double(near.count)
    }
  }
}
