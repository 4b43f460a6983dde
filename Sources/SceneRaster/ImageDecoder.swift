// SPDX-License-Identifier: MIT
import CImage
import CPixels
package import SceneGraphics
package import SceneModel

/// Decodes PNG, JPEG, WebP, GIF and SVG from memory into premultiplied sRGB, upright by EXIF.
package struct ImageDecoder {
  /// Width times height that are accepted.
  package static let largestArea = 64_000_000

  enum Format { case png, jpeg, webp, gif, svg }

  let bytes: [UInt8]
  let format: Format
  /// As stored, before the orientation.
  let stored: PixelSize
  /// EXIF orientation, 1…8 (CIPA DC-008, tag 0x0112).
  private let orientation: Int

  /// Pixels as shown.
  package var size: PixelSize {
    orientation >= 5 ? PixelSize(stored.height, stored.width) : stored
  }

  /// Reads the header only.
  package init(_ bytes: [UInt8]) throws(AssetFault) {
    self.bytes = bytes
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      format = .png
      stored = try ImageDecoder.pngSize(bytes)
      orientation = 1
    } else if bytes.starts(with: [0xFF, 0xD8]) {
      format = .jpeg
      stored = try ImageDecoder.jpegSize(bytes)
      orientation = ImageDecoder.exifOrientation(bytes)
    } else if bytes.count > 12, bytes.starts(with: Array("RIFF".utf8)),
      Array(bytes[8..<12]) == Array("WEBP".utf8)
    {
      format = .webp
      stored = try ImageDecoder.webpSize(bytes)
      orientation = 1
    } else {
      orientation = 1
      if bytes.starts(with: Array("GIF8".utf8)) {
        format = .gif
        stored = try ImageDecoder.gifSize(bytes)
      } else if ImageDecoder.looksLikeSVG(bytes) {
        format = .svg
        stored = try ImageDecoder.svgSize(bytes)
      } else {
        throw .undecodable("it is no PNG, JPEG, WebP, GIF or SVG")
      }
    }
    guard stored.width > 0, stored.height > 0 else { throw .undecodable("it has no pixels") }
    guard stored.width * stored.height <= ImageDecoder.largestArea else {
      throw .tooLarge("\(stored) is over \(ImageDecoder.largestArea) pixels")
    }
  }

  /// The image; of an animation its first frame.
  package func decode() throws(AssetFault) -> PixelBuffer {
    switch format {
    case .svg: return try decodeSVG(scale: 1)
    case .gif: return try animation(limit: 1)[0].pixels
    case .webp, .png:
      if let first = try animation(limit: 1).first { return first.pixels }
    case .jpeg: break
    }
    let buffer = PixelBuffer(stored, isOpaque: format == .jpeg)
    switch format {
    case .png: try decodePNG(into: buffer)
    case .jpeg: try decodeJPEG(into: buffer)
    default: try decodeWebP(into: buffer)
    }
    toSRGB(buffer)
    if format != .jpeg {
      unsafe scene_premultiply_bgra(
        buffer.bytes.baseAddress, Int64(stored.width * stored.height))
    }
    return orientation == 1 ? buffer : upright(buffer)
  }

  // MARK: PNG

  private static func pngSize(_ bytes: [UInt8]) throws(AssetFault) -> PixelSize {
    var image = unsafe png_image()
    unsafe scene_png_begin(&image)
    defer { unsafe png_image_free(&image) }
    let read = unsafe bytes.withUnsafeBytes {
      unsafe png_image_begin_read_from_memory(&image, $0.baseAddress, $0.count)
    }
    guard read != 0 else { throw .undecodable(unsafe String(cString: scene_png_message(&image))) }
    return unsafe PixelSize(Int(image.width), Int(image.height))
  }

  private func decodePNG(into buffer: PixelBuffer) throws(AssetFault) {
    var image = unsafe png_image()
    unsafe scene_png_begin(&image)
    defer { unsafe png_image_free(&image) }
    let done = unsafe bytes.withUnsafeBytes { source -> Int32 in
      guard unsafe png_image_begin_read_from_memory(&image, source.baseAddress, source.count) != 0
      else { return 0 }
      if unsafe scene_png_is_16_bit(&image) != 0 {
        unsafe scene_png_want_linear(&image)
        return unsafe decodeLinear(&image, into: buffer)
      }
      unsafe scene_png_want_bgra(&image)
      return unsafe png_image_finish_read(
        &image, nil, buffer.bytes.baseAddress, Int32(buffer.stride), nil)
    }
    guard done != 0 else { throw .undecodable(unsafe String(cString: scene_png_message(&image))) }
  }

  /// 16 bits a channel by way of linear light: libpng 1.6 goes wrong on the direct way when such a
  /// file is interlaced.
  private func decodeLinear(_ image: inout png_image, into buffer: PixelBuffer) -> Int32 {
    let count = stored.width * stored.height
    var linear = [UInt16](repeating: 0, count: count * 4)
    let done = unsafe linear.withUnsafeMutableBufferPointer {
      unsafe png_image_finish_read(&image, nil, $0.baseAddress, Int32(stored.width * 4), nil)
    }
    guard done != 0 else { return done }
    for pixel in 0..<count {
      let alpha = Double(linear[pixel * 4 + 3])
      for channel in 0..<3 {
        let share = alpha > 0 ? min(1, Double(linear[pixel * 4 + channel]) / alpha) : 0
        unsafe buffer.bytes[pixel * 4 + 2 - channel] = UInt8(
          (Color.encoded(share) * 255).rounded())
      }
      unsafe buffer.bytes[pixel * 4 + 3] = UInt8((alpha / 257).rounded())
    }
    return done
  }

  // MARK: JPEG

  private static func jpegMessage(_ handle: tjhandle) -> String {
    guard let text = unsafe tjGetErrorStr2(handle) else { return "the JPEG is damaged" }
    return unsafe String(cString: text)
  }

  private static func jpegSize(_ bytes: [UInt8]) throws(AssetFault) -> PixelSize {
    guard let handle = unsafe tjInitDecompress() else { throw .undecodable("no decoder") }
    defer { unsafe tjDestroy(handle) }
    var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let read = unsafe bytes.withUnsafeBufferPointer {
      unsafe tjDecompressHeader3(
        handle, $0.baseAddress, UInt($0.count), &width, &height, &sampling, &space)
    }
    guard read == 0 else { throw .undecodable(unsafe jpegMessage(handle)) }
    return PixelSize(Int(width), Int(height))
  }

  private func decodeJPEG(into buffer: PixelBuffer) throws(AssetFault) {
    guard let handle = unsafe tjInitDecompress() else { throw .undecodable("no decoder") }
    defer { unsafe tjDestroy(handle) }
    var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let read = unsafe bytes.withUnsafeBufferPointer { source -> Int32 in
      let header = unsafe tjDecompressHeader3(
        handle, source.baseAddress, UInt(source.count), &width, &height, &sampling, &space)
      guard header == 0 else { return header }
      let isInk = space == Int32(TJCS_CMYK.rawValue) || space == Int32(TJCS_YCCK.rawValue)
      let pixels = isInk ? TJPF_CMYK : TJPF_BGRA
      return unsafe tjDecompress2(
        handle, source.baseAddress, UInt(source.count), buffer.bytes.baseAddress, width,
        Int32(buffer.stride), height, Int32(pixels.rawValue), TJFLAG_ACCURATEDCT)
    }
    if read != 0 {
      let message = unsafe ImageDecoder.jpegMessage(handle)
      let isWarning = unsafe tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
      // Stray bytes do no harm; missing ones would be shown as grey.
      guard isWarning, !message.contains("Premature end") else { throw .undecodable(message) }
    }
    if space == Int32(TJCS_CMYK.rawValue) || space == Int32(TJCS_YCCK.rawValue) {
      convertInk(buffer)
    }
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

  private static func exifOrientation(_ bytes: [UInt8]) -> Int {
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

  // MARK: WebP

  private static func webpSize(_ bytes: [UInt8]) throws(AssetFault) -> PixelSize {
    var width: Int32 = 0
    var height: Int32 = 0
    let read = unsafe bytes.withUnsafeBufferPointer {
      unsafe WebPGetInfo($0.baseAddress, $0.count, &width, &height)
    }
    guard read != 0 else { throw .undecodable("the WebP header is damaged") }
    return PixelSize(Int(width), Int(height))
  }

  private func decodeWebP(into buffer: PixelBuffer) throws(AssetFault) {
    let done = unsafe bytes.withUnsafeBufferPointer { source in
      unsafe WebPDecodeBGRAInto(
        source.baseAddress, source.count, buffer.bytes.baseAddress, buffer.byteCount,
        Int32(buffer.stride)) != nil
    }
    guard done else { throw .undecodable("the WebP is damaged, or an animation") }
  }

  // MARK: Orientation

  private func upright(_ buffer: PixelBuffer) -> PixelBuffer {
    let turned = PixelBuffer(size, isOpaque: buffer.isOpaque)
    let (w, h) = (stored.width, stored.height)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let from: (Int, Int)
        switch orientation {
        case 2: from = (w - 1 - x, y)
        case 3: from = (w - 1 - x, h - 1 - y)
        case 4: from = (x, h - 1 - y)
        case 5: from = (y, x)
        case 6: from = (y, h - 1 - x)
        case 7: from = (w - 1 - y, h - 1 - x)
        default: from = (w - 1 - y, x)
        }
        let source = (from.1 * w + from.0) * 4
        let target = (y * size.width + x) * 4
        for k in 0..<4 { unsafe turned.bytes[target + k] = buffer.bytes[source + k] }
      }
    }
    return turned
  }
}
