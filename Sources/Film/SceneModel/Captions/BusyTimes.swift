// SPDX-License-Identifier: MIT

/// Occupied intervals of a video, such as those in which someone speaks.
package struct BusyTimes: Hashable, Sendable {
  /// Disjoint intervals in order.
  private var ranges: [Range<Ticks>] = []

  package init(_ times: [Range<Ticks>]) {
    for time in times.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = ranges.last, time.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, time.upperBound)
      } else {
        ranges.append(time)
      }
    }
  }

  package var isEmpty: Bool { ranges.isEmpty }

  /// Returns the first occupied interval that overlaps another interval; `nil` if there is none.
  package func first(in time: Range<Ticks>) -> Range<Ticks>? {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound > time.lowerBound { high = middle } else { low = middle + 1 }
    }
    guard low < ranges.count, ranges[low].overlaps(time) else { return nil }
    return ranges[low]
  }

  /// Returns the free parts of an interval, in order.
  package func pauses(in whole: Range<Ticks>) -> [Range<Ticks>] {
    var pauses: [Range<Ticks>] = []
    var start = whole.lowerBound
    for range in ranges where range.upperBound > whole.lowerBound {
      if range.lowerBound >= whole.upperBound { break }
      if start < range.lowerBound { pauses.append(start..<range.lowerBound) }
      start = range.upperBound
    }
    if start < whole.upperBound { pauses.append(start..<whole.upperBound) }
    return pauses
  }
}
