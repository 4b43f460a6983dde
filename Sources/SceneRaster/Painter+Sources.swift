// SPDX-License-Identifier: MIT
import CCairo
import CPixels
import SceneGraphics
import SceneIR

// Colours, gradients and patterns as sources of Cairo.
extension Painter {
  /// `box` holds all that is drawn with the paint, in pixels of the device.
  func setSource(_ paint: Paint, within box: Rect) {
    switch paint {
    case .color(let c): unsafe cairo_set_source_rgba(context, c.red, c.green, c.blue, c.alpha)
    case .pattern(let image, let tile, let opacity): setPattern(image, tile, opacity)
    case .linear(_, _, let stops), .radial(_, _, let stops), .conic(_, _, let stops):
      // Vector formats know no conic gradients.
      if case .conic = paint { return setRaster(paint, stops, box) }
      if isRaster { setRaster(paint, stops, box) } else { setVector(paint) }
    }
  }

  // MARK: Pixels

  /// A gradient as pixels of its own, dithered, where it is seen.
  private func setRaster(_ paint: Paint, _ stops: [GradientStop], _ box: Rect) {
    guard let last = stops.last else { return }
    var (x0, y0, x1, y1) = (0.0, 0.0, 0.0, 0.0)
    let map = currentMap
    setMap(.identity)
    unsafe cairo_clip_extents(context, &x0, &y0, &x1, &y1)
    defer { setMap(map) }
    let seen = box.intersection(Rect(x0, y0, x1 - x0, y1 - y0))
    let inverse = map.concat(paint.gradientMap ?? .scale(0, 0)).inverted
    guard !seen.isEmpty, let inverse, inverse.isFinite else {
      // All of it lies behind the end.
      return setSource(.color(last.color), within: box)
    }
    let x = seen.x.rounded(.down) - 1
    let y = seen.y.rounded(.down) - 1
    let sides = (seen.maxX.rounded(.up) + 1 - x, seen.maxY.rounded(.up) + 1 - y)
    guard sides.0 < 32_768, sides.1 < 32_768 else { return }
    let (width, height) = (Int(sides.0), Int(sides.1))
    guard width > 0, height > 0,
      let surface = unsafe cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, Int32(width), Int32(height)),
      let data = unsafe cairo_image_surface_get_data(surface)
    else { return }
    let entries = max(256, min(4096, 2 * max(width, height)))
    let table = Painter.table(stops, entries)
    let kind =
      switch paint {
      case .radial: SCENE_RADIAL
      case .conic: SCENE_CONIC
      default: SCENE_LINEAR
      }
    let numbers = [inverse.a, inverse.b, inverse.c, inverse.d, inverse.e, inverse.f]
    unsafe scene_gradient_bgra(
      data, cairo_image_surface_get_stride(surface), Int32(x), Int32(y), Int32(width),
      Int32(height), Int32(kind), numbers, table, Int32(entries))
    unsafe cairo_surface_mark_dirty(surface)
    unsafe cairo_set_source_surface(context, surface, x, y)
    unsafe cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST)
    unsafe cairo_surface_destroy(surface)
  }

  /// Premultiplied blue, green, red and alpha at even steps from 0 to 1, then before and behind.
  private static func table(_ stops: [GradientStop], _ count: Int) -> [Float] {
    var table: [Float] = []
    table.reserveCapacity(count * 4)
    var next = 0
    for index in 0..<count {
      let at = Double(index) / Double(count - 1)
      while next < stops.count, stops[next].offset <= at { next += 1 }
      let low = stops[max(0, next - 1)]
      let high = stops[min(stops.count - 1, next)]
      let way = high.offset - low.offset
      let u = way > 0 ? max(0, min(1, (at - low.offset) / way)) : 0
      let (p, q) = (low.color, high.color)
      let alpha = p.alpha + (q.alpha - p.alpha) * u
      func channel(_ a: Double, _ b: Double) -> Float {
        let x = a * p.alpha
        return Float(x + (b * q.alpha - x) * u)
      }
      table.append(channel(p.blue, q.blue))
      table.append(channel(p.green, q.green))
      table.append(channel(p.red, q.red))
      table.append(Float(alpha))
    }
    for stop in [stops[0], stops[stops.count - 1]] {
      let c = stop.color
      for channel in [c.blue, c.green, c.red, 1] { table.append(Float(channel * c.alpha)) }
    }
    return table
  }

  // MARK: Vectors

  private func setVector(_ paint: Paint) {
    let pattern: OpaquePointer?
    switch paint {
    case .linear(let from, let to, let stops):
      unsafe pattern = cairo_pattern_create_linear(from.x, from.y, to.x, to.y)
      unsafe addStops(stops, pattern)
    case .radial(let center, let radius, let stops):
      unsafe pattern = cairo_pattern_create_radial(
        center.x, center.y, 0, center.x, center.y, radius)
      unsafe addStops(stops, pattern)
    case .color, .conic, .pattern: return
    }
    unsafe cairo_set_source(context, pattern)
    unsafe cairo_pattern_destroy(pattern)
  }

  private func addStops(_ stops: [GradientStop], _ pattern: OpaquePointer?) {
    for stop in stops {
      let c = stop.color
      unsafe cairo_pattern_add_color_stop_rgba(
        pattern, stop.offset, c.red, c.green, c.blue, c.alpha)
    }
  }

  // MARK: Patterns

  private func setPattern(_ image: ImageReference, _ tile: Rect, _ opacity: Double) {
    let scaleX = tile.width / Double(image.size.width)
    let scaleY = tile.height / Double(image.size.height)
    let stretch = currentMap.concat(.scale(scaleX, scaleY)).maximumStretch
    guard tile.width > 0, tile.height > 0, let (pixels, level) = unsafe surface(image, stretch)
    else { return unsafe cairo_set_source_rgba(context, 0, 0, 0, 0) }
    let shrink = level < 0 ? 1 / Double(1 << -level) : Double(1 << level)
    let map = currentMap
    concat(Affine(scaleX * shrink, 0, 0, scaleY * shrink, tile.x, tile.y))
    let faded = opacity < 1 ? unsafe Painter.faded(pixels, opacity) : nil
    unsafe cairo_set_source_surface(context, faded ?? pixels, 0, 0)
    unsafe cairo_surface_destroy(faded)
    setMap(map)
    let pattern = unsafe cairo_get_source(context)
    unsafe cairo_pattern_set_extend(pattern, CAIRO_EXTEND_REPEAT)
    unsafe cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
  }

  /// A copy of a picture at an opacity, which the caller destroys.
  private static func faded(_ pixels: OpaquePointer, _ opacity: Double) -> OpaquePointer? {
    let copy = unsafe cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32, cairo_image_surface_get_width(pixels),
      cairo_image_surface_get_height(pixels))
    let context = unsafe cairo_create(copy)
    unsafe cairo_set_source_surface(context, pixels, 0, 0)
    unsafe cairo_paint_with_alpha(context, opacity)
    unsafe cairo_destroy(context)
    return unsafe copy
  }
}

extension Paint {
  /// From the space of a gradient (see `scene_gradient_bgra`) to that of the drawing.
  fileprivate var gradientMap: Affine? {
    switch self {
    case .linear(let from, let to, _):
      let d = to - from
      return Affine(d.x, d.y, -d.y, d.x, from.x, from.y)
    case .radial(let center, let radius, _):
      return Affine(radius, 0, 0, radius, center.x, center.y)
    case .conic(let center, let angle, _):
      let (c, s) = (Math.cosDegrees(angle), Math.sinDegrees(angle))
      return Affine(c, s, -s, c, center.x, center.y)
    case .color, .pattern: return nil
    }
  }
}
