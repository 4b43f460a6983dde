// SPDX-License-Identifier: MIT
import SceneGraphics
package import SceneText

/// The audio of a scene: the sum of its voices, in document order.
package struct SoundModel: Hashable, Sendable {
  /// The sample rate of the stereo mix in Hz.
  package static let rate = 48_000
  /// The duration of a sample in ticks.
  package static let sampleTicks = Ticks.perSecond / Int64(rate)

  /// The maximum amplitude factor of a voice, 80 dB.
  package static let greatestGain = 10_000.0

  package let voices: [VoiceModel]
  /// The program with the nodes that the scalars of voices refer to; only nodes that they need are
  /// computed.
  package let program: Program

  package init(voices: [VoiceModel] = [], program: Program = Program()) {
    self.voices = voices
    self.program = program
  }
}

/// The sound of a clip as one element plays it.
///
/// At a time within its lifetime, a voice is the sound of the media at the time that `clock`
/// returns, multiplied by `left` and `right` and the gains of all `fades`. Outside `range` the
/// media is silent.
package struct VoiceModel: Hashable, Sendable {
  /// The name of the element, for messages.
  package let name: String
  package let span: SourceSpan
  package let path: String
  package let digest: ClipDigest
  package let sound: ClipSound
  /// The lifetime is `start <= time < end`, relative to the start of the built scene.
  package let start: Ticks
  package let end: Ticks
  package let clock: VoiceClock
  /// The audible part of the media, in ticks from the start of the clip: its first frame, or its
  /// first sample if it has no video.
  package let range: Range<Int64>
  /// Amplitude factors: the combined volume and pan of the element and its ancestors.
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

extension VoiceModel {
  /// Returns the voice with other amplitude factors.
  package func with(left: Scalar, right: Scalar) -> VoiceModel {
    VoiceModel(
      name: name, span: span, path: path, digest: digest, sound: sound, start: start, end: end,
      clock: clock, range: range, left: left, right: right, fades: fades, keepsPitch: keepsPitch)
  }
}

extension VoiceModel: Encodable {
  /// The properties that affect the sound, without the name and source location.
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

/// The mapping from scene time to media time of a voice.
package enum VoiceClock: Hashable, Sendable, Encodable {
  /// Starts at `from` at the start of the voice's lifetime and advances by `speed` ticks of the
  /// media per tick of the scene; a negative speed plays backwards. With `loops`, times beyond one
  /// end of the range continue at the other end, for the voice's lifetime.
  case steady(from: Ticks, speed: Double, loops: Bool)
  /// The media time in ticks, as a function of scene time.
  case curve(Scalar)
}

/// A fade of a voice between silence and full amplitude.
package struct FadeModel: Hashable, Sendable, Encodable {
  /// The curve of the gain.
  package enum Law: String, Hashable, Sendable, Encodable {
    /// sin(πx/2): a crossfade of two different voices has constant power.
    case power
    /// x: a crossfade of two copies of one sound has constant amplitude.
    case linear
  }

  package let start: Ticks
  package let end: Ticks
  /// Whether this is a fade-in, as opposed to a fade-out.
  package let isIn: Bool
  package let law: Law

  package init(start: Ticks, end: Ticks, isIn: Bool, law: Law = .power) {
    self.start = start
    self.end = end
    self.isIn = isIn
    self.law = law
  }

  /// Returns the amplitude factor at a time.
  package func gain(at ticks: Double) -> Double {
    let length = Double(end.rawValue - start.rawValue)
    let since = ticks - Double(start.rawValue)
    let share = length > 0 ? max(0, min(1, since / length)) : since < 0 ? 0 : 1
    let x = isIn ? share : 1 - share
    return law == .linear ? x : Math.sinDegrees(90 * x)
  }
}
