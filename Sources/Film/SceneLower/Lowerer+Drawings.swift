// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

extension Lowerer {
  /// Lowers an element's own drawing, in front of the boxes of its lines.
  func drawing(of element: ElementModel, eye: SpaceMap = .identity) -> [DrawOp] {
    let own = drawing(element.drawing, rough: element.rough, eye: eye)
    guard let boxes = element.lineBoxes, let outline = evaluator.outline(boxes) else { return own }
    let form = Outline.path(outline)
    guard form.bounds.isDrawable else { return own }
    // The deviations of letters are limited by the font size, those of boxes are not.
    let pen = pen(element.rough.map { RoughModel(amount: $0.amount, seed: $0.seed) })
    return ops(of: PaintedShape(form: form, fill: boxes.paint), pen: pen) + own
  }

  private func drawing(
    _ drawing: ElementModel.Drawing, rough: RoughModel? = nil, eye: SpaceMap = .identity
  ) -> [DrawOp] {
    switch drawing {
    case .nothing: return []
    case .outline(let outline, let fill, let stroke, let trim, let strokeIsFirst, let writing):
      guard let form = evaluator.outline(outline), form.bounds.isDrawable else { return [] }
      let shape = PaintedShape(form: form, fill: fill, stroke: stroke, trim: trim)
      let ops = written(shape, by: writing, pen: pen(rough))
      return strokeIsFirst ? ops.reversed() : ops
    case .arrow(let path, let stroke, let arrow, let trim):
      return self.arrow(along: path, stroke: stroke, arrow: arrow, trim: trim, pen: pen(rough))
    case .text(let text, let paints, let origin, let units):
      let block = evaluator.block(text)
      guard block.runs.contains(where: { !$0.text.isEmpty && $0.font.size > 0 }) else { return [] }
      let resolved = paints.map { paint in
        TextPaint(
          fill: paint.fill.map(self.paint), stroke: paint.stroke.map { self.paint($0.paint) },
          strokeStyle: paint.stroke.map { style($0, length: 0) } ?? StrokeStyle(width: 1),
          strokeIsFirst: paint.strokeIsFirst)
      }
      var parts = units.flatMap { self.units($0, block, eye: eye) }
      if parts == nil,
        resolved.allSatisfy({ $0.fill?.isInvisible != false && $0.stroke?.isInvisible != false })
      {
        return []
      }
      if parts?.shown == 0 { return [] }
      // Each run limits the deviations by its own font size.
      if let pen = pen(rough.map { RoughModel(amount: $0.amount, seed: $0.seed) }) {
        parts = parts ?? TextUnits(kind: .glyph, styles: [])
        parts?.rough = pen
      }
      return [.text(block, paints: resolved, at: evaluator.point(origin), units: parts)]
    case .image(let images, let frame, let source, let destination):
      let number = evaluator(frame)
      guard let image = images.at(number) else { return [] }
      return stretched(image, from: source, to: destination)
    case .clip(let clip, let source, let destination):
      return frame(of: clip) { stretched($0, from: source, to: destination) }
    case .particles: return []
    }
  }

  /// Lowers particles whose drawing consists of ops.
  func particles(_ model: ParticleModel, sprite: [DrawOp]) -> [DrawOp] {
    func seconds(_ ticks: Scalar) -> Double { evaluator(ticks) / Double(Ticks.perSecond) }
    let time = seconds(model.time)
    guard time.isFinite, !model.field.isEmpty(at: time) else { return [] }
    let stretch = seconds(model.stretch)
    let frame = ParticleFrame(
      model.field, look: model.look, time: time, variables: model.variables.map { evaluator($0) },
      stretch: stretch.isFinite ? max(0, stretch) : 0, sprite: sprite)
    return [.particles(frame)]
  }

