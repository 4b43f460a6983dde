// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneTestSupport
import Testing

/// The outlines of strokes of varying width.
@Suite("Strokes of varying width", .cpuBudget(seconds: 1)) struct StrokerTests {
  /// Returns the outlines that a scene fills in a frame.
  private func outlines(_ body: String, frame: Int = 0) throws -> [Path] {
    let program = try Drawing(
      "scene { size: 400x400;  for: 10f;  fps: 10\n\(body)\n}"
    ).program(frame)
    return program.ops.compactMap {
      if case .fill(.path(let path), _) = $0 { path } else { nil }
    }
  }

  /// Returns the signed area of all polygons of a path without curves.
  private func area(_ path: Path) -> Double {
    var (area, first, last) = (0.0, Point.zero, Point.zero)
    func add(_ p: Point) {
      area += (last.x * p.y - p.x * last.y) / 2
      last = p
    }
    for element in path.elements {
      switch element {
      case .move(let p): (first, last) = (p, p)
      case .line(let p), .cubic(_, _, let p): add(p)
      case .close: add(first)
      }
    }
    return area
  }

  @Test(arguments: ["1, 1": 1, "0, 1": 0.5, "1, 0.5": 0.75, "0.5": 0.5, "0, 1, 0": 0.5, "2, 2": 2])
  func factorsScaleTheWidth(_ factors: String, _ mean: Double) throws {
    let path = try #require(
      try outlines(
        "line { from: (50, 200);  to: (350, 200);  stroke-width: 20;  stroke-profile: [\(factors)] }"
      ).first)
    #expect(abs(area(path) - 300 * 20 * mean) < 40, "\(area(path))")
  }

  /// A constant profile looks like the stroke that Cairo draws.
  @Test(arguments: [
    "cap: round", "cap: square;  join: round", "cap: butt;  join: bevel", "miter-limit: 1.5",
    "dash: [40, 30];  cap: round", "dash: [50];  dash-offset: 20", "dash: [0, 40];  cap: round",
    "dash: [0, 40, 20, 40];  cap: round;  dash-offset: 7",
  ])
  func constantProfilesAreStrokes(_ style: String) throws {
    let shapes = [
      "polyline { points: [(40, 60), (200, 40), (160, 180), (360, 120)]", "circle { radius: 90",
      "path \"M 40 360 C 120 200 240 420 360 260\" { fill: none", "star { radius: 90;  fill: none",
      "path \"M 80 80 Z M 200 200 L 200 200 M 300 80 L 340 120 L 300 80\" { fill: none",
    ]
    for shape in shapes {
      func pixels(_ more: String) throws -> [UInt8] {
        try Drawing(
          """
          scene { size: 400x400;  for: 1s
          \(shape);  stroke: white;  stroke-width: 24;  \(style)\(more) }
          }
          """
        ).pixels()
      }
      let (plain, varying) = (try pixels(""), try pixels(";  stroke-profile: [1, 1]"))
      let difference = Pixels.meanSquare(of: plain, and: varying)
      // A PSNR of 45 dB.
      #expect(difference < 2.1, "\(shape): \(difference)")
    }
  }

  @Test func tapersGrowAndShrink() {
    let profile = StrokeProfile(taper: Point(0.5, 0.25))
    #expect(profile.factor(at: 0) == 0 && profile.factor(at: 1) == 0)
    #expect(profile.factor(at: 0.6) == 1)
    #expect(abs(profile.factor(at: 0.25) - 0.646_446_609) < 1e-6)
    #expect(abs(profile.factor(at: 0.875) - 0.646_446_609) < 1e-6)
  }

  /// Interpolated factors do not overshoot, and are smooth.
  @Test func profilesAreMonotone() {
    var generator = Generator(seed: 3)
    for _ in 0..<200 {
      let factors = (0..<Int.random(in: 2...8, using: &generator)).map { _ in
        Double.random(in: 0...2, using: &generator)
      }
      let profile = StrokeProfile(factors: factors)
      for index in 0..<factors.count - 1 {
        let (a, b) = (factors[index], factors[index + 1])
        for step in 0...10 {
          let u = (Double(index) + Double(step) / 10) / Double(factors.count - 1)
          let factor = profile.factor(at: u)
          #expect(factor >= min(a, b) - 1e-9 && factor <= max(a, b) + 1e-9, "\(factors) at \(u)")
        }
      }
    }
  }

  @Test func numbersThatAreNotFiniteAreHarmless() {
    let profile = StrokeProfile(taper: Point(.nan, -.infinity), factors: [.nan, 1, .infinity])
    #expect([0, 0.3, 1].allSatisfy { profile.factor(at: $0).isFinite })
  }

  /// A line that is being drawn has the shape of the whole line.
  @Test func trimsCutTheProfile() throws {
    let line =
      "path \"M 0 200 C 100 100 300 300 400 200\" { stroke: white;  fill: none;  stroke-width: 30;  taper: 40%"
    let half = try #require(try outlines("\(line);  trim: 0% .. 50% }").first)
    let other = try #require(try outlines("\(line);  trim: 50% .. 100% }").first)
    let whole = try #require(try outlines("\(line) }").first)
    #expect(abs(area(half) + area(other) - area(whole)) < 0.01 * area(whole))
    #expect(abs(area(half) - area(other)) < 0.01 * area(whole))
  }

  /// All parts of an outline have the same orientation, even in curves whose radius is smaller than
  /// the stroke width.
  @Test(arguments: [
    "M 100 200 C 200 50 200 350 210 200 S 240 60 260 300",
    "M 100 100 L 300 110 L 100 120 L 300 300",
    "M 200 200 c 40 -40 40 40 0 0 z",
  ])
  func outlinesHaveNoHoles(_ data: String) throws {
    let path = try #require(
      try outlines(
        "path \"\(data)\" { stroke: white;  fill: none;  stroke-width: 40;  stroke-profile: [0.2, 1, 0.5] }"
      ).first)
    var polygon = Path()
    for element in path.elements {
      switch element {
      case .move(let p): polygon = Path([.move(p)])
      case .line(let p): polygon.line(p)
      case .cubic(let a, let b, let p): polygon.cubic(a, b, to: p)
      case .close:
        polygon.close()
        #expect(area(polygon) > -1, "\(polygon)")
      }
    }
  }

  /// The factors are connected smoothly on straight lines as well as on curves.
  @Test func profilesAreSmoothOnLines() throws {
    func width(at x: Double, _ path: Path) -> Double {
      let ys = path.elements.compactMap { element -> Double? in
        switch element {
        case .move(let p), .line(let p): abs(p.x - x) < 3 ? p.y : nil
        case .cubic, .close: nil
        }
      }
      return (ys.max() ?? 0) - (ys.min() ?? 0)
    }
    for shape in [
      "line { from: (0, 200);  to: (400, 200)", "path \"M 0 200 Q 200 200.1 400 200\" { ",
    ] {
      let path = try #require(
        try outlines("\(shape);  stroke-width: 160;  stroke-profile: [0, 1, 0] }").first)
      // The monotone cubic between 0 and 1 has its third at 0.16.
      #expect(abs(width(at: 50, path) - 160 * 0.156) < 8, "\(shape): \(width(at: 50, path))")
    }
  }
}
