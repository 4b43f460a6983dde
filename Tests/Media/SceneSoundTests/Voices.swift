// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel
import SceneSound
import struct SceneTestSupport.FixedMetrics
import SceneText

/// The sound of a clip, as a function of the sample number and the channel.
struct Signal: Sendable {
  let sound: ClipSound
  let value: @Sendable (Int, Int) -> Double

  init(_ sound: ClipSound, _ value: @escaping @Sendable (Int, Int) -> Double) {
    self.sound = sound
    self.value = value
  }
}

/// Clips whose digests are their indexes in a list.
struct Signals: SoundSource {
  let list: [Signal]

  init(_ list: Signal...) { self.list = list }

  func samples(_ clip: ClipDigest, from: Int, count: Int) throws -> [Float] {
    let it = list[Int(clip.low)]
    return (from..<from + count).flatMap { k in
      (0..<it.sound.channels).map { Float(it.value(k, $0)) }
    }
  }
}

/// Returns a sound track of some seconds.
func track(
  _ seconds: Double, rate: Int = 48_000, channels: Int = 1, speakers: UInt64 = 0, start: Double = 0
) -> ClipSound {
  ClipSound(
    codec: "pcm", rate: rate, channels: channels, speakers: speakers,
    start: ticks(start),
    sampleCount: Int((seconds * Double(rate)).rounded()))
}

func ticks(_ seconds: Double) -> Ticks {
  Ticks(Int64((seconds * Double(Ticks.perSecond)).rounded()))
}

/// Returns a voice with times in seconds.
func voice(
  _ sound: ClipSound, clip: UInt64 = 0, at start: Double = 0, to end: Double, from: Double = 0,
  speed: Double = 1, loops: Bool = false, range: ClosedRange<Double>? = nil, clock: Scalar? = nil,
  left: Scalar = .one, right: Scalar = .one, fades: [FadeModel] = [], keepsPitch: Bool = false
) -> VoiceModel {
  let range = range ?? 0...sound.start.seconds + Double(sound.sampleCount) / Double(sound.rate)
  return VoiceModel(
    name: "voice", span: SourceSpan(file: FileID(0), start: 0, end: 0), path: "voice.wav",
    digest: ClipDigest(high: 0, low: clip),
    sound: sound, start: ticks(start), end: ticks(end),
    clock: clock.map { .curve($0) } ?? .steady(from: ticks(from), speed: speed, loops: loops),
    range: ticks(range.lowerBound).rawValue..<ticks(range.upperBound).rawValue, left: left,
    right: right, fades: fades, keepsPitch: keepsPitch)
}

func fade(_ start: Double, _ end: Double, isIn: Bool, _ law: FadeModel.Law = .power) -> FadeModel {
  FadeModel(start: ticks(start), end: ticks(end), isIn: isIn, law: law)
}

/// Returns the left and right channels of a mix, made in parts of one size.
func mix(
  _ voices: [VoiceModel], _ source: Signals, seconds: Double, part: Int = 4096,
  program: Program = Program(), gain: Double = 1, rate: Int = 48_000
) throws -> (left: [Double], right: [Double], limited: Limited?) {
  var mixer = Mixer(
    SoundModel(voices: voices, program: program), duration: ticks(seconds), source: source,
    metrics: FixedMetrics(), rate: MixRate(for: rate), gain: gain)
  var all: [Float] = []
  for from in stride(from: 0, to: mixer.sampleCount, by: part) {
    all += try mixer.mix(from: from, count: min(part, mixer.sampleCount - from))
  }
  let pairs = stride(from: 0, to: all.count, by: 2)
  return (pairs.map { Double(all[$0]) }, pairs.map { Double(all[$0 + 1]) }, mixer.limited)
}

/// Returns the RMS difference of two signals in decibels relative to full scale.
func residue(_ a: some Sequence<Double>, _ b: some Sequence<Double>) -> Double {
  let squares = zip(a, b).map { ($0 - $1) * ($0 - $1) }
  let mean = squares.reduce(0, +) / Double(max(1, squares.count))
  return 10 * Math.log(max(mean, 1e-30)) / Math.log(10)
}

func tone(_ frequency: Double, _ rate: Double = 48_000, _ amplitude: Double = 0.5)
  -> @Sendable (
    Int, Int
  ) -> Double
{
  { k, _ in amplitude * Math.sin(2 * .pi * frequency * Double(k) / rate) }
}