  /// Returns a single op translated by `shift` without a map; `nil` if the drawing needs more than
  /// that.
  func translated(
    _ drawing: ElementModel.Drawing, rough: RoughModel?, by shift: Point, opacity: Double
  ) -> DrawOp? {
    let body = self.drawing(drawing, rough: rough)
    guard body.count == 1 else { return nil }
    switch body[0] {
    case .fill(let outline, let paint):
      return .fill(
        outline.translated(by: shift), paint.translated(by: shift).faded(opacity))
    case .stroke(let outline, let style, let paint):
      return .stroke(
        outline.translated(by: shift), style, paint.translated(by: shift).faded(opacity))
    default: return nil
    }
  }

  /// Returns the frame of a clip, or a blend of two, drawn by `draw`.
  private func frame(of clip: ClipModel, draw: (ImageReference) -> [DrawOp]) -> [DrawOp] {
    guard let blend = clip.blend(at: evaluator(clip.time)) else { return draw(picture(of: clip)) }
    let (first, second) = (draw(blend.first), draw(blend.second))
    guard !first.isEmpty else { return [] }
    let faded = DrawOp.layer(LayerStyle(opacity: 1 - blend.share), body: first)
    let added = DrawOp.layer(
      LayerStyle(opacity: blend.share, blend: .plusLighter), body: second)
    return [.layer(LayerStyle(), body: [faded, added])]
  }

  /// Returns the frame of a clip that this frame shows.
  private func picture(of clip: ClipModel) -> ImageReference {
    if let picture = model.picture(of: clip, at: frameTime) { return picture }
    let now = evaluator(clip.time)
    return clip.image(at: now, later: now)
  }

  private func stretched(_ image: ImageReference, from source: [Scalar], to destination: [Scalar])
    -> [DrawOp]
  {
    let (from, to) = (rect(source), rect(destination))
    guard from.width > 0, from.height > 0, to.width > 0, to.height > 0, to.isDrawable else {
      return []
    }
    return [.image(image, source: from, destination: to)]
  }

  /// Returns the current state of a text's units; `nil` if all are in their default state.
  private func units(_ model: TextUnitsModel, _ block: TextBlock, eye: SpaceMap) -> TextUnits? {
    var units = TextUnits(kind: model.kind, styles: [])
    units.styles = model.units.map(style)
    units.spans = model.spans.map { TextSpan(runs: $0.runs, style: style($0.unit)) }
      .filter { $0.style != TextUnitStyle() }
    if units.styles.allSatisfy({ $0 == TextUnitStyle() }) { units.styles = [] }
    if let share = model.shown.map({ evaluator($0) }), share < 1 {
      let count = Double(metrics.count(.glyph, in: block))
      units.shown = Int((count * max(0, share.isFinite ? share : 0) + 1e-6).rounded(.down))
    }
    units.writing = evaluator.writing(model.writing)
    units.along = model.along.map {
      TextLine(
        path: evaluator.path($0), start: evaluator(model.alongStart), isBent: model.isBent)
    }
    let isInSpace =
      units.styles.contains { $0.space != nil } || units.spans.contains { $0.style.space != nil }
    if isInSpace { units.eye = eye }
    return units == TextUnits(kind: model.kind, styles: []) ? nil : units
  }

  private func style(_ unit: TextUnitsModel.Unit) -> TextUnitStyle {
    var style = TextUnitStyle(
      opacity: max(0, min(1, evaluator(unit.opacity))), map: evaluator.affine(unit.map),
      fill: unit.fill.map(paint), stroke: unit.stroke.map(paint),
      blur: bounded(evaluator(unit.blur)),
      shift: Point(share(evaluator(unit.shift.x)), share(evaluator(unit.shift.y))))
    style.writing = evaluator.writing(unit.writing)
    if let depth = unit.depth {
      let space = evaluator.space(unit.map, depth)
      style.space = space == SpaceMap(style.map) ? nil : space
    }
    return style
  }

