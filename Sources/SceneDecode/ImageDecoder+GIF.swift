// SPDX-License-Identifier: MIT
import CImage
import SceneGraphics
import SceneModel
import ScenePixels

// GIF, picture by picture: what is too large is known before it is decoded, and a file that ends
// early shows what it has.
extension ImageDecoder {
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
    guard let text = unsafe GifErrorString(code) else { return "the GIF ends early" }
    return "the GIF is damaged: \(unsafe String(cString: text))"
  }

  static func gifSize(_ bytes: [UInt8]) throws(AssetFault) -> PixelSize {
    try unsafe withGIF(bytes) { (file) throws(AssetFault) in
      PixelSize(Int(unsafe file.pointee.SWidth), Int(unsafe file.pointee.SHeight))
    }
  }

  func gifFrames(_ wanted: Range<Int>, _ put: Put) throws(AssetFault) {
    try unsafe ImageDecoder.withGIF(bytes) { (file) throws(AssetFault) in
      let canvas = PixelBuffer(stored)
      var control = GraphicsControlBlock(
        DisposalMode: 0, UserInputFlag: false, DelayTime: 10, TransparentColor: -1)
      var budget = AnimationBudget()
      var index = 0
      var isWhole = true
      while isWhole, index < wanted.upperBound {
        var kind = UNDEFINED_RECORD_TYPE
        isWhole = unsafe DGifGetRecordType(file, &kind) == GIF_OK
        guard isWhole, kind != TERMINATE_RECORD_TYPE else { break }
        if kind == EXTENSION_RECORD_TYPE { isWhole = unsafe readExtension(file, &control) }
        guard kind == IMAGE_DESC_RECORD_TYPE else { continue }
        isWhole = unsafe DGifGetImageDesc(file) == GIF_OK
        guard isWhole else { break }
        let place = unsafe file.pointee.Image
        try unsafe budget.spend(Int(place.Width) * Int(place.Height))
        try budget.spend(stored.width * stored.height)
        let before = control.DisposalMode == 3 ? canvas.copy() : nil
        isWhole = unsafe paint(file, control.TransparentColor, on: canvas)
        if wanted.contains(index) {
          put(canvas, ImageDecoder.shown(seconds: Double(control.DelayTime) / 100))
        }
        index += 1
        // What is left for the next picture.
        if let before { canvas.take(before) }
        if control.DisposalMode == 2 { unsafe clear(place, on: canvas) }
        control = GraphicsControlBlock(
          DisposalMode: 0, UserInputFlag: false, DelayTime: 10, TransparentColor: -1)
      }
      let message = ImageDecoder.message(unsafe file.pointee.Error)
      guard index > 0 else {
        throw .undecodable(isWhole ? "the GIF holds no picture" : message)
      }
      if !isWhole { remark("part of the GIF is missing or damaged: \(message)") }
    }
  }

  /// Reads an extension; the one before a picture says how it is shown.
  private func readExtension(
    _ file: UnsafeMutablePointer<GifFileType>, _ control: inout GraphicsControlBlock
  ) -> Bool {
    var code: Int32 = 0
    var block: UnsafeMutablePointer<GifByteType>?
    guard unsafe DGifGetExtension(file, &code, &block) == GIF_OK else { return false }
    while let data = unsafe block {
      if code == Int32(GRAPHICS_EXT_FUNC_CODE) {
        unsafe DGifExtensionToGCB(Int(data[0]), data + 1, &control)
      }
      guard unsafe DGifGetExtensionNext(file, &block) == GIF_OK else { return false }
    }
    return true
  }

  /// Decodes a picture onto the canvas, line by line; `false` when it ends early.
  private func paint(
    _ file: UnsafeMutablePointer<GifFileType>, _ clear: Int32, on canvas: PixelBuffer
  ) -> Bool {
    let place = unsafe file.pointee.Image
    let (width, height) = unsafe (Int(place.Width), Int(place.Height))
    guard width > 0, height > 0 else { return unsafe skip(file) }
    var colors: [GifColorType] = []
    if let map = unsafe place.ColorMap ?? file.pointee.SColorMap,
      let list = unsafe map.pointee.Colors
    {
      colors = unsafe Array(UnsafeBufferPointer(start: list, count: Int(map.pointee.ColorCount)))
    }
    var line = [GifPixelType](repeating: 0, count: width)
    let passes = unsafe place.Interlace ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
    for (start, step) in passes {
      for y in stride(from: start, to: height, by: step) {
        guard unsafe DGifGetLine(file, &line, Int32(width)) == GIF_OK else { return false }
        let row = unsafe Int(place.Top) + y
        guard row >= 0, row < stored.height else { continue }
        let left = unsafe Int(place.Left)
        for x in max(0, -left)..<max(0, -left, min(width, stored.width - left)) {
          let index = Int(line[x])
          guard index != Int(clear), index < colors.count else { continue }
          let at = (row * stored.width + left + x) * 4
          unsafe canvas.bytes[at] = colors[index].Blue
          unsafe canvas.bytes[at + 1] = colors[index].Green
          unsafe canvas.bytes[at + 2] = colors[index].Red
          unsafe canvas.bytes[at + 3] = 255
        }
      }
    }
    return true
  }

  /// Reads over the data of a picture.
  private func skip(_ file: UnsafeMutablePointer<GifFileType>) -> Bool {
    var size: Int32 = 0
    var block: UnsafeMutablePointer<GifByteType>?
    guard unsafe DGifGetCode(file, &size, &block) == GIF_OK else { return false }
    while unsafe block != nil {
      guard unsafe DGifGetCodeNext(file, &block) == GIF_OK else { return false }
    }
    return true
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
}
