// SPDX-License-Identifier: MIT
import SceneDigest
import SceneLanguage
import SceneLower
import SceneModel
import SceneRaster
import SceneSession
import SceneSound
import SceneSystem
import SceneVideo

/// Some frames of a scene, as far as they are heard.
struct SoundOfFilm {
  let model: SceneModel
  let frames: Range<Int>
  let metrics: PangoMetrics
  let resources: DrawingResources
}

/// A sound track as it was encoded by an earlier build, known by all that it follows from.
struct KeptSound {
  private let store: PacketStore
  private let key: SHA256
  let encoded: EncodedSound?
  /// Where it was too loud.
  private(set) var limited: Limited?

  /// The track begins with sample `first` of the mix, and has `count`.
  init(
    _ film: SoundOfFilm, _ settings: SoundSettings, in file: FileFormat, first: Int, count: Int,
    _ store: PacketStore
  ) throws {
    self.store = store
    let encoder = CanonicalEncoder()
    try encoder.encode(settings)
    try encoder.encode(file)
    for number in [first, count] { encoder.write(number) }
    key = SHA256(
      of: SegmentKeys.code.bytes + encoder.bytes
        + (try SegmentContent.sound(film.model, metrics: film.metrics)))
    guard let bytes = store.read(key) else {
      encoded = nil
      return
    }
    var reader = MessageReader(bytes.prefix(24))
    let (isLimited, decibels, time) = (reader.number(), reader.double(), reader.number())
    if isLimited == 1 { limited = Limited(decibels: decibels, time: Ticks(Int64(time))) }
    encoded = EncodedSound(bytes: bytes.dropFirst(24))
  }

  func keep(_ encoded: EncodedSound, _ limited: Limited?) {
    store.keep(
      message(limited == nil ? 0 : 1) + message(limited?.decibels ?? 0)
        + message(Int(limited?.time.rawValue ?? 0)) + encoded.bytes, key)
  }
}
