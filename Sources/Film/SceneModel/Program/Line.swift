// SPDX-License-Identifier: MIT

/// A value that varies linearly with time, such as a shifted or scaled clock:
/// `scale * now + offset`, with an error of at most `slack`.
struct Line {
  private let scale: Double
  private let offset: Double
  /// The error bound; 0 if every step of the computation is exact in whole ticks.
  private let slack: Double

  static let now = Line(exactly: 1, 0, 0)

  private init(exactly scale: Double, _ offset: Double, _ slack: Double) {
    (self.scale, self.offset, self.slack) = (scale, offset, slack)
  }

  /// Creates a line with a slack that covers rounding errors, unless the arithmetic is exact.
  /// Returns `nil` if the line is constant or a number is not finite.
  private init?(scale: Double, offset: Double, slack: Double) {
    guard scale != 0, (scale + offset + slack).isFinite else { return nil }
    let isExact =
      slack == 0 && abs(scale) == 1 && offset == offset.rounded() && abs(offset) < 0x1p52
    self.init(
      exactly: scale, offset, isExact ? 0 : slack + 2 * abs(scale) + 1e-12 * abs(offset))
  }

  /// Returns the line of a node whose operands are this line and a constant; `nil` if its value is
  /// not linear.
  func applying(_ operation: Operation, _ k: Double) -> Line? {
    switch operation {
    case .add: Line(scale: scale, offset: offset + k, slack: slack)
    case .subtract: Line(scale: scale, offset: offset - k, slack: slack)
    case .multiply: Line(scale: scale * k, offset: offset * k, slack: slack * abs(k))
    case .divide: k == 0 ? nil : Line(scale: scale / k, offset: offset / k, slack: slack / abs(k))
    case .negate: Line(scale: -scale, offset: -offset, slack: slack)
    case .floor, .ceiling, .round: Line(scale: scale, offset: offset, slack: slack + 1)
    // The value is clamped on one side and equals the line where it changes.
    case .minimum, .maximum: self
    default: nil
    }
  }

  /// Returns the line of a node whose operands are a constant and this line; `nil` if its value is
  /// not linear.
  func applied(to k: Double, _ operation: Operation) -> Line? {
    switch operation {
    case .add, .multiply, .minimum, .maximum: applying(operation, k)
    case .subtract: Line(scale: -scale, offset: k - offset, slack: slack)
    default: nil
    }
  }

  /// Returns the times at which the value may be above `low` and below `high`.
  func times(above low: Double, below high: Double) -> Range<Int64> {
    let ends = [(low - slack - offset) / scale, (high + slack - offset) / scale].sorted()
    return Line.whole(ends[0].rounded(.down))..<Line.whole(ends[1].rounded(.up))
  }

  /// Returns the interval around the time at which the value reaches `limit` or, with `passes`,
  /// leaves it.
  func jump(at limit: Double, passes: Bool) -> Range<Int64> {
    guard slack == 0 else {
      let times = times(above: limit, below: limit)
      return (times.lowerBound - 1)..<(times.upperBound + 1)
    }
    let time = (limit - offset) / scale
    let first = Line.whole(passes ? time.rounded(.down) + 1 : time.rounded(.up))
    return (first - 1)..<first
  }

  var isRising: Bool { scale > 0 }

  /// Clamps to ±1e18 ticks (about 45 years) to avoid overflow.
  private static func whole(_ ticks: Double) -> Int64 {
    Int64(max(-1e18, min(1e18, ticks.isNaN ? 0 : ticks)))
  }
}
