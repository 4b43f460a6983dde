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

  /// Returns how a file contains descriptions: `track` for `both`, which also requires a second file.
  /// Outputs of scenes without descriptions are built without them, since a project can declare the
  /// outputs of many scenes.
  func use(in block: OutputSettings?) throws(PlanError) -> DescribedUse {
    guard let block, block.described != .none, let descriptions = shape.descriptions else {
      return .none
    }
    if block.sound.isWanted == false {
      throw failure(
        block, "an output with 'audio: none' cannot contain descriptions",
        help: "remove 'audio: none' or 'described'")
    }
    if let failure = DescriptionChoice.missingSound(in: block, descriptions) {
      throw .scene(failure)
    }
    let needsTrack = block.described != .mix
    if file.captionCodec == nil, needsTrack || !file.isSound {
      if file.isSound {
        throw failure(
          block, "a \(file.ending) file has a single audio track", help: "use described: mix")
      }
      let others = FileFormat.allCases.filter { $0.captionCodec != nil }.map(\.ending)
      throw failure(
        block,
        "\(file == .y4m ? "raw video" : "a \(file.ending) file") cannot contain descriptions",
        help:
          "use one of \(others.joined(separator: ", ")), or write the texts: -o film.descriptions.vtt"
      )
    }
    return needsTrack ? .track : .mix
  }

  private func failure(_ block: OutputSettings, _ message: String, help: String) -> PlanError {
    .scene(
      Diagnostic(
        .invalidOutputSetting, message, at: block.place(of: "described"),
        notes: [Note(help: help)]))
  }

  /// Returns the error of an output that requires the sounds of descriptions without one.
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

  /// Returns whether the name of a caption file contains `descriptions` between dots and so requests
  /// the descriptions, as in `film.descriptions.vtt`.
  static func isNamed(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.dropFirst().dropLast().contains("descriptions")
  }

  /// Returns the path of the file with the described mix beside a video.
  static func described(_ path: String) -> String {
    inserting("described", into: path, ending: nil)
  }

  /// Returns the path of the file with the texts beside a video.
  static func sidecar(of path: String) -> String {
    inserting("descriptions", into: path, ending: FileFormat.vtt.ending)
  }

  private static func inserting(_ word: String, into path: String, ending: String?) -> String {
    let name = path.split(separator: "/").last ?? ""
    let old = name.lastIndex(of: ".").map { String(name[$0...]) } ?? ""
    return path.dropLast(old.count) + ".\(word)" + (ending ?? old)
  }
}
