// SPDX-License-Identifier: MIT
import SceneModel
import SceneTestSupport
import Testing

@Suite("Times of clips", .cpuBudget(seconds: 1)) struct ClipGridTests {
  private static let milliseconds = TimeBase(1, 1000)

  private func times(
    _ shown: [Int64], _ base: TimeBase = milliseconds, last: Int64 = 0, nominal: FrameRate? = nil
  ) -> ClipTimes? {
    ClipTimes(shown: shown, in: base, lastDuration: last, nominal: nominal)
  }

  /// Returns timestamps rounded to milliseconds, as some containers store them.
  private func rounded(_ rate: FrameRate, _ count: Int, from start: Double = 0) -> [Int64] {
    (0..<count).map { Int64(((start + Double($0) / rate.value) * 1000).rounded()) }
  }

  @Test(arguments: [
    FrameRate(30, 1), FrameRate(30000, 1001), FrameRate(24000, 1001), FrameRate(24, 1),
    FrameRate(25, 1), FrameRate(60000, 1001), FrameRate(120, 1),
  ])
  func millisecondsAreSteps(_ rate: FrameRate) throws {
    let last = Int64((1000 / rate.value).rounded())
    for start in [0, 1.4, 0.0005, 5] {
      let found = try #require(times(rounded(rate, 900, from: start), last: last))
      #expect(found.rate == rate && found.isSteady && found.count == 900)
      let named = times(rounded(rate, 900, from: start), last: last, nominal: FrameRate(1000, 1))
      #expect(named == found, "a unit of time is not a rate")
    }
  }

  @Test func aCameraJitters() throws {
    let jitter: [Int64] = [0, 7, -8, 3, 8, -5, -2]
    let shown = (0..<300).map { frame -> Int64 in 3000 * Int64(frame) + 90 * jitter[frame % 7] }
    let found = try #require(times(shown, TimeBase(1, 90000)))
    #expect(found.rate == FrameRate(30, 1) && found.isSteady)
  }

  @Test func droppedPicturesStayGaps() throws {
    let shown: [Int64] = [0, 1, 2, 5, 6, 7, 8].map { $0 * 1001 }
    let found = try #require(
      times(shown, TimeBase(1, 30000), last: 1001, nominal: FrameRate(30000, 1001)))
    #expect(found.rate == FrameRate(30000, 1001) && !found.isSteady)
    #expect(found.start(of: 3) == FrameRate(30000, 1001).time(ofFrame: 5))
    #expect(found.length == FrameRate(30000, 1001).time(ofFrame: 9))
  }

  @Test func aRecordingOfAScreenHasItsOwnTimes() throws {
    let shown: [Int64] = [0, 7, 1500, 1533, 9000, 9011]
    let found = try #require(times(shown, nominal: FrameRate(1000, 1)))
    #expect(found.rate == nil)
    // Half a millisecond before the timestamp in the container.
    #expect(found.start(of: 2).seconds == 1.4995)
    #expect(found.picture(at: Ticks(Ticks.perSecond * 3 / 2)) == 2)
  }

  @Test(arguments: [(0, 3), (1000, 3), (2000, 4), (3900, 6), (4100, 3), (-5, 3)] as [(Int64, Int)])
  func theLastPictureLasts(_ row: (Int64, Int)) throws {
    let found = try #require(times([0, 1000, 2000], TimeBase(1, 30000), last: row.0))
    #expect(found.length == FrameRate(30, 1).time(ofFrame: row.1))
  }

  @Test func onePicture() throws {
    #expect(try #require(times([77], last: 500)).length.seconds == 0.5)
    #expect(try #require(times([77])).length.seconds == 0.04)
    #expect(try #require(times([77], nominal: FrameRate(50, 1))).length.seconds == 0.02)
  }

  @Test func whatMakesNoSense() {
    #expect(times([]) == nil)
    #expect(times([0, 0, 1]) == nil)
    #expect(times([2, 1]) == nil)
    #expect(times([.min, .max]) == nil)
    #expect(times([0, .max]) == nil)
    #expect(times([0, 1_000_000_000_000]) == nil)
    #expect(times([0, 1], TimeBase(Int64(Int32.max), 1)) == nil)
  }
}
