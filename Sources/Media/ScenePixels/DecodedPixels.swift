// SPDX-License-Identifier: MIT
import CPixels
package import SceneGraphics
package import SceneIR
package import SceneModel

// Conversion of decoded video frames to pixels.

extension PixelBuffer {
  /// Converts the samples of a decoded frame, without applying its orientation.
  package convenience init(
    decoded samples: RawSpan, format: PictureFormat, size: PixelSize, layout: PictureLayout,
    alpha: ClipReading.Alpha = .straight
  ) {
    precondition(samples.byteCount >= layout.byteCount)
    precondition(max(size.width, size.height) <= Int(SCENE_DECODED_SIDE))
    var format = format
    if alpha == .none { format.hasAlpha = false }
    self.init(toFill: size, isOpaque: !format.hasAlpha)
    withRows { rows in
      guard format.layout == .bgra else {
        return rows.convert(samples, format: format, layout: layout, alpha: alpha)
      }
      rows.take(samples, stride: layout.planes[0].stride)
      switch alpha {
      case .straight: if format.hasAlpha { rows.premultiply() }
      case .premultiplied: rows.clampToAlpha()
      case .none: rows.makeOpaque()
      }
    }
  }

  /// Returns the frame with its orientation applied.
  package func turned(_ orientation: ClipOrientation) -> PixelBuffer {
    if orientation == ClipOrientation() { return self }
    let isAcross = orientation.quarterTurns % 2 == 1
    let it = PixelBuffer(
      toFill: isAcross ? PixelSize(size.height, size.width) : size, isOpaque: isOpaque)
    withRows { own in it.withRows { own.turn(into: $0, orientation) } }
    return it
  }
}

extension scene_decoded {
  /// Sets everything but the planes.
  init(_ format: PictureFormat, _ size: PixelSize) {
    self.init()
    (width, height, depth) = (Int32(size.width), Int32(size.height), Int32(format.depth))
    halves_columns = format.layout == .yuv444 ? 0 : 1
    halves_rows = format.layout == .yuv420 ? 1 : 0
    siting =
      switch format.siting {
      case .left: Int32(SCENE_LEFT)
      case .center: Int32(SCENE_CENTER)
      case .topLeft: Int32(SCENE_TOP_LEFT)
      }
    transfer =
      switch format.transfer {
      case .standard: Int32(SCENE_STANDARD)
      case .pq: Int32(SCENE_PQ)
      case .hlg: Int32(SCENE_HLG)
      }
    peak = Int32(format.peak)
    // The luma coefficients of red and blue: ITU-R BT.601-7, BT.709-6, BT.2020-2.
    let (red, blue) =
      switch format.matrix {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      }
    let green = 1 - red - blue
    let steps = Double(1 << (format.depth - 8))
    let full = Double(1 << format.depth) - 1
    let (lumaRange, chromaRange) =
      format.isFullRange ? (full, full) : (219 * steps, 224 * steps)
    func factor(_ value: Double, _ range: Double) -> Int32 {
      Int32((value * 255 / range * Double(1 << 20)).rounded())
    }
    black = format.isFullRange ? 0 : Int32(16 * steps)
    luma = factor(1, lumaRange)
    red_v = factor(2 * (1 - red), chromaRange * 16)
    blue_u = factor(2 * (1 - blue), chromaRange * 16)
    green_u = factor(2 * (1 - blue) * blue / green, chromaRange * 16)
    green_v = factor(2 * (1 - red) * red / green, chromaRange * 16)
  }
}
