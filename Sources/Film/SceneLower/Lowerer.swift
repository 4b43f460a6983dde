// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
package import SceneModel

/// The translation of a scene to frame programs. Frames can be requested in any order.
package struct Lowerer {
  /// The minimum number of drawings in a static group that becomes a layer, which is drawn once and
  /// cached. Only the model decides, so that pixels do not depend on the state of the cache.
  private static let leastLayer = 6

  /// The maximum standard deviation of a blur, in pixels.
  private static let widestBlur = 500.0

  let model: SceneModel
  private let metrics: any TextMetrics
  private let hasSteadyStrokes: Bool
  private(set) var evaluator: Evaluator
  /// The time of the current frame, independent of the motion blur sample: footage has motion blur
  /// of its own.
  private var frameTime = Ticks.zero
  /// The size of the output frames.
  package let size: PixelSize

  /// Creates a lowerer. If `size` differs from the model's size, all drawings are scaled.
  package init(_ model: SceneModel, metrics: any TextMetrics, size: PixelSize? = nil) {
    self.model = model
    self.metrics = metrics
    self.size = size ?? model.size
    evaluator = Evaluator(model.program, metrics: metrics)
    hasSteadyStrokes = model.elements.contains(where: \.hasSteadyStroke)
  }

  /// The divisor for the number of motion blur samples, to reduce the quality of short-lived
  /// frames.
  package var blurDivisor = 1

  /// Returns the program of frame `index` at the time `index / frameRate`. With motion blur, it
  /// covers the interval around this time in which the shutter is open.
  package mutating func lower(frame index: Int) -> FrameProgram {
    lower(at: model.frameRate.time(ofFrame: index))
  }

  /// Returns the same program, or `nil` if `isUnwanted` returned `true`. The callback is called
  /// before each element and each expensive path.
  package mutating func lower(frame index: Int, isUnwanted: @escaping () -> Bool) -> FrameProgram? {
    unless(isUnwanted) { $0.lower(frame: index) }
  }

  /// Returns the result of `body`, or `nil` if it was interrupted.
  mutating func unless<T>(_ isUnwanted: @escaping () -> Bool, _ body: (inout Lowerer) -> T) -> T? {
    evaluator.interrupt(if: isUnwanted)
    defer { evaluator.interrupt(if: nil) }
    let result = body(&self)
    return evaluator.isInterrupted ? nil : result
  }

  package mutating func lower(at time: Ticks) -> FrameProgram {
    unscaled(at: time).scaled(to: size)
  }

  private mutating func unscaled(at time: Ticks) -> FrameProgram {
    frameTime = time
    let frame = sharp(at: time)
    guard let blur = model.motionBlur else { return frame }
    let open = model.frameRate.frameTicks * blur.angle / 360
    let last = model.duration.rawValue - 1
    let count = max(1, blur.samples / blurDivisor)
    let samples = (0..<count).map { sample -> FrameProgram in
      let share = (Double(sample) + 0.5) / Double(count) - 0.5
      let instant = time.rawValue + Int64((open * share).rounded())
      return sharp(at: Ticks(max(0, min(last, instant))))
    }
    return FrameProgram(
      size: frame.size, background: frame.background,
      ops: Lowerer.averaged(samples.map(\.ops)))
  }

  /// Evaluates everything needed for a frame at `time`.
  mutating func begin(at time: Ticks) {
    frameTime = time
    evaluator.evaluate(at: time)
  }

  private mutating func sharp(at time: Ticks) -> FrameProgram {
    evaluator.evaluate(at: time)
    let ops = ops(of: model.elements, at: time)
    return FrameProgram(
      size: model.size, background: model.background.map(paint),
      ops: hasSteadyStrokes ? ops.map { $0.settled(.identity) } : ops)
  }

  /// Merges several samples of the same ops: only the differing parts are averaged.
  private static func averaged(_ samples: [[DrawOp]]) -> [DrawOp] {
    guard let first = samples.first else { return [] }
    if samples.allSatisfy({ $0 == first }) { return first }
    guard samples.allSatisfy({ $0.count == first.count }) else { return [.averaged(samples)] }
    return first.indices.flatMap { index -> [DrawOp] in
      let ops = samples.map { $0[index] }
      if ops.allSatisfy({ $0 == ops[0] }) { return [ops[0]] }
      if case .transformed(let map, let body) = ops[0], body.count > 1 {
        let bodies = ops.compactMap { op -> [DrawOp]? in
          if case .transformed(map, let body) = op { body } else { nil }
        }
        if bodies.count == ops.count { return [.transformed(map, body: averaged(bodies))] }
      }
      return [.averaged(ops.map { [$0] })]
    }
  }

  private func ops(of elements: [ElementModel], at time: Ticks) -> [DrawOp] {
    var ops: [DrawOp] = []
    append(elements, at: time, to: &ops)
    return ops
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
    guard element.start <= time, time < element.end, evaluator(element.visible) != 0,
      evaluator.mayGoOn()
    else { return }
    let opacity = evaluator(element.opacity)
    guard opacity > 0 else { return }
    let map = evaluator.affine(element.transform)
    // Elements with a singular map are invisible.
    guard map.isDrawable else { return }
    if element.children.isEmpty, element.style.isPlain, map.isTranslation,
      let op = translated(element.drawing, by: Point(map.e, map.f), opacity: opacity)
    {
      return ops.append(op)
    }
    var body = drawing(element.drawing)
    if !element.children.isEmpty { body += inside(element, element.children, at: time) }
    guard !body.isEmpty || element.style.backdrop != nil else { return }
    if element.style.isPlain {
      // An op that reads its backdrop changes with the backdrop, so it cannot be part of a layer.
      if element.isStatic, element.drawingCount >= Lowerer.leastLayer,
        !body.contains(where: \.readsBackdrop)
      {
        body = [.layer(opacity: opacity, body: body)]
      } else if opacity < 1 {
        body = faded(body, opacity)
      }
    } else {
      body = styled(body, as: element, opacity: opacity, at: time)
    }
    if map == .identity { ops += body } else { ops.append(.transformed(map, body: body)) }
  }

  /// Lowers elements in the coordinates of an element's children.
  private func inside(_ element: ElementModel, _ children: [ElementModel], at time: Ticks)
    -> [DrawOp]
  {
    let inner = ops(of: children, at: time)
    let map = evaluator.affine(element.content)
    if map == .identity || inner.isEmpty { return inner }
    return map.isDrawable ? [.transformed(map, body: inner)] : []
  }

  /// Applies the backdrop filters, filters, clips, mask, shadow, opacity and blend mode of an
  /// element.
  private func styled(
    _ body: [DrawOp], as element: ElementModel, opacity: Double, at time: Ticks
  ) -> [DrawOp] {
    let glass = self.glass(of: element, at: time)
    if glass.isEmpty {
      return body.isEmpty ? [] : layered(body, as: element, opacity: opacity, at: time)
    }
    let front = body.isEmpty ? [] : layered(body, as: element, opacity: 1, at: time)
    return opacity < 1 ? faded(glass + front, opacity) : glass + front
  }

  /// Returns the filtered backdrop of an element.
  private func glass(of element: ElementModel, at time: Ticks) -> [DrawOp] {
    guard let model = element.style.backdrop, let outline = evaluator.outline(model.outline),
      outline.bounds.isDrawable
    else { return [] }
    let filters = model.filters.map(filter).filter { !$0.isIdentity }
    return filters.isEmpty ? [] : cut([.backdrop(filters, outline)], element, at: time)
  }

  /// Applies the clips and the mask of an element.
  private func cut(_ body: [DrawOp], _ element: ElementModel, at time: Ticks) -> [DrawOp] {
    var body = body
    for clip in element.style.clips {
      guard let outline = evaluator.outline(clip), outline.bounds.isDrawable else { return [] }
      body = [.clipped(outline, body: body)]
    }
    guard let mask = element.style.mask else { return body }
    let drawn = inside(element, mask.elements, at: time)
    if drawn.isEmpty, !mask.style.isInverted { return [] }
    return [.masked(mask.style, mask: drawn, body: body)]
  }

  /// Applies filters, clips, mask, shadow, opacity and blend mode.
  private func layered(
    _ body: [DrawOp], as element: ElementModel, opacity: Double, at time: Ticks
  ) -> [DrawOp] {
    let model = element.style
    var body = body
    var style = LayerStyle()
    style.filters = model.filters.map(filter).filter { !$0.isIdentity }
    if style.filters.reach > 0, let box = model.extended.flatMap(evaluator.outline)?.bounds,
      box.isDrawable
    {
      style.extended = box
    }
    if !style.filters.isEmpty, !model.clips.isEmpty || model.mask != nil {
      body = [.layer(style, body: body)]
      (style.filters, style.extended) = ([], nil)
    }
    body = cut(body, element, at: time)
    if body.isEmpty { return [] }
    style.shadow = model.shadow.map { shadow in
      Shadow(
        offset: evaluator.point(shadow.offset),
        deviation: bounded(evaluator(shadow.blur) / 2), color: evaluator.color(shadow.color))
    }
    if let shadow = style.shadow {
      // A shadow with a very large offset is invisible.
      let isNear = max(abs(shadow.offset.x), abs(shadow.offset.y)) < 100_000
      if shadow.color.alpha == 0 || !isNear { style.shadow = nil }
    }
    style.opacity = min(1, opacity)
    style.blend = model.blend
    if style == LayerStyle() {
      let isApart = model.isIsolated && body.contains(where: \.blendsWithBackdrop)
      return isApart ? [.layer(style, body: body)] : body
    }
    if style == LayerStyle(opacity: style.opacity) { return faded(body, style.opacity) }
    return [.layer(style, body: body)]
  }

  /// Clamps a standard deviation to the supported range.
  private func bounded(_ deviation: Double) -> Double {
    deviation > 0 ? min(deviation, Lowerer.widestBlur) : 0
  }

  private func filter(_ model: FilterModel) -> Filter {
    switch model {
    case .blur(let deviation): return .blur(bounded(evaluator(deviation)))
    case .table(let table): return .table(table)
    case .chromaKey(let color, let tolerance, let softness):
      return .chromaKey(
        evaluator.color(color), tolerance: max(0, evaluator(tolerance)),
        softness: max(0, evaluator(softness)))
    case .color(let kind, let scalar):
      let given = evaluator(scalar)
      let amount = given.isFinite ? given : 1
      switch kind {
      case .brightness: return .matrix(.brightness(amount))
      case .contrast: return .matrix(.contrast(amount))
      case .saturate: return .matrix(.saturate(amount))
      case .grayscale: return .matrix(.grayscale(amount))
      case .invert: return .matrix(.invert(amount))
      case .sepia: return .matrix(.sepia(amount))
      case .hueRotate: return .matrix(.hueRotate(amount))
      }
    }
  }

  /// Returns a single op translated by `shift` without a map; `nil` if the drawing needs more than
  /// that.
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

  /// Applies an opacity: to the paint of a single simple op, else by a layer.
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

  func drawing(_ drawing: ElementModel.Drawing) -> [DrawOp] {
    switch drawing {
    case .nothing: return []
    case .outline(let outline, let fill, let stroke, let trim, let strokeIsFirst):
      let ops = shape(outline, fill: fill, stroke: stroke, trim: trim)
      return strokeIsFirst ? ops.reversed() : ops
    case .arrow(let path, let stroke, let arrow, let trim):
      return self.arrow(along: path, stroke: stroke, arrow: arrow, trim: trim)
    case .text(let text, let paints, let origin, let units):
      let block = evaluator.block(text)
      guard block.runs.contains(where: { !$0.text.isEmpty && $0.font.size > 0 }) else { return [] }
      let resolved = paints.map { paint in
        TextPaint(
          fill: paint.fill.map(self.paint), stroke: paint.stroke.map { self.paint($0.paint) },
          strokeStyle: paint.stroke.map { style($0, length: 0) } ?? StrokeStyle(width: 1),
          strokeIsFirst: paint.strokeIsFirst)
      }
      let parts = units.flatMap { self.units($0, block) }
      if parts == nil,
        resolved.allSatisfy({ $0.fill?.isInvisible != false && $0.stroke?.isInvisible != false })
      {
        return []
      }
      if parts?.shown == 0 { return [] }
      return [.text(block, paints: resolved, at: evaluator.point(origin), units: parts)]
    case .image(let images, let frame, let source, let destination):
      let number = evaluator(frame)
      guard let image = images.at(number) else { return [] }
      return stretched(image, from: source, to: destination)
    case .clip(let clip, let source, let destination):
      return stretched(picture(of: clip), from: source, to: destination)
    }
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
  private func units(_ model: TextUnitsModel, _ block: TextBlock) -> TextUnits? {
    var units = TextUnits(kind: model.kind, styles: [])
    units.styles = model.units.map(style)
    units.spans = model.spans.map { TextSpan(runs: $0.runs, style: style($0.unit)) }
      .filter { $0.style != TextUnitStyle() }
    if units.styles.allSatisfy({ $0 == TextUnitStyle() }) { units.styles = [] }
    if let share = model.shown.map({ evaluator($0) }), share < 1 {
      let count = Double(metrics.count(.glyph, in: block))
      units.shown = Int((count * max(0, share.isFinite ? share : 0) + 1e-6).rounded(.down))
    }
    units.along = model.along.map {
      TextLine(path: evaluator.path($0), start: evaluator(model.alongStart))
    }
    return units == TextUnits(kind: model.kind, styles: []) ? nil : units
  }

  private func style(_ unit: TextUnitsModel.Unit) -> TextUnitStyle {
    TextUnitStyle(
      opacity: max(0, min(1, evaluator(unit.opacity))), map: evaluator.affine(unit.map),
      fill: unit.fill.map(paint), stroke: unit.stroke.map(paint),
      blur: bounded(evaluator(unit.blur)),
      shift: Point(share(evaluator(unit.shift.x)), share(evaluator(unit.shift.y))))
  }

  /// Clamps a fraction of a box to the range that can affect drawing.
  private func share(_ value: Double) -> Double {
    value.isFinite ? max(-1000, min(1000, value)) : 0
  }

  private func rect(_ s: [Scalar]) -> Rect {
    Rect(x: evaluator(s[0]), y: evaluator(s[1]), width: evaluator(s[2]), height: evaluator(s[3]))
  }

  private func shape(
    _ outline: OutlineModel, fill: PaintModel?, stroke: StrokeModel?, trim: TrimModel?
  ) -> [DrawOp] {
    guard var form = evaluator.outline(outline), form.bounds.isDrawable else { return [] }
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
      if width > 0, !paint.isInvisible {
        let length = stroke.dash.isEmpty ? 0 : form.path.length
        ops.append(.stroke(form, style(stroke, length: length), paint))
      }
    }
    return ops
  }

  /// Returns the drawn part of a path; `nil` for the whole path.
  private func trimmed(_ path: @autoclosure () -> Path, _ trim: TrimModel?) -> Path? {
    guard let trim else { return nil }
    let from = evaluator(trim.from)
    let to = evaluator(trim.to)
    return from > 0 || !(to >= 1) ? path().trimmed(from: from, to: to) : nil
  }

  private func arrow(
    along model: PathModel, stroke: StrokeModel, arrow: ArrowModel, trim: TrimModel?
  ) -> [DrawOp] {
    let whole = evaluator.path(model)
    let path = trimmed(whole, trim) ?? whole
    let paint = self.paint(stroke.paint)
    let width = evaluator(stroke.width)
    guard !path.isEmpty, Outline.path(path).bounds.isDrawable, width > 0, !paint.isInvisible
    else { return [] }
    let parts = Link.arrow(path, width: width, head: arrow.head, tail: arrow.tail)
    var line = style(stroke, length: stroke.dash.isEmpty ? 0 : path.length)
    var ops: [DrawOp] = [.stroke(.path(parts.shaft), line, paint)]
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

  /// Clamps the width, dash lengths and number of dashes to values that Cairo draws in bounded
  /// time.
  private func style(_ stroke: StrokeModel, length: Double) -> StrokeStyle {
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
    case .conic(let center, let angle, let stops, let space):
      let turn = evaluator(angle)
      return .conic(
        center: evaluator.point(center), angle: turn.isFinite ? turn : 0,
        stops: self.stops(stops, space))
    case .pattern(let image, let x, let y, let width, let height):
      return .pattern(image, tile: rect([x, y, width, height]), opacity: 1)
    }
  }

  /// Returns stops dense enough that interpolation in sRGB approximates interpolation in `space`.
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
              space.mix(last.color, stop.color, at: u),
              at: last.offset + (offset - last.offset) * u))
        }
      }
      result.append(stop)
      last = stop
    }
    return result
  }
}

