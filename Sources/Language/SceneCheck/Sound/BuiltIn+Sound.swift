// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

extension BuiltIn {
  /// Functions that measure sounds.
  static let sound: [BuiltIn] = [
    BuiltIn(
      "level", taking: .sound("audio"), .optional(.frequency("from"), or: 20),
      .optional(.frequency("to"), or: 20_000), .optional(.seconds("smooth", in: 0...10), or: 0.1),
      gives: .number, moves: true,
      cost: .counted,
      summary:
        "Returns the current level of a sound, from 0 to 1; 'from' and 'to' select a frequency band."
    ) { site, audio, from, to, smooth throws(Reported) in
      guard from < to else {
        throw site.report(
          .wrongArguments, "'from' of 'level' must be below 'to'", label: "such as 20Hz and 150Hz")
      }
      let whole = from <= 20 && to >= 20_000
      let levels = try site.checker.levels(
        of: audio.instance, whole ? .power : .band(low: from, high: to), audio.span)
      guard site.checker.spend(levels.count / 10, site.call.span) else {
        throw site.checker.reports.expected(site.call.span)
      }
      let shares = SoundLevels.shares(levels, smooth: smooth)
      return .number(try site.level(shares, of: audio.instance, span: audio.span))
    },
    BuiltIn(
      "duck", taking: .gain("by"), .sounds("under"),
      .optional(.seconds("attack", in: 0...10), or: 0.25),
      .optional(.seconds("release", in: 0...30), or: 0.8), .optional(.gain("threshold"), or: -40),
      gives: .gain, moves: true, cost: .counted,
      summary: "Returns a gain that lowers a sound while others play."
    ) { site, by, voices, attack, release, threshold throws(Reported) in
      let how = SoundLevels.Ducking(
        gain: by, attack: attack, release: release, threshold: threshold)
      var speech: [Range<Int>] = []
      for voice in voices {
        speech += try site.checker.speech(of: voice.instance, above: threshold, voice.span)
      }
      return .quantity(try site.ducked(speech, how), .gain)
    },
    BuiltIn(
      "beats", taking: .sound("audio"), gives: .list,
      cost: .counted, summary: "Returns the times of the beats of a piece of music, as a list."
    ) { site, audio throws(Reported) in
      let beats = try site.checker.beats(of: audio.instance, audio.span)
      return .list(try site.times(of: beats, in: audio).map { .quantity(.constant($0), .time) })
    },
  ]
}

/// A sound or a clip as an argument.
struct NamedSound {
  let instance: ElementNode
  let span: SourceSpan
}

extension Parameter<NamedSound> {
  static func sound(_ name: String) -> Parameter {
    of(name, .element) { site, it throws(Reported) in try site.sound(it.value, it.span) }
  }
}

extension Parameter<[NamedSound]> {
  /// Returns a parameter that accepts a single sound or a list of sounds.
  static func sounds(_ name: String) -> Parameter {
    of(name, .element) { site, it throws(Reported) in
      guard case .list(let items) = it.value else { return [try site.sound(it.value, it.span)] }
      var sounds: [NamedSound] = []
      for item in items { sounds.append(try site.sound(item, it.span)) }
      return sounds
    }
  }
}

extension Parameter<Double> {
  /// Returns a parameter that accepts a frequency in Hz.
  fileprivate static func frequency(_ name: String) -> Parameter {
    of(name, .rate) { site, it throws(Reported) in
      guard case .quantity(.constant(let perTick), .rate) = it.value else {
        site.checker.mismatch(
          "a frequency", it.value, at: it.span, help: "write a frequency such as 150Hz")
        throw site.checker.reports.expected(it.span)
      }
      return max(0, min(100_000, perTick * Double(Ticks.perSecond)))
    }
  }

  fileprivate static func seconds(_ name: String, in range: ClosedRange<Double>) -> Parameter {
    of(name, .time) { site, it throws(Reported) in
      let ticks = try site.need(site.checker.asConstantTime(it.value, it.span))
      let seconds = ticks / Double(Ticks.perSecond)
      guard range.contains(seconds) else {
        throw site.report(
          .outOfRange, "'\(name)' of '\(site.call.name)' is \(NumberFormat().text(seconds))s",
          at: it.span, label: "expected 0s to \(NumberFormat().text(range.upperBound))s")
      }
      return seconds
    }
  }

  /// Returns a parameter that accepts a gain in decibels, at most 0.
  fileprivate static func gain(_ name: String) -> Parameter {
    of(name, .gain) { site, it throws(Reported) in
      guard case .quantity(let scalar, .gain) = it.value, let decibels = scalar.constantValue else {
        site.checker.mismatch(
          "a gain that does not change", it.value, at: it.span, help: "write a gain such as -12dB")
        throw site.checker.reports.expected(it.span)
      }
      guard (-100...0).contains(decibels) else {
        throw site.report(
          .outOfRange, "'\(name)' of '\(site.call.name)' is \(NumberFormat().text(decibels))dB",
          at: it.span, label: "expected -100dB to 0dB")
      }
      return decibels
    }
  }
}