  /// Clamps a fraction of a box to the range that can affect drawing.
  private func share(_ value: Double) -> Double {
    value.isFinite ? max(-1000, min(1000, value)) : 0
  }

  func rect(_ s: [Scalar]) -> Rect {
    Rect(x: evaluator(s[0]), y: evaluator(s[1]), width: evaluator(s[2]), height: evaluator(s[3]))
  }

  /// Lowers a shape to its fill, followed by its stroke.
  func ops(of shape: PaintedShape, pen: RoughPen?) -> [DrawOp] {
    var form = shape.form
    let (fill, stroke, trim) = (shape.fill, shape.stroke, shape.trim)
    if let pen { return roughShape(form, fill: fill, stroke: stroke, trim: trim, pen: pen) }
    let whole = form
    if let part = trimmed(form.path, trim) { form = .path(part) }
    if case .path(let path) = form, path.isEmpty { return [] }
    var ops: [DrawOp] = []
    if let fill {
      let paint = self.paint(fill)
      if !paint.isInvisible { ops.append(.fill(form, paint)) }
    }
    if let stroke {
      let paint = self.paint(stroke.paint)
      let width = evaluator(stroke.width)
      if let brush = stroke.brush {
        let stamps = stamps(brush, along: whole.path, of: stroke, paint: paint, trim: trim)
        ops += [stamps].compactMap { $0 }
      } else if width > 0, !paint.isInvisible {
        let length = stroke.dash.isEmpty ? 0 : form.path.length
        let style = style(stroke, length: length)
        if stroke.profile == nil {
          ops.append(.stroke(form, style, paint))
        } else {
          let (part, whole) = (form.path, whole.path)
          let drawn = DrawnLine(path: part, part: part, whole: whole)
          let isClosed = whole.isClosed
          ops += [
            line([drawn], of: stroke, style: style, paint: paint, trim: trim, isClosed: isClosed)
          ]
          .compactMap { $0 }
        }
      }
    }
    return ops
  }

  /// Returns the op that draws the lines of a stroke, of constant or varying width; `nil` if the
  /// width is 0 everywhere.
  func line(
    _ lines: [DrawnLine], of stroke: StrokeModel, style: StrokeStyle, paint: Paint,
    trim: TrimModel?, isClosed: Bool
  ) -> DrawOp? {
    guard let profile = stroke.profile else {
      let path = lines.count == 1 ? lines[0].path : Path(lines.flatMap(\.path.elements))
      return .stroke(.path(path), style, paint)
    }
    let values = StrokeProfile(
      taper: evaluator.point(profile.taper), factors: profile.factors.map { evaluator($0) })
    let from = trim.map { evaluator($0.from) } ?? 0
    let isWrapped = isClosed && from.isFinite
    let start = isWrapped ? from - from.rounded(.down) : max(0, min(1, from))
    let outlines = lines.map { line in
      let length = profile.isOfPart ? line.part.length : line.whole.length
      let lead = line.lead > 0 ? line.lead / max(1e-9, length) : 0
      return Stroker.outline(
        of: line.path, style: style, profile: values, length: length,
        start: (profile.isOfPart ? 0 : start) + lead)
    }
    let path = outlines.count == 1 ? outlines[0] : Path(outlines.flatMap(\.elements))
    return path.isEmpty ? nil : .fill(.path(path), paint)
  }

  /// Returns the drawn part of a path; `nil` for the whole path.
  private func trimmed(_ path: @autoclosure () -> Path, _ trim: TrimModel?) -> Path? {
    guard let trim else { return nil }
    let from = evaluator(trim.from)
    let to = evaluator(trim.to)
    return from > 0 || !(to >= 1) ? path().trimmed(from: from, to: to) : nil
  }

