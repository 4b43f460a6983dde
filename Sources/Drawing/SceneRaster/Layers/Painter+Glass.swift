// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR

// Ops that modify existing pixels: backdrop filters, and layers and masks that contain them.
extension Painter {
  /// Filters the pixels below an outline.
  func backdrop(_ filters: [Filter], _ outline: Outline) {
    let map = context.map
    let reach = min(filters.reach * map.maximumStretch, Painter.farthest).rounded(.up)
    guard isRaster, let region = region(map.apply(outline.bounds)) else { return }
    let near = region.insetBy(-reach)
    let isWide = filters.contains(where: \.readsAround)
    guard let layer = RasterLayer(isWide ? near.union(context.surface.region) : near, pool) else {
      return
    }
    layer.copy(from: context.surface)
    // Extends the edge pixels of the frame, which would otherwise appear as dark rims.
    layer.extend(context.surface.region, .identity)
    for filter in filters { apply(filter, to: layer, map, extends: true) }
    context.saved {
      trace(outline)
      context.clip()
      replace(with: layer)
    }
  }

  /// Draws a body on the existing pixels with an opacity.
  func seeing(_ opacity: Double, _ body: [DrawOp]) {
    let map = context.map
    guard let region = region(bounds(of: body, map)), let drawn = ground(in: region, body, map)
    else { return }
    draw(body, on: drawn, map)
    context.saved {
      context.map = .identity
      context.clip(to: region)
      replace(with: drawn, opacity)
    }
  }

  /// Draws a body on the existing pixels through a mask.
  func maskedGlass(_ style: MaskStyle, mask: [DrawOp], body: [DrawOp]) {
    let map = context.map
    guard let region = region(bounds(of: body, map)), let drawn = ground(in: region, body, map),
      let whole = RasterLayer(region, pool), let rest = RasterLayer(region, pool),
      let stencil = RasterLayer(region, pool)
    else { return }
    draw(body, on: drawn, map)
    draw(mask, on: stencil, map)
    whole.copy(from: drawn.surface)
    rest.copy(from: context.surface)
    whole.mask(by: stencil, style)
    rest.mask(by: stencil, MaskStyle(style.source, isInverted: !style.isInverted))
    whole.add(rest)
    context.saved {
      context.map = .identity
      context.clip(to: region)
      replace(with: whole)
    }
  }

  /// Replaces the pixels inside the clip with a layer.
  func replace(with layer: RasterLayer, _ opacity: Double = 1) {
    context.map = .identity
    context.setSource(layer.surface, isSmooth: false)
    context.compose(.source)
    context.paint(opacity: opacity)
  }

  /// Returns the existing pixels in a region, including the surroundings that backdrop filters in a
  /// body read. Returns `nil` in vector output and if nothing in the region is visible.
  private func ground(in region: Rect, _ body: [DrawOp], _ map: Affine) -> RasterLayer? {
    guard isRaster, let seen = seen(around: region, sight(of: body, map)),
      let layer = RasterLayer(seen, pool)
    else { return nil }
    layer.copy(from: context.surface)
    return layer
  }

  /// Returns a region extended by `sight` pixels within the surface; `nil` if empty.
  func seen(around region: Rect, _ sight: Double) -> Rect? {
    let seen = region.insetBy(-min(sight, Painter.farthest).rounded(.up))
      .intersection(context.surface.region)
    return seen.isEmpty ? nil : seen
  }

  /// Returns the distance beyond its bounds at which a body reads pixels. Distances add up, since
  /// one backdrop filter may read the output of another.
  func sight(of body: [DrawOp], _ map: Affine) -> Double {
    body.reduce(0) { sum, op in
      switch op {
      case .fill, .stroke, .text, .image, .projected, .crossed, .particles: sum
      case .backdrop(let filters, _):
        filters.contains(where: \.readsAround)
          ? Painter.sight(under: map) : sum + filters.reach * map.maximumStretch
      case .transformed(let inner, let body): sum + sight(of: body, map.concat(inner))
      case .clipped(_, let body), .masked(_, _, let body): sum + sight(of: body, map)
      case .layer(let style, let body): style.seesBelow ? sum + sight(of: body, map) : sum
      case .averaged(let bodies): sum + (bodies.map { sight(of: $0, map) }.max() ?? 0)
      }
    }
  }
}
