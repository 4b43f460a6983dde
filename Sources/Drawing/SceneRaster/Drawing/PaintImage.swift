// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import ScenePixels

/// A computed paint as dithered pixels of the device.
struct PaintImage {
  let surface: Surface
  /// The position and size of the surface in whole device pixels.
  let region: Rect

  var origin: Point { Point(region.x, region.y) }

  /// Draws the part of a gradient in `box`, in device coordinates. `map` maps the drawing to the
  /// device. With `below`, composites the gradient onto the pixels of that surface, with the light
  /// of a style and, in linear light, its blend mode.
  ///
  /// Returns `nil` if the paint is not a gradient, the gradient is degenerate, or nothing is
  /// visible.
  init?(
    _ paint: Paint, map: Projection, in box: Rect, over below: Surface? = nil,
    as style: LayerStyle = LayerStyle()
  ) {
    let stops = paint.stops
    guard let place = paint.gradientMap, !stops.isEmpty,
      let inverse = PaintImage.inverse(of: map, place), let region = PaintImage.region(box, below)
    else { return nil }
    let entries = max(256, min(4096, 2 * Int(max(region.width, region.height))))
    let colors = PaintImage.table(stops, entries)
    let table =
      style.light == .linear
      ? GradientTable(
        inLight: paint.gradientKind, inverse: inverse, colors: colors, blend: style.blend,
        isOpaque: below?.isOpaque ?? false)
      : GradientTable(paint.gradientKind, inverse: inverse, colors: colors)
    self.init(region, over: below) { own, below, from, at in
      own.fill(table, over: below, from: from, at: at)
      return true
    } alone: { own, at in
      own.fill(table, at: at)
      return true
    }
  }

  /// Draws the part of a pixel function in `box`, in device coordinates. With `below`, composites
  /// it onto the pixels of that surface. Returns `nil` if nothing is visible.
  init?(
    _ code: PixelCode, in box: Rect, over below: Surface? = nil
  ) {
    guard let region = PaintImage.region(box, below) else { return nil }
    self.init(region, over: below) { own, below, from, at in
      own.fill(code, over: below, from: from, at: at)
    } alone: { own, at in
      own.fill(code, at: at)
    }
  }

  /// Allocates pixels for a region and draws them with `alone`, or with `over` onto the pixels of
  /// `below`.
  private init?(
    _ region: Rect, over below: Surface?,
    _ over: (borrowing PixelRows, borrowing PixelRows, PixelPosition, PixelPosition) -> Bool,
    alone: (borrowing PixelRows, PixelPosition) -> Bool
  ) {
    let surface = Surface(PixelSize(Int(region.width), Int(region.height)))
    let at = PixelPosition(Int(region.x), Int(region.y))
    let isDrawn = surface.withPixels { own in
      guard let below else { return alone(own, at) }
      let origin = below.origin
      let start = PixelPosition(Int(region.x + origin.x), Int(region.y + origin.y))
      return below.withPixels { over(own, $0, start, at) } ?? false
    }
    guard isDrawn == true else { return nil }
    self.region = region
    self.surface = surface
  }

  /// Returns the map from the device to the coordinates of a paint, or `nil` if it has none.
  static func inverse(of map: Projection, _ place: Affine = .identity) -> Projection? {
    let inverse =
      map.affine.map({ $0.concat(place).inverted.map { Projection($0) } })
      ?? map.concat(place).inverted
    return inverse.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns the whole pixels of a box inside `below`, or `nil` if there are none.
  private static func region(_ box: Rect, _ below: Surface?) -> Rect? {
    if box.isEmpty { return nil }
    let x = box.x.rounded(.down) - 1
    let y = box.y.rounded(.down) - 1
    var region = Rect(
      x: x, y: y, width: box.maxX.rounded(.up) + 1 - x, height: box.maxY.rounded(.up) + 1 - y)
    if let below { region = region.intersection(below.region) }
    guard !region.isEmpty, region.width < 32_768, region.height < 32_768, region.width >= 1,
      region.height >= 1
    else { return nil }
    return region
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
}

extension Paint {
  fileprivate var gradientKind: GradientTable.Kind {
    switch self {
    case .radial: .radial
    case .conic: .conic
    case .linear, .color, .pattern, .pixels: .linear
    }
  }

  /// The transformation from gradient space (see `GradientTable`) to the space of the drawing;
  /// `nil` for other paints.
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
    case .color, .pattern, .pixels: return nil
    }
  }
}
