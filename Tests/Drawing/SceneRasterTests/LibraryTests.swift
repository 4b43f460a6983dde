// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLibrary
import SceneTestSupport
import Testing

/// Tests that every component of the library, rendered at four sizes, is visible and stays within
/// its box.
@Suite("Library", .cpuBudget(seconds: 6)) struct LibraryDrawingTests {
  private static let sizes = [(640, 360), (360, 360), (360, 640), (960, 540)]

  @Test func noneIsMissing() throws {
    var names: Set<String> = []
    for file in LibraryUse.imports {
      let text = String(decoding: try #require(Library.file(file + ".scene")), as: UTF8.self)
      for line in text.split(separator: "\n") where line.hasPrefix("component ") {
        names.insert(String(line.dropFirst(10).prefix { $0 != "(" }))
      }
    }
    let known = names.filter { !$0.hasPrefix("_") }
    #expect(known == Set(LibraryUse.all.map(\.name)))
  }

  /// With a `span` of 0s, a component is complete in its first frame.
  @Test(arguments: [
    "Axes { on: plane((0, 10), (0, 10))%;  grid: true }",
    "Axes { on: plane((0, 10), (0, 10))%;  tips: false }",
    "Riemann { on: plane((0, 10), (0, 10));  f: fn(x) = x / 2;  from: 1;  to: 9;  count: 8% }",
  ])
  func anEntranceCanBeRemoved(_ use: String) throws {
    func drawing(_ setting: String) throws -> Drawing {
      let use = use.replacing("%", with: setting)
      return try Drawing(
        """
        import "std/plot.scene"
        scene { size: 320x240;  fps: 10;  for: 3s;  group { size: 300x200;  \(use) } }
        """)
    }
    let still = try drawing(";  span: 0s")
    #expect(try still.pixels(0) == still.pixels(25))
    let entering = try drawing("")
    #expect(try entering.pixels(0) != entering.pixels(25))
    #expect(try entering.pixels(25) == still.pixels(25))
  }

  private static func plot(_ use: String) throws -> [UInt8] {
    try Drawing(
      """
      import "std/plot.scene"
      import "std/math.scene"
      let on = plane((0, 10), (-1, 1))
      scene { size: 320x240;  for: 1s;  group { size: 200x100;  \(use) } }
      """
    ).pixels(0)
  }

  /// A curve along the border of the plane has its whole stroke, and one outside the plane is
  /// clipped.
  @Test(arguments: [
    ("Curve { on: on;  f: fn(x) = ", ""), ("ParametricCurve { on: on;  f: fn(u) = (10 * u, ", ")"),
  ])
  func curvesHaveTheirWholeStrokeAtTheBorder(_ start: String, _ end: String) throws {
    let style = "thickness: 16;  tint: white"
    func curve(_ height: String) throws -> [UInt8] {
      try Self.plot("\(start)\(height)\(end);  \(style) }")
    }
    for height in ["1", "-1", "0.2"] {
      let line = "points: [(0, \(height)), (10, \(height))];  dots: false"
      #expect(try curve(height) == Self.plot("Series { on: on;  \(line);  \(style) }"))
    }
    #expect(try curve("1.5") == Self.plot(""))
    // The window has a margin of half the thickness, in which a line beyond the plane is visible.
    let beyond = "Series { on: on;  points: [(0, 1.06), (10, 1.06)];  dots: false;  \(style) }"
    let window = "group { size: 216x116;  clip: true;  group { size: 200x100;  \(beyond) } }"
    #expect(try curve("1.06") == Self.plot(window))
    #expect(try curve("1.06") != Self.plot(beyond))
  }

  /// The pole or the end of the domain is at or near the center of the plane.
  @Test(arguments: [
    "1 / (x - 5)", "1 / (x - 5.02)", "tan(x - 5 + 1.5708)", "log(x - 5)", "sqrt(x - 5.5)",
  ])
  func undefinedPointsAndPolesInterruptCurves(_ value: String) throws {
    let curve = try Self.plot("Curve { on: on;  f: fn(x) = \(value);  gaps: true;  tint: white }")
    #expect(try curve != Self.plot(""))
    let center = (120 * 320 + 160) * 4
    #expect(curve[center..<center + 3].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [
    "Area { from: 0;  to: 10;  f: fn(x) = 1 / (x - 5)", "Area { from: 0;  to: 9;  f: log",
    "AreaBetween { from: 0;  to: 9;  f: log;  g: fn(x) = -1 / x",
    "Riemann { from: 0;  to: 9;  sample: 0;  f: log;  span: 0s",
    "ParametricCurve { gaps: true;  f: fn(u) = (10 * u, 0.1 / u)",
    "PolarCurve { gaps: true;  r: fn(a) = 1 / cos(a)",
  ])
  func undefinedPointsAreOmitted(_ use: String) throws {
    #expect(try Self.plot("\(use);  on: on }") != Self.plot(""))
  }

  /// A point outside the plane is hidden.
  @Test(arguments: ["Tracer", "Tangent"])
  func pointsEndAtThePlane(_ component: String) throws {
    let use = "\(component) { on: on;  f: fn(x) = x / 5;  x: "
    #expect(try Self.plot("\(use)9 }") == Self.plot(""))
    #expect(try Self.plot("\(use)4 }") != Self.plot(""))
  }

  /// The axes of a reversed plane are mirrored, and the signs of their steps do not matter.
  @Test(arguments: [("(10, 0), (-1, 1)", true), ("(0, 10), (1, -1)", false)])
  func reversedAxesAreMirrored(_ limits: String, _ isHorizontal: Bool) throws {
    func axes(_ limits: String, _ sign: String, numbers: Bool = false) throws -> [UInt8] {
      let steps = "x-step: \(sign)2;  y-step: \(sign)0.5"
      return try Self.plot(
        "Axes { on: plane(\(limits));  \(steps);  numbers: \(numbers);  ticks: true;  span: 0s }")
    }
    let plain = try axes("(0, 10), (-1, 1)", "")
    let reversed = try axes(limits, "-")
    let differences = (0..<240 * 320).map { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: 320)
      let mirrored = isHorizontal ? row * 320 + 319 - column : (239 - row) * 320 + column
      return abs(Int(plain[index * 4]) - Int(reversed[mirrored * 4]))
    }
    // The edges of the arrowheads are rounded differently.
    #expect(try #require(differences.max()) < 32)
    #expect(try reversed != axes(limits, "-", numbers: true))
  }

  /// Elements in the body of the axes are below the numbers.
  @Test func axesHaveContents() throws {
    let line = "Series { on: on;  points: [(0, -0.3), (10, -0.3)];  dots: false;  tint: white }"
    let axes = "Axes { on: on;  span: 0s;  tips: false;  halo: black"
    let inside = try Self.plot("\(axes);  \(line) }")
    #expect(try inside != Self.plot("\(axes) }  \(line)"))
    #expect(try inside != Self.plot("\(axes) }"))
  }

  /// The lines of a grid that is smaller than the plane are visible as soon as they grow.
  @Test func smallGridsGrowFromTheirStart() throws {
    let drawing = try Drawing(
      """
      import "std/plot.scene"
      scene { size: 320x240;  fps: 10;  for: 3s
        NumberPlane { on: plane((-1, 1), (-1, 1));  reach: 0.5;  span: 2s }
      }
      """)
    #expect(try drawing.pixels(8) != drawing.pixels(0))
  }

  @Test func defaultsOfMarksAreUnchanged() throws {
    let vector = "Vector { on: on;  to: (5, 0);  label: \"v\""
    #expect(try Self.plot("\(vector) }") == Self.plot("\(vector);  size-of-text: 34 }"))
    #expect(try Self.plot("\(vector) }") != Self.plot("\(vector);  size-of-text: 60 }"))
    let mark = "AngleMark { corner: (20, 90);  from: (190, 90);  to: (90, 20)"
    #expect(try Self.plot("\(mark) }") == Self.plot("\(mark);  filled: true }"))
    #expect(try Self.plot("\(mark) }") != Self.plot("\(mark);  filled: false }"))
  }

  @Test(arguments: [
    "BarChart { }", "BarChart { values: [];  labels: [\"a\"] }",
    "BarChart { series: [(name: \"a\", values: [])] }", "LineChart { }",
    "LineChart { values: [1];  labels: [\"a\", \"b\"] }", "PieChart { values: [] }",
    "PieChart { values: [1];  labels: [\"a\", \"b\"] }", "BarRace { rows: [];  columns: [\"a\"] }",
    "BarRace { rows: [(name: \"x\", a: 0)];  columns: [] }",
    "BarRace { rows: [(name: \"x\", a: 0)];  columns: [\"a\"] }", "Matrix { entries: [] }",
    "Matrix { entries: [[\"1\"], [\"2\"]];  order: [1] }", "Table { header: [];  rows: [] }",
    "Graph { places: [50%];  edges: [];  labels: [] }",
    "Graph { places: force-places(0, []);  edges: [] }", "Terminal { lines: [] }",
    "Map { regions: [(name: \"a\", data: \"M0 0 L9 9 L0 9 Z\")];  values: [] }",
  ])
  func listsCanBeEmpty(_ use: String) throws {
    let files = ["charts", "math", "cards", "maps"].map { "import \"std/\($0).scene\"" }
    let source = "scene { size: 320x240;  for: 2s;  group { size: 200x100;  \(use) } }"
    _ = try Drawing("\(files.joined(separator: "\n"))\n\(source)").pixels(0)
  }

  private static func race(_ rows: String, _ settings: String = "") throws -> Drawing {
    try Drawing(
      """
      import "std/charts.scene"
      scene { size: 320x240;  fps: 10;  for: 2s
        group { size: 300x200;  BarRace { rows: [\(rows)];  columns: ["a", "b"];  \(settings) } }
      }
      """)
  }

  /// Returns the first rows of the bars from the top, near their axis. Each bar is brighter than
  /// 200 in the green channel.
  private static func bars(_ drawing: Drawing, _ frame: Int) throws -> [Int] {
    let pixels = try drawing.pixels(frame)
    let isBright = (0..<240).map { pixels[($0 * 320 + 32) * 4 + 1] > 200 }
    return (1..<240).filter { isBright[$0] && !isBright[$0 - 1] }
  }

  @Test func tiedBarsAreInTheOrderOfTheirRows() throws {
    let rows = """
      (name: "i", a: 5, b: 5), (name: "j", a: 5, b: 5), (name: "k", a: 4.99, b: 9)
      """
    #expect(try Self.bars(Self.race(rows, "tints: [white]"), 0).count == 3)
    #expect(try Self.bars(Self.race(rows, "tints: [white]"), 19).count == 3)
    let first = try Self.bars(Self.race(rows, "tints: [white, red, red]"), 0)
    let second = try Self.bars(Self.race(rows, "tints: [red, white, red]"), 0)
    #expect(try #require(first.first) < #require(second.first))
  }

  /// A bar that overtakes another one with a similar value needs the whole step.
  @Test func closeBarsPassWithoutJumps() throws {
    let rows = "(name: \"i\", a: 101, b: 100), (name: \"j\", a: 100, b: 101)"
    let drawing = try Self.race(rows, "tints: [red, white]")
    let places = try (0...10).map { try #require(Self.bars(drawing, $0).first) }
    for (place, next) in zip(places, places.dropFirst()) {
      #expect((1...12).contains(place - next))
    }
  }

  @Test func rowsWithoutValuesAreAbsent() throws {
    let row = "(name: \"i\", a: 5, b: 6)"
    let leaving = try Self.race("\(row), (name: \"j\", a: 4, b: none)", "tints: [white]")
    #expect(try Self.bars(leaving, 0).count == 2)
    #expect(try Self.bars(leaving, 10).count == 1)
    let entering = try Self.race("\(row), (name: \"j\", a: none, b: 4)", "tints: [white]")
    #expect(try Self.bars(entering, 0).count == 1)
    #expect(try Self.bars(entering, 10).count == 2)
    let absent = try Self.race("\(row), (name: \"long name\", a: none, b: none)")
    #expect(try absent.pixels(5) == Self.race(row).pixels(5))
  }

  @Test func racesHaveALimitedNumberOfBars() throws {
    let values = [9, 4, 7, 2].map { "(name: \"i\", a: \($0), b: \($0))" }
    let rows = values.joined(separator: ", ")
    #expect(try Self.bars(Self.race(rows, "tints: [white]"), 0).count == 4)
    #expect(try Self.bars(Self.race(rows, "tints: [white];  top: 2"), 0).count == 2)
  }

  @Test(arguments: ["decimals: 1", "prefix: \"$\"", "suffix: \" km\"", "tints: [white]"])
  func racesHaveTheSettingsOfBarCharts(_ setting: String) throws {
    let row = "(name: \"i\", a: 5, b: 6)"
    #expect(try Self.race(row, setting).pixels(0) != Self.race(row).pixels(0))
  }

  /// While a lower third leaves, its texts end with its bar.
  @Test(arguments: [56, 58, 59]) func lowerThirdsAreWipedWithTheirTexts(_ frame: Int) throws {
    let drawing = try Drawing(
      """
      import "std/titles.scene"
      scene { size: 320x180;  fps: 30;  for: 2s;  background: #7f7f7f
        LowerThird { name: "Grace Brewster Murray Hopper";  role: "Rear admiral" }
      }
      """)
    let pixels = try drawing.pixels(frame)
    let ends = (0..<180).compactMap { row in
      (0..<320).last { column in
        pixels[(row * 320 + column) * 4..<(row * 320 + column) * 4 + 3].contains { $0 != 127 }
      }
    }
    let (least, most) = (try #require(ends.min()), try #require(ends.max()))
    #expect(most - least <= 1)
  }

  /// The corners of a bar at the axis are square, and those at its outer end are round.
  @Test(arguments: [(8, 0), (-8, 1)])
  func barsAreRoundedAtTheirOuterEnd(_ value: Int, _ side: Int) throws {
    let drawing = try Drawing(
      """
      import "std/charts.scene"
      scene { size: 300x300;  for: 1s
        BarChart { values: [\(value)];  axis: false;  numbers: false;  span: 0s;  tint: white;  ink-color: white }
      }
      """)
    let pixels = try drawing.pixels(0)
    func width(_ row: Int) -> Int { (0..<300).count { pixels[(row * 300 + $0) * 4] > 200 } }
    // The line at 0 spans the whole width.
    let rows = (0..<300).filter { (1..<290).contains(width($0)) }
    let (top, bottom) = (try #require(rows.first), try #require(rows.last))
    let middle = width((top + bottom) / 2)
    #expect((width(top) == middle) == (side == 1))
    #expect((width(bottom) == middle) == (side == 0))
  }

  /// The component is centered in a scene with a margin of a tenth, which must stay empty.
  /// Each theme is tested in two sizes, or in all in a soak.
  @Test(arguments: LibraryUse.all.map(\.name), ["night", "paper"])
  func itFitsItsBox(_ name: String, _ theme: String) throws {
    let component = try #require(LibraryUse.all.first { $0.name == name })
    let (use, second) = (component.arguments, component.second)
    let imports = [component.file, "themes"].map { "import \"std/\($0).scene\"" }
    let takesTheme = !["SafeArea", "Phone", "Isometric", "DeviceTilt"].contains(name)
    let sizes: [(Int, Int)] = theme == "night" ? Self.sizes : Self.sizes.reversed()
    for (width, height) in sizes.share(every: 2) {
      let (x, y) = (width / 20 * 2, height / 20 * 2)
      let (whole, tall) = (width + 2 * x, height + 2 * y)
      let drawing = try Drawing(
        """
        \(imports.joined(separator: "\n"))
        scene {
            size: \(whole)x\(tall);  fps: 10;  for: 12s;  background: #7f7f7f
            group { size: \(width)x\(height);  \(name) { \(use)\(takesTheme ? ";  theme: \(theme)" : "") } }
        }
        """)
      let pixels = try drawing.pixels(Int(second * 10))
      let other = Pixels.count(
        unlike: 127, in: pixels, width: whole, columns: x..<x + width, rows: y..<y + height)
      #expect(other.inside > width * height / 400, "\(name) at \(width)x\(height) shows nothing")
      #expect(
        other.outside == 0, "\(name) at \(width)x\(height) has \(other.outside) pixels outside")
    }
  }
}
