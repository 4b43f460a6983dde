// SPDX-License-Identifier: MIT
import SceneGraphics

/// The painting order of planes in space, from the farthest to the nearest.
///
/// Only planes that intersect on the screen are compared, and only those that pass through each
/// other are cut. Planes at the same depth keep their order.
package struct DepthOrder {
  /// A plane, or a part of it after a cut.
  package struct Fragment {
    /// The index of the plane.
    package let plane: Int
    package let polygon: DepthPolygon
    var isCut = false
  }

  /// The numbers of planes and of fragments above which planes are sorted by the depth of their
  /// centers.
  private static let mostPlanes = 256
  private static let mostFragments = 1024
  /// The distance in pixels below which planes are at the same depth.
  private static let tolerance = 0.01

  /// The value below which differences of depths are rounding errors.
  private static let leastUnit = 1e-9

  package private(set) var fragments: [Fragment]
  private var scratch = DepthPolygon.Scratch()

  private enum Relation { case apart, behind, inFront, crossing }

  /// Creates the painting order of polygons that are given in document order.
  package init(_ polygons: [DepthPolygon]) {
    fragments = polygons.enumerated().map { Fragment(plane: $0, polygon: $1) }
    if fragments.count > 1 { arrange() }
  }

  private mutating func arrange() {
    guard fragments.count <= DepthOrder.mostPlanes, var before = comparisons() else {
      return sortByCenters()
    }
    // Three planes can hide each other cyclically without touching.
    while let cycle = sort(before) {
      guard fragments.count < DepthOrder.mostFragments else { return sortByCenters() }
      guard let index = cut(cycle) else {
        loosen(cycle, &before)
        continue
      }
      before.append([])
      compare(index, &before)
      compare(fragments.count - 1, &before)
    }
  }

  private mutating func sortByCenters() {
    let order = fragments.indices.map { (depth: fragments[$0].polygon.middleDepth, index: $0) }
    fragments = order.sorted { ($0.depth, $0.index) < ($1.depth, $1.index) }
      .map { fragments[$0.index] }
  }

  /// Compares all fragments and cuts those that cross. Returns, for each fragment, those that must
  /// be painted before it; `nil` if there are too many fragments.
  private mutating func comparisons() -> [[Int]]? {
    var before: [[Int]] = Array(repeating: [], count: fragments.count)
    var j = 1
    while j < fragments.count {
      var i = 0
      while i < j {
        switch relation(i, j) {
        case .apart: break
        case .behind: before[j].append(i)
        case .inFront: before[i].append(j)
        case .crossing:
          guard fragments.count < DepthOrder.mostFragments else { return nil }
          let whole = fragments[j]
          let parts = whole.polygon.split(by: fragments[i].polygon)
          guard let front = parts.front, let back = parts.back else { break }
          fragments[j] = Fragment(plane: whole.plane, polygon: front, isCut: true)
          fragments.append(Fragment(plane: whole.plane, polygon: back, isCut: true))
          before.append([])
          before[j].append(i)
        // The back part is appended and therefore compared later.
        }
        i += 1
      }
      j += 1
    }
    return before
  }

  private mutating func relation(_ i: Int, _ j: Int) -> Relation {
    if fragments[i].plane == fragments[j].plane
      || !fragments[i].polygon.mayOverlap(fragments[j].polygon)
    {
      return .apart
    }
    let (a, b) = (fragments[i], fragments[j])
    a.polygon.overlap(with: b.polygon, &scratch)
    guard scratch.points.count > 2, abs(DepthPolygon.area(scratch.points)) > 1e-3 else {
      return .apart
    }
    var (least, most) = (Double.infinity, -Double.infinity)
    for point in scratch.points {
      let unit = max(
        DepthOrder.leastUnit, a.polygon.depthOfPixel(at: point), b.polygon.depthOfPixel(at: point))
      let difference = (b.polygon.depth(at: point) - a.polygon.depth(at: point)) / unit
      (least, most) = (min(least, difference), max(most, difference))
    }
    let isNearer = most > DepthOrder.tolerance
    let isFarther = least < -DepthOrder.tolerance
    if isNearer && isFarther { return .crossing }
    if isNearer { return .behind }
    if isFarther { return .inFront }
    return a.plane < b.plane ? .behind : .inFront
  }

  /// Cuts a fragment of a cycle along the plane of its neighbor in the cycle, and appends the
  /// second part. Returns the index of the first part; `nil` if no fragment can be cut.
  private mutating func cut(_ cycle: [Int]) -> Int? {
    for (index, other) in zip(cycle, cycle.dropFirst() + cycle.prefix(1)) {
      for (cut, plane) in [(index, other), (other, index)] {
        let whole = fragments[cut]
        let parts = whole.polygon.split(by: fragments[plane].polygon)
        guard let front = parts.front, let back = parts.back else { continue }
        fragments[cut] = Fragment(plane: whole.plane, polygon: front, isCut: true)
        fragments.append(Fragment(plane: whole.plane, polygon: back, isCut: true))
        return cut
      }
    }
    return nil
  }

  /// Breaks a cycle of parallel planes by no longer ordering the two closest ones. These
  /// cycles arise because "at the same depth" is not transitive.
  private mutating func loosen(_ cycle: [Int], _ before: inout [[Int]]) {
    let pairs = zip(cycle, cycle.dropFirst() + cycle.prefix(1)).map { later, earlier in
      (distance: distance(later, earlier), later: later, earlier: earlier)
    }
    guard let closest = pairs.min(by: { $0.distance < $1.distance }) else { return }
    before[closest.later].removeAll { $0 == closest.earlier }
  }

  /// Returns the maximum difference in depth between two fragments where both are visible.
  private mutating func distance(_ i: Int, _ j: Int) -> Double {
    let (a, b) = (fragments[i].polygon, fragments[j].polygon)
    a.overlap(with: b, &scratch)
    return scratch.points.map { abs(a.depth(at: $0) - b.depth(at: $0)) }.max() ?? 0
  }

  /// Compares one fragment with all others again.
  private mutating func compare(_ index: Int, _ before: inout [[Int]]) {
    for other in before.indices { before[other].removeAll { $0 == index } }
    before[index] = []
    for other in fragments.indices where other != index {
      switch relation(other, index) {
      case .apart, .crossing: break
      case .behind: before[index].append(other)
      case .inFront: before[other].append(index)
      }
    }
  }

  /// Sorts the fragments so that each one follows those that must be painted before it; otherwise,
  /// they keep their order. Returns a cycle of fragments, each of which must follow the next, if
  /// there is any.
  private mutating func sort(_ before: [[Int]]) -> [Int]? {
    var waiting = before.map { Set($0).count }
    var after: [[Int]] = Array(repeating: [], count: fragments.count)
    for (index, list) in before.enumerated() {
      for other in Set(list).sorted() { after[other].append(index) }
    }
    var left = fragments.indices.sorted {
      (fragments[$0].plane, $0) < (fragments[$1].plane, $1)
    }
    var sorted: [Fragment] = []
    while !left.isEmpty {
      guard let next = left.firstIndex(where: { waiting[$0] <= 0 }) else {
        return DepthOrder.cycle(in: Set(left), before)
      }
      let index = left.remove(at: next)
      sorted.append(fragments[index])
      for other in after[index] { waiting[other] -= 1 }
    }
    fragments = sorted
    return nil
  }
  /// Returns a cycle of fragments, each of which must follow the next.
  private static func cycle(in left: Set<Int>, _ before: [[Int]]) -> [Int] {
    var path: [Int] = []
    var next = left.min()
    while let index = next {
      if let start = path.firstIndex(of: index) { return Array(path[start...]) }
      path.append(index)
      next = before[index].first(where: left.contains)
    }
    return path
  }
}
