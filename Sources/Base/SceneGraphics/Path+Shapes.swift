// SPDX-License-Identifier: MIT

extension Path {
  /// Creates a closed polygon.
  package init(polygon corners: [Point]) {
    self.init()
    for (index, corner) in corners.enumerated() {
      if index == 0 { move(corner) } else { line(corner) }
    }
    close()
  }

  /// The handle length of the best cubic approximation of a unit quarter circle.
  private static let quarter = 0.5522847498307936

  /// Returns an ellipse that starts at its rightmost point and runs clockwise, as in SVG 2 section
  /// 10.3.
  ///
  /// Small ellipses have four curves (error 0.00027 of the radius), large ones eight (0.000005).
  public static func ellipse(center: Point, _ rx: Double, _ ry: Double) -> Path {
    let count = max(rx, ry) > 80 ? 8 : 4
    let step = 360 / Double(count)
    let k = count == 4 ? quarter : 4.0 / 3 * Math.tan(.pi / 16)
    var path = Path()
    path.elements.reserveCapacity(count + 2)
    path.move(Point(center.x + rx, center.y))
    for index in 0..<count {
      let (c0, s0) = (Math.cosDegrees(step * Double(index)), Math.sinDegrees(step * Double(index)))
      let next = step * Double(index + 1)
      let (c1, s1) = (Math.cosDegrees(next), Math.sinDegrees(next))
      path.cubic(
        Point(center.x + rx * (c0 - k * s0), center.y + ry * (s0 + k * c0)),
        Point(center.x + rx * (c1 + k * s1), center.y + ry * (s1 - k * c1)),
        to: Point(center.x + rx * c1, center.y + ry * s1))
    }
    path.close()
    return path
  }

  /// Returns a rectangle with elliptical corners, as in SVG 2 section 10.2; radii are limited to
  /// half the size.
  public static func rect(_ r: Rect, radius: Double = 0) -> Path {
    rect(r, radiusX: radius, radiusY: radius)
  }

  /// Returns a rectangle with continuous corners, similar to a superellipse.
  ///
  /// The curvature of a corner rises gradually from the straight sides to its middle. With a
  /// `smoothing` of 0 a corner is a quarter circle that takes `radius` of each side; with 1 it
  /// takes twice as much. If a side is too short, smoothing is reduced. `radius` is limited to half
  /// of the shorter side.
  public static func rect(_ r: Rect, radius: Double, smoothing: Double) -> Path {
    let room = min(r.width, r.height) / 2
    let radius = max(0, min(radius, room))
    guard radius > 0 else { return rect(r) }
    let smoothing = max(0, min(smoothing, 1, room / radius - 1))
    guard smoothing > 0 else { return rect(r, radius: radius) }
    let corner = SmoothCorner(radius: radius, smoothing: smoothing)
    let p = corner.reach
    var path = Path([.move(Point(r.x + p, r.y)), .line(Point(r.maxX - p, r.y))])
    path.append(corner, at: Point(r.maxX, r.y), along: Point(1, 0), then: Point(0, 1))
    path.elements.append(.line(Point(r.maxX, r.maxY - p)))
    path.append(corner, at: Point(r.maxX, r.maxY), along: Point(0, 1), then: Point(-1, 0))
    path.elements.append(.line(Point(r.x + p, r.maxY)))
    path.append(corner, at: Point(r.x, r.maxY), along: Point(-1, 0), then: Point(0, -1))
    path.elements.append(.line(Point(r.x, r.y + p)))
    path.append(corner, at: Point(r.x, r.y), along: Point(0, -1), then: Point(1, 0))
    path.elements.append(.close)
    return path
  }

  public static func rect(_ r: Rect, radiusX: Double, radiusY: Double) -> Path {
    let rx = max(0, min(radiusX, r.width / 2))
    let ry = max(0, min(radiusY, r.height / 2))
    if rx == 0 || ry == 0 {
      return Path([
        .move(Point(r.x, r.y)), .line(Point(r.maxX, r.y)), .line(Point(r.maxX, r.maxY)),
        .line(Point(r.x, r.maxY)), .close,
      ])
    }
    let kx = rx * (1 - quarter)
    let ky = ry * (1 - quarter)
    let (x0, y0, x1, y1) = (r.x, r.y, r.maxX, r.maxY)
    return Path([
      .move(Point(x0 + rx, y0)), .line(Point(x1 - rx, y0)),
      .cubic(Point(x1 - kx, y0), Point(x1, y0 + ky), Point(x1, y0 + ry)),
      .line(Point(x1, y1 - ry)),
      .cubic(Point(x1, y1 - ky), Point(x1 - kx, y1), Point(x1 - rx, y1)),
      .line(Point(x0 + rx, y1)),
      .cubic(Point(x0 + kx, y1), Point(x0, y1 - ky), Point(x0, y1 - ry)),
      .line(Point(x0, y0 + ry)),
      .cubic(Point(x0, y0 + ky), Point(x0 + kx, y0), Point(x0 + rx, y0)),
      .close,
    ])
  }

  /// Returns a star with `points` tips, the first one pointing up.
  public static func star(center: Point, points: Int, outer: Double, inner: Double) -> Path {
    var path = Path()
    for index in 0..<(2 * max(0, points)) {
      let radius = index % 2 == 0 ? outer : inner
      let angle = 180 * Double(index) / Double(points) - 90
      let p = Point(
        center.x + radius * Math.cosDegrees(angle), center.y + radius * Math.sinDegrees(angle))
      if index == 0 { path.move(p) } else { path.line(p) }
    }
    if !path.isEmpty { path.close() }
    return path
  }

