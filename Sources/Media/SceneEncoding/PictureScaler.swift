// SPDX-License-Identifier: MIT
import CAV
import SceneAV
import SceneGraphics
import SceneLanguage

/// Converts straight RGBA to other pixel formats.
final class PictureScaler {
  private let scaler: Scaler
  private let source: Frame
  private let size: PixelSize

  init(_ size: PixelSize, to format: PixelFormat) throws(VideoError) {
    self.size = size
    source = try Frame(.rgba, size)
    let target = Scaler.Form(format.number, width: size.width, height: size.height)
    let made = Scaler(
      Scaler.Form(of: source), to: target, matrix: SWS_CS_ITU709, isFullRange: false)
    guard let made else {
      throw VideoError(action: "convert to \(format.rawValue)", reason: "out of memory", code: 0)
    }
    scaler = made
  }

  func convert(_ rgba: [UInt8], into frame: Frame) throws(VideoError) {
    let (row, stride) = (size.width * 4, source.stride(0))
    source.withPlane(0, rows: size.height) { plane in
      for y in 0..<size.height {
        for x in 0..<row { plane[y * stride + x] = rgba[y * row + x] }
      }
    }
    guard scaler.convert(source, into: frame) else {
      throw VideoError(action: "convert a frame", reason: "libswscale failed", code: 0)
    }
  }
}
