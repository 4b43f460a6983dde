// SPDX-License-Identifier: MIT
import SceneIR
import SceneModel

/// The animated values of a voice at the start of each step of the mix, from step `first` on. A
/// constant value has a single element.
struct VoiceLines {
  /// The number of samples per step.
  let step: Int
  let first: Int
  var left: [Double] = []
  var right: [Double] = []
  /// The time in the material in ticks, if it is animated.
  var clock: [Double] = []

  /// Returns a value at a sample by linear interpolation between two steps.
  func value(_ line: [Double], at sample: Int) -> Double {
    guard line.count > 1 else { return line.first ?? 0 }
    let node = sample.quotientAndRemainder(dividingBy: step)
    let low = line[node.quotient - first]
    guard node.remainder > 0 else { return low }
    return low + (line[node.quotient - first + 1] - low) * Double(node.remainder) / Double(step)
  }
}

/// Evaluates the gains and clocks of voices.
struct VoiceCurves {
  private var evaluator: Evaluator
  private let changes: Changes
  private let rate: MixRate

  init(_ sound: SoundModel, at rate: MixRate, metrics: any TextMetrics) {
    self.rate = rate
    evaluator = Evaluator(sound.program, metrics: metrics)
    let end = sound.voices.map(\.end.rawValue).max() ?? 0
    changes = Changes(of: sound.program, within: 0..<max(1, end))
  }

  /// Returns the values of voices over some steps, plus one more step at each end for
  /// interpolation.
  ///
  /// Values are evaluated only within the lifetime of a voice, since others may be undefined.
  mutating func lines(_ voices: [VoiceModel], _ steps: Range<Int>) -> [VoiceLines] {
    let steps = steps.lowerBound - 1..<steps.upperBound + 2
    var lines = voices.map { _ in VoiceLines(step: rate.step, first: steps.lowerBound) }
    var times: [Int64: [Int]] = [:]
    for (index, voice) in voices.enumerated() {
      let last = max(voice.start.rawValue, voice.end.rawValue - 1)
      func time(_ step: Int) -> Int64 {
        let ticks = Int64(step * rate.step) * rate.sampleTicks
        return max(voice.start.rawValue, min(last, ticks))
      }
      let ends = time(steps.lowerBound)..<time(steps.upperBound - 1)
      let scalars = [voice.left, voice.right] + (voice.clockCurve.map { [$0] } ?? [])
      let rests = scalars.allSatisfy { changes($0).clamped(to: ends).isEmpty }
      // A constant clock needs all values, too, because the material stops.
      for step in rests && voice.clockCurve == nil ? steps.prefix(1) : steps {
        times[time(step), default: []].append(index)
      }
    }
    for (time, wanted) in times.sorted(by: { $0.key < $1.key }) {
      if voices.contains(where: \.hasCurves) { evaluator.evaluate(at: Ticks(time)) }
      for index in wanted {
        lines[index].left.append(VoiceLines.gain(evaluator(voices[index].left)))
        lines[index].right.append(VoiceLines.gain(evaluator(voices[index].right)))
        if let clock = voices[index].clockCurve { lines[index].clock.append(evaluator(clock)) }
      }
    }
    for (index, voice) in voices.enumerated() where voice.clockCurve != nil {
      lines[index].extend(
        over: voice.start.rawValue..<voice.end.rawValue, sampleTicks: rate.sampleTicks)
    }
    return lines
  }
}

extension VoiceLines {
  /// Returns a finite gain; NaN becomes silence.
  fileprivate static func gain(_ value: Double) -> Double {
    value > 0 ? min(value, SoundModel.greatestGain) : 0
  }

  /// Extrapolates the clock linearly before the start and after the end of a lifetime.
  fileprivate mutating func extend(over life: Range<Int64>, sampleTicks: Int64) {
    let step = Int64(step) * sampleTicks
    let times = clock.indices.map { Int64(first + $0) * step }
    if let start = times.firstIndex(where: { $0 > life.lowerBound }), start > 0 {
      let share =
        Double(life.lowerBound - times[start - 1]) / Double(times[start] - life.lowerBound)
      clock[start - 1] -= (clock[start] - clock[start - 1]) * share
    }
    if let last = times.lastIndex(where: { $0 < life.upperBound - 1 }), last + 1 < times.count {
      let share =
        Double(times[last + 1] - life.upperBound + 1) / Double(life.upperBound - 1 - times[last])
      clock[last + 1] += (clock[last + 1] - clock[last]) * share
    }
  }
}

extension VoiceModel {
  var clockCurve: Scalar? { if case .curve(let scalar) = clock { scalar } else { nil } }

  /// Whether any value must be evaluated.
  fileprivate var hasCurves: Bool {
    [left, right, clockCurve ?? .zero].contains { $0.constantValue == nil }
  }
}
