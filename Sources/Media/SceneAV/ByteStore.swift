// SPDX-License-Identifier: MIT
package import CAV

/// The destination of output bytes: a file or a pipe owned by the caller.
///
/// Used by one thread.
package protocol ByteStore: AnyObject {
  /// Whether writes can go back to earlier offsets, as in a file but not in a pipe.
  var isSeekable: Bool { get }

  /// The number of bytes present before the first write.
  var length: Int { get }

  /// Writes all bytes at `offset` from the start; returns 0 or an errno.
  func write(_ bytes: RawSpan, at offset: Int) -> Int32

  /// Reads written bytes at `offset`; returns the number of bytes, 0 at the end, or a negative
  /// errno.
  func read(_ bytes: inout MutableRawSpan, at offset: Int) -> Int
}

extension ByteStore {
  package var length: Int { 0 }
}

/// An `AVIOContext` for libav that accesses a `ByteStore`.
///
/// Seeking only stores an offset, and every write specifies its own offset. Unlike with libav's own
/// files, a seek therefore cannot fail unnoticed.
@safe package final class StoreContext: Allocated<AVIOContext> {
  private let store: any ByteStore
  /// The offset of the next read or write.
  private var position = 0
  private var length: Int
  /// The errno of the first failed write, or 0.
  package private(set) var failure: Int32 = 0

  private static let bufferSize = 1 << 16

  /// `isWriting` distinguishes a context for writing from one that reads back written bytes.
  package init(_ store: any ByteStore, isWriting: Bool) throws(VideoError) {
    self.store = store
    length = store.length
    let size = StoreContext.bufferSize
    let made = unsafe avio_alloc_context(
      av_malloc(size)?.assumingMemoryBound(to: UInt8.self), Int32(size), isWriting ? 1 : 0, nil,
      { context, bytes, count in unsafe StoreContext.of(context).read(bytes, count) },
      { context, bytes, count in unsafe StoreContext.of(context).write(bytes, count) },
      isWriting && !store.isSeekable
        ? nil : { context, offset, from in unsafe StoreContext.of(context).seek(offset, from) })
    try unsafe super.init(made, name: "a buffer") { unsafe scene_free_store(&$0) }
    // Safe: the context is freed with this object and cannot outlive it.
    unsafe pointer.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> StoreContext {
    // Safe: `init` sets the pointer before libav uses the context.
    unsafe Unmanaged<StoreContext>.fromOpaque(context!).takeUnretainedValue()
  }

  private func write(_ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
    guard failure == 0 else { return scene_averror(failure) }
    let span = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count)).bytes
    failure = store.write(span, at: position)
    guard failure == 0 else { return scene_averror(failure) }
    position += Int(count)
    length = max(length, position)
    return count
  }

  private func read(_ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
    var span = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)).mutableBytes
    let got = store.read(&span, at: position)
    guard got > 0 else { return got == 0 ? scene_averror_eof() : scene_averror(Int32(-got)) }
    position += got
    return Int32(got)
  }

  private func seek(_ offset: Int64, _ from: Int32) -> Int64 {
    switch from & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return Int64(length)
    case SEEK_SET: position = Int(offset)
    case SEEK_CUR: position += Int(offset)
    case SEEK_END: position = length + Int(offset)
    default: return Int64(scene_averror(EINVAL))
    }
    return Int64(position)
  }
}
