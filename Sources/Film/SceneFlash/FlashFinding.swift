// SPDX-License-Identifier: MIT

/// A range of frames that flash.
package struct FlashFinding: Hashable, Sendable {
  /// The rule that the range breaks.
  package enum Kind: Hashable, Sendable {
    /// More than three flashes in a second.
    case flashes
    /// Two or three flashes per second, for more than four of five seconds.
    case extended
  }

  /// The transition with the most cells.
  package struct Peak: Hashable, Sendable {
    /// The frame of the transition, and of the one before it in the opposite direction.
    package let frame: Int
    package let before: Int
    /// The size of the grid, in cells.
    package let columns: Int
    package let rows: Int
    /// The cells that change.
    package let cells: [Int]
    /// The fraction of the frame that the cells cover.
    package let share: Double
    /// The relative luminance of the cells before and after, the darker one first.
    package let low: Double
    package let high: Double
    /// Whether saturated red changes, rather than luminance.
    package let isRed: Bool
  }

  package let kind: Kind
  /// The frames from the first transition to the last.
  package private(set) var frames: ClosedRange<Int>
  package private(set) var peak: Peak
  /// The sum of the flash rates of all transitions, and their number.
  private var rates: Double
  private var count: Int

  init(_ kind: Kind, _ frames: ClosedRange<Int>, rate: Double, peak: Peak) {
    self.kind = kind
    self.frames = frames
    self.peak = peak
    rates = rate
    count = 1
  }

  /// The mean number of flashes per second.
  package var rate: Double { rates / Double(count) }

  /// Returns whether the other range overlaps or adjoins.
  func touches(_ other: FlashFinding) -> Bool {
    frames.lowerBound <= other.frames.upperBound + 1
      && other.frames.lowerBound <= frames.upperBound + 1
  }

  /// Adds a later finding that overlaps or adjoins. A change of luminance takes precedence over one
  /// of red as the peak.
  mutating func add(_ other: FlashFinding) {
    frames =
      min(
        frames.lowerBound, other.frames.lowerBound)...max(
        frames.upperBound, other.frames.upperBound)
    rates += other.rates
    count += other.count
    let isStronger =
      peak.isRed == other.peak.isRed
      ? other.peak.cells.count > peak.cells.count : peak.isRed
    if isStronger { peak = other.peak }
  }
}
