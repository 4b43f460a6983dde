// SPDX-License-Identifier: MIT

/// The intervals in which a value can change, in ticks: sorted, disjoint, at most eight.
///
/// An interval is open. The value is constant from the upper bound of one interval up to and
/// including the lower bound of the next.
package struct Stretches: Hashable, Sendable {
  /// The maximum number of intervals. Beyond it, the nearest neighbors are merged, and the gap
  /// between them counts as change.
  private static let most = 8

  package private(set) var ranges: [Range<Int64>]

  package static let none = Stretches([])

  /// Creates a single interval, or none if `range` is empty.
  package init(_ range: Range<Int64>) { ranges = range.isEmpty ? [] : [range] }

  private init(_ ranges: [Range<Int64>]) { self.ranges = ranges }

  package var isEmpty: Bool { ranges.isEmpty }

  /// The interval from the first change to the last; `nil` if there is none.
  package var hull: Range<Int64>? {
    guard let first = ranges.first, let last = ranges.last else { return nil }
    return first.lowerBound..<last.upperBound
  }

  package mutating func formUnion(_ other: Stretches) {
    if other.ranges.isEmpty || ranges == other.ranges { return }
    if ranges.isEmpty {
      ranges = other.ranges
      return
    }
    var merged: [Range<Int64>] = []
    var (a, b) = (ranges[...], other.ranges[...])
    while let next = Stretches.popFirst(&a, &b) {
      if let last = merged.last, next.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, next.upperBound)
      } else {
        merged.append(next)
      }
    }
    while merged.count > Stretches.most { Stretches.joinNearest(&merged) }
    ranges = merged
  }

  private static func popFirst(
    _ a: inout ArraySlice<Range<Int64>>, _ b: inout ArraySlice<Range<Int64>>
  ) -> Range<Int64>? {
    guard let first = a.first else { return b.popFirst() }
    guard let second = b.first, second.lowerBound < first.lowerBound else { return a.popFirst() }
    return b.popFirst()
  }

  private static func joinNearest(_ ranges: inout [Range<Int64>]) {
    func gap(_ index: Int) -> Int64 { ranges[index + 1].lowerBound - ranges[index].upperBound }
    guard let index = (0..<(ranges.count - 1)).min(by: { gap($0) < gap($1) }) else { return }
    ranges[index] = ranges[index].lowerBound..<ranges[index + 1].upperBound
    ranges.remove(at: index + 1)
  }

  /// Returns the intersection of the intervals with a range.
  package func clamped(to limits: Range<Int64>) -> Stretches {
    if let hull, limits.lowerBound <= hull.lowerBound, hull.upperBound <= limits.upperBound {
      return self
    }
    if ranges.count == 1 { return Stretches(ranges[0].clamped(to: limits)) }
    return Stretches(ranges.map { $0.clamped(to: limits) }.filter { !$0.isEmpty })
  }
}
