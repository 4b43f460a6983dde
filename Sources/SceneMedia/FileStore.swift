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

  func write(_ bytes: RawSpan, at offset: Int) -> Int32 { EBADF }

  func read(_ bytes: inout MutableRawSpan, at offset: Int) -> Int {
    Files.read(file, &bytes, at: offset)
  }
}
