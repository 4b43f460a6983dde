// SPDX-License-Identifier: MIT
import Synchronization

/// Pictures that were drawn, for all views: what an edit does not change is never drawn again. Beyond
/// the limit those that were not used for longest go.
package final class KeptFrames: Sendable {
  /// What shows through where the film is clear.
  package enum Ground: String, Sendable, CaseIterable { case scene, checker, white, black }

  /// What a picture follows from.
  package struct Key: Hashable, Sendable {
    /// Of the frame program.
    let digest: Int
    let width: Int
    let ground: Ground
    /// Whether each pixel keeps its own color.
    let isFine: Bool

    package init(digest: Int, width: Int, ground: Ground, isFine: Bool) {
      self.digest = digest
      self.width = width
      self.ground = ground
      self.isFine = isFine
    }
  }

  private struct State {
    var pictures: [Key: (bytes: [UInt8], use: Int)] = [:]
    var byteCount = 0
    var clock = 0
  }

  private let state = Mutex(State())
  private let limit: Int

  package init(limit: Int = 128 << 20) { self.limit = limit }

  package var byteCount: Int { state.withLock(\.byteCount) }

  /// Whether more may be kept before others have to go.
  package var hasRoom: Bool { byteCount < limit / 10 * 9 }

  package subscript(_ key: Key) -> [UInt8]? {
    state.withLock { state in
      state.clock += 1
      state.pictures[key]?.use = state.clock
      return state.pictures[key]?.bytes
    }
  }

  /// Whether a picture is kept; asking is no use of it.
  package func contains(_ key: Key) -> Bool { state.withLock { $0.pictures[key] != nil } }

  package func keep(_ bytes: [UInt8], as key: Key) {
    state.withLock { state in
      guard bytes.count <= limit, state.pictures[key] == nil else { return }
      state.clock += 1
      state.pictures[key] = (bytes, state.clock)
      state.byteCount += bytes.count
      guard state.byteCount > limit else { return }
      // A tenth at once, so that this is seldom.
      for (old, it) in state.pictures.sorted(by: { $0.value.use < $1.value.use }) {
        if state.byteCount <= limit - limit / 10 || old == key { break }
        state.pictures[old] = nil
        state.byteCount -= it.bytes.count
      }
    }
  }
}
