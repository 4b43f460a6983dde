// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR

/// A cache of rendered layers whose content is unchanged between frames.
final class LayerCache {
  struct Key: Hashable {
    let body: [DrawOp]
    let map: Affine
    let style: LayerStyle
    let region: Rect
    /// The part of the region that is complete.
    let shown: Rect
  }

  private struct Entry {
    let layer: RasterLayer
    var lastFrame: Int
  }

  /// The size limit in bytes, beyond which the least recently used layers are evicted.
  private static let byteLimit = 96 << 20
  /// The number of frames after which an unused layer is evicted.
  private static let rest = 30

  private var entries: [Key: Entry] = [:]
  /// The layers of this frame and of the previous one. A layer is cached when it occurs a second
  /// time.
  private var seen: Set<Key> = []
  private var seenBefore: Set<Key> = []
  private var frame = 0

  func beginFrame() {
    frame += 1
    seenBefore = seen
    seen = []
    let last = frame - LayerCache.rest
    for (key, entry) in entries where entry.lastFrame < last { entries[key] = nil }
  }

  /// Returns the cached pixels of a layer; `nil` if it is not cached.
  func layer(_ key: Key) -> RasterLayer? {
    seen.insert(key)
    entries[key]?.lastFrame = frame
    return entries[key]?.layer
  }

  /// Caches a layer if the previous frame contained it, too.
  func keep(_ layer: RasterLayer, _ key: Key) {
    guard seenBefore.contains(key), layer.bytes <= LayerCache.byteLimit else { return }
    while entries.values.reduce(layer.bytes, { $0 + $1.layer.bytes }) > LayerCache.byteLimit {
      guard let oldest = entries.min(by: { $0.value.lastFrame < $1.value.lastFrame }) else { break }
      entries[oldest.key] = nil
    }
    entries[key] = Entry(layer: layer, lastFrame: frame)
  }
}
