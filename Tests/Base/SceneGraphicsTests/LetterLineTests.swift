// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneTestSupport
import Testing

/// Lines of letters on paths.
@Suite("Lines of letters", .cpuBudget(seconds: 1)) struct LetterLineTests {
  private func line(_ path: Path, height: Double = 20, isRounded: Bool = false) -> LetterLine {
    LetterLine(path, height: height, fontSize: 60, isRounded: isRounded)
  }

  /// Returns an arc of a circle above the center, clockwise.
  private func arc(radius: Double) -> Path {
    Path.ellipse(center: Point(0, 0), radius, radius).trimmed(from: 0.5, to: 1)
  }

  @Test func aStraightPathIsMeasuredAsItIs() {
    var path = Path()
    path.move(Point(10, 10))
    path.line(Point(310, 410))
    path.line(Point(610, 810))
    let line = line(path)
    for share in [-0.3, 0, 0.1, 0.5, 0.77, 1, 1.2] {
      #expect(line.position(atShare: share) == share * 1000)
      #expect(line.length(at: share * 1000) == share * 1000)
    }
  }

  /// The curve at a height above an arc is an arc, too.
  @Test(arguments: [100.0, 300]) func hillsAreLongerAboveThePath(_ radius: Double) {
    let hill = line(arc(radius: radius))
    let whole = hill.position(atShare: 1)
    #expect(abs(whole - .pi * (radius + 20)) < 0.01 * radius)
    let valley = line(arc(radius: radius), height: -20)
    #expect(abs(valley.position(atShare: 1) - .pi * (radius - 20)) < 0.01 * radius)
    for share in [0.2, 0.5, 0.8] {
      let position = hill.position(atShare: share)
      #expect(abs(position - share * whole) < 0.5)
      #expect(abs(hill.length(at: position) - share * hill.path.length) < 1e-6)
    }
  }

  /// Letters keep their order at every kind of corner.
  @Test(arguments: [(300.0, 300.0), (300, -300), (-300, 1), (-300, 300)])
  func cornersKeepTheOrder(_ x: Double, _ y: Double) {
    var path = Path()
    path.move(Point(0, 0))
    path.line(Point(400, 0))
    path.line(Point(400 + x, y))
    for height in [20.0, -20, 60] {
      let line = line(path, height: height)
      let lengths = stride(from: -50.0, through: 800, by: 5).map { line.length(at: $0) }
      #expect(zip(lengths, lengths.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test func aCornerOfAValleyMovesLettersApart() {
    var path = Path()
    path.move(Point(0, 0))
    path.line(Point(300, 300))
    path.line(Point(600, 0))
    let line = line(path)
    let corner = line.position(atShare: 0.5)
    let (before, after) = (line.length(at: corner - 30), line.length(at: corner + 30))
    #expect(after - before > 75)
    #expect(abs((after + before) / 2 - path.length / 2) < 0.1)
  }

  @Test func bentPointsAreAboveThePath() {
    let line = line(arc(radius: 200))
    for position in stride(from: 0.0, through: 600, by: 37) {
      for rise in [-10.0, 0, 50] {
        let point = line.point(at: position, above: rise)
        #expect(abs(Math.hypot(point.x, point.y) - 200 - rise) < 0.1)
      }
    }
    // Beyond the ends, the path continues straight.
    #expect(line.point(at: -30, above: 0).distance(to: Point(-200, 30)) < 0.1)
  }

  /// A letter of ordinary height does not overlap itself at a rounded corner.
  @Test func bentLettersPassCorners() {
    var path = Path()
    path.move(Point(0, 0))
    path.line(Point(300, 300))
    path.line(Point(600, 0))
    let line = line(path, isRounded: true)
    let end = line.position(atShare: 1)
    let heads = stride(from: 5.0, to: end, by: 5).map { line.point(at: $0, above: 45) }
    #expect(zip(heads, heads.dropFirst()).allSatisfy { $1.x - $0.x > 0.2 })
  }

  @Test func bentCurvesAreCloseToTheirMap() {
    let circle = Path.ellipse(center: Point(0, 0), 40, 40)
    func map(_ p: Point) -> Point {
      let angle = p.x / 100
      return Point((100 + p.y) * Math.sin(angle), (100 + p.y) * Math.cos(angle))
    }
    let bent = circle.bent(map)
    #expect(bent.elements.allSatisfy { if case .cubic = $0 { false } else { true } })
    let pieces = bent.pieces()
    for step in 0..<400 {
      let angle = Double(step) * .pi / 200
      let point = map(Point(40 * Math.cos(angle), 40 * Math.sin(angle)))
      let distance = pieces.map { piece -> Double in
        let (a, b) = (piece.cubic.p0, piece.cubic.p3)
        let way = b - a
        let square = way.x * way.x + way.y * way.y
        let u = square > 0 ? ((point.x - a.x) * way.x + (point.y - a.y) * way.y) / square : 0
        return point.distance(to: a + way * max(0, min(1, u)))
      }.min()
      #expect(distance ?? 1 < 0.05)
    }
    #expect(pieces.count < 400)
  }

  @Test func straightLinesStayStraight() {
    let rect = Path.rect(Rect(x: 0, y: 0, width: 100, height: 50), radius: 0)
    let moved = rect.bent { $0 + Point(3, 4) }
    #expect(moved.bounds == Rect(x: 3, y: 4, width: 100, height: 50))
    #expect(moved.elements.count <= rect.elements.count + 1)
  }
}
