// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneIR
import SceneModel
import SceneTestSupport
import SceneText
import Testing

/// The entrances of library components, which last `span` and can be turned off.
@Suite("Entrances of components", .cpuBudget(seconds: 10)) struct EntranceTests {
  private static let head = """
    import "std/plot.scene"
    import "std/charts.scene"
    import "std/math.scene"
    import "std/maps.scene"
    import "std/callouts.scene"
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
  ]

  private static func scene(_ component: String, _ span: String) -> String {
    head + "scene { size: 640x360;  for: 9s\n\(component);  span: \(span) }\n}"
  }

  private static func frame(_ component: String, _ span: String, at seconds: Double) throws
    -> String
  {
    let text = scene(component, span)
    let found = program(text, at: seconds)
    return try #require(found, "\(checked(text).diagnostics.map(\.message))").description
  }

  @Test(arguments: components) func lastTheirSpan(_ component: String) throws {
    let whole = try Self.frame(component, "0s", at: 0)
    #expect(try Self.frame(component, "0s", at: 8) == whole)
    #expect(try Self.frame(component, "4s", at: 4.1) == whole)
    #expect(try Self.frame(component, "4s", at: 2) != whole)
    #expect(try Self.frame(component, "4s", at: 0) != whole)
  }

  /// An error about the span is reported at the argument.
  @Test(arguments: components) func aNegativeSpanIsReportedAtTheArgument(_ component: String) {
    let text = Self.scene(component, "-1s")
    let errors = checked(text).diagnostics
    let spans = Set(
      errors.map { String(decoding: Array(text.utf8)[$0.span.start..<$0.span.end], as: UTF8.self) })
    #expect(spans == ["-1s"], "\(errors.map(\.message))")
  }
}
