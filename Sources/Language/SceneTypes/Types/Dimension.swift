// SPDX-License-Identifier: MIT

/// The dimension of a quantity: exponents of time, angle, gain and bits, clamped to `Int8`. All are
/// zero for a number.
package struct Dimension: Hashable, Sendable {
  package var time: Int8 = 0
  package var angle: Int8 = 0
  package var gain: Int8 = 0
  package var bits: Int8 = 0

  package init(time: Int8 = 0, angle: Int8 = 0, gain: Int8 = 0, bits: Int8 = 0) {
    self.time = time
    self.angle = angle
    self.gain = gain
    self.bits = bits
  }

  package static let none = Dimension()
  package static let time = Dimension(time: 1)
  package static let angle = Dimension(angle: 1)
  package static let gain = Dimension(gain: 1)
  package static let rate = Dimension(time: -1)
  package static let bitrate = Dimension(bits: 1)

  /// Returns the dimension of a product, or of a quotient if `sign` is -1.
  package func plus(_ other: Dimension, _ sign: Int = 1) -> Dimension {
    func sum(_ a: Int8, _ b: Int8) -> Int8 { Int8(clamping: Int(a) + sign * Int(b)) }
    return Dimension(
      time: sum(time, other.time), angle: sum(angle, other.angle), gain: sum(gain, other.gain),
      bits: sum(bits, other.bits))
  }

  /// The dimension with its article, for messages.
  package var description: String {
    switch self {
    case .none: return "a number"
    case .time: return "a time"
    case .angle: return "an angle"
    case .gain: return "a gain"
    case .rate: return "a rate"
    case .bitrate: return "a bit rate"
    default:
      let parts = [("time", time), ("angle", angle), ("gain", gain), ("bits", bits)]
        .filter { $0.1 != 0 }
        .map { $0.1 == 1 ? $0.0 : "\($0.0)^\($0.1)" }
      return "a quantity of " + parts.joined(separator: "·")
    }
  }
}
