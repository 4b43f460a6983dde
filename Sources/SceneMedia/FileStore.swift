// SPDX-License-Identifier: MIT
import CLinux
import SceneAV
import SceneSystem

/// The bytes of an open file, to be read.
final class FileStore: ByteStore {
  let file: Int32
  let length: Int
  var isSeekable: Bool { true }

  init(_ file: Int32) {
    self.file = file
    length = FileStatus(file: file)?.size ?? 0
  }

  /// How much is there of a file that names its length after "RIFF"; the rest is cut off.
  var shareOfRIFF: Double? {
    let head = Files.head(of: file, count: 8)
    guard head.starts(with: Array("RIFF".utf8)), head.count == 8 else { return nil }
    let named = head[4...].reversed().reduce(0) { $0 << 8 | Int($1) } + 8
    return named > length ? Double(length) / Double(named) : nil
  }

  /// The name of an unsupported format, recognized by the first bytes of a file.
  var unsupportedFormat: String? {
    let head = Files.head(of: file, count: 16)
    let signs: [(bytes: [UInt8], name: String)] = [
      (Array("FLV".utf8), "FLV"),
      ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], "ASF (WMV, WMA)"),
      (Array(".RMF".utf8), "RealMedia"), ([0x06, 0x0E, 0x2B, 0x34], "MXF"),
    ]
    return signs.first { head.starts(with: $0.bytes) }?.name
  }

  func write(_ bytes: RawSpan, at offset: Int) -> Int32 { EBADF }

  func read(_ bytes: inout MutableRawSpan, at offset: Int) -> Int {
    Files.read(file, &bytes, at: offset)
  }
}
