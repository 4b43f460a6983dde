// SPDX-License-Identifier: MIT
import SceneCheck
import SceneIR
import SceneLower
import SceneModel
import SceneTestSupport
import Synchronization
import Testing

/// Lowering a complex frame can be canceled between two steps.
@Suite("Interrupted lowering", .cpuBudget(seconds: 1)) struct InterruptionTests {
  private static let body = """
    for k in 0..12 {
        path { data: union(circle((100 + 10 * k + 40 * t / 1s, 90), 30), circle((130, 90), 20 + k)) }
    }
    """
  private static let scenes = [
    "scene { for: 2s\n\(body)\n}",
    "scene { for: 2s;  motion-blur: 180deg\n\(body)\n}",
    "scene { for: 2s\n group { clip { circle { radius: 90 } }\n \(body)\n } }",
    "scene { for: 2s\n for k in 0..12 { circle { radius: 10 + k + 20 * t / 1s } } }",
    "scene { for: 2s\n for k in 0..12 { text \"{k} {t / 1s}\" { position: (9 * k, 50) } } }",
    """
    scene { for: 2s
        for k in 0..12 { path { data: circle((90, 90), 30 + k) -> circle((120, 90), 9) over 2s } }
    }
    """,
    """
    scene { for: 2s
        for k in 0..12 {
            path a { data: offset(circle((90 + 30 * t / 1s, 90), 30 + k), 4);  visible: false }
            circle { position: a.center;  radius: 3 }
        }
    }
    """,
  ]

  @Test(arguments: scenes) func eachStepMayBeTheLast(_ scene: String) throws {
    let model = try #require(checked(scene).model)
    let whole = Lowered(model)
    var asked = 0
    #expect(
      whole.lowerer { lowerer in
        lowerer.lower(frame: 20) {
          asked += 1
          return false
        }
      } == whole.program)
    #expect(asked >= 12)
    for last in [1, 2, 5, asked / 2, asked] {
      var count = 0
      whole.lowerer { lowerer in
        let given = lowerer.lower(frame: 20) {
          count += 1
          return count >= last
        }
        #expect(given == nil && count == last)
        // Results of a canceled evaluation are not cached.
        #expect(lowerer.lower(frame: 20) == whole.program)
      }
    }
  }

  /// A check polls for cancellation between paths, not only between instants.
  @Test func checksAskBetweenPaths() throws {
    let model = try #require(checked(InterruptionTests.scenes[0]).model)
    let count = Mutex(0)
    var work = DrawingWork(model, metrics: FixedMetrics()) {
      count.withLock { $0 += 1 }
      return false
    }
    _ = work.excess(over: .infinity)
    #expect(count.withLock { $0 } > 12)
    var given = DrawingWork(model, metrics: FixedMetrics()) { true }
    #expect(given.excess(over: 0) == nil)
  }
}

/// A frame of a model, with a separate lowerer for each use.
private struct Lowered {
  let model: SceneModel
  let program: FrameProgram

  init(_ model: SceneModel) {
    self.model = model
    var lowerer = Lowerer(model, metrics: FixedMetrics())
    program = lowerer.lower(frame: 20)
  }

  @discardableResult
  func lowerer<T>(_ body: (inout Lowerer) -> T) -> T {
    var lowerer = Lowerer(model, metrics: FixedMetrics())
    return body(&lowerer)
  }
}
