// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import ScenePixels

// Pixel functions: as filters, which read a layer, as transitions, which read two, and as paints.
extension Painter {
  /// A layer of a pixel function.
  private struct Source {
    let surface: Surface
    let layer: PixelLayer
  }

  /// Applies a filter to a layer that was drawn with the transformation `map`. With `extends`, edge
  /// pixels are repeated outside the layer. Only pixels of the device in `part` are needed.
  func apply(
    _ filter: Filter, to layer: RasterLayer, _ map: Affine, extends: Bool = false,
    within part: Rect? = nil
  ) {
    guard case .pixels(let function) = filter else { return layer.apply(filter, map) }
    let whole = Projection(map).concat(function.place).concat(.translation(function.box))
    guard let inverse = PaintImage.inverse(of: whole) else { return }
    var source = layer.surface
    var copy: RasterLayer?
    if function.program.readsAround {
      guard let made = RasterLayer(layer.region, pool, isClear: false) else { return }
      made.take(layer)
      source = made.surface
      copy = made
    }
    let place = Projection(.translation(-layer.region.x, -layer.region.y)).concat(whole)
    var sources: [Source?] = [
      Source(surface: source, layer: PixelLayer(map: place, extends: extends))
    ]
    sources += images(of: function, map.maximumStretch)
    withLayers(sources[...], of: PixelCode(function, inverse: inverse)) { code in
      _ = layer.surface.withPixels { $0.fill(code, within: part, at: layer.position) }
    }
    // The copy outlives the calls that read it.
    withExtendedLifetime(copy) {}
  }

  /// Draws two bodies and computes the pixels of the function's box from them. Outside the box, the
  /// bodies are continued by their edge pixels.
  func crossed(_ function: PixelFunction, from: [DrawOp], to: [DrawOp]) {
    let map = context.map
    let whole = Projection(map).concat(function.place).concat(.translation(function.box))
    let box = map.apply(function.box)
    guard let inverse = PaintImage.inverse(of: whole), let shown = region(box),
      let around = region(
        box, reach: function.program.readsAround ? Painter.sight(under: map) : 0),
      let drawn = RasterLayer(around, pool, isClear: shown != around)
    else { return }
    let clips = [from, to].compactMap { body -> RasterLayer? in
      guard let layer = RasterLayer(around, pool) else { return nil }
      draw(body, on: layer, map)
      layer.extend(function.box, map)
      return layer
    }
    guard clips.count == 2 else { return }
    let place = Projection(.translation(-around.x, -around.y)).concat(whole)
    let sources = clips.map {
      Source(surface: $0.surface, layer: PixelLayer(map: place, extends: true))
    }
    let layers = sources + images(of: function, map.maximumStretch)
    withLayers(layers[...], of: PixelCode(function, inverse: inverse)) { code in
      _ = drawn.surface.withPixels { $0.fill(code, within: shown, at: drawn.position) }
    }
    // The clips outlive the calls that read them.
    withExtendedLifetime(clips) {}
    drawn.hasGradations = (from + to).contains(where: \.hasGradations)
    paint(drawn)
  }

  /// Draws the part of a pixel function in `box`, in device coordinates. `map` maps the drawing to
  /// the device. With `below`, composites it onto the pixels of that surface. Returns `nil` if
  /// `map` is not invertible or no pixel is visible.
  func image(
    of function: PixelFunction, opacity: Double, map: Projection, in box: Rect,
    over below: Surface? = nil
  ) -> PaintImage? {
    let map = map.concat(function.place)
    guard let inverse = PaintImage.inverse(of: map, .translation(function.box)) else { return nil }
    let stretch = map.affine?.maximumStretch ?? map.maximumStretch(in: function.box)
    let sources = [nil] + images(of: function, stretch)
    let code = PixelCode(function, inverse: inverse, opacity: opacity)
    var image: PaintImage?
    withLayers(sources[...], of: code) { image = PaintImage($0, in: box, over: below) }
    return image
  }

  /// Returns the images of a function, which are stretched over its box. An image that cannot be
  /// read is `nil`.
  private func images(of function: PixelFunction, _ stretch: Double) -> [Source?] {
    function.program.images.map { image in
      let (width, height) = (Double(image.size.width), Double(image.size.height))
      let scale = max(function.box.width / width, function.box.height / height)
      guard function.box.width > 0, function.box.height > 0,
        let copy = picture(image, image.scale(forStretch: scale * stretch))
      else { return nil }
      let map = Affine.scale(
        width / function.box.width / copy.pixel.width,
        height / function.box.height / copy.pixel.height)
      return Source(surface: copy.surface, layer: PixelLayer(map: Projection(map), extends: true))
    }
  }

  /// Calls `body` with code to which all layers have been added.
  private func withLayers(
    _ sources: ArraySlice<Source?>, of code: PixelCode, _ body: (PixelCode) -> Void
  ) {
    guard let next = sources.first else { return body(code) }
    var code = code
    guard let source = next else {
      PixelRows.addNothing(to: &code)
      return withLayers(sources.dropFirst(), of: code, body)
    }
    _ = source.surface.withPixels { pixels in
      pixels.add(to: &code, source.layer)
      withLayers(sources.dropFirst(), of: code, body)
    }
  }
}

extension Affine {
  /// Returns the map from the top left of a box.
  fileprivate static func translation(_ box: Rect) -> Affine { .translation(box.x, box.y) }
}
