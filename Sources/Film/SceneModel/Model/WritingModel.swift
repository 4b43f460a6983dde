// SPDX-License-Identifier: MIT
package import SceneIR

/// A `Writing` with variable numbers, for one drawing.
package struct WritingModel: Hashable, Sendable, Encodable {
  /// A glyph of an outline.
  package struct Glyph: Hashable, Sendable, Encodable {
    /// The number of path elements of the glyph.
    package let elementCount: Int
    /// The position among the glyphs that are written one after another.
    package let rank: Int

    package init(elementCount: Int, rank: Int) {
      self.elementCount = elementCount
      self.rank = rank
    }
  }

  package var drawn: Scalar
  package var written: Scalar
  /// The width of the line around a fill without a stroke. Texts have a width for each font size.
  package var lineWidth = Scalar.constant(Writing.shapeLine)
  /// The glyphs of the outline, in the order of its path elements; empty if the outline is written
  /// as a whole.
  package var glyphs: [Glyph] = []
  /// The number of glyphs that are written one after another, including those of other drawings.
  package var count = 1

  package init(drawn: Scalar, written: Scalar) {
    self.drawn = drawn
    self.written = written
  }
}

extension WritingModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    use(drawn)
    use(written)
    use(lineWidth)
  }
}

extension Evaluator {
  /// Returns the progress at this time; `nil` if everything is drawn and filled.
  package func writing(_ model: WritingModel?) -> Writing? {
    guard let model else { return nil }
    let writing = Writing(drawn: self(model.drawn), written: self(model.written))
    return writing.isComplete ? nil : writing
  }
}

extension TextUnitsModel {
  /// Whether glyphs are drawn and then filled.
  package var isWritten: Bool {
    writing != nil || units.contains { $0.writing != nil }
      || spans.contains { $0.unit.writing != nil }
  }
}

extension StrokeModel {
  /// Returns the line of an effect that draws the outline of a filled shape.
  package static func outlining(_ fill: PaintModel, width: Scalar) -> StrokeModel {
    StrokeModel(
      paint: fill, width: width, cap: .round, join: .round, miterLimit: .constant(4), dash: [],
      dashOffset: .zero)
  }
}
