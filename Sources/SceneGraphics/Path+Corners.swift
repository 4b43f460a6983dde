// SPDX-License-Identifier: MIT

/// A corner between two sides, with an arc in its middle and cubics that lead to it; lengths in pixels.
///
/// The arc turns by 90° less the two parts that the cubics turn by, 45° times the smoothing each. A
/// cubic has its first three points on the side, so that its curvature begins at 0, and its last two on
/// the tangent of the arc.
struct SmoothCorner {
  /// How much of each side it takes, from where they would meet.
  let reach: Double
  /// The points of the cubic along the first side, from where it begins; the third is where the side
  /// meets the tangent of the arc.
  let first: Double, second: Double, third: Double
  /// The end of the cubic: along the side, from where it begins, and away from it.
  let along: Double, away: Double
  let radius: Double
  /// Degrees that the arc turns by.
  let turn: Double

  init(radius: Double, smoothing: Double) {
    self.radius = radius
    reach = (1 + smoothing) * radius
    let beta = 45 * smoothing
    turn = 90 - 2 * beta
    // The arc as seen from the corner: half of its chord along either side.
    let chord = 2 * radius * Math.sinDegrees(turn / 2)
    let side = chord / Double(2).squareRoot()
    // The tangent of the arc meets the side at a distance of its end.
    let tangent = radius * Math.tan(beta / 2 * .pi / 180)
    let run = tangent * Math.cosDegrees(beta)
    away = tangent * Math.sinDegrees(beta)
    let part = (reach - side - run - away) / 3
    first = 2 * part
    second = 3 * part
    third = second
    along = second + run
  }
}

extension Path {
  /// Draws a corner at the point where two sides meet, whose directions are unit vectors.
  mutating func append(
    _ corner: SmoothCorner, at meeting: Point, along u: Point, then v: Point
  ) {
    // From the corner, `a` back along the first side and `b` along the second.
    func point(_ a: Double, _ b: Double) -> Point { meeting - u * a + v * b }
    let p = corner.reach
    let (start, end) = (p - corner.along, corner.away)
    elements.append(
      .cubic(point(p - corner.first, 0), point(p - corner.second, 0), point(start, end)))
    if corner.turn > 1e-9 {
      // A cubic for an arc of less than 90°, with handles along its tangents.
      let beta = (90 - corner.turn) / 2
      let handle = 4.0 / 3 * Math.tan(corner.turn * .pi / 720) * corner.radius
      let (c, s) = (Math.cosDegrees(beta) * handle, Math.sinDegrees(beta) * handle)
      elements.append(
        .cubic(point(start - c, end + s), point(end + s, start - c), point(end, start)))
    }
    elements.append(
      .cubic(point(0, p - corner.second), point(0, p - corner.first), point(0, p)))
  }
}
