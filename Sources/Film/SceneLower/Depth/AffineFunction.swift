// SPDX-License-Identifier: MIT
import SceneGraphics

/// The function `x·a + y·b + c` of a point.
struct AffineFunction {
  /// The change along each axis, per pixel.
  let slope: Point
  private let level: Double

  init(_ constant: Double) {
    slope = .zero
    level = constant
  }

  /// Creates the function with given values at three points that are not on a line.
  init(_ values: [(at: Point, value: Double)]) {
    precondition(values.count == 3)
    let (a, b, c) = (values[0], values[1], values[2])
    let (u, v) = (b.at - a.at, c.at - a.at)
    let area = u.x * v.y - u.y * v.x
    let (du, dv) = (b.value - a.value, c.value - a.value)
    slope = Point((du * v.y - dv * u.y) / area, (dv * u.x - du * v.x) / area)
    level = a.value - slope.x * a.at.x - slope.y * a.at.y
  }

  func callAsFunction(_ p: Point) -> Double { slope.x * p.x + slope.y * p.y + level }

  /// Returns the range of the values at points.
  func range(over points: [Point]) -> ClosedRange<Double> {
    let values = points.map(callAsFunction)
    guard let least = values.min(), let most = values.max() else { return level...level }
    return least...most
  }
}
