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
    case .color(let color): context.setSource(isRaster ? color.inBytes : color)
    case .pattern(let image, let tile, let opacity): setPattern(image, tile: tile, opacity: opacity)
    case .linear, .radial:
      if isRaster {
        setRaster(paint, under: Projection(context.map), within: box)
      } else {
        setVector(paint)
      }
    // Vector formats support neither conic gradients nor pixel functions.
    case .conic, .pixels: setRaster(paint, under: Projection(context.map), within: box)
    }
  }

  /// Draws the current path with a paint by `body`, which only adds coverage. `box` contains
  /// everything drawn, in device pixels. `projection` maps the paint to the device; without it, the
  /// paint has the coordinates of the context.
  ///
  /// A gradient with transparency is composited onto the existing pixels before it is rounded to 8
  /// bits. Rounding it separately would show contours. `style` supplies the color encoding
  /// (`Light`) and the blend mode of a gradient.
  func draw(
    with paint: Paint, under projection: Projection? = nil, within box: Rect,
    as style: LayerStyle = LayerStyle(), _ body: () -> Void
  ) {
    guard isRaster, paint.isGradation || style.light == .linear,
      let whole = image(
        of: paint, map: projection ?? Projection(context.map), in: visible(box),
        over: context.surface, as: style)
    else {
      if let projection, paint.isComputed {
        setRaster(paint, under: projection, within: box)
      } else {
        setSource(paint, within: box)
      }
      return body()
    }
    let map = context.map
    context.saved {
      context.map = .identity
      context.keepingPath {
        context.newPath()
        context.clip(to: whole.region)
      }
      context.setSource(whole.surface, at: whole.origin, isSmooth: false)
      context.map = map
      context.compose(.source)
      body()
    }
  }

  func visible(_ box: Rect) -> Rect { box.intersection(context.deviceClip) }

  /// Draws the part of a computed paint in `box`; see `PaintImage`.
  private func image(
    of paint: Paint, map: Projection, in box: Rect, over below: Surface? = nil,
    as style: LayerStyle = LayerStyle()
  ) -> PaintImage? {
    if case .pixels(let function, let opacity) = paint {
      return image(of: function, opacity: opacity, map: map, in: box, over: below)
    }
    return PaintImage(paint, map: map, in: box, over: below, as: style)
  }

  /// Sets a computed paint as a dithered image that covers its visible part.
  private func setRaster(_ paint: Paint, under projection: Projection, within box: Rect) {
    let map = context.map
    guard let image = image(of: paint, map: projection, in: visible(box)) else {
      // A degenerate gradient has its end color everywhere.
      if let last = paint.stops.last {
        context.setSource(last.color)
      } else {
        context.clearSource()
      }
      return
    }
    context.map = .identity
    context.setSource(image.surface, at: image.origin, isSmooth: false)
    context.map = map
  }

  // MARK: Vectors

  private func setVector(_ paint: Paint) {
    switch paint {
    case .linear(let from, let to, let stops): context.setLinear(from: from, to: to, stops)
    case .radial(let center, let radius, let stops):
      context.setRadial(center: center, radius: radius, stops)
    case .color, .conic, .pattern, .pixels: break
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
    context.setSource(
      opacity < 1 ? Painter.faded(pixels, opacity) : pixels, edge: .tiled, isSmooth: copy.isSmooth)
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

extension Color {
  /// The color with components rounded to multiples of 1/255. Cairo rounds down, to multiples of
  /// 1/256.
  fileprivate var inBytes: Color {
    func rounded(_ component: Double) -> Double { (component * 255).rounded() / 255 }
    return Color(red: rounded(red), green: rounded(green), blue: rounded(blue), alpha: alpha)
  }
}
