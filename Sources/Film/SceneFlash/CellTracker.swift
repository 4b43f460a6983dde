// SPDX-License-Identifier: MIT
import CPixels

/// The transitions of one quantity in every cell.
///
/// A transition is a change from a peak to a valley or back by at least a threshold. A running
/// extremum finds it, so a slow ramp counts once, at the frame in which it exceeds the threshold.
struct CellTracker {
  /// The quantity that changes.
  enum Quantity {
    case luminance, red
  }

  /// Cells that changed together several times.
  struct Group {
    var cells: [Int]
    /// The frame of the first transition.
    let start: Int
    /// The frame in which most cells made the transition before the last one, in the opposite
    /// direction.
    let before: Int
  }

  /// The number of stored transitions per cell, a power of two.
  private static let room = 8

  private let quantity: Quantity
  private var transitions: scene_transitions
  /// The direction of the last transition; 0 before the first one.
  private var directions: [Int8] = []
  /// The lowest value of each cell, then the highest value of each cell, since its last transition.
  private var ranges: [UInt8] = []
  /// The values of the previous frame.
  private var last: [UInt8] = []
  /// The two extrema before the current one.
  private var extrema: [(last: UInt8, previous: UInt8)] = []
  /// The number of transitions of each cell, and the frames of its last eight.
  private var counts: [Int32] = []
  private var frames: [Int32] = []
  /// Room for the cells that make a transition in a frame.
  private var turning: [Int32] = []

  init(_ quantity: Quantity) {
    self.quantity = quantity
    transitions =
      switch quantity {
      // The values are square roots of luminance. A transition is a change by at least 10% of 255²
      // whose darker state is below 80%.
      case .luminance: scene_transitions(count: 0, threshold: 6503, ceiling: 52020, is_squared: 1)
      // WCAG requires a change of more than 20 on a scale of 320.
      case .red: scene_transitions(count: 0, threshold: 16, ceiling: .max, is_squared: 0)
      }
  }

  /// Forgets all frames, as at the start.
  mutating func reset() { directions = [] }

  /// Adds the values of a frame. Returns the numbers of rising and of falling cells that have made
  /// `needed` transitions in less than `second` frames.
  mutating func add(_ values: [UInt8], frame: Int, needed: Int, within second: Double)
    -> (rising: Int, falling: Int)
  {
    guard directions.count == values.count else {
      start(values)
      return (0, 0)
    }
    precondition(transitions.count == values.count)
    // In most grids, red values are unchanged and share their storage, so that `!=` is fast. The
    // luminance of successive grids usually differs.
    guard quantity == .luminance || values != last else { return (0, 0) }
    let count = unsafe scene_track_cells(
      values, last, directions, &ranges, transitions, &turning)
    last = values
    var (rising, falling) = (0, 0)
    for turned in turning.prefix(Int(count)) {
      let isRising = turned >= 0
      let cell = Int(isRising ? turned : ~turned)
      turn(cell, to: isRising ? 1 : -1, at: values[cell], frame: frame)
      guard isFlashing(cell, needed, within: second) else { continue }
      if isRising { rising += 1 } else { falling += 1 }
    }
    return (rising, falling)
  }

  private mutating func start(_ values: [UInt8]) {
    directions = Array(repeating: 0, count: values.count)
    ranges = values + values
    last = values
    extrema = Array(repeating: (0, 0), count: values.count)
    counts = Array(repeating: 0, count: values.count)
    frames = Array(repeating: 0, count: values.count * CellTracker.room)
    turning = Array(repeating: 0, count: values.count)
    transitions.count = Int64(values.count)
  }

  private mutating func turn(_ cell: Int, to direction: Int8, at value: UInt8, frame: Int) {
    let highest = directions.count + cell
    extrema[cell] = (ranges[direction > 0 ? cell : highest], extrema[cell].last)
    if counts[cell] == 0 { extrema[cell].previous = value }
    directions[cell] = direction
    ranges[cell] = value
    ranges[highest] = value
    frames[cell * CellTracker.room + Int(counts[cell]) & (CellTracker.room - 1)] = Int32(frame)
    counts[cell] += 1
  }

  /// Returns the frame of a transition of a cell, counted backward from the last one.
  private func frame(_ cell: Int, back: Int) -> Int {
    Int(
      frames[
        cell * CellTracker.room + (Int(counts[cell]) - 1 - back) & (CellTracker.room - 1)])
  }

  private func isFlashing(_ cell: Int, _ needed: Int, within second: Double) -> Bool {
    Int(counts[cell]) >= needed
      && Double(frame(cell, back: 0) - frame(cell, back: needed - 1)) < second
  }

  /// Returns the cells whose last `needed` transitions were concurrent, that is, each within
  /// `window` frames; `nil` if there are none.
  func group(
    at frame: Int, isRising: Bool, needed: Int, within second: Double, window: Int
  ) -> Group? {
    var cells = directions.indices.filter {
      directions[$0] == (isRising ? 1 : -1) && self.frame($0, back: 0) >= frame - window
        && isFlashing($0, needed, within: second)
    }
    var before = frame
    for back in 1..<needed {
      guard let first = cells.lazy.map({ self.frame($0, back: back) }).min() else { return nil }
      // Selects the window with the most cells; of several such windows, the latest.
      var counts = Array(repeating: 0, count: max(1, frame - first + 1))
      for cell in cells { counts[self.frame(cell, back: back) - first] += 1 }
      var best = (count: 0, start: 0)
      var sum = 0
      for end in counts.indices {
        sum += counts[end]
        if end > window { sum -= counts[end - window - 1] }
        if sum >= best.count { best = (sum, end - window) }
      }
      let range = (first + best.start)...(first + best.start + window)
      cells.removeAll { !range.contains(self.frame($0, back: back)) }
      if back == 1 {
        before =
          range.clamped(to: first...frame).max { counts[$0 - first] < counts[$1 - first] } ?? frame
      }
    }
    guard let start = cells.lazy.map({ self.frame($0, back: needed - 1) }).min() else { return nil }
    return Group(cells: cells, start: start, before: before)
  }

  /// Returns the mean relative luminance of cells in the last two extrema, the darker one first; 0
  /// if red is tracked.
  func extremes(of cells: [Int]) -> (low: Double, high: Double) {
    guard quantity == .luminance, !cells.isEmpty else { return (0, 0) }
    var (low, high) = (0, 0)
    for cell in cells {
      let (last, previous) = extrema[cell]
      let (least, most) = (Int(min(last, previous)), Int(max(last, previous)))
      low += least * least
      high += most * most
    }
    let whole = Double(cells.count) * 65025
    return (Double(low) / whole, Double(high) / whole)
  }
}
