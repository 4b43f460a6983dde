// SPDX-License-Identifier: MIT
import SceneModel
import SceneTestSupport
import Testing

/// The frame of a clip at a time.
@Suite("Clip times", .cpuBudget(seconds: 1)) struct ClipTimesTests {
  private static let second = Ticks.perSecond

  /// Returns the clip frames that the frames of a video show, if both start together.
  private func shown(_ clip: FrameRate, in film: FrameRate, count: Int) -> [Int] {
    let times = ClipTimes(rate: clip, count: count)
    return (0..<film.frames(before: times.length)).map { times.picture(at: film.time(ofFrame: $0)) }
  }

  @Test(arguments: [
    (24, 1), (24000, 1001), (25, 1), (30000, 1001), (60000, 1001), (120, 1), (7, 3),
  ])
  func ofTheSameRateAreEqual(_ rate: (Int64, Int64)) {
    let rate = FrameRate(rate.0, rate.1)
    #expect(shown(rate, in: rate, count: 2000) == Array(0..<2000))
  }

  @Test func otherRatesRepeatOrLeaveOut() {
    #expect(
      shown(FrameRate(24, 1), in: FrameRate(60, 1), count: 4) == [0, 0, 0, 1, 1, 2, 2, 2, 3, 3])
    #expect(shown(FrameRate(60, 1), in: FrameRate(30, 1), count: 8) == [0, 2, 4, 6])
    // In 33.4 s, one frame is repeated and none is skipped.
    let shown = shown(FrameRate(30000, 1001), in: FrameRate(30, 1), count: 2000)
    let steps = zip(shown, shown.dropFirst()).map { $1 - $0 }
    #expect(Set(steps) == [0, 1] && steps.filter { $0 == 0 }.count == 2)
  }

  /// Reverse playback mirrors forward playback frame by frame.
  @Test(arguments: [(25, 1, 25, 1), (30000, 1001, 25, 1), (24, 1, 60, 1), (60, 1, 30000, 1001)])
  func backwardsIsTheMirrorImage(_ rates: (Int64, Int64, Int64, Int64)) {
    let film = FrameRate(rates.2, rates.3)
    let times = ClipTimes(rate: FrameRate(rates.0, rates.1), count: 300)
    // A whole number of frames, so that both ends coincide with frames.
    let count = film.frames(before: times.length) / 2
    let end = film.time(ofFrame: count)
    let forwards = (0..<count).map { times.picture(at: film.time(ofFrame: $0)) }
    let backwards = (0..<count).map {
      times.picture(at: end - film.time(ofFrame: $0), isBackwards: true)
    }
    let steps = (0..<count).map { times.picture(at: film.time(ofFrame: $0 + 1), isBackwards: true) }
    #expect(backwards == steps.reversed())
    if rates.0 == rates.2, rates.1 == rates.3 { #expect(backwards == forwards.reversed()) }
  }

  @Test func unevenTimes() {
    let starts = [0, 0.2, 0.21, 3, 3.5].map { Ticks(Int64($0 * Double(Self.second))) }
    let times = ClipTimes(starts: starts, length: Ticks(4 * Self.second))
    func picture(_ seconds: Double, _ isBackwards: Bool = false) -> Int {
      times.picture(at: Ticks(Int64(seconds * Double(Self.second))), isBackwards: isBackwards)
    }
    #expect(
      [-1, 0, 0.1, 0.2, 0.205, 0.21, 2.9, 3, 99].map { picture($0) } == [0, 0, 0, 1, 1, 2, 2, 3, 4])
    #expect(
      [-1, 0, 0.2, 0.21, 3, 3.5, 4, 99].map { picture($0, true) } == [0, 0, 0, 1, 2, 3, 4, 4])
    #expect(times.start(of: 3).seconds == 3 && times.rate == nil && !times.isSteady)
  }

  /// Rounding errors of times never select the previous frame.
  @Test func roundedTimesShowTheSame() {
    let times = ClipTimes(rate: FrameRate(60000, 1001), count: 500)
    for number in 0..<500 {
      let start = times.start(of: number)
      for miss in Int64(-2)...2 {
        #expect(times.picture(at: Ticks(start.rawValue + miss)) == number)
        let before = times.picture(at: Ticks(start.rawValue + miss), isBackwards: true)
        #expect(before == max(0, number - 1))
      }
    }
  }

  @Test func onePictureAndNone() {
    let one = ClipTimes(rate: FrameRate(25, 1), count: 1)
    #expect([-5, 0, 1 << 40].map { one.picture(at: Ticks($0)) } == [0, 0, 0])
    #expect(ClipTimes(rate: FrameRate(25, 1), count: 0).picture(at: .zero) == 0)
  }
}
