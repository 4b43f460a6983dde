// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneLower
import SceneModel
import SceneTestSupport
import Synchronization
import Testing

/// Lowerers of one model share derived paths.
@Suite("Shared paths", .cpuBudget(seconds: 1)) struct SharedPathTests {
  /// A store without a limit.
  private final class Store: DerivedPaths {
    private struct Key: Hashable {
      let model: DerivedPath
      let time: Double
    }

    private struct State {
      var paths: [Key: Path] = [:]
      var computed = 0
    }

    private let state = Mutex(State())

    /// The number of paths that a lowerer has computed.
    var computed: Int { state.withLock { $0.computed } }

    func path(_ model: DerivedPath, at time: Double) -> Path? {
      state.withLock { $0.paths[Key(model: model, time: time)] }
    }

    func keep(_ path: Path, _ model: DerivedPath, at time: Double) {
      state.withLock {
        $0.paths[Key(model: model, time: time)] = path
        $0.computed += 1
      }
    }
  }

  @Test func eachPathIsComputedOnce() throws {
    let model = try #require(
      checked(
        """
        scene { for: 2s
            let both = union(circle((100 + 40 * t / 1s, 90), 30), circle((130, 90), 20))
            path { data: both }
            path { data: offset(both, -4) }
        }
        """
      ).model)
    let store = Store()
    for frame in [20, 30] {
      var alone = Lowerer(model, metrics: FixedMetrics())
      let expected = alone.lower(frame: frame)
      for _ in 0..<2 {
        var lowerer = Lowerer(model, metrics: FixedMetrics(), sharing: store)
        #expect(lowerer.lower(frame: frame) == expected)
        #expect(store.computed == (frame == 20 ? 2 : 4))
      }
    }
  }
}
