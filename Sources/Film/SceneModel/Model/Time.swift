// SPDX-License-Identifier: MIT

/// An exact time, counted in units of 1/705,600,000 s.
///
/// This unit divides the frame duration of every usual frame rate, its 1000/1001 variants, and the
/// sample periods of 44.1 and 48 kHz.
package struct Ticks: Hashable, Sendable, Comparable, Encodable {
  package static let perSecond: Int64 = 705_600_000

  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// Rounds to the nearest tick; `nil` if the time is not finite or exceeds ±10 days.
  package init?(rounding ticks: Double) {
    guard ticks.isFinite, abs(ticks) < 864_000 * Double(Ticks.perSecond) else { return nil }
    self.init(Int64(ticks.rounded()))
  }

  package static let zero = Ticks(0)

  package var seconds: Double { Double(rawValue) / Double(Ticks.perSecond) }

  package static func < (a: Ticks, b: Ticks) -> Bool { a.rawValue < b.rawValue }
  // Faster than the default implementation, which calls `<` through a witness table.
  package static func <= (a: Ticks, b: Ticks) -> Bool { a.rawValue <= b.rawValue }
  package static func + (a: Ticks, b: Ticks) -> Ticks { Ticks(a.rawValue + b.rawValue) }
  package static func - (a: Ticks, b: Ticks) -> Ticks { Ticks(a.rawValue - b.rawValue) }

  /// The time in scene syntax, such as `1.25s`.
  package var description: String {
    let milliseconds = (seconds * 1000).rounded() / 1000
    return milliseconds == milliseconds.rounded()
      ? "\(Int(milliseconds))s" : "\(milliseconds)s"
  }
}

/// A frame rate in frames per second, as an exact ratio in lowest terms.
package struct FrameRate: Hashable, Sendable {
  /// The minimum frame rate, since containers store the duration of a frame in 32 bits.
  package static let least = 0.01
  /// The maximum frame rate of the numbers that this type represents; the limit of a scene is
  /// lower.
  package static let greatest = 1e6

  package let numerator: Int64
  package let denominator: Int64

  package init(_ numerator: Int64, _ denominator: Int64) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Creates a frame rate from a decimal number: 29.97 and similar values stand for the ratios with
  /// 1001. Returns `nil` for any other rate that is not a positive multiple of 0.001.
  package init?(_ value: Double) {
    guard value.isFinite, value > 0 else { return nil }
    for (written, base) in [(23.976, 24), (29.97, 30), (47.952, 48), (59.94, 60), (119.88, 120)] {
      if abs(value - written) < 0.0015 {
        self.init(Int64(base) * 1000, 1001)
        return
      }
    }
    guard value <= FrameRate.greatest else { return nil }
    let scaled = (value * 1000).rounded()
    guard abs(scaled / 1000 - value) < 1e-9 else { return nil }
    var (a, b) = (Int64(scaled), Int64(1000))
    while b != 0 { (a, b) = (b, a % b) }
    self.init(Int64(scaled) / a, 1000 / a)
  }

  package var value: Double { Double(numerator) / Double(denominator) }

  /// Returns the start time of frame `n`, n/fps, rounded to the nearest tick.
  package func time(ofFrame n: Int) -> Ticks {
    let (high, low) = (Int64(n) * denominator).multipliedFullWidth(by: Ticks.perSecond)
    let (quotient, remainder) = numerator.dividingFullWidth((high, low))
    return Ticks(quotient + (2 * remainder >= numerator ? 1 : 0))
  }

  /// Returns the number of frames that start before `end`.
  package func frames(before end: Ticks) -> Int {
    guard end > .zero else { return 0 }
    let (high, low) = end.rawValue.multipliedFullWidth(by: numerator)
    let divisor = Ticks.perSecond * denominator
    let (quotient, remainder) = divisor.dividingFullWidth((high, low))
    return Int(quotient) + (remainder > 0 ? 1 : 0)
  }

  /// Returns the first frame whose time is `time` or later.
  package func frame(atOrAfter time: Ticks) -> Int {
    guard time > .zero else { return 0 }
    let (ticks, rest) = (Ticks.perSecond * denominator).quotientAndRemainder(dividingBy: numerator)
    guard rest != 0 else { return Int((time.rawValue - 1) / ticks) + 1 }
    let frame = frames(before: time)
    // The start time of the preceding frame may have been rounded up to `time`.
    return frame > 0 && self.time(ofFrame: frame - 1) >= time ? frame - 1 : frame
  }

  /// The duration of a frame in ticks.
  package var frameTicks: Double {
    Double(Ticks.perSecond) * Double(denominator) / Double(numerator)
  }

  package var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}
