// SPDX-License-Identifier: MIT
package import SceneDigest
import SceneFlash
package import SceneIR
package import SceneModel
import SceneSystem
import Synchronization

/// The grids of a segment of a video.
package struct SegmentGrids: Sendable {
  /// The encoded grids; `nil` if the frames were not drawn, because their packets are copied.
  let encoded: ArraySlice<UInt8>?
  /// The cache key of the grids; `nil` if they are not cached.
  let key: SHA256?
  /// Whether the grids were read from the cache.
  let isCached: Bool

  package init(_ encoded: ArraySlice<UInt8>? = nil, key: SHA256? = nil, isCached: Bool = false) {
    (self.encoded, self.key, self.isCached) = (encoded, key, isCached)
  }
}

/// Judges the frames of one layout of a scene for flashes. The frames arrive in order, from any
/// thread.
///
/// The store contains the verdicts about videos without flashes. Cached segments are buffered, and
/// discarded at the end if the store has a verdict about the whole video. A segment that is drawn,
/// copied or not cacheable ends the buffering, and so do grids that exceed the buffer.
package final class FlashJudge: Sendable {
  /// The maximum size of the buffer in bytes. A second with text and charts takes about 2 kB, and a
  /// second of noise at 30 fps up to 250 kB.
  package static let mostBuffered = 16 << 20

  private let store: PacketStore?
  private let mostBuffered: Int
  /// Returns `true` once the build has been cancelled.
  private let isUnwanted: @Sendable () -> Bool
  private let state: Mutex<State>

  private struct State {
    var tracker: FlashTracker
    /// The key of the verdict about the segments so far; `nil` without a store, after a segment
    /// without a key, or once the grids exceed the buffer.
    var verdictKey: SHA256?
    /// The size of all grids so far, in bytes.
    var size = 0
    /// The cached segments that are not judged yet; `nil` once a segment has been judged.
    var buffer: [(grids: ArraySlice<UInt8>, count: Int)]? = []

    /// Judges a segment of `count` frames, or skips it if its grids are missing.
    mutating func judge(_ grids: ArraySlice<UInt8>?, count: Int) {
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

    /// Judges the buffered segments. A cancelled build has no verdict.
    mutating func judgeBuffer(_ isUnwanted: () -> Bool) {
      for (grids, count) in buffer ?? [] {
        guard !isUnwanted() else {
          verdictKey = nil
          break
        }
        judge(grids, count: count)
      }
      buffer = nil
    }
  }

  /// Creates a judge for frames from the number `start` on.
  package init(
    _ frameRate: FrameRate, _ limit: FlashLimit, start: Int = 0, store: PacketStore? = nil,
    mostBuffered: Int = mostBuffered, isUnwanted: @escaping @Sendable () -> Bool = { false }
  ) {
    self.store = store
    self.mostBuffered = mostBuffered
    self.isUnwanted = isUnwanted
    let settings = message(Int(frameRate.numerator), Int(frameRate.denominator), start)
    let key = SHA256(of: message("no flashes 1") + settings + message(limit.rawValue))
    state = Mutex(
      State(
        tracker: FlashTracker(frameRate, limit, start: start),
        verdictKey: store.map { _ in key }))
  }

  convenience init(_ film: Film, store: PacketStore?) {
    self.init(
      film.model.frameRate, film.model.flashLimit, start: film.frames.lowerBound, store: store,
      isUnwanted: film.isUnwanted)
  }

  /// Adds a frame; `nil` repeats the previous one.
  func add(_ grid: FlashGrid?) {
    state.withLock { state in
      state.verdictKey = nil
      state.judgeBuffer(isUnwanted)
      if let grid { state.tracker.add(grid) } else { state.tracker.repeatFrame() }
    }
  }

  /// Adds a segment of `count` frames.
  package func add(_ segment: SegmentGrids, count: Int) {
    state.withLock { state in
      // Accounts for the overhead of a buffered segment.
      state.size += (segment.encoded?.count ?? 0) + 128
      state.verdictKey = state.verdictKey.flatMap { before in
        guard state.size <= mostBuffered, let key = segment.key else { return nil }
        return SHA256(of: before.bytes + key.bytes + message(count))
      }
      if state.verdictKey != nil, segment.isCached, let grids = segment.encoded,
        state.buffer != nil
      {
        state.buffer?.append((grids, count))
      } else {
        state.judgeBuffer(isUnwanted)
        state.judge(segment.encoded, count: count)
      }
    }
  }

  /// Ends the video and returns the ranges that flash. The result of a cancelled build is
  /// incomplete.
  package func finish() -> FlashFindings {
    state.withLock { state in
      let isKnown = state.buffer != nil && state.verdictKey.flatMap { store?.read($0) } != nil
      if isKnown { state.buffer = nil }
      state.judgeBuffer(isUnwanted)
      let findings = FlashFindings(
        ranges: state.tracker.findings, furtherCount: state.tracker.furtherCount,
        skippedCount: state.tracker.skippedCount)
      if !isKnown, let key = state.verdictKey, findings.ranges.isEmpty, findings.skippedCount == 0 {
        store?.keep(message("no flashes"), key)
      }
      return findings
    }
  }
}
