// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel
import ScenePixels

// GIF, decoded frame by frame, so that limits apply before decoding and a truncated file still
// shows its intact frames.
extension ImageDecoder {
  static func gifSize(_ bytes: [UInt8]) throws(AssetError) -> PixelSize {
    try GIFReader(bytes).size
  }

  func gifFrames(_ wanted: Range<Int>, _ put: Put) throws(AssetError) {
    let file = try GIFReader(bytes)
    let canvas = PixelBuffer(stored)
    var control = GIFReader.Control()
    var budget = AnimationBudget()
    var index = 0
    var isWhole = true
    while isWhole, index < wanted.upperBound {
      let record = file.nextRecord()
      isWhole = record != nil
      guard let record, record != .end else { break }
      if record == .extension { isWhole = file.readExtension(into: &control) }
      guard record == .picture else { continue }
      guard let picture = file.nextPicture() else {
        isWhole = false
        break
      }
      try budget.spend(picture.width * picture.height)
      try budget.spend(stored.width * stored.height)
      let before = control.disposal == 3 ? canvas.copy() : nil
      isWhole = paint(picture, of: file, clear: control.clear, on: canvas)
      if wanted.contains(index) { put(canvas, ImageDecoder.shown(seconds: control.seconds)) }
      index += 1
      // Disposes of the frame, which yields the canvas for the next one.
      if let before { canvas.take(before) }
      if control.disposal == 2 { clear(picture, on: canvas) }
      control = GIFReader.Control()
    }
    guard index > 0 else {
      throw .undecodable(isWhole ? "the GIF contains no frame" : file.message)
    }
    if !isWhole { remark("part of the GIF is missing or damaged: \(file.message)") }
  }

  /// Decodes an image onto the canvas line by line; returns `false` if the data ends early.
  private func paint(
    _ picture: GIFReader.Picture, of file: GIFReader, clear: Int, on canvas: PixelBuffer
  ) -> Bool {
    guard picture.width > 0, picture.height > 0 else { return file.skipPicture() }
    let first = max(0, -picture.left)
    let columns = first..<max(first, min(picture.width, stored.width - picture.left))
    var line = [UInt8](repeating: 0, count: picture.width)
    let passes = picture.isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
    for (start, step) in passes {
      for y in stride(from: start, to: picture.height, by: step) {
        guard file.readLine(into: &line) else { return false }
        let row = picture.top + y
        guard row >= 0, row < stored.height else { continue }
        canvas.withBytes { bytes in
          for x in columns {
            let index = Int(line[x])
            guard index != clear, index < picture.colors.count else { continue }
            let at = (row * stored.width + picture.left + x) * 4
            let color = picture.colors[index]
            (bytes[at], bytes[at + 1], bytes[at + 2]) = (color.blue, color.green, color.red)
            bytes[at + 3] = 255
          }
        }
      }
    }
    return true
  }

  private func clear(_ place: GIFReader.Picture, on canvas: PixelBuffer) {
    let rows = max(0, place.top)..<max(0, place.top, min(stored.height, place.top + place.height))
    let columns =
      max(0, place.left)..<max(0, place.left, min(stored.width, place.left + place.width))
    canvas.withBytes { bytes in
      for y in rows {
        for x in columns {
          for k in 0..<4 { bytes[(y * stored.width + x) * 4 + k] = 0 }
        }
      }
    }
  }
}
