// SPDX-License-Identifier: MIT
import CWebP
import SceneGraphics
import SceneModel
import ScenePixels

// Animated GIF, WebP and PNG: each frame is delivered as the complete image.
extension ImageDecoder {
  /// A callback for a frame and its duration in seconds. The pixels may change after the call.
  typealias Put = (PixelBuffer, Double) -> Void

  /// The maximum number of pixels in all frames of a file.
  static let largestAnimation = 128_000_000

  /// The remaining budget of pixels that an animation may decode, displayed or not.
  struct AnimationBudget {
    private var rest = 2 * largestAnimation

    /// Consumes pixels before they are decoded.
    mutating func spend(_ pixels: Int) throws(AssetError) {
      rest -= pixels
      guard rest >= 0 else {
        throw .tooLarge("its frames exceed the limit of \(2 * largestAnimation) pixels in total")
      }
    }
  }

  /// Returns the display duration of a frame. As in browsers, durations up to 10 ms become 100 ms.
  static func shown(seconds: Double) -> Double { seconds < 0.0105 ? 0.1 : seconds }

  static func judge(_ count: Int, of size: PixelSize) throws(AssetError) {
    guard count <= largestAnimation / (size.width * size.height) else {
      throw .tooLarge(
        "\(count) frames of \(size) exceed the limit of \(largestAnimation) pixels in total")
    }
  }

  // MARK: WebP

  /// Decodes the frames of an animated WebP; returns `false` for a still image.
  func webpFrames(_ wanted: Range<Int>, _ put: Put) throws(AssetError) -> Bool {
    let outcome = unsafe bytes.withUnsafeBufferPointer { source -> Result<Bool, AssetError> in
      do throws(AssetError) {
        return .success(try unsafe webpFrames(of: source, in: wanted, put: put))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  private func webpFrames(
    of source: UnsafeBufferPointer<UInt8>, in wanted: Range<Int>, put: Put
  ) throws(AssetError) -> Bool {
    let damaged = AssetError.undecodable("damaged WebP animation")
    var webp = scene_webp()
    defer { scene_webp_close(&webp) }
    guard unsafe scene_webp_open(&webp, source.baseAddress, source.count, 1) != 0 else {
      throw damaged
    }
    let (width, height, count) = (webp.width, webp.height, Int(webp.count))
    guard count > 1 else { return false }
    let size = PixelSize(Int(width), Int(height))
    try ImageDecoder.judge(min(count, wanted.upperBound), of: size)
    let canvas = PixelBuffer(size)
    var last: Int32 = 0
    for index in 0..<min(count, wanted.upperBound) {
      let isWanted = wanted.contains(index)
      let end = unsafe scene_webp_decode(
        &webp, Int32(index), isWanted ? canvas.memory.bytes.baseAddress : nil, canvas.stride)
      guard end >= 0 else {
        guard index > 0 else { throw damaged }
        remark("the WebP animation is truncated: \(index) of \(count) frames found")
        return true
      }
      if isWanted { put(canvas, ImageDecoder.shown(seconds: Double(end - last) / 1000)) }
      last = end
    }
    return true
  }
}
