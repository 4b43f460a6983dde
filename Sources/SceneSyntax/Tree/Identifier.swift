// SPDX-License-Identifier: MIT

/// A name with its hash: names are looked up far more often than they are read.
package struct Identifier: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let text: String
  /// The same for equal names of one process.
  package let hash: Int

  /// One of 64 bits, by the hash.
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
