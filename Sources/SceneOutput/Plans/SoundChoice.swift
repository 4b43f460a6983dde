// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel

/// The encoding of an output's audio: the requests of the scene, validated against the file.
struct SoundChoice {
  private let file: FileFormat
  private let shape: FilmShape
  private let block: OutputSettings?
  private let pictures: VideoCodec?

  /// `block` contains the scene's settings for the file; `pictures` is the codec of the video
  /// track, if any.
  init(
    _ file: FileFormat, _ shape: FilmShape, _ block: OutputSettings?, pictures: VideoCodec? = nil
  ) {
    self.block = block
    self.file = file
    self.shape = shape
    self.pictures = pictures
  }

  private func fault(_ message: String, _ note: String) -> PlanFault {
    .scene(
      Diagnostic(
        .invalidOutputSetting, message, at: block?.place(of: "audio") ?? shape.places.scene,
        notes: [Note(note)]))
  }

  /// Whether the file cannot contain the audio of the scene.
  var isLost: Bool {
    shape.isHeard && block?.sound.isWanted == nil
      && file.sounds(with: pictures).isEmpty
  }

  /// Returns the audio settings; `nil` if the scene is silent, its audio is disabled, or the file
  /// format does not support audio.
  func settings() throws(PlanFault) -> SoundSettings? {
    let asked = block?.sound ?? SoundOutput()
    let isHeard = asked.isWanted ?? shape.isHeard
    guard isHeard || file.isSound else { return nil }
    let codecs = file.sounds(with: pictures)
    guard let first = codecs.first else {
      guard asked.isWanted == nil else {
        let others = FileFormat.allCases.filter { !$0.sounds(with: nil).isEmpty }.map(\.ending)
        // Output to a pipe may be one of several files of a scene and need not support all its
        // settings.
        if file == .y4m { return nil }
        throw fault(
          "a \(file.ending) file holds no sound", "sound is for \(others.joined(separator: ", "))")
      }
      return nil
    }
    if !isHeard {
      let why = asked.isWanted == false ? "the scene says 'audio: none'" : "nothing sounds in it"
      throw .call("there is no sound for a \(file.ending) file: \(why)")
    }
    let codec = asked.codec.flatMap(SoundCodec.init) ?? first
    guard codecs.contains(codec) else {
      throw fault(
        "\(codec.title) sound cannot be in a \(file.ending) file",
        "a \(file.ending) file holds \(codecs.map(\.rawValue).joined(separator: ", "))")
    }
    var settings = SoundSettings(codec)
    if let bits = asked.bitrate {
      guard let range = codec.bitrates?.range else {
        throw fault("\(codec.title) keeps no bit rate", "leave 'bitrate' out")
      }
      guard range.contains(bits) else {
        throw fault(
          "\(codec.title) sound cannot have \(NumberFormat().text(bits / 1000)) kbps",
          "it goes from \(Int(range.lowerBound / 1000)) to \(Int(range.upperBound / 1000)) kbps")
      }
      settings.bitrate = bits
    }
    settings.loudness = asked.loudness
    settings.peak = asked.peak ?? -1
    settings.channels = asked.channels ?? 2
    settings.rate = asked.rate ?? SoundModel.rate
    let rates = codec.rates
    guard rates.isEmpty || rates.contains(settings.rate) else {
      throw fault(
        "\(codec.title) sound cannot have \(settings.rate) samples a second",
        "it can have \(rates.map(String.init).joined(separator: ", "))")
    }
    settings.bits = try depth(of: codec, asked.bits) ?? settings.bits
    return settings
  }

  private func depth(of codec: SoundCodec, _ asked: Int?) throws(PlanFault) -> Int? {
    guard let asked, !codec.depths.contains(asked) else { return asked }
    if codec.depths.isEmpty {
      throw fault(
        "\(codec.title) sound has no 'bits'",
        "they are for codec: pcm and codec: flac; a 'bitrate' says how much \(codec.title) keeps")
    }
    throw fault(
      "\(codec.title) sound cannot have \(asked) bits",
      "it can have \(codec.depths.map(String.init).joined(separator: ", "))")
  }
}
