// SPDX-License-Identifier: MIT
import Synchronization

/// A cache of rendered images for all views, so that frames unaffected by an edit are not rendered
/// again. Beyond the limit, the least recently used images are evicted.
package final class FrameCache: Sendable {
  /// The background shown behind transparent areas.
  package enum Ground: String, Sendable, CaseIterable { case scene, checker, white, black }

  /// Everything that determines an image.
  package struct Key: Hashable, Sendable {
    /// The digest of the frame program.
    let digest: Int
    let width: Int
    let ground: Ground
    /// Whether the image has the quality of a frame at rest, rather than that of playback.
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

  /// Whether images can be added without evicting others.
  package var hasRoom: Bool { byteCount < limit / 10 * 9 }

  package subscript(_ key: Key) -> [UInt8]? {
    state.withLock { state in
      state.clock += 1
      state.pictures[key]?.use = state.clock
      return state.pictures[key]?.bytes
    }
  }

  /// Returns whether an image is cached, without counting as a use.
  package func contains(_ key: Key) -> Bool { state.withLock { $0.pictures[key] != nil } }

  package func keep(_ bytes: [UInt8], as key: Key) {
    state.withLock { state in
      guard bytes.count <= limit, state.pictures[key] == nil else { return }
      state.clock += 1
      state.pictures[key] = (bytes, state.clock)
      state.byteCount += bytes.count
      guard state.byteCount > limit else { return }
      // Evicts a tenth at once, so that sorting is rare.
      for (old, it) in state.pictures.sorted(by: { $0.value.use < $1.value.use }) {
        if state.byteCount <= limit - limit / 10 || old == key { break }
        state.pictures[old] = nil
        state.byteCount -= it.bytes.count
      }
    }
  }
}
