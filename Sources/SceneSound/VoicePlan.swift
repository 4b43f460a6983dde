// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel

/// What of a voice can be heard, in samples.
struct VoicePlan {
  let voice: VoiceModel
  let rate: MixRate
  /// Those of the mix in which it sounds.
  let life: Range<Int>
  /// The fades of the model, and those of ends within the material.
  private(set) var fades: [FadeModel]
  /// Samples of the material that are heard when it loops: they follow each other in a ring.
  let ring: Range<Int>?
  /// Whether the samples of the material are those of the mix, perhaps backwards.
  let isCopied: Bool

  private static let edge = Ticks.perSecond * 3 / 1000
  private static let second = Double(Ticks.perSecond)

  /// Plans of all voices that can be heard, in their order.
  static func all(of sound: SoundModel, at rate: MixRate) -> [VoicePlan] {
    var plans = sound.voices.compactMap { VoicePlan($0, at: rate) }
    let alone = plans
    for index in plans.indices { plans[index].addEdges(alone) }
    return plans
  }

  /// `nil` when nothing of it is heard.
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

  /// The sample of the mix nearest to a time in ticks.
  private static func sample(_ ticks: Double, _ rate: MixRate) -> Int {
    let sample = (ticks / Double(rate.sampleTicks)).rounded()
    return Int(max(0, min(1e12, sample)))
  }

  // MARK: Places in the material

  /// Samples of the material that pass for each of the mix; below 0 backwards. `nil` where that changes.
  var step: Double? {
    guard case .steady(_, let speed, _) = voice.clock else { return nil }
    return speed * Double(voice.sound.rate) / Double(rate.samples)
  }

  /// The time of the material, in ticks from the zero of the clip, at a sample of the mix, and how
  /// often a loop has begun again.
  ///
  /// Never a sum of steps: each follows from the number of the sample alone. Backwards, a sample is the
  /// stretch up to its end, so that what is heard is the mirror image of what is heard forwards.
  private func time(at sample: Int) -> (ticks: Double, turn: Double) {
    guard case .steady(let from, let speed, let loops) = voice.clock else { return (0, 0) }
    let place = Double(sample + (speed < 0 ? 1 : 0)) * Double(rate.sampleTicks)
    let ticks = Double(from.rawValue) + (place - Double(voice.start.rawValue)) * speed
    guard loops else { return (ticks, 0) }
    let (low, length) = (Double(voice.range.lowerBound), Double(voice.range.count))
    let turn = ((ticks - low) / length).rounded(.down)
    return (ticks - turn * length, turn)
  }

  /// The place in the material at a sample of the mix.
  func place(at sample: Int) -> (place: SamplePlace, turn: Double) {
    let (ticks, turn) = time(at: sample)
    return (place(ofTicks: ticks, isWhole: isCopied), turn)
  }

  /// The place in the material at a time of it.
  func place(ofTicks ticks: Double, isWhole: Bool = false) -> SamplePlace {
    let since = ticks - Double(voice.sound.start.rawValue)
    let seconds = (since / VoicePlan.second).rounded(.down)
    let samples = (since - seconds * VoicePlan.second) * Double(voice.sound.rate) / VoicePlan.second
    let counted = samples - voice.sound.lag(at: since / VoicePlan.second)
    let whole = isWhole ? counted.rounded() : counted.rounded(.down)
    let share = isWhole ? 0 : counted - whole
    return (Int(max(-1e12, min(1e12, seconds * Double(voice.sound.rate) + whole))), share)
  }

  // MARK: Ends

  /// Ends within the material are faded within 3 ms, but not where another voice goes on with what
  /// comes next, nor where the voice is silent anyway.
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

  /// Whether another voice, where it begins, plays what this one would have played.
  private func isContinued(by other: VoicePlan) -> Bool {
    guard ring == nil, other.ring == nil, let step, step == other.step else { return false }
    let (own, next) = (place(at: other.life.lowerBound), other.place(at: other.life.lowerBound))
    let off = Double(own.place.whole - next.place.whole) + own.place.share - next.place.share
    return voice.digest == other.voice.digest && abs(off) < 0.02
      && voice.left == other.voice.left && voice.right == other.voice.right
  }
}

/// A place between two samples: the number of the first, and the share of the way to the next.
typealias SamplePlace = (whole: Int, share: Double)
