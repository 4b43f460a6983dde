// SPDX-License-Identifier: MIT
package import SceneModel
import SceneSystem

/// A fast 128-bit hash of bytes. It is not resistant to deliberate collisions.
///
/// Four lanes consume 64-bit words in turn. Each step multiplies a lane to 128 bits and folds the
/// product.
package struct ContentHash {
  /// The state of the four lanes.
  private struct Lanes {
    var a: UInt64 = 0x9E37_79B9_7F4A_7C15
    var b: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    var c: UInt64 = 0x1656_67B1_9E37_79F9
    var d: UInt64 = 0x27D4_EB2F_1656_67C5
  }

  private var lanes = Lanes()
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
      lanes.a = ContentHash.mixed(lanes.a, word(0))
      lanes.b = ContentHash.mixed(lanes.b, word(8))
      lanes.c = ContentHash.mixed(lanes.c, word(16))
      lanes.d = ContentHash.mixed(lanes.d, word(24))
      at += 32
    }
    var rest: UInt64 = 0
    var kept = 0
    while at < bytes.byteCount {
      rest |= UInt64(bytes.byte(at)) << UInt64(kept * 8)
      at += 1
      kept += 1
      if kept == 8 || at == bytes.byteCount {
        lanes.a = ContentHash.mixed(lanes.a, rest)
        lanes = Lanes(a: lanes.b, b: lanes.c, c: lanes.d, d: lanes.a)
        (rest, kept) = (0, 0)
      }
    }
    lanes.d = ContentHash.mixed(lanes.d, UInt64(bytes.byteCount))
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
    let low = ContentHash.mixed(ContentHash.mixed(lanes.a, lanes.b), count)
    let high = ContentHash.mixed(ContentHash.mixed(lanes.c, lanes.d), low)
    return ClipDigest(high: high, low: ContentHash.mixed(low, high))
  }
}
