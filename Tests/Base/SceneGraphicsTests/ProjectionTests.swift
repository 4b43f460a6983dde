// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneTestSupport
import Testing

@Suite("Projections", .cpuBudget(seconds: 1)) struct ProjectionTests {
  /// Returns a random plane that an eye at a distance of 1000 sees.
  private static func plane(_ random: inout Generator) -> SpaceMap {
    let eye = Point(Double.random(in: 0...800, using: &random), 300)
    let place = Point(
      Double.random(in: 0...800, using: &random), Double.random(in: 0...600, using: &random))
    return SpaceMap.perspective(1000, from: eye)
      .concat(.translation(place, z: Double.random(in: -900...400, using: &random)))
      .concat(.rotationX(Double.random(in: -80...80, using: &random)))
      .concat(.rotationY(Double.random(in: -80...80, using: &random)))
  }

  @Test func inversesUndoProjections() throws {
    var random = Generator(seed: 1)
    for _ in 0..<1000 {
      let projection = Self.plane(&random).projection
      let inverse = try #require(projection.inverted)
      let point = Point(
        Double.random(in: -300...300, using: &random),
        Double.random(in: -300...300, using: &random))
      guard projection.weight(at: point) > Projection.near else { continue }
      let there = projection.apply(point)
      #expect(inverse.apply(there).distance(to: point) < 1e-6)
      #expect(inverse.weight(at: there) > 0)
      #expect(projection.concat(inverse).isIdentity)
    }
  }

  @Test func projectionsMapPointsAsSpaceDoes() {
    var random = Generator(seed: 2)
    for _ in 0..<200 {
      let map = Self.plane(&random)
      let point = Point(Double.random(in: -300...300, using: &random), 50)
      let there = map.apply(point)
      guard there.w > Projection.near else { continue }
      let expected = Point(there.x / there.w, there.y / there.w)
      #expect(map.projection.apply(point).distance(to: expected) < 1e-9)
    }
  }

  /// The tangent is the limit of the projection near a point.
  @Test func tangentsTouch() {
    var random = Generator(seed: 3)
    for _ in 0..<200 {
      let projection = Self.plane(&random).projection
      let point = Point(40, -30)
      guard projection.weight(at: point) > 0.1 else { continue }
      let near = Point(40.001, -30.001)
      let tangent = projection.tangent(at: point)
      #expect(tangent.apply(point).distance(to: projection.apply(point)) < 1e-9)
      #expect(tangent.apply(near).distance(to: projection.apply(near)) < 1e-4)
    }
  }

  /// Every point of the exact curve is close to the approximation, and vice versa.
  @Test func projectedCurvesAreCloseToExactOnes() {
    var random = Generator(seed: 4)
    for _ in 0..<200 {
      let projection = Self.plane(&random).projection
      let circle = Path.ellipse(center: Point(0, 0), 150, 150)
      guard projection.visible(Rect(x: -150, y: -150, width: 300, height: 300)).count == 4 else {
        continue
      }
      let projected = circle.projected(by: projection)
      guard let inverse = projection.inverted else { continue }
      for piece in projected.pieces() {
        for step in 0...8 {
          let point = inverse.apply(piece.cubic.point(at: Double(step) / 8))
          // The distance from the circle in the plane, scaled to the screen.
          let way = abs(Math.hypot(point.x, point.y) - 150)
          let scale = projection.tangent(at: point).maximumStretch
          #expect(way * min(scale, 20) < 0.3)
        }
      }
    }
  }

  @Test func geometryBehindTheEyeIsCut() {
    // The right half of the square is behind the eye.
    let map = SpaceMap.perspective(100, from: .zero).concat(.rotationY(-90))
    let square = Path.rect(Rect(x: -500, y: -50, width: 1000, height: 100), radius: 0)
    let projection = SpaceMap.perspective(100, from: .zero).concat(.rotationY(-60)).projection
    let shown = square.projected(by: projection)
    #expect(!shown.isEmpty && shown.isFinite)
    #expect(shown.bounds.width < 100 / Projection.near * 100)
    let hidden = SpaceMap.perspective(100, from: .zero).concat(.translation(.zero, z: 200))
    #expect(square.projected(by: hidden.projection).isEmpty)
    #expect(map.projection.visible(Rect(x: 0, y: 0, width: 0, height: 0)).count < 5)
  }

  @Test func linesStayLines() {
    let projection = SpaceMap.perspective(800, from: .zero).concat(.rotationX(50)).projection
    let square = Path.rect(Rect(x: -100, y: -100, width: 200, height: 200), radius: 0)
    let projected = square.projected(by: projection)
    #expect(projected.elements.count == square.elements.count)
    #expect(
      projected.elements.allSatisfy { if case .cubic = $0 { false } else { true } })
  }

  /// A reflection inside the plane does not turn it around, as in browsers.
  @Test func backsAreSeenFromBehind() {
    let eye = SpaceMap.perspective(1000, from: .zero)
    #expect(!eye.showsBack)
    #expect(!eye.concat(.rotationY(89)).showsBack)
    #expect(eye.concat(.rotationY(91)).showsBack)
    #expect(eye.concat(.rotationX(180)).showsBack)
    #expect(!eye.concat(.rotationX(180)).concat(.rotationY(180)).showsBack)
    #expect(!eye.concat(SpaceMap(.scale(-1, 1))).showsBack)
    // An eye to the right of a plane at 80° sees its back.
    #expect(SpaceMap.perspective(1000, from: Point(-400, 0)).concat(.rotationY(80)).showsBack)
  }

  @Test func cornersDetermineTheProjection() throws {
    let box = Rect(x: -20, y: 30, width: 200, height: 100)
    let map = SpaceMap.perspective(500, from: Point(40, 60)).concat(.rotationY(50))
      .concat(.rotationX(20)).projection
    let corners = [Point(-20, 30), Point(180, 30), Point(180, 130), Point(-20, 130)]
    let found = try #require(Projection(box, to: corners.map(map.apply)))
    for p in [Point(0, 40), Point(90, 80), Point(170, 120), Point(250, 20)] {
      #expect(found.apply(p).distance(to: map.apply(p)) < 1e-9)
    }
    #expect(Projection(box, to: Array(repeating: Point(1, 1), count: 4)) == nil)
    #expect(Projection(.empty, to: corners) == nil)
  }
}
