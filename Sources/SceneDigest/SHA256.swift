// SPDX-License-Identifier: MIT
import CNettle

/// The SHA-256 of bytes (FIPS 180-4): equal ones mean equal bytes.
package struct SHA256: Hashable, Sendable {
  /// 32 bytes.
  package let bytes: [UInt8]

  package init(of content: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    unsafe scene_sha256(content, content.count, &digest)
    bytes = digest
  }
}
