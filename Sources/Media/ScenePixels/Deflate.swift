// SPDX-License-Identifier: MIT
import CStills

/// Lossless compression of data in the zlib format.
package enum Deflate {
  /// The kind of data, which determines how it is compressed.
  package enum Content {
    case any
    /// Small differences around 0, which are compressed by their frequencies and by runs of equal
    /// bytes. Longer repetitions are rare in them, and the search for them is slow.
    case differences

    fileprivate var strategy: Int32 {
      switch self {
      case .any: Z_DEFAULT_STRATEGY
      case .differences: Z_RLE
      }
    }
  }

  private static let defaultMemoryLevel: Int32 = 8

  /// Returns the compressed bytes; fast rather than small. `nil` if out of memory.
  package static func compressed(_ bytes: [UInt8], as content: Content = .any) -> [UInt8]? {
    guard bytes.count <= Int(UInt32.max / 2) else { return nil }
    let room = Int(compressBound(UInt(bytes.count)))
    let result = unsafe Array<UInt8>(unsafeUninitializedCapacity: room) { room, used in
      var stream = unsafe z_stream()
      var input = bytes
      guard
        unsafe deflateInit2_(
          &stream, 1, Z_DEFLATED, MAX_WBITS, defaultMemoryLevel, content.strategy, ZLIB_VERSION,
          Int32(MemoryLayout<z_stream>.size)) == Z_OK
      else { return }
      defer { unsafe deflateEnd(&stream) }
      unsafe input.withUnsafeMutableBufferPointer { input in
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = UInt32(input.count)
        unsafe stream.next_out = room.baseAddress
        unsafe stream.avail_out = UInt32(room.count)
        let status = unsafe deflate(&stream, Z_FINISH)
        used = status == Z_STREAM_END ? unsafe Int(stream.total_out) : 0
      }
    }
    return result.isEmpty ? nil : result
  }

  /// Decompresses data to exactly `count` bytes. Returns `nil` for invalid data.
  package static func expanded(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    var size = UInt(count)
    let result = unsafe Array<UInt8>(unsafeUninitializedCapacity: count) { room, used in
      let status = unsafe bytes.withUnsafeBufferPointer {
        unsafe uncompress(room.baseAddress, &size, $0.baseAddress, UInt($0.count))
      }
      used = status == Z_OK ? Int(size) : 0
    }
    return result.count == count ? result : nil
  }
}
