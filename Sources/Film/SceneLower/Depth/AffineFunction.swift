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

  /// The direction in which the function grows, with length 1; zero for a constant.
  var direction: Point {
    let length = Math.hypot(slope.x, slope.y)
    return length > 0 ? Point(slope.x / length, slope.y / length) : .zero
  }

  /// Returns the point with a given value on the line through `center` along the direction.
  func point(_ value: Double, near center: Point) -> Point {
    let square = slope.x * slope.x + slope.y * slope.y
    guard square > 0 else { return center }
    let distance = (value - self(center)) / square
    return Point(center.x + slope.x * distance, center.y + slope.y * distance)
  }

  /// Returns the range of the values at points.
  func range(over points: [Point]) -> ClosedRange<Double> {
    let values = points.map(callAsFunction)
    guard let least = values.min(), let most = values.max() else { return level...level }
    return least...most
  }
}
