// SPDX-License-Identifier: MIT

extension Path {
  /// Returns the path with arcs in place of its corners. An arc takes at most half of each adjacent
  /// side. Between straight sides it has the given radius if the sides are long enough.
  package func rounded(radius: Double) -> Path {
    guard radius > 0, radius.isFinite, isFinite else { return self }
    var path = Path()
    var subpath: [Piece] = []
    let all = pieces()
    for (index, piece) in all.enumerated() {
      if piece.length > 0 { subpath.append(piece) }
      guard index + 1 == all.count || all[index + 1].starts else { continue }
      Path.append(subpath, to: &path, radius)
      subpath = []
    }
    return path
  }

  /// Consecutive pieces without a corner between them.
  private struct Side {
    var pieces: [Piece]

    var length: Double { pieces.reduce(0) { $0 + $1.length } }
    var entry: Point { Path.direction(of: pieces[0], atEnd: false) }
    var exit: Point { Path.direction(of: pieces[pieces.count - 1], atEnd: true) }
  }

  private static func append(_ pieces: [Piece], to path: inout Path, _ radius: Double) {
    guard let first = pieces.first, let last = pieces.last else { return }
    let isClosed = first.cubic.p0 == last.cubic.p3
    var sides: [Side] = []
    for piece in pieces {
      if let before = sides.last?.pieces.last, !isCorner(before, piece) {
        sides[sides.count - 1].pieces.append(piece)
      } else {
        sides.append(Side(pieces: [piece]))
      }
    }
    // The start of a closed subpath need not be a corner.
    if isClosed, sides.count > 1, !isCorner(last, first) {
      sides[0].pieces = sides.removeLast().pieces + sides[0].pieces
    }
    let hasCornerAtStart = isClosed && isCorner(last, sides[0].pieces[0])
    guard sides.count > 1 || hasCornerAtStart else {
      path.move(first.cubic.p0)
      for piece in pieces { path.append(piece) }
      if isClosed { path.close() }
      return
    }
    let corners = sides.indices.map { index -> Double in
      let next = index + 1 == sides.count ? 0 : index + 1
      guard isClosed || next > 0 else { return 0 }
      let turn = abs(turn(sides[index].exit, sides[next].entry))
      let reach = radius * Math.tan(min(turn, 3) / 2)
      return min(reach, sides[index].length / 2, sides[next].length / 2)
    }
    for index in sides.indices {
      let before = index == 0 ? corners[corners.count - 1] : corners[index - 1]
      let kept = part(of: sides[index], from: before, toEnd: corners[index])
      if let start = kept.first, index == 0 { path.move(start.cubic.p0) }
      for piece in kept { path.append(piece) }
      guard corners[index] > 0 else { continue }
      let next = index + 1 == sides.count ? 0 : index + 1
      let after = part(
        of: sides[next], from: corners[index],
        toEnd: corners[next])
      if let a = kept.last, let b = after.first { path.appendArc(from: a, to: b) }
    }
    if isClosed { path.close() }
  }

  private mutating func append(_ piece: Piece) {
    if piece.isLine {
      line(piece.cubic.p3)
    } else {
      cubic(piece.cubic.p1, piece.cubic.p2, to: piece.cubic.p3)
    }
  }

  /// Appends a cubic tangential to both pieces; an arc if both pieces end at the same distance from
  /// the corner.
  private mutating func appendArc(from a: Piece, to b: Piece) {
    let (start, end) = (a.cubic.p3, b.cubic.p0)
    let (leave, arrive) = (
      Path.direction(of: a, atEnd: true), Path.direction(of: b, atEnd: false)
    )
    let turn = min(abs(Path.turn(leave, arrive)), 3)
    guard turn > 1e-6 else { return line(end) }
    let radius = start.distance(to: end) / (2 * Math.sin(turn / 2))
    let handle = 4.0 / 3 * Math.tan(turn / 4) * radius
    cubic(start + leave * handle, end - arrive * handle, to: end)
  }

  /// Returns a side without the given lengths at its ends.
  private static func part(of side: Side, from begin: Double, toEnd: Double) -> [Piece] {
    let end = side.length - toEnd
    var kept: [Piece] = []
    var position = 0.0
    for piece in side.pieces {
      let low = max(0, begin - position)
      let high = min(piece.length, end - position)
      position += piece.length
      if high > low { kept.append(piece.part(from: low, to: high)) }
    }
    if !kept.isEmpty { return kept }
    // A side that the arcs use up entirely is reduced to a point, whose direction still matters.
    position = 0
    for (index, piece) in side.pieces.enumerated() {
      if begin <= position + piece.length || index + 1 == side.pieces.count {
        let at = max(0, min(piece.length, begin - position))
        return [piece.part(from: at, to: at)]
      }
      position += piece.length
    }
    return kept
  }

  private static func direction(of piece: Piece, atEnd: Bool) -> Point {
    let c = piece.cubic
    let ways =
      atEnd
      ? [c.p3 - c.p2, c.p3 - c.p1, c.p3 - c.p0] : [c.p1 - c.p0, c.p2 - c.p0, c.p3 - c.p0]
    for way in piece.isLine ? [c.p3 - c.p0] : ways {
      let length = Math.hypot(way.x, way.y)
      if length > 1e-9 { return way * (1 / length) }
    }
    return piece.heading
  }

  /// Returns the angle between two directions in radians, positive clockwise.
  private static func turn(_ a: Point, _ b: Point) -> Double {
    Math.atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)
  }

  /// Returns whether two pieces meet in a corner, as opposed to the lines of a flattened curve
  /// (`combined`).
  private static func isCorner(_ a: Piece, _ b: Piece) -> Bool {
    let turn = abs(turn(direction(of: a, atEnd: true), direction(of: b, atEnd: false)))
    if turn < 0.02 { return false }
    guard a.isLine, b.isLine, turn < 0.35 else { return true }
    return max(a.length, b.length) * turn / 8 > 0.02
  }
}
