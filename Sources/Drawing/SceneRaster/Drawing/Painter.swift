// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import ScenePixels

/// Draws ops on a Cairo context for any kind of surface.
struct Painter {
  let context: DrawingContext
  let engine: LayoutEngine
  /// The cache of layers; `nil` for content that is drawn only once.
  let layers: LayerCache?
  let pool: PixelPool
  /// The pixels that small fills, particles and layers write to directly; `nil` for vector formats.
  private(set) var target: PixelTarget?
  /// Whether the output is pixels instead of a vector format.
  let isRaster: Bool
  /// Returns an image for a scale.
  let picture: (ImageReference, Double) -> ScaledPicture?
  /// Returns `true` once the remaining ops are no longer needed.
  let isOver: () -> Bool

  init(
    context: DrawingContext, engine: LayoutEngine, layers: LayerCache? = nil, pool: PixelPool,
    pixels: Surface?, isRaster: Bool, isOver: @escaping () -> Bool = { false },
    picture: @escaping (ImageReference, Double) -> ScaledPicture?
  ) {
    self.context = context
    self.engine = engine
    self.layers = layers
    self.pool = pool
    target = pixels.map { PixelTarget($0) }
    self.isRaster = isRaster
    self.picture = picture
    self.isOver = isOver
  }

  /// Creates a painter for the pixels of a layer.
  init(_ layer: RasterLayer, like other: Painter) {
    self.init(
      context: layer.context, engine: other.engine, pool: other.pool, pixels: layer.surface,
      isRaster: true, isOver: other.isOver, picture: other.picture)
  }

  func draw(_ op: DrawOp) {
    if isOver() { return }
    switch op {
    case .fill(let outline, let paint): fill(outline, paint)
    case .stroke(let outline, let style, let paint):
      trace(outline)
      stroke(style, paint, within: bounds(of: op, context.map))
    case .text(let block, let paints, let at, let units):
      if let units {
        self.units(block, paints: paints, at: at, units: units)
      } else {
        text(block, paints: paints, at: at)
      }
    case .image(let image, let source, let destination):
      self.image(image, from: source, to: destination)
    case .transformed(let map, let body):
      context.saved {
        context.concat(map)
        for op in body { draw(op) }
      }
    case .projected(let projection, let body): projected(projection, body)
    case .clipped(let outline, let body):
      clipped(to: outline) { inner in
        for op in body { inner.draw(op) }
      }
    case .layer(let style, let body): layer(style, body)
    case .masked(let style, let mask, let body): masked(style, mask: mask, body: body)
    case .crossed(let function, let from, let to): crossed(function, from: from, to: to)
    case .averaged(let bodies): averaged(bodies)
    case .backdrop(let filters, let outline): backdrop(filters, outline)
    case .particles(let frame): particles(frame)
    }
  }

  /// Calls `body` with a painter that draws only inside an outline.
  func clipped(to outline: Outline, body: (Painter) -> Void) {
    var inner = self
    inner.target = target?.clipped(to: outline, under: context.map)
    context.saved {
      trace(outline)
      context.clip()
      body(inner)
    }
  }

  // MARK: Shapes

  private func fill(_ outline: Outline, _ paint: Paint) {
    if case .color(let color) = paint, fillSmall(outline, color) { return }
    trace(outline)
    draw(with: paint, within: context.map.apply(outline.bounds)) { context.fill() }
  }

  /// Fills a small convex shape with exact coverage; returns `false` for other shapes.
  private func fillSmall(_ outline: Outline, _ color: Color) -> Bool {
    if target == nil { return false }
    let map = context.map
    let box = map.apply(outline.bounds)
    guard box.width < 250, box.height < 250 else { return false }
    if case .rect(_, let radius) = outline, radius <= 0, map.b == 0, map.c == 0 { return false }
    switch outline {
    case .path: return false
    case .rect: return fillSmall(FlatPath(outline.path), color, under: map, within: box)
    case .ellipse(let center, let rx, let ry):
      let circle = max(rx, ry) > 80 ? FlatPath.largeCircle : FlatPath.circle
      let place = Affine(a: rx, b: 0, c: 0, d: ry, e: center.x, f: center.y)
      return fillSmall(circle, color, under: map.concat(place), within: box)
    }
  }

