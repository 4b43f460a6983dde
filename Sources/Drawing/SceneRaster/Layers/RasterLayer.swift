// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import ScenePixels

/// Premultiplied pixels for a region of the device, with a Cairo context in device coordinates.
final class RasterLayer {
  /// The region in whole device pixels.
  let region: Rect
  let width: Int
  let height: Int
  let surface: Surface
  let context: DrawingContext

  /// Whether the alpha changes smoothly over many pixels, so that the layer is composited with
  /// dithering.
  var hasGradations = false
  /// A blur that has not been rounded to 8 bits: of the pixels, or a shadow below them.
  private var blurred: BlurredPixels?
  /// The color of the shadow, if `blurred` is one.
  private var shadowColor: Color?
  private var mask: (stencil: RasterLayer, style: MaskStyle)?

  private let pool: PixelPool
  private let memory: PixelMemory

  /// Allocates a layer, with undefined pixels unless `isClear`. Returns `nil` if the region is too
  /// large.
  init?(_ region: Rect, _ pool: PixelPool, isClear: Bool = true) {
    let sides = 1.0..<32_768
    guard sides.contains(region.width), sides.contains(region.height), abs(region.x) < 1e6,
      abs(region.y) < 1e6
    else { return nil }
    width = Int(region.width)
    height = Int(region.height)
    self.region = region
    self.pool = pool
    memory = pool.take(width * height * 4)
    if isClear { memory.clear() }
    surface = Surface(memory, region: region)
    context = DrawingContext(surface)
    if surface.failure != nil { return nil }
  }

  deinit { pool.give(memory) }

  var bytes: Int { width * height * 4 + (blurred?.size ?? 0) }

  /// Whether the layer has an effect that has not been rounded to 8 bits.
  var isUnrounded: Bool { blurred != nil || mask != nil }

  /// Composites the layer onto a surface with the same device coordinates, with the opacity, light
  /// and blend mode of a style. The mode must be computable.
  func paint(on target: PixelTarget, _ style: LayerStyle) {
    let x = Int(region.x - target.region.x)
    let y = Int(region.y - target.region.y)
    if blurred == nil, mask == nil, style.light == .srgb, style.blend == .normal {
      let dither = hasGradations ? position : nil
      target.withPixels { below in
        surface.withPixels { below.putOver($0, x: x, y: y, opacity: style.opacity, dither: dither) }
      }
      return
    }
    var parts = LayerPixels(
      PixelSize(width, height), at: position, style, isDithered: hasGradations)
    if let blurred { parts.add(blurred, tint: shadowColor) }
    func compose(_ parts: LayerPixels) {
      target.withPixels { $0.putOver(parts, x: x, y: y, isOpaque: target.surface.isOpaque) }
    }
    surface.withPixels { own in
      if blurred == nil || shadowColor != nil { own.add(to: &parts) }
      guard let mask else { return compose(parts) }
      mask.stencil.surface.withPixels { stencil in
        stencil.add(maskOf: &parts, mask.style)
        compose(parts)
      }
    }
  }

  /// Blurs the pixels without rounding them: `paint` composites the result, and `settled` rounds
  /// it. Until then, nothing else may read the pixels.
  func blur(_ deviation: Double, _ map: Affine, in light: Light) {
    let size = blurSize(deviation, map, in: light)
    blurred = surface.withPixels { $0.blurred(size, at: position) } ?? nil
  }

  /// Returns a layer with the effects that have not been rounded, for readers of the pixels.
  /// `paint` on this layer still composites them unrounded, so that frames do not depend on earlier
  /// ones.
  func settled(_ light: Light) -> RasterLayer {
    if mask == nil, shadowColor == nil {
      guard let blurred else { return self }
      surface.withPixels { $0.settle(blurred) }
      return self
    }
    guard let whole = RasterLayer(region, pool) else { return self }
    var style = LayerStyle()
    style.light = light
    paint(on: PixelTarget(whole.surface), style)
    whole.hasGradations = hasGradations
    return whole
  }

  /// The position of the first pixel on the device.
  var position: PixelPosition { PixelPosition(Int(region.x), Int(region.y)) }

  /// Clears the pixels outside a rectangle that was drawn with the transformation `map`.
  func clear(outside rect: Rect, under map: Affine) {
    if map.b == 0 && map.c == 0 || map.a == 0 && map.d == 0 {
      return clear(outside: map.apply(rect))
    }
    context.compose(.source)
    context.setSource(Color.transparent)
    context.newPath()
    context.trace(region.insetBy(-1))
    // The hole has the opposite orientation.
    let corners = [
      Point(rect.x, rect.y), Point(rect.x, rect.maxY), Point(rect.maxX, rect.maxY),
      Point(rect.maxX, rect.y),
    ].map(map.apply)
    context.trace(Path(polygon: map.determinant > 0 ? corners : corners.reversed()))
    context.fill()
    context.compose(.over)
    context.clearSource()
  }

