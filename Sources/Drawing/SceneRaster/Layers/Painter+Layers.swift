// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR

// Ops that are rendered to a separate layer first: layers, masks and averages.
extension Painter {
  /// The maximum distance beyond the clip to which a layer extends, in pixels.
  static let farthest = 1500.0

  /// Returns `farthest` for filters that read surrounding pixels, in the layer's own coordinates.
  static func sight(under map: Affine) -> Double {
    farthest * max(0.01, min(2, map.maximumStretch))
  }

  func layer(_ style: LayerStyle, _ body: [DrawOp]) {
    if style.seesBelow { return seeing(style.opacity, body) }
    // Vector output stays vectors where no pixels are required.
    if !isRaster, style.filters.isEmpty, style.shadow == nil { return group(style, body) }
    if isRaster, let only = body.first, body.count == 1, glow(style, only) { return }
    let map = context.map
    let inner = bounds(of: body, map)
    let reach = style.reach * map.maximumStretch
    let readsAround = style.filters.contains(where: \.readsAround)
    let sight = readsAround ? Painter.sight(under: map) : min(reach, Painter.farthest)
    let extent = style.extent(of: inner, under: map)
    guard let region = region(extent, reach: sight) else { return }
    // Pixels that are farther away than later effects reach are not visible.
    let shown = region.intersection(context.deviceClip.insetBy(-reach))
    var kept = style
    kept.opacity = 1
    kept.blend = .normal
    let key = LayerCache.Key(body: body, map: map, style: kept, region: region, shown: shown)
    if let known = layers?.layer(key) { return paint(known, style) }
    let isClear = !covers(region, body.first, under: map)
    guard let layer = RasterLayer(region, pool, isClear: isClear) else { return }
    draw(body, on: layer, map)
    if let box = style.extended { layer.extend(box, map) }
    filter(layer, as: style, of: body, within: shown)
    layer.hasGradations = style.hasGradations || body.contains(where: \.hasGradations)
    let drawn = style.shadow.flatMap { shade(layer, with: $0, in: style.light) } ?? layer
    layers?.keep(drawn, key)
    paint(drawn, style)
  }

  /// Draws a gradient in linear light without a layer, which would round it. Returns `false` for
  /// other ops and styles.
  private func glow(_ style: LayerStyle, _ op: DrawOp) -> Bool {
    guard style.light == .linear, style.filters.isEmpty, style.shadow == nil,
      case .fill(let outline, let paint) = op, !paint.stops.isEmpty
    else { return false }
    trace(outline)
    draw(with: paint.faded(style.opacity), within: bounds(of: op, context.map), as: style) {
      context.fill()
    }
    return true
  }

  /// Applies the filters of a style to a layer with a body. Only pixels in `shown` are needed.
  private func filter(
    _ drawn: RasterLayer, as style: LayerStyle, of body: [DrawOp], within shown: Rect
  ) {
    let map = context.map
    for (index, filter) in style.filters.enumerated() {
      if case .blur(let deviation) = filter, index == style.filters.count - 1,
        style.shadow == nil, style.hasGradations || style.light == .linear
      {
        drawn.blur(deviation, map, in: style.light)
      } else if case .blur = filter {
        drawn.apply(filter, map, in: style.light)
      } else {
        let isLast = !style.filters.dropFirst(index + 1).contains(where: \.readsAround)
        apply(
          filter, to: drawn, map, extends: style.extended != nil, within: isLast ? shown : nil)
        if case .pixels(let function) = filter, filter.drawsOutside {
          let reach = Array(style.filters.prefix(index)).reach
          let own = bounds(of: body, .identity).insetBy(-reach).union(function.box)
          drawn.clear(outside: own.insetBy(-function.reach), under: map)
        }
      }
    }
  }

  /// Returns a layer with its shadow. The shadow stays unrounded where rounding would be visible.
  private func shade(_ layer: RasterLayer, with shadow: Shadow, in light: Light) -> RasterLayer? {
    light == .linear || shadow.isWide
      ? layer.shaded(shadow, context.map) : layer.shadowed(shadow, context.map)
  }

  /// Returns whether an op makes every pixel of a region opaque.
  private func covers(_ region: Rect, _ op: DrawOp?, under map: Affine) -> Bool {
    guard case .fill(.rect(let rect, radius: 0), .color(let color))? = op, color.alpha >= 1,
      map.b == 0, map.c == 0
    else { return false }
    let box = map.apply(rect)
    return box.x <= region.x && box.y <= region.y && box.maxX >= region.maxX
      && box.maxY >= region.maxY
  }

  /// Draws a body on a layer with the transformation `map`.
  func draw(_ body: [DrawOp], on layer: RasterLayer, _ map: Affine) {
    let painter = Painter(layer, like: self)
    painter.context.map = map
    for op in body { painter.draw(op) }
    painter.context.map = .identity
  }

