// SPDX-License-Identifier: MIT
import CCairo
import SceneGraphics
import SceneIR

/// Draws ops on one Cairo context, whatever surface that is for.
@safe struct Painter {
  private let context: OpaquePointer
  private let engine: LayoutEngine
  /// The surface of an image for the scale at which it is drawn, and how often it was halved.
  private let surface: (ImageReference, Double) -> (OpaquePointer, Int)?

  /// `nil` where a drawing is made once only.
  private let layers: LayerCache?

  init(
    context: OpaquePointer, engine: LayoutEngine, layers: LayerCache? = nil,
    surface: @escaping (ImageReference, Double) -> (OpaquePointer, Int)?
  ) {
    unsafe self.context = context
    self.engine = engine
    self.layers = layers
    unsafe self.surface = surface
  }

  func draw(_ op: DrawOp) {
    switch op {
    case .fill(let outline, let paint):
      trace(outline)
      setSource(paint)
      unsafe cairo_fill(context)
    case .stroke(let outline, let style, let paint):
      trace(outline)
      stroke(style, paint)
    case .text(let block, let paints, let at, let units):
      if let units { self.units(block, paints, at, units) } else { text(block, paints, at) }
    case .image(let image, let source, let destination): self.image(image, source, destination)
    case .transformed(let map, let body):
      unsafe cairo_save(context)
      var matrix = cairo_matrix_t(
        xx: map.a, yx: map.b, xy: map.c, yy: map.d, x0: map.e, y0: map.f)
      unsafe cairo_transform(context, &matrix)
      for op in body { draw(op) }
      unsafe cairo_restore(context)
    case .clipped(let outline, let body):
      unsafe cairo_save(context)
      trace(outline)
      unsafe cairo_clip(context)
      for op in body { draw(op) }
      unsafe cairo_restore(context)
    case .layer(let opacity, let blend, let body): layer(opacity, blend, body)
    }
  }

  // MARK: Shapes

  private func trace(_ outline: Outline) {
    unsafe cairo_new_path(context)
    if case .rect(let r, let radius) = outline, radius <= 0 {
      return unsafe cairo_rectangle(context, r.x, r.y, r.width, r.height)
    }
    trace(outline.path)
  }

  private func trace(_ path: Path) {
    for element in path.elements {
      switch element {
      case .move(let p): unsafe cairo_move_to(context, p.x, p.y)
      case .line(let p): unsafe cairo_line_to(context, p.x, p.y)
      case .cubic(let a, let b, let p):
        unsafe cairo_curve_to(context, a.x, a.y, b.x, b.y, p.x, p.y)
      case .close: unsafe cairo_close_path(context)
      }
    }
  }

