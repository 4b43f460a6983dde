// SPDX-License-Identifier: MIT
import CImage
import CPixels
import SceneGraphics
import SceneModel

// Animated GIF, WebP and PNG: each frame whole, as it is shown.
extension ImageDecoder {
  struct Frame {
    let pixels: PixelBuffer
    let seconds: Double
  }

  /// All frames together hold at most so many pixels.
  static let largestAnimation = 128_000_000

  /// The frames of an animation; none of a picture that stands. At most `limit` are decoded.
  func animation(limit: Int = .max) throws(AssetFault) -> [Frame] {
    switch format {
    case .gif: return try gifFrames(limit)
    case .webp: return try webpFrames(limit)
    case .png: return try pngFrames(limit)
    case .jpeg, .svg: return []
    }
  }

  /// As browsers do: what is shown for no more than a hundredth of a second is shown for a tenth.
  static func shown(seconds: Double) -> Double { seconds < 0.0105 ? 0.1 : seconds }

  // MARK: GIF

  private final class Reader {
    let bytes: [UInt8]
    var at = 0
    init(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  private static func withGIF<T>(
    _ bytes: [UInt8], _ body: (UnsafeMutablePointer<GifFileType>) throws(AssetFault) -> T
  ) throws(AssetFault) -> T {
    let reader = Reader(bytes)
    var code: Int32 = 0
    // Safe: the reader lives until the file is closed below.
    let pointer = unsafe Unmanaged.passUnretained(reader).toOpaque()
    let file = unsafe DGifOpen(
      pointer,
      { file, target, count in
        guard let data = unsafe file?.pointee.UserData, let target = unsafe target else { return 0 }
        let reader = unsafe Unmanaged<Reader>.fromOpaque(data).takeUnretainedValue()
        let length = min(Int(count), reader.bytes.count - reader.at)
        unsafe reader.bytes.withUnsafeBufferPointer {
          if length > 0, let base = $0.baseAddress {
            unsafe target.update(from: base + reader.at, count: length)
          }
        }
        reader.at += length
        return Int32(length)
      }, &code)
    guard let file = unsafe file else { throw .undecodable(message(code)) }
    defer {
      unsafe DGifCloseFile(file, nil)
      withExtendedLifetime(reader) {}
    }
    return try unsafe body(file)
  }

  private static func message(_ code: Int32) -> String {
    guard let text = unsafe GifErrorString(code) else { return "the GIF is damaged" }
    return "the GIF is damaged: \(unsafe String(cString: text))"
  }

  static func gifSize(_ bytes: [UInt8]) throws(AssetFault) -> PixelSize {
    try unsafe withGIF(bytes) { (file) throws(AssetFault) in
      PixelSize(Int(unsafe file.pointee.SWidth), Int(unsafe file.pointee.SHeight))
    }
  }

  private func gifFrames(_ limit: Int) throws(AssetFault) -> [Frame] {
    try unsafe ImageDecoder.withGIF(bytes) { (file) throws(AssetFault) in
      let isWhole = unsafe DGifSlurp(file) == GIF_OK
      let count = Int(unsafe file.pointee.ImageCount)
      guard isWhole, count > 0 else {
        throw .undecodable(ImageDecoder.message(unsafe file.pointee.Error))
      }
      guard min(count, limit) * stored.width * stored.height <= ImageDecoder.largestAnimation else {
        throw .tooLarge("\(count) frames of \(stored)")
      }
      let canvas = PixelBuffer(stored)
      var frames: [Frame] = []
      for index in 0..<min(count, limit) {
        var control = GraphicsControlBlock(
          DisposalMode: 0, UserInputFlag: false, DelayTime: 10, TransparentColor: -1)
        unsafe DGifSavedExtensionToGCB(file, Int32(index), &control)
        let before = control.DisposalMode == 3 ? canvas.copy() : nil
        let image = unsafe file.pointee.SavedImages[index]
        unsafe paint(image, file.pointee.SColorMap, control.TransparentColor, on: canvas)
        frames.append(
          Frame(
            pixels: canvas.copy(),
            seconds: ImageDecoder.shown(seconds: Double(control.DelayTime) / 100)))
        // What is left for the next frame.
        if let before { canvas.take(before) }
        if control.DisposalMode == 2 { unsafe clear(image.ImageDesc, on: canvas) }
      }
      return frames
    }
  }

  private func paint(
    _ image: SavedImage, _ common: UnsafeMutablePointer<ColorMapObject>?, _ clear: Int32,
    on canvas: PixelBuffer
  ) {
    let place = unsafe image.ImageDesc
    guard let map = unsafe place.ColorMap ?? common, let colors = unsafe map.pointee.Colors,
      let raster = unsafe image.RasterBits
    else { return }
    let count = Int(unsafe map.pointee.ColorCount)
    let (left, top) = unsafe (Int(place.Left), Int(place.Top))
    let (width, height) = unsafe (Int(place.Width), Int(place.Height))
    for y in 0..<height {
      let row = top + y
      guard row >= 0, row < stored.height else { continue }
      for x in 0..<width {
        let column = left + x
        let index = Int(unsafe raster[y * width + x])
        guard column >= 0, column < stored.width, index != Int(clear), index < count else {
          continue
        }
        let color = unsafe colors[index]
        let at = (row * stored.width + column) * 4
        unsafe canvas.bytes[at] = color.Blue
        unsafe canvas.bytes[at + 1] = color.Green
        unsafe canvas.bytes[at + 2] = color.Red
        unsafe canvas.bytes[at + 3] = 255
      }
    }
  }

  private func clear(_ place: GifImageDesc, on canvas: PixelBuffer) {
    let (left, top) = unsafe (Int(place.Left), Int(place.Top))
    let (right, bottom) = unsafe (left + Int(place.Width), top + Int(place.Height))
    for y in max(0, top)..<max(0, top, min(stored.height, bottom)) {
      for x in max(0, left)..<max(0, left, min(stored.width, right)) {
        for k in 0..<4 { unsafe canvas.bytes[(y * stored.width + x) * 4 + k] = 0 }
      }
    }
  }

  // MARK: WebP

  private func webpFrames(_ limit: Int) throws(AssetFault) -> [Frame] {
    let frames = unsafe bytes.withUnsafeBufferPointer { source -> [Frame]? in
      var options = WebPAnimDecoderOptions()
      unsafe WebPAnimDecoderOptionsInit(&options)
      options.color_mode = MODE_bgrA
      var data = unsafe WebPData(bytes: source.baseAddress, size: source.count)
      guard let decoder = unsafe WebPAnimDecoderNew(&data, &options) else { return nil }
      defer { unsafe WebPAnimDecoderDelete(decoder) }
      var info = WebPAnimInfo()
      guard unsafe WebPAnimDecoderGetInfo(decoder, &info) != 0, info.frame_count > 1 else {
        return []
      }
      let size = PixelSize(Int(info.canvas_width), Int(info.canvas_height))
      guard
        min(Int(info.frame_count), limit) * size.width * size.height
          <= ImageDecoder.largestAnimation
      else { return nil }
      var frames: [Frame] = []
      var last: Int32 = 0
      while frames.count < limit, unsafe WebPAnimDecoderHasMoreFrames(decoder) != 0 {
        var pixels: UnsafeMutablePointer<UInt8>?
        var end: Int32 = 0
        guard unsafe WebPAnimDecoderGetNext(decoder, &pixels, &end) != 0,
          let pixels = unsafe pixels
        else { return nil }
        let buffer = PixelBuffer(size)
        unsafe buffer.bytes.baseAddress?.update(from: pixels, count: buffer.byteCount)
        frames.append(
          Frame(pixels: buffer, seconds: ImageDecoder.shown(seconds: Double(end - last) / 1000)))
        last = end
      }
      return frames
    }
    guard let frames else { throw .undecodable("the WebP animation is damaged or too large") }
    return frames
  }
}
