// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneIR
import SceneTestSupport
import Testing

/// Values that do not depend on the time or the element are computed once. The tests count the
/// steps of the check.
@Suite("Fixed values", .cpuBudget(seconds: 2)) struct FixityTests {
  /// A value of about 100,000 steps.
  private static let heavy = "sum([for i in 0..10_000: sin(i * 1rad) * i])"

  /// Returns whether a scene needs fewer than five times the steps of the value.
  private static func isCheap(_ declarations: String, _ body: String) -> Bool {
    var options = CheckOptions()
    options.limits.steps = 500_000
    let text = "\(declarations)\nscene { for: 2s; seed: 3; tempo: 90\n\(body)\n}"
    let found = checked(text, options).diagnostics.filter { $0.severity == .error }
    let others = found.filter { $0.code != .limitExceeded }
    #expect(others.isEmpty, "\(others.map(\.message))")
    return found.isEmpty
  }

  private static let uses = "for i in 0..20 { circle { radius: 3 + x / 1_000_000 } }"
  private static let samples =
    "polyline { points: [for i in 0..20: at-time((10 * t / 1s, x / 1000), i * 0.1s)] }"

  @Test(arguments: [
    heavy, "f(3)", "g(fn(a) = a + 1)", "(p: \(heavy)).p", "[1, \(heavy)][1]",
    "true ? \(heavy) : 0", "k(12)", "y + 1", "\(heavy) + random(4)", "\(heavy) * 1beat / 1s",
    "len(\"{\(heavy)}\")",
  ])
  func areComputedOnce(_ value: String) {
    let declarations = """
      fn f(a: number) -> number = \(Self.heavy) + a
      fn g(h: fn(number) -> number) -> number = h(\(Self.heavy))
      fn k(n: number) -> number = n < 1 ? \(Self.heavy) : k(n - 1)
      let y = \(Self.heavy)
      let x = \(value)
      """
    #expect(Self.isCheap(declarations, Self.uses), "\(value)")
    #expect(Self.isCheap(declarations, Self.samples), "\(value)")
  }

  /// In a long chain, each name is visited once, without using the stack.
  @Test(arguments: ["1", "random(1)", "f(1)"]) func chainsAreSearchedOnce(_ first: String) {
    let chain = (1...4000).map { "let a\($0) = a\($0 - 1) + 1" }
    let declarations = """
      fn f(a: number) -> number = a < 1 ? random(1) : f(a - 1)
      let a0 = \(first)
      \(chain.joined(separator: "\n"))
      """
    let points = (0...4000).map { "(a\($0), 1)" }.joined(separator: ", ")
    #expect(
      Self.isCheap(
        declarations,
        "polyline { points: [\(points)] }\nfor i in 0..20 { circle { radius: 3 + a4000 / 1_000 } }")
    )
  }

  /// Functions that call each other in nested parentheses do not use the stack.
  @Test func chainsOfFunctionsAreSearchedOnce() {
    let open = String(repeating: "(", count: 30)
    let close = String(repeating: ")", count: 30)
    let functions = (1...900).map {
      "fn f\($0)(x: number) -> number = x > 0 ? 1 : \(open)f\($0 - 1)(x) + 1\(close)"
    }
    let declarations = """
      fn f0(x: number) -> number = x
      \(functions.joined(separator: "\n"))
      let x = f900(1)
      """
    #expect(Self.isCheap(declarations, Self.uses))
  }

  /// Functions that call each other depend on the time if one of them does.
  @Test func cyclesOfFunctionsHaveOneFixity() throws {
    let text = """
      fn f(n: number) -> number = n < 1 ? 0 : g(n - 1)
      fn g(n: number) -> number = n < 1 ? t / 1s : f(n - 1)
      let x = f(2)
      let y = g(2) + x
      scene {
          for: 2s
          circle { radius: 10 + at-time(y, 0.5s) }
          circle { radius: 10 + at-time(y, 1s) }
          circle { radius: 10 + at-time(x, 1s) }
      }
      """
    let frame = try #require(program(text, at: 0.1))
    let found = frame.ops.compactMap { op -> Double? in
      if case .fill(.ellipse(_, let radius, _), _) = op { radius } else { nil }
    }
    #expect(found == [10.5, 11, 10])
  }

  @Test func argumentsAreComputedOnce() {
    let component = "component Path(x: number) { \(Self.samples) }"
    #expect(Self.isCheap(component, "Path { x: \(Self.heavy) }"))
    #expect(
      Self.isCheap(
        component + "\ncomponent Outer(y: number) { Path { x: y } }",
        "Outer { y: \(Self.heavy) }"))
  }

  @Test func anAtTimeInAListReadsConstantsOnce() {
    let body = """
      let x = \(Self.heavy)
      let places = [for i in 0..10: [for k in 0..10: at-time(x * t / 1s, k * 0.1s)]]
      circle { radius: 3 + places[2][3] / 1_000_000 }
      """
    #expect(Self.isCheap("", body))
  }

  /// Values that depend on the time or the element are computed for each use.
  @Test(arguments: [
    ("let x = t / 1s", [10.5, 11, 10.5, 11]),
    ("let x = 0 -> 4 over 1s", [12, 14, 12, 14]),
    ("fn f() -> number = t / 1s\nlet x = f()", [10.5, 11, 10.5, 11]),
    ("let x = duration / 1s", [11, 11, 12, 12]),
    ("let y = duration / 1s\nlet x = y", [11, 11, 12, 12]),
    (
      "fn g(h: fn(number) -> number) -> number = h(1)\nlet x = g(fn(a) = a * t / 1s)",
      [10.5, 11, 10.5, 11]
    ),
  ])
  func othersAreComputedForEachUse(_ declaration: String, _ radii: [Double]) throws {
    let text = """
      \(declaration)
      scene {
          for: 2s
          circle { for: 1s;  radius: 10 + at-time(x, 0.5s) }
          circle { for: 1s;  radius: 10 + at-time(x, 1s) }
          circle { radius: 10 + at-time(x, 0.5s) }
          circle { radius: 10 + at-time(x, 1s) }
      }
      """
    let messages = checked(text).diagnostics.map(\.message)
    let frame = try #require(program(text, at: 0.1), "\(messages)")
    let found = frame.ops.compactMap { op -> Double? in
      if case .fill(.ellipse(_, let radius, _), _) = op { radius } else { nil }
    }
    #expect(found == radii)
  }

  /// Percentages of points are relative to the box of the element that uses the value.
  @Test(arguments: [
    "let r = distance((50%, 0%), (0, 0))",
    "fn f() -> number = distance((50%, 0%), (0, 0))\nlet r = f()",
    "fn f(a: pair) -> number = distance(a, (0, 0))\nlet p = (50%, 0%)\nlet r = f(p)",
  ])
  func percentagesOfPointsAreComputedForEachBox(_ declarations: String) throws {
    let text = """
      \(declarations)
      scene {
          size: 400x300;  for: 1s
          group { size: 100;  circle { radius: r } }
          group { size: 40;  circle { radius: r } }
          circle { radius: r }
      }
      """
    let messages = checked(text).diagnostics.map(\.message)
    let frame = try #require(program(text, at: 0), "\(messages)").description
    let radii = [50, 20, 200].map { frame.contains("\($0)") }
    #expect(radii == [true, true, true], "\(frame)")
  }
}