  private func stroke(_ style: StrokeStyle, _ paint: Paint) {
    setSource(paint)
    unsafe cairo_set_line_width(context, style.width)
    switch style.cap {
    case .butt: unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT)
    case .round: unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    case .square: unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_SQUARE)
    }
    switch style.join {
    case .miter: unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_MITER)
    case .round: unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    case .bevel: unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_BEVEL)
    }
    unsafe cairo_set_miter_limit(context, style.miterLimit)
    unsafe cairo_set_dash(context, style.dash, Int32(style.dash.count), style.dashOffset)
    unsafe cairo_stroke(context)
  }

  func setSource(_ paint: Paint) {
    switch paint {
    case .color(let c): unsafe cairo_set_source_rgba(context, c.red, c.green, c.blue, c.alpha)
    case .linear(let from, let to, let stops):
      let pattern = unsafe cairo_pattern_create_linear(from.x, from.y, to.x, to.y)
      unsafe setPattern(pattern, stops)
    case .radial(let center, let radius, let stops):
      let pattern = unsafe cairo_pattern_create_radial(
        center.x, center.y, 0, center.x, center.y, radius)
      unsafe setPattern(pattern, stops)
    }
  }

  private func setPattern(_ pattern: OpaquePointer?, _ stops: [GradientStop]) {
    for stop in stops {
      let c = stop.color
      unsafe cairo_pattern_add_color_stop_rgba(
        pattern, stop.offset, c.red, c.green, c.blue, c.alpha)
    }
    unsafe cairo_set_source(context, pattern)
    unsafe cairo_pattern_destroy(pattern)
  }

  // MARK: Text

  private func text(_ block: TextBlock, _ paints: [TextPaint], _ at: Point) {
    let layout = engine.layout(block)
    unsafe cairo_save(context)
    unsafe cairo_translate(context, at.x, at.y)
    for piece in layout.pieces {
      let paint = paints[piece.run]
      if piece.bitmap != nil {
        showBitmap(piece, of: layout, paint)
        continue
      }
      unsafe cairo_new_path(context)
      trace(piece.path)
      if let line = piece.underline {
        unsafe cairo_rectangle(context, line.x, line.y, line.width, line.height)
      }
      if let fill = paint.fill {
        setSource(fill)
        unsafe cairo_fill_preserve(context)
      }
      if let color = paint.stroke { stroke(paint.strokeStyle, color) }
      unsafe cairo_new_path(context)
    }
    unsafe cairo_restore(context)
  }

  /// A text whose parts move, cluster by cluster.
  private func units(
    _ block: TextBlock, _ paints: [TextPaint], _ at: Point, _ units: TextUnits
  ) {
    let layout = engine.layout(block)
    let boxes = layout.boxes(units.kind)
    unsafe cairo_save(context)
    unsafe cairo_translate(context, at.x, at.y)
    for cluster in layout.clusters {
      if let shown = units.shown, cluster.glyph >= shown { continue }
      let index = cluster.unit(units.kind)
      let style = units.styles.indices.contains(index) ? units.styles[index] : TextUnitStyle()
      guard style.opacity > 0 else { continue }
      let map = boxes.indices.contains(index) ? style.map.about(boxes[index].center) : .identity
      guard map.isFinite, abs(map.determinant) > 1e-12 else { continue }
      unsafe cairo_save(context)
      var matrix = cairo_matrix_t(
        xx: map.a, yx: map.b, xy: map.c, yy: map.d, x0: map.e, y0: map.f)
      unsafe cairo_transform(context, &matrix)
      let paint = paints[cluster.run]
      if let bitmap = cluster.bitmap {
        setSource(.color(.black))
        unsafe cairo_push_group(context)
        unsafe layout.showBitmap(bitmap, on: context)
        unsafe cairo_pop_group_to_source(context)
        unsafe cairo_paint_with_alpha(context, style.opacity)
      } else {
        unsafe cairo_new_path(context)
        trace(cluster.path)
        if let line = cluster.underline {
          unsafe cairo_rectangle(context, line.x, line.y, line.width, line.height)
        }
        if let fill = style.fill ?? paint.fill {
          setSource(fill.faded(style.opacity))
          unsafe cairo_fill_preserve(context)
        }
        if let color = paint.stroke { stroke(paint.strokeStyle, color.faded(style.opacity)) }
        unsafe cairo_new_path(context)
      }
      unsafe cairo_restore(context)
    }
    unsafe cairo_restore(context)
  }

  /// Around all that a text draws, wherever its parts are.
  private func ink(_ block: TextBlock, _ units: TextUnits?) -> Rect {
    let layout = engine.layout(block)
    guard let units, !units.styles.isEmpty else { return layout.inkBounds }
    let boxes = layout.boxes(units.kind)
    var ink = layout.inkBounds
    for cluster in layout.clusters {
      let index = cluster.unit(units.kind)
      guard units.styles.indices.contains(index), boxes.indices.contains(index) else { continue }
      let map = units.styles[index].map.about(boxes[index].center)
      var own = cluster.box.union(cluster.path.controlBounds)
      if let line = cluster.underline { own = own.union(line) }
      if map.isFinite { ink = ink.union(map.apply(own)) }
    }
    return ink
  }

  /// Colour glyphs bring their own colours; of the paint they take the alpha.
  private func showBitmap(_ piece: TextLayout.Piece, of layout: TextLayout, _ paint: TextPaint) {
    var alpha = 1.0
    if case .color(let color)? = paint.fill { alpha = color.alpha }
    setSource(.color(.black))
    guard alpha < 1 else { return unsafe layout.showBitmap(piece, on: context) }
    unsafe cairo_push_group(context)
    unsafe layout.showBitmap(piece, on: context)
    unsafe cairo_pop_group_to_source(context)
    unsafe cairo_paint_with_alpha(context, alpha)
  }

  // MARK: Images

  private func image(_ image: ImageReference, _ source: Rect, _ destination: Rect) {
    let scaleX = destination.width / source.width
    let scaleY = destination.height / source.height
    let stretch = currentMap.concat(.scale(scaleX, scaleY)).maximumStretch
    guard let (pixels, level) = unsafe surface(image, stretch) else { return }
    let shrink = Double(1 << level)
    unsafe cairo_save(context)
    unsafe cairo_rectangle(
      context, destination.x, destination.y, destination.width, destination.height)
    unsafe cairo_clip(context)
    unsafe cairo_translate(context, destination.x, destination.y)
    unsafe cairo_scale(context, scaleX * shrink, scaleY * shrink)
    unsafe cairo_set_source_surface(context, pixels, -source.x / shrink, -source.y / shrink)
    let pattern = unsafe cairo_get_source(context)
    unsafe cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
    // Between half and full size GOOD is exact for what is made smaller and bilinear for the rest.
    unsafe cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
    unsafe cairo_paint(context)
    unsafe cairo_restore(context)
  }

  private var currentMap: Affine {
    var m = cairo_matrix_t()
    unsafe cairo_get_matrix(context, &m)
    return Affine(m.xx, m.yx, m.xy, m.yy, m.x0, m.y0)
  }

  // MARK: Layers

  /// Only the pixels that the body covers are drawn apart.
  private func layer(_ opacity: Double, _ blend: BlendMode, _ body: [DrawOp]) {
    let map = currentMap
    let covered = body.reduce(Rect.empty) { $0.union(bounds(of: $1, map)) }
    guard !covered.isEmpty else { return }
    unsafe cairo_save(context)
    unsafe cairo_identity_matrix(context)
    let x = covered.x.rounded(.down) - 1
    let y = covered.y.rounded(.down) - 1
    unsafe cairo_rectangle(
      context, x, y, covered.maxX.rounded(.up) + 1 - x, covered.maxY.rounded(.up) + 1 - y)
    unsafe cairo_clip(context)
    let key = LayerCache.Key(body: body, map: map)
    if let kept = unsafe layers?.pattern(key) {
      unsafe cairo_set_source(context, kept)
      unsafe cairo_set_operator(context, blend.cairoOperator)
      unsafe cairo_paint_with_alpha(context, opacity)
      unsafe cairo_restore(context)
      return
    }
    unsafe cairo_push_group(context)
    var matrix = cairo_matrix_t(
      xx: map.a, yx: map.b, xy: map.c, yy: map.d, x0: map.e, y0: map.f)
    unsafe cairo_set_matrix(context, &matrix)
    for op in body { draw(op) }
    unsafe cairo_identity_matrix(context)
    if let pattern = unsafe cairo_pop_group(context) {
      unsafe layers?.keep(pattern, key, bytes: clippedBytes)
      unsafe cairo_set_source(context, pattern)
      unsafe cairo_pattern_destroy(pattern)
    }
    unsafe cairo_set_operator(context, blend.cairoOperator)
    unsafe cairo_paint_with_alpha(context, opacity)
    unsafe cairo_restore(context)
  }

  /// What the pixels inside the clip take, in bytes.
  private var clippedBytes: Int {
    var (x0, y0, x1, y1) = (0.0, 0.0, 0.0, 0.0)
    unsafe cairo_clip_extents(context, &x0, &y0, &x1, &y1)
    return Int(max(0, min(1e9, (x1 - x0) * (y1 - y0) * 4)))
  }

  /// A box in device pixels that holds all that an op draws.
  func bounds(of op: DrawOp, _ map: Affine) -> Rect {
    switch op {
    case .fill(let outline, _): return map.apply(outline.bounds)
    case .stroke(let outline, let style, _):
      let reach = style.join == .miter ? max(1.5, style.miterLimit) : 1.5
      return map.apply(outline.bounds.insetBy(-style.width / 2 * reach))
    case .text(let block, let paints, let at, let units):
      let widest = paints.map { $0.stroke == nil ? 0 : $0.strokeStyle.width * 4 }.max() ?? 0
      let ink = self.ink(block, units).insetBy(-widest)
      return map.concat(.translation(at.x, at.y)).apply(ink)
    case .image(_, _, let destination): return map.apply(destination)
    case .transformed(let inner, let body):
      let whole = map.concat(inner)
      return body.reduce(.empty) { $0.union(bounds(of: $1, whole)) }
    case .clipped(let outline, _): return map.apply(outline.bounds)
    case .layer(_, _, let body): return body.reduce(.empty) { $0.union(bounds(of: $1, map)) }
    }
  }
}

