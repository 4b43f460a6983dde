// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneIR
import SceneLower
import SceneModel
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// `repeat`: copies with accumulated steps.
@Suite("Repeat", .cpuBudget(seconds: 1)) struct RepeatTests {
  private static func frames(_ body: String, _ options: CheckOptions = CheckOptions()) throws
    -> [String]
  {
    let text = "scene { size: 400x400;  for: 1s;  fps: 4\n\(body)\n}"
    let checked = check(
      parse(SourceFile(name: "a.scene", text: text)), options: options, metrics: FixedMetrics(),
      assets: OneImage())
    #expect(checked.diagnostics.isEmpty, "\(checked.diagnostics)")
    let model = try #require(checked.model)
    var lowerer = Lowerer(model, metrics: FixedMetrics())
    return (0..<4).map { lowerer.lower(frame: $0).description }
  }

  private static let drawing = "circle { radius: 10 + index;  position: (30%, 40%);  fill: teal }"

  /// Compares a `repeat` with the equivalent loop, with constant and animated offsets.
  @Test(arguments: ["0", "0.5", "-2", "0 -> 1", "wave(1s)"])
  func copiesAreThatOfALoop(_ offset: String) throws {
    let repeated = try Self.frames(
      """
      repeat {
          copies: 5;  step-translate: (20, 5%);  step-rotate: 30deg;  step-scale: (90%, 1.1)
          step-opacity: 80%;  step-offset: \(offset);  pivot: (25%, 75%)
          \(Self.drawing)
      }
      """)
    let looped = try Self.frames(
      """
      group {
          let before = \(offset)
          for index in 0..5 {
              let n = index + before
              group {
                  translate: (20 * n, 20 * n);  rotate: 30deg * n
                  scale: (pow(0.9, n), pow(1.1, n));  opacity: min(1, pow(0.8, n))
                  pivot: (25%, 75%)
                  \(Self.drawing)
              }
          }
      }
      """)
    #expect(repeated == looped)
  }

  /// An animated step affects all copies, and an offset of one step is the position of the next
  /// copy.
  @Test func aWholeStepIsTheNextPlace() throws {
    let body = "circle { radius: 10;  position: (10%, 40%);  fill: teal }"
    let shifted = try Self.frames(
      "repeat { copies: 3;  step-translate: (30, 0);  step-offset: 1;  \(body) }")
    let all = try Self.frames("repeat { copies: 4;  step-translate: (30, 0);  \(body) }")
    let circles = { (text: String) in text.split(separator: "\n").filter { $0.contains("ellipse") }
    }
    #expect(circles(shifted[0]) == Array(circles(all[0]).dropFirst()))
  }

  /// The content is recorded like that of a loop, without elements for copies.
  @Test func itsRecordHasNoCopies() throws {
    var options = CheckOptions()
    options.recordsElements = true
    let text = "scene { for: 1s\nrepeat dots { copies: 3;  circle dot { radius: 4 } }\n}"
    let checked = check(
      parse(SourceFile(name: "a.scene", text: text)), options: options, metrics: FixedMetrics(),
      assets: OneImage())
    let record = try #require(checked.record)
    #expect(record.elements.map(\.kind) == ["scene", "repeat", "circle", "circle", "circle"])
    #expect(record.elements.map(\.round) == [0, 0, 0, 1, 2])
    #expect(record.elements.map(\.parent) == [nil, 0, 1, 1, 1])
  }

  /// Large counts and deep nesting do not slow down the check.
  @Test(arguments: [
    "repeat { copies: 1000000000;  circle { } }",
    "repeat { copies: 1e300;  circle { } }", "repeat { copies: 0 / 0;  circle { } }",
    "repeat { copies: 99999;  repeat { copies: 99999;  circle { } } }",
    "repeat { copies: 9;  repeat { copies: 9;  repeat { copies: 9;  repeat { copies: 9;  repeat { copies: 9;  repeat { copies: 9;  circle { } } } } } } }",
    "repeat a { copies: a.copies;  circle { } }", "repeat { copies: len(x);  circle x { } }",
    "repeat { copies: 4;  step-scale: 1000;  step-offset: 1e300;  circle { } }",
    "repeat { copies: 4;  step-scale: 0.001;  step-offset: 0 -> -1e6;  circle { } }",
    "repeat { copies: 4;  step-rotate: 1e300deg;  step-translate: (1e300, -1e300);  circle { } }",
  ])
  func hostileCountsEnd(_ body: String) {
    // The default limit takes seconds to reach.
    var options = CheckOptions()
    options.limits.elements = 10_000
    let checked = check(
      parse(SourceFile(name: "a.scene", text: "scene { for: 1s\n\(body)\n}")),
      options: options, metrics: FixedMetrics(), assets: OneImage())
    guard let model = checked.model else {
      #expect(checked.diagnostics.contains { $0.severity == .error })
      return
    }
    var lowerer = Lowerer(model, metrics: FixedMetrics())
    for frame in 0..<3 { _ = lowerer.lower(frame: frame * 10) }
  }
}
