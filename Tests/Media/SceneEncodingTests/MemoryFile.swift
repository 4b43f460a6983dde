// SPDX-License-Identifier: MIT
import SceneAV
import SceneEncoding
import SceneGraphics
import SceneLanguage

/// A file in memory that a muxer writes.
final class MemoryFile: ByteStore {
  private(set) var bytes: [UInt8] = []
  var isSeekable: Bool { true }

  func write(_ span: RawSpan, at offset: Int) -> Int32 {
    let end = offset + span.byteCount
    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    for index in 0..<span.byteCount {
      bytes[offset + index] = unsafe span.unsafeLoad(fromByteOffset: index, as: UInt8.self)
    }
    return 0
  }

  func read(_ span: inout MutableRawSpan, at offset: Int) -> Int {
    let count = max(0, min(span.byteCount, bytes.count - offset))
    for index in 0..<count {
      span.storeBytes(of: bytes[offset + index], toByteOffset: index, as: UInt8.self)
    }
    return count
  }

  /// Returns the rows of a table whose entries are two numbers, for example 'stts'.
  func pairs(_ name: String) -> [(Int, Int)] {
    guard let box = place(name) else { return [] }
    return (0..<number(box + 8)).map {
      (number(box + 12 + $0 * 8), number(box + 16 + $0 * 8))
    }
  }

  /// Returns the offset of a box name in the file; `nil` if it does not occur.
  func place(_ name: String) -> Int? {
    let wanted = Array(name.utf8)
    return bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == wanted }
  }

  private func number(_ offset: Int) -> Int {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns whether the bytes at an offset equal a text.
  func has(_ text: String, at offset: Int) -> Bool {
    bytes.dropFirst(offset).prefix(text.utf8.count).elementsEqual(text.utf8)
  }

  /// Returns a number in little-endian order.
  func little(_ offset: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }
}

/// Test frames with a moving texture, in the form that an encoder takes.
struct Pictures {
  let settings: VideoSettings
  private let picture: VideoFrame
  private let palette: Palette?

  /// A fixed palette, because the colors of a GIF do not matter here.
  private static let colors: Palette = {
    var histogram = ColorHistogram()
    for red in stride(from: UInt8(0), to: 240, by: 32) {
      for green in stride(from: UInt8(0), to: 240, by: 32) { histogram.add([red, green, 90, 255]) }
    }
    return Palette(histogram)
  }()

  init(_ settings: VideoSettings) throws {
    self.settings = settings
    palette = settings.pixelFormat == .pal8 ? Pictures.colors : nil
    picture = try VideoFrame(settings.size, settings.pixelFormat)
  }

  /// Returns the image of a frame, which is valid until the next call.
  func frame(_ number: Int) throws -> VideoFrame {
    let (width, height) = (settings.size.width, settings.size.height)
    if picture.isWrittenDirectly {
      try picture.withPlanes { (y, u, v, _) in
        for index in y.indices { y[index] = UInt8((index * index / 7 + number * 3) % 200 + 16) }
        for index in u.indices { (u[index], v[index]) = (128, UInt8(index % 200 + 20)) }
      }
      return picture
    }
    let rgba = (0..<width * height).flatMap { place in
      let (x, y) = (place % width, place / width)
      return [UInt8((x * 4 + number * 5) % 256), UInt8(y * 5 % 256), 90, 255]
    }
    if let palette { try picture.take(rgba, palette) } else { try picture.take(rgba) }
    return picture
  }

  /// Returns the packets of a segment.
  func packets(_ count: Int, _ stretch: VideoEncoder.Stretch) throws -> [VideoPacket] {
    let encoder = try VideoEncoder(settings, stretch)
    var packets: [VideoPacket] = []
    for number in 0..<count {
      packets += try encoder.encode(frame(number), index: number, isRepeated: false)
    }
    return try packets + encoder.finish(endsVideo: true)
  }

  /// Returns a complete file.
  func file(_ count: Int) throws -> MemoryFile {
    let file = MemoryFile()
    let isWhole = !settings.isSegmented
    let writer = try VideoWriter(settings, isWhole: isWhole, to: file)
    for packet in try packets(count, isWhole ? .whole : .moving) {
      try writer.write(packet, from: 0)
    }
    writer.setLength(count)
    try writer.finish()
    return file
  }
}