  /// Returns a circular arc, clockwise from `start` (degrees, 0 is right) over `sweep`.
  ///
  /// A positive `inner` yields a ring sector; `closed` without `inner` yields a pie slice.
  public static func arc(
    center: Point, radius: Double, inner: Double, start: Double, sweep: Double, closed: Bool
  ) -> Path {
    let span = max(-360, min(360, sweep))
    let whole = abs(span) == 360
    if whole, inner <= 0 {
      var path = Path()
      path.appendArc(center, radius, from: start, sweep: span, joining: false)
      path.close()
      return path
    }
    var path = Path()
    path.appendArc(center, radius, from: start, sweep: span, joining: false)
    if inner > 0 {
      if whole { path.close() }
      path.appendArc(center, inner, from: start + span, sweep: -span, joining: !whole)
      path.close()
    } else if closed {
      path.line(center)
      path.close()
    }
    return path
  }

  /// Appends a circular arc as cubics of at most 45 degrees each (error below 5e-6 of the radius).
  private mutating func appendArc(
    _ center: Point, _ radius: Double, from start: Double, sweep: Double, joining: Bool
  ) {
    func at(_ degrees: Double) -> Point {
      Point(
        center.x + radius * Math.cosDegrees(degrees), center.y + radius * Math.sinDegrees(degrees))
    }
    if joining { line(at(start)) } else { move(at(start)) }
    let count = max(1, Int((abs(sweep) / 45).rounded(.up)))
    let step = sweep / Double(count)
    let k = 4.0 / 3 * Math.tan(step * .pi / 720) * radius
    for index in 0..<count {
      let a = start + step * Double(index)
      let b = a + step
      let from = at(a)
      let to = at(b)
      cubic(
        Point(from.x - k * Math.sinDegrees(a), from.y + k * Math.cosDegrees(a)),
        Point(to.x + k * Math.sinDegrees(b), to.y - k * Math.cosDegrees(b)), to: to)
    }
  }

  /// Appends an elliptical arc between two points, as in SVG 2 appendix B.2 (endpoint to center
  /// form).
  ///
  /// `rotation` is in degrees. Equal endpoints draw nothing; a zero radius draws a line.
  public mutating func ellipticalArc(
    from start: Point, radii: Point, rotation: Double, large: Bool, sweep: Bool, to end: Point
  ) {
    if start == end { return }
    var rx = abs(radii.x)
    var ry = abs(radii.y)
    if rx == 0 || ry == 0 { return line(end) }
    let cosPhi = Math.cosDegrees(rotation)
    let sinPhi = Math.sinDegrees(rotation)
    let half = (start - end) * 0.5
    let x1 = cosPhi * half.x + sinPhi * half.y
    let y1 = -sinPhi * half.x + cosPhi * half.y
    let lambda = (x1 * x1) / (rx * rx) + (y1 * y1) / (ry * ry)
    if lambda > 1 {
      rx *= lambda.squareRoot()
      ry *= lambda.squareRoot()
    }
    let denominator = rx * rx * y1 * y1 + ry * ry * x1 * x1
    let numerator = max(0, rx * rx * ry * ry - denominator)
    let factor = (large == sweep ? -1 : 1) * (numerator / denominator).squareRoot()
    let cx1 = factor * rx * y1 / ry
    let cy1 = -factor * ry * x1 / rx
    let theta = Math.atan2((y1 - cy1) / ry, (x1 - cx1) / rx)
    var delta = Math.atan2((-y1 - cy1) / ry, (-x1 - cx1) / rx) - theta
    if sweep, delta < 0 { delta += Math.tau }
    if !sweep, delta > 0 { delta -= Math.tau }
    let middle = start.mixed(with: end, 0.5)
    let map = Affine(
      a: cosPhi * rx, b: sinPhi * rx, c: -sinPhi * ry, d: cosPhi * ry,
      e: cosPhi * cx1 - sinPhi * cy1 + middle.x, f: sinPhi * cx1 + cosPhi * cy1 + middle.y)
    // Beyond the range of floating-point numbers, an arc is replaced by a line.
    guard delta.isFinite, map.isFinite else { return line(end) }
    let eighths = abs(delta) / (.pi / 4) - 1e-9
    let count = max(1, Int(eighths.rounded(.up)))
    let step = delta / Double(count)
    let k = 4.0 / 3 * Math.tan(step / 4)
    for index in 0..<count {
      let a = theta + step * Double(index)
      let b = a + step
      let c1 = Point(Math.cos(a) - k * Math.sin(a), Math.sin(a) + k * Math.cos(a))
      let c2 = Point(Math.cos(b) + k * Math.sin(b), Math.sin(b) - k * Math.cos(b))
      let p = index == count - 1 ? end : map.apply(Point(Math.cos(b), Math.sin(b)))
      cubic(map.apply(c1), map.apply(c2), to: p)
    }
  }

  /// Appends a smooth curve through all points, with Catmull–Rom tangents (Catmull and Rom 1974),
  /// as cubics.
  public mutating func spline(from start: Point, through points: [Point]) {
    let all = [start] + points
    for index in 1..<max(1, all.count) {
      let before = all[max(0, index - 2)]
      let a = all[index - 1]
      let b = all[index]
      let after = all[min(all.count - 1, index + 1)]
      cubic(a + (b - before) * (1 / 6), b - (after - a) * (1 / 6), to: b)
    }
  }
}
