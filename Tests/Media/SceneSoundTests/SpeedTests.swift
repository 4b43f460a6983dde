// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel
import SceneSound
import SceneTestSupport
import struct SceneTestSupport.FixedMetrics
import Testing

/// Speeds that keep the pitch, and mixes with a target loudness.
@Suite("Speed and loudness of a mix", .cpuBudget(seconds: 6)) struct SpeedTests {
  /// Returns the number of rises through zero.
  private func risings(_ samples: ArraySlice<Double>) -> Int {
    zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
  }

  @Test(arguments: [0.5, 0.8, 1.25, 2, 4]) func theirPitchStays(_ speed: Double) throws {
    let length = 1.5
    let sound = track(length * speed, rate: 44_100, channels: 2)
    let source = Signals(Signal(sound, tone(500, 44_100)))
    let voices = [voice(sound, to: 9, speed: speed, keepsPitch: true)]
    let it = try mix(voices, source, seconds: length + 0.25)
    let middle = Int(length * 24_000)
    #expect(abs(risings(it.left[middle - 12_000..<middle + 12_000]) - 250) <= 2)
    let heard = (middle - 12_000..<middle + 12_000).map { abs(it.left[$0]) }.max() ?? 0
    #expect(abs(heard - 0.5) < 0.05)
    // The length is right to the sample.
    let end = Int((length * 48_000).rounded())
    let last = it.left.lastIndex { abs($0) > 1e-4 } ?? 0
    #expect(last < end + 48 && last > end - 1200, "\(last) of \(end)")
    // Mixing in smaller parts gives the same samples.
    #expect(try mix(voices, source, seconds: length + 0.25, part: 1000).left == it.left)
  }

  @Test(arguments: [(0.5, 9.0), (0.8, 5), (1.5, 5), (2, 5)]) func clicksStayInTheirPlace(
    _ speed: Double, _ most: Double
  ) throws {
    let sound = track(4)
    let source = Signals(Signal(sound) { k, _ in k % 24_000 == 12_000 ? 0.9 : 0 })
    let it = try mix(
      [voice(sound, to: 4, from: 1, speed: speed, keepsPitch: true)], source, seconds: 1.2)
    let place = Int((0.25 / speed * 48_000).rounded())
    let near = max(0, place - 4000)..<place + 4000
    let click = near.max { abs(it.left[$0]) < abs(it.left[$1]) } ?? 0
    #expect(abs(Double(click - place)) / 48 <= most, "\(click - place) samples off")
  }

  @Test(arguments: [-14.0, -23]) func loudnessIsThatWhichIsAskedFor(_ target: Double) throws {
    let sound = track(6, channels: 2)
    // Noise of changing level, with peaks far above it.
    let source = Signals(
      Signal(sound) { k, _ in
        let loud = k / 48_000 % 2 == 0 ? 0.2 : 0.05
        return (Noise.random(Double(k), 4) - 0.5) * (k % 9000 < 20 ? 1.8 : loud)
      })
    let model = SoundModel(voices: [voice(sound, to: 6)])
    func mixer(gain: Double, peak: Double) -> Mixer {
      Mixer(
        model, duration: ticks(6), source: source, metrics: FixedMetrics(), gain: gain, peak: peak)
    }
    var plain: LoudnessMeter.Reading?
    let (gain, reached) = try Mixer.gain(
      to: target, peak: -1, plain: &plain, { () throws in }, mixer)
    var made = mixer(gain: gain, peak: -1)
    let reading = try made.measure()
    #expect(abs(reading.loudness - target) <= 0.1, "\(reading.loudness)")
    #expect(abs(reached - reading.loudness) <= 0.1, "\(reached)")
    // A known measurement is not repeated.
    let measured = plain
    let again = try Mixer.gain(to: target, peak: -1, plain: &plain, { () throws in }, mixer)
    #expect(again == (gain, reached) && plain == measured)
    #expect(reading.peak <= -0.9, "\(reading.peak)")
  }

  @Test func silenceStaysAsItIs() throws {
    var plain: LoudnessMeter.Reading?
    let (gain, _) = try Mixer.gain(to: -14, peak: -1, plain: &plain) { gain, peak in
      Mixer(
        SoundModel(), duration: ticks(2), source: Signals(), metrics: FixedMetrics(), gain: gain,
        peak: peak)
    }
    #expect(gain == 1)
  }
}