  /// Clears the whole pixels outside a rectangle of the device.
  private func clear(outside rect: Rect) {
    let (left, top) = (rect.x.rounded(.down), rect.y.rounded(.down))
    let (right, bottom) = (rect.maxX.rounded(.up), rect.maxY.rounded(.up))
    context.compose(.source)
    context.setSource(Color.transparent)
    for strip in [
      Rect(x: region.x, y: region.y, width: region.width, height: top - region.y),
      Rect(x: region.x, y: bottom, width: region.width, height: region.maxY - bottom),
      Rect(x: region.x, y: region.y, width: left - region.x, height: region.height),
      Rect(x: right, y: region.y, width: region.maxX - right, height: region.height),
    ] where strip.width > 0 && strip.height > 0 {
      context.newPath()
      context.trace(strip)
      context.fill()
    }
    context.compose(.over)
    context.clearSource()
  }

  /// Copies the pixels of a surface with the same device coordinates.
  func copy(from other: Surface) {
    context.compose(.source)
    context.setSource(other)
    context.paint()
    context.compose(.over)
    context.clearSource()
  }

  /// Copies the pixels of a layer with the same region.
  func take(_ other: RasterLayer) {
    surface.withPixels { own in other.surface.withPixels { own.copy(from: $0) } }
  }

  /// Fills the layer with an image under a projection. `inverse` maps the device to the pixels of
  /// the image. Returns `false` if out of memory.
  func warp(_ image: Surface, _ inverse: Projection) -> Bool {
    let isDrawn = surface.withPixels { own in
      image.withPixels { own.warp($0, inverse: inverse, at: position) }
    }
    return isDrawn == true
  }

  /// Repeats the edge pixels of a box outside it. `map` maps the box to the device.
  func extend(_ box: Rect, _ map: Affine) {
    let isInside = map == .identity && region.intersection(box) == region
    if isInside { return }
    let place = Affine.translation(-region.x, -region.y).concat(map)
    surface.withPixels { $0.extend(box, place) }
  }

  /// Adds the pixels of a layer with the same region.
  func add(_ other: RasterLayer) {
    context.compose(.blend(.plusLighter))
    paint(other, at: .zero)
    context.compose(.over)
  }

  /// Applies a filter other than a pixel function; see `Painter.apply`. `map` is the transformation
  /// with which the layer was drawn. A blur averages in `light`.
  func apply(_ filter: Filter, _ map: Affine, in light: Light = .srgb) {
    surface.withPixels { pixels in
      switch filter {
      case .blur(let deviation): pixels.blur(blurSize(deviation, map, in: light), at: position)
      case .matrix(let matrix): pixels.apply(matrix: matrix.rows.map(Float.init))
      case .table(let table): pixels.apply(table: table.values, side: table.size)
      case .chromaKey(let color, let tolerance, let softness):
        pixels.removeColor(color, tolerance: tolerance, softness: softness)
      case .pixels: break
      }
    }
  }

  /// Returns the standard deviations of a blur in device pixels.
  private func blurSize(_ deviation: Double, _ map: Affine, in light: Light) -> BlurSize {
    let x = Math.hypot(map.a, map.c) * deviation
    let y = Math.hypot(map.b, map.d) * deviation
    return BlurSize(x: min(x, 2000), y: min(y, 2000), isLinear: light == .linear)
  }

  /// Adds a shadow below this layer and returns the layer, which is composited before it is
  /// rounded. Returns `nil` if the shadow cannot be allocated.
  func shaded(_ shadow: Shadow, _ map: Affine) -> RasterLayer? {
    guard let below = RasterLayer(region, pool) else { return nil }
    let o = shadow.offset
    below.paint(self, at: Point(map.a * o.x + map.c * o.y, map.b * o.x + map.d * o.y))
    below.surface.withPixels { $0.tint(.black) }
    below.blur(shadow.deviation, map, in: .srgb)
    blurred = below.blurred
    shadowColor = shadow.color
    return self
  }

  /// Returns a new layer with this layer above its shadow.
  func shadowed(_ shadow: Shadow, _ map: Affine) -> RasterLayer? {
    guard let below = RasterLayer(region, pool), let whole = RasterLayer(region, pool) else {
      return nil
    }
    below.paint(self, at: .zero)
    below.surface.withPixels { $0.tint(shadow.color) }
    below.apply(.blur(shadow.deviation), map)
    let o = shadow.offset
    whole.paint(below, at: Point(map.a * o.x + map.c * o.y, map.b * o.x + map.d * o.y))
    whole.paint(self, at: .zero)
    return whole
  }

  private func paint(_ layer: RasterLayer, at shift: Point) {
    context.setSource(layer.surface, at: shift)
    context.paint()
    context.clearSource()
  }

  /// Multiplies the pixels by a layer of the same region when this layer is composited.
  func compose(through stencil: RasterLayer, _ style: MaskStyle) { mask = (stencil, style) }

  func mask(by stencil: RasterLayer, _ style: MaskStyle) {
    surface.withPixels { own in
      stencil.surface.withPixels {
        own.mask(by: $0, luminance: style.source == .luminance, isInverted: style.isInverted)
      }
    }
  }

  /// Adds the pixels to sums in linear light, with four values per pixel.
  func add(to sums: inout [Float]) { surface.withPixels { $0.add(to: &sums) } }

  /// Sets the pixels to the mean of `count` images.
  func resolve(_ sums: [Float], count: Int) {
    surface.withPixels { $0.resolve(sums, count: count) }
  }
}
