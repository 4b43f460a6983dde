// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel
import SceneTestSupport
import Testing

@Suite("Time", .cpuBudget(seconds: 1)) struct TimeTests {
  @Test(arguments: [(24.0, 24, 1), (29.97, 30000, 1001), (23.976, 24000, 1001), (12.5, 25, 2)])
  func frameRates(_ row: (Double, Int64, Int64)) throws {
    let rate = try #require(FrameRate(row.0))
    #expect(rate == FrameRate(row.1, row.2))
  }

  @Test func framesAndTimesAgree() {
    for rate in [FrameRate(30, 1), FrameRate(30000, 1001), FrameRate(25, 1), FrameRate(7, 3)] {
      for frame in [0, 1, 2, 29, 30, 31, 1000, 107_892] {
        let time = rate.time(ofFrame: frame)
        #expect(rate.frames(before: time) == frame)
        #expect(rate.frames(before: Ticks(time.rawValue + 1)) == frame + 1)
      }
    }
    #expect(FrameRate(30, 1).frames(before: Ticks(10 * Ticks.perSecond)) == 300)
    #expect(FrameRate(30000, 1001).time(ofFrame: 30000).seconds == 1001)
  }

  @Test func refusedRates() {
    for value in [0, -1, .nan, .infinity, 0.00001] { #expect(FrameRate(value) == nil) }
  }

  @Test func numbersAsText() {
    var format = NumberFormat()
    #expect(format.text(3) == "3")
    #expect(format.text(0.1 + 0.2) == "0.3")
    #expect(format.text(-0.0000001) == "0")
    #expect(format.text(-1e300) == "-1e300")
    #expect(format.text(1.23456789e15) == "1.23457e15")
    #expect(format.text(9.9999999e15) == "1e16")
    #expect(format.text(.infinity) == "∞")
    #expect(format.text(-.infinity) == "-∞")
    #expect(format.text(.nan) == "?")
    format.decimals = 2
    format.group = " "
    format.sign = true
    #expect(format.text(1_234_567.891) == "+1 234 567.89")
    format = NumberFormat()
    format.digits = 3
    #expect(format.text(7) == "007")
  }

  @Test(arguments: [
    ("mm:ss", 75.0, "01:15"), ("m:ss.s", 61.25, "1:01.2"), ("h:mm:ss", 3725.0, "1:02:05"),
    ("s", 90.0, "90"), ("mm:ss", -5.0, "-00:05"),
    ("h:mm", 2_592_000.0, "720:00"), ("s", 1e18, "1e18"),
  ])
  func clocks(_ row: (String, Double, String)) {
    var format = NumberFormat()
    format.clock = row.0
    #expect(format.text(row.1 * Double(Ticks.perSecond)) == row.2)
  }

  @Test func clocksHaveAnyNumberOfDigits() {
    var format = NumberFormat()
    format.clock = "s." + String(repeating: "s", count: 40)
    let text = format.text(1.5 * Double(Ticks.perSecond))
    #expect(text.hasPrefix("1.50000") && text.count == 42, "\(text)")
  }

  /// Frames are counted at the nearest integer rate, as in non-drop-frame timecode (SMPTE ST 12-1).
  @Test(arguments: [
    ("hh:mm:ss:ff", 24.0, 3725.5, "01:02:05:12"), ("mm:ss:ff", 30.0, 0.0, "00:00:00"),
    ("hh:mm:ss:ff", 30_000.0 / 1001, 60.06, "00:01:00:00"),
    ("hh:mm:ss:ff", 30_000.0 / 1001, 3600, "00:59:56:12"), ("f", 25.0, 2.0, "50"),
    ("ss.ff", 50.0, 1.5, "01.25"),
  ])
  func timecodes(_ row: (String, Double, Double, String)) {
    var format = NumberFormat()
    format.clock = row.0
    format.frameRate = row.1
    #expect(format.text(row.2 * Double(Ticks.perSecond)) == row.3)
  }

  @Test(arguments: [
    ("mm:ss", nil), ("hh:mm:ss.sss", nil), ("s.ff", nil), ("mm:ss.mmm", "m"), ("ss.s:ff", "f"),
    ("HH:mm", "H"), ("m min", "i"),
  ])
  func clocksHaveKnownLetters(_ row: (String, Character?)) {
    #expect(NumberFormat.strangeLetter(in: row.0) == row.1)
  }

  @Test func noiseIsTheSameForEver() {
    #expect(Noise.random(1, 0) == Noise.random(1, 0))
    #expect(Noise.random(1, 0) != Noise.random(2, 0))
    #expect(Noise.smooth(3, seed: 1) == 0)
    let values = (0..<1000).map { Noise.smooth(Double($0) * 0.37, seed: 5) }
    #expect(values.allSatisfy { abs($0) <= 1 })
    let mean = (0..<10_000).map { Noise.random(Double($0), 7) }.reduce(0, +) / 10_000
    #expect(abs(mean - 0.5) < 0.02)
  }

  @Test func springsLand() {
    for damping in [0.05, 0.3, 0.65, 1, 2, 8] {
      let spring = Spring(damping: damping)
      #expect(spring.value(at: 0) == 0)
      #expect(spring.value(at: 1) == 1)
      #expect(abs(spring.value(at: 0.999) - 1) < 0.01, "\(damping)")
    }
  }
}