extension [ImageReference] {
  /// Returns the frame with an index, clamped to the valid range.
  fileprivate func at(_ number: Double) -> ImageReference? {
    guard let last = indices.last else { return nil }
    return number > 0 ? self[Int(Swift.min(number, Double(last)))] : self[0]
  }
}

extension Affine {
  /// Whether the map is invertible and its coefficients are within Cairo's limits.
  var isDrawable: Bool {
    isFinite && (1e-12..<1e12).contains(abs(determinant))
      && max(abs(a), abs(b), abs(c), abs(d)) < 1e7 && max(abs(e), abs(f)) < 1e9
  }

  var isTranslation: Bool { a == 1 && b == 0 && c == 0 && d == 1 }
}

extension Rect {
  /// Whether the rectangle is finite and within the range of Cairo's fixed-point numbers.
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
      .rect(
        Rect(x: r.x + shift.x, y: r.y + shift.y, width: r.width, height: r.height), radius: radius)
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
    case .conic(let center, let angle, let stops):
      .conic(center: center + shift, angle: angle, stops: stops)
    case .pattern(let image, let tile, let opacity):
      .pattern(
        image,
        tile: Rect(
          x: tile.x + shift.x, y: tile.y + shift.y, width: tile.width, height: tile.height),
        opacity: opacity)
    }
  }
}
