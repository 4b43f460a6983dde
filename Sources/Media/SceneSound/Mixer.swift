// SPDX-License-Identifier: MIT
import SceneGraphics
package import SceneModel

/// The mix of a scene's audio, with random access by sample number, in stereo.
///
/// Each sample depends only on its number, so the output does not depend on how many samples are
/// requested at once. Sequential access is fastest. Used by one thread.
package struct Mixer {
  package let rate: MixRate
  private let source: any SoundSource
  private var players: [VoicePlayer]
  private var curves: VoiceCurves
  private var tables = ResampleTables()
  private let limiter: Limiter
  private let gain: Float
  /// Whether both channels contain their mean.
  private let isMono: Bool
  /// The number of samples per channel.
  package let sampleCount: Int
  /// The computed sum of the voices: whole blocks from sample `first` on.
  private var window = Stereo(silent: 0)
  private var first = 0
  /// The excess in decibels of each step in the window, except at its ends.
  private var excesses: [Double] = []
  /// The strongest reduction in all requested samples; `nil` if nothing was limited.
  package var limited: Limited?

  private static let block = 4096

  /// `gain` is a linear factor for the whole mix, `peak` the limit in decibels. For a mono file,
  /// both channels contain their mean, so that the limit and the loudness are those of the file.
  package init(
    _ sound: SoundModel, duration: Ticks, source: any SoundSource, metrics: any TextMetrics,
    rate: MixRate = .usual, gain: Double = 1, peak: Double = -1, isMono: Bool = false
  ) {
    self.rate = rate
    self.isMono = isMono
    let stretched = StretchedSounds(source)
    let sound = SoundModel(voices: sound.voices.map(stretched.voice), program: sound.program)
    self.source = stretched
    self.gain = Float(gain)
    players = VoicePlan.all(of: sound, at: rate).map { VoicePlayer($0) }
    curves = VoiceCurves(sound, at: rate, metrics: metrics)
    limiter = Limiter(ceiling: Math.pow(10, peak / 20), step: rate.step)
    sampleCount = rate.sample(at: duration)
  }

  /// Returns interleaved stereo samples. Samples outside the scene are silent.
  package mutating func mix(from: Int, count: Int) throws -> [Float] {
    var out = [Float](repeating: 0, count: 2 * max(0, count))
    var at = max(0, from)
    let end = min(from + max(0, count), sampleCount)
    while at < end {
      let next = min(end, at + Mixer.block)
      try add(at..<next, to: &out, from: from)
      at = next
    }
    return out
  }

  private mutating func add(_ range: Range<Int>, to out: inout [Float], from: Int) throws {
    let step = rate.step
    let steps = range.lowerBound / step..<(range.upperBound - 1) / step + 1
    try fill(steps)
    let base = first / step
    var low = factor(at: steps.lowerBound - base)
    for number in steps {
      let high = factor(at: number - base + 1)
      let part = (number * step..<(number + 1) * step).clamped(to: range)
      for sample in part {
        let share = Double(sample - number * step) / Double(step)
        let factor = Float(low.factor + (high.factor - low.factor) * share)
        out[2 * (sample - from)] = window.left[sample - first] * factor
        out[2 * (sample - from) + 1] = window.right[sample - first] * factor
      }
      if high.decibels > limited?.decibels ?? 0 {
        let ticks = Int64((number + 1) * step) * rate.sampleTicks
        limited = Limited(decibels: high.decibels, time: Ticks(ticks))
      }
      low = high
    }
  }

  /// Returns the reduction at the start of a step of the window.
  private func factor(at step: Int) -> (factor: Double, decibels: Double) {
    let around = step - Limiter.behind - 1..<step + Limiter.ahead + 1
    let decibels = Limiter.reduction(excesses[around])
    return (decibels > 0 ? Math.pow(10, -decibels / 20) : 1, decibels)
  }

  // MARK: Window

  /// Extends the window to the given steps and the surrounding ones that the limiter needs.
  private mutating func fill(_ steps: Range<Int>) throws {
    let (step, block) = (rate.step, Mixer.block)
    // The step at the edge of a window has no excess, since the samples beyond are unknown.
    let low = (steps.lowerBound - Limiter.behind - 2) * step
    let end = (steps.upperBound + Limiter.ahead + 3) * step
    let start = Int((Double(low) / Double(block)).rounded(.down)) * block
    if start < first || start > first + window.count {
      (window, excesses, first) = (Stereo(silent: 0), [], start)
    }
    let gone = start - first
    if gone > 0 {
      window.left.removeFirst(gone)
      window.right.removeFirst(gone)
      excesses.removeFirst(min(excesses.count, gone / step))
      first = start
    }
    while first + window.count < end { try addBlock() }
    while (excesses.count + 1) * step + Limiter.reach <= window.count {
      excesses.append(excesses.isEmpty ? 0 : limiter.excess(window, at: excesses.count * step))
    }
  }

  /// Appends the sum of the voices in the next block.
  private mutating func addBlock() throws {
    let block = first + window.count..<first + window.count + Mixer.block
    var sum = Stereo(silent: block.count)
    let playing = players.indices.filter { players[$0].plan.life.overlaps(block) }
    if !playing.isEmpty {
      let steps = block.lowerBound / rate.step..<block.upperBound / rate.step
      let lines = curves.lines(playing.map { players[$0].plan.voice }, steps)
      for (index, lines) in zip(playing, lines) {
        try players[index].add(
          block, lines: lines, to: &sum, from: block.lowerBound, tables: &tables, source: source)
      }
    }
    for index in players.indices where players[index].plan.life.upperBound <= block.lowerBound {
      players[index].forget()
    }
    if isMono {
      for k in 0..<sum.count {
        let mean = (sum.left[k] + sum.right[k]) / 2
        (sum.left[k], sum.right[k]) = (mean, mean)
      }
    }
    if gain != 1 {
      for k in 0..<sum.count {
        sum.left[k] *= gain
        sum.right[k] *= gain
      }
    }
    window.left += sum.left
    window.right += sum.right
  }
}
