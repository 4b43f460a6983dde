// SPDX-License-Identifier: MIT
import CPixels
import CLinux
package import SceneGraphics

/// The position of a pixel, in whole pixels.
package struct PixelPosition {
  package let x: Int
  package let y: Int

  package init(_ x: Int, _ y: Int) {
    self.x = x
    self.y = y
  }
}

/// A gradient in the form that the pixel loop reads.
package struct GradientTable {
  /// The geometry of a gradient.
  package enum Kind {
    case linear, radial, conic

    var number: Int32 {
      switch self {
      case .linear: Int32(SCENE_LINEAR)
      case .radial: Int32(SCENE_RADIAL)
      case .conic: Int32(SCENE_CONIC)
      }
    }
  }

  let shape: scene_gradient
  let colors: [Float]

  /// `inverse` maps device space to gradient space. `colors` contains `entries` premultiplied BGRA
  /// colors, followed by the colors before the first and after the last.
  package init(_ kind: Kind, inverse: Projection, colors: [Float], entries: Int) {
    precondition(colors.count == (entries + 2) * 4)
    shape = scene_gradient(
      kind: kind.number, entries: Int32(entries), inverse: scene_projection(inverse))
    self.colors = colors
  }
}

/// A blurred image at reduced size with 16 bits per channel.
@safe package final class BlurredPixels {
  // Safe: the memory belongs to this object, and nothing writes to it.
  @safe let image: scene_blurred

  /// Takes over the memory of an image.
  init(_ image: scene_blurred) { unsafe self.image = image }

  deinit { unsafe free(image.values) }

  /// The number of bytes.
  package var size: Int { Int(image.width) * Int(image.height) * 8 }
}
