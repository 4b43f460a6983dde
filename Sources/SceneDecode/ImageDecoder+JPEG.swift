// SPDX-License-Identifier: MIT
import CImage
import SceneGraphics
import SceneModel
import ScenePixels

// JPEG: what browsers show is shown, with a remark where something is missing.
extension ImageDecoder {
  /// What a JPEG says of itself before its pixels.
  struct JPEGHeader {
    let size: PixelSize
    let isInk: Bool
  }

  private static func message(_ handle: tjhandle) -> String {
    guard let text = unsafe tjGetErrorStr2(handle) else { return "it is damaged" }
    return unsafe String(cString: text)
  }

  /// Stray bytes and odd numbers are warnings.
  private static func isShown(_ code: Int32, _ handle: tjhandle) -> Bool {
    unsafe code == 0 || tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
  }

  private static func withHandle<T>(_ body: (tjhandle) throws(AssetFault) -> T) throws(AssetFault)
    -> T
  {
    guard let handle = unsafe tjInitDecompress() else { throw .undecodable("no memory") }
    defer { unsafe tjDestroy(handle) }
    return try unsafe body(handle)
  }

  private static func header(_ bytes: [UInt8], _ handle: tjhandle) throws(AssetFault) -> JPEGHeader
  {
    var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let code = unsafe bytes.withUnsafeBufferPointer {
      unsafe tjDecompressHeader3(
        handle, $0.baseAddress, UInt($0.count), &width, &height, &sampling, &space)
    }
    guard unsafe isShown(code, handle), width > 0, height > 0 else {
      throw .undecodable("the JPEG is damaged: \(unsafe message(handle))")
    }
    return JPEGHeader(
      size: PixelSize(Int(width), Int(height)),
      isInk: space == Int32(TJCS_CMYK.rawValue) || space == Int32(TJCS_YCCK.rawValue))
  }

  static func jpegSize(_ bytes: [UInt8]) throws(AssetFault) -> PixelSize {
    try unsafe withHandle { (handle) throws(AssetFault) in
      try unsafe header(bytes, handle).size
    }
  }

  func decodeJPEG(into buffer: PixelBuffer) throws(AssetFault) {
    try unsafe ImageDecoder.withHandle { (handle) throws(AssetFault) in
      let header = try unsafe ImageDecoder.header(bytes, handle)
      let pixels = header.isInk ? TJPF_CMYK : TJPF_BGRA
      let code = unsafe bytes.withUnsafeBufferPointer {
        unsafe tjDecompress2(
          handle, $0.baseAddress, UInt($0.count), buffer.bytes.baseAddress,
          Int32(buffer.size.width), Int32(buffer.stride), Int32(buffer.size.height),
          Int32(pixels.rawValue), TJFLAG_ACCURATEDCT)
      }
      let message = unsafe ImageDecoder.message(handle)
      guard unsafe ImageDecoder.isShown(code, handle) else {
        throw .undecodable("the JPEG is damaged: \(message)")
      }
      // Stray bytes do no harm.
      if code != 0, !message.contains("extraneous"), !message.contains("revision") {
        remark("part of the JPEG is missing or damaged: \(message)")
      }
      if header.isInk { convertInk(buffer) }
    }
    if let profile = jpegProfile { toSRGB(buffer, profile) }
  }

  /// Adobe's inverted C M Y K to B G R A.
  private func convertInk(_ buffer: PixelBuffer) {
    let p = unsafe buffer.bytes
    for at in stride(from: 0, to: stored.width * stored.height * 4, by: 4) {
      let black = unsafe Int(p[at + 3])
      let red = unsafe Int(p[at]) * black / 255
      let green = unsafe Int(p[at + 1]) * black / 255
      let blue = unsafe Int(p[at + 2]) * black / 255
      unsafe p[at] = UInt8(blue)
      unsafe p[at + 1] = UInt8(green)
      unsafe p[at + 2] = UInt8(red)
      unsafe p[at + 3] = 255
    }
  }

  static func exifOrientation(_ bytes: [UInt8]) -> Int {
    let data = unsafe bytes.withUnsafeBufferPointer {
      unsafe exif_data_new_from_data($0.baseAddress, UInt32(clamping: $0.count))
    }
    guard let data = unsafe data else { return 1 }
    defer { unsafe exif_data_unref(data) }
    // Image file directory 0, as CIPA DC-008 has it.
    guard let directory = unsafe data.pointee.ifd.0,
      let entry = unsafe exif_content_get_entry(directory, EXIF_TAG_ORIENTATION),
      unsafe entry.pointee.size >= 2
    else { return 1 }
    let value = unsafe exif_get_short(entry.pointee.data, exif_data_get_byte_order(data))
    return (1...8).contains(value) ? Int(value) : 1
  }
}
