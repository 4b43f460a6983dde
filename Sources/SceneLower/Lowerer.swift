// SPDX-License-Identifier: MIT
import SceneGraphics
package import SceneIR
package import SceneModel

/// Makes the frame programs of one scene. Frames may be asked for in any order.
package struct Lowerer {
  /// A group that never changes and holds at least so many drawings becomes a layer: it is drawn
  /// once and kept. The model alone decides, so that pixels do not depend on what was kept.
  private static let leastLayer = 6

  private let model: SceneModel
  private let metrics: any TextMetrics
  private var evaluator: Evaluator

  package init(_ model: SceneModel, metrics: any TextMetrics) {
    self.model = model
    self.metrics = metrics
    evaluator = Evaluator(model.program, metrics: metrics)
  }

  /// The program of frame `index`, which shows the time `index / frameRate`.
  package mutating func lower(frame index: Int) -> FrameProgram {
    lower(at: model.frameRate.time(ofFrame: index))
  }

  package mutating func lower(at time: Ticks) -> FrameProgram {
    evaluator.evaluate(at: time)
    var ops: [DrawOp] = []
    append(model.elements, at: time, to: &ops)
    return FrameProgram(
      size: model.size, background: model.background.map(paint), ops: ops)
  }

  private func append(_ elements: [ElementModel], at time: Ticks, to ops: inout [DrawOp]) {
    if elements.contains(where: { $0.z != .zero }) {
      let order = elements.indices.map { (z: evaluator(elements[$0].z), index: $0) }
      for entry in order.sorted(by: { ($0.z, $0.index) < ($1.z, $1.index) }) {
        append(elements[entry.index], at: time, to: &ops)
      }
    } else {
      for element in elements { append(element, at: time, to: &ops) }
    }
  }

  private func append(_ element: ElementModel, at time: Ticks, to ops: inout [DrawOp]) {
    guard element.start <= time, time < element.end, evaluator(element.visible) != 0 else {
      return
    }
    let opacity = evaluator(element.opacity)
    guard opacity > 0 else { return }
    let map = evaluator.affine(element.transform)
    // Nothing is seen through a map that cannot be undone.
    guard map.isFinite, abs(map.determinant) > 1e-12 else { return }
    if element.children.isEmpty, element.clip == nil, element.blend == .normal, map.isTranslation,
      let op = translated(element.drawing, by: Point(map.e, map.f), opacity: opacity)
    {
      return ops.append(op)
    }
    var body = drawing(element.drawing)
    if !element.children.isEmpty {
      var inner: [DrawOp] = []
      append(element.children, at: time, to: &inner)
      let origin = evaluator.point(element.contentOrigin)
      if origin == .zero || inner.isEmpty {
        body += inner
      } else {
        body.append(.transformed(.translation(origin.x, origin.y), body: inner))
      }
    }
    guard !body.isEmpty else { return }
    if let clip = element.clip {
      guard let outline = self.outline(clip), outline.bounds.isDrawable else { return }
      body = [.clipped(outline, body: body)]
    }
    if element.blend != .normal {
      body = [.layer(opacity: opacity, blend: element.blend, body: body)]
    } else if element.isStatic, element.drawingCount >= Lowerer.leastLayer {
      body = [.layer(opacity: opacity, body: body)]
    } else if opacity < 1 {
      body = faded(body, opacity)
    }
    if map == .identity { ops += body } else { ops.append(.transformed(map, body: body)) }
  }

  /// One fill or stroke, moved without a map of its own; `nil` when it is more than that.
  private func translated(_ drawing: ElementModel.Drawing, by shift: Point, opacity: Double)
    -> DrawOp?
  {
    let body = self.drawing(drawing)
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

  /// At an opacity: one simple op by its paint, more by a layer.
  private func faded(_ body: [DrawOp], _ opacity: Double) -> [DrawOp] {
    if body.count == 1 {
      switch body[0] {
      case .fill(let outline, let paint): return [.fill(outline, paint.faded(opacity))]
      case .stroke(let outline, let style, let paint):
        return [.stroke(outline, style, paint.faded(opacity))]
      case .text(let block, let paints, let at, let units)
      where paints.allSatisfy({ $0.stroke == nil }):
        let faded = paints.map { TextPaint(fill: $0.fill?.faded(opacity)) }
        return [.text(block, paints: faded, at: at, units: units)]
      default: break
      }
    }
    return [.layer(opacity: opacity, body: body)]
  }

  // MARK: Drawings

  private func drawing(_ drawing: ElementModel.Drawing) -> [DrawOp] {
    switch drawing {
    case .nothing: return []
    case .outline(let outline, let fill, let stroke, let trim):
      return shape(outline, fill, stroke, trim)
    case .text(let text, let paints, let origin, let units):
      let block = evaluator.block(text)
      guard block.runs.contains(where: { !$0.text.isEmpty && $0.font.size > 0 }) else { return [] }
      let resolved = paints.map { paint in
        TextPaint(
          fill: paint.fill.map(self.paint), stroke: paint.stroke.map { self.paint($0.paint) },
          strokeStyle: paint.stroke.map { style($0, length: 0) } ?? StrokeStyle(width: 1))
      }
      let parts = units.flatMap { self.units($0, block) }
      if parts == nil,
        resolved.allSatisfy({ $0.fill?.isInvisible != false && $0.stroke?.isInvisible != false })
      {
        return []
      }
      if parts?.shown == 0 { return [] }
      return [.text(block, paints: resolved, at: evaluator.point(origin), units: parts)]
    case .image(let image, let source, let destination):
      let from = rect(source)
      let to = rect(destination)
      guard from.width > 0, from.height > 0, to.width > 0, to.height > 0, to.isDrawable else {
        return []
      }
      return [.image(image, source: from, destination: to)]
    }
  }

  /// The parts of a text as they are now; `nil` when all are at rest.
  private func units(_ model: TextUnitsModel, _ block: TextBlock) -> TextUnits? {
    var units = TextUnits(kind: model.kind, styles: [])
    units.styles = model.units.map { unit in
      TextUnitStyle(
        opacity: max(0, min(1, evaluator(unit.opacity))), map: evaluator.affine(unit.map),
        fill: unit.fill.map(paint))
    }
    if units.styles.allSatisfy({ $0 == TextUnitStyle() }) { units.styles = [] }
    if let share = model.shown.map({ evaluator($0) }), share < 1 {
      let count = Double(metrics.count(.glyph, in: block))
      units.shown = Int((count * max(0, share.isFinite ? share : 0) + 1e-6).rounded(.down))
    }
    return units.styles.isEmpty && units.shown == nil ? nil : units
  }

  private func rect(_ s: [Scalar]) -> Rect {
    Rect(evaluator(s[0]), evaluator(s[1]), evaluator(s[2]), evaluator(s[3]))
  }

  private func shape(
    _ outline: OutlineModel, _ fill: PaintModel?, _ stroke: StrokeModel?, _ trim: TrimModel?
  ) -> [DrawOp] {
    guard var form = self.outline(outline), form.bounds.isDrawable else { return [] }
    if let trim {
      let from = evaluator(trim.from)
      let to = evaluator(trim.to)
      if from > 0 || to < 1 { form = .path(form.path.trimmed(from: from, to: to)) }
      if case .path(let path) = form, path.isEmpty { return [] }
    }
    var ops: [DrawOp] = []
    if let fill {
      let paint = self.paint(fill)
      if !paint.isInvisible { ops.append(.fill(form, paint)) }
    }
    if let stroke {
      let paint = self.paint(stroke.paint)
      let width = evaluator(stroke.width)
      if width > 0, !paint.isInvisible {
        let length = stroke.dash.isEmpty ? 0 : form.path.length
        ops.append(.stroke(form, style(stroke, length: length), paint))
      }
    }
    return ops
  }

  private func outline(_ outline: OutlineModel) -> Outline? {
    switch outline {
    case .rect(let x, let y, let width, let height, let radius):
      let rect = Rect(evaluator(x), evaluator(y), evaluator(width), evaluator(height))
      guard rect.width > 0, rect.height > 0 else { return nil }
      return .rect(rect, radius: max(0, min(evaluator(radius), rect.width / 2, rect.height / 2)))
    case .ellipse(let center, let rx, let ry):
      let (x, y) = (evaluator(rx), evaluator(ry))
      guard x > 0, y > 0 else { return nil }
      return .ellipse(center: evaluator.point(center), rx: x, ry: y)
    case .star(let center, let points, let outer, let inner):
      return .path(
        .star(
          center: evaluator.point(center), points: points, outer: evaluator(outer),
          inner: evaluator(inner)))
    case .arc(let center, let radius, let inner, let start, let sweep, let closed):
      guard evaluator(radius) > 0 else { return nil }
      return .path(
        .arc(
          center: evaluator.point(center), radius: evaluator(radius), inner: evaluator(inner),
          start: evaluator(start), sweep: evaluator(sweep), closed: evaluator(closed) != 0))
    case .path(let path): return .path(evaluator.path(path))
    }
  }

  /// Widths, dashes and their number are kept within what Cairo draws in bounded time.
  private func style(_ stroke: StrokeModel, length: Double) -> StrokeStyle {
    let width = max(0, min(evaluator(stroke.width), 20_000))
    var dash = stroke.dash.map { evaluator($0) }
    if dash.contains(where: { !($0 >= 0) }) { dash = [] }
    let sum = dash.reduce(0, +)
    if !(sum > 0) || length / sum * Double(dash.count) > 100_000 { dash = [] }
    let offset = evaluator(stroke.dashOffset)
    return StrokeStyle(
      width: width, cap: stroke.cap, join: stroke.join,
      miterLimit: max(1, min(evaluator(stroke.miterLimit), 1000)), dash: dash,
      dashOffset: dash.isEmpty || !offset.isFinite ? 0 : offset)
  }

  // MARK: Paints

  private func paint(_ model: PaintModel) -> Paint {
    switch model {
    case .color(let color): return .color(evaluator.color(color))
    case .linear(let from, let to, let stops, let space):
      return .linear(
        from: evaluator.point(from), to: evaluator.point(to), stops: self.stops(stops, space))
    case .radial(let center, let radius, let stops, let space):
      return .radial(
        center: evaluator.point(center), radius: max(0, evaluator(radius)),
        stops: self.stops(stops, space))
    }
  }

  /// Stops so close that mixing between them in sRGB looks like mixing in the space.
  private func stops(_ models: [StopModel], _ space: ColorSpace) -> [GradientStop] {
    var result: [GradientStop] = []
    var last: GradientStop?
    for model in models {
      let offset = max(last?.offset ?? 0, min(1, max(0, evaluator(model.offset))))
      let stop = GradientStop(evaluator.color(model.color), at: offset)
      if let last, offset > last.offset, last.color != stop.color,
        space != .srgb || last.color.alpha != stop.color.alpha
      {
        let steps = 16
        for step in 1..<steps {
          let u = Double(step) / Double(steps)
          result.append(
            GradientStop(
              space.mix(last.color, stop.color, u),
              at: last.offset + (offset - last.offset) * u))
        }
      }
      result.append(stop)
      last = stop
    }
    return result
  }
}

extension Affine {
  var isTranslation: Bool { a == 1 && b == 0 && c == 0 && d == 1 }
}

extension Rect {
  /// Finite and within what Cairo's fixed-point numbers hold.
  var isDrawable: Bool {
    let bound = 4_000_000.0
    return abs(x) < bound && abs(y) < bound && width < bound && height < bound
  }
}

extension Point {
  var isFinite: Bool { x.isFinite && y.isFinite }
}

extension Outline {
  func translated(by shift: Point) -> Outline {
    switch self {
    case .rect(let r, let radius):
      .rect(Rect(r.x + shift.x, r.y + shift.y, r.width, r.height), radius: radius)
    case .ellipse(let center, let rx, let ry): .ellipse(center: center + shift, rx: rx, ry: ry)
    case .path(let path):
      shift == .zero ? self : .path(path.transformed(by: .translation(shift.x, shift.y)))
    }
  }
}

extension Paint {
  func translated(by shift: Point) -> Paint {
    switch self {
    case .color: self
    case .linear(let from, let to, let stops):
      .linear(from: from + shift, to: to + shift, stops: stops)
    case .radial(let center, let radius, let stops):
      .radial(center: center + shift, radius: radius, stops: stops)
    }
  }
}
