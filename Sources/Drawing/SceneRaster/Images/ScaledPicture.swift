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
  /// Whether pixels between those of the copy are interpolated.
  let isSmooth: Bool

  /// Wraps an image halved `level` times, or enlarged if `level` is negative.
  init(_ surface: Surface, level: Int, isSmooth: Bool = true) {
    let side = level < 0 ? 1 / Double(1 << -level) : Double(1 << level)
    self.init(surface, pixel: Size(side, side), isSmooth: isSmooth)
  }

  init(_ surface: Surface, pixel: Size, isSmooth: Bool = true) {
    self.surface = surface
    self.pixel = pixel
    self.isSmooth = isSmooth
  }

  /// Returns whether a copy of an image at a level is interpolated at a scale. Hard edges between
  /// pixels would blur if the copy were enlarged further.
  static func isSmooth(_ image: ImageReference, at scale: Double, level: Int) -> Bool {
    !image.isPixelated || level > 0 || scale <= Double(1 << -level)
  }
}

extension ImageReference {
  /// Returns the scale of the copy that is resampled for a stretch. The resampling interpolates
  /// between pixels, so only an image with hard edges requires a copy of the full scale.
  func scale(forStretch stretch: Double) -> Double {
    isPixelated ? stretch : min(4, stretch)
  }
}

/// The number of doublings after which an image is at least as large as it is drawn.
enum Doubling {
  /// Returns the level for a scale: 0, or the negated number of doublings. The result has fewer
  /// than `mostPixels` pixels.
  static func level(_ scale: Double, of size: PixelSize, mostPixels: Double) -> Int {
    var level = 0
    var reach = scale
    let area = Double(size.width * size.height)
    while reach > 1, area * Double(1 << (2 - 2 * level)) < mostPixels {
      level -= 1
      reach /= 2
    }
    return level
  }

  /// The limit for images with hard edges between their pixels, 64 MB.
  static let mostPixels = 16.8e6
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

  /// Returns a copy of twice the size, in which each pixel is repeated.
  func doubled() -> PixelBuffer {
    let double = PixelBuffer(PixelSize(size.width * 2, size.height * 2), isOpaque: isOpaque)
    withRows { whole in double.withRows { whole.double(into: $0) } }
    return double
  }
}
