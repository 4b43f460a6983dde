// SPDX-License-Identifier: MIT

/// A deterministic pseudorandom number generator.
package struct Generator: RandomNumberGenerator, Sendable {
  private var seed: UInt64

  package init(seed: UInt64) { self.seed = seed }

  package mutating func next() -> UInt64 {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return seed ^ seed >> 31
  }
}
