// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneIR
import SceneModel
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Tests the limits on the work of a check and a frame.
@Suite("Work", .cpuBudget(seconds: 1)) struct WorkTests {
  private func check(_ body: String, _ name: String = "", _ value: Double = 0) -> Checked {
    var options = CheckOptions()
    let isKnown = options.limits.set(name, value)
    #expect(isKnown || name.isEmpty)
    let text = "scene { size: 640x360; for: 1s\n\(body)\n}"
    return SceneCheck.check(
      parse(SourceFile(name: "work.scene", text: text)), options: options, metrics: FixedMetrics(),
      assets: OneImage())
  }

  /// Each exceeded limit causes one error, which names the limit and its span, and can be raised by
  /// its name.
  @Test(arguments: [
    ("steps", 300.0, "let x = [for i in 0..200: i * 2]\ncircle { radius: x[3] }"),
    ("characters", 50, "text \"{len(\"\(String(repeating: "ab{1 + 1}", count: 20))\")}\""),
    ("rounds", 50, "let x = [for i in 0..60: i]\ncircle { radius: x[3] }"),
    ("elements", 50, "for i in 0..49 { circle { } }\nfor i in 0..9 { circle { } }"),
    ("rounds", 50, "repeat { copies: 60;  circle { } }"),
    ("elements", 50, "repeat { copies: 30;  circle { } }"),
    ("memory", 10_000, "text \"{len([for i in 0..50: zip([1, 2, 3], [4, 5, 6])])}\""),
    ("path", 50, "path { data: path(\"M0 0\(String(repeating: "h1v1", count: 40))\") }"),
    ("drawing", 5e5, "for i in 0..9 { rect { size: 100%; fill: red } }"),
  ])
  func limits(_ name: String, _ value: Double, _ body: String) {
    let stopped = check(body, name, value)
    #expect(stopped.model == nil)
    let errors = stopped.diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.code) == [.limitExceeded], "\(errors)")
    #expect(errors.allSatisfy { $0.label.contains("'\(name)'") && $0.span.start > 0 }, "\(errors)")
    #expect(check(body, name, value * 1000).model != nil)
  }

  /// All scenes of a file count together, so that several scenes cannot circumvent a limit.
  @Test func scenesCountTogether() {
    var options = CheckOptions()
    options.limits.elements = 100
    let scene = "scene { for: 1s;  for i in 0..40 { circle { } } }\n"
    func count(_ scenes: Int) -> Int {
      SceneCheck.check(
        parse(
          SourceFile(name: "many.scene", text: String(repeating: scene, count: scenes))),
        options: options, metrics: FixedMetrics(), assets: OneImage()
      ).diagnostics.count { $0.code == .limitExceeded }
    }
    #expect(count(2) == 0)
    #expect(count(3) == 1)
  }

  /// Motions with several keyframes match only adjacent paths, once during the check.
  @Test(arguments: [
    "a -> b -> a", "a -> b -> c -> a -> b", "keyframes { 0s: a; 0.5s: a; 1s: b }",
    "t > 0.5s ? (a -> b) : (b -> c)", "loop(a -> b -> a over 0.5s)",
  ])
  func keysAreMatchedOnce(_ motion: String) throws {
    let body =
      "rect a { visible: false }\nstar b { visible: false }\ncircle c { visible: false }\npath { data: \(motion) }"
    let model = try #require(check(body).model)
    let drawn = try #require(model.elements.last)
    guard case .outline(.path(let path), _, _, _, _, _) = drawn.drawing else {
      Issue.record("no path")
      return
    }
    #expect(!path.matchesAgain, "\(path)")
  }
}

extension PathModel {
  /// Whether the model matches two paths at each evaluation.
  fileprivate var matchesAgain: Bool {
    segments.contains { segment in
      switch segment {
      case .morph: true
      case .choice(_, let a, let b): a.matchesAgain || b.matchesAgain
      case .mapped(_, let inner), .projected(_, let inner): inner.matchesAgain
      default: false
      }
    }
  }
}
