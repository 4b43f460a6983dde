// SPDX-License-Identifier: MIT

/// The displaced points of a part of an outline.
struct RoughRun {
  /// A point of the outline.
  private struct Place {
    var point: Point
    var direction: Point
    /// The length from the start.
    var position: Double
    /// Whether the line turns here by a large angle.
    var isCorner = false
  }

  /// The fraction of the length over which closed shapes approach their start.
  private static let closingShare = 0.1
  /// The length over which pinned lines leave their ends, in pixels.
  private static let pinnedLength = 40.0

  private var points: [Point] = []
  private var corners: Set<Int> = []

  init(_ run: RoughPen.Run, pen: RoughPen, ends: RoughPen.Ends, seed: Double, offset: Double) {
    let length = run.length
    let shift = RoughPen.Shift(pen, length: length, seed: seed, offset: offset)
    var places = RoughRun.places(of: run, step: shift.step(length))
    guard let first = places.first, let last = places.last else { return }
    if run.meetsItself {
      let direction = RoughRun.bisector(last.direction, first.direction) ?? first.direction
      places[0].direction = direction
      places[places.count - 1].direction = direction
    }
    if ends.isDivided {
      if run.isLoop, ends == .free {
        let end = RoughPen.overlap(of: length)
        for var place in places.dropFirst() where place.position <= end {
          place.position += length
          places.append(place)
        }
      }
      if run.startsAtCorner {
        let more = shift.overshoot(atEnd: false, length: length)
        places[0] = Place(
          point: first.point - first.direction * more, direction: first.direction, position: -more)
      }
      if run.endsAtCorner {
        let more = shift.overshoot(atEnd: true, length: length)
        places[places.count - 1] = Place(
          point: last.point + last.direction * more, direction: last.direction,
          position: last.position + more)
      }
    }
    points.reserveCapacity(places.count)
    for (index, place) in places.enumerated() {
      if place.isCorner { corners.insert(index) }
      var displaced = shift.at(place.position, place.direction)
      if ends == .pinned {
        let near = min(place.position, length - place.position)
        displaced = displaced * RoughRun.smooth(near / min(RoughRun.pinnedLength, length / 3))
      } else if ends == .joined {
        let share = 1 - (length - place.position) / (length * RoughRun.closingShare)
        if share > 0 {
          let start = shift.at(place.position - length, place.direction)
          displaced = displaced.mixed(with: start, RoughRun.smooth(share))
        }
      }
      points.append(place.point + displaced)
    }
  }

  private static func smooth(_ u: Double) -> Double {
    let u = max(0, min(1, u))
    return u * u * (3 - 2 * u)
  }

  /// Returns the direction between two directions; `nil` if they are opposite.
  private static func bisector(_ a: Point, _ b: Point) -> Point? {
    let sum = a + b
    let size = Math.hypot(sum.x, sum.y)
    return size > 1e-6 ? sum * (1 / size) : nil
  }

  /// Returns points at about equal distances, including the ends of all pieces.
  private static func places(of run: RoughPen.Run, step: Double) -> [Place] {
    var places: [Place] = []
    var position = 0.0
    for piece in run.pieces {
      let least = piece.isLine ? 1.0 : 3
      let count = Int(max(least, min(5000, (piece.length / step).rounded(.up))))
      let begin = RoughPen.direction(of: piece, atEnd: false)
      if let last = places.indices.last {
        // Corners are displaced along the bisector.
        let end = places[last].direction
        places[last].isCorner = end.x * begin.x + end.y * begin.y < RoughPen.cornerCosine
        places[last].direction = bisector(end, begin) ?? end
      } else {
        places.append(Place(point: piece.cubic.p0, direction: begin, position: 0))
      }
      let cubic = piece.cubic
      var travelled = 0.0
      let first = places.count
      for index in 1...count {
        let u = Double(index) / Double(count)
        let isLast = index == count
        let point =
          isLast
          ? cubic.p3 : piece.isLine ? cubic.p0.mixed(with: cubic.p3, u) : cubic.point(at: u)
        travelled += point.distance(to: places[places.count - 1].point)
        var direction = begin
        if !piece.isLine {
          direction = cubic.derivative(at: u)
          let size = Math.hypot(direction.x, direction.y)
          direction =
            isLast || size < 1e-9
            ? RoughPen.direction(of: piece, atEnd: true) : direction * (1 / size)
        }
        places.append(Place(point: point, direction: direction, position: travelled))
      }
      // Chords are shorter than the curve.
      let scale = piece.length / max(1e-12, travelled)
      for index in first..<places.count {
        places[index].position = position + places[index].position * scale
      }
      position += piece.length
    }
    return places
  }

  /// Appends a smooth curve through the points. If it continues the last one, a line leads to it.
  func append(to path: inout Path, continues: Bool) {
    guard let first = points.first else { return }
    if continues { path.line(first) } else { path.move(first) }
    guard points.count > 1 else { return }
    for index in 1..<points.count {
      let (a, b) = (points[index - 1], points[index])
      let third = a.distance(to: b) / 3
      path.cubic(
        a + heading(at: index - 1, toward: index) * third,
        b - heading(at: index, toward: index) * third, to: b)
    }
  }

  /// Returns the direction of the curve at a point, for the segment that ends at `end`.
  private func heading(at index: Int, toward end: Int) -> Point {
    let isSharp = index == 0 || index == points.count - 1 || corners.contains(index)
    let way =
      isSharp ? points[end] - points[end - 1] : points[index + 1] - points[index - 1]
    let size = Math.hypot(way.x, way.y)
    return size > 1e-12 ? way * (1 / size) : .zero
  }
}
