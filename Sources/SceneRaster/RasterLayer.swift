// SPDX-License-Identifier: MIT
import CCairo
import CPixels
import SceneGraphics
import SceneIR

/// Premultiplied pixels for a part of the device, on which Cairo draws in the device's coordinates.
@safe final class RasterLayer {
  /// Whole pixels of the device.
  let region: Rect
  let width: Int
  let height: Int
  let surface: OpaquePointer
  let context: OpaquePointer

  private let pool: PixelPool
  private let memory: UnsafeMutableBufferPointer<UInt8>

  /// With any pixels unless `isClear`; `nil` when the pixels cannot be had.
  init?(_ region: Rect, _ pool: PixelPool, isClear: Bool = true) {
    let sides = 1.0..<32_768
    guard sides.contains(region.width), sides.contains(region.height), abs(region.x) < 1e6,
      abs(region.y) < 1e6
    else { return nil }
    width = Int(region.width)
    height = Int(region.height)
    self.region = region
    self.pool = pool
    let stride = width * 4
    unsafe memory = pool.take(stride * height)
    if isClear { unsafe memory.update(repeating: 0) }
    // Safe: Cairo never returns null, and the memory is kept until the surface is destroyed.
    unsafe surface = cairo_image_surface_create_for_data(
      memory.baseAddress, CAIRO_FORMAT_ARGB32, Int32(width), Int32(height), Int32(stride))!
    unsafe cairo_surface_set_device_offset(surface, -region.x, -region.y)
    unsafe context = cairo_create(surface)!
    if unsafe cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS { return nil }
  }

  deinit {
    unsafe cairo_destroy(context)
    unsafe cairo_surface_destroy(surface)
    unsafe pool.give(memory)
  }

  var bytes: Int { stride * height }
  private var stride: Int { Int(unsafe cairo_image_surface_get_stride(surface)) }

  private func withPixels(_ body: (UnsafeMutablePointer<UInt8>, Int32, Int32, Int32) -> Void) {
    unsafe cairo_surface_flush(surface)
    guard let data = unsafe cairo_image_surface_get_data(surface) else { return }
    unsafe body(data, Int32(stride), Int32(width), Int32(height))
    unsafe cairo_surface_mark_dirty(surface)
  }

  /// Puts the layer on the pixels of an image surface whose device coordinates are the same.
  func paint(on target: OpaquePointer, opacity: Double) {
    var (offsetX, offsetY) = (0.0, 0.0)
    unsafe cairo_surface_get_device_offset(target, &offsetX, &offsetY)
    unsafe cairo_surface_flush(target)
    guard let data = unsafe cairo_image_surface_get_data(target) else { return }
    let (left, top) = (Int(region.x + offsetX), Int(region.y + offsetY))
    let from = (x: max(0, -left), y: max(0, -top))
    let columns = min(width, Int(unsafe cairo_image_surface_get_width(target)) - left) - from.x
    let rows = min(height, Int(unsafe cairo_image_surface_get_height(target)) - top) - from.y
    guard columns > 0, rows > 0 else { return }
    let targetStride = Int(unsafe cairo_image_surface_get_stride(target))
    unsafe withPixels { pixels, stride, _, _ in
      unsafe scene_over_bgra(
        data + (top + from.y) * targetStride + (left + from.x) * 4, Int32(targetStride),
        pixels + from.y * Int(stride) + from.x * 4, stride, Int32(columns), Int32(rows),
        Int32((opacity * 255).rounded()))
    }
    unsafe cairo_surface_mark_dirty(target)
  }

  /// Takes the pixels of an image surface whose device coordinates are the same.
  func copy(from other: OpaquePointer?) {
    unsafe cairo_surface_flush(other)
    unsafe cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
    unsafe cairo_set_source_surface(context, other, 0, 0)
    unsafe cairo_paint(context)
    unsafe cairo_set_operator(context, CAIRO_OPERATOR_OVER)
    unsafe cairo_set_source_rgba(context, 0, 0, 0, 0)
  }

  /// Takes the pixels of a layer of the same region.
  func take(_ other: RasterLayer) {
    unsafe withPixels { data, stride, _, height in
      unsafe other.withPixels { from, _, _, _ in
        unsafe data.update(from: from, count: Int(stride) * Int(height))
      }
    }
  }

