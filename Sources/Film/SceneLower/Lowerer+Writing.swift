// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

/// An outline with its paints and its visible part.
struct PaintedShape {
  var form: Outline
  var fill: PaintModel?
  var stroke: StrokeModel?
  var trim: TrimModel?
}

// Outlines that are drawn first and then filled.
extension Lowerer {
  /// Lowers a shape at its current stage.
  func written(_ shape: PaintedShape, by model: WritingModel?, pen: RoughPen?) -> [DrawOp] {
    guard let model, let writing = evaluator.writing(model) else { return ops(of: shape, pen: pen) }
    let isFilled = shape.fill.map { !paint($0).isInvisible } ?? false
    let whole = writing.stage(isFilled: isFilled)
    // A line by hand and a trimmed line depend on the whole path, so the glyphs are not drawn
    // separately.
    guard case .path(let path) = shape.form, model.glyphs.count > 1, pen == nil,
      shape.trim == nil
    else {
      let rank = model.glyphs.count == 1 ? model.glyphs[0].rank : 0
      let count = model.glyphs.count == 1 ? max(model.count, rank + 1) : 1
      let stage = writing.stage(ofGlyph: rank, among: count, isFilled: isFilled)
      return ops(of: shape, at: whole.combined(with: stage), model, pen: pen)
    }
    var (complete, parts) = (Path(), [DrawOp]())
    var start = 0
    for glyph in model.glyphs {
      let end = min(start + glyph.elementCount, path.elements.count)
      let elements = path.elements[start..<end]
      start = end
      let own = writing.stage(ofGlyph: glyph.rank, among: model.count, isFilled: isFilled)
      let stage = whole.combined(with: own)
      if stage == .complete {
        complete.elements += elements
      } else if !elements.isEmpty {
        var part = shape
        part.form = .path(Path(Array(elements)))
        parts += ops(of: part, at: stage, model, pen: nil)
      }
    }
    var rest = shape
    rest.form = .path(complete)
    return (complete.isEmpty ? [] : ops(of: rest, pen: nil)) + parts
  }

  /// Lowers a shape whose line is drawn in part and whose fill is transparent in part.
  private func ops(
    of shape: PaintedShape, at stage: Writing.Stage, _ model: WritingModel, pen: RoughPen?
  ) -> [DrawOp] {
    if stage == .complete { return ops(of: shape, pen: pen) }
    var (area, line) = (shape, shape)
    area.stroke = nil
    line.fill = nil
    if line.stroke.map({ evaluator($0.width) <= 0 }) ?? true, let fill = shape.fill {
      // The line becomes thinner as the fill appears, so that the shape keeps its size at the end.
      let width = evaluator(model.lineWidth) * (1 - stage.fill)
      line.stroke = .outlining(fill, width: .constant(width))
    }
    let (from, to) = (
      shape.trim.map { evaluator($0.from) } ?? 0, shape.trim.map { evaluator($0.to) } ?? 1
    )
    line.trim = TrimModel(
      from: .constant(from), to: .constant(from + (to - from) * stage.line))
    let fills = stage.fill > 0 ? ops(of: area, pen: pen) : []
    let lines = stage.line > 0 ? ops(of: line, pen: pen) : []
    return fills.flatMap { faded([$0], stage.fill) } + lines
  }
}
