// SPDX-License-Identifier: MIT
package import SceneModel

/// What the sound of a scene follows from in a stretch of time, as bytes: equal ones mean equal samples.
///
/// It is the voices that live there, and what rests in it as its value.
package struct SoundContent {
  private let sound: SoundModel
  private let changes: Changes
  private var evaluator: Evaluator

  /// Ends of voices are faded where nobody goes on, and the limiter looks around.
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
  /// As it is in a stretch of time: when it ends after it, and what fades elsewhere, changes nothing there.
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
