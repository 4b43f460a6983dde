// SPDX-License-Identifier: MIT

/// The start times of a clip's frames, relative to the first frame. Frames cover consecutive
/// half-open intervals without gaps, so the frame at a time follows from these times alone.
package struct ClipTimes: Hashable, Sendable {
  package let count: Int
  /// The frame rate whose steps the start times fall on; `nil` if there is none.
  package let rate: FrameRate?
  /// The start times in ticks; empty when frame n starts at step n of the frame rate.
  private let starts: [Int64]
  /// The duration from the start of the first frame to the end of the last.
  package let length: Ticks

  /// Creates the times of a constant frame rate.
  package init(rate: FrameRate, count: Int) {
    self.count = count
    self.rate = rate
    starts = []
    length = rate.time(ofFrame: count)
  }

  /// Creates the times from `starts`, in ascending order beginning with 0. `rate` is the frame rate
  /// whose steps they fall on, if any.
  package init(starts: [Ticks], length: Ticks, rate: FrameRate? = nil) {
    count = starts.count
    self.rate = rate
    self.starts = starts.map(\.rawValue)
    self.length = length
  }

  /// Whether frame n starts at step n of the frame rate, for all frames.
  package var isSteady: Bool { rate != nil && starts.isEmpty }

  package func start(of picture: Int) -> Ticks {
    guard let rate, starts.isEmpty else { return Ticks(starts[picture]) }
    return rate.time(ofFrame: picture)
  }

  /// The number of ticks by which a time may miss the start of a frame, since times are sums of
  /// rounded values.
  package static let tolerance: Int64 = 2

  /// Returns the number of the frame at `time`. Earlier times return the first frame, later times
  /// the last one.
  ///
  /// When time runs backwards, a frame is shown from its end to just before its start, so that
  /// reverse playback mirrors forward playback frame by frame.
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
    // Finds the last frame that starts at or before `reach`.
    while low < high {
      let middle = (low + high + 1) / 2
      if start(of: middle).rawValue <= reach { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
