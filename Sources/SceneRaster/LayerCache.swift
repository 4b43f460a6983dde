// SPDX-License-Identifier: MIT
import CCairo
import SceneGraphics
import SceneIR

/// Layers whose content did not change from one frame to the next, as they were drawn.
@safe final class LayerCache {
  struct Key: Hashable {
    let body: [DrawOp]
    let map: Affine
  }

  @safe private struct Entry {
    let pattern: OpaquePointer
    let bytes: Int
    var lastFrame: Int
  }

  /// Beyond it the layer that was not shown for longest is dropped.
  private static let byteLimit = 96 << 20

  private var entries: [Key: Entry] = [:]
  /// What was drawn in this frame and the last: a layer is kept when it comes a second time.
  private var seen: Set<Key> = []
  private var seenBefore: Set<Key> = []
  private var frame = 0

  deinit {
    for entry in entries.values { unsafe cairo_pattern_destroy(entry.pattern) }
  }

  func beginFrame() {
    frame += 1
    seenBefore = seen
    seen = []
  }

  /// The kept drawing of a layer, with the matrix of the device.
  func pattern(_ key: Key) -> OpaquePointer? {
    seen.insert(key)
    entries[key]?.lastFrame = frame
    return unsafe entries[key]?.pattern
  }

  /// Keeps a drawing, if the layer was there in the last frame too.
  func keep(_ pattern: OpaquePointer, _ key: Key, bytes: Int) {
    guard seenBefore.contains(key), bytes <= LayerCache.byteLimit else { return }
    while entries.values.reduce(bytes, { $0 + $1.bytes }) > LayerCache.byteLimit {
      guard let oldest = entries.min(by: { $0.value.lastFrame < $1.value.lastFrame }) else { break }
      unsafe cairo_pattern_destroy(oldest.value.pattern)
      entries[oldest.key] = nil
    }
    unsafe entries[key] = Entry(
      pattern: cairo_pattern_reference(pattern), bytes: bytes, lastFrame: frame)
  }
}
