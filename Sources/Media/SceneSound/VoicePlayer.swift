// SPDX-License-Identifier: MIT
import SceneModel

/// Adds one voice to the mix.
struct VoicePlayer {
  let plan: VoicePlan
  private var material: Material

  /// The maximum number of samples computed at once, which limits the material in memory at high
  /// speeds.
  private static let most = 512

  init(_ plan: VoicePlan) {
    self.plan = plan
    material = Material(plan.voice)
  }

  /// Releases the cached material.
  mutating func forget() { material.forget() }

  /// Adds the voice's output for a range of mix samples to `sum`, which starts at sample `start`.
  mutating func add(
    _ range: Range<Int>, lines: VoiceLines, to sum: inout Stereo, from start: Int,
    tables: inout ResampleTables, source: some SoundSource
  ) throws {
    let range = range.clamped(to: plan.life)
    guard !range.isEmpty else { return }
    var runs: [VoiceRun] = []
    if plan.step == nil { runs = curvedRuns(range, lines) } else { runs = steadyRuns(range) }
    for run in runs where !run.places.isEmpty {
      let samples = try self.samples(of: run, tables: &tables, source: source)
      let place = run.first - start
      if let (left, right) = restingGains(run, lines) {
        for k in 0..<samples.count {
          sum.left[place + k] += left * samples.left[k]
          sum.right[place + k] += right * samples.right[k]
        }
        continue
      }
      let gains = self.gains(run, lines)
      for k in 0..<samples.count {
        sum.left[place + k] += Float(gains.left[k]) * samples.left[k]
        sum.right[place + k] += Float(gains.right[k]) * samples.right[k]
      }
    }
  }

  // MARK: Runs

  /// Returns runs without a discontinuity in the material.
  private func steadyRuns(_ range: Range<Int>) -> [VoiceRun] {
    var runs: [VoiceRun] = []
    var last: Double?
    for sample in range {
      let (place, turn) = plan.place(at: sample)
      if turn != last || runs[runs.count - 1].places.count == VoicePlayer.most {
        runs.append(VoiceRun(first: sample, ratio: abs(plan.step ?? 1)))
      }
      runs[runs.count - 1].places.append(place)
      last = turn
    }
    return runs
  }

  /// Returns one run per step in which the clock advances. Intervals in which the clock stops or
  /// jumps are silent, with a fade in the adjacent steps.
  private func curvedRuns(_ range: Range<Int>, _ lines: VoiceLines) -> [VoiceRun] {
    let clock = lines.clock
    let step = Double(Int64(plan.rate.step) * plan.rate.sampleTicks)
    func speed(_ at: Int) -> Double {
      clock.indices.contains(at) && at + 1 < clock.count ? (clock[at + 1] - clock[at]) / step : 0
    }
    func sounds(_ at: Int) -> Bool {
      let own = abs(speed(at))
      let beside = max(abs(speed(at - 1)), abs(speed(at + 1)))
      return own > 1e-9 && own <= 100 && (own <= 2 || own <= 4 * beside)
    }
    var runs: [VoiceRun] = []
    var sample = range.lowerBound
    while sample < range.upperBound {
      let node = sample / plan.rate.step
      let end = min(range.upperBound, (node + 1) * plan.rate.step)
      let at = node - lines.first
      if sounds(at) {
        var run = VoiceRun(first: sample, ratio: ladder(speed(at)))
        run.rise = sounds(at - 1) ? nil : node
        run.fall = sounds(at + 1) ? nil : node
        for sample in sample..<end {
          let ticks = lines.value(clock, at: sample)
          run.places.append(plan.place(ofTicks: ticks))
          let isInside = Double(plan.voice.range.lowerBound)...Double(plan.voice.range.upperBound)
          run.audible.append(isInside.contains(ticks))
        }
        runs.append(run)
      }
      sample = end
    }
    return runs
  }

