// SPDX-License-Identifier: MIT
import CImage
import SceneGraphics
import SceneModel
import ScenePixels

extension ImageDecoder {
  static func pngSize(_ bytes: [UInt8]) throws(AssetFault) -> PixelSize {
    var png = unsafe scene_png()
    try unsafe read(bytes, &png, nil)
    return unsafe PixelSize(Int(png.width), Int(png.height))
  }

  /// Straight pixels in sRGB.
  func decodePNG(into buffer: PixelBuffer) throws(AssetFault) {
    var png = unsafe scene_png()
    defer { unsafe free(png.profile) }
    try unsafe ImageDecoder.read(bytes, &png, buffer)
    guard unsafe png.profile_size > 0, let profile = unsafe png.profile else { return }
    let count = Int(unsafe png.profile_size)
    unsafe toSRGB(buffer, Array(UnsafeBufferPointer(start: profile, count: count)))
  }

  private static func read(_ bytes: [UInt8], _ png: inout scene_png, _ buffer: PixelBuffer?)
    throws(AssetFault)
  {
    let code = unsafe scene_png_read(
      &png, bytes, bytes.count, buffer?.bytes.baseAddress, buffer?.stride ?? 0)
    guard code == 0 else {
      let message = unsafe withUnsafePointer(to: &png.message) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 120) { unsafe String(cString: $0) }
      }
      throw .undecodable("the PNG is damaged: \(message)")
    }
  }
}