  private func arrow(
    along model: PathModel, stroke: StrokeModel, arrow: ArrowModel, trim: TrimModel?,
    pen: RoughPen?
  ) -> [DrawOp] {
    let whole = evaluator.path(model)
    let path = trimmed(whole, trim) ?? whole
    let paint = self.paint(stroke.paint)
    let width = evaluator(stroke.width)
    guard !path.isEmpty, Outline.path(path).bounds.isDrawable, width > 0, !paint.isInvisible
    else { return [] }
    if let pen {
      return roughArrow(along: whole, stroke: stroke, arrow: arrow, trim: trim, pen: pen)
    }
    let parts = Link.arrow(path, width: width, head: arrow.head, tail: arrow.tail)
    var line = style(stroke, length: stroke.dash.isEmpty ? 0 : path.length)
    let shaft = DrawnLine(path: parts.shaft, part: path, whole: whole, lead: parts.tailLength)
    var ops = [shaftOp(shaft, of: stroke, style: line, paint: paint, trim: trim)].compactMap { $0 }
    // Arrowheads are never dashed and have sharp tips.
    line.dash = []
    for head in parts.heads {
      switch head.kind {
      case .none: break
      case .triangle, .circle: ops.append(.fill(.path(head.path), paint))
      case .open, .bar: ops.append(.stroke(.path(head.path), line, paint))
      }
    }
    return ops
  }

  /// Returns the op that draws the shaft of an arrow, whose ends its heads cover; `nil` if nothing
  /// is drawn.
  func shaftOp(
    _ shaft: DrawnLine, of stroke: StrokeModel, style: StrokeStyle, paint: Paint, trim: TrimModel?
  ) -> DrawOp? {
    guard let brush = stroke.brush else {
      return line([shaft], of: stroke, style: style, paint: paint, trim: trim, isClosed: false)
    }
    let rest = max(0, shaft.part.length - shaft.path.length - shaft.lead)
    return stamps(
      brush, along: shaft.whole, of: stroke, paint: paint, trim: trim, cut: Point(shaft.lead, rest))
  }

  /// Clamps the width, dash lengths and number of dashes to values that Cairo draws in bounded
  /// time.
  func style(_ stroke: StrokeModel, length: Double) -> StrokeStyle {
    let width = max(0, min(evaluator(stroke.width), 20_000))
    var dash = stroke.dash.map { evaluator($0) }
    if dash.contains(where: { !($0 >= 0) }) { dash = [] }
    let sum = dash.reduce(0, +)
    if !(sum > 0) || length / sum * Double(dash.count) > 100_000 { dash = [] }
    let offset = evaluator(stroke.dashOffset)
    var style = StrokeStyle(
      width: width, cap: stroke.cap, join: stroke.join,
      miterLimit: max(1, min(evaluator(stroke.miterLimit), 1000)), dash: dash,
      dashOffset: dash.isEmpty || !offset.isFinite ? 0 : offset)
    style.isSteady = stroke.isSteady
    return style
  }
}

/// A line of a stroke.
struct DrawnLine {
  let path: Path
  /// The trimmed path, whose ends may be covered by arrowheads.
  let part: Path
  /// The whole path before trimming.
  let whole: Path
  /// The length from the start of `part` to that of `path`.
  var lead = 0.0
}

extension [ImageReference] {
  /// Returns the frame with an index, clamped to the valid range; `nil` for an empty list.
  fileprivate func at(_ number: Double) -> ImageReference? {
    guard let last = indices.last else { return nil }
    return number > 0 ? self[Int(Swift.min(number, Double(last)))] : self[0]
  }
}

extension Outline {
  func translated(by shift: Point) -> Outline {
    switch self {
    case .rect(let r, let radius):
      .rect(
        Rect(x: r.x + shift.x, y: r.y + shift.y, width: r.width, height: r.height), radius: radius)
    case .ellipse(let center, let rx, let ry): .ellipse(center: center + shift, rx: rx, ry: ry)
    case .path(let path):
      shift == .zero ? self : .path(path.transformed(by: .translation(shift.x, shift.y)))
    }
  }
}
