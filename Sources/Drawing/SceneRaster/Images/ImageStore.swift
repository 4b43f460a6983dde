// SPDX-License-Identifier: MIT
package import SceneFiles
package import SceneClips
import SceneDigest
import SceneGraphics
package import SceneIR
import SceneModel
package import ScenePixels
import Synchronization

/// The decoded images of a scene with reduced copies, shared by all workers.
package final class ImageStore: Sendable {
  /// The copies by level. Each level has half the size of the previous one (a mipmap, Williams
  /// 1983). Negative levels are two or more times as large as the image: vector images are rendered
  /// again, and the others repeat their pixels.
  private struct Entry {
    var levels: [Int: PixelBuffer] = [:]
    var lastUse = 0
    /// Whether the image had to be decoded again. Its large copy is then no longer released.
    var isKept = false
    /// Whether the image has no file and stays until it is forgotten.
    var isPinned = false
  }

  private struct State {
    /// Keyed by the smooth variant of each image, which shares its pixels with the pixelated one.
    var entries: [ImageReference: Entry] = [:]
    var clock = 0

    var byteCount: Int {
      entries.values.reduce(0) { $0 + $1.levels.values.reduce(0) { $0 + $1.byteCount } }
    }
  }

  private let folder: AssetFolder
  /// The clips of the scene.
  package var clips: ClipStore { folder.clips }
  /// The identities of the programs and libraries that decode images.
  package var decoderCode: [String] {
    code.withLock { known in
      let code = known ?? folder.decoder.code
      known = code
      return code
    }
  }
  private let code = Mutex<[String]?>(nil)
  private let state = Mutex(State())
  private let byteLimit: Int
  /// The size in bytes beyond which an image is released once its smaller copy exists.
  private static let largeBytes = 24 << 20

  /// Creates a store. Beyond `byteLimit`, the least recently used image is evicted and decoded
  /// again on demand.
  package init(_ folder: AssetFolder, byteLimit: Int = 512 << 20) {
    self.folder = folder
    self.byteLimit = byteLimit
  }

  /// The total size of all pixels in bytes.
  package var byteCount: Int { state.withLock { $0.byteCount } }

  /// Returns the smallest copy that is at least as large as `scale` requires. Level 0 is the full
  /// size.
  ///
  /// Returns `nil` if the file was removed or changed since it was checked.
  func level(of image: ImageReference, scale: Double) -> (PixelBuffer, level: Int)? {
    state.withLock { state in
      state.clock += 1
      let key = image.rendered(.auto)
      var entry: Entry
      if let known = state.entries[key] {
        entry = known
      } else {
        guard let buffer = folder.takeDecoded(key) ?? decodeAgain(image) else { return nil }
        entry = Entry()
        entry.levels[0] = buffer
      }
      entry.lastUse = state.clock
      let level = wanted(scale, image)
      guard let buffer = make(level: level, of: image, in: &entry) else { return nil }
      if !entry.isKept, level > 0 {
        for (index, held) in entry.levels
        where index < level && held.byteCount > ImageStore.largeBytes {
          entry.levels[index] = nil
        }
      }
      state.entries[key] = entry
      evict(&state, keeping: key)
      return (buffer, level)
    }
  }

  /// Stores an image without a file under a unique number until it is forgotten.
  package func hold(_ picture: PixelBuffer, number: UInt64) -> ImageReference {
    let image = ImageReference(path: "", digest: number, size: picture.size)
    state.withLock {
      $0.entries[image] = Entry(levels: [0: picture], isKept: true, isPinned: true)
    }
    return image
  }

  /// Releases images that are no longer used.
  package func forget(_ images: [ImageReference]) {
    state.withLock { state in
      for image in images { state.entries[image.rendered(.auto)] = nil }
    }
  }

  private func wanted(_ scale: Double, _ image: ImageReference) -> Int {
    if scale > 1, image.isVector {
      return max(-6, Doubling.level(scale, of: image.size, mostPixels: 64e6))
    }
    if scale > 1, image.isPixelated {
      return Doubling.level(scale, of: image.size, mostPixels: Doubling.mostPixels)
    }
    return Halving.level(scale, shorterSide: min(image.size.width, image.size.height))
  }

  private func decodeAgain(_ image: ImageReference) -> PixelBuffer? {
    guard let bytes = try? folder.bytes(image.path), SHA256(of: bytes).number == image.digest else {
      return nil
    }
    if !image.layers.isEmpty {
      return try? folder.decoder.drawing(of: bytes, scale: 1, layers: image.layers)
    }
    return try? folder.decoder.picture(of: bytes, at: image.frame)
  }

  private func make(level: Int, of image: ImageReference, in entry: inout Entry) -> PixelBuffer? {
    if let known = entry.levels[level] { return known }
    if level < 0, image.isPixelated {
      let double = make(level: level + 1, of: image, in: &entry)?.doubled()
      entry.levels[level] = double
      // The copy that was doubled is no longer needed.
      if level < -1 { entry.levels[level + 1] = nil }
      return double
    }
    if level < 0 {
      guard let bytes = try? folder.bytes(image.path), SHA256(of: bytes).number == image.digest
      else { return nil }
      let drawn = try? folder.decoder.drawing(
        of: bytes, scale: Double(1 << -level), layers: image.layers)
      entry.levels[level] = drawn
      return drawn
    }
    if level == 0 {
      entry.isKept = true
      let whole = decodeAgain(image)
      entry.levels[0] = whole
      return whole
    }
    guard let from = make(level: level - 1, of: image, in: &entry) else { return nil }
    let half = from.halved()
    entry.levels[level] = half
    return half
  }

  private func evict(_ state: inout State, keeping image: ImageReference) {
    while state.entries.count > 1, state.byteCount > byteLimit {
      let others = state.entries.filter { $0.key != image && !$0.value.isPinned }
      guard let oldest = others.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
      state.entries[oldest.key] = nil
    }
  }
}
