// SPDX-License-Identifier: MIT

/// A short hash of a file's content.
package enum Digest {
  /// Returns the 64-bit FNV-1a hash (Fowler, Noll and Vo).
  package static func fnv1a(_ bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}