  /// Composites a layer onto the existing pixels.
  func paint(_ layer: RasterLayer, _ style: LayerStyle = LayerStyle()) {
    let isLinear = style.light == .linear
    let needsBits = isRaster && (layer.hasGradations || isLinear)
    // Layers that are already rounded to 8 bits were dithered before, so Cairo can blend them.
    let isComputed = needsBits && style.blend.isComputed && (layer.isUnrounded || isLinear)
    if style.blend == .normal || isComputed {
      if let target, target.accepts(layer.region) { return layer.paint(on: target, style) }
      if needsBits, let whole = RasterLayer(layer.region, pool) {
        // Inside a clip, the composited pixels replace the existing ones.
        whole.copy(from: context.surface)
        layer.paint(on: PixelTarget(whole.surface), style)
        return context.saved {
          context.map = .identity
          context.clip(to: layer.region)
          replace(with: whole)
        }
      }
    }
    let settled = layer.settled(style.light)
    context.saved {
      context.map = .identity
      context.clip(to: layer.region)
      context.setSource(settled.surface, isSmooth: false)
      context.compose(.blend(style.blend))
      context.paint(opacity: style.opacity)
    }
  }

  /// Returns the whole pixels of a box that are inside the clip or within `reach` of it; `nil` if
  /// empty.
  func region(_ box: Rect, reach: Double = 0) -> Rect? {
    let clip = context.deviceClip.insetBy(-reach)
    let inside = box.intersection(clip)
    guard !inside.isEmpty, inside.width > 0, inside.height > 0 else { return nil }
    let x = inside.x.rounded(.down) - 1
    let y = inside.y.rounded(.down) - 1
    let region = Rect(
      x: x, y: y, width: inside.maxX.rounded(.up) + 1 - x, height: inside.maxY.rounded(.up) + 1 - y)
    let (left, top) = (clip.x.rounded(.down), clip.y.rounded(.down))
    return region.intersection(
      Rect(
        x: left, y: top, width: clip.maxX.rounded(.up) - left, height: clip.maxY.rounded(.up) - top)
    )
  }

  /// Draws a layer as a Cairo group, for vector surfaces.
  private func group(_ style: LayerStyle, _ body: [DrawOp]) {
    context.saved {
      context.asSource { for op in body { draw(op) } }
      context.compose(.blend(style.blend))
      context.paint(opacity: style.opacity)
    }
  }

  func masked(_ style: MaskStyle, mask: [DrawOp], body: [DrawOp]) {
    if body.contains(where: \.readsBackdrop) { return maskedGlass(style, mask: mask, body: body) }
    let map = context.map
    guard let region = region(bounds(of: body, map)), let drawn = RasterLayer(region, pool),
      let stencil = RasterLayer(region, pool)
    else { return }
    draw(body, on: drawn, map)
    draw(mask, on: stencil, map)
    drawn.hasGradations = (mask + body).contains(where: \.hasGradations)
    if drawn.hasGradations {
      drawn.compose(through: stencil, style)
    } else {
      drawn.mask(by: stencil, style)
    }
    paint(drawn)
  }

  /// Draws each body on a copy of the existing pixels and stores the mean of the results.
  func averaged(_ bodies: [[DrawOp]]) {
    let map = context.map
    let box = bodies.reduce(Rect.empty) { $0.union(bounds(of: $1, map)) }
    // Backdrop filters in a body read the surroundings of the region.
    let sight = bodies.map { self.sight(of: $0, map) }.max() ?? 0
    guard let region = region(box), let whole = sight > 0 ? seen(around: region, sight) : region,
      let mean = RasterLayer(whole, pool), let ground = RasterLayer(whole, pool)
    else { return }
    if isRaster { ground.copy(from: context.surface) }
    var sums = [Float](repeating: 0, count: mean.width * mean.height * 4)
    for body in bodies {
      mean.take(ground)
      draw(body, on: mean, map)
      mean.add(to: &sums)
    }
    mean.resolve(sums, count: bodies.count)
    context.saved {
      context.map = .identity
      context.clip(to: region)
      context.setSource(mean.surface)
      context.compose(isRaster ? .source : .over)
      context.paint()
    }
  }

  /// Draws a blurred cluster of a text.
  func blurred(by deviation: Double, _ cluster: TextCluster, body: (Painter) -> Void) {
    let map = context.map
    let reach = 3 * deviation * map.maximumStretch
    guard
      let region = region(
        map.apply(cluster.ink).insetBy(-reach), reach: min(reach, Painter.farthest)),
      let layer = RasterLayer(region, pool)
    else { return }
    let painter = Painter(layer, like: self)
    painter.context.map = map
    body(painter)
    if LayerStyle(filters: [.blur(deviation)]).hasGradations {
      layer.blur(deviation, map, in: .srgb)
      layer.hasGradations = true
    } else {
      layer.apply(.blur(deviation), map)
    }
    paint(layer)
  }
}
