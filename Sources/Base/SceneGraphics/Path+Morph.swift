// SPDX-License-Identifier: MIT

extension Path {
  /// Returns two paths with the same commands, so that they can be interpolated point by point.
  ///
  /// Subpaths are paired by their centers; a subpath without a partner grows from a point. The
  /// corners of both paths are preserved: each curve is split at the corners of the other, at the
  /// same fractions of the length. A closed subpath is rotated to the start that minimizes the
  /// movement of its points, and oriented like its partner.
  package static func matched(_ a: Path, _ b: Path) -> (Path, Path) {
    matched(a, b, isRelative: false)
  }

  /// Returns two paths with the same commands. If `isRelative` is true, subpaths are paired by
  /// their centers within the bounds of the two paths.
  static func matched(_ a: Path, _ b: Path, isRelative: Bool) -> (Path, Path) {
    var left = a.contours()
    var right = b.contours()
    // An empty path becomes a point at its position.
    if left.isEmpty { left = right.map { $0.shrunk(to: a.firstPoint ?? $0.center) } }
    if right.isEmpty { right = left.map { $0.shrunk(to: b.firstPoint ?? $0.center) } }
    guard !left.isEmpty else { return (Path(), Path()) }
    let widest = left.max { abs($0.turn) < abs($1.turn) }
    let other = right.max { abs($0.turn) < abs($1.turn) }
    // Both paths get the same orientation. All contours of one are reversed together, so that holes
    // remain holes.
    if let widest, let other, widest.turn * other.turn < 0 { right = right.map(\.reversed) }
    var results = (Path(), Path())
    let boxes = isRelative ? (a.bounds, b.bounds) : nil
    for (first, second) in pairs(left, right, in: boxes) {
      let (p, q) = Contour.matched(first, second)
      results.0.elements += p.elements
      results.1.elements += q.elements
    }
    return results
  }

  /// Returns the interpolation between `a` and `b`, which have the same commands.
  package static func mixed(_ a: Path, _ b: Path, at u: Double) -> Path {
    Path(
      zip(a.elements, b.elements).map { pair in
        switch pair {
        case (.move(let p), .move(let q)): .move(p.mixed(with: q, u))
        case (.line(let p), .line(let q)): .line(p.mixed(with: q, u))
        case (.cubic(let c1, let c2, let p), .cubic(let d1, let d2, let q)):
          .cubic(c1.mixed(with: d1, u), c2.mixed(with: d2, u), p.mixed(with: q, u))
        default: pair.0
        }
      })
  }

  /// Returns pairs of contours: each contour with the nearest one of the same orientation, starting
  /// with the largest.
  ///
  /// With `boxes`, centers are compared as fractions of these boxes.
  private static func pairs(_ left: [Contour], _ right: [Contour], in boxes: (Rect, Rect)?)
    -> [(Contour, Contour)]
  {
    if left.count < right.count {
      return pairs(right, left, in: boxes.map { ($1, $0) }).map { ($1, $0) }
    }
    // A center is a sum over many points. It is computed once, since each contour is compared with
    // all others.
    let starts = left.map { (area: $0.turn, center: $0.center) }
    let ends = right.map { (area: $0.turn, center: $0.center) }
    let places = (
      starts.map { boxes?.0.share(of: $0.center) ?? $0.center },
      ends.map { boxes?.1.share(of: $0.center) ?? $0.center }
    )
    var free = Set(right.indices)
    var partner: [Int: Int] = [:]
    let order = left.indices.sorted {
      (abs(starts[$0].area), $1) > (abs(starts[$1].area), $0)
    }
    func nearest(_ it: Int, among indices: some Sequence<Int>) -> Int? {
      func cost(_ index: Int) -> Double {
        let turned = starts[it].area * ends[index].area < 0 ? 1e9 : 0
        return turned + places.0[it].distance(to: places.1[index])
      }
      return indices.lazy.map { (cost: cost($0), index: $0) }.min { $0 < $1 }?.index
    }
    for index in order {
      guard let best = nearest(index, among: free) else { break }
      free.remove(best)
      partner[index] = best
    }
    return left.indices.map { index in
      if let other = partner[index] { return (left[index], right[other]) }
      let near = nearest(index, among: right.indices) ?? 0
      return (left[index], left[index].shrunk(to: ends[near].center))
    }
  }

  private var firstPoint: Point? {
    if case .move(let p)? = elements.first { p } else { nil }
  }

  fileprivate func contours() -> [Contour] {
    var list: [Contour] = []
    var curves: [Cubic] = []
    var current = Point.zero
    var first = Point.zero
    func end(isClosed: Bool) {
      if !curves.isEmpty { list.append(Contour(curves, isClosed: isClosed)) }
      curves = []
    }
    for element in elements {
      switch element {
      case .move(let p):
        end(isClosed: false)
        current = p
        first = p
      case .line(let p):
        if p != current { curves.append(.line(current, p)) }
        current = p
      case .cubic(let c1, let c2, let p):
        curves.append(Cubic(from: current, c1, c2, to: p))
        current = p
      case .close:
        if current != first { curves.append(.line(current, first)) }
        current = first
        end(isClosed: true)
      }
    }
    end(isClosed: false)
    return list
  }
}

extension Cubic {
  /// Returns a straight line as a curve of constant speed.
  fileprivate static func line(_ a: Point, _ b: Point) -> Cubic {
    Cubic(from: a, a.mixed(with: b, 1 / 3), a.mixed(with: b, 2 / 3), to: b)
  }
}

/// A subpath as curves.
private struct Contour {
  let curves: [Cubic]
  let isClosed: Bool
  /// The fraction of the length at which each curve ends.
  let ends: [Double]

