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

  var bytes: Int { width * height * 4 }

  /// Composites the layer onto a surface with the same device coordinates.
  func paint(on target: Surface, _ opacity: Double) {
    let x = Int(region.x + target.origin.x)
    let y = Int(region.y + target.origin.y)
    target.withPixels { below in
      surface.withPixels { below.putOver($0, x: x, y: y, opacity: opacity) }
    }
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

  /// Applies a filter. `map` is the transformation with which the layer was drawn.
  func apply(_ filter: Filter, _ map: Affine) {
    surface.withPixels { pixels in
      switch filter {
      case .blur(let deviation):
        let x = Math.hypot(map.a, map.c) * deviation
        let y = Math.hypot(map.b, map.d) * deviation
        pixels.blur(min(x, 2000), min(y, 2000))
      case .matrix(let matrix): pixels.apply(matrix: matrix.rows.map(Float.init))
      case .table(let table): pixels.apply(table: table.values, side: table.size)
      case .chromaKey(let color, let tolerance, let softness):
        pixels.removeColor(color, tolerance: tolerance, softness: softness)
      }
    }
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
