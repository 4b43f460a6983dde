// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneSyntax
import SceneTestSupport
import SceneText
import Synchronization
import Testing

/// A canceled check ends soon and returns no diagnostics, wherever it is interrupted.
@Suite("Cancelled checks", .cpuBudget(seconds: 1)) struct CancellationTests {
  /// Counts the calls of `isCancelled`, and returns `true` from a given call on.
  private final class Questions: Sendable {
    private let count = Mutex(0)
    private let last: Int

    init(until last: Int) { self.last = last }

    var asked: Int { count.withLock { $0 } }

    func isCancelled() -> Bool {
      count.withLock { count in
        count += 1
        return count >= last
      }
    }
  }

  /// Loops, texts, motions and an error at the end.
  private static let scene = """
    scene { size: 640x360; for: 4s
      for i in 1..400 {
        let place = (mod(7 * i, 640), mod(3 * i, 360))
        circle { position: place; radius: 2 + mod(i, 5); fill: red -> blue over 1s }
      }
      for i in 1..40 { text "number {i}" { position: (i, i); font-size: 20 } }
      FAILURE
    }
    """

  private func check(_ failure: String, _ questions: Questions) -> Checked {
    let text = Self.scene.replacing("FAILURE", with: failure)
    let parsed = parse(SourceFile(id: FileID(0), name: "a.scene", text: text))
    var options = CheckOptions()
    options.isCancelled = { questions.isCancelled() }
    return SceneCheck.check(
      parsed, options: options, metrics: FixedMetrics(), assets: OneImage())
  }

  @Test(arguments: ["", "circle { radius: nothing }"])
  func endsWhereverItIs(_ failure: String) {
    let all = Questions(until: .max)
    let whole = check(failure, all)
    #expect(!whole.wasCancelled && whole.diagnostics.hasErrors == !failure.isEmpty)
    // Polled every 256 steps. A value is a step, and the loops alone evaluate thousands.
    #expect(all.asked > 20)
    for last in stride(from: 1, through: all.asked, by: max(1, all.asked / 15)) {
      let questions = Questions(until: last)
      let checked = check(failure, questions)
      #expect(checked.wasCancelled, "at question \(last) of \(all.asked)")
      #expect(checked.model == nil && checked.diagnostics.isEmpty)
      // After cancellation, each sampled instant may poll once more.
      #expect(questions.asked <= last + 400)
    }
  }

  @Test func modelComesBeforeWarnings() throws {
    let text = "scene { for: 1s; circle { radius: 5; position: (-100, 0) } }"
    let session = CheckSession(
      parse(SourceFile(id: FileID(0), name: "a.scene", text: text)), options: CheckOptions(),
      metrics: FixedMetrics(), assets: OneImage())
    #expect(session.checked.model != nil && session.checked.diagnostics.isEmpty)
    #expect(try #require(session.warnings()).map(\.code) == [.neverSeen])
  }
}
