// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import ScenePixels

/// The drawing of each particle as images of decreasing size.
struct ParticleImages {
  /// The maximum side length of an image, in pixels.
  private static let greatestSide = 1024.0

  /// An image with the number of pixels per unit of the drawing.
  struct Level {
    let layer: RasterLayer
    let scale: Double
    /// The origin of the drawing in the image.
    let origin: Point
  }

  let levels: [Level]
  /// The maximum distance from the origin to a part of the drawing, at a scale of 1.
  let reach: Double

  /// Draws the images. Returns `nil` if nothing is visible.
  init?(_ body: [DrawOp], _ state: ParticlePixels, in painter: Painter, under map: Affine) {
    let box = painter.bounds(of: body, .identity)
    let side = max(box.width, box.height)
    guard !box.isEmpty, side > 0, side.isFinite else { return nil }
    reach = ParticleImages.reach(of: box)
    // Twice the greatest size, since images are rotated and downscaled.
    var scale = 2 * map.maximumStretch * state.greatestScale
    scale = min(scale, ParticleImages.greatestSide / side)
    var levels: [Level] = []
    while levels.count < 5, scale > 0, levels.isEmpty || scale * side >= 2 {
      let (x, y) = ((box.x * scale).rounded(.down) - 1, (box.y * scale).rounded(.down) - 1)
      let region = Rect(
        x: x, y: y, width: (box.maxX * scale).rounded(.up) + 1 - x,
        height: (box.maxY * scale).rounded(.up) + 1 - y)
      guard let layer = RasterLayer(region, painter.pool) else { break }
      painter.draw(body, on: layer, .scale(scale, scale))
      levels.append(Level(layer: layer, scale: scale, origin: Point(-region.x, -region.y)))
      scale /= 2
    }
    if levels.isEmpty { return nil }
    self.levels = levels
  }

  static func reach(of box: Rect) -> Double {
    max(abs(box.x), abs(box.maxX), abs(box.y), abs(box.maxY)) + 2
  }
}
