// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneIR
import SceneModel
import SceneTestSupport
import SceneText
import Testing

/// The entrances of library components, which last `span` and can be turned off.
@Suite("Entrances of components", .cpuBudget(seconds: 4)) struct EntranceTests {
  private static let head = """
    import "std/plot.scene"
    import "std/charts.scene"
    import "std/math.scene"
    import "std/maps.scene"
    import "std/callouts.scene"
    import "std/titles.scene"
    import "std/cards.scene"
    import "std/frames.scene"
    let on = plane((0, 5), (0, 5))

    """

  static let components = [
    "Axes { on: on;  x-label: \"x\"", "NumberLine {", "Bars { on: on;  values: [1, 3, 2]",
    "Scatter { on: on;  points: [(1, 2), (3, 1), (4, 4)]",
    "VectorField { on: on;  f: fn(p) = (p.y, 1)",
    "Riemann { on: on;  f: fn(x) = x;  from: 0;  to: 4",
    "BarChart { values: [1, 3, 2];  labels: [\"a\", \"b\", \"c\"]",
    "BarChart { series: [(name: \"a\", values: [1, 2]), (name: \"b\", values: [3, 4])]",
    "LineChart { values: [1, 3, 2]", "PieChart { values: [1, 3, 2];  labels: [\"a\", \"b\", \"c\"]",
    "Table { header: [\"a\", \"b\"];  rows: [[\"1\", \"2\"], [\"3\", \"4\"], [\"5\", \"6\"]]",
    "Graph { places: circle-places(4);  edges: [(0, 1), (1, 2), (2, 3)]",
    "Bubble { words: \"Hi\";  place: center;  target: (100, 300)",
    "Map { regions: [(name: \"a\", data: \"M0 0h9v9z\"), (name: \"b\", data: \"M9 0h9v9z\")];  names: true;  values: [1, 2]",
    "Callout { words: \"Hi\";  place: center;  target: (100, 300)",
    "Highlight { place: center;  extent: (200, 100)",
    "Title { title: \"A title in words\";  subtitle: \"below\"", "Title { title: \"Word\"",
    "LowerThird { name: \"Ada\";  role: \"Author\"", "LowerThird { name: \"Ada\"",
    "EndCard { title: \"The\\nend\";  line: \"fin\"", "EndCard { title: \"End\"",
    "Logo { mark: path(\"M0 0h9v9z\");  name: \"Name\"", "Logo { mark: path(\"M0 0h9v9z\")",
    "QuoteCard { quote: \"To be\\nor not\";  author: \"Hamlet\"", "QuoteCard { quote: \"To be\"",
    "Terminal { lines: [\"$ ls\", \"a b\", \"$ rm\"]", "Terminal { lines: [\"$ ls\", \"a b\"]",
    "Code { source: \"let a = 1\"",
    "Curve { on: on;  f: fn(x) = x", "Series { on: on;  points: [(0, 0), (1, 2), (3, 1)]",
    "ParametricCurve { on: on;  f: fn(u) = (u, u)", "PolarCurve { on: on;  r: fn(a) = 1",
    "NumberPlane { on: on", "NumberPlane { on: on;  reach: 1;  step: 2",
  ]
  static let single = [
    "Bars { on: on;  values: [1]", "Scatter { on: on;  points: [(1, 2)]",
    "Riemann { on: on;  f: fn(x) = x;  from: 0;  to: 4;  count: 1",
    "BarChart { values: [1];  labels: [\"a\"]", "NumberLine { from: 0;  to: 0.5",
    "BarChart { series: [(name: \"a\", values: [1]), (name: \"b\", values: [2])]",
    "Graph { places: circle-places(1);  edges: []", "Graph { places: circle-places(3);  edges: []",
    "Graph { places: circle-places(2);  edges: [(0, 1)]",
    "Map { regions: [(name: \"a\", data: \"M0 0h9v9z\")]",
    "Map { regions: [(name: \"a\", data: \"M0 0h9v9z\")];  names: true",
    "PieChart { values: [1];  labels: [\"a\"]", "Table { header: [\"a\"];  rows: [[\"1\"]]",
    "Bars { on: on;  values: [1, 2]", "Scatter { on: on;  points: [(1, 2), (2, 3)]",
    "BarChart { values: [2, 1]",
  ]

  private static func scene(_ component: String, _ span: String) -> String {
    head + "scene { size: 640x360;  for: 9s\n\(component);  span: \(span) }\n}"
  }

  private static func frames(_ component: String, _ span: String, at seconds: [Double]) throws
    -> [String]
  {
    let text = scene(component, span)
    let found = programs(text, at: seconds)
    return try #require(found, "\(checked(text).diagnostics.map(\.message))").map(\.description)
  }

  @Test(arguments: components + single) func lastTheirSpan(_ component: String) throws {
    let still = try Self.frames(component, "0s", at: [0, 8])
    let entering = try Self.frames(component, "4s", at: [4.02, 3.9, 2, 0])
    let whole = still[0]
    #expect(still[1] == whole)
    #expect(entering[0] == whole)
    #expect(entering[1] != whole)
    #expect(entering[2] != whole)
    #expect(entering[3] != whole)
  }

  private static let points = "[for i in 0..20: (i / 4, i / 4)]"
  private static let values = "[for i in 0..20: 1 + i / 10]"
  private static let squares = "[for i in 0..20: (name: \"a\", data: \"M{i * 9} 0h9v9z\")]"

  /// The time between the entrances of items does not depend on their positions in the list.
  @Test(arguments: [
    ("Scatter { on: on;  points: \(points)", 0...0.7),
    ("BarChart { values: \(values);  axis: false;  numbers: true", 1 / 7.0...0.5),
    ("Graph { places: circle-places(20);  edges: [(0, 1), (1, 2)]", 0...0.3),
  ])
  func areSpreadEvenly(_ component: String, _ share: ClosedRange<Double>) throws {
    let length = share.upperBound - share.lowerBound
    let times = (0...20).map { item -> Double in
      let begin = share.lowerBound + length * Double(item) / 19
      return 8 * begin + 0.02
    }
    let frames = try #require(programs(Self.scene(component, "8s"), at: times))
    let counts = frames.map(\.ops.count)
    let steps = zip(counts, counts.dropFirst()).map { $1 - $0 }
    #expect(steps[0] > 0 && Set(steps.prefix(19)).count == 1 && steps[19] == 0, "\(counts)")
  }

  @Test(arguments: [
    "Scatter { on: on;  points: \(points)", "Bars { on: on;  values: \(values)",
    "BarChart { values: \(values)", "Map { regions: \(squares);  names: true",
    "Graph { places: circle-places(20);  edges: [for i in 0..19: (i, i + 1)]",
    "PieChart { values: \(values);  labels: [for i in 0..20: \"a\"]",
    "Table { header: [\"a\"];  rows: [for i in 0..20: [\"1\"]]",
  ])
  func takeTheWholeSpanForManyItems(_ component: String) throws {
    let whole = try Self.frames(component, "0s", at: [0])[0]
    let entering = try Self.frames(component, "4s", at: [4.02, 3.9])
    #expect(entering[0] == whole)
    #expect(entering[1] != whole)
  }

  /// The entrance of a component whose list changes later: the length of the list is constant.
  @Test(arguments: [
    ("Bars { on: on;  values: [1, 2, 3]", "values: [3, 1, 2]"),
    ("Scatter { on: on;  points: [(1, 1), (2, 2)]", "points: [(2, 1), (1, 2)]"),
    ("BarChart { values: [1, 2, 3];  limits: (0, 4)", "values: [3, 1, 2]"),
    ("PieChart { values: [1, 2, 3];  labels: [\"a\", \"b\", \"c\"]", "values: [3, 1, 2]"),
    ("Graph { places: [(9, 9), (99, 99)];  edges: [(0, 1)]", "places: [(9, 99), (99, 9)]"),
  ])
  func listsCanChange(_ component: String, _ value: String) throws {
    let (head, rest) = (Self.head, "at: 5s;  \(value) }")
    let inside = "scene { size: 640x360;  for: 9s\n\(component);  change { \(rest) } }"
    let named = component.replacing(" {", with: " it {", maxReplacements: 1)
    let outside = "scene { size: 640x360;  for: 9s\n\(named) }\nchange of it { \(rest) }"
    for scene in [inside, outside] {
      let checked = checked(head + scene)
      #expect(checked.diagnostics.filter { $0.severity == .error }.isEmpty)
      let model = try #require(checked.model)
      let frames = try #require(programs(of: model, at: [4.9, 5.2, 7]))
      #expect(Set(frames.map(\.description)).count == 3)
    }
  }

  /// Items can be motions.
  @Test func itemsCanMove() {
    let chart = "BarChart { values: [3, v, 2];  limits: (0, 9) }  Bars { on: on;  values: [1, v] }"
    let scene = "scene { for: 4s;  let v = 1 -> 8 over 2s\n\(chart) }"
    #expect(checked(Self.head + scene).diagnostics.filter { $0.severity == .error }.isEmpty)
  }

  /// A list that changes its length, and a text that changes, still cannot determine a time.
  @Test(arguments: [
    (
      "component C(list: list<number>) { rect { at: len(list) * 1s;  size: 9 } }", "list: [1]",
      "list: [1, 2]"
    ),
    (
      "component C(word: text) { rect { at: len(word) * 1s;  size: 9 } }", "word: \"a\"",
      "word: \"ab\""
    ),
  ])
  func lengthsCannotChange(of component: String, from before: String, to after: String) {
    let scene = "scene { for: 9s;  C { \(before);  change { at: 5s;  \(after) } } }"
    #expect(checked(component + "\n" + scene).diagnostics.hasErrors)
  }

  /// An error about the span is reported at the argument. The entrance of a terminal depends on its
  /// lines as well.
  @Test(arguments: components.filter { !$0.hasPrefix("Terminal") })
  func aNegativeSpanIsReportedAtTheArgument(_ component: String) {
    let text = Self.scene(component, "-1s")
    let errors = checked(text).diagnostics
    let spans = Set(
      errors.map { String(decoding: Array(text.utf8)[$0.span.start..<$0.span.end], as: UTF8.self) })
    #expect(spans == ["-1s"], "\(errors.map(\.message))")
  }
}
