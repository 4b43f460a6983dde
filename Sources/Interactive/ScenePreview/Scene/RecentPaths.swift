// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneModel
import Synchronization

/// The derived paths of a revision at the last few times, for all threads that draw it.
package final class RecentPaths: DerivedPaths {
  private struct Moment {
    let time: Double
    var paths: [DerivedPath: Path] = [:]
  }

  private struct State {
    /// The least recently used is first.
    var moments: [Moment] = []
    var size = 0
  }

  private let state = Mutex(State())
  private static let most = 4
  /// The maximum number of points of all paths.
  private let limit: Int

  package init(limit: Int = 200_000) { self.limit = limit }

  package func path(_ model: DerivedPath, at time: Double) -> Path? {
    state.withLock { state in
      guard let index = state.moments.firstIndex(where: { $0.time == time }) else { return nil }
      if index < state.moments.count - 1 {
        state.moments.append(state.moments.remove(at: index))
      }
      return state.moments.last?.paths[model]
    }
  }

  package func keep(_ path: Path, _ model: DerivedPath, at time: Double) {
    let count = path.elements.count
    guard count <= limit else { return }
    state.withLock { state in
      if state.moments.last?.time != time {
        let known = state.moments.firstIndex { $0.time == time }
        state.moments.append(known.map { state.moments.remove(at: $0) } ?? Moment(time: time))
      }
      let old = state.moments[state.moments.count - 1].paths.updateValue(path, forKey: model)
      state.size += count - (old?.elements.count ?? 0)
      while state.moments.count > RecentPaths.most || state.size > limit {
        let gone = state.moments.removeFirst()
        state.size -= gone.paths.values.reduce(0) { $0 + $1.elements.count }
      }
    }
  }
}
