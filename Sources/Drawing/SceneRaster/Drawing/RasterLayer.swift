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
  /// A blur of the pixels that has not been rounded to 8 bits.
  private(set) var blurred: BlurredPixels?

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

  /// Composites the layer onto a surface with the same device coordinates.
  func paint(on target: Surface, _ opacity: Double) {
    let x = Int(region.x + target.origin.x)
    let y = Int(region.y + target.origin.y)
    let dither = hasGradations ? position : nil
    target.withPixels { below in
      if let blurred {
        let size = PixelSize(width, height)
        below.putOver(blurred, size, x: x, y: y, opacity: opacity)
      } else {
        surface.withPixels { below.putOver($0, x: x, y: y, opacity: opacity, dither: dither) }
      }
    }
  }

  /// Blurs the pixels without rounding them: `paint` composites the result, and `settle` rounds it.
  /// Nothing else may read the pixels before.
  func blur(_ deviation: Double, _ map: Affine) {
    let (x, y) = deviations(deviation, map)
    blurred = surface.withPixels { $0.blurred(x, y, at: position) } ?? nil
  }

  /// Writes a blur to the pixels. `paint` still composites the unrounded one, so that frames do not
  /// depend on earlier ones.
  func settle() {
    guard let blurred else { return }
    surface.withPixels { $0.settle(blurred) }
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
    // The hole runs the other way around.
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

  /// Fills the layer with an image that a projection shows. `inverse` maps the device to the pixels
  /// of the image. Returns `false` if out of memory.
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

  /// Applies a filter that is no pixel function; see `Painter.apply`. `map` is the transformation
  /// with which the layer was drawn.
  func apply(_ filter: Filter, _ map: Affine) {
    surface.withPixels { pixels in
      switch filter {
      case .blur(let deviation):
        let (x, y) = deviations(deviation, map)
        pixels.blur(x, y, at: position)
      case .matrix(let matrix): pixels.apply(matrix: matrix.rows.map(Float.init))
      case .table(let table): pixels.apply(table: table.values, side: table.size)
      case .chromaKey(let color, let tolerance, let softness):
        pixels.removeColor(color, tolerance: tolerance, softness: softness)
      case .pixels: break
      }
    }
  }

  /// Returns the horizontal and vertical deviations of a blur in device pixels.
  private func deviations(_ deviation: Double, _ map: Affine) -> (Double, Double) {
    let x = Math.hypot(map.a, map.c) * deviation
    let y = Math.hypot(map.b, map.d) * deviation
    return (min(x, 2000), min(y, 2000))
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
