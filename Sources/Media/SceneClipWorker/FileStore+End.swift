// SPDX-License-Identifier: MIT
import SceneSystem

// Files that end before the length in their headers, as after an interrupted download.
extension FileStore {
  /// Whether an MP4, Matroska, AVI or Ogg file ends inside a box, its segment, a chunk or a page.
  /// Always `false` for other formats.
  var isCutOff: Bool {
    let head = Files.head(of: file, count: 64)
    if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return endsInSegment(head) }
    if head.starts(with: "OggS".utf8) { return endsInPage }
    if head.dropFirst(8).starts(with: "AVI ".utf8) { return shareOfRIFF != nil && !isStreamedRIFF }
    return FileStore.boxes.contains(head.dropFirst(4).prefix(4)) && endsInBox
  }

  // MARK: Matroska

  /// Reads the sizes of the header and of the segment (RFC 8794, section 4).
  private func endsInSegment(_ head: [UInt8]) -> Bool {
    guard let (header, first) = FileStore.size(in: head, at: 4), header < head.count else {
      return false
    }
    let start = first + header
    let segment = Files.head(of: file, from: start, count: 12)
    guard segment.starts(with: [0x18, 0x53, 0x80, 0x67]),
      let (size, length) = FileStore.size(in: segment, at: 4)
    else { return false }
    return size > self.length - start - length
  }

  /// Returns an element size and the offset after it; `nil` if the size is incomplete or unknown.
  private static func size(in bytes: [UInt8], at offset: Int) -> (size: Int, end: Int)? {
    guard offset < bytes.count else { return nil }
    let count = bytes[offset].leadingZeroBitCount + 1
    guard count <= 8, offset + count <= bytes.count else { return nil }
    let mask = (1 << (7 * count)) - 1
    let size = bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) } & mask
    return size == mask ? nil : (size, offset + count)
  }

  // MARK: Ogg

  /// The maximum length of a page (RFC 3533, section 6).
  private static let longestPage = 65_307

  private var endsInPage: Bool {
    let start = max(0, length - FileStore.longestPage)
    let tail = Files.head(of: file, from: start, count: length - start)
    let sign = Array("OggS".utf8) + [0]
    guard
      let page = tail.indices.dropLast(sign.count - 1).last(where: {
        tail[$0] == sign[0] && tail[$0...].starts(with: sign)
      })
    else { return false }
    guard page + 27 <= tail.count else { return true }
    let table = tail[(page + 27)...].prefix(Int(tail[page + 26]))
    let end = page + 27 + Int(tail[page + 26]) + table.reduce(0) { $0 + Int($1) }
    return end > tail.count
  }

  // MARK: MP4

  /// The types of top-level boxes (ISO 14496-12, QuickTime). Others may be garbage after the end.
  private static let boxes = Set(
    [
      "ftyp", "styp", "moov", "mdat", "moof", "free", "skip", "wide", "uuid", "sidx", "mfra",
      "meta", "udta", "emsg", "prft", "ssix", "pdin", "imda", "pnot", "junk",
    ].map { ArraySlice($0.utf8) })
  private static let mostBoxes = 100_000

  private var endsInBox: Bool {
    var position = 0
    for _ in 0..<FileStore.mostBoxes where position + 8 <= length {
      let head = Files.head(of: file, from: position, count: 16)
      func number(_ range: Range<Int>) -> Int { head[range].reduce(0) { $0 << 8 | Int($1) } }
      guard head.count >= 8, FileStore.boxes.contains(head[4..<8]) else { return false }
      var size = number(0..<4)
      if size == 1 {
        guard head.count == 16, head[8] < 128 else { return false }
        size = number(8..<16)
      }
      guard size >= 8 else { return false }
      if size > length - position { return true }
      position += size
    }
    return false
  }
}
