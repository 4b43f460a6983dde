// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel
import struct SceneModel.Program
import SceneSound
import SceneTestSupport
import struct SceneTestSupport.FixedMetrics
import Testing

/// Gains and clocks that follow curves, the limiter, and the division of a mix into parts.
@Suite("Curves of a mix", .cpuBudget(seconds: 2)) struct CurveTests {
  /// Returns a program whose nodes are computed at all times.
  private func program(_ nodes: [ProgramNode]) -> Program {
    var program = Program()
    program.nodes = nodes
    program.needed = nodes.map { _ in 0..<Int64.max }
    return program
  }

  private static let second = Double(Ticks.perSecond)

  @Test func gainsAreStraightLines() throws {
    // A ramp from 0 to 1 within a second.
    let program = program([
      ProgramNode(.now), ProgramNode(.progress, a: .node(0), b: .zero, c: .constant(Self.second)),
    ])
    let sound = track(2)
    let source = Signals(Signal(sound, { _, _ in 0.5 }))
    let it = try mix(
      [voice(sound, to: 2, left: .node(1), right: .constant(0.25))], source, seconds: 2,
      program: program)
    for k in 0..<48_000 { #expect(abs(it.left[k] - 0.5 * Double(k) / 48_000) < 1e-6) }
    #expect(it.left[48_000...].allSatisfy { $0 == 0.5 } && it.right.allSatisfy { $0 == 0.125 })
  }

  /// A mix of three voices with ramps, balances, fades, another rate and another speed equals the
  /// formulas.
  @Test func aWholeMixIsThatOfDoubles() throws {
    let program = program([
      ProgramNode(.now), ProgramNode(.progress, a: .node(0), b: .zero, c: .constant(Self.second)),
    ])
    let (a, b) = (track(3.2, rate: 44_100, channels: 2), track(3))
    let source = Signals(
      Signal(a) { k, c in MixerTests.chirp(Double(k) / 88_200) * (c == 0 ? 1 : -0.5) },
      Signal(b, tone(997, 48_000, 0.3)), Signal(b, tone(700, 48_000, 0.2)))
    let it = try mix(
      [
        voice(
          a, at: 0.25, to: 2.75, from: 0.1, left: .node(1), right: .constant(0.4),
          fades: [fade(0.25, 0.65, isIn: true), fade(2.35, 2.75, isIn: false)]),
        voice(
          b, clip: 1, at: 0.5, to: 2.5, from: 0.5, left: .constant(0.5), right: .constant(0.25)),
        voice(b, clip: 2, at: 1, to: 2, from: 0.3, speed: 1.5),
      ], source, seconds: 3, program: program)
    func sine(_ f: Double, _ t: Double) -> Double { Math.sin(2 * .pi * f * t) }
    func both(_ t: Double) -> (left: Double, right: Double) {
      var (left, right) = (0.0, 0.0)
      if (0.25..<2.75).contains(t) {
        let rise = min(1, (t - 0.25) / 0.4)
        let fall = min(1, (2.75 - t) / 0.4)
        let fade = Math.sin(.pi / 2 * rise) * Math.sin(.pi / 2 * fall)
        let value = MixerTests.chirp((t - 0.15) / 2) * fade
        (left, right) = (value * min(1, t), value * -0.2)
      }
      if (0.5..<2.5).contains(t) {
        (left, right) = (left + 0.15 * sine(997, t), right + 0.075 * sine(997, t))
      }
      if (1..<2).contains(t) {
        let value = 0.2 * sine(700, 0.3 + (t - 1) * 1.5)
        (left, right) = (left + value, right + value)
      }
      return (left, right)
    }
    // A voice that starts or ends within its material has a fade of 3 ms, and the resampler extends
    // this a little.
    let ends = [0.25, 0.5, 1, 2, 2.5, 2.75]
    let judged = (0..<144_000).filter { k in
      ends.allSatisfy { abs(Double(k) / 48_000 - $0) > 0.0035 }
    }
    let expected = judged.map { both(Double($0) / 48_000) }
    let off = [
      residue(judged.map { it.left[$0] }, expected.map(\.left)),
      residue(judged.map { it.right[$0] }, expected.map(\.right)),
    ]
    #expect(it.limited == nil && off.allSatisfy { $0 <= -110 }, "\(off)")
  }

  @Test func aClockMayBeACurve() throws {
    // The clock runs twice as fast as the scene.
    let program = program([ProgramNode(.now), ProgramNode(.multiply, a: .node(0), b: .constant(2))])
    let sound = track(3)
    let source = Signals(Signal(sound, tone(1000)))
    let it = try mix([voice(sound, to: 1, clock: .node(1))], source, seconds: 1, program: program)
    let expected = (0..<48_000).map { 0.5 * Math.sin(2 * .pi * 2000 * Double($0) / 48_000) }
    #expect(residue(it.left[128..<47_800], expected[128..<47_800]) <= -110)
  }

  @Test func whatStandsStillIsSilentAndAJumpIsNoSweep() throws {
    // The time of the material stops at half a second.
    let half = Scalar.constant(Self.second / 2)
    let still = program([ProgramNode(.now), ProgramNode(.minimum, a: .node(0), b: half)])
    let sound = track(4)
    let source = Signals(Signal(sound, tone(1000)))
    let held = try mix([voice(sound, to: 1, clock: .node(1))], source, seconds: 1, program: still)
    #expect(held.left[24_064...].allSatisfy { $0 == 0 })
    let plain = (0..<23_900).map { 0.5 * Math.sin(2 * .pi * 1000 * Double($0) / 48_000) }
    #expect(residue(held.left[128..<23_900], plain[128..<23_900]) <= -110)
    // At half a second the material jumps forward by two seconds.
    let jump = program([
      ProgramNode(.now), ProgramNode(.lessOrEqual, a: half, b: .node(0)),
      ProgramNode(.multiply, a: .node(1), b: .constant(2 * Self.second)),
      ProgramNode(.add, a: .node(0), b: .node(2)),
    ])
    let cut = try mix([voice(sound, to: 1, clock: .node(3))], source, seconds: 1, program: jump)
    #expect(residue(cut.left[128..<23_870], plain[128..<23_870]) <= -110)
    let later = (24_200..<47_800).map { 0.5 * Math.sin(2 * .pi * 1000 * Double($0) / 48_000) }
    #expect(residue(cut.left[24_200..<47_800], later) <= -110)
    // A sweep over two seconds in 64 samples would be noise of all frequencies.
    #expect(cut.left[23_936..<24_000].allSatisfy { abs($0) < 1e-6 })
  }

  @Test func theLimiterHoldsThePeak() throws {
    let sound = track(3)
    // Between its samples, a tone at a quarter of the rate is 3 dB louder than the samples
    // themselves.
    let source = Signals(
      Signal(sound) { k, _ in
        (24_000..<26_400).contains(k) ? 1.4 * (k % 4 < 2 ? 0.7071 : -0.7071) : 0.1
      })
    let it = try mix([voice(sound, to: 3)], source, seconds: 3)
    let limited = try #require(it.limited)
    #expect(abs(limited.decibels - 3.92) < 0.4, "\(limited.decibels)")
    #expect(abs(limited.time.seconds - 0.5) < 0.06)
    let ceiling = Math.pow(10, -1.0 / 20)
    #expect((24_100..<26_300).allSatisfy { abs(it.left[$0]) < ceiling * 0.7072 })
    // The sound is unchanged until 5.4 ms before and from 100 ms after.
    let quiet = Double(Float(0.1))
    #expect(it.left[..<23_600].allSatisfy { $0 == quiet })
    #expect(it.left[31_400...].allSatisfy { $0 == quiet })
    let soft = try mix([voice(sound, to: 3, left: .constant(0.5))], source, seconds: 0.3)
    #expect(soft.limited == nil)
  }

  /// The limiter takes the same time at any rate, within a step of 2 ms.
  @Test(arguments: [8000, 11_025, 44_100, 64_000, 96_000, 192_000])
  func theLimiterHoldsThePeakAtAnyRate(_ rate: Int) throws {
    let sound = track(1, rate: rate)
    let source = Signals(
      Signal(sound) { k, _ in
        // Whole periods only, because partial ones have other peaks between their samples.
        let at = k - rate / 2
        return (0..<rate / 80 * 4).contains(at) ? 1.4 * (at % 4 < 2 ? 0.7071 : -0.7071) : 0.1
      })
    let it = try mix([voice(sound, to: 1)], source, seconds: 1, rate: rate)
    let limited = try #require(it.limited)
    #expect(it.left.count == rate)
    #expect(abs(limited.decibels - 3.92) < 0.4, "\(limited.decibels)")
    let ceiling = Math.pow(10, -1.0 / 20)
    let loud = rate / 2 + rate / 200..<rate / 2 + rate * 9 / 200
    #expect(loud.allSatisfy { abs(it.left[$0]) < ceiling * 0.7072 })
    let quiet = Double(Float(0.1))
    #expect(it.left[..<(rate * 48 / 100)].allSatisfy { $0 == quiet })
    #expect(it.left[(rate * 72 / 100)...].allSatisfy { $0 == quiet })
    #expect(it.left[rate * 58 / 100] < quiet)
  }

  /// Voices of all kinds, whose mix exceeds full scale.
  private static let crowd: (voices: [VoiceModel], source: Signals, program: Program) = {
    var program = Program()
    let second = Scalar.constant(Double(Ticks.perSecond))
    program.nodes = [
      ProgramNode(.now), ProgramNode(.divide, a: .node(0), b: second),
      ProgramNode(.multiply, a: .node(1), b: .constant(200)), ProgramNode(.sine, a: .node(2)),
      ProgramNode(.multiply, a: .node(0), b: .constant(0.8)),
    ]
    program.needed = program.nodes.map { _ in 0..<Int64.max }
    let (a, b) = (track(3, rate: 44_100, channels: 2), track(2))
    let source = Signals(
      Signal(a) { k, c in 0.8 * Math.sin(Double(k) * (c == 0 ? 0.031 : 0.02)) },
      Signal(b) { k, _ in 0.7 * (Noise.random(Double(k), 3) - 0.5) })
    return (
      [
        voice(a, to: 2.5, left: .node(3), fades: [fade(0, 0.4, isIn: true)]),
        voice(b, clip: 1, at: 0.3337, to: 2, from: 0.1, loops: true, range: 0.1...0.2),
        voice(a, at: 0.5, to: 2.2, from: 2, speed: -1.25),
        voice(a, at: 1, to: 1.9, clock: .node(4)), voice(b, clip: 1, at: 0.7, to: 1.4, speed: 1.5),
      ], source, program
    )
  }()

  @Test(arguments: [8000, 44_100, 192_000]) func bitsDoNotDependOnPartsAtAnyRate(_ rate: Int)
    throws
  {
    let (voices, source, program) = Self.crowd
    let whole = try mix(
      voices, source, seconds: 1.4, part: 1 << 20, program: program, rate: rate)
    let parts = try mix(voices, source, seconds: 1.4, part: 1000, program: program, rate: rate)
    #expect(whole.left.count == rate * 14 / 10 && whole.limited != nil)
    #expect(parts.left == whole.left && parts.right == whole.right)
    #expect(parts.limited == whole.limited)
  }

  @Test func bitsDoNotDependOnParts() throws {
    let (voices, source, program) = Self.crowd
    let whole = try mix(voices, source, seconds: 2.4, part: 65_536, program: program)
    #expect(whole.limited != nil)
    for part in [64, 1000, 4096] {
      let parts = try mix(voices, source, seconds: 2.4, part: part, program: program)
      #expect(parts.left == whole.left && parts.right == whole.right, "\(part)")
      #expect(parts.limited == whole.limited)
    }
    // The start of a part does not matter either, nor does a jump back.
    var mixer = Mixer(
      SoundModel(voices: voices, program: program), duration: ticks(2.4), source: source,
      metrics: FixedMetrics())
    for from in [70_001, 20_000, 100_000, 4096, 0] {
      let part = try mixer.mix(from: from, count: 1500)
      #expect((0..<1500).allSatisfy { Double(part[2 * $0]) == whole.left[from + $0] }, "\(from)")
    }
    // Outside its time range the mix is silent.
    #expect(try mixer.mix(from: -20, count: 20).allSatisfy { $0 == 0 })
    #expect(try mixer.mix(from: 115_200, count: 20).allSatisfy { $0 == 0 })
  }
}
