// SPDX-License-Identifier: MIT
import CLinux
import CPixels
package import SceneGraphics
package import SceneIR

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

/// The standard deviations of a blur in pixels.
package struct BlurSize {
  package let x: Double
  package let y: Double
  /// Whether colors are averaged in linear light.
  package let isLinear: Bool

  package init(x: Double, y: Double, isLinear: Bool) {
    self.x = x
    self.y = y
    self.isLinear = isLinear
  }
}

/// A layer in the form in which the pixel loop composites it: pixels, a blurred image, or pixels on
/// top of a blurred image.
package struct LayerPixels {
  private let size: PixelSize
  private var layer = scene_layered()

  /// `at` is the device position of the first pixel. `style` provides the opacity, the blend mode,
  /// which must be computable, and the color encoding.
  package init(_ size: PixelSize, at: PixelPosition, _ style: LayerStyle, isDithered: Bool) {
    self.size = size
    layer.x = Int32(at.x)
    layer.y = Int32(at.y)
    layer.opacity = Float(style.opacity)
    layer.mode = style.blend.number
    layer.is_linear = style.light == .linear ? 1 : 0
    layer.is_dithered = isDithered ? 1 : 0
  }

  fileprivate mutating func add(_ own: scene_pixels) { layer.own = own }

  fileprivate mutating func add(mask: scene_pixels, _ style: MaskStyle) {
    layer.mask = mask
    layer.by_luminance = style.source == .luminance ? 1 : 0
    layer.is_inverted = style.isInverted ? 1 : 0
  }

  /// Adds a blurred image of the layer's size. The image must outlive the calls that read the
  /// layer.
  package mutating func add(_ blurred: BlurredPixels, tint: Color? = nil) {
    unsafe layer.blurred = blurred.image
    guard let tint else { return }
    layer.is_tinted = 1
    func held(_ channel: Double) -> Float { Float(max(0, min(1, channel))) }
    layer.tint = scene_color(
      red: held(tint.red), green: held(tint.green), blue: held(tint.blue), alpha: held(tint.alpha))
  }

  /// Composites the part at `x`, `y` of the layer onto pixels.
  fileprivate func composite(on target: scene_pixels, isOpaque: Bool, _ x: Int, y: Int) {
    var layer = layer
    layer.is_opaque = isOpaque ? 1 : 0
    _ = unsafe scene_composite_layer(target, Int32(x), Int32(y), &layer)
  }

  fileprivate var extent: PixelSize { size }
}

extension PixelRows {
  /// Adds the pixels to a layer of the same size. They must outlive the calls that read the layer.
  package func add(to layer: inout LayerPixels) { layer.add(pixels) }

  /// Adds the pixels as the mask of a layer. They must outlive the calls that read the layer.
  package func add(maskOf layer: inout LayerPixels, _ style: MaskStyle) {
    layer.add(mask: pixels, style)
  }

  /// Composites a layer whose first pixel is at `x`, `y`. Pixels outside this view are ignored.
  /// `isOpaque` is whether this view has no alpha.
  package func putOver(_ layer: LayerPixels, x: Int, y: Int, isOpaque: Bool) {
    guard let (from, size) = overlap(layer.extent, x: x, y: y) else { return }
    layer.composite(
      on: part(x: x + from.x, y: y + from.y, width: size.width, height: size.height),
      isOpaque: isOpaque, from.x, y: from.y)
  }

  // MARK: Blurs

  /// Applies a Gaussian blur. `at` is the device position of the first pixel.
  package func blur(_ size: BlurSize, at: PixelPosition) {
    _ = unsafe scene_blur_bgra(pixels, size.x, size.y, PixelRows.blurred(size, at))
  }

  /// Returns a copy with a Gaussian blur; `nil` if out of memory or without pixels. `at` is the
  /// device position of the first pixel.
  package func blurred(_ size: BlurSize, at: PixelPosition) -> BlurredPixels? {
    guard width > 0, height > 0 else { return nil }
    var result = unsafe PixelRows.blurred(size, at)
    guard unsafe scene_blur_reduced_bgra(pixels, size.x, size.y, &result) != 0 else { return nil }
    return unsafe BlurredPixels(result)
  }

  private static func blurred(_ size: BlurSize, _ at: PixelPosition) -> scene_blurred {
    var result = unsafe scene_blurred()
    unsafe result.x = Int32(at.x)
    unsafe result.y = Int32(at.y)
    unsafe result.is_linear = size.isLinear ? 1 : 0
    return unsafe result
  }

  /// Replaces the pixels with a blurred image of the same size.
  package func settle(_ blurred: BlurredPixels) {
    _ = unsafe scene_settle_blurred(blurred.image, pixels)
  }
}

extension BlendMode {
  /// The number of a mode that is computed by the pixel loop; see `isComputed`.
  var number: Int32 {
    switch self {
    case .plusLighter: Int32(SCENE_BLEND_PLUS_LIGHTER)
    case .screen: Int32(SCENE_BLEND_SCREEN)
    case .multiply: Int32(SCENE_BLEND_MULTIPLY)
    default: Int32(SCENE_BLEND_NORMAL)
    }
  }
}
