// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneSystem

/// Memory shared by two processes: one writes frames, the other reads them.
///
/// The reader trusts only sizes and offsets that it computed itself. Pages are allocated when they
/// are written.
// Safe: the mapping stays in place for the lifetime of this object, and any value is a valid
// sample.
@safe package final class SharedMemory: @unchecked Sendable {
  package let file: Int32
  package let byteCount: Int
  private let start: UnsafeMutableRawPointer

  /// Allocates memory of a fixed length; returns `nil` on failure.
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

  /// Takes over the descriptor of memory that another process allocated.
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

  /// Provides a range of bytes for reading.
  package func withBytes<T>(_ range: Range<Int>, _ body: (RawSpan) -> T) -> T {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
    return body(
      unsafe UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count).bytes)
  }

  /// Stores samples, as four bytes each, from an index on. Only one process may write.
  package func store(_ samples: [Float], at index: Int) {
    withWritableBytes(index * 4..<(index + samples.count) * 4) { bytes in
      unsafe samples.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
    }
  }

  /// Provides a range of bytes for writing. Only one process may write.
  @safe package func withWritableBytes<T>(
    _ range: Range<Int>, _ body: (UnsafeMutableRawBufferPointer) -> T
  ) -> T {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
    return unsafe body(
      UnsafeMutableRawBufferPointer(start: start + range.lowerBound, count: range.count))
  }

  /// Returns the pages of a range to the system.
  package func empty(_ range: Range<Int>) { scene_empty(file, range.lowerBound, range.count) }
}
