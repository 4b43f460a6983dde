// SPDX-License-Identifier: MIT
package import SceneGraphics

/// Converts strokes of varying width to outlines, which are filled by the nonzero rule.
///
/// An outline consists of strips along the path, and of the joins and caps. All of them have the
/// same orientation, so that their overlaps are filled. Constant strokes that need no outline are
/// drawn by Cairo instead.
package struct Stroker {
  /// A sampled point of the path.
  private struct Sample {
    let point: Point
    /// The direction of the path, of length 1.
    let direction: Point
    /// The length from the start of the drawn path.
    let position: Double
    var radius = 0.0

    /// Returns the point on the left at the distance of the radius, or on the right for a negative
    /// side.
    func edge(_ side: Double) -> Point {
      Point(point.x + side * radius * direction.y, point.y - side * radius * direction.x)
    }
  }

  /// The largest distance between a strip and the exact outline, in pixels.
  private static let tolerance = 0.05

  private let style: StrokeStyle
  private let profile: StrokeProfile
  /// The length of the whole path, even if only a part is drawn.
  private let length: Double
  /// The fraction of the whole path at which the drawn path starts.
  private let start: Double
  private var outline = Path()

  private init(_ style: StrokeStyle, _ profile: StrokeProfile, length: Double, start: Double) {
    self.style = style
    self.profile = profile
    self.length = length
    self.start = start
  }

  /// Returns the outline of the stroke of a path.
  ///
  /// - Parameters:
  ///   - path: The path to draw, which may be a part of a longer path.
  ///   - length: The length of the whole path.
  ///   - start: The fraction of the whole path at which `path` starts. Beyond 1, it continues at 0.
  package static func outline(
    of path: Path, style: StrokeStyle, profile: StrokeProfile, length: Double, start: Double
  ) -> Path {
    var stroker = Stroker(style, profile, length: max(length, 1e-9), start: start)
    var position = 0.0
    var subpath: [Path.Piece] = []
    for piece in path.pieces() {
      if piece.starts { stroker.add(subpath, &position) }
      if piece.starts { subpath = [] }
      subpath.append(piece)
    }
    stroker.add(subpath, &position)
    return stroker.outline
  }

  /// Returns the outline of the stroke of a path with a constant width.
  package static func outline(of path: Path, style: StrokeStyle) -> Path {
    outline(of: path, style: style, profile: StrokeProfile(), length: 1, start: 0)
  }

  private func radius(at position: Double) -> Double {
    let share = start + position / length
    return style.width / 2 * profile.factor(at: share > 1 + 1e-9 ? share - 1 : share)
  }

  // MARK: Subpaths

  private mutating func add(_ pieces: [Path.Piece], _ position: inout Double) {
    guard let first = pieces.first, let last = pieces.last else { return }
    let isClosed = last.closes
    let pieces = pieces.filter { $0.length > 0 }
    if pieces.isEmpty {
      // A subpath without a length is a dot. As in Cairo, square caps need a direction.
      if style.cap == .round, dashStart?.isDrawn != false { addDot(first, at: position) }
      return
    }
    guard style.dash.isEmpty else { return addDashes(pieces, &position, isClosed: isClosed) }
    addLine(pieces, &position, isClosed: isClosed)
  }

  private mutating func addDot(_ piece: Path.Piece, at position: Double) {
    let direction = piece.heading == .zero ? Point(1, 0) : piece.heading
    var dot = Sample(point: piece.cubic.p0, direction: direction, position: position)
    dot.radius = radius(at: position)
    cap(dot, outward: -1)
    cap(dot, outward: 1)
  }

  private mutating func addLine(
    _ pieces: [Path.Piece], _ position: inout Double, isClosed: Bool
  ) {
    if pieces.count == 1, pieces[0].length <= 0 { return addDot(pieces[0], at: position) }
    var first: Sample?
    var last: Sample?
    for piece in pieces {
      let samples = self.samples(of: piece, from: position)
      position += piece.length
      guard let begin = samples.first, let end = samples.last else { continue }
      if let last { join(last, begin) }
      addStrip(samples)
      first = first ?? begin
      last = end
    }
    guard let first, let last else { return }
    if isClosed, abs(first.radius - last.radius) < 0.01 {
      join(last, first)
    } else {
      cap(first, outward: -1)
      cap(last, outward: 1)
    }
  }

  /// The dash pattern at the start of a path.
  private struct DashStart {
    /// The alternating lengths of dashes and gaps.
    let dash: [Double]
    /// The dash or gap in which the path starts, and its remaining length.
    var index = 0
    var rest: Double

    var isDrawn: Bool { index % 2 == 0 }
  }

  /// The start of the dashes; `nil` for a solid line.
  private var dashStart: DashStart? {
    let dash = style.dash.count % 2 == 0 ? style.dash : style.dash + style.dash
    let period = dash.reduce(0, +)
    guard period > 0, period.isFinite, dash.allSatisfy({ $0 >= 0 }), style.dashOffset.isFinite
    else { return nil }
    var offset = style.dashOffset.truncatingRemainder(dividingBy: period)
    if offset < 0 { offset += period }
    var start = DashStart(dash: dash, rest: 0)
    while offset > dash[start.index] || offset > 0 && offset == dash[start.index] {
      offset -= dash[start.index]
      start.index = (start.index + 1) % dash.count
    }
    start.rest = dash[start.index] - offset
    return start
  }

  /// Adds the dashes of a subpath, each with its own caps. The last dash of a closed subpath
  /// continues in the first one.
  private mutating func addDashes(
    _ pieces: [Path.Piece], _ position: inout Double, isClosed: Bool
  ) {
    let begin = position
    guard let start = dashStart else {
      return addLine(pieces, &position, isClosed: isClosed)
    }
    let dash = start.dash
    var (index, rest) = (start.index, start.rest)
    var line: [Path.Piece] = []
    var head: [Path.Piece] = []
    var from = begin
    func isDrawn() -> Bool { index % 2 == 0 }
    for piece in pieces {
      var done = 0.0
      while done < piece.length {
        let end = min(piece.length, done + rest)
        if isDrawn() {
          if line.isEmpty { from = position + done }
          line.append(piece.part(from: done, to: end))
        }
        rest -= end - done
        if rest <= 1e-12 {
          if isClosed, from == begin, head.isEmpty {
            head = line
          } else if !line.isEmpty {
            addLine(line, &from, isClosed: false)
          }
          line = []
          // Gaps without a length are skipped, and dashes without one are dots.
          repeat { index = (index + 1) % dash.count } while dash[index] <= 0 && !isDrawn()
          rest = dash[index]
        }
        done = end
      }
      position += piece.length
    }
    if line.isEmpty { from = begin }
    line += head
    if !line.isEmpty { addLine(line, &from, isClosed: false) }
  }

  // MARK: Strips

  /// Returns samples of a piece that are close enough for straight edges between them.
  private func samples(of piece: Path.Piece, from position: Double) -> [Sample] {
    var count = piece.isLine ? 1 : 4
    while true {
      let samples = self.samples(of: piece, count: count, from: position)
      if count >= 1024 || isFine(samples) { return samples }
      count *= 2
    }
  }

  private func samples(of piece: Path.Piece, count: Int, from position: Double) -> [Sample] {
    let cubic = piece.cubic
    let points = (0...count).map { step -> Point in
      let u = Double(step) / Double(count)
      return piece.isLine ? cubic.p0.mixed(with: cubic.p3, u) : cubic.point(at: u)
    }
    let chords = zip(points, points.dropFirst()).map { $0.distance(to: $1) }
    let scale = piece.length / max(1e-12, chords.reduce(0, +))
    var travelled = 0.0
    return points.indices.map { step in
      if step > 0 { travelled += chords[step - 1] * scale }
      var way =
        piece.isLine ? cubic.p3 - cubic.p0 : cubic.derivative(at: Double(step) / Double(count))
      if Math.hypot(way.x, way.y) < 1e-9 {
        way = points[min(step + 1, count)] - points[max(0, step - 1)]
      }
      let size = max(1e-12, Math.hypot(way.x, way.y))
      var sample = Sample(
        point: points[step], direction: way * (1 / size), position: position + travelled)
      sample.radius = radius(at: sample.position)
      return sample
    }
  }

  /// Returns whether straight edges between samples are within the tolerance.
  private func isFine(_ samples: [Sample]) -> Bool {
    zip(samples, samples.dropFirst()).allSatisfy { a, b in
      let cross = a.direction.x * b.direction.y - a.direction.y * b.direction.x
      let dot = a.direction.x * b.direction.x + a.direction.y * b.direction.y
      let turn = abs(Math.atan2(cross, dot))
      let step = b.position - a.position
      let sagitta = (max(a.radius, b.radius) * turn + step) * turn / 8
      return sagitta <= Stroker.tolerance
        && [0.25, 0.5, 0.75].allSatisfy { share in
          let exact = radius(at: a.position + step * share)
          return abs(exact - a.radius - (b.radius - a.radius) * share) <= Stroker.tolerance
        }
    }
  }

  /// Adds polygons of consecutive samples. Where the inner edge of a tight curve runs backward,
  /// triangles keep the orientation.
  private mutating func addStrip(_ samples: [Sample]) {
    var run = [samples[0]]
    for (a, b) in zip(samples, samples.dropFirst()) {
      let way = b.point - a.point
      let isForward = [1.0, -1].allSatisfy { side in
        let edge = b.edge(side) - a.edge(side)
        return edge.x * way.x + edge.y * way.y >= 0
      }
      if isForward {
        run.append(b)
        continue
      }
      addPolygon(run)
      run = [b]
      for side in [1.0, -1] {
        addTriangle(at: a.point, a.edge(side), b.edge(side))
        addTriangle(at: a.point, b.edge(side), b.point)
      }
    }
    addPolygon(run)
  }

  private mutating func addPolygon(_ samples: [Sample]) {
    guard samples.count > 1 else { return }
    add(samples.map { $0.edge(1) } + samples.reversed().map { $0.edge(-1) })
  }

  /// Adds a triangle with the orientation of the strips.
  private mutating func addTriangle(at a: Point, _ b: Point, _ c: Point) {
    let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    if abs(area) > 1e-12 { add(area > 0 ? [a, b, c] : [a, c, b]) }
  }

  private mutating func add(_ points: [Point]) {
    outline.move(points[0])
    for point in points.dropFirst() { outline.line(point) }
    outline.close()
  }

  private mutating func addDisc(_ center: Point, _ radius: Double) {
    for element in Path.ellipse(center: center, radius, radius).elements {
      switch element {
      case .move(let point): outline.move(point)
      case .line(let point): outline.line(point)
      case .cubic(let a, let b, let point): outline.cubic(a, b, to: point)
      case .close: outline.close()
      }
    }
  }

  // MARK: Joins and caps

  /// Adds the join at a corner.
  private mutating func join(_ a: Sample, _ b: Sample) {
    let cross = a.direction.x * b.direction.y - a.direction.y * b.direction.x
    let dot = a.direction.x * b.direction.x + a.direction.y * b.direction.y
    guard abs(cross) > 1e-6 || dot < 0, b.radius > 0 else { return }
    if style.join == .round { return addDisc(b.point, b.radius) }
    // The outer side is on the left of a turn to the right.
    let side = cross > 0 ? 1.0 : -1
    let (from, to) = (a.edge(side), b.edge(side))
    addTriangle(at: b.point, from, to)
    // The miter length is 1 / sin(φ / 2) widths, where φ is the angle between the lines.
    let half = ((1 + dot) / 2).squareRoot()
    guard style.join == .miter, half > 1e-6, 1 / half <= style.miterLimit else { return }
    let middle = Point((from.x + to.x) / 2, (from.y + to.y) / 2) - b.point
    let distance = max(1e-12, Math.hypot(middle.x, middle.y))
    addTriangle(at: from, to, b.point + middle * (b.radius / half / distance))
  }

  /// Adds the cap at an end. `outward` is 1 if the path ends there and -1 if it begins.
  private mutating func cap(_ end: Sample, outward: Double) {
    guard end.radius > 0 else { return }
    switch style.cap {
    case .butt: break
    case .round: addDisc(end.point, end.radius)
    case .square:
      let shift = end.direction * (outward * end.radius)
      let (left, right) = (end.edge(1), end.edge(-1))
      addTriangle(at: left, left + shift, right + shift)
      addTriangle(at: left, right + shift, right)
    }
  }
}
