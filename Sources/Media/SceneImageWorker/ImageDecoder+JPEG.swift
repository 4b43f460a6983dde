// SPDX-License-Identifier: MIT
import CImage
import SceneGraphics
import SceneModel
import ScenePixels
import SceneSystem

// JPEG. Damaged files that browsers display are displayed, too, with a remark about missing data.
extension ImageDecoder {
  /// The size of a JPEG, and whether its colors are CMYK.
  struct JPEGHeader {
    let size: PixelSize
    let isInk: Bool
  }

  static func jpegSize(_ bytes: [UInt8]) throws(AssetError) -> PixelSize {
    try JPEGReader().header(bytes).size
  }

  func decodeJPEG(into buffer: PixelBuffer) throws(AssetError) {
    let reader = JPEGReader()
    let header = try reader.header(bytes)
    // Extraneous bytes are harmless.
    if let message = try reader.decode(bytes, isInk: header.isInk, into: buffer),
      !message.contains("extraneous"), !message.contains("revision")
    {
      remark("part of the JPEG is missing or damaged: \(message)")
    }
    if header.isInk { convertInk(buffer) }
    if let profile = jpegProfile { toSRGB(buffer, profile) }
  }

  /// Converts Adobe's inverted CMYK to BGRA.
  private func convertInk(_ buffer: PixelBuffer) {
    buffer.withBytes { p in
      for at in stride(from: 0, to: stored.width * stored.height * 4, by: 4) {
        let black = Int(p[at + 3])
        let (red, green, blue) = (Int(p[at]), Int(p[at + 1]), Int(p[at + 2]))
        p[at] = UInt8(blue * black / 255)
        p[at + 1] = UInt8(green * black / 255)
        p[at + 2] = UInt8(red * black / 255)
        p[at + 3] = 255
      }
    }
  }

  static func exifOrientation(_ bytes: [UInt8]) -> Int {
    Int(unsafe scene_exif_orientation(bytes, UInt32(clamping: bytes.count)))
  }
}

/// An owned `tjhandle` that reads one JPEG.
@safe private final class JPEGReader {
  private let handle = unsafe tjInitDecompress()

  deinit { unsafe tjDestroy(handle) }

  func header(_ bytes: [UInt8]) throws(AssetError) -> ImageDecoder.JPEGHeader {
    var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let code = unsafe tjDecompressHeader3(
      handle, bytes, UInt(bytes.count), &width, &height, &sampling, &space)
    guard isShown(code), width > 0, height > 0 else {
      throw .undecodable("damaged JPEG: \(message)")
    }
    return ImageDecoder.JPEGHeader(
      size: PixelSize(Int(width), Int(height)),
      isInk: space == Int32(TJCS_CMYK.rawValue) || space == Int32(TJCS_YCCK.rawValue))
  }

  /// Decodes the image. Returns a message if it is damaged but displayable.
  func decode(_ bytes: [UInt8], isInk: Bool, into buffer: PixelBuffer) throws(AssetError)
    -> String?
  {
    let format = Int32((isInk ? TJPF_CMYK : TJPF_BGRA).rawValue)
    let code = unsafe tjDecompress2(
      handle, bytes, UInt(bytes.count), buffer.memory.bytes.baseAddress, Int32(buffer.size.width),
      Int32(buffer.stride), Int32(buffer.size.height), format, TJFLAG_ACCURATEDCT)
    guard isShown(code) else { throw .undecodable("damaged JPEG: \(message)") }
    return code == 0 ? nil : message
  }

  /// Returns whether the image can be displayed. Extraneous bytes and unusual values are only
  /// warnings.
  private func isShown(_ code: Int32) -> Bool {
    unsafe code == 0 || tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
  }

  private var message: String {
    unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "damaged data"
  }
}
