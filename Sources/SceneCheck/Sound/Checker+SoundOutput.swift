// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneText

// `output { audio { … } }`: how sound is encoded.
extension Checker {
  func bitrate(of i: Instance, _ example: String) -> Double? {
    guard let (value, span) = value(.bitrate, of: i, now: now) else { return nil }
    if case .quantity(.constant(let bits), .bitrate) = value { return bits }
    mismatch("a bit rate", value, span, help: "such as \(example)")
    return nil
  }

  func soundOutput(of output: Instance) -> SoundOutput {
    var settings = SoundOutput()
    if let (value, span) = value(.audio, of: output, now: now),
      asWord(value, span, ["none"]) != nil
    {
      settings.isWanted = false
    }
    let tracks = output.children.filter { $0.kind == .soundTrack }
    guard let track = tracks.first else { return settings }
    if settings.isWanted == false || tracks.count > 1 {
      _ = fault(
        .propertyTwice, "'audio' is given twice in this output",
        at: tracks.last?.span ?? track.span,
        label: "remove one of them")
    }
    elaborate(track)
    settings.isWanted = true
    if let (value, span) = value(.codec, of: track, now: now),
      case .word(let words)? = use(of: .codec, in: track)?.type
    {
      settings.codec = asWord(value, span, words)
    }
    settings.bitrate = bitrate(of: track, "192kbps")
    func number(_ property: Property, _ range: ClosedRange<Double>, or fallback: Double) -> Double?
    {
      guard track.properties[property] != nil else { return nil }
      return constantNumber(property, of: track, in: range, or: fallback)
    }
    settings.loudness = number(.loudness, -70 ... -5, or: -14)
    settings.channels = number(.channels, 1...2, or: 2).map { Int($0) }
    settings.rate = number(.sampleRate, 8000...192_000, or: 48_000).map { Int($0) }
    if let (value, span) = value(.peak, of: track, now: now) {
      if case .quantity(.constant(let decibels), .gain) = value {
        settings.peak = decibels
        if !(-20...0).contains(decibels) {
          _ = fault(
            .outOfRange, "'peak' is \(NumberFormat().text(decibels))dB", at: span,
            label: "expected -20dB to 0dB")
        }
      } else {
        mismatch("a gain", value, span, help: "such as -1dB")
      }
    }
    return settings
  }
}
