// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel
import SceneSound
import SceneTestSupport
import Testing

/// The mix compared to a calculation in double precision.
@Suite("Mixer", .cpuBudget(seconds: 1)) struct MixerTests {
  @Test func samplesOfItsOwnRateAreCopied() throws {
    let sound = track(1, channels: 2)
    let source = Signals(Signal(sound, { k, channel in channel == 0 ? Double(k) / 96_000 : -0.25 }))
    let it = try mix([voice(sound, at: 0.25, to: 0.75, from: 0.5)], source, seconds: 1)
    // The 3 ms at each end are fades, because the material continues there.
    for k in 12_200..<35_800 {
      #expect(it.left[k] == Double(Float(Double(k + 12_000) / 96_000)) && it.right[k] == -0.25)
    }
    #expect(it.left[..<12_000].allSatisfy { $0 == 0 } && it.left[36_000...].allSatisfy { $0 == 0 })
    #expect(it.left.count == 48_000)
  }

  @Test func soundThatStartsLaterThanThePictureIsPlacedThere() throws {
    let sound = track(1, start: 0.125)
    let source = Signals(Signal(sound, { _, _ in 0.5 }))
    let it = try mix([voice(sound, to: 1)], source, seconds: 1)
    #expect(it.left.firstIndex { $0 > 0 } == 6000)
    // The material itself starts here, so there is no fade.
    #expect(it.left[6000] == 0.5)
  }

  static let chirp: @Sendable (Double) -> Double = { t in
    0.5 * Math.sin(2 * .pi * (20 * t + 4000 * t * t))
  }

  /// A chirp up to 16 kHz and tones are resampled precisely.
  @Test(arguments: [44_100, 96_000, 32_000]) func otherRatesAreResampled(_ rate: Int) throws {
    let sound = track(2.2, rate: rate)
    let top = rate == 32_000 ? 0.7 : 1.0
    let source = Signals(Signal(sound, { k, _ in Self.chirp(top * Double(k) / Double(rate)) }))
    let it = try mix([voice(sound, to: 2)], source, seconds: 2)
    let expected = (0..<96_000).map { Self.chirp(top * Double($0) / 48_000) }
    let off = residue(it.left[200..<95_000], expected[200..<95_000])
    #expect(off <= -110, "\(rate): \(off)")
  }

  @Test(arguments: [1000.0, 5000, 10_000, 15_000, 20_000]) func tonesKeepTheirShape(_ f: Double)
    throws
  {
    let sound = track(0.6, rate: 44_100)
    let source = Signals(Signal(sound, tone(f, 44_100)))
    let it = try mix([voice(sound, to: 0.5)], source, seconds: 0.5)
    let (sine, cosine) = (0..<24_000).reduce(into: (0.0, 0.0)) { sums, k in
      guard (1200..<22_800).contains(k) else { return }
      let angle = 2 * .pi * f * Double(k) / 48_000
      sums.0 += it.left[k] * Math.sin(angle) / 10_800
      sums.1 += it.left[k] * Math.cos(angle) / 10_800
    }
    let fitted = (1200..<22_800).map { k -> Double in
      let angle = 2 * .pi * f * Double(k) / 48_000
      return sine * Math.sin(angle) + cosine * Math.cos(angle)
    }
    // The tone has its full level, that of the passband.
    let level = 20 * Math.log(Math.hypot(sine, cosine) / 0.5) / Math.log(10)
    #expect(abs(level) < 0.02, "\(level) dB")
    let off = residue(it.left[1200..<22_800], fitted)
    #expect(off <= -115, "\(off) dB")
  }

  @Test func whatTheMixCannotHoldIsTakenAway() throws {
    let sound = track(0.6, rate: 96_000)
    let source = Signals(Signal(sound, tone(30_000, 96_000)))
    let it = try mix([voice(sound, to: 0.5)], source, seconds: 0.5)
    let off = residue(it.left[1200..<22_800], [Double](repeating: 0, count: 21_600))
    #expect(off <= -115, "\(off) dB")
    // This also holds for playback that is faster than the recording.
    let fast = Signals(Signal(track(2), tone(20_000)))
    let twice = try mix([voice(track(2), to: 0.5, speed: 2)], fast, seconds: 0.5)
    let rest = residue(twice.left[1200..<22_800], [Double](repeating: 0, count: 21_600))
    #expect(rest <= -110, "\(rest) dB")
  }

  @Test func speedsFollowWithPitch() throws {
    let sound = track(3)
    let source = Signals(Signal(sound, { k, _ in Self.chirp(Double(k) / 96_000) }))
    for speed in [0.5, 1.5, -1, -0.75] {
      let from = speed > 0 ? 0.25 : 2.75
      let it = try mix(
        [voice(sound, to: 1, from: from, speed: speed)], source, seconds: 1)
      // In reverse playback, a sample stands for the interval that ends with it.
      let expected = (0..<48_000).map { k in
        Self.chirp((from + Double(speed < 0 ? k + 1 : k) / 48_000 * speed) / 2)
      }
      let off = residue(it.left[300..<47_700], expected[300..<47_700])
      #expect(off <= -110, "\(speed): \(off)")
    }
  }

  @Test func backwardsIsTheMirrorImage() throws {
    let sound = track(1)
    let source = Signals(Signal(sound, { k, _ in Double(k % 1000) / 2000 }))
    let forwards = try mix([voice(sound, to: 1)], source, seconds: 1)
    let back = try mix([voice(sound, to: 1, from: 1, speed: -1)], source, seconds: 1)
    #expect(back.left == forwards.left.reversed())
  }

  @Test func loopsGoOnWithoutAGap() throws {
    let sound = track(1)
    let source = Signals(Signal(sound, { k, _ in Double(k % 1000) / 2000 }))
    let it = try mix(
      [voice(sound, to: 1, from: 0.25, loops: true, range: 0.25...0.375)], source, seconds: 1)
    for k in 0..<48_000 {
      #expect(it.left[k] == Double(Float(Double((12_000 + k % 6000) % 1000) / 2000)))
    }
    // At another rate the loop is read across its ends: 441 samples of a whole number of periods.
    let tones = Signals(Signal(track(1, rate: 44_100), tone(1000, 44_100)))
    let ring = voice(track(1, rate: 44_100), to: 1, loops: true, range: 0...0.01)
    let turning = try mix([ring], tones, seconds: 1)
    let expected = (0..<48_000).map { 0.5 * Math.sin(2 * .pi * Double($0) / 48) }
    #expect(residue(turning.left, expected) <= -110)
  }

  @Test func aCutThatGoesOnIsNotHeard() throws {
    for rate in [48_000, 44_100] {
      let sound = track(2, rate: rate)
      let source = Signals(Signal(sound, tone(997, Double(rate))))
      let whole = try mix([voice(sound, to: 1.5)], source, seconds: 1.5)
      let parts = [
        voice(sound, to: 0.5), voice(sound, at: 0.5, to: 1.0337, from: 0.5),
        voice(sound, at: 1.0337, to: 1.5, from: 1.0337),
      ]
      #expect(try mix(parts, source, seconds: 1.5).left == whole.left)
      // A cut to another position in the material is faded within 3 ms.
      let jump = [voice(sound, to: 0.5), voice(sound, at: 0.5, to: 1, from: 0.7003)]
      let cut = try mix(jump, source, seconds: 1)
      #expect(cut.left[24_000] == 0 && abs(cut.left[23_999]) < 0.01)
      #expect(cut.left[..<23_856] == whole.left[..<23_856])
    }
  }

  @Test func crossFadesKeepTheirPower() throws {
    let sound = track(3)
    let noise: @Sendable (Int, Int) -> Double = { k, _ in
      0.5 * (Noise.random(Double(k), 1) - 0.5)
    }
    let other: @Sendable (Int, Int) -> Double = { k, _ in
      0.5 * (Noise.random(Double(k), 2) - 0.5)
    }
    let source = Signals(Signal(sound, noise), Signal(sound, other))
    let it = try mix(
      [
        voice(sound, to: 2, fades: [fade(1, 2, isIn: false)]),
        voice(sound, clip: 1, at: 1, to: 3, fades: [fade(1, 2, isIn: true)]),
      ], source, seconds: 3)
    let power = 0.25 / 12.0
    for part in 0..<6 {
      let samples = it.left[part * 24_000..<(part + 1) * 24_000]
      let level = residue(samples, [Double](repeating: 0, count: 24_000))
      #expect(abs(level - 10 * Math.log(power) / Math.log(10)) < 0.1)
    }
    // A linear crossfade of two equal copies gives the original.
    let same = try mix(
      [
        voice(sound, to: 2, fades: [fade(1, 2, isIn: false, .linear)]),
        voice(sound, at: 1, to: 3, from: 1, fades: [fade(1, 2, isIn: true, .linear)]),
      ], source, seconds: 3)
    let alone = try mix([voice(sound, to: 3)], source, seconds: 3)
    #expect(residue(same.left, alone.left) < -130)
  }

  /// The samples of a recorder whose clock is slow by 100 ppm are played at their true times.
  @Test func aWrongClockIsFollowed() throws {
    let lags = (0...4).map { Float(48 * $0) }
    let sound = ClipSound(
      codec: "pcm", rate: 48_000, channels: 1, start: .zero, sampleCount: 39 * 48_000, lags: lags)
    #expect(sound.lag(at: 25) == 120 && sound.lag(at: 100) == 192 && sound.lag(at: -1) == 0)
    let source = Signals(Signal(sound, tone(500)))
    let it = try mix([voice(sound, at: 0, to: 1, from: 30)], source, seconds: 1)
    // At 30 s, the sample 30 * 48,000 - 144 is played, and playback is slower by 0.01%.
    let expected = (0..<48_000).map { k in
      0.5 * Math.sin(2 * .pi * 500 * (30 + Double(k) * 0.9999 / 48_000 - 144 / 48_000.0))
    }
    #expect(residue(it.left[1000..<47_000], expected[1000..<47_000]) <= -80)
  }

  /// The number of channels, the speakers of the file, the channel with sound, and the expected
  /// levels.
  static let folds: [(Int, UInt64, Int, (Double, Double))] = [
    (1, 0, 0, (0.5, 0.5)), (2, 0, 1, (0, 0.5)), (6, 0, 2, (0.35355, 0.35355)), (6, 0, 3, (0, 0)),
    (6, 0, 4, (0.35355, 0)), (8, 0, 7, (0, 0.35355)),
    // 2.1 is not 3.0, 4.0 is not quad, and side channels are not back channels.
    (3, 0b1011, 2, (0, 0)), (3, 0b111, 2, (0.35355, 0.35355)), (4, 0b1_0000_0111, 3, (0.25, 0.25)),
    (4, 0, 3, (0, 0.35355)), (6, 0b110_0000_1111, 4, (0.35355, 0)),
    (7, 0b110_0011_0111, 4, (0, 0.35355)), (5, 0b110_0000_0111, 2, (0.35355, 0.35355)),
  ]

  @Test(arguments: folds.indices) func channelsAreFolded(_ index: Int) throws {
    let (channels, speakers, loud, sides) = Self.folds[index]
    let sound = track(0.5, channels: channels, speakers: speakers)
    let source = Signals(Signal(sound, { _, channel in channel == loud ? 0.5 : 0 }))
    let it = try mix([voice(sound, to: 0.5)], source, seconds: 0.5)
    #expect(abs(it.left[9000] - sides.0) < 1e-5 && abs(it.right[9000] - sides.1) < 1e-5)
  }
}
