// SPDX-License-Identifier: MIT
import CImage
import CWebP
import SceneGraphics
import SceneModel
import ScenePixels

/// Decodes PNG, JPEG, WebP, GIF and SVG from memory to premultiplied sRGB, oriented according to
/// EXIF.
struct ImageDecoder {
  /// The maximum area of an image in pixels.
  static let largestArea = 64_000_000
  /// The maximum side length that Cairo supports.
  static let largestSide = 32_767

  enum Format { case png, jpeg, webp, gif, svg }

  let bytes: [UInt8]
  let format: Format
  /// The stored size, before orientation.
  let stored: PixelSize
  /// The EXIF orientation, 1…8 (CIPA DC-008, tag 0x0112).
  private let orientation: Int
  /// Receives remarks about missing parts of an image that is displayed anyway.
  let remark: (String) -> Void

  /// Reads only the header.
  init(_ bytes: [UInt8], _ remark: @escaping (String) -> Void) throws(AssetError) {
    self.bytes = bytes
    self.remark = remark
    var orientation = 1
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      format = .png
      stored = try ImageDecoder.pngSize(bytes)
    } else if bytes.starts(with: [0xFF, 0xD8]) {
      format = .jpeg
      stored = try ImageDecoder.jpegSize(bytes)
      orientation = ImageDecoder.exifOrientation(bytes)
    } else if bytes.count > 12, bytes.starts(with: Array("RIFF".utf8)),
      Array(bytes[8..<12]) == Array("WEBP".utf8)
    {
      format = .webp
      stored = try ImageDecoder.webpSize(bytes)
    } else if bytes.starts(with: Array("GIF8".utf8)) {
      format = .gif
      stored = try ImageDecoder.gifSize(bytes)
    } else if ImageDecoder.looksLikeSVG(bytes) {
      format = .svg
      stored = try ImageDecoder.svgSize(bytes)
    } else {
      throw .undecodable("the format is not PNG, JPEG, WebP, GIF or SVG")
    }
    self.orientation = orientation
    guard stored.width > 0, stored.height > 0 else { throw .undecodable("the image has no pixels") }
    try ImageDecoder.judge(stored)
  }

  static func judge(_ size: PixelSize) throws(AssetError) {
    guard size.width <= largestSide, size.height <= largestSide else {
      throw .tooLarge("a side of \(size) exceeds the limit of \(largestSide) pixels")
    }
    guard size.width * size.height <= largestArea else {
      throw .tooLarge("\(size) exceeds the limit of \(largestArea) pixels")
    }
  }

  /// Decodes the requested frames. A still image has one.
  func pictures(_ wanted: Range<Int>, _ put: Put) throws(AssetError) {
    switch format {
    case .svg: return put(try drawSVG(scale: 1), 0)
    case .gif: return try gifFrames(wanted, put)
    case .webp: if try webpFrames(wanted, put) { return }
    case .png: if try pngFrames(wanted, put) { return }
    case .jpeg: break
    }
    let buffer = PixelBuffer(stored, isOpaque: format == .jpeg)
    switch format {
    case .png: try decodePNG(into: buffer)
    case .jpeg: try decodeJPEG(into: buffer)
    default: try decodeWebP(into: buffer)
    }
    if format != .jpeg { buffer.premultiply() }
    put(orientation == 1 ? buffer : upright(buffer), 0)
  }

  // MARK: WebP

  private static func webpSize(_ bytes: [UInt8]) throws(AssetError) -> PixelSize {
    var width: Int32 = 0
    var height: Int32 = 0
    guard unsafe WebPGetInfo(bytes, bytes.count, &width, &height) != 0 else {
      throw .undecodable("damaged WebP header")
    }
    return PixelSize(Int(width), Int(height))
  }

  private func decodeWebP(into buffer: PixelBuffer) throws(AssetError) {
    guard
      unsafe WebPDecodeBGRAInto(
        bytes, bytes.count, buffer.memory.bytes.baseAddress, buffer.byteCount, Int32(buffer.stride))
        != nil
    else { throw .undecodable("damaged WebP") }
  }

  // MARK: Orientation

  private func upright(_ buffer: PixelBuffer) -> PixelBuffer {
    let (turns, isMirrored) =
      switch orientation {
      case 2: (0, true)
      case 3: (2, false)
      case 4: (2, true)
      case 5: (3, true)
      case 6: (1, false)
      case 7: (1, true)
      default: (3, false)
      }
    return buffer.turned(ClipOrientation(quarterTurns: turns, isMirrored: isMirrored))
  }
}

extension PixelBuffer {
  func premultiply() { withRows { $0.premultiply() } }
}
