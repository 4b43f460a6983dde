// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneModel
import SceneSystem

/// The highest true peak of encoded sound that is above the peak of its file.
struct SoundOvershoot: Hashable, Sendable {
  /// In dBTP.
  let decibels: Double
  let time: Ticks

  /// The warning beside the head of the scene; `nil` where that line allows it.
  func warning(at places: ScenePlaces) -> Diagnostic? {
    guard !places.allowed.contains(Code.limitedSound.rawValue) else { return nil }
    let format = NumberFormat()
    let (peak, place) = (
      format.text((decibels * 10).rounded() / 10), format.text((time.seconds * 100).rounded() / 100)
    )
    return Diagnostic(
      .limitedSound, "the encoded audio exceeds its peak", at: places.scene,
      label: "true peak \(peak) dB at \(place)s",
      notes: [
        Note(help: "reduce 'volume' or 'loudness', or increase 'bitrate' of the output")
      ])
  }
}

/// How loud a mix is made for a file.
struct MixLevel: Sendable {
  /// A factor of amplitude.
  var gain = 1.0
  /// What the limiter holds the mix below, in dBTP.
  var ceiling: Double
  /// What the mix is to have, in LUFS; `nil` to leave it as it is.
  var loudness: Double?
  /// What the mix has with the gain, where a loudness is asked for.
  var reached = -Double.infinity
  /// `nil` where the encoded sound is below the peak of the file.
  var overshoot: SoundOvershoot?

  init(ceiling: Double, loudness: Double?) {
    (self.ceiling, self.loudness) = (ceiling, loudness)
  }

  /// `nil` for other bytes than `bytes`.
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
