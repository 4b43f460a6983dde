// SPDX-License-Identifier: MIT
import SceneSystem
import Synchronization

/// The cached frames of the displayed revisions, shown in the ruler of a page.
final class CachedRanges: Sendable {
  private struct Shown {
    let revision: Int
    let width: Int
    var keys: [Int: FrameCache.Key] = [:]
  }

  private struct State {
    var views: [String: Shown] = [:]
    var lastSent: ContinuousClock.Instant
  }

  private let state: Mutex<State>
  private let cache: FrameCache

  private let clock: any TimeSource

  init(_ cache: FrameCache, _ clock: any TimeSource) {
    self.cache = cache
    self.clock = clock
    state = Mutex(State(lastSent: clock.now))
  }

  /// Records a rendered image. Returns the cached ranges of frames at most four times per second,
  /// and `nil` otherwise.
  func note(_ request: FrameRequest, _ key: FrameCache.Key) -> [Range<Int>]? {
    let keys: [Int: FrameCache.Key]? = state.withLock { state in
      let view = request.revision.view
      let known = state.views[view]
      if known?.revision != request.revision.number || known?.width != key.width {
        guard request.revision.number >= known?.revision ?? 0 else { return nil }
        state.views[view] = Shown(revision: request.revision.number, width: key.width)
      }
      state.views[view]?.keys[request.frame] = key
      let now = clock.now
      guard now - state.lastSent >= .milliseconds(250) else { return nil }
      state.lastSent = now
      return state.views[view]?.keys
    }
    guard let keys else { return nil }
    var ranges: [Range<Int>] = []
    for frame in keys.filter({ cache.contains($0.value) }).keys.sorted() {
      if let last = ranges.last, last.upperBound == frame {
        ranges[ranges.count - 1] = last.lowerBound..<(frame + 1)
      } else {
        ranges.append(frame..<(frame + 1))
      }
    }
    return ranges
  }
}
