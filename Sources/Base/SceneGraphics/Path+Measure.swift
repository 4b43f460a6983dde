// SPDX-License-Identifier: MIT

extension Path {
  /// A drawn piece: a line (whose control points lie on it) or a curve.
  package struct Piece {
    package let cubic: Cubic
    package let isLine: Bool
    package let length: Double
    /// Whether the piece begins a subpath.
    package let starts: Bool
    /// Whether the piece ends a subpath that was closed.
    package var closes = false
    /// The direction of a piece of zero length.
    package var heading = Point.zero

    /// Returns the part of the piece between two distances from its start. An empty part keeps the
    /// direction of the piece at that point.
    package func part(from begin: Double, to end: Double) -> Piece {
      let part: Cubic
      if isLine {
        let a = cubic.p0.mixed(with: cubic.p3, begin / length)
        let b = cubic.p0.mixed(with: cubic.p3, end / length)
        part = Cubic(from: a, a, b, to: b)
      } else {
        part = cubic.part(
          from: cubic.parameter(atLength: begin, of: length),
          to: cubic.parameter(atLength: end, of: length))
      }
      var kept = Piece(cubic: part, isLine: isLine, length: end - begin, starts: starts)
      if end <= begin {
        let u = isLine ? 0 : cubic.parameter(atLength: begin, of: length)
        let way = isLine ? cubic.p3 - cubic.p0 : cubic.derivative(at: u)
        let size = Math.hypot(way.x, way.y)
        if size > 0 { kept.heading = way * (1 / size) }
      }
      return kept
    }
  }

  /// Returns the lines and curves of all subpaths, including closing lines. A subpath that is
  /// closed at its first point is a line of zero length.
  package func pieces() -> [Piece] {
    var list: [Piece] = []
    var current = Point.zero
    var first = Point.zero
    var starts = true
    func addLine(_ p: Point) {
      list.append(
        Piece(
          cubic: Cubic(from: current, current, p, to: p), isLine: true,
          length: current.distance(to: p),
          starts: starts))
      starts = false
    }
    // Whether the subpath has consisted of its first point so far.
    var isDot = false
    for element in elements {
      defer { if case .move = element { isDot = true } else { isDot = false } }
      switch element {
      case .move(let p):
        current = p
        first = p
        starts = true
      case .line(let p):
        addLine(p)
        current = p
      case .cubic(let c1, let c2, let p):
        let cubic = Cubic(from: current, c1, c2, to: p)
        list.append(Piece(cubic: cubic, isLine: false, length: cubic.length, starts: starts))
        starts = false
        current = p
      case .close:
        if current != first || isDot { addLine(first) }
        if !starts { list[list.count - 1].closes = true }
        current = first
        starts = true
      }
    }
    return list
  }

  /// The total arc length of all subpaths, including closing lines.
  public var length: Double { pieces().reduce(0) { $0 + $1.length } }

  /// Whether every subpath ends where it begins.
  public var isClosed: Bool {
    var first = Point.zero
    var current = Point.zero
    var isOpen = false
    for element in elements {
      switch element {
      case .move(let p):
        if isOpen, current != first { return false }
        (first, current, isOpen) = (p, p, false)
      case .line(let p), .cubic(_, _, let p): (current, isOpen) = (p, true)
      case .close: (current, isOpen) = (first, false)
      }
    }
    return !elements.isEmpty && (!isOpen || current == first)
  }

  /// Returns the part between two fractions of the total length; empty if `low >= high`.
  ///
  /// All subpaths count as one line, in drawing order. If all of them are closed, fractions outside
  /// 0…1 wrap around; an open path is clamped to its ends.
  public func trimmed(from low: Double, to high: Double) -> Path {
    guard low < high else { return Path() }
    if low <= 0, high >= 1 { return self }
    guard low < 0 || high > 1, low.isFinite, high.isFinite, isClosed else {
      return part(from: low, to: high)
    }
    if high - low >= 1 { return self }
    let from = low - low.rounded(.down)
    let to = high - low.rounded(.down)
    if to <= 1 { return part(from: from, to: to) }
    let head = part(from: from, to: 1)
    let rest = part(from: 0, to: to - 1)
    // The two parts of a single closed subpath form one continuous line.
    let isOne = elements.count { if case .move = $0 { true } else { false } } == 1
    return Path(head.elements + (isOne ? Array(rest.elements.dropFirst()) : rest.elements))
  }

  private func part(from low: Double, to high: Double) -> Path {
    if low <= 0, high >= 1 { return self }
    guard low < high, high > 0, low < 1 else { return Path() }
    let pieces = pieces()
    let total = pieces.reduce(0) { $0 + $1.length }
    guard total > 0 else { return Path() }
    let from = max(0, low) * total
    let to = min(1, high) * total
    var path = Path()
    var position = 0.0
    var open = false
    for piece in pieces {
      let next = position + piece.length
      defer { position = next }
      if piece.starts { open = false }
      guard next > from, position < to, piece.length > 0 else { continue }
      let begin = max(0, from - position)
      let finish = min(piece.length, to - position)
      let part = piece.part(from: begin, to: finish).cubic
      if !open { path.move(part.p0) }
      open = true
      if piece.isLine { path.line(part.p3) } else { path.cubic(part.p1, part.p2, to: part.p3) }
    }
    return path
  }

  /// Returns the point and the direction (degrees, clockwise from the right) at a fraction of the
  /// length; `nil` for a path of zero length.
  public func location(at share: Double) -> (point: Point, degrees: Double)? {
    MeasuredPath(self).location(at: share)
  }
}

/// A path with the lengths of its pieces, for repeated location queries.
package struct MeasuredPath {
  package let path: Path
  /// The length of the path, as in `Path.length`.
  package let length: Double
  /// The pieces with a nonzero length.
  let pieces: [Path.Piece]

  package init(_ path: Path) {
    self.path = path
    pieces = path.pieces().filter { $0.length > 0 }
    length = pieces.reduce(0) { $0 + $1.length }
  }

  /// Returns the point and the direction at a fraction of the length; `nil` for a path of zero
  /// length.
  package func location(at share: Double) -> (point: Point, degrees: Double)? {
    guard let last = pieces.indices.last else { return nil }
    var rest = max(0, min(1, share)) * length
    for (index, piece) in pieces.enumerated() {
      if rest <= piece.length || index == last {
        return piece.location(atLength: min(rest, piece.length))
      }
      rest -= piece.length
    }
    return nil
  }
}

extension Path.Piece {
  /// Returns the point and the direction (degrees, clockwise from the right) at a length.
  func location(atLength distance: Double) -> (point: Point, degrees: Double) {
    let u = isLine ? distance / length : cubic.parameter(atLength: distance, of: length)
    let point = isLine ? cubic.p0.mixed(with: cubic.p3, u) : cubic.point(at: u)
    var d = isLine ? cubic.p3 - cubic.p0 : cubic.derivative(at: u)
    if d == .zero { d = cubic.p3 - cubic.p0 }
    return (point, Math.atan2(d.y, d.x) * 180 / .pi)
  }
}
