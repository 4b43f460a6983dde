// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import ScenePixels

// Ops in planes that the eye sees at an angle.
extension Painter {
  /// The maximum scale and side length of a plane that is drawn as pixels first.
  private static let largestScale = 2.0
  private static let largestSide = 4096.0

  /// Draws ops under a projection.
  func projected(_ projection: Projection, _ body: [DrawOp]) {
    let whole = Projection(context.map).concat(projection)
    guard whole.isFinite else { return }
    context.saved {
      context.map = .identity
      for op in body where !isOver() { projected(op, under: whole) }
    }
  }

  private func projected(_ op: DrawOp, under projection: Projection) {
    switch op {
    case .fill(let outline, let paint) where paint.isComputed:
      fill(outline.path, paint, under: projection)
    case .text(let block, let paints, let at, let units) where hasOutlines(block, units):
      let map = projection.concat(.translation(at.x, at.y))
      if let units {
        self.units(block, paints: paints, units: units, under: map)
      } else {
        text(block, paints: paints, under: map)
      }
    case .image(let image, let source, let destination):
      self.image(image, from: source, to: destination, under: projection)
    default: plane(op, under: projection)
    }
  }

  private func fill(_ path: Path, _ paint: Paint, under projection: Projection) {
    let box = projection.apply(path.controlBounds)
    guard !visible(box).isEmpty else { return }
    context.newPath()
    context.trace(path.projected(by: projection))
    draw(with: paint, under: projection, within: box) { context.fill() }
  }

  // MARK: Text

  /// Returns whether a text consists of sharp outlines only.
  private func hasOutlines(_ block: TextBlock, _ units: TextUnits?) -> Bool {
    let styles = (units?.styles ?? []) + (units?.spans.map(\.style) ?? [])
    return styles.allSatisfy { $0.blur <= 0.01 }
      && engine.layout(block).pieces.allSatisfy { $0.bitmap == nil }
  }

  private func text(_ block: TextBlock, paints: [TextPaint], under projection: Projection) {
    for piece in engine.layout(block).pieces {
      glyphs(piece.path, underline: piece.underline, paints[piece.run], under: projection)
    }
  }

  private func glyphs(
    _ path: Path, underline: Path?, pen: Path? = nil, _ paint: TextPaint,
    under projection: Projection
  ) {
    if let underline { glyphs(underline, underline: nil, paint, under: projection) }
    func stroked() {
      guard let color = paint.stroke else { return }
      fill(Stroker.outline(of: pen ?? path, style: paint.strokeStyle), color, under: projection)
    }
    if paint.strokeIsFirst { stroked() }
    if let color = paint.fill { fill(path, color, under: projection) }
    if !paint.strokeIsFirst { stroked() }
  }

  private func units(
    _ block: TextBlock, paints: [TextPaint], units: TextUnits, under projection: Projection
  ) {
    let layout = engine.layout(block)
    let moved = MovedText(layout, units)
    let line = letterLine(units, layout)
    let writing = TextWriting(layout, units, paints: paints)
    for (index, cluster) in layout.clusters.enumerated()
    where cluster.glyph < units.shown ?? .max {
      let style = moved.style(of: cluster)
      guard style.opacity > 0, let map = line.map(of: cluster, style: style), map.isFinite
      else { continue }
      let place = self.place(of: cluster, in: units, style: style, map) ?? Projection(map)
      let paint = paints[cluster.run]
      let shaped = line.shaped(cluster, isStroked: paint.stroke != nil || writing != nil)
      let whole = WrittenCluster(cluster: shaped, paint: paint, style: style)
      for part in writing?.parts(of: index, whole) ?? [whole] {
        projected(
          part.cluster, paint: part.paint, style: part.style, under: projection.concat(place),
          window: moved.window(of: cluster))
      }
    }
  }

  /// Draws a cluster of a text. `projection` maps the cluster to the coordinates of the context.
  func projected(
    _ cluster: TextCluster, paint: TextPaint, style: TextUnitStyle, under projection: Projection,
    window: (window: Rect, offset: Point)?
  ) {
    var paint = paint
    paint.fill = (style.fill ?? paint.fill)?.faded(style.opacity)
    paint.stroke = (style.stroke ?? paint.stroke)?.faded(style.opacity)
    var own = Projection(context.map).concat(projection)
    context.saved {
      context.map = .identity
      if let (window, offset) = window {
        context.newPath()
        context.trace(Path.rect(window, radius: 0).projected(by: own))
        context.clip()
        own = own.concat(.translation(offset.x, offset.y))
      }
      glyphs(
        cluster.path, underline: cluster.underline, pen: cluster.pen, paint, under: own)
    }
  }

  // MARK: Images

  private func image(
    _ image: ImageReference, from source: Rect, to destination: Rect, under projection: Projection
  ) {
    let scaleX = destination.width / source.width
    let scaleY = destination.height / source.height
    let stretch = projection.maximumStretch(in: destination) * max(scaleX, scaleY)
    guard let copy = picture(image, image.scale(forStretch: stretch)) else { return }
    let (x, y) = (scaleX * copy.pixel.width, scaleY * copy.pixel.height)
    let map = Affine(
      a: x, b: 0, c: 0, d: y, e: destination.x - source.x * scaleX,
      f: destination.y - source.y * scaleY)
    warp(copy.surface, placed: map, to: destination, under: projection)
  }

  /// Draws the part of a surface inside a rectangle of a plane. `place` maps the pixels of the
  /// surface to the plane.
  private func warp(
    _ image: Surface, placed place: Affine, to rect: Rect, under projection: Projection
  ) {
    let corners = projection.visible(rect).map(projection.apply)
    guard corners.count > 2, let region = region(Rect(around: corners)),
      let layer = RasterLayer(region, pool, isClear: false),
      let inverse = projection.concat(place).inverted, layer.warp(image, inverse)
    else { return }
    context.newPath()
    context.trace(Path(polygon: corners))
    context.setSource(layer.surface, isSmooth: false)
    context.fill()
    context.clearSource()
  }

  /// Rasterizes the visible part of an op in its plane and draws these pixels under the projection.
  private func plane(_ op: DrawOp, under projection: Projection) {
    let whole = bounds(of: op, .identity)
    let shown = visible(projection.apply(whole))
    guard !shown.isEmpty else { return }
    // Slightly larger than the visible part, so that the edges of the pixels stay outside it.
    let part = projection.inverted?.apply(shown.insetBy(-2)) ?? whole
    let box = whole.intersection(part)
    guard !box.isEmpty else { return }
    let stretch = projection.maximumStretch(in: box)
    let side = max(box.width, box.height, 1)
    let scale = min(stretch, Painter.largestScale, Painter.largestSide / side)
    let x = (box.x * scale).rounded(.down) - 1
    let y = (box.y * scale).rounded(.down) - 1
    let region = Rect(
      x: x, y: y, width: (box.maxX * scale).rounded(.up) + 1 - x,
      height: (box.maxY * scale).rounded(.up) + 1 - y)
    guard scale > 0, let layer = RasterLayer(region, pool) else { return }
    draw([op], on: layer, .scale(scale, scale))
    let place = Affine(
      a: 1 / scale, b: 0, c: 0, d: 1 / scale, e: region.x / scale, f: region.y / scale)
    let drawn = Rect(
      x: region.x / scale, y: region.y / scale, width: region.width / scale,
      height: region.height / scale)
    warp(layer.surface, placed: place, to: drawn, under: projection)
  }
}
