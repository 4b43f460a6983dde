// SPDX-License-Identifier: MIT
package import SceneModel
import SceneSystem

/// A fast 128-bit hash of bytes. It is not resistant to deliberate collisions.
///
/// Four lanes consume 64-bit words in turn. Each step multiplies a lane to 128 bits and folds the
/// product.
package struct ContentHash {
  private var lanes: (UInt64, UInt64, UInt64, UInt64) = (
    0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5
  )
  private var count: UInt64 = 0

  package init() {}

  private static func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    let (high, low) = (lane ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return (high ^ low) &+ word
  }

  /// Adds the bytes of one part. Splitting the same bytes into different parts changes the hash.
  package mutating func add(_ bytes: RawSpan) {
    var lanes = lanes
    var at = 0
    func word(_ offset: Int) -> UInt64 {
      // Safe: the loop below reads only complete 32-byte blocks.
      unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: at + offset, as: UInt64.self)
    }
    while at + 32 <= bytes.byteCount {
      lanes.0 = ContentHash.mixed(lanes.0, word(0))
      lanes.1 = ContentHash.mixed(lanes.1, word(8))
      lanes.2 = ContentHash.mixed(lanes.2, word(16))
      lanes.3 = ContentHash.mixed(lanes.3, word(24))
      at += 32
    }
    var rest: UInt64 = 0
    var kept = 0
    while at < bytes.byteCount {
      rest |= UInt64(bytes.byte(at)) << UInt64(kept * 8)
      at += 1
      kept += 1
      if kept == 8 || at == bytes.byteCount {
        lanes.0 = ContentHash.mixed(lanes.0, rest)
        lanes = (lanes.1, lanes.2, lanes.3, lanes.0)
        (rest, kept) = (0, 0)
      }
    }
    lanes.3 = ContentHash.mixed(lanes.3, UInt64(bytes.byteCount))
    count &+= 1
    self.lanes = lanes
  }

  /// Returns the hash of all bytes as one part.
  package static func digest(of bytes: [UInt8]) -> ClipDigest {
    var hash = ContentHash()
    bytes.lend { hash.add($0) }
    return hash.digest
  }

  package var digest: ClipDigest {
    let low = ContentHash.mixed(ContentHash.mixed(lanes.0, lanes.1), count)
    let high = ContentHash.mixed(ContentHash.mixed(lanes.2, lanes.3), low)
    return ClipDigest(high: high, low: ContentHash.mixed(low, high))
  }
}
