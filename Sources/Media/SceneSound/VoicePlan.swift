// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel

/// The audible part of a voice, in samples.
struct VoicePlan {
  let voice: VoiceModel
  let rate: MixRate
  /// The range of mix samples in which the voice is audible.
  let life: Range<Int>
  /// The fades of the model, and those for cuts within the material.
  private(set) var fades: [FadeModel]
  /// The range of material samples that a loop repeats.
  let ring: Range<Int>?
  /// Whether material samples map one to one to mix samples, possibly in reverse.
  let isCopied: Bool

  private static let edge = Ticks.perSecond * 3 / 1000
  private static let second = Double(Ticks.perSecond)

  /// Returns the plans of all audible voices, in order.
  static func all(of sound: SoundModel, at rate: MixRate) -> [VoicePlan] {
    var plans = sound.voices.compactMap { VoicePlan($0, at: rate) }
    let alone = plans
    for index in plans.indices { plans[index].addEdges(alone) }
    return plans
  }

  /// Converts the times of a voice to samples; returns `nil` if the voice is inaudible.
  private init?(_ voice: VoiceModel, at mixRate: MixRate) {
    self.voice = voice
    self.rate = mixRate
    let rate = Double(voice.sound.rate)
    let first = VoicePlan.sample(Double(voice.start.rawValue), mixRate)
    let end = VoicePlan.sample(Double(voice.end.rawValue), mixRate)
    fades = voice.fades
    guard rate > 0, voice.sound.channels > 0, first < end, !voice.range.isEmpty else { return nil }
    switch voice.clock {
    case .steady(let from, let speed, let loops):
      guard speed != 0, speed.isFinite else { return nil }
      isCopied =
        abs(speed) == 1 && voice.sound.rate == mixRate.samples && voice.sound.lags.isEmpty
      if loops {
        let ends = [voice.range.lowerBound, voice.range.upperBound].map { tick in
          let seconds = Double(tick - voice.sound.start.rawValue) / VoicePlan.second
          return Int((seconds * rate - voice.sound.lag(at: seconds)).rounded())
        }
        guard ends[0] < ends[1] else { return nil }
        ring = ends[0]..<ends[1]
        life = first..<end
      } else {
        ring = nil
        let heard = [voice.range.lowerBound, voice.range.upperBound].map { tick in
          VoicePlan.sample(
            Double(voice.start.rawValue) + Double(tick - from.rawValue) / speed, mixRate)
        }
        let (low, high) = (max(first, heard.min() ?? 0), min(end, heard.max() ?? 0))
        guard low < high else { return nil }
        life = low..<high
      }
    case .curve:
      (life, ring, isCopied) = (first..<end, nil, false)
    }
  }

  /// Returns the sample of the mix nearest to a time in ticks.
  private static func sample(_ ticks: Double, _ rate: MixRate) -> Int {
    let sample = (ticks / Double(rate.sampleTicks)).rounded()
    return Int(max(0, min(1e12, sample)))
  }

  // MARK: Positions in the material

  /// The number of material samples per mix sample; negative in reverse. `nil` if it varies.
  var step: Double? {
    guard case .steady(_, let speed, _) = voice.clock else { return nil }
    return speed * Double(voice.sound.rate) / Double(rate.samples)
  }

  /// Returns the time in the material at a mix sample, in ticks from the zero of the clip, and the
  /// number of completed loops.
  ///
  /// The time is computed from the sample number and never accumulated. In reverse, a sample covers
  /// the interval up to its end, so the output is the exact mirror image of forward playback.
  private func time(at sample: Int) -> (ticks: Double, turn: Double) {
    guard case .steady(let from, let speed, let loops) = voice.clock else { return (0, 0) }
    let place = Double(sample + (speed < 0 ? 1 : 0)) * Double(rate.sampleTicks)
    let ticks = Double(from.rawValue) + (place - Double(voice.start.rawValue)) * speed
    guard loops else { return (ticks, 0) }
    let (low, length) = (Double(voice.range.lowerBound), Double(voice.range.count))
    let turn = ((ticks - low) / length).rounded(.down)
    return (ticks - turn * length, turn)
  }

  /// Returns the position in the material at a mix sample.
  func place(at sample: Int) -> (place: SamplePlace, turn: Double) {
    let (ticks, turn) = time(at: sample)
    return (place(ofTicks: ticks, isWhole: isCopied), turn)
  }

  /// Returns the position in the material at a time of the material.
  func place(ofTicks ticks: Double, isWhole: Bool = false) -> SamplePlace {
    let since = ticks - Double(voice.sound.start.rawValue)
    let seconds = (since / VoicePlan.second).rounded(.down)
    let samples = (since - seconds * VoicePlan.second) * Double(voice.sound.rate) / VoicePlan.second
    let counted = samples - voice.sound.lag(at: since / VoicePlan.second)
    let whole = isWhole ? counted.rounded() : counted.rounded(.down)
    let share = isWhole ? 0 : counted - whole
    return (Int(max(-1e12, min(1e12, seconds * Double(voice.sound.rate) + whole))), share)
  }

  // MARK: Edges

  /// Adds 3 ms fades for cuts within the material, except where another voice continues the
  /// material or the voice is silent.
  private mutating func addEdges(_ others: [VoicePlan]) {
    guard ring == nil, step != nil else { return }
    let start = Ticks(Int64(life.lowerBound) * rate.sampleTicks)
    let end = Ticks(Int64(life.upperBound) * rate.sampleTicks)
    let material = 0..<voice.sound.sampleCount
    let first = place(at: life.lowerBound - 1).place.whole
    let isCutIn =
      material.contains(first) && gain(at: start) > 0
      && !others.contains { $0.life.upperBound == life.lowerBound && $0.isContinued(by: self) }
    let last = place(at: life.upperBound).place.whole
    let isCutOut =
      material.contains(last) && gain(at: end) > 0
      && !others.contains { life.upperBound == $0.life.lowerBound && isContinued(by: $0) }
    let length = Int64(life.count) * rate.sampleTicks / 2
    let edge = min(VoicePlan.edge, length)
    if isCutIn { fades.append(FadeModel(start: start, end: start + Ticks(edge), isIn: true)) }
    if isCutOut { fades.append(FadeModel(start: end - Ticks(edge), end: end, isIn: false)) }
  }

  private func gain(at time: Ticks) -> Double {
    voice.fades.reduce(1) { $0 * $1.gain(at: Double(time.rawValue)) }
  }

  /// Returns whether another voice starts by playing exactly the continuation of this voice.
  private func isContinued(by other: VoicePlan) -> Bool {
    guard ring == nil, other.ring == nil, let step, step == other.step else { return false }
    let (own, next) = (place(at: other.life.lowerBound), other.place(at: other.life.lowerBound))
    let off = Double(own.place.whole - next.place.whole) + own.place.share - next.place.share
    return voice.digest == other.voice.digest && abs(off) < 0.02
      && voice.left == other.voice.left && voice.right == other.voice.right
  }
}

/// A position between two samples: the index of the first sample and the fraction of the distance
/// to the next.
typealias SamplePlace = (whole: Int, share: Double)