  /// Fills a small path whose parts do not overlap in opposite directions, such as a glyph.
  ///
  /// `map` maps the path to the device, and `box` contains it there. Returns `false` and draws
  /// nothing if the path is too large or needs the clip of the context.
  func fillSmall(_ path: FlatPath, _ color: Color, under map: Affine, within box: Rect) -> Bool {
    guard let target, target.accepts(box) else { return false }
    let place = Affine.translation(-target.region.x, -target.region.y).concat(map)
    return target.withPixels { $0.fill(path, color: color, under: place, scratch: pool.scratch) }
      ?? false
  }

  func trace(_ outline: Outline) {
    context.newPath()
    if case .rect(let rect, let radius) = outline, radius <= 0 { return context.trace(rect) }
    context.trace(outline.path)
  }

  /// Strokes the current path. `box` contains the stroke, in device pixels.
  func stroke(_ style: StrokeStyle, _ paint: Paint, within box: Rect) {
    draw(with: paint, within: box) { context.stroke(style) }
  }

  // MARK: Images

  private func image(_ image: ImageReference, from source: Rect, to destination: Rect) {
    let scaleX = destination.width / source.width
    let scaleY = destination.height / source.height
    let stretch = context.map.concat(.scale(scaleX, scaleY)).maximumStretch
    guard let copy = picture(image, stretch) else { return }
    let pixel = copy.pixel
    context.saved {
      // A clip that is not parallel to the axes is expensive.
      let isTurned = context.map.b != 0 || context.map.c != 0
      if isTurned {
        context.newPath()
        context.trace(destination)
      } else {
        context.clip(to: destination)
      }
      context.translate(destination.x, destination.y)
      context.scale(scaleX * pixel.width, scaleY * pixel.height)
      context.setSource(
        copy.surface, at: Point(-source.x / pixel.width, -source.y / pixel.height), edge: .nearest,
        isSmooth: copy.isSmooth)
      if isTurned { context.fill() } else { context.paint() }
    }
  }

  /// Returns the bounds of everything that an op draws, in device pixels.
  func bounds(of op: DrawOp, _ map: Affine) -> Rect {
    switch op {
    case .fill(let outline, _): return map.apply(outline.bounds)
    case .stroke(let outline, let style, _):
      let reach = style.join == .miter ? max(1.5, style.miterLimit) : 1.5
      return map.apply(outline.bounds.insetBy(-style.width / 2 * reach))
    case .text(let block, let paints, let at, let units):
      let line = units?.isWritten == true ? Writing.greatestLine : 0
      let widest = paints.map { $0.stroke == nil ? line : $0.strokeStyle.width * 4 }.max() ?? 0
      let ink = self.ink(block, units).insetBy(-widest)
      return map.concat(.translation(at.x, at.y)).apply(ink)
    case .image(_, _, let destination): return map.apply(destination)
    case .transformed(let inner, let body):
      let whole = map.concat(inner)
      return bounds(of: body, whole)
    case .projected(let projection, let body):
      return Projection(map).concat(projection).apply(bounds(of: body, .identity))
    case .clipped(let outline, let body):
      return map.apply(outline.bounds).intersection(bounds(of: body, map))
    case .layer(let style, let body):
      let inner = bounds(of: body, map)
      return style.extent(of: inner, under: map)
    case .masked(_, _, let body): return bounds(of: body, map)
    case .crossed(let function, _, _): return map.apply(function.box)
    case .backdrop(_, let outline): return map.apply(outline.bounds)
    case .particles(let frame): return bounds(of: frame, map)
    case .averaged(let bodies): return bodies.reduce(.empty) { $0.union(bounds(of: $1, map)) }
    }
  }

  func bounds(of body: [DrawOp], _ map: Affine) -> Rect {
    body.reduce(.empty) { $0.union(bounds(of: $1, map)) }
  }
}
