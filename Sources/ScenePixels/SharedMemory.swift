// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneSystem

/// Memory that two processes share: one writes pictures into it, the other reads them.
///
/// Only what numbers say that the reader made itself is trusted. Pages are taken when they are
/// written.
// Safe: the memory stays where it is until this object ends; what it holds are samples, of which any
// value is one.
@safe package final class SharedMemory: @unchecked Sendable {
  package let file: Int32
  package let byteCount: Int
  private let start: UnsafeMutableRawPointer

  /// New memory, whose length nobody can change; `nil` when the system has none left.
  package convenience init?(byteCount: Int) {
    let file = Decoder.emptyMemoryFile()
    guard file >= 0 else { return nil }
    guard ftruncate(file, off_t(byteCount)) == 0 else {
      close(file)
      return nil
    }
    scene_seal_length(file)
    self.init(file: file, isWritten: false)
  }

  /// Takes over the descriptor of memory that another process made.
  package init?(file: Int32, isWritten: Bool) {
    let count = FileStatus(file: file)?.size ?? 0
    let start = unsafe mmap(
      nil, max(1, count), isWritten ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0)
    guard count > 0, let start = unsafe start, Int(bitPattern: start) != -1 else {
      close(file)
      return nil
    }
    self.file = file
    byteCount = count
    unsafe self.start = start
  }

  deinit {
    unsafe munmap(start, byteCount)
    close(file)
  }

  /// Lends some bytes to be read.
  package func withBytes<T>(_ range: Range<Int>, _ body: (RawSpan) -> T) -> T {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
    return body(
      unsafe UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count).bytes)
  }

  /// Lends some bytes to be written, by the one process that does.
  package func withWritableBytes<T>(
    _ range: Range<Int>, _ body: (UnsafeMutableRawBufferPointer) -> T
  ) -> T {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
    return unsafe body(
      UnsafeMutableRawBufferPointer(start: start + range.lowerBound, count: range.count))
  }

  /// Gives the pages of a part back.
  package func empty(_ range: Range<Int>) { scene_empty(file, range.lowerBound, range.count) }
}
