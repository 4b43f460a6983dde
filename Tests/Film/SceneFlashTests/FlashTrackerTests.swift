// SPDX-License-Identifier: MIT
import SceneFlash
import SceneGraphics
import SceneIR
import SceneModel
import SceneTestSupport
import Testing

/// Synthetic videos of grids, without images.
@Suite("Flashes", .cpuBudget(seconds: 8)) struct FlashTrackerTests {
  private static let columns = 120
  private static let rows = 68

  private typealias Light = Cells.Light
  private typealias Picture = @Sendable (_ x: Int, _ y: Int, _ time: Double) -> Light

  private static func grid(_ picture: Picture, _ time: Double) -> FlashGrid {
    var grid = FlashGrid(for: PixelSize(1920, 1080))
    #expect(grid.columns == columns && grid.rows == rows)
    let cells = Cells(columns: columns, rows: rows) { picture($0, $1, time) }
    (grid.luminance, grid.red) = (cells.luminance, cells.red)
    return grid
  }

  private static func grids(_ seconds: Double, fps: Double, _ picture: Picture) -> [FlashGrid] {
    (0..<Int(seconds * fps)).map { grid(picture, Double($0) / fps) }
  }

  private static func findings(
    _ grids: [FlashGrid], fps: Int64 = 30, _ limit: FlashLimit = .web
  ) -> [FlashFinding] {
    var tracker = FlashTracker(FrameRate(fps, 1), limit)
    for grid in grids { tracker.add(grid) }
    return tracker.findings
  }

  /// Returns a square wave between two colors. Times are compared in whole microseconds, so that
  /// the frames of exact periods do not depend on rounding.
  private static func strobe(
    _ hertz: Double, from a: Light, to b: Light, phase: Double = 0
  ) -> Picture {
    { _, _, time in
      let position = ((time * hertz + phase) * 1e6).rounded() / 1e6
      return position - position.rounded(.down) < 0.5 ? a : b
    }
  }

  private static func within(
    _ isInside: @escaping @Sendable (_ x: Int, _ y: Int) -> Bool, _ picture: @escaping Picture
  ) -> Picture {
    { x, y, time in isInside(x, y) ? picture(x, y, time) : .gray(0.2) }
  }

  /// A video with the expected verdict of both rule sets.
  private struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let web: Bool
    let broadcast: Bool
    let picture: Picture

    init(_ name: String, web: Bool, broadcast: Bool, _ picture: @escaping Picture) {
      self.name = name
      self.web = web
      self.broadcast = broadcast
      self.picture = picture
    }

    var testDescription: String { name }
  }

  private static func failing(_ name: String, _ picture: @escaping Picture) -> Row {
    Row(name, web: true, broadcast: true, picture)
  }

  private static func passing(_ name: String, _ picture: @escaping Picture) -> Row {
    Row(name, web: false, broadcast: false, picture)
  }

  private static func hash(_ x: Int, _ y: Int, salt z: Int) -> Double {
    var value = UInt64(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663 ^ z &* 83_492_791)
    value = (value ^ value >> 29) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 32) &* 0x94D0_49BB_1331_11EB
    return Double(value >> 40) / Double(1 << 24)
  }

  private static let equalRed = Light(red: 0.5, green: 0, blue: 0)

  private static let videos: [Row] = [
    failing("full frame, 4 Hz", strobe(4, from: .black, to: .white)),
    failing("full frame, 5 Hz", strobe(5, from: .black, to: .white)),
    failing("full frame, 10 Hz", strobe(10, from: .black, to: .white)),
    failing("amplitude 0.12", strobe(5, from: .gray(0.3), to: .gray(0.42))),
    failing("sine, 5 Hz") { _, _, time in .gray(0.4 + 0.3 * Math.sin(time * 10 * .pi)) },
    failing("sweep from 2 to 6 Hz") { _, _, time in
      .gray(0.5 + 0.45 * Math.sin(2 * .pi * (2 * time + time * time / 3)))
    },
    failing("red and black", strobe(5, from: .black, to: Light(red: 0.4, green: 0, blue: 0))),
    failing(
      "red and gray of equal luminance", strobe(5, from: equalRed, to: .gray(equalRed.luminance))),
    failing("two halves in opposite phase") { x, y, time in
      strobe(5, from: .black, to: .white, phase: x < columns / 2 ? 0 : 0.5)(x, y, time)
    },
    failing("checkerboard of large cells") { x, y, time in
      strobe(5, from: .black, to: .white, phase: (x / 4 + y / 4) % 2 == 0 ? 0 : 0.5)(x, y, time)
    },
    failing(
      "30 % of the frame, luminance 0.20 and 0.45",
      within({ x, y in x < 60 && y < 41 }, strobe(5, from: .gray(0.2), to: .gray(0.45)))),
    Row(
      "15 % of the frame", web: true, broadcast: false,
      within({ x, y in x < 46 && y < 26 }, strobe(5, from: .black, to: .white))),
    Row(
      "4 % of the frame", web: true, broadcast: false,
      within({ x, y in x < 24 && y < 14 }, strobe(5, from: .black, to: .white))),
    passing(
      "2 % of the frame", within({ x, y in x < 17 && y < 10 }, strobe(5, from: .black, to: .white))),
    passing("1 Hz", strobe(1, from: .black, to: .white)),
    passing("amplitude 0.08", strobe(5, from: .gray(0.3), to: .gray(0.38))),
    passing("both states above 0.8", strobe(5, from: .gray(0.82), to: .white)),
    passing(
      "blue and gray of equal luminance",
      strobe(5, from: Light(red: 0, green: 0, blue: 1), to: .gray(0.0722))),
    passing("drifting noise") { x, y, time in
      .gray(hash((x + Int(time * 45)) / 3, (y + Int(time * 11)) / 3, salt: 1))
    },
    passing("noise of each frame") { x, y, time in .gray(hash(x, y, salt: Int(time * 30))) },
    passing("slow ramp") { _, _, time in .gray(0.5 + 0.4 * Math.sin(time * 2)) },
    passing("a cut every 0.4 s") { _, _, time in .gray(hash(1, 2, salt: Int(time / 0.4))) },
  ]

  @Test(arguments: videos)
  private func verdicts(_ row: Row) {
    let grids = Self.grids(3, fps: 30, row.picture)
    func flashes(_ limit: FlashLimit) -> Bool {
      Self.findings(grids, limit).contains { $0.kind == .flashes }
    }
    #expect(flashes(.web) == row.web, "web")
    #expect(flashes(.broadcast) == row.broadcast, "broadcast")
  }

  @Test(arguments: videos.share(every: 2))
  private func invariances(_ row: Row) {
    let grids = Self.grids(3, fps: 30, row.picture)
    let mirrored = grids.map(\.mirrored)
    for limit in FlashLimit.allCases {
      func isBad(_ grids: [FlashGrid]) -> Bool {
        Self.findings(grids, limit).contains { $0.kind == .flashes }
      }
      let verdict = isBad(grids)
      #expect(isBad(mirrored) == verdict, "mirrored, \(limit)")
      #expect(isBad(grids.reversed()) == verdict, "reversed, \(limit)")
      #expect(isBad([grids[0]] + grids) == verdict, "one frame later, \(limit)")
    }
  }

  @Test(arguments: [24, 25, 30, 50, 60] as [Int64])
  func exactlyThreeFlashesPass(_ fps: Int64) {
    let strobes = { (hertz: Double) in
      Self.findings(
        Self.grids(5, fps: Double(fps), Self.strobe(hertz, from: .black, to: .white)), fps: fps)
    }
    #expect(strobes(1 / 0.34) == [])
    #expect(!strobes(4).isEmpty)
    if fps % 6 == 0 { #expect(strobes(3) == []) }
  }

  @Test func rangesAndValues() throws {
    let strobe = Self.strobe(5, from: .gray(0.04), to: .gray(0.64))
    let grids = Self.grids(10, fps: 30) { x, y, time in
      (2..<4).contains(time) || (7..<8.5).contains(time) ? strobe(x, y, time) : .gray(0.04)
    }
    let findings = Self.findings(grids)
    try #require(findings.count == 2, "\(findings)")
    #expect(findings[0].frames == 63...120 && findings[1].frames == 213...252)
    for finding in findings {
      #expect(finding.kind == .flashes && abs(finding.rate - 5) < 0.01, "\(finding.rate)")
      let peak = finding.peak
      #expect(peak.share == 1 && peak.cells.count == Self.columns * Self.rows && !peak.isRed)
      #expect(abs(peak.low - 0.04) < 0.01 && abs(peak.high - 0.64) < 0.01)
      #expect(finding.frames.contains(peak.frame) && peak.frame - peak.before == 3)
    }
  }

  @Test func repeatedAndSkippedFrames() {
    let grids = Self.grids(3, fps: 30, Self.strobe(5, from: .black, to: .white))
    var repeating = FlashTracker(FrameRate(30, 1), .broadcast)
    for (index, grid) in grids.enumerated() {
      if index > 0, grid == grids[index - 1] {
        repeating.repeatFrame()
      } else {
        repeating.add(grid)
      }
    }
    #expect(repeating.findings == Self.findings(grids, .broadcast))
    var skipping = FlashTracker(FrameRate(30, 1), .web, start: 100)
    for second in 0..<3 {
      for grid in grids[(18 * second)..<(18 * second + 18)] { skipping.add(grid) }
      skipping.skip(30)
    }
    #expect(skipping.findings == [] && skipping.skippedCount == 90)
  }

  /// Returns the ranges of more than three flashes in less than a second, of a single cell.
  private static func flashes(
    of values: [UInt8], rate: Int, amount: (UInt8) -> Int, threshold: Int, ceiling: Int
  ) -> [ClosedRange<Int>] {
    var (low, high) = (values[0], values[0])
    var direction = 0
    var transitions: [Int] = []
    var ranges: [ClosedRange<Int>] = []
    for (frame, value) in values.enumerated() {
      let (rise, fall) = (amount(value) - amount(low), amount(high) - amount(value))
      if direction <= 0, rise >= threshold, amount(low) < ceiling {
        direction = 1
      } else if direction >= 0, fall >= threshold, amount(value) < ceiling {
        direction = -1
      } else {
        (low, high) = (min(low, value), max(high, value))
        continue
      }
      (low, high) = (value, value)
      transitions = transitions.suffix(6) + [frame]
      guard transitions.count == 7, frame - transitions[0] < rate else { continue }
      if let last = ranges.last, last.upperBound + 1 >= transitions[0] {
        ranges[ranges.count - 1] = last.lowerBound...frame
      } else {
        ranges.append(transitions[0]...frame)
      }
    }
    return ranges
  }

  /// The cells are compared in blocks of 64. Here, blocks contain cells that flash, cells that make
  /// a transition in every ninth frame, and cells that rest. One block rests, and the last block is
  /// shorter.
  @Test(arguments: [false, true]) func transitionsMatchTheirDefinition(isRed: Bool) {
    var count = 0
    for seed in 0..<60 as Range<UInt64> {
      var generator = Generator(seed: seed)
      let step = Int.random(in: 5...120, using: &generator)
      var value = Int.random(in: 0...255, using: &generator)
      let values = (0..<200).map { _ in
        value = min(255, max(0, value + Int.random(in: -step...step, using: &generator)))
        return UInt8(value)
      }
      let expected = Self.flashes(
        of: values, rate: 30, amount: { isRed ? Int($0) : Int($0) * Int($0) },
        threshold: isRed ? 16 : 6503, ceiling: isRed ? .max : 52020)
      let grids = values.enumerated().map { frame, value in
        let slow = UInt8(frame / 9 % 2 == 0 ? 20 : 220)
        let cells = (0..<247).map { cell in
          cell / 64 == 1 || cell % 13 > 9 ? 200 : cell % 13 < 7 ? value : slow
        }
        let rest = Array(repeating: UInt8(0), count: 247)
        return FlashGrid(
          columns: 13, rows: 19, luminance: isRed ? rest : cells, red: isRed ? cells : rest)
      }
      #expect(Self.findings(grids).map(\.frames) == expected, "seed \(seed)")
      count += expected.count
    }
    #expect(count > 20)
  }

  /// ITU-R BT.1702 also limits long series of slower flashes.
  @Test func extendedFlashes() {
    func kinds(_ hertz: Double, seconds: Double, limit: FlashLimit) -> [FlashFinding.Kind] {
      Self.findings(
        Self.grids(seconds, fps: 30, Self.strobe(hertz, from: .black, to: .white)), limit
      ).map(\.kind)
    }
    #expect(kinds(2.5, seconds: 8, limit: .broadcast) == [.extended])
    #expect(kinds(2.5, seconds: 4, limit: .broadcast) == [])
    #expect(kinds(1, seconds: 20, limit: .broadcast) == [])
    #expect(kinds(2.5, seconds: 8, limit: .web) == [])
    #expect(kinds(5, seconds: 8, limit: .broadcast) == [.flashes])
  }

  /// A video with many separate ranges.
  @Test func furtherFindingsAreCounted() {
    var tracker = FlashTracker(FrameRate(30, 1), .web)
    let flashing = Self.grids(1.5, fps: 30, Self.strobe(5, from: .black, to: .white))
    for _ in 0..<14 {
      for grid in flashing { tracker.add(grid) }
      tracker.repeatFrame(60)
    }
    #expect(tracker.findings.count == FlashTracker.mostFindings && tracker.furtherCount == 4)
  }

  @Test func sizesOfGrids() {
    for (width, height) in [(2, 2), (1, 1), (16, 4000), (4000, 16), (1080, 1920), (640, 360)] {
      let grid = FlashGrid(for: PixelSize(width, height))
      #expect(grid.columns >= 1 && grid.rows >= 1)
      #expect(grid.columns * 2 <= max(2, width) && grid.rows * 2 <= max(2, height))
    }
  }
}

extension FlashGrid {
  fileprivate var mirrored: FlashGrid {
    let cells = Cells(columns: columns, rows: rows, luminance: luminance, red: red).mirrored
    return FlashGrid(
      columns: columns, rows: rows, luminance: cells.luminance, red: cells.red)
  }
}
