// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import ScenePixels

/// A copy of an image for the scale at which it is drawn.
struct ScaledPicture {
  let surface: Surface
  /// The size of one pixel of the copy in pixels of the image, as the scene counts them.
  let pixel: Size

  /// Wraps an image halved `level` times, or enlarged if `level` is negative.
  init(_ surface: Surface, level: Int) {
    let side = level < 0 ? 1 / Double(1 << -level) : Double(1 << level)
    self.init(surface, pixel: Size(side, side))
  }

  init(_ surface: Surface, pixel: Size) {
    self.surface = surface
    self.pixel = pixel
  }
}

/// The number of halvings after which an image is still at least as large as it is drawn.
enum Halving {
  static func level(_ scale: Double, shorterSide side: Int) -> Int {
    var level = 0
    var reach = scale
    while reach <= 0.5, level < 12, side >> (level + 1) >= 1 {
      level += 1
      reach *= 2
    }
    return level
  }
}

extension PixelBuffer {
  /// Returns a copy of half the size.
  func halved() -> PixelBuffer {
    let half = PixelBuffer(
      PixelSize(max(1, size.width / 2), max(1, size.height / 2)), isOpaque: isOpaque)
    withRows { whole in half.withRows { whole.halve(into: $0) } }
    return half
  }
}
