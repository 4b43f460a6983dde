// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneModel
import SceneTestSupport
import Testing

/// Tests the meaning of scenes by the ops of a frame.
@Suite("Meaning", .cpuBudget(seconds: 1)) struct MeaningTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let body: String
    let time: Double
    let ops: [String]

    init(_ body: String, at time: Double = 0, _ ops: String...) {
      self.body = body
      self.time = time
      self.ops = ops
    }

    var testDescription: String { body }
  }

  private func lines(_ row: Row) -> [String] {
    guard let program = program(scene(row.body), at: row.time) else {
      return diagnose(scene(row.body))
    }
    return "\(program)".split(separator: "\n").dropFirst().map {
      String($0.drop { $0 == " " })
    }
  }

  @Test(arguments: [
    // Positions
    Row("rect { fill: red }", "fill rect [150 100 100 100] #ff0000"),
    Row("rect { size: 50%;  fill: red }", "fill rect [100 75 200 150] #ff0000"),
    Row("circle { radius: 10%;  fill: red }", "fill ellipse (200, 150) 30 30 #ff0000"),
    Row(
      "rect { position: (0, 0);  anchor: top-left;  fill: red }", "fill rect [0 0 100 100] #ff0000"),
    Row("rect { position: top-left;  fill: red }", "fill rect [-50 -50 100 100] #ff0000"),
    Row("rect { translate: (10, 50%);  fill: red }", "fill rect [160 250 100 100] #ff0000"),
    Row(
      "rect { rotate: 90deg;  fill: red }",
      "transform 0 1 -1 0 250 100", "fill rect [0 0 100 100] #ff0000"),
    Row(
      "rect { scale: 2;  pivot: top-left;  fill: red }",
      "transform 2 0 0 2 150 100", "fill rect [0 0 100 100] #ff0000"),
    Row(
      "line { from: (0, 0);  to: (100%, 50%);  stroke: red }",
      "stroke path \"M 0 0 L 400 150\" width 4 #ff0000"),
    Row(
      "line { from: (0, 0);  to: (100, 0);  position: center;  stroke: red }",
      "stroke path \"M 150 150 L 250 150\" width 4 #ff0000"),
    Row(
      "group { size: 100x100;  position: (100, 100);  circle { radius: 5;  position: (0, 0);  fill: red } }",
      "transform 1 0 0 1 50 50", "fill ellipse (0, 0) 5 5 #ff0000"),
    // Paths
    Row("path \"M0 0 h10 v10z\" { fill: red }", "fill path \"M 0 0 L 10 0 L 10 10 Z\" #ff0000"),
    Row(
      "path { fill: red;  move (0, 0);  line by (10, 0);  line by (0, 10);  close }",
      "fill path \"M 0 0 L 10 0 L 10 10 Z\" #ff0000"),
    Row(
      "path { move (0, 0);  curve (0, 10), (10, 10), (10, 0);  smooth (20, -10), (20, 0);  stroke: red }",
      "stroke path \"M 0 0 C 0 10 10 10 10 0 C 10 -10 20 -10 20 0\" width 4 #ff0000"),
    Row(
      "path { trim: 0% .. 50%;  move (0, 0);  line (100, 0);  stroke: red }",
      "stroke path \"M 0 0 L 50 0\" width 4 #ff0000"),
    // Time
    Row(
      "circle { radius: 10 -> 20 over 2s;  fill: red }", at: 1,
      "fill ellipse (200, 150) 15 15 #ff0000"),
    Row(
      "circle { radius: 10 -> 20;  fill: red }", at: 1, "fill ellipse (200, 150) 12.5 12.5 #ff0000"),
    Row(
      "circle { radius: 10 -> 20 -> 0 over 2s;  fill: red }", at: 1.5,
      "fill ellipse (200, 150) 10 10 #ff0000"),
    Row(
      "circle { radius: 10 -> 20 over 1s -> 30 over 1s after 1s;  fill: red }", at: 2.5,
      "fill ellipse (200, 150) 25 25 #ff0000"),
    Row(
      "circle { at: 1s;  for: 1s;  radius: 10 + t / 1s * 4;  fill: red }", at: 1.5,
      "fill ellipse (200, 150) 12 12 #ff0000"),
    Row("circle { at: 1s;  for: 1s;  fill: red }", at: 2),
    Row(
      "group { at: 1s;  circle { at: 1s;  radius: 10 + t / 1s;  fill: red } }", at: 3,
      "fill ellipse (200, 150) 11 11 #ff0000"),
    Row(
      "circle { radius: keyframes { 0s: 10;  1s: 20 with hold;  50%: 40 };  fill: red }", at: 1.5,
      "fill ellipse (200, 150) 30 30 #ff0000"),
    Row(
      "circle { radius: keyframes { for i in 1..4 { i * 1s: i * 10 } };  fill: red }", at: 2,
      "fill ellipse (200, 150) 20 20 #ff0000"),
    Row(
      "circle { radius: loop(10 -> 20 over 1s);  fill: red }", at: 2.5,
      "fill ellipse (200, 150) 15 15 #ff0000"),
    Row(
      "circle { radius: loop(10 -> 20 over 1s, mirror: true);  fill: red }", at: 1.25,
      "fill ellipse (200, 150) 17.5 17.5 #ff0000"),
    Row(
      "circle { radius: delay(10 -> 20 over 1s, 1s);  fill: red }", at: 1.5,
      "fill ellipse (200, 150) 15 15 #ff0000"),
    Row(
      "circle { radius: reverse(10 -> 20 over 2s);  fill: red }", at: 0.5,
      "fill ellipse (200, 150) 17.5 17.5 #ff0000"),
    Row(
      "circle { radius: at-time(10 -> 20 over 2s, t * 2);  fill: red }", at: 0.5,
      "fill ellipse (200, 150) 15 15 #ff0000"),
    Row(
      "circle { radius: 20 + 10 * wave(4s);  fill: red }", at: 1,
      "fill ellipse (200, 150) 30 30 #ff0000"),
    Row(
      "circle { radius: progress * 10;  fill: red }", at: 2, "fill ellipse (200, 150) 5 5 #ff0000"),
    // References to other elements
    Row(
      "rect a { position: (100, 100);  size: 20x20;  fill: red }\n circle { radius: 5;  position: a.right;  fill: red }",
      "fill rect [90 90 20 20] #ff0000", "fill ellipse (110, 100) 5 5 #ff0000"),
    Row(
      "group g { size: 100x100;  rotate: 90deg;  rect a { size: 20x20;  position: (100%, 50%);  visible: false } }\n circle { radius: 5;  position: g.a.center;  fill: red }",
      "fill ellipse (200, 200) 5 5 #ff0000"),
    Row(
      "circle a { at: 1s;  for: 1s;  visible: false }\n circle { at: a.end;  radius: 5;  fill: red }",
      at: 2,
      "fill ellipse (200, 150) 5 5 #ff0000"),
    Row(
      "circle a { radius: 10 -> 20 over 1s;  visible: false }\n circle { radius: a.radius / 2;  fill: red }",
      at: 0.5,
      "fill ellipse (200, 150) 7.5 7.5 #ff0000"),
    Row(
      "text a \"abcd\" { font-size: 20;  visible: false }\n rect { size: a.box.size;  fill: red }",
      "fill rect [180 137.5 40 25] #ff0000"),
    // Values
    Row(
      "let xs = [1, 2, 3]\n circle { radius: sum(xs) + max(xs) + len(xs);  fill: red }",
      "fill ellipse (200, 150) 12 12 #ff0000"),
    Row(
      "circle { radius: [for x in 0..5 if x > 2: x * 2][1];  fill: red }",
      "fill ellipse (200, 150) 8 8 #ff0000"),
    Row(
      "circle { radius: 90deg / 1s * t > 45deg ? 10 : 20;  fill: red }", at: 1,
      "fill ellipse (200, 150) 10 10 #ff0000"),
    Row(
      "if 1 > 2 { circle { } } else { rect { fill: red } }", "fill rect [150 100 100 100] #ff0000"),
    Row(
      "for i in 0..2 { rect { size: 10x10;  position: (i * 10, 0);  fill: red } }",
      "fill rect [-5 -5 10 10] #ff0000", "fill rect [5 -5 10 10] #ff0000"),
    // Paints
    Row("circle { }", "fill ellipse (200, 150) 50 50 #000000"),
    Row(
      "rect { fill: navy;  circle { } }", "transform 1 0 0 1 150 100",
      "fill rect [0 0 100 100] #000080",
      "fill ellipse (50, 50) 50 50 #ffffff"),
    Row("circle { fill: red;  opacity: 50% }", "fill ellipse (200, 150) 50 50 #ff000080"),
    Row(
      "circle { fill: red;  stroke: blue;  opacity: 0.5 }", "transform 1 0 0 1 150 100",
      "layer opacity 0.5",
      "fill ellipse (50, 50) 50 50 #ff0000", "stroke ellipse (50, 50) 50 50 width 1 #0000ff"),
    Row(
      "rect { z: 1;  fill: red }\n circle { fill: blue }", "fill ellipse (200, 150) 50 50 #0000ff",
      "fill rect [150 100 100 100] #ff0000"),
    Row(
      "circle { mixing: srgb;  fill: #000000 -> #ffffff over 2s }", at: 1,
      "fill ellipse (200, 150) 50 50 #808080"),
    Row(
      "rect { mixing: srgb;  fill: linear-gradient(red, blue, angle: 0deg) }",
      "fill rect [150 100 100 100] linear((150, 150) (250, 150); #ff0000 0, #0000ff 1)"),
    Row(
      "path { dash: [4, 2];  cap: round;  stroke: red;  move (0, 0);  line (9, 0) }",
      "stroke path \"M 0 0 L 9 0\" width 4 cap round dash [4 2] offset 0 #ff0000"),
    // Texts
    Row("text \"n = {2 * 3}\" { font-size: 20 }", "text at (0, 0) center line-height 1.25"),
    Row(
      "image \"photo.png\" { size: 100x100 }", "transform 1 0 0 1 150 100",
      "image \"photo.png\" 400x200 from [100 0 200 200] to [0 0 100 100]"),
    Row(
      "image \"photo.png\" { fit: contain }",
      "image \"photo.png\" 400x200 from [0 0 400 200] to [0 50 400 200]"),
  ])
  func ops(_ row: Row) {
    var found = lines(row)
    // For a text, only the block is compared.
    if row.body.hasPrefix("text \"n") {
      #expect(found.last?.contains("\"n = 6\"") == true)
      found = found.filter { $0.hasPrefix("text") }
    }
    #expect(found == row.ops)
  }

  @Test func functionsStylesComponentsAndParams() throws {
    let source = """
      param size: number = 10 in 1..50
      fn double(x: number) -> number = 2 * x
      style red-one { fill: red }
      component Dot(x: number, r: length = 5) {
        circle { position: (x, 0);  radius: r;  style: red-one }
      }
      scene { size: 400x300;  for: 1s;  Dot { x: double(size);  at: 0.5s };  Dot { x: 1;  r: t / 1s } }
      """
    var options = CheckOptions()
    options.parameters = [GivenParameter("size", "20")]
    let model = try #require(checked(source, options).model)
    #expect(model.elements.count == 2)
    #expect(model.elements[0].start == Ticks(Ticks.perSecond / 2))
    let drawn = try #require(program(source, at: 0.75))
    #expect("\(drawn)".contains("fill ellipse (20, 0) 5 5 #ff0000"))
    #expect("\(drawn)".contains("fill ellipse (1, 0) 0.75 0.75 #ff0000"))
    options.parameters = [GivenParameter("size", "80")]
    #expect(checked(source, options).diagnostics.map(\.code) == [.outOfRange])
    options.parameters = [GivenParameter("sise", "80")]
    #expect(checked(source, options).diagnostics.map(\.code) == [.unknownName])
  }

  @Test func beatsFollowTheTempo() throws {
    let source = "scene { tempo: 90;  for: 6beat;  circle { at: 3beat } }"
    let model = try #require(checked(source).model)
    #expect(model.duration == Ticks(4 * Ticks.perSecond))
    #expect(model.elements[0].start == Ticks(2 * Ticks.perSecond))
  }

  @Test func framesAreIndependent() throws {
    let source = scene("circle { radius: loop(10 -> 90 over 0.7s with ease-in-out-back) }")
    let first = program(source, at: 1.3)
    _ = program(source, at: 3)
    #expect(program(source, at: 1.3) == first)
  }

  /// A change advances in the time steps of its element, or of an ancestor with time steps.
  @Test(arguments: [
    "circle { %;  time-step: 0.5s }", "group { time-step: 0.5s;  circle { % } }",
    "circle dot { radius: 40;  time-step: 0.5s }  change of dot { at: 1s;  for: 2s;  easing: linear;  radius: 80 }",
  ])
  func changesFollowTimeSteps(template: String) throws {
    let source = scene(
      template.replacing(
        "%", with: "radius: 40;  change { at: 1s;  for: 2s;  easing: linear;  radius: 80 }"))
    for (time, radius) in [(1.4, 40.0), (1.6, 50), (1.9, 50), (2.1, 60), (3.5, 80)] {
      let drawn = try #require(program(source, at: time), "\(diagnose(source))")
      #expect(
        "\(drawn)" == "\(try #require(program(scene("circle { radius: \(radius) }"))))", "\(time)")
    }
  }

  /// An easing that begins above 0 does not apply before its change.
  @Test(arguments: ["step-start", "steps(2, jump-both)", "linear(0.5, 1)"])
  func changesBeginAtTheirStart(easing: String) throws {
    let source = scene(
      """
      circle { radius: 40;  change { at: 1s;  for: 1s;  easing: \(easing);  radius: 80 }
        change { at: 2.5s;  for: 1s;  easing: \(easing);  radius: 20 } }
      """)
    for (time, radius) in [(0.5, 40.0), (0.99, 40), (2.2, 80), (2.49, 80), (3.7, 20)] {
      let drawn = try #require(program(source, at: time), "\(diagnose(source))")
      let still = try #require(program(scene("circle { radius: \(radius) }")))
      #expect("\(drawn)" == "\(still)", "\(time)")
    }
    let started = try #require(program(source, at: 1))
    #expect("\(started)" != "\(try #require(program(source, at: 0.5)))")
  }

  @Test func staticPartsAreKnown() throws {
    let model = try #require(
      checked(scene("rect { }\n circle { at: 1s;  radius: 10 -> 20 over 0.5s after 1s }")).model)
    let changes = Changes(of: model.program, within: 0..<model.duration.rawValue)
    #expect(changes.inLife(of: model.elements[0]).isEmpty)
    let half = Ticks.perSecond / 2
    #expect(changes.inLife(of: model.elements[1]).ranges == [(4 * half)..<(5 * half)])
  }

  @Test func morphsAsSVGDoes() throws {
    var count = 0
    for row in try ConformanceTable("svg-path/interpolation.tsv").rows {
      func data(_ key: String) -> String? {
        guard let text = row[key], text.hasPrefix("path(\""), text.hasSuffix("\")") else {
          return nil
        }
        return String(text.dropFirst(6).dropLast(2))
      }
      guard let from = data("from"), let to = data("to"), let expected = data("expected"),
        let at = row["at"], !from.lowercased().contains("a")
      else { continue }
      let source = scene(
        "path { data: mix(path(\"\(from)\"), path(\"\(to)\"), \(at));  fill: red }")
      guard let drawn = program(source), case .fill(.path(let path), _)? = drawn.ops.first else {
        Issue.record("\(from) to \(to): \(diagnose(source))")
        continue
      }
      let wanted = try SVGPathData.parse(expected)
      #expect(path.elements.count == wanted.elements.count)
      let (a, b) = (path.controlBounds, wanted.controlBounds)
      let differences = [a.x - b.x, a.y - b.y, a.maxX - b.maxX, a.maxY - b.maxY]
      #expect(differences.allSatisfy { abs($0) < 0.01 }, "\(row)")
      count += 1
    }
    #expect(count > 60)
  }

  /// The intervals of clips in a sequence, in tenths of a second: alone and in transitions.
  @Test(arguments: [
    ("rect a { for: 1s };  rect b { for: 2s }", ["a 0 10", "b 10 30"]),
    (
      "transition: iris over 0.4s;  rect a { for: 1s };  rect b { for: 2s }",
      ["a 0 6", "iris 6 10", "b 10 26"]
    ),
    (
      "transition: iris over 0.4s;  rect a { for: 1s };  rect b { for: 2s;  transition: cut }",
      ["a 0 10", "b 10 30"]
    ),
    (
      "transition: iris;  rect a { for: 1s };  rect b { at: 0.5s;  for: 1s }",
      ["a 0 10", "b 15 25"]
    ),
    (
      "transition: iris;  rect a { for: 1s };  rect b { at: -0.3s;  for: 1s }",
      ["a 0 7", "iris 7 10", "b 10 17"]
    ),
    ("rect a { for: 1s };  rect b { at: -0.3s;  for: 1s }", ["a 0 10", "b 7 17"]),
    (
      "transition: iris over 9s;  rect a { for: 1s };  rect b { for: 2s };  rect c { for: 2s }",
      ["a 0 5", "iris 5 10", "b 10 15", "iris 15 25", "c 25 35"]
    ),
    (
      "for: 4s;  transition: iris over 1s;  rect a { };  rect b { }",
      ["a 0 15", "iris 15 25", "b 25 40"]
    ),
    ("for: 1s;  rect a { };  rect b { };  rect c { for: 0.4s }", ["a 0 3", "b 3 6", "c 6 10"]),
  ])
  func clipsFollowEachOther(_ row: (String, [String])) throws {
    let result = checked("scene { sequence { \(row.0) } }")
    let model = try #require(result.model, "\(result.diagnostics.map(\.message))")
    let clips = model.elements[0].children.map {
      "\($0.name ?? $0.kind) \(Int(($0.start.seconds * 10).rounded())) \(Int(($0.end.seconds * 10).rounded()))"
    }
    #expect(clips == row.1)
    #expect(model.duration == model.elements[0].end)
  }
}
