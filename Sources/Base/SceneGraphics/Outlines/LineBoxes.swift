// SPDX-License-Identifier: MIT

extension Path {
  /// Returns one outline around boxes that are ordered from top to bottom, such as those of the
  /// lines of a text.
  ///
  /// Boxes that touch become one area, whose corners are rounded both inward and outward. The
  /// outline covers each point once, so that a translucent paint has the same color everywhere.
  /// Narrow gaps between lines are closed, and edges that differ by less than two radii are
  /// aligned, since both would look like errors.
  package static func around(_ boxes: [Rect], radius: Double) -> Path {
    // The radius is at most half the height of a line, even where lines are joined.
    let radius = min(radius, (boxes.map(\.height).min() ?? 0) / 2)
    let boxes = aligned(joined(boxes), within: 2 * radius)
    let touches = zip(boxes, boxes.dropFirst()).contains { !$0.intersection($1).isEmpty }
    guard touches, let area = combined(.union, boxes.map { .rect($0, radius: 0) }) else {
      return Path(
        boxes.flatMap {
          Path.rect($0, radius: min(radius, min($0.width, $0.height) / 2)).elements
        })
    }
    return area.rounded(radius: radius)
  }

  /// Returns the boxes without vertical gaps of less than 8% of the height of a box.
  private static func joined(_ boxes: [Rect]) -> [Rect] {
    var boxes = boxes
    for (upper, lower) in zip(boxes.indices, boxes.indices.dropFirst()) {
      let gap = boxes[lower].y - boxes[upper].maxY
      guard gap >= 0, gap < 0.08 * min(boxes[upper].height, boxes[lower].height) else { continue }
      // The boxes overlap slightly, so that rounding cannot separate them.
      boxes[upper].height += gap + 0.01
    }
    return boxes
  }

  /// Returns the boxes with the edges of touching neighbors moved outward onto each other if they
  /// differ by less than a distance.
  private static func aligned(_ boxes: [Rect], within distance: Double) -> [Rect] {
    var boxes = boxes
    func align(_ a: Int, _ b: Int) {
      guard !boxes[a].intersection(boxes[b]).isEmpty else { return }
      let left = min(boxes[a].x, boxes[b].x)
      let right = max(boxes[a].maxX, boxes[b].maxX)
      for index in [a, b] {
        let start = boxes[index].x - left < distance ? left : boxes[index].x
        let end = right - boxes[index].maxX < distance ? right : boxes[index].maxX
        (boxes[index].x, boxes[index].width) = (start, end - start)
      }
    }
    // Passes in both directions propagate an edge to all connected lines.
    for lower in boxes.indices.dropFirst() { align(lower - 1, lower) }
    for lower in boxes.indices.dropFirst().reversed() { align(lower - 1, lower) }
    return boxes
  }
}
