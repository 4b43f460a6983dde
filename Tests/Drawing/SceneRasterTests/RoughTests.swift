// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneTestSupport
import Testing

/// Outlines drawn by hand.
@Suite("Outlines drawn by hand", .cpuBudget(seconds: 2)) struct RoughTests {
  private static let shapes = [
    "rect { size: 200x120", "rect { size: 200x120;  corner-radius: 30", "circle { radius: 80",
    "ellipse { radius: (120, 40)", "star { radius: 90", "arc { radius: 90;  sweep: 200deg",
    "polygon { points: [(100, 100), (300, 120), (200, 300)]",
    "polyline { points: [(40, 60), (200, 40), (160, 180), (360, 120)]",
    "path { data: \"M 40 360 C 120 200 240 420 360 260\"", "line { from: (40, 40);  to: (360, 300)",
    "arrow { from: (40, 40);  to: (360, 300)", "path { data: \"M 200 200 c 90 -90 90 90 0 0 z\"",
  ]

  private func drawing(_ body: String) throws -> Drawing {
    try Drawing("scene { size: 400x400;  for: 10f;  fps: 10\n\(body)\n}")
  }

  /// Returns the drawn paths of a frame.
  private func paths(_ body: String, frame: Int = 0) throws -> [Path] {
    func paths(_ ops: [DrawOp]) -> [Path] {
      ops.flatMap { op -> [Path] in
        switch op {
        case .fill(let outline, _), .stroke(let outline, _, _): [outline.path]
        case .transformed(_, let body): paths(body)
        default: []
        }
      }
    }
    return paths(try drawing(body).program(frame).ops)
  }

  /// Returns points along a path that are at most 2 pixels apart.
  private func points(on path: Path) -> [Point] {
    path.pieces().flatMap { piece in
      let count = Int(piece.length / 2) + 1
      return (0...count).map { piece.cubic.point(at: Double($0) / Double(count)) }
    }
  }

  private func subpaths(of path: Path) -> Int {
    path.elements.count { if case .move = $0 { true } else { false } }
  }

  @Test(arguments: shapes) func linesStayNearTheOutline(_ shape: String) throws {
    let exact = try paths("\(shape);  stroke: red;  stroke-width: 3 }").flatMap(points)
    for seed in 0..<3 {
      let rough = try paths(
        "\(shape);  stroke: red;  stroke-width: 3;  rough: 4;  rough-seed: \(seed) }")
      #expect(!rough.isEmpty)
      for point in rough.flatMap(points) {
        let distance = exact.map { $0.distance(to: point) }.min() ?? .infinity
        // Twice `rough` for the line, the same for its end beyond a corner, and the sample spacing.
        #expect(distance < 4 * 4 + 1, "\(shape): \(distance)")
      }
    }
  }

  @Test(arguments: shapes) func equalSeedsDrawEqualLines(_ shape: String) throws {
    func paths(_ more: String) throws -> [Path] {
      try self.paths("\(shape);  stroke: red;  rough: 3\(more) }")
    }
    #expect(try paths(";  rough-seed: 2") == paths(";  rough-seed: 2"))
    #expect(try paths(";  rough-seed: 2") != paths(";  rough-seed: 3"))
    #expect(
      try self.paths("\(shape);  stroke: red;  rough: 0 }")
        == self.paths("\(shape);  stroke: red }"))
  }

  @Test func siblingsDiffer() throws {
    let line = "rect { size: 90;  stroke: red;  fill: none;  position: center }"
    let both = try paths("group { rough: 2\n\(line)\n\(line) }")
    #expect(both.count == 2 && both[0] != both[1])
    let seeded = line.replacing(" }", with: ";  rough: 2;  rough-seed: 4 }")
    let equal = try paths("\(seeded)\n\(seeded)")
    #expect(equal.count == 2 && equal[0] == equal[1])
  }

  /// Scaling draws the same line at another size.
  @Test(arguments: ["scale: 3", "rotate: 40deg", "position: (120, 90)", "opacity: 0.5"])
  func linesMoveWithTheElement(_ place: String) throws {
    func line(_ place: String) throws -> [Point] {
      let path = try #require(
        try paths("star { radius: 60;  stroke: red;  fill: none;  rough: 3;  \(place) }").first)
      let points = points(on: path)
      return points.map { $0 - points[0] }
    }
    let (moved, plain) = (try line(place), try line(""))
    #expect(moved.count == plain.count)
    for (p, q) in zip(moved, plain) { #expect(p.distance(to: q) < 1e-6) }
  }

  @Test(arguments: [
    "path { data: \"M 40 360 C 120 200 240 420 360 260\"", "circle { radius: 80",
    "arc { radius: 90;  sweep: 200deg",
  ])
  func trimsRevealTheSameLine(_ shape: String) throws {
    let style = "fill: none;  stroke: red;  rough: 4"
    let whole = try #require(try paths("\(shape);  \(style) }").first)
    for part in ["0% .. 35%", "20% .. 80%", "60% .. 100%"] {
      let drawn = try #require(try paths("\(shape);  \(style);  trim: \(part) }").first)
      #expect(subpaths(of: drawn) == 2)
      let all = points(on: whole)
      for point in points(on: drawn) {
        #expect((all.map { $0.distance(to: point) }.min() ?? .infinity) < 2)
      }
    }
    // The parts of a closed outline wrap around.
    if shape.hasPrefix("circle") {
      let drawn = try paths("\(shape);  \(style);  trim: 80% .. 120% }")
      #expect(drawn.first.map(subpaths) == 4)
    }
  }

  /// A small change of the shape changes the line little.
  @Test func linesChangeContinuously() throws {
    func corners(_ size: Double) throws -> [Point] {
      try paths("rect { size: (\(size), 120);  fill: none;  stroke: red;  rough: 4 }")
        .flatMap(\.elements).compactMap {
          if case .move(let point) = $0 { point } else { nil }
        }
    }
    let (a, b) = (try corners(200), try corners(200.02))
    #expect(a.count == 8 && b.count == 8)
    for (p, q) in zip(a, b) { #expect(p.distance(to: q) < 0.1) }
  }

  @Test func dashesAreDrawnOnce() throws {
    let style = "size: 200x120;  fill: none;  stroke: red;  rough: 2"
    #expect(try paths("rect { \(style) }").map(subpaths) == [8])
    #expect(try paths("rect { \(style);  dash: [9, 6] }").map(subpaths) == [4])
  }

  @Test func boilingLinesChangeEveryFewFrames() throws {
    let source = try drawing(
      "circle { radius: 80;  fill: none;  stroke: red;  rough: 2;  boil: 3f }")
    let frames = (0..<10).map { source.program($0) }
    for index in 1..<10 {
      #expect((frames[index] == frames[index - 1]) == (index % 3 != 0), "frame \(index)")
    }
  }

  @Test func arrowsMeetTheirEnds() throws {
    let drawn = try paths("arrow { from: (40, 40);  to: (360, 300);  rough: 8;  head: open }")
    let shaft = try #require(drawn.first)
    #expect(subpaths(of: shaft) == 2)
    for case .move(let start) in shaft.elements {
      #expect(start.distance(to: Point(40, 40)) < 1e-6)
    }
  }

  @Test func workCountsTheLines() throws {
    func steps(_ more: String) throws -> Double {
      let drawing = try drawing("for k in 0..50 { star { radius: 90;  stroke: red\(more) } }")
      var work = DrawingWork(drawing.model, metrics: drawing.metrics)
      return work.frame(at: .zero).steps
    }
    #expect(try steps(";  rough: 2") > 2 * steps(""))
  }

  @Test func extremeNumbersAreHarmless() throws {
    for shape in [
      "rect { size: 0x100", "circle { radius: 0.001", "line { from: (0, 0);  to: (0, 0)",
      "rect { size: 3000000x100", "rect { size: 100 * (t / 1s - 0.5)",
    ] {
      let program = try drawing("\(shape);  stroke: red;  rough: 100 * t / 0.1s }").program(7)
      #expect(program.ops.count <= 2)
    }
  }
}
