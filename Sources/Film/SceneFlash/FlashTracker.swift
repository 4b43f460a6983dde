// SPDX-License-Identifier: MIT
package import SceneIR
package import SceneModel

/// Judges the frames of a video, in order, by WCAG 2.3.1 or ITU-R BT.1702.
///
/// A cell flashes if it makes seven transitions, more than three pairs, in less than a second.
/// Cells that flash together, each transition within 60 ms, must not cover a quarter of an area: of
/// any rectangle with a third of the frame's width and height (`web`), or of the whole frame
/// (`broadcast`). Memory does not grow with the duration.
package struct FlashTracker {
  /// The maximum number of stored findings; further ones are only counted.
  package static let mostFindings = 10

  /// The ranges that flash, in order.
  package private(set) var findings: [FlashFinding] = []
  /// The number of further findings.
  package private(set) var furtherCount = 0
  /// The number of frames that were skipped.
  package private(set) var skippedCount = 0

  private let limit: FlashLimit
  private let rate: Double
  /// The frames of a window of 60 ms, without the first one.
  private let window: Int
  private let first: Int
  private var frame: Int
  private var luminance = CellTracker(.luminance)
  private var red = CellTracker(.red)
  private var size = (columns: 0, rows: 0)
  /// The end of the last finding that was only counted.
  private var lastFurther = Int.min

  /// The last group with four concurrent transitions; counted for extended flashes.
  private var slower: FlashFinding?
  /// The frame one second after the first of the last four transitions, and the one a second after
  /// the last of seven transitions.
  private var activeUntil = Int.min
  private var flashingUntil = Int.min
  /// Whether each of the frames of five seconds had four to six transitions in its last second.
  private var active: [Bool]
  private var activeCount = 0

  /// Creates a tracker. `start` is the number of the first frame.
  package init(_ frameRate: FrameRate, _ limit: FlashLimit, start: Int = 0) {
    self.limit = limit
    rate = frameRate.value
    window = Int(rate * 0.06 + 1e-9)
    first = start
    frame = start
    // The limit bounds the memory; no usual frame rate reaches it.
    active = Array(repeating: false, count: max(1, Int(min(10_000, 5 * rate).rounded())))
  }

  /// Adds the next frame.
  package mutating func add(_ grid: FlashGrid) {
    size = (grid.columns, grid.rows)
    // Seven transitions are more than three flashes. The broadcast limit also considers slower
    // flashing, from four transitions per second.
    let needed = limit == .broadcast ? 4 : 7
    let light = luminance.add(grid.luminance, frame: frame, needed: needed, within: rate)
    let color = red.add(grid.red, frame: frame, needed: needed, within: rate)
    if light.rising > 0 { judge(luminance, isRising: true, isRed: false) }
    if light.falling > 0 { judge(luminance, isRising: false, isRed: false) }
    if color.rising > 0 { judge(red, isRising: true, isRed: true) }
    if color.falling > 0 { judge(red, isRising: false, isRed: true) }
    endFrame()
  }

  /// Adds frames that are equal to the previous one.
  package mutating func repeatFrame(_ times: Int = 1) { for _ in 0..<times { endFrame() } }

  /// Skips frames whose content is unknown. Transitions before and after them are independent.
  package mutating func skip(_ times: Int) {
    skippedCount += times
    luminance.reset()
    red.reset()
    activeUntil = .min
    repeatFrame(times)
  }

  // MARK: Flashes

  private mutating func judge(_ tracker: CellTracker, isRising: Bool, isRed: Bool) {
    func finding(_ kind: FlashFinding.Kind, _ needed: Int) -> FlashFinding? {
      guard
        let group = tracker.group(
          at: frame, isRising: isRising, needed: needed, within: rate, window: window),
        isLarge(group.cells)
      else { return nil }
      let (low, high) = tracker.extremes(of: group.cells)
      let peak = FlashFinding.Peak(
        frame: frame, before: group.before, columns: size.columns, rows: size.rows,
        cells: group.cells,
        share: Double(group.cells.count) / Double(size.columns * size.rows), low: low, high: high,
        isRed: isRed)
      // Two transitions are a flash.
      let flashes = Double(needed - 1) / 2
      return FlashFinding(
        kind, group.start...frame, rate: flashes * rate / Double(max(1, frame - group.start)),
        peak: peak)
    }
    let second = Int(rate.rounded())
    if let found = finding(.flashes, 7) {
      flashingUntil = frame + second
      append(found)
    }
    if limit == .broadcast, let found = finding(.extended, 4) {
      activeUntil = max(activeUntil, found.frames.lowerBound + second)
      slower = found
    }
  }

  private mutating func append(_ finding: FlashFinding) {
    var finding = finding
    if lastFurther >= finding.frames.lowerBound - 1 {
      lastFurther = finding.frames.upperBound
      return
    }
    while let index = findings.lastIndex(where: {
      $0.kind == finding.kind && $0.touches(finding)
    }) {
      var merged = findings.remove(at: index)
      merged.add(finding)
      finding = merged
    }
    if findings.count < FlashTracker.mostFindings {
      findings.append(finding)
    } else {
      furtherCount += 1
      lastFurther = finding.frames.upperBound
    }
  }

  /// Records whether four to six transitions have occurred within the last second, and reports if
  /// this held for more than four of the last five seconds.
  private mutating func endFrame() {
    defer { frame += 1 }
    let index = frame % active.count
    let isActive = frame < activeUntil && frame >= flashingUntil
    activeCount += (isActive ? 1 : 0) - (active[index] ? 1 : 0)
    active[index] = isActive
    guard isActive, activeCount * 5 > active.count * 4, let slower else { return }
    let frames = max(first, frame - active.count + 1)...frame
    append(FlashFinding(.extended, frames, rate: slower.rate, peak: slower.peak))
  }

  // MARK: Area

  /// Returns whether cells fill a quarter of the area that the limit names.
  private func isLarge(_ cells: [Int]) -> Bool {
    let (columns, rows) = size
    if limit == .broadcast { return 4 * cells.count >= columns * rows }
    // WCAG requires a quarter of any rectangle with a third of the frame's width and height, which
    // is 1/36 of the frame.
    guard 36 * cells.count >= columns * rows else { return false }
    // Sums of all cells above and to the left.
    var sums = Array(repeating: Int32(0), count: (columns + 1) * (rows + 1))
    for cell in cells {
      sums[(cell / columns + 1) * (columns + 1) + cell % columns + 1] = 1
    }
    for row in 1...rows {
      var sum: Int32 = 0
      for column in 1...columns {
        let index = row * (columns + 1) + column
        sum += sums[index]
        sums[index] = sum + sums[index - columns - 1]
      }
    }
    func line(_ row: Int, _ x: Range<Int>) -> Int {
      Int(sums[row * (columns + 1) + x.upperBound] - sums[row * (columns + 1) + x.lowerBound])
    }
    // The rectangles lie on a lattice of 24 by 24.
    func third(_ position: Int, of count: Int) -> Range<Int> {
      (position * count / 24)..<((position + 8) * count + 23) / 24
    }
    for top in 0...16 {
      let y = third(top, of: rows)
      for left in 0...16 {
        let x = third(left, of: columns)
        let count = line(y.upperBound, x) - line(y.lowerBound, x)
        if 4 * count >= x.count * y.count { return true }
      }
    }
    return false
  }
}
