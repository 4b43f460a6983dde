// SPDX-License-Identifier: MIT

/// When each picture of a clip is shown, counted from the first one: half-open stretches of time
/// without gaps. Which picture is shown at a time is arithmetic on them alone.
package struct ClipTimes: Hashable, Sendable {
  package let count: Int
  /// The rate in whose steps the pictures begin; `nil` where there is none.
  package let rate: FrameRate?
  /// Ticks; empty when picture n is at step n of the rate.
  private let starts: [Int64]
  /// From the first picture to the end of the last.
  package let length: Ticks

  /// One picture in each step of a rate.
  package init(rate: FrameRate, count: Int) {
    self.count = count
    self.rate = rate
    starts = []
    length = rate.time(ofFrame: count)
  }

  /// `starts` in rising order from 0 on; `rate` when they are steps of one.
  package init(starts: [Ticks], length: Ticks, rate: FrameRate? = nil) {
    count = starts.count
    self.rate = rate
    self.starts = starts.map(\.rawValue)
    self.length = length
  }

  /// Whether picture n is at step n of the rate, for all of them.
  package var isSteady: Bool { rate != nil && starts.isEmpty }

  package func start(of picture: Int) -> Ticks {
    guard let rate, starts.isEmpty else { return Ticks(starts[picture]) }
    return rate.time(ofFrame: picture)
  }

  /// Numbers of ticks that a time may miss a picture's start by: times are sums of rounded ones.
  package static let tolerance: Int64 = 2

  /// The picture that is shown at a time: the first before all of them, the last after them.
  ///
  /// Where time runs backwards a picture is shown from its end to before its start, so that what is
  /// seen is frame by frame the mirror image of what is seen forwards.
  package func picture(at time: Ticks, isBackwards: Bool = false) -> Int {
    let reach =
      isBackwards
      ? time.rawValue - ClipTimes.tolerance - 1 : time.rawValue + ClipTimes.tolerance
    var (low, high) = (0, max(0, count - 1))
    if let rate, starts.isEmpty {
      let guess = rate.frames(before: Ticks(max(0, reach))) - 1
      low = min(max(0, guess - 1), high)
      high = min(high, max(0, guess + 2))
    }
    // The last one that starts at `reach` or before.
    while low < high {
      let middle = (low + high + 1) / 2
      if start(of: middle).rawValue <= reach { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
