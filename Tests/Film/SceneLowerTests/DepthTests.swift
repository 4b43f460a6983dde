// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneLower
import SceneTestSupport
import Testing

@Suite("Depth", .cpuBudget(seconds: 1)) struct DepthTests {
  private static let square = Rect(x: -100, y: -100, width: 200, height: 200)

  private static func planes(_ count: Int, _ random: inout Generator) -> [DepthPolygon] {
    (0..<count).compactMap { _ in
      let place = Point(
        Double.random(in: -150...150, using: &random),
        Double.random(in: -150...150, using: &random))
      let map = SpaceMap.perspective(900, from: .zero)
        .concat(.translation(place, z: Double.random(in: -300...300, using: &random)))
        .concat(.rotationX(Double.random(in: -70...70, using: &random)))
        .concat(.rotationY(Double.random(in: -70...70, using: &random)))
      return DepthPolygon(square, under: map)
    }
  }

  private static func area(_ polygon: DepthPolygon) -> Double {
    let points = polygon.corners.map(\.point)
    let sum = zip(points, points.dropFirst() + points.prefix(1)).reduce(0) {
      $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y
    }
    return abs(sum) / 2
  }

  private static func contains(_ polygon: DepthPolygon, _ p: Point) -> Bool {
    let points = polygon.corners.map(\.point)
    let sides = zip(points, points.dropFirst() + points.prefix(1)).map { a, b in
      (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)
    }
    return sides.allSatisfy { $0 > 1e-6 } || sides.allSatisfy { $0 < -1e-6 }
  }

  /// At every point of the screen, planes that are painted later are nearer.
  @Test func nearerPlanesCoverFartherOnes() {
    var random = Generator(seed: 11)
    for _ in 0..<40 {
      let planes = Self.planes(Int.random(in: 2...9, using: &random), &random)
      let fragments = DepthOrder(planes).fragments
      for _ in 0..<200 {
        let p = Point(
          Double.random(in: -250...250, using: &random),
          Double.random(in: -250...250, using: &random))
        let depths = fragments.filter { Self.contains($0.polygon, p) }
          .map { planes[$0.plane].depth(at: p) }
        for (below, above) in zip(depths, depths.dropFirst()) { #expect(below <= above + 0.1) }
      }
    }
  }

  /// The fragments of a plane cover it once.
  @Test func fragmentsCoverPlanesOnce() {
    var random = Generator(seed: 12)
    for _ in 0..<60 {
      let planes = Self.planes(Int.random(in: 2...12, using: &random), &random)
      var areas = Array(repeating: 0.0, count: planes.count)
      for fragment in DepthOrder(planes).fragments {
        areas[fragment.plane] += Self.area(fragment.polygon)
      }
      for (plane, area) in zip(planes, areas) {
        #expect(abs(Self.area(plane) - area) < 1e-3 * max(1, area))
      }
    }
  }

  @Test func onlyCrossingPlanesAreCut() throws {
    func plane(_ z: Double, turn: Double = 0) throws -> DepthPolygon {
      let map = SpaceMap.translation(.zero, z: z).concat(.rotationY(turn))
      return try #require(DepthPolygon(Self.square, under: map))
    }
    let stack = DepthOrder([try plane(50), try plane(-50), try plane(0)])
    #expect(stack.fragments.map(\.plane) == [1, 2, 0])
    let cross = DepthOrder([try plane(0, turn: 45), try plane(0, turn: -45)])
    #expect(cross.fragments.count == 3)
    // Planes at the same depth keep their order.
    let same = DepthOrder([try plane(10), try plane(10.005), try plane(10)])
    #expect(same.fragments.map(\.plane) == [0, 1, 2])
    #expect(DepthPolygon(Self.square, under: .rotationY(90)) == nil)
  }

  /// Beyond the limits, planes are sorted by their centers, without cuts.
  @Test func manyPlanesAreSortedInBoundedTime() {
    var random = Generator(seed: 13)
    let planes = Self.planes(400, &random)
    let fragments = DepthOrder(planes).fragments
    #expect(fragments.count == planes.count)
    #expect(Set(fragments.map(\.plane)).count == planes.count)
  }

  /// Differences of depth shrink with the square of the distance, but distant planes remain
  /// distinguishable.
  @Test(arguments: [-900.0, -9000, -90_000]) func farPlanesAreNotAtTheSameDepth(_ z: Double) throws
  {
    func plane(_ z: Double) throws -> DepthPolygon {
      let map = SpaceMap.perspective(900, from: .zero).concat(.translation(.zero, z: z))
      return try #require(DepthPolygon(Rect(x: -1e5, y: -1e5, width: 2e5, height: 2e5), under: map))
    }
    let order = DepthOrder([try plane(z), try plane(z - 10), try plane(z - 20)])
    #expect(order.fragments.map(\.plane) == [2, 1, 0])
  }

  /// "At the same depth" is not transitive, so planes that are very close can be in a cycle.
  @Test func closePlanesAreNotCut() throws {
    func plane(_ z: Double) throws -> DepthPolygon {
      try #require(DepthPolygon(Self.square, under: .translation(.zero, z: z)))
    }
    let order = DepthOrder([
      try plane(0.016), try plane(0.008), try plane(0), try plane(50), try plane(-50),
    ])
    let planes = order.fragments.map(\.plane)
    #expect(planes.count == 5)
    #expect(planes.first == 4)
    #expect(planes.last == 3)
    #expect(try #require(planes.firstIndex(of: 2)) < (try #require(planes.firstIndex(of: 0))))
  }
}