  /// `map` is that under which the layer was drawn.
  func apply(_ filter: Filter, _ map: Affine) {
    unsafe withPixels { data, stride, width, height in
      switch filter {
      case .blur(let deviation):
        let x = Math.hypot(map.a, map.c) * deviation
        let y = Math.hypot(map.b, map.d) * deviation
        _ = unsafe scene_blur_bgra(data, stride, width, height, min(x, 2000), min(y, 2000))
      case .matrix(let matrix):
        unsafe scene_color_matrix_bgra(data, stride, width, height, matrix.rows.map(Float.init))
      case .table(let table):
        unsafe scene_lut_bgra(data, stride, width, height, table.values, Int32(table.size))
      case .chromaKey(let color, let tolerance, let softness):
        unsafe scene_chroma_key_bgra(
          data, stride, width, height, Float(color.red), Float(color.green), Float(color.blue),
          Float(tolerance), Float(softness))
      }
    }
  }

  /// A new layer with this one above its shadow.
  func shadowed(_ shadow: Shadow, _ map: Affine) -> RasterLayer? {
    guard let below = RasterLayer(region, pool), let whole = RasterLayer(region, pool) else {
      return nil
    }
    below.paint(self, at: .zero)
    unsafe below.withPixels { data, stride, width, height in
      let c = shadow.color
      unsafe scene_tint_bgra(
        data, stride, width, height, Float(c.red), Float(c.green), Float(c.blue),
        Float(c.alpha))
    }
    below.apply(.blur(shadow.deviation), map)
    let o = shadow.offset
    whole.paint(below, at: Point(map.a * o.x + map.c * o.y, map.b * o.x + map.d * o.y))
    whole.paint(self, at: .zero)
    return whole
  }

  private func paint(_ layer: RasterLayer, at shift: Point) {
    unsafe cairo_set_source_surface(context, layer.surface, shift.x, shift.y)
    unsafe cairo_paint(context)
    unsafe cairo_set_source_rgba(context, 0, 0, 0, 0)
  }

  func mask(by stencil: RasterLayer, _ style: MaskStyle) {
    unsafe withPixels { data, stride, width, height in
      unsafe stencil.withPixels { mask, _, _, _ in
        unsafe scene_mask_bgra(
          data, mask, stride, width, height, style.source == .luminance ? 1 : 0,
          style.isInverted ? 1 : 0)
      }
    }
  }

  /// Adds the picture to sums of linear light, four numbers a pixel.
  func add(to sums: inout [Float]) {
    unsafe withPixels { data, stride, width, height in
      unsafe scene_accumulate_linear(data, stride, width, height, &sums)
    }
  }

  /// Becomes the mean of `count` pictures.
  func resolve(_ sums: [Float], count: Int) {
    unsafe withPixels { data, stride, width, height in
      unsafe scene_resolve_linear(sums, Int32(count), data, stride, width, height)
    }
  }
}

/// Memory of layers that were drawn, for those that come: fresh pages cost more than clearing.
@safe final class PixelPool {
  private var free: [UnsafeMutableBufferPointer<UInt8>] = unsafe []
  private static let largestSum = 64 << 20
  /// What small fills write to meanwhile.
  let scratch = UnsafeMutableRawPointer.allocate(
    byteCount: Int(SCENE_FILL_SCRATCH), alignment: 16)

  deinit {
    unsafe free.forEach { unsafe $0.deallocate() }
    unsafe scratch.deallocate()
  }

  /// At least so many bytes, with any content.
  func take(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    let fitting = unsafe free.indices.filter {
      unsafe free[$0].count >= count && free[$0].count <= 2 * count + 4096
    }
    let best = fitting.min { unsafe free[$0].count < free[$1].count }
    let memory =
      unsafe best.map { unsafe free.remove(at: $0) } ?? .allocate(capacity: max(4, count))
    return unsafe memory
  }

  func give(_ memory: UnsafeMutableBufferPointer<UInt8>) {
    unsafe free.append(memory)
    while unsafe free.count > 8 || free.reduce(0, { $0 + $1.count }) > PixelPool.largestSum {
      unsafe free.removeFirst().deallocate()
    }
  }
}
