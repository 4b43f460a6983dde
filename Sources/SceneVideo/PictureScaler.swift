// SPDX-License-Identifier: MIT
import CAV
import SceneAV
import SceneGraphics
import SceneLanguage

/// Makes pictures of other formats of straight RGBA, with libswscale: exact rather than fast.
@safe final class PictureScaler {
  private let scaler: OpaquePointer
  private let source: Frame
  private let size: PixelSize

  init(_ size: PixelSize, to format: PixelFormat) throws(VideoFault) {
    self.size = size
    source = try Frame(.rgba, size)
    let (width, height) = (Int32(size.width), Int32(size.height))
    let made = unsafe scene_scaler(
      Int32(AV_PIX_FMT_RGBA.rawValue), width, height, Int32(format.number.rawValue), width, height,
      Int32(AVCOL_SPC_BT709.rawValue), 0)
    guard let made = unsafe made else {
      throw VideoFault(action: "convert to \(format.rawValue)", reason: "no memory", code: 0)
    }
    unsafe scaler = made
  }

  deinit { unsafe sws_freeContext(scaler) }

  func convert(_ rgba: [UInt8], into frame: Frame) throws(VideoFault) {
    let (row, stride) = (size.width * 4, source.stride(0))
    source.withPlane(0, rows: size.height) { plane in
      for y in 0..<size.height {
        for x in 0..<row { plane[y * stride + x] = rgba[y * row + x] }
      }
    }
    guard unsafe sws_scale_frame(scaler, frame.handle, source.handle) >= 0 else {
      throw VideoFault(action: "convert a picture", reason: "libswscale refused it", code: 0)
    }
  }
}
