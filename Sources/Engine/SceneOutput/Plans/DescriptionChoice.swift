// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneIR
import SceneLanguage
import SceneModel

/// The descriptions of an output: the request of the scene, validated against the file.
struct DescriptionChoice {
  private let file: FileFormat
  private let shape: FilmShape

  init(_ file: FileFormat, shape: FilmShape) {
    self.file = file
    self.shape = shape
  }

  /// Returns how a file contains descriptions: `track` for `both`, which also requires a second
  /// file. Outputs of scenes without descriptions are built without them, since a project can
  /// declare the outputs of many scenes.
  func use(in block: OutputSettings?) throws(PlanError) -> DescribedUse {
    guard let block, block.described != .none, let descriptions = shape.descriptions else {
      return .none
    }
    if block.sound.isWanted == false {
      throw block.unsupported(
        "described", "an output with 'audio: none' cannot contain descriptions",
        help: "remove 'audio: none' or 'described'")
    }
    if let failure = DescriptionChoice.missingSound(in: block, descriptions) {
      throw .scene(failure)
    }
    let needsTrack = block.described != .mix
    if file.captionCodec == nil, needsTrack || !file.isSound {
      if file.isSound {
        throw block.unsupported(
          "described", "\(file.inSentence) has a single audio track", help: "use described: mix")
      }
      throw block.unsupported(
        "described", "\(file.inSentence) cannot contain descriptions",
        help:
          "use one of \(FileFormat.withTracks), or write the texts: -o film.descriptions.vtt")
    }
    return needsTrack ? .track : .mix
  }

  /// Returns the error of an output that requires the sounds of all descriptions if some have none.
  static func missingSound(in block: OutputSettings, _ descriptions: DescriptionModel)
    -> Diagnostic?
  {
    guard let first = descriptions.unspoken.first, block.described != .none else { return nil }
    let count = NumberFormat.count(descriptions.unspoken.count, of: "description")
    return Diagnostic(
      .invalidOutputSetting, "'described' requires the sound of each description",
      at: block.place(of: "described"),
      notes: [
        Note("\(count) without 'source', the first one here", at: first),
        Note(help: "set 'source' to a sound file, or write the texts: -o film.descriptions.vtt"),
      ])
  }

  // MARK: Files

  /// Returns whether the name of a caption file contains `descriptions` between dots and so
  /// requests the descriptions, as in `film.descriptions.vtt`.
  static func isNamed(_ path: String) -> Bool {
    OutputName(path).parts.dropFirst().dropLast().contains("descriptions")
  }

  /// Returns the path of the file with the described mix beside a video.
  static func described(_ path: String) -> String { OutputName(path).adding("described") }

  /// Returns the path of the WebVTT file with the descriptions, next to a video.
  static func sidecar(of path: String) -> String {
    OutputName(path).adding("descriptions", ending: FileFormat.vtt.ending)
  }
}
