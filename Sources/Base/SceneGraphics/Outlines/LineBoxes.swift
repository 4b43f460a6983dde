// SPDX-License-Identifier: MIT

extension Path {
  /// Returns one outline around boxes that are ordered from top to bottom, such as those of the lines
  /// of a text.
  ///
  /// Boxes that overlap become one area, whose corners are rounded both inward and outward. The
  /// outline covers each point once, so that a translucent paint has the same color everywhere.
  package static func around(_ boxes: [Rect], radius: Double) -> Path {
    let separate = Path(boxes.flatMap { Path.rect($0, radius: radius).elements })
    let touches = zip(boxes, boxes.dropFirst()).contains { !$0.intersection($1).isEmpty }
    guard touches, let area = combined(.union, boxes.map { .rect($0, radius: 0) }) else {
      return separate
    }
    return area.rounded(radius: radius)
  }
}
