// SPDX-License-Identifier: MIT
package import SceneGraphics
import SceneIR

/// The boxes behind the lines of a text, and their paint.
package struct LineBoxesModel: Hashable, Sendable, Encodable {
  /// A length in pixels, plus a fraction of the font size at which the text is drawn.
  package struct Length: Hashable, Sendable, Encodable {
    package var pixels: Scalar
    package var share: Scalar

    package init(pixels: Scalar, share: Scalar) {
      (self.pixels, self.share) = (pixels, share)
    }
  }

  package let text: TextModel
  package let paint: PaintModel
  /// The space to the left and right of the glyphs of a line.
  package let paddingX: Length
  /// The space above the ascent and below the descent of a line.
  package let paddingY: Length
  package let radius: Length
  /// Whether all lines share one box, as the stacked characters of a vertical caption do.
  package let isColumn: Bool

  package init(
    _ text: TextModel, paint: PaintModel, paddingX: Length, paddingY: Length, radius: Length,
    isColumn: Bool
  ) {
    (self.text, self.paint, self.radius) = (text, paint, radius)
    (self.paddingX, self.paddingY, self.isColumn) = (paddingX, paddingY, isColumn)
  }
}

extension LineBoxesModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    text.forEachScalar(use)
    paint.forEachScalar(use)
    for length in [paddingX, paddingY, radius] {
      use(length.pixels)
      use(length.share)
    }
  }
}

extension Evaluator {
  /// Returns the boxes of the lines of a text with their padding, from top to bottom. A line
  /// without visible glyphs has none.
  package func boxes(_ model: LineBoxesModel) -> [Rect] { boxes(model, around: block(model.text)) }

  private func boxes(_ model: LineBoxesModel, around block: TextBlock) -> [Rect] {
    let lines = metrics.lineBoxes(of: block)
    guard let first = lines.first else { return [] }
    let (x, y) = (length(model.paddingX, of: block), length(model.paddingY, of: block))
    return (model.isColumn ? [lines.reduce(first) { $0.union($1) }] : lines).map {
      Rect(x: $0.x - x, y: $0.y - y, width: $0.width + 2 * x, height: $0.height + 2 * y)
    }
  }

  /// Returns the outline of the boxes; `nil` if no line has visible glyphs.
  package func outline(_ model: LineBoxesModel) -> Path? {
    let block = block(model.text)
    let boxes = boxes(model, around: block)
    return boxes.isEmpty ? nil : .around(boxes, radius: length(model.radius, of: block))
  }

  /// Returns bounds of the boxes; `nil` if no line has visible glyphs.
  package func bounds(_ model: LineBoxesModel) -> Rect? {
    let boxes = boxes(model)
    return boxes.first.map { boxes.reduce($0) { $0.union($1) } }
  }

  /// Returns a rectangle inside the largest box, including its corners; `nil` if no line has
  /// visible glyphs, or if round corners leave too little space.
  package func rectangle(in model: LineBoxesModel) -> Rect? {
    let block = block(model.text)
    let boxes = boxes(model, around: block)
    guard let largest = boxes.max(by: { $0.area < $1.area }) else { return nil }
    // Boxes that touch, or nearly touch, are drawn as one area, whose sides can be longer than
    // those of one box.
    let areJoined = zip(boxes, boxes.dropFirst()).contains { upper, lower in
      let reach = upper.insetBy(-0.05 * upper.height)
      return !reach.intersection(lower.insetBy(-0.05 * lower.height)).isEmpty
    }
    let area = areJoined ? boxes.reduce(largest) { $0.union($1) } : largest
    let radius = min(length(model.radius, of: block), area.width / 2, area.height / 2)
    // A circular corner leaves 1 - 1/√2 of its radius on both sides.
    let inner = largest.insetBy(0.293 * radius)
    return inner.width > 0 && inner.height > 0 ? inner : nil
  }

  /// Returns a length in pixels, at least 0.
  private func length(_ length: LineBoxesModel.Length, of block: TextBlock) -> Double {
    let size = block.runs.map(\.font.size).max() ?? 0
    let pixels = self(length.pixels) + self(length.share) * size
    return pixels > 0 ? min(pixels, 100_000) : 0
  }
}