extension BlendMode {
  /// Cairo's operators follow the same formulas (PDF 1.7 section 11.3.5).
  fileprivate var cairoOperator: cairo_operator_t {
    switch self {
    case .normal: CAIRO_OPERATOR_OVER
    case .multiply: CAIRO_OPERATOR_MULTIPLY
    case .screen: CAIRO_OPERATOR_SCREEN
    case .overlay: CAIRO_OPERATOR_OVERLAY
    case .darken: CAIRO_OPERATOR_DARKEN
    case .lighten: CAIRO_OPERATOR_LIGHTEN
    case .difference: CAIRO_OPERATOR_DIFFERENCE
    case .exclusion: CAIRO_OPERATOR_EXCLUSION
    case .hue: CAIRO_OPERATOR_HSL_HUE
    case .saturation: CAIRO_OPERATOR_HSL_SATURATION
    case .color: CAIRO_OPERATOR_HSL_COLOR
    case .luminosity: CAIRO_OPERATOR_HSL_LUMINOSITY
    case .colorDodge: CAIRO_OPERATOR_COLOR_DODGE
    case .colorBurn: CAIRO_OPERATOR_COLOR_BURN
    case .hardLight: CAIRO_OPERATOR_HARD_LIGHT
    case .softLight: CAIRO_OPERATOR_SOFT_LIGHT
    case .plusLighter: CAIRO_OPERATOR_ADD
    }
  }
}
