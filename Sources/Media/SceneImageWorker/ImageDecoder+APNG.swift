// SPDX-License-Identifier: MIT
import CImage
import SceneGraphics
import SceneModel
import ScenePixels

// Animated PNG (Portable Network Graphics, Third Edition, section 11.3.6): each frame is converted
// to a separate PNG for libpng to decode.
extension ImageDecoder {
  private struct Chunk {
    let type: String
    let data: ArraySlice<UInt8>
  }

  /// The position of a frame on the canvas and its disposal and blend operations.
  private struct FrameControl {
    enum Disposal: Int { case none, background, previous }
    enum Blend: Int { case source, over }

    let size: PixelSize
    let x: Int
    let y: Int
    let seconds: Double
    let disposal: Disposal
    let blend: Blend

    init?(_ data: ArraySlice<UInt8>, in canvas: PixelSize) {
      guard data.count == 26 else { return nil }
      func number(_ at: Int, _ count: Int) -> Int {
        data.dropFirst(at).prefix(count).reduce(0) { $0 << 8 | Int($1) }
      }
      size = PixelSize(number(4, 4), number(8, 4))
      (x, y) = (number(12, 4), number(16, 4))
      let parts = number(22, 2)
      seconds = Double(number(20, 2)) / Double(parts == 0 ? 100 : parts)
      guard let disposal = Disposal(rawValue: number(24, 1)),
        let blend = Blend(rawValue: number(25, 1)), size.width > 0, size.height > 0,
        x + size.width <= canvas.width, y + size.height <= canvas.height
      else { return nil }
      self.disposal = disposal
      self.blend = blend
    }
  }

  /// Decodes the frames of an animated PNG; returns `false` for a still image.
  func pngFrames(_ wanted: Range<Int>, _ put: Put) throws(AssetError) -> Bool {
    let chunks = ImageDecoder.chunks(bytes)
    guard let first = chunks.first, first.type == "IHDR", first.data.count == 13,
      let pictures = chunks.firstIndex(where: { $0.type == "IDAT" }),
      chunks[..<pictures].contains(where: { $0.type == "acTL" })
    else { return false }
    // Chunks that apply to all frames: palette, transparency and color space.
    let common = chunks[1..<pictures].filter { !["acTL", "fcTL"].contains($0.type) }
    let parts = try self.parts(chunks, wanted.upperBound)
    try ImageDecoder.judge(parts.count, of: stored)
    let canvas = PixelBuffer(stored)
    for (index, (control, data)) in parts.enumerated() {
      let picture = PixelBuffer(control.size)
      let png = ImageDecoder.picture(of: control.size, header: first.data, common, data)
      do throws(AssetError) {
        try ImageDecoder(png, remark).decodePNG(into: picture)
      } catch {
        guard index > 0 else { throw error }
        remark("the PNG animation is truncated after frame \(index)")
        return true
      }
      picture.premultiply()
      let before = control.disposal == .previous ? canvas.copy() : nil
      canvas.put(picture, x: control.x, y: control.y, isOver: control.blend == .over)
      if wanted.contains(index) { put(canvas, ImageDecoder.shown(seconds: control.seconds)) }
      if let before { canvas.take(before) }
      if control.disposal == .background {
        canvas.put(PixelBuffer(control.size), x: control.x, y: control.y, isOver: false)
      }
    }
    return !parts.isEmpty
  }

  /// Returns the first `limit` frames with their compressed data.
  private func parts(_ chunks: [Chunk], _ limit: Int) throws(AssetError) -> [(
    control: FrameControl, data: [UInt8]
  )] {
    var parts: [(control: FrameControl, data: [UInt8])] = []
    for chunk in chunks {
      switch chunk.type {
      case "fcTL":
        guard let control = FrameControl(chunk.data, in: stored) else {
          throw .undecodable("damaged PNG animation: a frame is outside the canvas")
        }
        if parts.count == limit { return parts }
        parts.append((control, []))
      // An image before the first frame is a fallback for viewers without animation support.
      case "IDAT": if !parts.isEmpty { parts[parts.count - 1].data += chunk.data }
      case "fdAT": if !parts.isEmpty { parts[parts.count - 1].data += chunk.data.dropFirst(4) }
      default: break
      }
    }
    return parts
  }

  /// Returns the chunks of a PNG up to the first truncated one.
  private static func chunks(_ bytes: [UInt8]) -> [Chunk] {
    var chunks: [Chunk] = []
    var at = 8
    while bytes.count - at >= 12 {
      let length = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - at - 12 else { break }
      chunks.append(
        Chunk(
          type: String(decoding: bytes[(at + 4)..<(at + 8)], as: UTF8.self),
          data: bytes[(at + 8)..<(at + 8 + length)]))
      at += length + 12
    }
    return chunks
  }

  /// Returns a PNG that contains a single frame.
  private static func picture(
    of size: PixelSize, header: ArraySlice<UInt8>, _ common: [Chunk], _ data: [UInt8]
  ) -> [UInt8] {
    var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    func bigEndian(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    func append(_ type: String, _ data: some Collection<UInt8>) {
      let body = Array(type.utf8) + data
      png += bigEndian(data.count)
      png += body
      png += bigEndian(Int(unsafe crc32(0, body, UInt32(body.count))))
    }
    append("IHDR", bigEndian(size.width) + bigEndian(size.height) + header.dropFirst(8))
    for chunk in common { append(chunk.type, chunk.data) }
    append("IDAT", data)
    append("IEND", [])
    return png
  }
}

extension PixelBuffer {
  /// Draws a buffer that lies within this one, blended or replacing existing pixels.
  fileprivate func put(_ other: PixelBuffer, x: Int, y: Int, isOver: Bool) {
    withRows { canvas in
      other.withRows { picture in
        if isOver { canvas.putOver(picture, x: x, y: y) } else { canvas.put(picture, x: x, y: y) }
      }
    }
  }
}
