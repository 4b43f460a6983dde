// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneIR
import SceneLanguage
import SceneSyntax
import SceneTestSupport
import SceneText
import SceneTypes
import Testing

/// Tests that the work of each built-in function counts in proportion to its arguments.
@Suite("Costs", .cpuBudget(seconds: 3)) struct CostTests {
  /// Functions that require only constant time for a list or text.
  private static let constant: Set = ["len", "first", "last"]
  /// Functions of files, sounds, elements and motions. Their bodies count the work, and other tests
  /// of limits cover them.
  private static let exempt: Set<String> = [
    "data", "lut", "pattern", "brush", "sample", "level", "duck", "beats", "loop", "reverse",
    "delay", "at-time", "union", "intersect", "subtract", "exclude", "offset", "peak", "flashes",
    "inside", "overlaps", "apart", "contrast-of", "opacity-of", "covered", "readable", "still",
    "loudness",
  ]

  /// A call of each function with large arguments.
  static let calls: [String: String] = [
    "sum": "sum(l)", "mean": "mean(l)", "sort": "sort(l)", "reverse-list": "reverse-list(l)",
    "zip": "zip(l, l)", "concat": "concat(l, l)", "any": "any(b)", "all": "all(b)",
    "min": "min(l)", "max": "max(l)", "fold": "fold(l, 0, fn(x, y) = x + y)",
    "scan": "scan(l, 0, fn(x, y) = x + y)", "join": "join(w, \"\")", "upper": "upper(s)",
    "lower": "lower(s)", "trim": "trim(s)", "split": "split(s, \",\")",
    "replace": "replace(s, \"a\", \"b\")", "starts-with": "starts-with(s, \"b\")",
    "ends-with": "ends-with(s, \"b\")", "contains": "contains(s, \"b\")",
    "line-count": "line-count(s)", "versions": "versions(s)", "format": "format(1, group: s)",
    "code-spans": "code-spans(v, \"swift\")", "path": "path(p)", "point-at": "point-at(q, 0.5)",
    "angle-at": "angle-at(q, 0.5)", "length-of": "length-of(q)", "polygon": "polygon(n)",
    "linear-gradient": "linear-gradient(c)", "radial-gradient": "radial-gradient(c)",
    "conic-gradient": "conic-gradient(c)", "mix": "mix(l, l, 0.5)",
    "map-range": "map-range(0.5, 0, 1, l, l)", "defined": "defined(l)",
  ]

  private static let declarations = """
    let l = [for i in 0..4000: i]
    let b = [for i in l: i < 5000]
    let c = [for i in 0..900: red]
    let n = [for i in l: (i, i)]
    let w = [for i in l: "a"]
    let s = "\(String(repeating: "a", count: 8000))"
    let v = "\(String(repeating: "a", count: 100))"
    let p = "M0 0\(String(repeating: "h1v1", count: 2000))"
    let q = path(p)

    """

  private func check(_ call: String, rounds: Int) -> Checked {
    check(
      CostTests.declarations + """
        scene { size: 64x48; for: 1s;  text "{len([for i in 0..\(rounds): \(call)])}" }
        """, limits: ["steps": 120_000])
  }

  private func check(_ text: String, limits: [String: Double]) -> Checked {
    var options = CheckOptions()
    for (name, limit) in limits {
      let isKnown = options.limits.set(name, limit)
      #expect(isKnown)
    }
    return SceneCheck.check(
      parse(SourceFile(name: "cost.scene", text: text)), options: options, metrics: FixedMetrics(),
      assets: OneImage())
  }

  /// A new function needs a call here if its work depends on the sizes of its arguments.
  @Test func allFunctionsAreCovered() throws {
    for name in BuiltIn.all.keys {
      let function = try #require(BuiltIn.all[name])
      if function.cost == .constant {
        let large: Set<ValueType> = [.list, .text, .path, .image, .element, .function]
        #expect(
          CostTests.constant.contains(name)
            || !function.parameters.contains { large.contains($0.type) },
          "'\(name)' has constant cost, but a parameter of any size")
      } else {
        #expect(
          CostTests.calls[name] != nil || CostTests.exempt.contains(name),
          "'\(name)' is not in 'calls'")
      }
    }
  }

  @Test(arguments: CostTests.calls.keys.sorted()) func workIsCounted(_ name: String) throws {
    let call = try #require(CostTests.calls[name])
    let once = check(call, rounds: 1)
    #expect(once.model != nil, "\(name): \(once.diagnostics.map(\.message))")
    let often = check(call, rounds: 4000)
    #expect(often.model == nil, "\(name)")
    let errors = often.diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.code) == [.limitExceeded], "\(name): \(errors.map(\.message))")
    #expect(errors.allSatisfy { $0.span.start > 0 })
  }

  @Test(arguments: CostTests.constant.sorted()) func constantWorkIsNotCounted(_ name: String) {
    for argument in name == "len" ? ["l", "s"] : ["l"] {
      #expect(check("\(name)(\(argument))", rounds: 4000).model != nil, "\(name)")
    }
  }

  /// Calls whose results take memory: those of `calls` with large results, and more.
  static let results: [String] =
    [
      "sort", "reverse-list", "zip", "concat", "scan", "join", "upper", "lower", "trim", "split",
      "replace", "path", "polygon", "linear-gradient", "radial-gradient", "conic-gradient", "mix",
    ].compactMap { calls[$0] } + [
      "mix(q, path(r), 0.5)", "l[0..4000]", "s[0..7999]", "[for i in l: i + 1]", "(a: l[1..4000])",
      "replace(t, \"a\", t)", "join([s, s], \"\")",
    ]

  @Test(arguments: results) func memoryIsCounted(_ call: String) {
    let declarations =
      CostTests.declarations + """
        let r = "M1 1\(String(repeating: "h1v1", count: 2000))"
        let t = "\(String(repeating: "a", count: 100))"

        """
    func check(rounds: Int) -> Checked {
      self.check(
        declarations + """
          scene { size: 64x48; for: 1s;  text "{len([for i in 0..\(rounds): \(call)])}" }
          """, limits: ["memory": 6_000_000, "steps": 100_000_000])
    }
    let once = check(rounds: 1)
    #expect(once.model != nil, "\(call): \(once.diagnostics.map(\.message))")
    let errors = check(rounds: 2000).diagnostics.filter { $0.severity == .error }
    #expect(errors.count == 1, "\(call): \(errors.map(\.message))")
    #expect(
      errors.allSatisfy { $0.code == .limitExceeded && $0.message.contains("memory") },
      "\(call): \(errors.map(\.message))")
  }

  /// Paths, gradients and paints of elements remain until the end of the scene.
  @Test(arguments: [
    "polyline { points: n }", "circle { fill: linear-gradient(c) }",
    "circle { fill: spots(reverse-list(l)) }", "circle { fill: inner(reverse-list(l)) }",
  ])
  func elementsTakeMemory(_ element: String) {
    let checked = check(
      CostTests.declarations + """
        paint spots(l: list) { color: l[0] > 3 ? red : blue }
        paint plain(k: number) { color: k > 3 ? red : blue }
        fn inner(l: list) -> paint = plain(l[0])
        scene { size: 64x48; for: 1s;  for i in 0..200 { \(element) } }
        """, limits: ["memory": 6_000_000])
    let errors = checked.diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.code) == [.limitExceeded], "\(errors.map(\.message))")
  }

  /// Intermediate values count only while they are in use.
  @Test(arguments: [
    "fold(0..2000, [0], fn(s, i) = concat(s, [i]))", "[for i in 0..2000: sum(a[0..i])]",
    "[for i in 0..2000: len(zip(a, a))]", "[for i in 0..2000: reverse-list(a)[0]]",
    "[for i in 0..2000: reverse-list(a)[0..4]]", "[for i in 0..2000: length-of(polygon(b))]",
    "[for i in 0..2000: (50%, reverse-list(a)[0])]", "[for i in 0..2000: len(upper(s))]",
  ])
  func memoryIsReleased(_ value: String) {
    expectRelease(
      """
      let s = "\(String(repeating: "é", count: 3000))"
      scene { size: 64x48; for: 1s;  text "{len(\(value))}" }
      """)
  }

  @Test(arguments: [
    "for v in reverse-list(a)[0..3] { circle { radius: v - 1990 } }",
    "if reverse-list(a)[0] > 3 { circle { radius: 2 } }",
    "circle { radius: 2;  at: reverse-list(a)[0] * 0.1ms }",
    "circle { radius: 2;  position: (50%, reverse-list(a)[0] / 100) }",
    "circle { radius: 2;  fill: linear-gradient(red, blue, angle: reverse-list(a)[0] * 1deg) }",
    "text \"{reverse-list(a)[0] + t / 1s}\" { font-size: 6 }",
    "Spark { let recent = reverse-list(a)[0..5];  index: k + sum(recent) }",
    "circle { radius: 2;  enter: reverse-list(a)[0] > 3 ? fade : pop }",
    "circle { radius: 2;  exit: turn(by: reverse-list(a)[0] * 1deg) over reverse-list(a)[0] * 1ms }",
    "expect { reverse-list(a)[0] > 3 }",
  ])
  func memoryOfElementsIsReleased(_ body: String) {
    expectRelease(
      """
      effect turn(by: angle) { rotate: by * progress }
      component Spark(index: number) { circle { radius: 1 + mod(index, 3) } }
      scene { size: 64x48; for: 1s;  for k in 0..700 { \(body) } }
      """)
  }

  @Test func memoryOfScenesIsReleased() {
    expectRelease(
      (0..<50).map {
        """
        scene S\($0) {
          size: 64x48;  for: 1s;  let a = [for i in 0..2000: i + \($0)]
          let c = [for i in a: i];  let d = [for i in a: (i, i)]
          text "{len(a) + len(c) + len(d)}" { font-size: 6 }
        }
        """
      }.joined(separator: "\n"))
  }

  private func expectRelease(_ text: String) {
    let checked = check(
      """
      let a = [for i in 0..2000: i]
      let b = [for i in a: (i, i)]
      \(text)
      """, limits: ["memory": 10_000_000])
    #expect(checked.model != nil, "\(checked.diagnostics.map(\.message))")
  }
}
