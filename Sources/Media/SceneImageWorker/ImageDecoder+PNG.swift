// SPDX-License-Identifier: MIT
import CImage
import SceneGraphics
import SceneModel
import ScenePixels

extension ImageDecoder {
  static func pngSize(_ bytes: [UInt8]) throws(AssetError) -> PixelSize {
    try PNGReader(bytes, into: nil).size
  }

  /// Decodes to straight sRGB pixels, using the file's color profile or else its gamma.
  func decodePNG(into buffer: PixelBuffer) throws(AssetError) {
    if let profile = try PNGReader(bytes, into: buffer).profile { toSRGB(buffer, profile) }
  }
}

/// The owned result of `scene_png_read`: the header, and the pixels on request.
@safe private final class PNGReader {
  private var png = scene_png()

  init(_ bytes: [UInt8], into buffer: PixelBuffer?) throws(AssetError) {
    let code = unsafe scene_png_read(
      &png, bytes, bytes.count, buffer?.memory.bytes.baseAddress, buffer?.stride ?? 0)
    guard code == 0 else {
      let message = unsafe withUnsafeBytes(of: png.message) { unsafe Array($0) }
      let text = String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
      throw .undecodable("damaged PNG: \(text)")
    }
  }

  deinit { unsafe free(png.profile) }

  var size: PixelSize { PixelSize(Int(png.width), Int(png.height)) }

  /// The color profile, if any.
  var profile: [UInt8]? {
    let all = unsafe UnsafeBufferPointer(start: png.profile, count: Int(png.profile_size))
    return unsafe all.isEmpty ? nil : Array(all)
  }
}
