// SPDX-License-Identifier: MIT
import Foundation
import SceneGraphics
import SceneTestSupport
import Testing

/// Boolean operations, offsets and rounded corners of outlines.
@Suite("Outlines made of others", .cpuBudget(seconds: 2)) struct OutlineTests {
  // MARK: Scanline reference

  /// A straight, non-horizontal edge of a closed contour.
  private struct Edge {
    let top: Point
    let bottom: Point
    /// +1 downward, -1 upward.
    let direction: Int
    let owner: Int

    func x(at y: Double) -> Double {
      top.x + (bottom.x - top.x) * (y - top.y) / (bottom.y - top.y)
    }
  }

  private static func edges(_ polygon: [Point], _ owner: Int) -> [Edge] {
    polygon.indices.compactMap { index in
      let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
      if a.y == b.y { return nil }
      return a.y < b.y
        ? Edge(top: a, bottom: b, direction: 1, owner: owner)
        : Edge(top: b, bottom: a, direction: -1, owner: owner)
    }
  }

  /// Returns the heights at which edges begin, end or intersect.
  private static func heights(_ edges: [Edge]) -> [Double] {
    var all = edges.flatMap { [$0.top.y, $0.bottom.y] }
    for (index, a) in edges.enumerated() {
      for b in edges[..<index] {
        let low = max(a.top.y, b.top.y)
        let high = min(a.bottom.y, b.bottom.y)
        guard low < high else { continue }
        let (before, after) = (a.x(at: low) - b.x(at: low), a.x(at: high) - b.x(at: high))
        if before * after < 0 { all.append(low + (high - low) * before / (before - after)) }
      }
    }
    return all.sorted()
  }

  /// Returns the area of a result. Between consecutive heights no edges intersect, so all parts are
  /// trapezoids.
  private static func area(_ operation: PathOperation, _ a: [Point], _ b: [Point]) -> Double {
    let edges = edges(a, 0) + edges(b, 1)
    let heights = heights(edges)
    var area = 0.0
    for (low, high) in zip(heights, heights.dropFirst()) where high > low {
      let middle = (low + high) / 2
      let row = edges.filter { $0.top.y < middle && middle < $0.bottom.y }
        .map { (x: $0.x(at: middle), edge: $0) }.sorted { $0.x < $1.x }
      var windings = [0, 0]
      for (left, right) in zip(row, row.dropFirst()) {
        windings[left.edge.owner] += left.edge.direction
        if isInside(operation, windings[0] != 0, windings[1] != 0) {
          area += (right.x - left.x) * (high - low)
        }
      }
    }
    return area
  }

  private static func isInside(_ operation: PathOperation, _ a: Bool, _ b: Bool) -> Bool {
    switch operation {
    case .union: a || b
    case .intersect: a && b
    case .subtract: a && !b
    case .exclude: a != b
    }
  }

  // MARK: Helpers

  /// Returns the area of closed polygons; holes have the opposite orientation.
  private static func area(_ path: Path) -> Double {
    var (area, start, last) = (0.0, Point.zero, Point.zero)
    for element in path.elements {
      switch element {
      case .move(let p): (start, last) = (p, p)
      case .line(let p):
        area += (last.x * p.y - p.x * last.y) / 2
        last = p
      case .close: area += (last.x * start.y - start.x * last.y) / 2
      case .cubic: Issue.record("a curve is left")
      }
    }
    return area
  }

  /// Combines paths that do not have too many crossings.
  private static func combined(_ operation: PathOperation, _ paths: [Path]) -> Path {
    Path.combined(operation, paths) ?? Path([.move(.zero)])
  }

  private static func offset(_ path: Path, _ distance: Double, _ join: OffsetJoin) -> Path {
    path.offset(by: distance, join) ?? Path([.move(.zero)])
  }

  private static func path(_ points: [Point]) -> Path {
    Path([.move(points[0])] + points.dropFirst().map { .line($0) } + [.close])
  }

  private static func polygon(_ random: inout SeededGenerator) -> [Point] {
    let center = Point(
      Double.random(in: 0..<1, using: &random) * 400, Double.random(in: 0..<1, using: &random) * 400
    )
    let reach = 20 + Double.random(in: 0..<1, using: &random) * 300
    let isStar = Double.random(in: 0..<1, using: &random) < 0.5
    let count = 3 + Int(Double.random(in: 0..<1, using: &random) * 14)
    return (0..<count).map { index in
      if !isStar {
        return center + Point(
          Double.random(in: 0..<1, using: &random) - 0.5,
          Double.random(in: 0..<1, using: &random) - 0.5) * reach
      }
      let turn = Double(index) / Double(count) * 2 * .pi
      let radius = reach * (0.3 + 0.7 * Double.random(in: 0..<1, using: &random))
      return center + Point(cos(turn), sin(turn)) * radius
    }
  }

  // MARK: Tests

  /// All operations on random polygons, half of which intersect themselves: 10,000 pairs with
  /// SCENEC_SOAK=1.
  @Test func areasAreThoseOfTheReference() {
    let isSoak = Soak.isRunning
    var random = SeededGenerator(7)
    var worst = 0.0
    for _ in 0..<(isSoak ? 10_000 : 200) {
      let (a, b) = (Self.polygon(&random), Self.polygon(&random))
      for operation in PathOperation.allCases {
        let made = Self.area(Self.combined(operation, [Self.path(a), Self.path(b)]))
        let wanted = Self.area(operation, a, b)
        // Slivers thinner than a hundredth of a pixel are omitted intentionally.
        let failure = abs(made - wanted) / max(50, wanted)
        worst = max(worst, failure)
        #expect(failure < 0.001, "\(operation): \(made), not \(wanted), of \(a) and \(b)")
      }
    }
    if isSoak { print("the largest error of an area: \(worst)") }
  }

  @Test func circlesAreAsRoundAsTheyAre() {
    let (r, d) = (100.0, 90.0)
    let lens = 2 * r * r * acos(d / (2 * r)) - d / 2 * (4 * r * r - d * d).squareRoot()
    let (a, b) = (
      Path.ellipse(center: Point(200, 200), r, r), Path.ellipse(center: Point(200 + d, 200), r, r)
    )
    let made = Self.area(Self.combined(.intersect, [a, b]))
    #expect(abs(made - lens) < 0.0005 * lens)
    let whole = Self.area(Self.combined(.union, [a, b]))
    #expect(abs(whole - (2 * .pi * r * r - lens)) < 0.0005 * whole)
  }

  @Test func manyAreCombinedAtOnce() {
    let squares = (0..<5).map { Path.rect(Rect(x: Double($0) * 10, y: 0, width: 20, height: 20)) }
    #expect(Self.area(Self.combined(.union, squares)) == 1200)
    #expect(Self.area(Self.combined(.subtract, squares)) == 200)
    #expect(Self.area(Self.combined(.intersect, Array(squares.prefix(2)))) == 200)
    #expect(Self.combined(.intersect, squares).isEmpty)
    #expect(Self.area(Self.combined(.exclude, squares)) == 400)
    #expect(Self.combined(.union, []).isEmpty)
    #expect(Self.combined(.union, [Path()]).isEmpty)
  }

  @Test func nothingIsLeftOfTheSame() {
    let circle = Path.ellipse(center: Point(33.3, 71.7), 50, 50)
    #expect(Self.combined(.subtract, [circle, circle]).isEmpty)
    #expect(Self.combined(.exclude, [circle, circle]).isEmpty)
    // Nearly coincident outlines leave no slivers, which a stroke would make visible.
    let near = circle.transformed(by: .translation(0.005, 0))
    #expect(Self.combined(.subtract, [circle, near]).isEmpty)
  }

  /// A circle moves over a square for 60 frames. The start of the outline is stable, and its area
  /// changes steadily.
  @Test func movingOutlinesAreSteady() {
    let square = Path.rect(Rect(x: 100, y: 100, width: 200, height: 200))
    var areas: [Double] = []
    var starts: [Point] = []
    for frame in 0..<60 {
      let center = Point(90 + Double(frame) * 0.37, 170 + Double(frame) * 0.11)
      let path = Self.combined(.union, [square, Path.ellipse(center: center, 80, 80)])
      areas.append(Self.area(path))
      if case .move(let start) = path.elements[0] { starts.append(start) }
    }
    let steps = zip(areas, areas.dropFirst()).map { $1 - $0 }
    for (a, b) in zip(steps, steps.dropFirst()) { #expect(abs(a - b) < 2, "\(a) then \(b)") }
    for (a, b) in zip(starts, starts.dropFirst()) { #expect(a.distance(to: b) < 3, "\(a) to \(b)") }
  }

  @Test func offsetsAreAsWideAsTheySay() {
    let square = Path.rect(Rect(x: 0, y: 0, width: 100, height: 100))
    let round = Self.area(Self.offset(square, 10, .round))
    #expect(abs(round - (10_000 + 4000 + 100 * .pi)) < 1)
    #expect(Self.area(Self.offset(square, 10, .miter)) == 14_400)
    #expect(Self.area(Self.offset(square, -10, .round)) == 6400)
    #expect(Self.offset(square, -51, .round).isEmpty)
    let line = Path([.move(.zero), .line(Point(100, 0))])
    let around = Self.area(Self.offset(line, 10, .round))
    #expect(abs(around - (2000 + 100 * .pi)) < 1)
    #expect(Self.offset(line, -10, .round).isEmpty)
    // A hole shrinks while the outside grows.
    let ring = Self.combined(
      .subtract, [square, Path.rect(Rect(x: 20, y: 20, width: 60, height: 60))])
    #expect(Self.area(Self.offset(ring, 10, .miter)) == 14_400 - 1600)
  }

  @Test func strangeNumbersMakeNoError() {
    let odd = [0, -1, 1e-12, 1e-300, 1e9, 1e14, 1e15, 1e300, .infinity, .nan, -.infinity]
    for a in odd {
      for b in odd {
        let path = Path([
          .move(Point(a, b)), .line(Point(b, a)), .cubic(Point(a, a), Point(b, b), Point(0, 1)),
          .close, .line(Point(a, 1)),
        ])
        for operation in PathOperation.allCases {
          _ = Self.combined(operation, [path, Path.rect(Rect(x: 0, y: 0, width: 10, height: 10))])
        }
        _ = Self.offset(path, b, .round)
        _ = Self.offset(path, a, .miter)
        _ = path.rounded(radius: a)
      }
    }
  }

  // MARK: Round corners

  @Test func cornersBecomeArcs() {
    let square = Path.rect(Rect(x: 0, y: 0, width: 100, height: 100))
    let round = square.rounded(radius: 20)
    #expect(round.elements.count { if case .cubic = $0 { true } else { false } } == 4)
    #expect(abs(round.length - (400 - 8 * 20 + 2 * .pi * 20)) < 0.05)
    // The radius is limited to half of a side.
    let circle = square.rounded(radius: 500)
    #expect(abs(circle.length - 100 * .pi) < 0.2)
    #expect(circle.isClosed)
    #expect(square.rounded(radius: 0) == square)
  }

  @Test func endsAndSmoothPlacesStay() {
    let line = Path([.move(.zero), .line(Point(100, 0)), .line(Point(100, 100))])
    let round = line.rounded(radius: 30)
    #expect(round.elements.first == .move(.zero))
    #expect(round.bounds == Rect(x: 0, y: 0, width: 100, height: 100))
    let circle = Path.ellipse(center: .zero, 50, 50)
    #expect(abs(circle.rounded(radius: 20).length - circle.length) < 1e-6)
    // A flattened curve has no corners.
    let lines = Self.combined(.union, [circle])
    #expect(
      lines.rounded(radius: 20).elements.allSatisfy { if case .cubic = $0 { false } else { true } })
    // The union of two circles has two corners.
    let two = Self.combined(.union, [circle, circle.transformed(by: .translation(60, 0))])
    let count = two.rounded(radius: 10).elements.count {
      if case .cubic = $0 { true } else { false }
    }
    #expect(count == 2)
  }

  /// Overlapping combs with a million crossings, which would take too long.
  @Test func tanglesAreRefused() {
    func comb(_ count: Int, isTurned: Bool) -> [Point] {
      (0..<count).map { index in
        let (a, b) = (Double(index) * 1000 / Double(count), Double(index % 2) * 1000)
        return isTurned ? Point(b, a) : Point(a, b)
      }
    }
    let combs = [false, true].map { Self.path(comb(5000, isTurned: $0)) }
    #expect(Path.combined(.exclude, combs) == nil)
    #expect(combs[0].offset(by: 30, .round) == nil)
    let few = [false, true].map { Self.path(comb(100, isTurned: $0)) }
    #expect(Path.combined(.exclude, few) != nil)
    #expect(few[0].offset(by: 3, .round) != nil)
  }
}
