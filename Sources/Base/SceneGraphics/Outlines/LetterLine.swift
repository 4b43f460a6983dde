// SPDX-License-Identifier: MIT

/// A path under a line of letters.
///
/// On a curved path, the tops of letters move closer together in a valley and farther apart on a
/// hill. Advances are therefore measured on the parallel curve at half the height of small letters.
/// The length of this curve grows by its height times the angle by which the path turns, so only
/// the angle has to be accumulated.
package struct LetterLine {
  /// A short part of the path.
  private struct Part {
    /// The lengths from the start of the path.
    let start: Double
    let end: Double
    let from: Point
    let to: Point
    /// The directions at both ends, of length 1.
    let leaving: Point
    let arriving: Point
    /// The angles at both ends in radians, continuous with those of the previous part.
    let first: Double
    let last: Double
    /// The integral of the angle up to the start.
    var area = 0.0

    /// Returns the angle at a length.
    func angle(at length: Double) -> Double {
      end > start ? first + (last - first) * (length - start) / (end - start) : first
    }

    /// Returns the point at a length by cubic Hermite interpolation.
    func point(at length: Double) -> Point {
      let size = end - start
      guard size > 0 else { return from }
      let t = (length - start) / size
      let (t2, t3) = (t * t, t * t * t)
      return from * (2 * t3 - 3 * t2 + 1) + leaving * ((t3 - 2 * t2 + t) * size)
        + to * (3 * t2 - 2 * t3) + arriving * ((t3 - t2) * size)
    }
  }

  /// A point on the line: its position on the curve of the letters, and its length along the path.
  private struct Place {
    let position: Double
    let length: Double
  }

  /// The original path.
  package let source: Path
  /// The path that the letters follow.
  package let path: MeasuredPath
  /// The height of the curve on which advances are measured, in pixels.
  package let height: Double
  package let fontSize: Double
  /// Whether the corners of the path are rounded, so that letters can bend around them.
  package let isRounded: Bool
  /// The length over which the angle is averaged, so that a corner affects the letters around it.
  private let window: Double
  private var parts: [Part] = []
  /// The indices in `parts` at which subpaths start.
  private var starts: [Int] = []
  /// Points of the line in order; empty for a straight path.
  private var places: [Place] = []

  /// The minimum advance of letters in tight bends, as a fraction of their width.
  private static let leastAdvance = 0.15
  private static let mostPlaces = 4000.0

  /// - Parameters:
  ///   - height: Half the height of the small letters.
  ///   - fontSize: The size of the letters, by which corners are rounded.
  package init(_ source: Path, height: Double, fontSize: Double, isRounded: Bool = false) {
    self.source = source
    self.isRounded = isRounded
    path = MeasuredPath(isRounded ? source.rounded(radius: fontSize) : source)
    self.height = height
    self.fontSize = fontSize
    window = max(1e-6, min(fontSize, path.length / 2))
    addParts()
    guard parts.contains(where: { abs($0.first) > 1e-9 || abs($0.last) > 1e-9 }) else { return }
    addPlaces()
  }

  private mutating func addParts() {
    let step = max(window / 4, path.length / LetterLine.mostPlaces)
    var (length, area) = (0.0, 0.0)
    // The direction and the angle at the end of the last part.
    var last: (way: Point, angle: Double)?
    for piece in path.pieces {
      let count =
        piece.isLine
        ? 1 : Int(max(4, min(LetterLine.mostPlaces, (piece.length / step).rounded(.up))))
      let samples = (0...count).map { piece.sample(at: Double($0) / Double(count)) }
      let chords = zip(samples, samples.dropFirst()).map { $0.point.distance(to: $1.point) }
      let scale = piece.length / max(1e-12, chords.reduce(0, +))
      if piece.starts || parts.isEmpty { starts.append(parts.count) }
      for index in 0..<count {
        let (a, b) = (samples[index], samples[index + 1])
        // The angle does not change between subpaths.
        let turn = last.map { piece.starts && index == 0 ? 0 : LetterLine.turn($0.way, a.way) } ?? 0
        let first = (last?.angle ?? 0) + turn
        let size = chords[index] * scale
        var part = Part(
          start: length, end: length + size, from: a.point, to: b.point, leaving: a.way,
          arriving: b.way, first: first, last: first + LetterLine.turn(a.way, b.way))
        part.area = area
        area += (part.first + part.last) / 2 * size
        length += size
        last = (b.way, part.last)
        parts.append(part)
      }
    }
  }

  /// Returns the angle from one direction to another, in radians.
  private static func turn(_ a: Point, _ b: Point) -> Double {
    Math.atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)
  }

  private mutating func addPlaces() {
    let count = max(
      2, min(LetterLine.mostPlaces, (path.length / (window / 4)).rounded(.up)))
    var (position, length, angle) = (0.0, 0.0, averageAngle(at: 0))
    places = [Place(position: 0, length: 0)]
    for index in 1...Int(count) {
      let next = path.length * Double(index) / count
      let nextAngle = averageAngle(at: next)
      let step = next - length
      position += max(step * LetterLine.leastAdvance, step + height * (nextAngle - angle))
      (length, angle) = (next, nextAngle)
      places.append(Place(position: position, length: length))
    }
  }

  private func part(at length: Double) -> Part? {
    parts.isEmpty ? nil : parts[index(at: length)]
  }

  /// Returns the index of the last part that starts at or before a length, or 0.
  private func index(at length: Double) -> Int {
    var (low, high) = (0, parts.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if parts[middle].start <= length { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// Returns the integral of the angle from the start.
  private func area(to length: Double) -> Double {
    guard let part = part(at: length) else { return 0 }
    return part.area + (part.first + part.angle(at: length)) / 2 * (length - part.start)
  }

  /// Returns the average angle around a length. The interval is shorter near the ends.
  private func averageAngle(at length: Double) -> Double {
    let half = min(window / 2, length, path.length - length)
    guard half > window * 1e-6 else { return part(at: length)?.angle(at: length) ?? 0 }
    return (area(to: length + half) - area(to: length - half)) / (2 * half)
  }

  // MARK: Places

  /// Returns the position at a fraction of the path's length; NaN if the fraction is NaN.
  package func position(atShare share: Double) -> Double {
    let length = share * path.length
    guard let last = places.last, !length.isNaN else { return length }
    if length <= 0 { return length }
    if length >= path.length { return last.position + length - path.length }
    let step = path.length / Double(places.count - 1)
    let index = min(Int(length / step), places.count - 2)
    let (a, b) = (places[index], places[index + 1])
    return a.position + (b.position - a.position) * (length - a.length) / (b.length - a.length)
  }

  /// Returns the length on the path at a position, which may be beyond the ends of the path.
  package func length(at position: Double) -> Double {
    guard let last = places.last else { return position }
    if position <= 0 { return position }
    if position >= last.position { return path.length + position - last.position }
    var (low, high) = (0, places.count - 2)
    while low < high {
      let middle = (low + high + 1) / 2
      if places[middle].position <= position { low = middle } else { high = middle - 1 }
    }
    let (a, b) = (places[low], places[low + 1])
    return a.length + (b.length - a.length) * (position - a.position) / (b.position - a.position)
  }

  /// Returns the point at a height above a position on the path. The line continues straight beyond
  /// its ends: those of the subpath at the position `middle`, or by default those of the whole
  /// path.
  package func point(at position: Double, above rise: Double, onSubpathAt middle: Double? = nil)
    -> Point
  {
    let length = length(at: position)
    let indices = middle.map { subpath(at: self.length(at: $0)) } ?? parts.indices
    guard let first = indices.first, let last = indices.last else { return .zero }
    let inside = max(parts[first].start, min(parts[last].end, length))
    let part = parts[max(first, min(last, index(at: inside)))]
    let turn = part.angle(at: inside) - part.first
    let (sin, cos) = (Math.sin(turn), Math.cos(turn))
    let way = part.leaving
    let along = Point(way.x * cos - way.y * sin, way.x * sin + way.y * cos)
    let foot = part.point(at: inside) + along * (length - inside)
    return foot + Point(along.y, -along.x) * rise
  }

  /// Returns the parts of the subpath that contains a length.
  private func subpath(at length: Double) -> Range<Int> {
    guard !parts.isEmpty else { return 0..<0 }
    let index = index(at: max(0, length))
    let next = starts.firstIndex { $0 > index } ?? starts.count
    return starts[next - 1]..<(next < starts.count ? starts[next] : parts.count)
  }
}

extension Path.Piece {
  /// Returns the point at a parameter, and the direction of length 1.
  fileprivate func sample(at u: Double) -> (point: Point, way: Point) {
    var way = isLine ? cubic.p3 - cubic.p0 : cubic.derivative(at: u)
    // Control points may coincide with the ends.
    if Math.hypot(way.x, way.y) < 1e-9 { way = u < 0.5 ? cubic.p2 - cubic.p0 : cubic.p3 - cubic.p1 }
    if Math.hypot(way.x, way.y) < 1e-9 { way = cubic.p3 - cubic.p0 }
    let size = Math.hypot(way.x, way.y)
    return (
      isLine ? cubic.p0.mixed(with: cubic.p3, u) : cubic.point(at: u),
      size > 0 ? way * (1 / size) : Point(1, 0)
    )
  }
}

extension Path {
  /// The maximum distance between a bent curve and the lines that replace it, in pixels.
  private static let bendTolerance = 0.02
  private static let bendDepth = 9

  /// Returns the path with all points mapped by `map`, flattened to lines.
  package func bent(_ map: (Point) -> Point) -> Path {
    var result = Path()
    var (current, first) = (Point.zero, Point.zero)
    func add(_ curve: Cubic, isLine: Bool) {
      func source(_ t: Double) -> Point {
        isLine ? curve.p0.mixed(with: curve.p3, t) : curve.point(at: t)
      }
      func divide(_ from: Double, _ to: Double, between ends: (Point, Point), depth: Int) {
        let (a, b) = ends
        let points = [0.25, 0.5, 0.75].map { map(source(from + (to - from) * $0)) }
        let isFlat = points.allSatisfy {
          Path.distance(of: $0, from: a, to: b) <= Path.bendTolerance
        }
        if depth >= Path.bendDepth || isFlat { return result.line(b) }
        let middle = (from + to) / 2
        divide(from, middle, between: (a, points[1]), depth: depth + 1)
        divide(middle, to, between: (points[1], b), depth: depth + 1)
      }
      divide(0, 1, between: (map(curve.p0), map(curve.p3)), depth: 0)
    }
    for element in elements {
      switch element {
      case .move(let p):
        result.move(map(p))
        (current, first) = (p, p)
      case .line(let p):
        add(Cubic(from: current, current, p, to: p), isLine: true)
        current = p
      case .cubic(let a, let b, let p):
        add(Cubic(from: current, a, b, to: p), isLine: false)
        current = p
      case .close:
        if current != first { add(Cubic(from: current, current, first, to: first), isLine: true) }
        result.close()
        current = first
      }
    }
    return result
  }

  /// Returns the distance of a point from a line segment.
  private static func distance(of p: Point, from a: Point, to b: Point) -> Double {
    let way = b - a
    let square = way.x * way.x + way.y * way.y
    guard square > 0 else { return p.distance(to: a) }
    let t = max(0, min(1, ((p.x - a.x) * way.x + (p.y - a.y) * way.y) / square))
    return p.distance(to: a + way * t)
  }
}
