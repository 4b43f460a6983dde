// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR

/// Layers whose content did not change from one frame to the next, as they were drawn.
final class LayerCache {
  struct Key: Hashable {
    let body: [DrawOp]
    let map: Affine
    let style: LayerStyle
    let region: Rect
  }

  private struct Entry {
    let layer: RasterLayer
    var lastFrame: Int
  }

  /// Beyond it the layer that was not shown for longest is dropped.
  private static let byteLimit = 96 << 20

  private var entries: [Key: Entry] = [:]
  /// What was drawn in this frame and the last: a layer is kept when it comes a second time.
  private var seen: Set<Key> = []
  private var seenBefore: Set<Key> = []
  private var frame = 0

  func beginFrame() {
    frame += 1
    seenBefore = seen
    seen = []
  }

  /// The kept drawing of a layer.
  func layer(_ key: Key) -> RasterLayer? {
    seen.insert(key)
    entries[key]?.lastFrame = frame
    return entries[key]?.layer
  }

  /// Keeps a drawing, if the layer was there in the last frame too.
  func keep(_ layer: RasterLayer, _ key: Key) {
    guard seenBefore.contains(key), layer.bytes <= LayerCache.byteLimit else { return }
    while entries.values.reduce(layer.bytes, { $0 + $1.layer.bytes }) > LayerCache.byteLimit {
      guard let oldest = entries.min(by: { $0.value.lastFrame < $1.value.lastFrame }) else { break }
      entries[oldest.key] = nil
    }
    entries[key] = Entry(layer: layer, lastFrame: frame)
  }
}
