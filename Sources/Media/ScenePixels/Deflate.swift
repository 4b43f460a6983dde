// SPDX-License-Identifier: MIT
import CStills

/// Lossless compression of data in the zlib format.
package enum Deflate {
  /// Returns the compressed bytes; fast rather than small. `nil` if out of memory.
  package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    var count = compressBound(UInt(bytes.count))
    let result = unsafe Array<UInt8>(unsafeUninitializedCapacity: Int(count)) { room, used in
      let status = unsafe compress2(room.baseAddress, &count, bytes, UInt(bytes.count), 1)
      used = status == Z_OK ? Int(count) : 0
    }
    return result.isEmpty ? nil : result
  }

  /// Returns the `count` bytes that were compressed; `nil` for other data.
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
