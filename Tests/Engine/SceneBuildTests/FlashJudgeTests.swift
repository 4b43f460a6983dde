// SPDX-License-Identifier: MIT
import SceneBuild
import SceneDigest
import SceneFlash
import SceneIR
import SceneModel
import SceneStore
import SceneTestSupport
import Testing

/// Judging cached segments, with and without a cached verdict.
@Suite("Cached verdicts about flashes", .cpuBudget(seconds: 2)) struct FlashJudgeTests {
  private static let dark = FlashGrid(columns: 40, rows: 20)
  private static let light = FlashGrid(
    columns: 40, rows: 20, luminance: Array(repeating: 255, count: 800),
    red: Array(repeating: 0, count: 800))

  /// Returns the encoded grids of 30 frames.
  private static func grids(flashing: Bool) -> [UInt8] {
    var grids = FlashGrids()
    for frame in 0..<30 { grids.add(flashing && frame / 3 % 2 == 1 ? light : dark) }
    return grids.bytes
  }

  private static let still = grids(flashing: false)
  private static let strobe = grids(flashing: true)

  /// A segment of 30 frames. Its key is the digest of its name.
  private struct TestSegment {
    enum Source: CaseIterable { case cached, drawn, copied, withoutKey }

    var name: String
    var grids: [UInt8]
    var source = Source.cached

    /// Creates a segment whose name is different for each content.
    init(_ grids: [UInt8], _ source: Source = .cached, name: String? = nil) {
      (self.grids, self.source) = (grids, source)
      self.name = name ?? (grids == strobe ? "strobe" : "still")
    }

    var grid: SegmentGrids {
      let key = SHA256(of: Array(name.utf8))
      return switch source {
      case .cached: SegmentGrids(grids[...], key: key, isCached: true)
      case .drawn: SegmentGrids(grids[...], key: key)
      case .withoutKey: SegmentGrids(grids[...])
      case .copied: SegmentGrids()
      }
    }
  }

  private func findings(
    _ segments: [TestSegment], rate: FrameRate = FrameRate(30, 1), limit: FlashLimit = .web,
    start: Int = 0, count: Int = 30, store: PacketStore?,
    mostBuffered: Int = FlashJudge.mostBuffered
  ) -> FlashFindings {
    let judge = FlashJudge(
      rate, limit, start: start, store: store, mostBuffered: mostBuffered)
    for segment in segments { judge.add(segment.grid, count: count) }
    return judge.finish()
  }

  /// The grids of a video with a verdict are not judged again, so different grids change nothing.
  @Test func onlyTheSameVideoHasTheVerdict() {
    let store = PacketStore(StorePlace(nil))
    func flashes(
      _ segments: [TestSegment], rate: FrameRate = FrameRate(30, 1), limit: FlashLimit = .web,
      start: Int = 0, count: Int = 30
    ) -> Int {
      findings(segments, rate: rate, limit: limit, start: start, count: count, store: store)
        .ranges.count
    }
    let names = ["a", "b", "c"]
    #expect(flashes(names.map { TestSegment(Self.still, .drawn, name: $0) }) == 0)
    let replaced = names.map { TestSegment(Self.strobe, name: $0) }
    #expect(flashes(replaced) == 0)
    // Each of these is another video.
    #expect(flashes(replaced, rate: FrameRate(60, 1)) == 1)
    #expect(flashes(replaced, limit: .broadcast) == 1)
    #expect(flashes(replaced, start: 30) == 1)
    #expect(flashes(replaced, count: 29) == 1)
    #expect(flashes(replaced.reversed()) == 1)
    #expect(flashes(Array(replaced.prefix(2))) == 1)
    #expect(flashes(replaced + [TestSegment(Self.still)]) == 1)
    for index in names.indices {
      var other = replaced
      other[index].name = "d"
      #expect(flashes(other) == 1)
    }
    // The cached segments before a drawn one are judged as well.
    for source in [TestSegment.Source.drawn, .withoutKey, .copied] {
      var other = replaced
      other[2] = TestSegment(Self.still, source, name: "c")
      #expect(flashes(other) == 1, "\(source)")
    }
  }

  /// A store does not change the findings, in the first build or in later ones.
  @Test func findingsDoNotDependOnTheStore() {
    let kinds = TestSegment.Source.allCases.flatMap { source in
      [Self.still, Self.strobe].map { TestSegment($0, source) }
    }
    for first in kinds {
      for second in kinds {
        for third in kinds {
          let segments = [first, second, third]
          let expected = findings(segments, store: nil)
          for mostBuffered in [0, 400, FlashJudge.mostBuffered] {
            let store = PacketStore(StorePlace(nil))
            for _ in 0..<2 {
              let found = findings(segments, store: store, mostBuffered: mostBuffered)
              #expect(
                found.ranges == expected.ranges && found.furtherCount == expected.furtherCount
                  && found.skippedCount == expected.skippedCount,
                "\(segments.map(\.source)) \(segments.map(\.name)) \(mostBuffered)")
            }
          }
        }
      }
    }
  }

  /// Videos whose grids exceed the buffer have no verdict, whether drawn or cached.
  @Test func theBufferIsLimited() {
    let store = PacketStore(StorePlace(nil))
    let size = 3 * (Self.still.count + 128)
    for (mostBuffered, count) in [(size - 1, 1), (size, 0)] {
      let drawn = (0..<3).map { TestSegment(Self.still, .drawn, name: "\($0)") }
      _ = findings(drawn, store: store, mostBuffered: mostBuffered)
      let replaced = (0..<3).map { TestSegment($0 == 2 ? Self.strobe : Self.still, name: "\($0)") }
      let found = findings(replaced, store: store, mostBuffered: size + Self.strobe.count)
      #expect(found.ranges.count == count)
    }
  }

  /// A cancelled build has no verdict.
  @Test func cancelledBuildsKeepNothing() {
    let store = PacketStore(StorePlace(nil))
    let judge = FlashJudge(FrameRate(30, 1), .web, store: store) { true }
    for segment in [TestSegment(Self.strobe), TestSegment(Self.strobe)] {
      judge.add(segment.grid, count: 30)
    }
    #expect(judge.finish().ranges.isEmpty)
    #expect(findings([.init(Self.strobe), .init(Self.strobe)], store: store).ranges.count == 1)
  }

  /// A segment whose grids end too early is skipped.
  @Test func damagedGridsHaveNoVerdict() {
    let store = PacketStore(StorePlace(nil))
    for _ in 0..<2 {
      let found = findings(
        [TestSegment(Array(Self.still.prefix(20)), name: "short")], store: store)
      #expect(found.ranges.isEmpty && found.skippedCount == 30)
    }
  }
}
