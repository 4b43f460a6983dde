// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import ScenePixels

// Colors, gradients and patterns as Cairo sources.
extension Painter {
  /// Sets the source. `box` contains everything drawn with the paint, in device pixels.
  func setSource(_ paint: Paint, within box: Rect) {
    switch paint {
    case .color(let color): context.setSource(color)
    case .pattern(let image, let tile, let opacity): setPattern(image, tile: tile, opacity: opacity)
    case .linear(_, _, let stops), .radial(_, _, let stops), .conic(_, _, let stops):
      // Vector formats do not support conic gradients.
      if case .conic = paint { return setRaster(paint, stops: stops, in: box) }
      if isRaster { setRaster(paint, stops: stops, in: box) } else { setVector(paint) }
    }
  }

  // MARK: Pixels

  /// Sets a gradient as a dithered image that covers its visible part.
  private func setRaster(_ paint: Paint, stops: [GradientStop], in box: Rect) {
    guard let last = stops.last else { return }
    let map = context.map
    let seen = box.intersection(context.deviceClip)
    let inverse = map.concat(paint.gradientMap ?? .scale(0, 0)).inverted
    guard !seen.isEmpty, let inverse, inverse.isFinite else {
      // A degenerate gradient has its end color everywhere.
      return setSource(.color(last.color), within: box)
    }
    let x = seen.x.rounded(.down) - 1
    let y = seen.y.rounded(.down) - 1
    let sides = (seen.maxX.rounded(.up) + 1 - x, seen.maxY.rounded(.up) + 1 - y)
    guard sides.0 < 32_768, sides.1 < 32_768 else { return }
    let (width, height) = (Int(sides.0), Int(sides.1))
    guard width > 0, height > 0 else { return }
    let entries = max(256, min(4096, 2 * max(width, height)))
    let table = GradientTable(
      paint.gradientKind, inverse: inverse, colors: Painter.table(stops, entries), entries: entries)
    let surface = Surface(PixelSize(width, height))
    guard surface.withPixels({ $0.fill(table, x: Int(x), y: Int(y)) }) != nil else { return }
    context.map = .identity
    context.setSource(surface, at: Point(x, y), isSmooth: false)
    context.map = map
  }

  /// Returns premultiplied BGRA values at even steps from 0 to 1, followed by the values before 0
  /// and after 1.
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
    switch paint {
    case .linear(let from, let to, let stops): context.setLinear(from: from, to: to, stops)
    case .radial(let center, let radius, let stops):
      context.setRadial(center: center, radius: radius, stops)
    case .color, .conic, .pattern: break
    }
  }

  // MARK: Patterns

  private func setPattern(_ image: ImageReference, tile: Rect, opacity: Double) {
    let scaleX = tile.width / Double(image.size.width)
    let scaleY = tile.height / Double(image.size.height)
    let map = context.map
    let stretch = map.concat(.scale(scaleX, scaleY)).maximumStretch
    guard tile.width > 0, tile.height > 0, let copy = picture(image, stretch)
    else { return context.clearSource() }
    let pixel = copy.pixel
    context.concat(
      Affine(a: scaleX * pixel.width, b: 0, c: 0, d: scaleY * pixel.height, e: tile.x, f: tile.y))
    let pixels = copy.surface
    context.setSource(opacity < 1 ? Painter.faded(pixels, opacity) : pixels, edge: .tiled)
    context.map = map
  }

  /// Returns a copy of an image with an opacity.
  private static func faded(_ pixels: Surface, _ opacity: Double) -> Surface {
    let copy = Surface(pixels.size)
    let context = DrawingContext(copy)
    context.setSource(pixels)
    context.paint(opacity: opacity)
    return copy
  }
}

extension Paint {
  fileprivate var gradientKind: GradientTable.Kind {
    switch self {
    case .radial: .radial
    case .conic: .conic
    case .linear, .color, .pattern: .linear
    }
  }

  /// The transformation from gradient space (see `GradientTable`) to the space of the drawing.
  fileprivate var gradientMap: Affine? {
    switch self {
    case .linear(let from, let to, _):
      let d = to - from
      return Affine(a: d.x, b: d.y, c: -d.y, d: d.x, e: from.x, f: from.y)
    case .radial(let center, let radius, _):
      return Affine(a: radius, b: 0, c: 0, d: radius, e: center.x, f: center.y)
    case .conic(let center, let angle, _):
      let (c, s) = (Math.cosDegrees(angle), Math.sinDegrees(angle))
      return Affine(a: c, b: s, c: -s, d: c, e: center.x, f: center.y)
    case .color, .pattern: return nil
    }
  }
}
