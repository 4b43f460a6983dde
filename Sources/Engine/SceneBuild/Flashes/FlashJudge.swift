// SPDX-License-Identifier: MIT
import SceneFlash
import SceneModel
import Synchronization

/// Judges the frames of one layout of a scene for flashes. The frames arrive in order, from any
/// thread.
final class FlashJudge: Sendable {
  private let tracker: Mutex<FlashTracker>

  init(_ film: Film) {
    tracker = Mutex(
      FlashTracker(
        film.model.frameRate, film.model.flashLimit, start: film.frames.lowerBound))
  }

  /// Adds a frame; `nil` repeats the previous one.
  func add(_ grid: FlashGrid?) {
    tracker.withLock { if let grid { $0.add(grid) } else { $0.repeatFrame() } }
  }

  /// Adds a segment of `count` frames with encoded grids, or skips it if they are missing.
  func add(_ grids: ArraySlice<UInt8>?, count: Int) {
    tracker.withLock { tracker in
      var known = 0
      if let grids {
        _ = FlashGrids.read(grids) { grid, length in
          let length = min(length, count - known)
          guard length > 0 else { return }
          tracker.add(grid)
          tracker.repeatFrame(length - 1)
          known += length
        }
      }
      if known < count { tracker.skip(count - known) }
    }
  }

  /// The ranges that flash.
  var result: FlashFindings {
    tracker.withLock { FlashFindings(ranges: $0.findings, furtherCount: $0.furtherCount) }
  }

  /// The number of frames that were not drawn, because their packets are copied.
  var skippedCount: Int { tracker.withLock { $0.skippedCount } }
}
