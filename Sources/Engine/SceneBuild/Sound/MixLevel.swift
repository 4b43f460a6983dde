// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneModel
import SceneSystem

/// The highest true peak of encoded audio that exceeds the peak limit of its file.
struct SoundOvershoot: Hashable, Sendable {
  /// The level in dBTP.
  let decibels: Double
  let time: Ticks

  /// Returns the warning at the head of the scene; `nil` if that line allows it.
  ///
  /// - Parameter isNormalized: Whether an output sets a loudness.
  func warning(at places: ScenePlaces, isNormalized: Bool) -> Diagnostic? {
    guard !places.allowed.contains(Code.limitedSound.rawValue) else { return nil }
    let format = NumberFormat()
    let (peak, place) = (
      format.text((decibels * 10).rounded() / 10), format.text((time.seconds * 100).rounded() / 100)
    )
    return Diagnostic(
      .limitedSound, "the encoded audio exceeds its peak limit", at: places.scene,
      label: "true peak \(peak) dB at \(place)s",
      notes: [
        Note(
          help:
            "reduce '\(isNormalized ? "loudness" : "volume")', or increase 'bitrate' of the output")
      ])
  }
}

/// The level at which a mix is produced for a file.
struct MixLevel: Sendable {
  /// The linear gain.
  var gain = 1.0
  /// The ceiling of the limiter in dBTP.
  var ceiling: Double
  /// The requested loudness in LUFS; `nil` to leave the level unchanged.
  var loudness: Double?
  /// The loudness of the mix after the gain, in LUFS, if a loudness was requested.
  var reached = -Double.infinity
  /// The overshoot of the encoded audio; `nil` if it stays below the peak limit of the file.
  var overshoot: SoundOvershoot?

  init(ceiling: Double, loudness: Double?) {
    (self.ceiling, self.loudness) = (ceiling, loudness)
  }

  /// Decodes the value of `bytes`; returns `nil` for invalid data.
  init?(_ bytes: ArraySlice<UInt8>) {
    var reader = MessageReader(bytes)
    gain = reader.double()
    ceiling = reader.double()
    let (isOver, decibels, time) = (reader.number(), reader.double(), reader.number())
    guard reader.isWhole, reader.isAtEnd else { return nil }
    if isOver == 1 { overshoot = SoundOvershoot(decibels: decibels, time: Ticks(Int64(time))) }
  }

  var bytes: [UInt8] {
    message(gain) + message(ceiling) + message(overshoot == nil ? 0 : 1)
      + message(overshoot?.decibels ?? 0) + message(Int(overshoot?.time.rawValue ?? 0))
  }
}
