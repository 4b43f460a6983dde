// SPDX-License-Identifier: MIT
import CCairo
import CPixels
import SceneGraphics
import SceneIR

/// Draws ops on one Cairo context, whatever surface that is for.
@safe struct Painter {
  let context: OpaquePointer
  let engine: LayoutEngine
  /// The surface of an image for the scale at which it is drawn, and how often it was halved.
  let surface: (ImageReference, Double) -> (OpaquePointer, Int)?
  /// `nil` where a drawing is made once only.
  let layers: LayerCache?
  /// The image surface under the context while no clip cuts it; small fills write there directly.
  private(set) var pixels: OpaquePointer?
  /// Whether what is drawn becomes pixels here, not in a viewer.
  let isRaster: Bool
  let pool: PixelPool

  init(
    context: OpaquePointer, engine: LayoutEngine, layers: LayerCache? = nil, pool: PixelPool,
    pixels: OpaquePointer?, isRaster: Bool,
    surface: @escaping (ImageReference, Double) -> (OpaquePointer, Int)?
  ) {
    unsafe self.context = context
    self.engine = engine
    self.layers = layers
    self.pool = pool
    unsafe self.pixels = pixels
    self.isRaster = isRaster
    unsafe self.surface = surface
  }

  /// The same for the pixels of a layer.
  init(_ layer: RasterLayer, like other: Painter) {
    unsafe self.init(
      context: layer.context, engine: other.engine, pool: other.pool, pixels: layer.surface,
      isRaster: true,
      surface: other.surface)
  }

  func draw(_ op: DrawOp) {
    switch op {
    case .fill(let outline, let paint): fill(outline, paint)
    case .stroke(let outline, let style, let paint):
      trace(outline)
      stroke(style, paint, within: bounds(of: op, currentMap))
    case .text(let block, let paints, let at, let units):
      if let units { self.units(block, paints, at, units) } else { text(block, paints, at) }
    case .image(let image, let source, let destination): self.image(image, source, destination)
    case .transformed(let map, let body):
      saved {
        concat(map)
        for op in body { draw(op) }
      }
    case .clipped(let outline, let body):
      saved {
        trace(outline)
        unsafe cairo_clip(context)
        var inner = self
        unsafe inner.pixels = nil
        for op in body { inner.draw(op) }
      }
    case .layer(let style, let body): layer(style, body)
    case .masked(let style, let mask, let body): masked(style, mask, body)
    case .averaged(let bodies): averaged(bodies)
    }
  }

  func saved(_ body: () -> Void) {
    unsafe cairo_save(context)
    body()
    unsafe cairo_restore(context)
  }

  func concat(_ map: Affine) {
    var matrix = cairo_matrix_t(map)
    unsafe cairo_transform(context, &matrix)
  }

  func setMap(_ map: Affine) {
    var matrix = cairo_matrix_t(map)
    unsafe cairo_set_matrix(context, &matrix)
  }

  var currentMap: Affine {
    var m = cairo_matrix_t()
    unsafe cairo_get_matrix(context, &m)
    return Affine(m.xx, m.yx, m.xy, m.yy, m.x0, m.y0)
  }

  // MARK: Shapes

  private func fill(_ outline: Outline, _ paint: Paint) {
    if case .color(let color) = paint, fillSmall(outline, color) { return }
    trace(outline)
    setSource(paint, within: currentMap.apply(outline.bounds))
    unsafe cairo_fill(context)
  }

  /// A small convex form, with exact coverage; `false` when it is none.
  private func fillSmall(_ outline: Outline, _ color: Color) -> Bool {
    if unsafe pixels == nil { return false }
    let map = currentMap
    let box = map.apply(outline.bounds)
    guard box.width < 250, box.height < 250 else { return false }
    if case .rect(_, let radius) = outline, radius <= 0, map.b == 0, map.c == 0 { return false }
    switch outline {
    case .path: return false
    case .rect: return fillSmall(FlatPath(outline.path), color, map)
    case .ellipse(let center, let rx, let ry):
      let circle = max(rx, ry) > 80 ? FlatPath.largeCircle : FlatPath.circle
      return fillSmall(circle, color, map.concat(Affine(rx, 0, 0, ry, center.x, center.y)))
    }
  }

  /// A small path without parts that cross each other in opposite directions, such as a glyph.
  ///
  /// `map` brings it to the device.
  func fillSmall(_ path: FlatPath, _ color: Color, _ map: Affine) -> Bool {
    guard let surface = unsafe pixels, let data = unsafe cairo_image_surface_get_data(surface)
    else { return false }
    var (offsetX, offsetY) = (0.0, 0.0)
    unsafe cairo_surface_get_device_offset(surface, &offsetX, &offsetY)
    let matrix = scene_map(
      a: map.a, b: map.b, c: map.c, d: map.d, e: map.e + offsetX, f: map.f + offsetY)
    unsafe cairo_surface_flush(surface)
    let done = unsafe scene_fill_small(
      data, cairo_image_surface_get_stride(surface), cairo_image_surface_get_width(surface),
      cairo_image_surface_get_height(surface), path.verbs, Int32(path.verbs.count), path.points,
      Int32(path.points.count / 2), matrix, Float(color.red), Float(color.green),
      Float(color.blue), Float(color.alpha), pool.scratch)
    unsafe cairo_surface_mark_dirty(surface)
    return done != 0
  }

  func trace(_ outline: Outline) {
    unsafe cairo_new_path(context)
    if case .rect(let r, let radius) = outline, radius <= 0 {
      return unsafe cairo_rectangle(context, r.x, r.y, r.width, r.height)
    }
    trace(outline.path)
  }

  func trace(_ path: Path) {
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

  /// Strokes the current path; `box` holds all of it, in pixels of the device.
  func stroke(_ style: StrokeStyle, _ paint: Paint, within box: Rect) {
    setSource(paint, within: box)
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

  // MARK: Images

  private func image(_ image: ImageReference, _ source: Rect, _ destination: Rect) {
    let scaleX = destination.width / source.width
    let scaleY = destination.height / source.height
    let stretch = currentMap.concat(.scale(scaleX, scaleY)).maximumStretch
    guard let (pixels, level) = unsafe surface(image, stretch) else { return }
    let shrink = level < 0 ? 1 / Double(1 << -level) : Double(1 << level)
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
      return bounds(of: body, whole)
    case .clipped(let outline, let body):
      return map.apply(outline.bounds).intersection(bounds(of: body, map))
    case .layer(let style, let body):
      let inner = bounds(of: body, map)
      return inner.isEmpty ? inner : inner.insetBy(-style.reach * map.maximumStretch)
    case .masked(_, _, let body): return bounds(of: body, map)
    case .averaged(let bodies): return bodies.reduce(.empty) { $0.union(bounds(of: $1, map)) }
    }
  }

  func bounds(of body: [DrawOp], _ map: Affine) -> Rect {
    body.reduce(.empty) { $0.union(bounds(of: $1, map)) }
  }
}

extension cairo_matrix_t {
  init(_ map: Affine) {
    self.init(xx: map.a, yx: map.b, xy: map.c, yy: map.d, x0: map.e, y0: map.f)
  }
}