  /// The number of sample points for aligning closed contours.
  private static let samples = 64

  init(_ curves: [Cubic], isClosed: Bool) {
    self.curves = curves
    self.isClosed = isClosed
    let lengths = curves.map(\.length)
    let total = lengths.reduce(0, +)
    var sum = 0.0
    ends = lengths.enumerated().map { index, length in
      sum += length
      // Curves of zero total length are spaced evenly.
      return total > 0 ? sum / total : Double(index + 1) / Double(lengths.count)
    }
  }

  /// Whether the start can be moved: the contour is closed or returns to its start.
  var isLoop: Bool { isClosed || curves.last?.p3 == curves.first?.p0 }

  /// Twice the signed area of a loop; its sign is the orientation. 0 for an open line, whose ends
  /// and direction are fixed.
  var turn: Double { isLoop ? area : 0 }

  /// Twice the signed area of the control polygon.
  private var area: Double {
    curves.reduce(0) { sum, c in
      let p = [c.p0, c.p1, c.p2, c.p3, curves[0].p0]
      return sum
        + zip(p, p.dropFirst().prefix(3)).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }
    }
  }

  var center: Point {
    let sum = points(Contour.samples).reduce(Point.zero) { $0 + $1 }
    return sum * (1 / Double(Contour.samples))
  }

  var reversed: Contour {
    Contour(
      curves.reversed().map { Cubic(from: $0.p3, $0.p2, $0.p1, to: $0.p0) }, isClosed: isClosed)
  }

  func shrunk(to p: Point) -> Contour {
    Contour(curves.map { _ in Cubic(from: p, p, p, to: p) }, isClosed: isClosed)
  }

  /// Returns points at equal distances along the contour.
  private func points(_ count: Int) -> [Point] {
    var list: [Point] = []
    var index = 0
    for k in 0..<count {
      let share = Double(k) / Double(count)
      while index + 1 < curves.count, ends[index] <= share { index += 1 }
      list.append(curves[index].point(at: parameter(share, in: index)))
    }
    return list
  }

  /// Returns the parameter of a curve at a fraction of the total length.
  private func parameter(_ share: Double, in index: Int) -> Double {
    let begin = index == 0 ? 0 : ends[index - 1]
    guard ends[index] > begin else { return 0 }
    let part = (share - begin) / (ends[index] - begin)
    let length = curves[index].length
    return length > 0 ? curves[index].parameter(atLength: part * length, of: length) : part
  }

  /// Returns the same closed contour with its start at a fraction of its length.
  private func begun(at share: Double) -> Contour {
    guard share > 1e-9, share < 1 - 1e-9 else { return self }
    let cut = divided(at: [share])
    guard let index = cut.ends.firstIndex(where: { abs($0 - share) < 1e-9 }) else { return self }
    return Contour(
      Array(cut.curves[(index + 1)...] + cut.curves[...index]), isClosed: isClosed)
  }

  /// Returns the contour, split at ascending fractions of its length; nearly equal fractions are
  /// merged.
  private func divided(at shares: [Double]) -> Contour {
    var list: [Cubic] = []
    var next = 0
    for (index, curve) in curves.enumerated() {
      let begin = index == 0 ? 0 : ends[index - 1]
      var from = 0.0
      while next < shares.count, shares[next] < ends[index] - 1e-9 {
        defer { next += 1 }
        guard shares[next] > begin + 1e-9 else { continue }
        let to = parameter(shares[next], in: index)
        guard to > from, to < 1 else { continue }
        list.append(curve.part(from: from, to: to))
        from = to
      }
      list.append(curve.part(from: from, to: 1))
    }
    return Contour(list, isClosed: isClosed)
  }

  /// Returns two contours as paths with the same number of curves.
  static func matched(_ a: Contour, _ b: Contour) -> (Path, Path) {
    let isClosed = a.isClosed && b.isClosed
    let second = a.isLoop && b.isLoop ? b.aligned(to: a) : b
    // Each contour is split at the corners of the other.
    let p = a.divided(at: second.ends)
    let q = second.divided(at: a.ends)
    let count = max(p.curves.count, q.curves.count)
    return (
      p.filled(to: count).path(isClosed: isClosed), q.filled(to: count).path(isClosed: isClosed)
    )
  }

  /// Returns the contour with the start that minimizes the sum of squared distances to the points
  /// of `other`.
  private func aligned(to other: Contour) -> Contour {
    let targets = other.points(Contour.samples)
    let own = points(Contour.samples)
    var best = (cost: Double.infinity, shift: 0)
    for shift in 0..<Contour.samples {
      var cost = 0.0
      for (index, target) in targets.enumerated() {
        let d = own[(index + shift) % Contour.samples] - target
        cost += d.x * d.x + d.y * d.y
      }
      if cost < best.cost - 1e-9 { best = (cost, shift) }
    }
    let share = Double(best.shift) / Double(Contour.samples)
    // A nearby corner is a better start than a split next to it.
    let near = ([0] + ends).min { abs($0 - share) < abs($1 - share) } ?? 0
    return begun(at: abs(near - share) <= 0.75 / Double(Contour.samples) ? near : share)
  }

  /// Returns the contour with zero-length curves appended, up to `count` curves.
  private func filled(to count: Int) -> Contour {
    guard let last = curves.last?.p3, curves.count < count else { return self }
    let rest = [Cubic](
      repeating: Cubic(from: last, last, last, to: last), count: count - curves.count)
    return Contour(curves + rest, isClosed: isClosed)
  }

  private func path(isClosed: Bool) -> Path {
    var path = Path([.move(curves[0].p0)])
    for curve in curves { path.cubic(curve.p1, curve.p2, to: curve.p3) }
    if isClosed { path.close() }
    return path
  }
}
