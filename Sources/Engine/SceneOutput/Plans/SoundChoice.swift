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
  /// Whether the file contains descriptions, which are audible in a silent scene.
  private let isDescribed: Bool

  /// `block` contains the scene's settings for the file; `pictures` is the codec of the video
  /// track, if any.
  init(
    _ file: FileFormat, shape: FilmShape, block: OutputSettings?, pictures: VideoCodec? = nil,
    isDescribed: Bool = false
  ) {
    self.isDescribed = isDescribed
    self.block = block
    self.file = file
    self.shape = shape
    self.pictures = pictures
  }

  private func failure(_ message: String, _ note: String) -> PlanError {
    .scene(
      Diagnostic(
        .invalidOutputSetting, message, at: block?.place(of: "audio") ?? shape.places.scene,
        notes: [Note(help: note)]))
  }

  /// Whether the file cannot contain the audio of the scene.
  var isLost: Bool {
    shape.isHeard && block?.sound.isWanted == nil
      && file.sounds(with: pictures).isEmpty
  }

  /// Returns the audio settings; `nil` if the scene is silent, its audio is disabled, or the file
  /// format does not support audio.
  func settings() throws(PlanError) -> SoundSettings? {
    let asked = block?.sound ?? SoundOutput()
    let isHeard = asked.isWanted ?? (shape.isHeard || isDescribed)
    guard isHeard || file.isSound else { return nil }
    let codecs = file.sounds(with: pictures)
    guard let first = codecs.first else {
      guard asked.isWanted == nil else {
        let others = FileFormat.allCases.filter { !$0.sounds(with: nil).isEmpty }.map(\.ending)
        // Output to a pipe may be one of several files of a scene and need not support all its
        // settings.
        if file == .y4m { return nil }
        throw failure(
          "a \(file.ending) file cannot contain audio",
          "use one of \(others.joined(separator: ", ")) for audio")
      }
      return nil
    }
    if !isHeard {
      let why = asked.isWanted == false ? "'audio: none' is set" : "the scene has no sound"
      throw .call("no audio for a \(file.ending) file: \(why)")
    }
    let codec = asked.codec.flatMap(SoundCodec.init) ?? first
    guard codecs.contains(codec) else {
      throw failure(
        "\(codec.title) audio is not supported in a \(file.ending) file",
        "use \(codecs.map(\.rawValue).joined(separator: ", ")) in a \(file.ending) file")
    }
    var settings = SoundSettings(codec)
    if let bits = asked.bitrate {
      guard let range = codec.bitrates?.range else {
        throw failure("\(codec.title) does not support 'bitrate'", "remove it")
      }
      guard range.contains(bits) else {
        throw failure(
          "\(codec.title) audio does not support \(NumberFormat().text(bits / 1000)) kbps",
          "use \(Int(range.lowerBound / 1000)) to \(Int(range.upperBound / 1000)) kbps")
      }
      settings.bitrate = bits
    }
    settings.loudness = asked.loudness
    settings.peak = asked.peak ?? -1
    settings.channels = asked.channels ?? 2
    settings.rate = asked.rate ?? SoundModel.rate
    let rates = codec.rates
    guard rates.isEmpty || rates.contains(settings.rate) else {
      throw failure(
        "\(codec.title) audio does not support a sample rate of \(settings.rate) Hz",
        "use \(rates.map(String.init).joined(separator: ", ")) Hz")
    }
    settings.bits = try depth(of: codec, asked.bits) ?? settings.bits
    return settings
  }

  private func depth(of codec: SoundCodec, _ asked: Int?) throws(PlanError) -> Int? {
    guard let asked, !codec.depths.contains(asked) else { return asked }
    if codec.depths.isEmpty {
      throw failure(
        "\(codec.title) audio does not support 'bits'",
        "use 'bits' with codec: pcm or codec: flac, and 'bitrate' with \(codec.title)")
    }
    throw failure(
      "\(codec.title) audio does not support \(asked) bits",
      "use \(codec.depths.map(String.init).joined(separator: ", ")) bits")
  }
}
