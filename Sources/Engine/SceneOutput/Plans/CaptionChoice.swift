// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneIR
import SceneLanguage
import SceneModel

/// The captions of an output: the requests of the scene and of the file name, validated against the
/// file.
struct CaptionChoice {
  private let file: FileFormat
  private let shape: FilmShape

  init(_ file: FileFormat, shape: FilmShape) {
    self.file = file
    self.shape = shape
  }

  /// Returns how a video file contains captions.
  func use(in block: OutputSettings?) throws(PlanError) -> CaptionUse {
    guard let block else { return .burned }
    guard block.captions.hasTracks, file.captionCodec == nil else { return block.captions }
    throw block.unsupported(
      "captions", "\(file.inSentence) cannot contain caption tracks",
      help: "use one of \(FileFormat.withTracks), or write a caption file: -o captions.vtt")
  }

  // MARK: Caption files

  /// The placeholder for the language of a track in the name of a caption file.
  static let placeholder = "{language}"

  /// Returns the tracks of a caption file: the one that its name determines, or all of them, with
  /// their paths, if the name contains `{language}`.
  func tracks(for request: OutputRequest) throws(PlanError) -> [(path: String, CaptionTrack)] {
    let path = request.path
    if DescriptionChoice.isNamed(path) {
      guard !path.contains(CaptionChoice.placeholder) else {
        throw .call(
          "the descriptions of a scene are one file: remove '{language}' from '\(path)'")
      }
      return [(path, try track(for: path))]
    }
    return try captions(for: request)
  }

  /// Returns the caption tracks of a file, whether or not its name contains `descriptions`.
  func captions(for request: OutputRequest) throws(PlanError) -> [(path: String, CaptionTrack)] {
    let path = request.path
    guard path.contains(CaptionChoice.placeholder) else {
      if request.hasLanguageColumn, shape.captions.count > 1 {
        throw .call(
          "'{language}' in -o is a column of the table, but the scene has captions in \(languages); rename the column"
        )
      }
      return [(path, try captions(for: path))]
    }
    try requireCaptions()
    var files: [(path: String, CaptionTrack)] = []
    for track in shape.captions {
      guard !track.language.isEmpty else {
        throw .scene(
          Diagnostic(
            .invalidOutputSetting, "'{language}' in -o requires the language of the captions",
            at: track.span, notes: [Note(help: "set it, such as language: \"en\"")]))
      }
      guard !files.contains(where: { $0.1.language == track.language }) else {
        throw .scene(
          Diagnostic(
            .invalidOutputSetting,
            "two caption tracks have the language '\(track.language)', so '{language}' in -o names one file twice",
            at: track.span))
      }
      files.append((path.replacing(CaptionChoice.placeholder, with: track.language), track))
    }
    return files
  }

  /// Returns the descriptions if the file name requests them, as in `film.descriptions.vtt`;
  /// otherwise the captions.
  func track(for path: String) throws(PlanError) -> CaptionTrack {
    if DescriptionChoice.isNamed(path) {
      guard let descriptions = shape.descriptions else {
        throw .call(
          "no descriptions for '\(path)': the scene has no 'description' ('.descriptions.' in a file name requests them)"
        )
      }
      return descriptions.track
    }
    return try captions(for: path)
  }

  /// Returns the only caption track, or the track whose language the file name contains, as in
  /// `talk.de.vtt`.
  private func captions(for path: String) throws(PlanError) -> CaptionTrack {
    try requireCaptions()
    if shape.captions.count == 1 { return shape.captions[0] }
    let parts = Set(OutputName(path).parts.map { $0.lowercased() })
    let named = shape.captions.filter { parts.contains($0.language.lowercased()) }
    if named.count == 1 { return named[0] }
    let base = path.dropLast(file.ending.count)
    throw .call(
      "the scene has \(shape.captions.count) caption tracks (\(languages)): name the language, as in -o talk.de\(file.ending), or write all of them with -o \"\(base).{language}\(file.ending)\""
    )
  }

  /// Returns the path of the caption file beside a video. It has the base name of the video, and a
  /// placeholder for the language if there are several tracks.
  func sidecar(of path: String) -> String {
    OutputName(path).adding(
      shape.captions.count > 1 ? CaptionChoice.placeholder : nil, ending: file.ending)
  }

  private func requireCaptions() throws(PlanError) {
    guard shape.captions.isEmpty else { return }
    throw .call("no captions for a \(file.ending) file: the scene has no captions")
  }

  private var languages: String {
    shape.captions.map { $0.language.isEmpty ? "no language" : $0.language }
      .joined(separator: ", ")
  }
}

extension OutputSettings {
  /// Returns the error of a property that cannot apply to a file.
  func unsupported(_ property: String, _ message: String, help: String) -> PlanError {
    .scene(
      Diagnostic(
        .invalidOutputSetting, message, at: place(of: property), notes: [Note(help: help)]))
  }
}
