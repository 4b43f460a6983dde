// SPDX-License-Identifier: MIT
import CPixels
package import SceneGraphics
package import SceneIR

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

  /// `inverse` maps device space to gradient space. `colors` contains premultiplied BGRA colors,
  /// followed by the colors before the first and after the last.
  package init(_ kind: Kind, inverse: Projection, colors: [Float]) {
    shape = scene_gradient(
      kind: kind.number, entries: Int32(colors.count / 4 - 2), inverse: scene_projection(inverse),
      is_linear: 0, mode: 0, is_opaque: 0)
    self.colors = colors
  }

  /// Creates a gradient that is composited in linear light. `colors` are in sRGB, in the same order
  /// as for the other initializer. `isOpaque` is whether the pixels below have no alpha.
  package init(
    inLight kind: Kind, inverse: Projection, colors: [Float], blend: BlendMode, isOpaque: Bool
  ) {
    var linear = colors
    for at in stride(from: 0, to: colors.count, by: 4) where colors[at + 3] > 0 {
      let alpha = Double(colors[at + 3])
      for channel in at..<(at + 3) {
        let s = min(1, Double(colors[channel]) / alpha)
        let light = s <= 0.04045 ? s / 12.92 : Math.pow((s + 0.055) / 1.055, 2.4)
        linear[channel] = Float(light * alpha)
      }
    }
    shape = scene_gradient(
      kind: kind.number, entries: Int32(colors.count / 4 - 2), inverse: scene_projection(inverse),
      is_linear: 1, mode: blend.number, is_opaque: isOpaque ? 1 : 0)
    self.colors = linear
  }
}
