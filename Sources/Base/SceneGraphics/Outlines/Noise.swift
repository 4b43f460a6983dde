// SPDX-License-Identifier: MIT

/// Deterministic pseudorandom numbers.
package enum Noise {
  /// Returns a number in `0..<1` from two numbers: SplitMix64's finalizer (Steele, Lea and Flood
  /// 2014) over their bits.
  package static func random(_ a: Double, _ b: Double) -> Double {
    var x = a.bitPattern &* 0x9E37_79B9_7F4A_7C15 &+ b.bitPattern
    for _ in 0..<2 {
      x &+= 0x9E37_79B9_7F4A_7C15
      x = (x ^ (x >> 30)) &* 0xBF58_476D_1CE4_E5B9
      x = (x ^ (x >> 27)) &* 0x94D0_49BB_1331_11EB
      x ^= x >> 31
    }
    return Double(x >> 11) * 0x1p-53
  }

  /// Returns one-dimensional gradient noise (K. Perlin 2002) in `-1...1`, 0 at integers.
  package static func smooth(_ x: Double, seed: Double) -> Double {
    let cell = x.rounded(.down)
    let f = x - cell
    let fade = f * f * f * (f * (f * 6 - 15) + 10)
    let left = (random(cell, seed) * 2 - 1) * f
    let right = (random(cell + 1, seed) * 2 - 1) * (f - 1)
    return 2 * (left + (right - left) * fade)
  }
  // MARK: Points

  // In single precision, with the same results as pixel functions; see `Program.c`.

  /// Returns a pseudorandom number in `0..<1` from a point.
  package static func random(x: Double, y: Double, seed: Double) -> Double {
    Double(Float(hash(x: Float(x), y: Float(y), z: Float(seed)) >> 8) * 0x1p-24)
  }

  /// Returns two-dimensional gradient noise (K. Perlin 2002) in `-1...1`.
  package static func smooth(x: Double, y: Double, seed: Double) -> Double {
    let point = (x: Float(x), y: Float(y))
    let cell = (x: point.x.rounded(.down), y: point.y.rounded(.down))
    let f = (x: point.x - cell.x, y: point.y - cell.y)
    func fade(_ t: Float) -> Float { t * t * t * (t * (t * 6 - 15) + 10) }
    func slope(_ right: Float, _ down: Float) -> Float {
      let h = hash(x: cell.x + right, y: cell.y + down, z: Float(seed))
      let gradient = (x: Float(h & 0xFFFF) / 32768 - 1, y: Float(h >> 16) / 32768 - 1)
      return gradient.x * (f.x - right) + gradient.y * (f.y - down)
    }
    let top = slope(0, 0) + (slope(1, 0) - slope(0, 0)) * fade(f.x)
    let bottom = slope(0, 1) + (slope(1, 1) - slope(0, 1)) * fade(f.x)
    let noise = 1.5 * (top + (bottom - top) * fade(f.y))
    return noise.isNaN ? .nan : Double(max(-1, min(1, noise)))
  }

  /// Mixes the bits of a word (C. Wellons 2018, "lowbias32").
  private static func mixed(_ word: UInt32) -> UInt32 {
    var x = word
    x ^= x >> 16
    x &*= 0x7FEB_352D
    x ^= x >> 15
    x &*= 0x846C_A68B
    return x ^ (x >> 16)
  }

  /// Returns a hash of three numbers. Positive zero, negative zero and NaN are equivalent.
  private static func hash(x: Float, y: Float, z: Float) -> UInt32 {
    func key(_ x: Float) -> UInt32 {
      let bits = x.isNaN || x == 0 ? 0 : x.bitPattern
      return bits ^ (bits >> 16)
    }
    return mixed(key(x) &* 0x9E37_79B1 &+ key(y) &* 0x85EB_CA77 &+ key(z) &* 0xC2B2_AE3D)
  }
}
