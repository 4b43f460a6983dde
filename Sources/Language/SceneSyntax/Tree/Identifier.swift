// SPDX-License-Identifier: MIT

/// A name with a precomputed hash, since names are looked up far more often than parsed.
package struct Identifier: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let text: String
  /// The hash value; equal names have equal ones within a process.
  package let hash: Int

  /// One bit of 64, selected by the hash, for Bloom filters.
  package var bit: UInt64 { 1 << UInt64(truncatingIfNeeded: hash & 63) }

  package init(_ text: String) {
    self.text = text
    hash = text.hashValue
  }

  package var description: String { text }

  package init(stringLiteral text: String) { self.init(text) }

  package static func == (a: Identifier, b: Identifier) -> Bool {
    a.hash == b.hash && a.text == b.text
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
