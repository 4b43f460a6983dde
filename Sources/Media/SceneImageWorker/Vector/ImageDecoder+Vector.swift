// SPDX-License-Identifier: MIT
import CSVG
import SceneGraphics
import SceneModel
import ScenePixels

// SVG, rendered by librsvg at the required size. No external files are read.
extension ImageDecoder {
  static func looksLikeSVG(_ bytes: some Collection<UInt8>) -> Bool {
    String(decoding: bytes.prefix(4096), as: UTF8.self).contains("<svg")
  }

  private static func text(_ why: [CChar]) -> String {
    String(decoding: why.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func svgSize(_ bytes: [UInt8]) throws(AssetError) -> PixelSize {
    guard scene_svg_load() == 0 else {
      throw .undecodable("SVG requires librsvg-2.so.2, which is not installed")
    }
    var (width, height) = (0.0, 0.0)
    var why = [CChar](repeating: 0, count: 300)
    guard scene_svg_size(bytes, bytes.count, &width, &height, &why, why.count) == 0 else {
      throw .undecodable("the SVG cannot be parsed: \(text(why))")
    }
    guard width.isFinite, height.isFinite, width > 0, height > 0 else {
      throw .undecodable("the SVG has no size")
    }
    guard width <= Double(largestSide), height <= Double(largestSide) else {
      throw .tooLarge("a side of the SVG exceeds the limit of \(largestSide) pixels")
    }
    return PixelSize(Int(width.rounded(.up)), Int(height.rounded(.up)))
  }

  /// Renders the SVG, or selected layers of the decomposed document, at a multiple of its size.
  func drawSVG(scale: Double, layers: (bytes: [UInt8], ids: String)? = nil) throws(AssetError)
    -> PixelBuffer
  {
    func side(_ own: Int) -> Int { max(1, Int((Double(own) * min(max(scale, 0), 1e4)).rounded())) }
    let size = PixelSize(side(stored.width), side(stored.height))
    try ImageDecoder.judge(size)
    try judgeReferences()
    let buffer = PixelBuffer(size)
    var why = [CChar](repeating: 0, count: 300)
    let bytes = layers?.bytes ?? self.bytes
    guard
      unsafe scene_svg_draw(
        bytes, bytes.count, layers?.ids ?? "",
        scene_svg_pixels(
          bytes: buffer.memory.bytes.baseAddress, width: Int32(size.width),
          height: Int32(size.height), stride: Int32(buffer.stride)), &why, why.count) == 0
    else { throw .undecodable("the SVG cannot be rendered: \(ImageDecoder.text(why))") }
    return buffer
  }
}
