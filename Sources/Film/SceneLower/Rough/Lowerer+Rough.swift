// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

/// A cache of the hand-drawn lines of outlines.
final class RoughCache {
  private struct Key: Hashable {
    let outline: Outline
    let pen: RoughPen
    let pass: Int
    let ends: RoughPen.Ends
  }

  private static let capacity = 2000
  private var known: [Key: Path] = [:]

  func line(_ outline: Outline, _ pen: RoughPen, pass: Int, ends: RoughPen.Ends) -> Path {
    let key = Key(outline: outline, pen: pen, pass: pass, ends: ends)
    if let known = known[key] { return known }
    let line = pen.line(along: outline.path, pass: pass, ends: ends)
    if known.count >= RoughCache.capacity { known = [:] }
    known[key] = line
    return line
  }
}

// Outlines drawn by hand.
extension Lowerer {
  /// Returns the passes of a stroke. A solid stroke is drawn twice, by lines with different
  /// deviations. With dashes, the second line would fill the gaps of the first.
  private func passes(_ stroke: StrokeModel) -> Range<Int> { stroke.dash.isEmpty ? 0..<2 : 0..<1 }

  /// Returns the pen of an element; `nil` for exact outlines.
  func pen(_ model: RoughModel?) -> RoughPen? { evaluator.roughPen(model) }

  func roughShape(
    _ form: Outline, fill: PaintModel?, stroke: StrokeModel?, trim: TrimModel?, pen: RoughPen
  ) -> [DrawOp] {
    let isClosed = form.isClosed
    var ops: [DrawOp] = []
    if let fill {
      let paint = self.paint(fill)
      let area = part(of: rough.line(form, pen, pass: 0, ends: .joined), trim, isClosed: isClosed)
      if !paint.isInvisible, !area.isEmpty { ops.append(.fill(.path(area), paint)) }
    }
    if let stroke {
      let paint = self.paint(stroke.paint)
      if let brush = stroke.brush {
        let line = rough.line(form, pen, pass: 0, ends: isClosed ? .joined : .free)
        ops += [stamps(brush, along: line, of: stroke, paint: paint, trim: trim)].compactMap { $0 }
      } else if evaluator(stroke.width) > 0, !paint.isInvisible {
        let ends = stroke.dash.isEmpty ? RoughPen.Ends.free : .dashed
        let lines = passes(stroke).map { rough.line(form, pen, pass: $0, ends: ends) }
        ops += self.lines(lines, of: stroke, paint: paint, trim: trim, isClosed: isClosed)
      }
    }
    return ops
  }

  func roughArrow(
    along whole: Path, stroke: StrokeModel, arrow: ArrowModel, trim: TrimModel?, pen: RoughPen
  ) -> [DrawOp] {
    let paint = self.paint(stroke.paint)
    let width = evaluator(stroke.width)
    let lines = passes(stroke).map { rough.line(.path(whole), pen, pass: $0, ends: .pinned) }
    let drawn = lines.map { part(of: $0, trim, isClosed: false) }
    let parts = drawn.map {
      Link.arrow($0, width: width, head: arrow.head, tail: arrow.tail)
    }
    guard let first = parts.first, !first.shaft.isEmpty else { return [] }
    let length = stroke.dash.isEmpty ? 0 : first.shaft.length
    var line = style(stroke, length: length)
    let shafts = parts.indices.map { index in
      DrawnLine(
        path: parts[index].shaft, part: drawn[index], whole: lines[index],
        lead: parts[index].tailLength)
    }
    let shaft =
      stroke.brush == nil
      ? self.line(shafts, of: stroke, style: line, paint: paint, trim: trim, isClosed: false)
      : shaftOp(shafts[0], of: stroke, style: line, paint: paint, trim: trim)
    var ops = [shaft].compactMap { $0 }
    line.dash = []
    for head in first.heads {
      switch head.kind {
      case .none: break
      case .triangle, .circle:
        let area = pen.line(along: head.path, pass: 0, ends: .joined)
        ops.append(.fill(.path(area), paint))
      case .open, .bar:
        let lines = (0..<2).flatMap {
          pen.line(along: head.path, pass: $0, ends: .pinned).elements
        }
        ops.append(.stroke(.path(Path(lines)), line, paint))
      }
    }
    return ops
  }

  /// Draws the trimmed lines of a stroke.
  private func lines(
    _ lines: [Path], of stroke: StrokeModel, paint: Paint, trim: TrimModel?, isClosed: Bool
  ) -> [DrawOp] {
    let parts = lines.map { part(of: $0, trim, isClosed: isClosed) }
    let length = stroke.dash.isEmpty ? 0 : parts.reduce(0) { $0 + $1.length }
    let drawn = zip(parts, lines).compactMap { part, line in
      part.isEmpty ? nil : DrawnLine(path: part, part: part, whole: line)
    }
    let style = style(stroke, length: length)
    return drawn.isEmpty
      ? []
      : [line(drawn, of: stroke, style: style, paint: paint, trim: trim, isClosed: isClosed)]
        .compactMap { $0 }
  }

  /// Returns the drawn part of a line. The line of a closed outline overlaps itself and is open,
  /// but its parts wrap around.
  private func part(of line: Path, _ trim: TrimModel?, isClosed: Bool) -> Path {
    guard let trim else { return line }
    let (from, to) = (evaluator(trim.from), evaluator(trim.to))
    guard from < to else { return Path() }
    let isWrapped = isClosed && (from < 0 || to > 1) && from.isFinite && to.isFinite
    guard isWrapped, to - from < 1 else { return line.trimmed(from: from, to: to) }
    let (begin, end) = (from - from.rounded(.down), to - from.rounded(.down))
    if end <= 1 { return line.trimmed(from: begin, to: end) }
    return Path(
      line.trimmed(from: begin, to: 1).elements + line.trimmed(from: 0, to: end - 1).elements)
  }
}

extension Evaluator {
  /// Returns the pen of an element; `nil` for exact outlines.
  func roughPen(_ model: RoughModel?) -> RoughPen? {
    guard let model else { return nil }
    let amount = min(100, self(model.amount))
    guard amount > 0 else { return nil }
    let pen = RoughPen(amount: amount, seed: self(model.seed))
    return model.fontSize.map { pen.forLetters(ofSize: self($0)) } ?? pen
  }
}

extension Outline {
  fileprivate var isClosed: Bool { if case .path(let path) = self { path.isClosed } else { true } }
}