  /// Returns the ratio for a varying speed, rounded up to one of few values to limit the number of
  /// tables.
  private func ladder(_ speed: Double) -> Double {
    let ratio = abs(speed) * Double(plan.voice.sound.rate) / Double(plan.rate.samples)
    var step = 1.0
    while step < ratio { step *= 1.25 }
    return step
  }

  // MARK: Samples

  private mutating func samples(
    of run: VoiceRun, tables: inout ResampleTables, source: some SoundSource
  ) throws -> Stereo {
    let wholes = run.places.map(\.whole)
    let (low, high) = (wholes.min() ?? 0, wholes.max() ?? 0)
    if plan.isCopied {
      let input = try material.samples(low..<high + 1, ring: plan.ring, source)
      return Stereo(
        wholes.map { input.left[$0 - low] }, wholes.map { input.right[$0 - low] })
    }
    let table = tables.table(run.ratio)
    let first = low - table.reach
    let input = try material.samples(
      first..<first + high - low + table.taps, ring: plan.ring, source)
    return table.samples(input, isMono: material.isMono, from: first, at: run.places)
  }

  /// Returns the left and right gains if they are constant within a run, and `nil` otherwise.
  private func restingGains(_ run: VoiceRun, _ lines: VoiceLines) -> (Float, Float)? {
    guard lines.left.count == 1, lines.right.count == 1, run.rise == nil, run.fall == nil,
      run.audible.isEmpty, !plan.fades.contains(where: { isFading($0, run) })
    else { return nil }
    return (Float(lines.left[0]), Float(lines.right[0]))
  }

  /// Returns whether a fade affects any sample of a run.
  private func isFading(_ fade: FadeModel, _ run: VoiceRun) -> Bool {
    let first = Int64(run.first) * plan.rate.sampleTicks
    let end = Int64(run.first + run.places.count) * plan.rate.sampleTicks
    return fade.isIn ? fade.end.rawValue > first : fade.start.rawValue < end
  }

  private func gains(_ run: VoiceRun, _ lines: VoiceLines) -> (left: [Double], right: [Double]) {
    let samples = run.first..<run.first + run.places.count
    var gains = (
      left: samples.map { lines.value(lines.left, at: $0) },
      right: samples.map { lines.value(lines.right, at: $0) }
    )
    func multiply(_ k: Int, _ factor: Double) {
      gains.left[k] *= factor
      gains.right[k] *= factor
    }
    for fade in plan.fades where isFading(fade, run) {
      for (k, sample) in samples.enumerated() {
        multiply(k, fade.gain(at: Double(sample) * Double(plan.rate.sampleTicks)))
      }
    }
    for (k, sample) in samples.enumerated() where run.rise != nil || run.fall != nil {
      if let node = run.rise {
        multiply(k, Double(sample - node * plan.rate.step) / Double(plan.rate.step))
      }
      if let node = run.fall {
        multiply(k, 1 - Double(sample - node * plan.rate.step) / Double(plan.rate.step))
      }
    }
    for (k, isAudible) in run.audible.enumerated() where !isAudible { multiply(k, 0) }
    return gains
  }
}

/// Consecutive mix samples whose material positions have no discontinuity.
struct VoiceRun {
  let first: Int
  /// The number of material samples per mix sample, regardless of direction.
  let ratio: Double
  var places: [SamplePlace] = []
  /// The steps in which the gain rises from 0 or falls to 0; `nil` if it does not.
  var rise: Int?
  var fall: Int?
  /// Whether each sample is in the audible part of the material. Empty if all are.
  var audible: [Bool] = []

  init(first: Int, ratio: Double) {
    self.first = first
    self.ratio = ratio
  }
}

/// The resampling tables by ratio.
struct ResampleTables {
  private var known: [Double: ResampleTable] = [:]
  /// The most frequently used table.
  private static let usual = ResampleTable(ratio: 1)

  mutating func table(_ ratio: Double) -> ResampleTable {
    let ratio = max(1, ratio)
    if ratio == 1 { return ResampleTables.usual }
    if let table = known[ratio] { return table }
    let table = ResampleTable(ratio: ratio)
    known[ratio] = table
    return table
  }
}
