// SPDX-License-Identifier: MIT
import CLinux
import SceneAV
import SceneSystem

/// The bytes of an open file, to be read.
final class FileStore: ByteStore {
  private let file: Int32
  let length: Int
  var isSeekable: Bool { true }

  init(_ file: Int32) {
    self.file = file
    length = FileStatus(file: file)?.size ?? 0
  }

  func write(_ bytes: RawSpan, at offset: Int) -> Int32 { EBADF }

  func read(_ bytes: inout MutableRawSpan, at offset: Int) -> Int {
    Files.read(file, &bytes, at: offset)
  }
}
