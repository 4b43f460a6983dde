// SPDX-License-Identifier: MIT
package import SceneModel

/// The inputs of a scene's audio in an interval, as bytes. Equal bytes imply equal samples.
///
/// The bytes encode the voices that are alive in the interval, with constant numbers as values.
package struct SoundContent {
  private let sound: SoundModel
  private let changes: Changes
  private var evaluator: Evaluator

  /// The context on both sides. It decides which ends of voices are faded, because an end is not
  /// faded if another voice continues the material. The limiter looks ahead and back, too.
  private static let around = Ticks.perSecond

  package init(_ model: SceneModel, metrics: any TextMetrics) {
    sound = model.sound
    changes = Changes(of: sound.program, within: 0..<max(0, model.duration.rawValue))
    evaluator = Evaluator(sound.program, metrics: metrics)
  }

  package mutating func content(of time: Range<Int64>) throws -> [UInt8] {
    let begin = max(0, time.lowerBound - SoundContent.around)
    let end = max(begin, time.upperBound + SoundContent.around)
    evaluator.evaluate(at: Ticks(begin))
    let numbers = NumberWriter(
      program: sound.program, changes: changes, evaluator: evaluator, begin: begin,
      time: begin...end)
    let encoder = CanonicalEncoder { scalar, encoder in try numbers.write(scalar, encoder) }
    encoder.write(begin)
    encoder.write(end)
    let heard = sound.voices.filter { $0.start.rawValue <= end && $0.end.rawValue >= begin }
    try encoder.encode(heard.map { $0.heard(in: begin...end) })
    return encoder.bytes
  }
}

extension VoiceModel {
  /// Returns the voice as heard in an interval: without its end after the interval and fades
  /// outside it.
  fileprivate func heard(in time: ClosedRange<Int64>) -> VoiceModel {
    VoiceModel(
      name: name, span: span, path: path, digest: digest, sound: sound, start: start,
      end: Ticks(min(end.rawValue, time.upperBound)), clock: clock, range: range, left: left,
      right: right,
      fades: fades.filter {
        $0.isIn ? $0.end.rawValue > time.lowerBound : $0.start.rawValue < time.upperBound
      }, keepsPitch: keepsPitch)
  }
}
