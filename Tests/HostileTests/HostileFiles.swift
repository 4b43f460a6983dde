// SPDX-License-Identifier: MIT
import Foundation

/// Files designed to crash a decoder, to keep it busy or to exhaust its memory. All of them are
/// generated here.
enum HostileFiles {
  struct File: Sendable, CustomStringConvertible {
    let name: String
    let bytes: [UInt8]
    var description: String { name }
  }

  static func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  static func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
    bigEndian(value, count).reversed()
  }

  /// A writer of bits, with the lowest bit of each byte first, as in deflate and GIF.
  struct Bits {
    private(set) var bytes: [UInt8] = []
    private var rest = 0
    private var count = 0

    mutating func put(_ value: Int, _ width: Int) {
      rest |= value << count
      count += width
      while count >= 8 {
        bytes.append(UInt8(rest & 255))
        rest >>= 8
        count -= 8
      }
    }

    mutating func end() { if count > 0 { put(0, 8 - count) } }
  }

  // MARK: PNG

  private static let table: [UInt32] = (0..<256).map { start in
    (0..<8).reduce(UInt32(start)) { c, _ in c & 1 == 1 ? 0xEDB8_8320 ^ (c >> 1) : c >> 1 }
  }

  static func chunk(_ type: String, _ data: [UInt8], length: Int? = nil) -> [UInt8] {
    let body = Array(type.utf8) + data
    let sum = body.reduce(UInt32.max) { table[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8) }
    return bigEndian(length ?? data.count, 4) + body + bigEndian(Int(~sum), 4)
  }

  /// Returns a zlib stream of `count` zeros, as copies of 258 bytes.
  static func zeros(_ count: Int) -> [UInt8] {
    var bits = Bits()
    bits.put(1, 1)
    bits.put(1, 2)
    // Literal 0 has the code 0x30, and lengths and distances follow. The highest bit of a code
    // comes first.
    bits.put(0b0000_1100, 8)
    var left = count - 1
    while left >= 258 {
      bits.put(0b1010_0011, 8)
      bits.put(0, 5)
      left -= 258
    }
    for _ in 0..<left { bits.put(0b0000_1100, 8) }
    bits.put(0, 7)
    bits.end()
    return [0x78, 0xDA] + bits.bytes + bigEndian(count % 65521, 2) + [0, 1]
  }

  static func header(
    _ width: Int, _ height: Int, depth: Int = 8, color: Int = 6, interlace: Int = 0
  )
    -> [UInt8]
  {
    chunk(
      "IHDR",
      bigEndian(width, 4) + bigEndian(height, 4)
        + [UInt8(depth), UInt8(color), 0, 0, UInt8(interlace)])
  }

  static let pngMark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func png(
    _ width: Int, _ height: Int, depth: Int = 8, color: Int = 6, interlace: Int = 0,
    extra: [UInt8] = [], data: [UInt8]? = nil
  ) -> [UInt8] {
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][color] ?? 1
    let row = 1 + (width * channels * depth + 7) / 8
    return pngMark + header(width, height, depth: depth, color: color, interlace: interlace) + extra
      + chunk("IDAT", data ?? zeros(min(row * height, 1 << 28))) + chunk("IEND", [])
  }

  static func apng(_ width: Int, _ height: Int, count: Int, part: (Int, Int)) -> [UInt8] {
    let data = zeros((1 + part.0 * 4) * part.1)
    var parts: [UInt8] = []
    var sequence = 0
    for index in 0..<count {
      parts += chunk(
        "fcTL",
        bigEndian(sequence, 4) + bigEndian(part.0, 4) + bigEndian(part.1, 4) + bigEndian(0, 8)
          + bigEndian(1, 2) + bigEndian(100, 2) + [0, 0])
      sequence += 1
      if index == 0 {
        parts += chunk("IDAT", data)
      } else {
        parts += chunk("fdAT", bigEndian(sequence, 4) + data)
        sequence += 1
      }
    }
    return pngMark + header(width, height) + chunk("acTL", bigEndian(count, 4) + bigEndian(0, 4))
      + parts + chunk("IEND", [])
  }

  // MARK: GIF

  /// Returns a GIF frame of one color, as runs that grow by one pixel until the table is full.
  static func gifPicture(_ width: Int, _ height: Int, x: Int = 0, y: Int = 0) -> [UInt8] {
    var bits = Bits()
    var (next, size, run) = (6, 3, 1)
    bits.put(4, 3)
    var left = width * height
    var isFirst = true
    while left > 0 {
      let longest = min(run, left)
      bits.put(longest == 1 ? 0 : longest + 4, size)
      left -= longest
      if !isFirst, next < 4096 {
        next += 1
        if next == 1 << size, size < 12 { size += 1 }
      }
      isFirst = false
      if run < 4091 { run += 1 }
    }
    bits.put(5, size)
    bits.end()
    var blocks: [UInt8] = []
    for start in stride(from: 0, to: bits.bytes.count, by: 255) {
      let part = bits.bytes[start..<min(start + 255, bits.bytes.count)]
      blocks += [UInt8(part.count)] + part
    }
    return [0x2C] + littleEndian(x, 2) + littleEndian(y, 2) + littleEndian(width, 2)
      + littleEndian(height, 2) + [0, 2] + blocks + [0]
  }

  static func gif(_ width: Int, _ height: Int, _ pictures: [[UInt8]], end: [UInt8] = [0x3B])
    -> [UInt8]
  {
    let delay: [UInt8] = [0x21, 0xF9, 4, 0, 2, 0, 0, 0]
    return Array("GIF89a".utf8) + littleEndian(width, 2) + littleEndian(height, 2)
      + [0x81, 0, 0, 200, 0, 0, 0, 200, 0, 0, 0, 200, 9, 9, 9]
      + pictures.flatMap { delay + $0 } + end
  }

  // MARK: JPEG

  private static func marker(_ code: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0xFF, code] + bigEndian(data.count + 2, 2) + data
  }

  /// Returns a progressive gray JPEG, all zero, with `scans` scans of all coefficients except the
  /// mean.
  static func progressive(_ width: Int, _ height: Int, scans: Int) -> [UInt8] {
    let blocks = ((width + 7) / 8) * ((height + 7) / 8)
    let symbol = [UInt8](repeating: 0, count: 15)
    var scan = marker(0xDA, [1, 1, 0x00, 1, 63, 0])
    // "No more in 32767 blocks": one bit for the symbol, and 14 bits for the number above 16384.
    let runs = (blocks + 32766) / 32767
    var text = ""
    for _ in 0..<runs { text += "0" + String(repeating: "1", count: 14) }
    while text.count % 8 != 0 { text += "1" }
    for start in stride(from: 0, to: text.count, by: 8) {
      let byte = UInt8(text.dropFirst(start).prefix(8), radix: 2) ?? 0
      scan += byte == 255 ? [255, 0] : [byte]
    }
    var file: [UInt8] = [0xFF, 0xD8]
    file += marker(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    file += marker(0xC2, [8] + bigEndian(height, 2) + bigEndian(width, 2) + [1, 1, 0x11, 0])
    file += marker(0xC4, [0x00, 1] + symbol + [0x00]) + marker(0xC4, [0x10, 1] + symbol + [0xE0])
    file += marker(0xDA, [1, 1, 0x00, 0, 0, 0]) + [UInt8](repeating: 0, count: blocks / 8 + 1)
    for _ in 0..<scans { file += scan }
    return file + [0xFF, 0xD9]
  }
}
