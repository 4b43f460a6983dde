// SPDX-License-Identifier: MIT
import CNettle

/// A SHA-256 hash (FIPS 180-4).
package struct SHA256: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes of the hash.
  package let bytes: [UInt8]

  package init(of content: [UInt8]) { self.init(of: content[...]) }

  package init(of content: ArraySlice<UInt8>) {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    unsafe content.withUnsafeBufferPointer {
      unsafe scene_sha256($0.baseAddress, $0.count, &digest)
    }
    bytes = digest
  }

  /// Hashes parts of the content one after the other, as if they were joined.
  package init(ofJoined parts: [[UInt8]]) {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    var state = sha256_ctx()
    unsafe nettle_sha256_init(&state)
    for part in parts { unsafe nettle_sha256_update(&state, part.count, part) }
    unsafe nettle_sha256_digest(&state, digest.count, &digest)
    bytes = digest
  }

  /// The hash as 64 hexadecimal digits.
  package var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The first eight bytes, as a short identifier.
  package var number: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
