// SPDX-License-Identifier: MIT

/// The unit of a stream's timestamps: `numerator / denominator` seconds.
package struct TimeBase: Hashable, Sendable {
  package let numerator: Int64
  package let denominator: Int64

  package init(_ numerator: Int64, _ denominator: Int64) {
    self.numerator = numerator
    self.denominator = denominator
  }

  package var seconds: Double { Double(numerator) / Double(denominator) }

  /// Converts a number of units to ticks, or returns `nil` beyond ten days.
  package func time(_ units: Int64) -> Ticks? {
    guard abs(Double(units)) * seconds < 864_000,
      !units.magnitude.multipliedReportingOverflow(by: numerator.magnitude).overflow,
      let count = Int(exactly: units.magnitude)
    else { return nil }
    let time = FrameRate(denominator, numerator).time(ofFrame: count)
    return units < 0 ? Ticks(-time.rawValue) : time
  }
}

extension ClipTimes {
  /// Creates the frame times from presentation timestamps in ascending order. Returns `nil` if they
  /// do not ascend or span more than ten days.
  ///
  /// Containers round timestamps, and recorders jitter. Timestamps within a quarter of a frame of
  /// the steps of a frame rate become exactly those steps. `nominal` is the frame rate that the
  /// file declares.
  package init?(shown: [Int64], in base: TimeBase, lastDuration: Int64, nominal: FrameRate?) {
    guard let first = shown.first, let last = shown.last,
      !last.subtractingReportingOverflow(first).overflow, base.time(last - first) != nil,
      zip(shown, shown.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    let times = shown.map { $0 - first }
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
    let median = gaps.isEmpty ? nil : gaps[gaps.count / 2]
    // The declared duration of the last frame is used unless it exceeds four times the median
    // duration.
    let trusted =
      lastDuration > 0 && median.map { Double(lastDuration) <= 4 * Double($0) } ?? true
      ? lastDuration : median
    let mean = median.map { _ in
      Double(times.count - 1) / (Double(last - first) * base.seconds)
    }
    for rate in ClipTimes.candidates(nominal: nominal, mean: mean) {
      guard let steps = ClipTimes.steps(times, in: base, at: rate) else { continue }
      let units = (trusted.map { Double($0) * base.seconds * rate.value } ?? 1).rounded()
      let end = steps[steps.count - 1] + (units < 1e9 ? max(1, Int(units)) : 1)
      if end == steps.count {
        self.init(rate: rate, count: steps.count)
      } else {
        self.init(
          starts: steps.map(rate.time(ofFrame:)), length: rate.time(ofFrame: end), rate: rate)
      }
      return
    }
    self.init(unsteady: times, in: base, lastDuration: trusted)
  }

  /// Creates the frame times from timestamps without a frame rate. Each is shifted back by half a
  /// unit, since the container may have rounded up. Returns `nil` if the timestamps span more than
  /// ten days.
  private init?(unsteady times: [Int64], in base: TimeBase, lastDuration: Int64?) {
    let half = Int64((base.seconds * Double(Ticks.perSecond) / 2).rounded(.down))
    var starts: [Ticks] = []
    for time in times {
      guard let exact = base.time(time) else { return nil }
      let before = starts.last.map { $0.rawValue + 1 } ?? 0
      starts.append(Ticks(max(before, starts.isEmpty ? 0 : exact.rawValue - half)))
    }
    let start = starts[starts.count - 1]
    let last = lastDuration.flatMap(base.time) ?? FrameRate(25, 1).time(ofFrame: 1)
    self.init(
      starts: starts, length: Ticks(max(start.rawValue + 1, start.rawValue + last.rawValue)))
  }

  // MARK: Rates

  private static let usual = [
    FrameRate(24000, 1001), FrameRate(24, 1), FrameRate(25, 1), FrameRate(30000, 1001),
    FrameRate(30, 1), FrameRate(48, 1), FrameRate(50, 1), FrameRate(60000, 1001),
    FrameRate(60, 1), FrameRate(120, 1),
  ]
  /// The highest plausible frame rate. A higher value is the container's time base instead of a
  /// frame rate.
  private static let largest = 240.0

  private static func candidates(nominal: FrameRate?, mean: Double?) -> [FrameRate] {
    var rates: [FrameRate] = []
    if let nominal, nominal.value <= largest, nominal.value >= FrameRate.least {
      rates.append(nearUsual(nominal.value) ?? nominal)
    }
    if let mean, mean <= 1000, mean >= FrameRate.least {
      let rounded = FrameRate(Int64((mean * 1000).rounded()), 1000)
      rates.append(nearUsual(mean) ?? FrameRate(mean.rounded()) ?? rounded)
      rates.append(rounded)
    }
    return rates.filter { $0.numerator > 0 }
  }

  /// Returns the usual frame rate within 0.02% of a rate; `nil` if there is none. The rates 23.976
  /// and 24 differ by 0.1%.
  private static func nearUsual(_ rate: Double) -> FrameRate? {
    usual.first { abs($0.value - rate) <= 0.0002 * $0.value }
  }

  /// Returns the step of `rate` for each timestamp, or `nil` if two timestamps fall on the same
  /// step or the jitter is too large.
  private static func steps(_ times: [Int64], in base: TimeBase, at rate: FrameRate) -> [Int]? {
    let scale = base.seconds * rate.value
    // The first timestamp may be off as well, so deviations are measured from the middle of their
    // range.
    var (least, most) = (0.0, 0.0)
    for time in times {
      let off = Double(time) * scale - (Double(time) * scale).rounded()
      (least, most) = (min(least, off), max(most, off))
    }
    let middle = (least + most) / 2
    guard most - middle <= max(scale, 0.25) else { return nil }
    var steps: [Int] = []
    steps.reserveCapacity(times.count)
    for time in times {
      let step = (Double(time) * scale - middle).rounded()
      guard step < 1e9, steps.last.map({ $0 < Int(step) }) ?? true else { return nil }
      steps.append(Int(step))
    }
    return steps
  }
}
