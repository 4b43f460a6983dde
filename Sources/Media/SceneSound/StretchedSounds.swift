// SPDX-License-Identifier: MIT
import SceneModel

/// A source that provides time-stretched audio as additional clips, for voices with changed speed
/// and constant pitch. Other clips are those of the underlying source. Used by one thread.
final class StretchedSounds: SoundSource {
  /// A part of a clip and its speed.
  private struct Part: Hashable {
    let clip: ClipDigest
    let samples: Range<Int>
    let speed: Double
  }

  private let source: any SoundSource
  private var numbers: [Part: UInt64] = [:]
  private var tracks: [StretchedTrack] = []

  init(_ source: any SoundSource) { self.source = source }

  func samples(_ clip: ClipDigest, from: Int, count: Int) throws -> [Float] {
    guard clip.high == .max, clip.low < UInt64(tracks.count) else {
      return try source.samples(clip, from: from, count: count)
    }
    return try tracks[Int(clip.low)].samples(from: from, count: count, source)
  }

  /// The additional material in seconds that is stretched on both sides of the audible part, if
  /// available, so that cuts within the material behave as usual.
  private static let margin = 0.1

  /// Returns a voice that plays a stretched clip at normal speed, if its pitch is constant;
  /// otherwise `voice` itself.
  func voice(_ voice: VoiceModel) -> VoiceModel {
    guard voice.keepsPitch, case .steady(let from, let speed, let loops) = voice.clock, speed != 1,
      speed >= 0.25, speed <= 4, voice.sound.channels > 0, voice.sound.channels <= 32
    else { return voice }
    let (sound, rate) = (voice.sound, Double(voice.sound.rate))
    func sample(_ ticks: Int64, _ margin: Double) -> Int {
      let seconds = Double(ticks - sound.start.rawValue) / Double(Ticks.perSecond) + margin
      let place = seconds * rate - sound.lag(at: seconds)
      return Int(max(0, min(Double(sound.sampleCount), place.rounded())))
    }
    let heard =
      sample(
        voice.range.lowerBound, -StretchedSounds.margin)..<sample(
        voice.range.upperBound, StretchedSounds.margin)
    guard !heard.isEmpty else { return voice }
    // Times are relative to the first stretched sample.
    let zero =
      Double(sound.start.rawValue)
      + (Double(heard.lowerBound) / rate * Double(Ticks.perSecond)).rounded()
    func moved(_ ticks: Int64) -> Int64 { Int64(((Double(ticks) - zero) / speed).rounded()) }
    let part = Part(clip: voice.digest, samples: heard, speed: speed)
    let number = numbers[part] ?? UInt64(tracks.count)
    if numbers.updateValue(number, forKey: part) == nil {
      tracks.append(StretchedTrack(voice.digest, sound: sound, part: heard, speed: speed))
    }
    let range =
      moved(
        voice.range.lowerBound)..<max(
        moved(voice.range.lowerBound) + 1, moved(voice.range.upperBound))
    return VoiceModel(
      name: voice.name, span: voice.span, path: voice.path,
      digest: ClipDigest(high: .max, low: number), sound: tracks[Int(number)].sound,
      start: voice.start, end: voice.end,
      clock: .steady(from: Ticks(moved(from.rawValue)), speed: 1, loops: loops), range: range,
      left: voice.left, right: voice.right, fades: voice.fades, keepsPitch: false)
  }
}

/// A stretched part of a clip.
private struct StretchedTrack {
  let sound: ClipSound
  private let clip: ClipDigest
  private let part: Range<Int>
  private let ratio: Double
  private var stretcher: Stretcher?
  /// The number of input samples consumed.
  private var taken = 0
  /// Output samples from `position` on that have not been requested yet.
  private var waiting: [Float] = []
  private var position = 0

  private static let block = 4096

  init(_ clip: ClipDigest, sound: ClipSound, part: Range<Int>, speed: Double) {
    self.clip = clip
    self.part = part
    ratio = 1 / speed
    self.sound = ClipSound(
      codec: sound.codec, rate: sound.rate, channels: sound.channels, speakers: sound.speakers,
      start: .zero, sampleCount: Int((Double(part.count) / speed).rounded()))
  }

  /// Returns a range of output samples. Sequential access is fast; seeking backward restarts at the
  /// first sample.
  mutating func samples(from: Int, count: Int, _ source: any SoundSource) throws -> [Float] {
    if stretcher == nil || from < position {
      stretcher = Stretcher(
        rate: sound.rate, channels: sound.channels, ratio: ratio, count: part.count)
      (taken, waiting, position) = (0, [], 0)
    }
    let channels = sound.channels
    while position + waiting.count / channels < from + count, taken < part.count {
      let next = min(StretchedTrack.block, part.count - taken)
      let input = try source.samples(clip, from: part.lowerBound + taken, count: next)
      taken += next
      stretcher?.take(input, isLast: taken == part.count)
      waiting += stretcher?.ready() ?? []
      let gone = min(waiting.count / channels, from - position)
      if gone > 0 {
        waiting.removeFirst(gone * channels)
        position += gone
      }
    }
    let missing = (from + count - position) * channels - waiting.count
    if missing > 0 { waiting += [Float](repeating: 0, count: missing) }
    let first = (from - position) * channels
    let out = Array(waiting[first..<first + count * channels])
    waiting.removeFirst(first + count * channels)
    position = from + count
    return out
  }
}
