// SPDX-License-Identifier: MIT
import CPixels
import SceneGraphics
import SceneIR
import SceneModel
import Synchronization

/// The decoded images of a scene with their smaller copies, shared by all workers.
package final class ImageStore: Sendable {
  /// Each level has half the size of the one before (a mipmap, Williams 1983).
  private struct Entry {
    var levels: [PixelBuffer]
    var lastUse: Int
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    var clock = 0
  }

  private let folder: AssetFolder
  private let state = Mutex(State())
  private let byteLimit: Int

  /// Beyond `byteLimit` the image that was not used for longest is dropped and decoded again.
  package init(_ folder: AssetFolder, byteLimit: Int = 512 << 20) {
    self.folder = folder
    self.byteLimit = byteLimit
  }

  /// The smallest copy that is still at least as large as `scale` wants it; level 0 is whole.
  ///
  /// `nil` when the file has gone or changed since it was checked.
  func level(of image: ImageReference, scale: Double) -> (PixelBuffer, level: Int)? {
    state.withLock { state in
      state.clock += 1
      if state.entries[image.digest] == nil {
        guard let buffer = folder.takeDecoded(image.digest) ?? decodeAgain(image) else {
          return nil
        }
        state.entries[image.digest] = Entry(levels: [buffer], lastUse: state.clock)
        evict(&state, keeping: image.digest)
      }
      guard var entry = state.entries[image.digest] else { return nil }
      var level = 0
      var reach = scale
      while reach <= 0.5, level < 12 {
        guard let smaller = makeLevel(level + 1, &entry) else { break }
        _ = smaller
        level += 1
        reach *= 2
      }
      entry.lastUse = state.clock
      state.entries[image.digest] = entry
      return (entry.levels[level], level)
    }
  }

  private func decodeAgain(_ image: ImageReference) -> PixelBuffer? {
    guard let bytes = try? folder.bytes(image.path), AssetFolder.digest(bytes) == image.digest
    else { return nil }
    return try? ImageDecoder(bytes).decode()
  }

  private func makeLevel(_ level: Int, _ entry: inout Entry) -> PixelBuffer? {
    if level < entry.levels.count { return entry.levels[level] }
    let from = entry.levels[level - 1]
    guard from.size.width >= 2, from.size.height >= 2 else { return nil }
    let half = PixelBuffer(
      PixelSize(from.size.width / 2, from.size.height / 2), isOpaque: from.isOpaque)
    unsafe scene_halve_bgra(
      from.bytes.baseAddress, Int32(from.stride), Int32(from.size.width),
      Int32(from.size.height), half.bytes.baseAddress)
    entry.levels.append(half)
    return half
  }

  private func evict(_ state: inout State, keeping digest: UInt64) {
    func total() -> Int {
      state.entries.values.reduce(0) { $0 + $1.levels.reduce(0) { $0 + $1.byteCount } }
    }
    while state.entries.count > 1, total() > byteLimit {
      let others = state.entries.filter { $0.key != digest }
      guard let oldest = others.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
      state.entries[oldest.key] = nil
    }
  }
}
