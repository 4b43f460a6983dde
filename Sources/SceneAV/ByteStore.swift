// SPDX-License-Identifier: MIT
package import CAV

/// Where the bytes of a video go: a file or a pipe that someone else owns.
///
/// Used by one thread.
package protocol ByteStore: AnyObject {
  /// Whether a write may go back to an earlier place, as in a file but not in a pipe.
  var isSeekable: Bool { get }

  /// How many bytes were there before the first was written.
  var length: Int { get }

  /// Writes all bytes at `offset` from the start; 0, or the errno of what failed.
  func write(_ bytes: RawSpan, at offset: Int) -> Int32

  /// Reads what was written at `offset`; the number of bytes, 0 at the end, or a negative errno.
  func read(_ bytes: inout MutableRawSpan, at offset: Int) -> Int
}

extension ByteStore {
  package var length: Int { 0 }
}

/// Lends a `ByteStore` to libav as an `AVIOContext`.
///
/// A seek only remembers a place and every write names its own, so no seek can fail unseen, as
/// those of libav's own files do.
@safe package final class StoreContext: Allocated<AVIOContext> {
  private let store: any ByteStore
  /// Where the next byte goes or comes from.
  private var position = 0
  private var length: Int
  /// The errno of the first write that failed, or 0.
  package private(set) var failure: Int32 = 0

  private static let bufferSize = 1 << 16

  /// `isWriting` tells a context that writes from one that reads back what was written.
  package init(_ store: any ByteStore, isWriting: Bool) throws(VideoFault) {
    self.store = store
    length = store.length
    let size = StoreContext.bufferSize
    let made = unsafe avio_alloc_context(
      av_malloc(size)?.assumingMemoryBound(to: UInt8.self), Int32(size), isWriting ? 1 : 0, nil,
      { context, bytes, count in unsafe StoreContext.of(context).read(bytes, count) },
      { context, bytes, count in unsafe StoreContext.of(context).write(bytes, count) },
      isWriting && !store.isSeekable
        ? nil : { context, offset, from in unsafe StoreContext.of(context).seek(offset, from) })
    try unsafe super.init(made, "a buffer") { context in
      // Safe: libav hands back what was made.
      unsafe av_freep(&context!.pointee.buffer)
      unsafe avio_context_free(&context)
    }
    // Safe: the context is freed with this object, so it never outlives what it points to.
    unsafe pointer.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> StoreContext {
    // Safe: set by `init` before libav sees the context.
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