extension Site {
  fileprivate func sound(_ value: Value, _ span: SourceSpan) throws(Reported) -> NamedSound {
    guard case .element(let instance) = value, [.audio, .video].contains(instance.kind) else {
      checker.mismatch(
        "a sound", value, at: span, help: "use the name of an 'audio' or 'video' element")
      throw checker.reports.expected(span)
    }
    _ = try need(checker.footage(of: instance))
    return NamedSound(instance: instance, span: span)
  }

  /// Returns the times of beats in ticks of the current clock.
  fileprivate func times(of beats: Beats, in audio: NamedSound) throws(Reported) -> [Double] {
    let i = audio.instance
    let playing = checker.playing(of: i)
    guard i.properties[.time] == nil, playing.speed > 0, playing.ramp == nil else {
      throw report(
        .outOfRange, "'beats' requires a sound that plays forward",
        at: audio.span, label: "it has 'time', or a 'speed' that changes or is negative")
    }
    let start = Double(try need(checker.start(of: i, audio.span)).rawValue)
    var end = Double(try need(checker.end(of: i, audio.span)).rawValue)
    if let parent = i.parent, parent.properties[.for] != nil, parent.kind != .step {
      end = min(end, Double(try need(checker.shownEnd(of: parent, audio.span)).rawValue))
    }
    let zero = Double(
      try need(checker.start(of: context.timeBase ?? context.owner, call.span)).rawValue)
    let clip = try need(checker.footage(of: i))
    let first = Double((clip.info.sound?.start ?? .zero).rawValue)
    let to = playing.to ?? Double(clip.length(i.kind).rawValue)
    let length = max(1, to - playing.from)
    let rounds = min(playing.rounds, ((end - start) * playing.speed / length).rounded(.up))
    let material = beats.times.map { first + $0 * Double(Ticks.perSecond) }
      .filter { playing.from <= $0 && $0 < to }
    guard checker.spend(material.count * Int(max(1, rounds)), call.span) else {
      throw checker.reports.expected(call.span)
    }
    var times: [Double] = []
    for round in 0..<Int(max(1, rounds)) {
      let before = Double(round) * length - playing.from
      for beat in material {
        let time = start + (before + beat) / playing.speed
        if time < end { times.append((time - zero).rounded()) }
      }
    }
    return times
  }

  /// Returns the measured level at the current playback time, or 0 outside the lifetime.
  fileprivate func level(_ levels: [Float], of i: ElementNode, span: SourceSpan)
    throws(Reported) -> Scalar
  {
    let start = try need(checker.start(of: i, span))
    let end = try need(checker.end(of: i, span))
    let clip = try need(checker.footage(of: i))
    let time = checker.materialTime(
      of: i, start: start, length: clip.length(i.kind), at: context.now)
    let first = Double((clip.info.sound?.start ?? .zero).rawValue)
    let since = builder.subtract(time, .constant(first))
    let place = builder.divide(since, .constant(Checker.levelTicks))
    // The level of an interval of 1/100 s applies to its center.
    let level = builder.ease(builder.subtract(place, .constant(0.5)), .samples(levels))
    let isFrom = builder.make(.lessOrEqual, a: .constant(Double(start.rawValue)), b: context.now)
    let isBefore = builder.make(.less, a: context.now, b: .constant(Double(end.rawValue)))
    return builder.make(.multiply, a: level, b: builder.make(.and, a: isFrom, b: isBefore))
  }

  /// Returns the gain during the lifetime of the current element, in decibels.
  fileprivate func ducked(_ speech: [Range<Int>], _ how: SoundLevels.Ducking) throws(Reported)
    -> Scalar
  {
    var end = try need(checker.shownEnd(of: context.owner, call.span))
    // An element cannot outlast its ancestors.
    for around in sequence(first: context.owner, next: \.parent)
    where around.properties[.for] != nil && around.kind != .step {
      end = min(end, try need(checker.end(of: around, call.span)))
    }
    let last = Int(min(24 * 3600 * 100, Double(end.rawValue) / Checker.levelTicks))
    let gains = SoundLevels.ducked(speech, until: last, how)
    let place = builder.divide(context.now, .constant(Checker.levelTicks))
    return builder.ease(place, .samples(gains))
  }
}

extension Checker {
  /// The ticks in 1/100 s.
  static let levelTicks = Double(Ticks.perSecond) / Double(SoundMeasure.rate)

  static func decibels(_ factor: Double) -> Float {
    factor > 0 ? Float(20 * Math.log(factor) / Math.log(10)) : -200
  }
}
