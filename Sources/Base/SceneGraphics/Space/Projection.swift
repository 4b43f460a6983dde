// SPDX-License-Identifier: MIT

/// The projective map `x' = (a·x + c·y + e) / w`, `y' = (b·x + d·y + f) / w` with
/// `w = g·x + h·y + i`.
///
/// A projection of a plane in space has a positive `w` where the plane is in front of the eye; `w`
/// is the distance from the eye as a fraction of the perspective.
package struct Projection: Hashable, Sendable {
  package let a, b, c, d, e, f: Double
  package let g, h, i: Double

  /// The minimum `w` that is drawn: geometry nearer to the eye than 1% of the perspective is cut
  /// off.
  package static let near = 0.01
  /// The largest coordinate after the projection, in pixels: geometry beyond it is cut off, since
  /// Cairo's fixed-point numbers overflow at eight millions.
  private static let farthest = 500_000.0

  package init(
    a: Double, b: Double, c: Double, d: Double, e: Double, f: Double, g: Double, h: Double,
    i: Double
  ) {
    (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
    (self.g, self.h, self.i) = (g, h, i)
  }

  package init(_ map: Affine) {
    self.init(a: map.a, b: map.b, c: map.c, d: map.d, e: map.e, f: map.f, g: 0, h: 0, i: 1)
  }

  /// Creates the projection that maps the corners of a rectangle, clockwise from the top left, to
  /// four points in front of the eye. Returns `nil` if there is none.
  ///
  /// The formulas are those of P. Heckbert, Fundamentals of Texture Mapping and Image Warping
  /// (1989), section 2.2.3.
  package init?(_ rect: Rect, to corners: [Point]) {
    guard corners.count == 4, rect.width > 0, rect.height > 0 else { return nil }
    let (p, q, r, s) = (corners[0], corners[1], corners[2], corners[3])
    let (u, v, sum) = (q - r, s - r, p - q + r - s)
    let area = u.x * v.y - v.x * u.y
    guard abs(area) > 1e-12 else { return nil }
    let g = (sum.x * v.y - v.x * sum.y) / area
    let h = (u.x * sum.y - sum.x * u.y) / area
    let unit = Projection(
      a: q.x - p.x + g * q.x, b: q.y - p.y + g * q.y, c: s.x - p.x + h * s.x,
      d: s.y - p.y + h * s.y, e: p.x, f: p.y, g: g, h: h, i: 1)
    let whole = unit.concat(
      Affine(
        a: 1 / rect.width, b: 0, c: 0, d: 1 / rect.height, e: -rect.x / rect.width,
        f: -rect.y / rect.height))
    guard whole.isFinite else { return nil }
    self = whole
  }

  /// The same map as an affine map; `nil` unless it is affine up to rounding errors.
  package var affine: Affine? {
    guard abs(g) < 1e-15, abs(h) < 1e-15, i > 1e-9 else { return nil }
    return i == 1
      ? Affine(a: a, b: b, c: c, d: d, e: e, f: f)
      : Affine(a: a / i, b: b / i, c: c / i, d: d / i, e: e / i, f: f / i)
  }

  /// Whether the map is the identity up to rounding errors.
  package var isIdentity: Bool {
    guard i != 0 else { return false }
    return [a / i - 1, b / i, c / i, d / i - 1, (e / i) * 1e-6, (f / i) * 1e-6, g / i, h / i]
      .allSatisfy { abs($0) < 1e-10 }
  }

  /// Returns the map that applies `inner` first and then `self`.
  package func concat(_ inner: Projection) -> Projection {
    Projection(
      a: a * inner.a + c * inner.b + e * inner.g, b: b * inner.a + d * inner.b + f * inner.g,
      c: a * inner.c + c * inner.d + e * inner.h, d: b * inner.c + d * inner.d + f * inner.h,
      e: a * inner.e + c * inner.f + e * inner.i, f: b * inner.e + d * inner.f + f * inner.i,
      g: g * inner.a + h * inner.b + i * inner.g, h: g * inner.c + h * inner.d + i * inner.h,
      i: g * inner.e + h * inner.f + i * inner.i)
  }

  package func concat(_ inner: Affine) -> Projection { concat(Projection(inner)) }

  package func weight(at p: Point) -> Double { g * p.x + h * p.y + i }

  /// Returns the image of a point. The point must be in front of the eye.
  package func apply(_ p: Point) -> Point {
    let w = weight(at: p)
    return Point((a * p.x + c * p.y + e) / w, (b * p.x + d * p.y + f) / w)
  }

  package var determinant: Double {
    a * (d * i - f * h) - c * (b * i - f * g) + e * (b * h - d * g)
  }

  /// The inverse map; `nil` if the map is singular. Points in front of the eye have a positive
  /// weight in the inverse as well.
  package var inverted: Projection? {
    let k = determinant
    guard k.isFinite, abs(k) > 1e-18 else { return nil }
    return Projection(
      a: (d * i - f * h) / k, b: (f * g - b * i) / k, c: (e * h - c * i) / k,
      d: (a * i - e * g) / k, e: (c * f - e * d) / k, f: (e * b - a * f) / k,
      g: (b * h - d * g) / k, h: (c * g - a * h) / k, i: (a * d - b * c) / k)
  }

  /// Returns the affine map that is closest to the projection near a point in front of the eye.
  package func tangent(at p: Point) -> Affine {
    let w = weight(at: p)
    let at = apply(p)
    let (a, b) = ((self.a - g * at.x) / w, (self.b - g * at.y) / w)
    let (c, d) = ((self.c - h * at.x) / w, (self.d - h * at.y) / w)
    return Affine(
      a: a, b: b, c: c, d: d, e: at.x - a * p.x - c * p.y, f: at.y - b * p.x - d * p.y)
  }

  /// The nine factors from `a` to `i`.
  package var factors: [Double] { [a, b, c, d, e, f, g, h, i] }

  package var isFinite: Bool {
    (a + b + c + d + e + f + g + h + i).isFinite
  }

  /// Returns the corners of the visible part of a rectangle before the projection, in order.
  package func visible(_ rect: Rect) -> [Point] {
    guard !rect.isEmpty else { return [] }
    return visible([
      Point(rect.x, rect.y), Point(rect.maxX, rect.y), Point(rect.maxX, rect.maxY),
      Point(rect.x, rect.maxY),
    ])
  }

  /// Returns the part of a polygon that can be drawn, before the projection: the part in front of
  /// the eye that is not too far outside the frame.
  package func visible(_ polygon: [Point]) -> [Point] {
    if polygon.allSatisfy(isDrawable) { return polygon }
    return (0..<Projection.limitCount).reduce(polygon) { rest, index in
      rest.clipped { limits(at: $0)[index] }
    }
  }

  /// Returns the parts of a line through points that can be drawn, before the projection.
  package func visible(line points: [Point]) -> [[Point]] {
    if points.allSatisfy(isDrawable) { return [points] }
    var parts: [[Point]] = []
    for (a, b) in zip(points, points.dropFirst()) {
      var (begin, end) = (0.0, 1.0)
      let (before, after) = (limits(at: a), limits(at: b))
      for (from, to) in zip(before, after) where from < 0 || to < 0 {
        let share = from / (from - to)
        if from < 0 { begin = to < 0 ? 2 : max(begin, share) } else { end = min(end, share) }
      }
      guard begin < end else { continue }
      let (p, q) = (a.mixed(with: b, begin), a.mixed(with: b, end))
      if begin == 0, parts.last?.last == p {
        parts[parts.count - 1].append(q)
      } else {
        parts.append([p, q])
      }
    }
    return parts
  }

  /// Returns whether a point is in front of the eye and not too far outside the frame.
  func isDrawable(_ p: Point) -> Bool {
    let w = weight(at: p)
    let reach = Projection.farthest * w
    return w >= Projection.near && abs(a * p.x + c * p.y + e) <= reach
      && abs(b * p.x + d * p.y + f) <= reach
  }

  private static let limitCount = 5

  /// Returns affine functions of a point that are negative where it cannot be drawn.
  private func limits(at p: Point) -> [Double] {
    let w = weight(at: p)
    let reach = Projection.farthest * w
    let (x, y) = (a * p.x + c * p.y + e, b * p.x + d * p.y + f)
    return [w - Projection.near, reach - x, reach + x, reach - y, reach + y]
  }

  /// Returns the bounding box of the projection of a rectangle; empty if it is behind the eye.
  package func apply(_ rect: Rect) -> Rect { Rect(around: visible(rect).map(apply)) }

  /// Returns whether a rectangle is in front of the eye as a whole.
  package func isInFront(_ rect: Rect) -> Bool {
    [
      Point(rect.x, rect.y), Point(rect.maxX, rect.y), Point(rect.maxX, rect.maxY),
      Point(rect.x, rect.maxY),
    ].allSatisfy { weight(at: $0) >= Projection.near }
  }

  /// Returns the minimum factor by which the projection scales a length in a rectangle; 0 if the
  /// rectangle is not visible.
  package func minimumStretch(in rect: Rect) -> Double {
    visible(rect).map { corner in
      let map = tangent(at: corner)
      let most = map.maximumStretch
      return most > 0 ? abs(map.determinant) / most : 0
    }.min() ?? 0
  }

  /// Returns the maximum factor by which the projection scales a length in a rectangle.
  package func maximumStretch(in rect: Rect) -> Double {
    visible(rect).map { tangent(at: $0).maximumStretch }.max() ?? 0
  }
}

extension [Point] {
  /// Returns the part of a polygon in which an affine function is at least 0 (Sutherland and
  /// Hodgman 1974).
  package func clipped(_ function: (Point) -> Double) -> [Point] {
    guard var last = last else { return [] }
    var result: [Point] = []
    var before = function(last)
    for point in self {
      let now = function(point)
      if (before < 0) != (now < 0) {
        result.append(last.mixed(with: point, before / (before - now)))
      }
      if now >= 0 { result.append(point) }
      (last, before) = (point, now)
    }
    return result
  }
}
