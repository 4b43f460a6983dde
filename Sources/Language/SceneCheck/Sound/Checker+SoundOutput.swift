// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneText
import SceneTypes

// `output { audio { … } }`: settings for audio encoding.
extension Checker {
  func bitrate(of i: ElementNode, _ example: String) -> Double? {
    guard let (value, span) = value(.bitrate, of: i, now: now) else { return nil }
    if case .quantity(.constant(let bits), .bitrate) = value { return bits }
    mismatch("a bit rate", value, at: span, help: "write a bit rate such as \(example)")
    return nil
  }

  private func sampleRate(of track: ElementNode) -> Int? {
    guard let (value, span) = value(.sampleRate, of: track, now: now) else { return nil }
    let range = 8000.0...192_000
    guard case .quantity(.constant(let perTick), .rate) = value else {
      return Int(constantNumber(.sampleRate, of: track, in: range, or: 48_000))
    }
    let rate = (perTick * Double(Ticks.perSecond)).rounded()
    guard range.contains(rate) else {
      _ = report(
        .outOfRange, "'sample-rate' is \(text(at: span))", at: span,
        label: "expected 8kHz to 192kHz")
      return nil
    }
    return Int(rate)
  }

  /// Returns whether the value is `audio: none`. All other settings require a block.
  private func isSilenced(_ output: ElementNode) -> Bool {
    guard let (value, span) = value(.audio, of: output, now: now) else { return false }
    switch value {
    case .none, .poison, .word("none"): return true
    case .bool(.constant(let truth)):
      let diagnostic = Diagnostic(.unknownWord, "expected none, found true or false", at: span)
      report(
        truth == 0
          ? diagnostic.fixing("write none", replacing: span, with: "none")
          : diagnostic.advising(
            "remove 'audio'; the output includes the sound of the scene by default"))
    default:
      report(
        Diagnostic(.unknownWord, "expected none, found \(value.description)", at: span)
          .advising("write audio settings as a block, such as audio { codec: aac }"))
    }
    return true
  }

  func soundOutput(of output: ElementNode) -> SoundOutput {
    var settings = SoundOutput()
    if isSilenced(output) { settings.isWanted = false }
    let tracks = output.children.filter { $0.kind == .soundTrack }
    guard let track = tracks.first else { return settings }
    if settings.isWanted == false || tracks.count > 1 {
      _ = report(
        .propertyTwice, "duplicate 'audio' in an output",
        at: tracks.last?.span ?? track.span,
        label: "remove one of them")
    }
    elaborate(track)
    settings.isWanted = true
    if let (value, span) = value(.codec, of: track, now: now),
      case .word(let words)? = use(of: .codec, in: track)?.type
    {
      settings.codec = asWord(value, span, from: words)
    }
    settings.bitrate = bitrate(of: track, "192kbps")
    func number(_ property: Property, _ range: ClosedRange<Double>, or fallback: Double) -> Double?
    {
      guard track.properties[property] != nil else { return nil }
      return constantNumber(property, of: track, in: range, or: fallback)
    }
    if case (.quantity(_, .gain), let span)? = value(.loudness, of: track, now: now) {
      let number = text(at: span).replacing("dB", with: "")
      report(
        Diagnostic(.typeMismatch, "expected a number of LUFS, found a gain", at: span)
          .fixing("write \(number)", replacing: span, with: number))
    } else {
      settings.loudness = number(.loudness, -70 ... -5, or: -14)
    }
    if let (value, span) = value(.channels, of: track, now: now),
      let word = asWord(value, span, from: ["stereo", "mono", "1", "2"])
    {
      settings.channels = ["mono", "1"].contains(word) ? 1 : 2
    }
    settings.rate = sampleRate(of: track)
    if let (value, span) = value(.bits, of: track, now: now) {
      settings.bits = asWord(value, span, from: ["16", "24", "32"]).flatMap { Int($0) }
    }
    if let (value, span) = value(.peak, of: track, now: now) {
      if case .quantity(.constant(let decibels), .gain) = value {
        settings.peak = decibels
        if !(-20...0).contains(decibels) {
          _ = report(
            .outOfRange, "'peak' is \(NumberFormat().text(decibels))dB", at: span,
            label: "expected -20dB to 0dB")
        }
      } else {
        mismatch("a gain", value, at: span, help: "write a gain such as -1dB")
      }
    }
    return settings
  }
}
