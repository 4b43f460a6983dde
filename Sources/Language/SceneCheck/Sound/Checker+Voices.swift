// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneText
import SceneTypes

// The playback of a clip or sound by an element.
extension Checker {
  /// Returns the voice of an element, or `nil` if it is inaudible.
  func voice(of i: ElementNode, _ start: Ticks, _ place: SoundPlace) -> VoiceModel? {
    guard let clip = footage(of: i), !clip.isPlaceholder,
      let sound = clip.info.sound, sound.sampleCount > 0,
      let begin = Ticks(rounding: place.start), let end = Ticks(rounding: place.end), begin < end
    else { return nil }
    let length = clip.length(i.kind)
    let playing = playing(of: i)
    let from = Int64(playing.from)
    let to = max(from + 1, playing.to.map { Int64($0) } ?? length.rawValue)
    guard let clock = clock(of: i, start: start, length: length, in: place) else { return nil }
    let played = played(from..<to, by: clock, for: end - begin)
    warnOfInvalidSamples(in: played, of: clip, i)
    return VoiceModel(
      name: i.displayName, span: i.span, path: clip.path, digest: clip.info.digest, sound: sound,
      start: begin, end: end, clock: clock, range: from..<to, left: place.left, right: place.right,
      fades: place.fades, keepsPitch: keepsPitch(i, clock))
  }

  /// Returns the part of a range of the media that a clock reaches in a duration, in ticks.
  private func played(_ range: Range<Int64>, by clock: VoiceClock, for duration: Ticks)
    -> Range<Double>
  {
    let whole = Double(range.lowerBound)..<Double(range.upperBound)
    guard case .steady(let from, let speed, loops: false) = clock, speed.isFinite else {
      return whole
    }
    let start = Double(from.rawValue)
    let end = start + Double(duration.rawValue) * speed
    return (min(start, end)..<max(start, end)).clamped(to: whole)
  }

  /// Warns once for each file with samples that are NaN or infinite, if `range`, the played part in
  /// ticks, can contain any of them.
  private func warnOfInvalidSamples(in range: Range<Double>, of clip: Footage, _ i: ElementNode) {
    guard let found = clip.info.invalidSamples, let sound = clip.info.sound,
      let (_, span) = value(.source, of: i, now: now)
    else { return }
    let second = Double(Ticks.perSecond)
    let times = [found.first, found.last].map {
      Double(sound.start.rawValue) + Double($0) / Double(max(1, sound.rate)) * second
    }
    guard !range.isEmpty, times[0] < range.upperBound, times[1] >= range.lowerBound,
      soundsWithInvalidSamples.insert(clip.path).inserted
    else { return }
    let time = NumberFormat().text((times[0] / second * 1000).rounded() / 1000)
    let isOne = found.count == 1
    report(
      Diagnostic(
        .invalidSamples,
        "'\(clip.path)' has \(NumberFormat.count(found.count, of: "sample")) that \(isOne ? "is" : "are") NaN or infinite, \(isOne ? "" : "the first ")at \(time)s",
        at: span, label: isOne ? "this sample is silent" : "these samples are silent",
        notes: [Note(help: "export the file again, or repair it in an audio editor")]))
  }

  /// Returns the clock of a voice, or `nil` for a constant time, which is silent.
  private func clock(of i: ElementNode, start: Ticks, length: Ticks, in place: SoundPlace)
    -> VoiceClock?
  {
    let playing = playing(of: i)
    guard let outer = place.clock, i.properties[.time] == nil, playing.ramp == nil else {
      // Audio ignores `time-step`.
      let time = materialTime(of: i, start: start, length: length, at: now)
      return time.constantValue == nil ? .curve(time) : nil
    }
    let played = (outer.own(place.start) - Double(start.rawValue)) * playing.speed
    let edge =
      playing.speed < 0 ? playing.to ?? Double(length.rawValue) : playing.from
    guard let from = Ticks(rounding: edge + played) else { return nil }
    return .steady(from: from, speed: outer.speed * playing.speed, loops: playing.rounds > 1)
  }

  /// Returns whether the pitch is preserved: as `pitch` sets, by default if the speed allows good
  /// quality.
  private func keepsPitch(_ i: ElementNode, _ clock: VoiceClock) -> Bool {
    if let (value, span) = value(.pitch, of: i, now: now),
      let word = asWord(value, span, from: ["keep", "follow"])
    {
      guard word == "keep" else { return false }
      guard let reason = hindrance(to: clock) else { return true }
      report(
        Diagnostic(
          .pitchFollows, "the pitch of '\(i.displayName)' cannot be kept", at: span,
          label: reason))
      return false
    }
    return hindrance(to: clock) == nil
  }

  /// Returns the reason why a pitch cannot be preserved, or `nil`.
  private func hindrance(to clock: VoiceClock) -> String? {
    guard case .steady(_, let speed, _) = clock else {
      return "keeping the pitch requires a constant 'speed', without 'time'"
    }
    if speed < 0 { return "it plays backward" }
    if (0.25...4).contains(speed) { return nil }
    return "its speed is \(NumberFormat().text(speed)); keeping the pitch requires 0.25 to 4"
  }
}
