// SPDX-License-Identifier: MIT

/// A projective map of space as a 4 × 4 matrix, like CSS's `matrix3d()`.
///
/// Lengths are in pixels; x runs right, y down and z toward the viewer.
package struct SpaceMap: Hashable, Sendable {
  /// The images of the x, y and z axes and of the origin, in homogeneous coordinates.
  private let x, y, z, origin: SIMD4<Double>

  private init(
    x: SIMD4<Double>, y: SIMD4<Double>, z: SIMD4<Double>, origin: SIMD4<Double>
  ) {
    (self.x, self.y, self.z, self.origin) = (x, y, z, origin)
  }

  package static let identity = SpaceMap(.identity)

  /// Creates a map that applies a plane map to x and y.
  package init(_ map: Affine) {
    self.init(
      x: [map.a, map.b, 0, 0], y: [map.c, map.d, 0, 0], z: [0, 0, 1, 0],
      origin: [map.e, map.f, 0, 1])
  }

  /// Creates a map that projects x and y and keeps z.
  package init(_ map: Projection) {
    self.init(
      x: [map.a, map.b, 0, map.g], y: [map.c, map.d, 0, map.h], z: [0, 0, 1, 0],
      origin: [map.e, map.f, 0, map.i])
  }

  package static func translation(_ p: Point, z: Double = 0) -> SpaceMap {
    SpaceMap(x: [1, 0, 0, 0], y: [0, 1, 0, 0], z: [0, 0, 1, 0], origin: [p.x, p.y, z, 1])
  }

  /// Returns the rotation about the x axis like CSS's `rotateX()`: a positive angle, in degrees,
  /// tips the top away from the viewer.
  package static func rotationX(_ degrees: Double) -> SpaceMap {
    let (c, s) = (Math.cosDegrees(degrees), Math.sinDegrees(degrees))
    return SpaceMap(x: [1, 0, 0, 0], y: [0, c, s, 0], z: [0, -s, c, 0], origin: [0, 0, 0, 1])
  }

  /// Returns the rotation about the y axis like CSS's `rotateY()`: a positive angle, in degrees,
  /// turns the right side away from the viewer.
  package static func rotationY(_ degrees: Double) -> SpaceMap {
    let (c, s) = (Math.cosDegrees(degrees), Math.sinDegrees(degrees))
    return SpaceMap(x: [c, 0, -s, 0], y: [0, 1, 0, 0], z: [s, 0, c, 0], origin: [0, 0, 0, 1])
  }

  /// Returns the perspective of an eye at a distance in front of a point of the plane z = 0. The
  /// projection is orthographic if `distance` is `nil`.
  package static func perspective(_ distance: Double?, from eye: Point) -> SpaceMap {
    guard let distance else { return .identity }
    let lens = SpaceMap(
      x: [1, 0, 0, 0], y: [0, 1, 0, 0], z: [0, 0, 1, -1 / distance], origin: [0, 0, 0, 1])
    return translation(eye).concat(lens).concat(translation(Point(-eye.x, -eye.y)))
  }

  /// Returns the map that applies `inner` first and then `self`.
  package func concat(_ inner: SpaceMap) -> SpaceMap {
    SpaceMap(
      x: apply(inner.x), y: apply(inner.y), z: apply(inner.z), origin: apply(inner.origin))
  }

  private func apply(_ p: SIMD4<Double>) -> SIMD4<Double> {
    x * p.x + y * p.y + z * p.z + origin * p.w
  }

  /// Returns the homogeneous image (x, y, z, w) of a point of the plane z = 0.
  package func apply(_ p: Point) -> SIMD4<Double> { x * p.x + y * p.y + origin }

  /// The projection of the plane z = 0 to the plane of the screen.
  package var projection: Projection {
    Projection(
      a: x.x, b: x.y, c: y.x, d: y.y, e: origin.x, f: origin.y, g: x.w, h: y.w, i: origin.w)
  }

  /// Whether the plane z = 0 shows its back to the viewer. A reflection inside the plane does not
  /// turn it around.
  package var showsBack: Bool {
    let front = projection.determinant
    let whole = determinant
    return front * whole < 0
  }

  private var determinant: Double {
    // The determinant of three rows of the last three columns.
    func minor(rows: (Int, Int), _ last: Int) -> Double {
      let (i, j, k) = (rows.0, rows.1, last)
      return y[i] * (z[j] * origin[k] - z[k] * origin[j])
        - z[i] * (y[j] * origin[k] - y[k] * origin[j])
        + origin[i] * (y[j] * z[k] - y[k] * z[j])
    }
    return x.x * minor(rows: (1, 2), 3) - x.y * minor(rows: (0, 2), 3)
      + x.z * minor(rows: (0, 1), 3) - x.w * minor(rows: (0, 1), 2)
  }

  /// The 16 factors in column order, as CSS's `matrix3d()` takes them.
  package var columns: [Double] {
    [x, y, z, origin].flatMap { [$0.x, $0.y, $0.z, $0.w] }
  }

  package var isFinite: Bool {
    let sum = x + y + z + origin
    return sum.x.isFinite && sum.y.isFinite && sum.z.isFinite && sum.w.isFinite
  }
}
