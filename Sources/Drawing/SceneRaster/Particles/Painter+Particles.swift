// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import ScenePixels

// Particles: many small shapes or images.
extension Painter {
  /// The maximum number of particles that vector formats contain as shapes.
  private static let mostShapes = 5000

  /// Draws the particles of a frame.
  func particles(_ frame: ParticleFrame) {
    guard let state = ParticlePixels(frame), state.count > 0 else { return }
    let map = context.map
    if !isRaster, state.count <= Painter.mostShapes, drawShapes(state, frame) { return }
    let sprite =
      frame.sprite.isEmpty ? nil : ParticleImages(frame.sprite, state, in: self, under: map)
    if !frame.sprite.isEmpty, sprite == nil { return }
    var bounds: Rect { state.bounds(under: map, reach: sprite?.reach ?? 0) }
    if let target, target.accepts(bounds) {
      let at = PixelPosition(Int(target.region.x), Int(target.region.y))
      _ = target.withPixels { draw(state, sprite?.levels ?? [], on: $0, under: map, at: at) }
      return
    }
    guard let region = region(bounds) else { return }
    guard let layer = RasterLayer(region, pool) else { return }
    _ = layer.surface.withPixels {
      draw(state, sprite?.levels ?? [], on: $0, under: map, at: layer.position)
    }
    context.saved {
      context.map = .identity
      context.clip(to: layer.region)
      context.setSource(layer.surface, isSmooth: false)
      context.compose(frame.look.isAdditive ? .blend(.plusLighter) : .over)
      context.paint()
    }
  }

  /// Returns the bounds of the particles of a frame, in device pixels.
  func bounds(of frame: ParticleFrame, _ map: Affine) -> Rect {
    guard let state = ParticlePixels(frame) else { return .empty }
    let reach =
      frame.sprite.isEmpty ? 0 : ParticleImages.reach(of: bounds(of: frame.sprite, .identity))
    return state.bounds(under: map, reach: reach)
  }

  /// Draws particles with the images of their sprite, if they have one.
  private func draw(
    _ state: ParticlePixels, _ levels: [ParticleImages.Level], on pixels: borrowing PixelRows,
    under map: Affine, at: PixelPosition
  ) {
    var sprites: [ParticleSprite] = []
    for level in levels {
      _ = level.layer.surface.withPixels {
        $0.add(to: &sprites, scale: level.scale, origin: level.origin)
      }
    }
    pixels.draw(state, sprites, under: map, at: at)
    // The images outlive the call that reads them.
    withExtendedLifetime(levels) {}
  }

  // MARK: Vectors

  /// Draws particles as shapes. Returns `false` for shapes that need pixels.
  private func drawShapes(_ state: ParticlePixels, _ frame: ParticleFrame) -> Bool {
    guard frame.look.shape != .soft, !frame.look.isTinted, frame.stretch == 0 else {
      return false
    }
    let order = Array(0..<state.count)
    for index in frame.look.isReversed ? order.reversed() : order {
      let it = state[index]
      var degrees = it.degrees
      if frame.look.followsMotion {
        degrees += Math.atan2(it.velocity.y, it.velocity.x) * 180 / .pi
      }
      let (cosine, sine) = (Math.cosDegrees(degrees), Math.sinDegrees(degrees))
      let place = Affine(
        a: cosine, b: sine, c: -sine, d: cosine, e: it.position.x, f: it.position.y)
      if frame.sprite.isEmpty {
        let (width, height) = (it.size.width, it.size.height)
        guard width > 0, height > 0 else { continue }
        let outline =
          frame.look.shape == .rect
          ? Outline.rect(
            Rect(x: -width / 2, y: -height / 2, width: width, height: height), radius: 0)
          : .ellipse(center: .zero, rx: width / 2, ry: height / 2)
        draw(.transformed(place, body: [.fill(outline, .color(it.color))]))
      } else if it.scale > 0, it.color.alpha > 0 {
        let body = DrawOp.transformed(
          place.concat(.scale(it.scale, it.scale)), body: frame.sprite)
        draw(it.color.alpha < 1 ? .layer(opacity: it.color.alpha, body: [body]) : body)
      }
    }
    return true
  }
}
