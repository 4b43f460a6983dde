// SPDX-License-Identifier: MIT
import SceneGraphics
package import SceneText

/// All that sounds in a scene: the sum of its voices, in the order of the document.
package struct SoundModel: Hashable, Sendable {
  /// Samples a second of what is mixed, for each of two channels.
  package static let rate = 48_000
  /// Ticks of one sample.
  package static let sampleTicks = Ticks.perSecond / Int64(rate)

  /// The greatest factor of amplitude of a voice, 80 dB.
  package static let greatestGain = 10_000.0

  package let voices: [VoiceModel]
  /// The nodes that the scalars of voices name; only what they need is computed.
  package let program: Program

  package init(voices: [VoiceModel] = [], program: Program = Program()) {
    self.voices = voices
    self.program = program
  }
}

/// The sound of one clip, as one element plays it.
///
/// At a time within its life it is the sound of the material at the time that `clock` gives, times
/// `left` and `right`, times the gains of all `fades`. Outside `range` the material is silent.
package struct VoiceModel: Hashable, Sendable {
  /// What its element is called, for messages.
  package let name: String
  package let span: SourceSpan
  package let path: String
  package let digest: ClipDigest
  package let sound: ClipSound
  /// Sounds while `start <= time < end`, both counted from the start of the built scene.
  package let start: Ticks
  package let end: Ticks
  package let clock: VoiceClock
  /// The part of the material that is heard, in ticks from the zero of the clip: its first picture,
  /// or its first sample where it has none.
  package let range: Range<Int64>
  /// Factors of amplitude: volumes and pans of the element and all that is around it.
  package let left: Scalar
  package let right: Scalar
  package let fades: [FadeModel]
  package let keepsPitch: Bool

  package init(
    name: String, span: SourceSpan, path: String, digest: ClipDigest, sound: ClipSound,
    start: Ticks, end: Ticks, clock: VoiceClock, range: Range<Int64>, left: Scalar, right: Scalar,
    fades: [FadeModel], keepsPitch: Bool
  ) {
    self.name = name
    self.span = span
    self.path = path
    self.digest = digest
    self.sound = sound
    self.start = start
    self.end = end
    self.clock = clock
    self.range = range
    self.left = left
    self.right = right
    self.fades = fades
    self.keepsPitch = keepsPitch
  }
}

extension VoiceModel: Encodable {
  /// What it sounds like: not what it is called, nor where it is written.
  private enum CodingKeys: CodingKey {
    case digest, sound, start, end, clock, range, left, right, fades, keepsPitch
  }
}

extension VoiceModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    use(left)
    use(right)
    if case .curve(let time) = clock { use(time) }
  }
}

/// Which time of its material a voice plays.
package enum VoiceClock: Hashable, Sendable, Encodable {
  /// `from` at the start of the voice's life, and `speed` ticks of the material for each tick of the
  /// scene; below 0 it plays backwards. Where it `loops`, times beyond an end of the range go on at
  /// the other end, for as long as the voice lives.
  case steady(from: Ticks, speed: Double, loops: Bool)
  /// The time in ticks, at any time of the scene.
  case curve(Scalar)
}

/// A rise or a fall of a voice; before and after it the voice is silent or whole.
package struct FadeModel: Hashable, Sendable, Encodable {
  /// Which curve the gain takes.
  package enum Law: String, Hashable, Sendable, Encodable {
    /// sin(πx/2): two voices that cross have the power of one.
    case power
    /// x: two copies of one sound that cross have its amplitude.
    case linear
  }

  package let start: Ticks
  package let end: Ticks
  /// Whether the voice rises from silence, rather than falls to it.
  package let isIn: Bool
  package let law: Law

  package init(start: Ticks, end: Ticks, isIn: Bool, law: Law = .power) {
    self.start = start
    self.end = end
    self.isIn = isIn
    self.law = law
  }

  /// The factor of amplitude at a time.
  package func gain(at ticks: Double) -> Double {
    let length = Double(end.rawValue - start.rawValue)
    let since = ticks - Double(start.rawValue)
    let share = length > 0 ? max(0, min(1, since / length)) : since < 0 ? 0 : 1
    let x = isIn ? share : 1 - share
    return law == .linear ? x : Math.sinDegrees(90 * x)
  }
}
