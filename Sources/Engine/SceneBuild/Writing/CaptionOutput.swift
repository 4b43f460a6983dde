// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneFiles
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneOutput
import SceneSession

/// A caption file in progress.
final class CaptionOutput {
  private let file: OutputFile
  /// The number of captions that are too short for a file.
  let omittedCount: Int

  /// Writes the file without moving it into place. Files in `inputs` are never overwritten. `track`
  /// is the part of the caption track in the frames of the file.
  init(
    _ plan: OutputPlan, _ track: CaptionTrack, chapters: [Chapter], inputs: [String]
  ) throws(FileError) {
    file = try OutputFile(plan.path, inputs: inputs, nameHelp: plan.nameHelp)
    omittedCount = track.cues.count - track.timedTexts.count
    let text =
      switch plan.settings.file {
      case .srt: CaptionFile.subRip(track)
      case .txt: CaptionFile.transcript(track, chapters: chapters)
      default: CaptionFile.webVTT(track)
      }
    try file.write(Array(text.utf8))
  }

  /// Moves files into place.
  static func commit(_ files: [CaptionOutput]) throws(FileError) {
    if !files.isEmpty { try OutputFile.commit(files.map(\.file)) }
  }
}

extension Builder {
  /// Writes the caption files of a build without moving them into place.
  func captionFiles(_ plans: [OutputPlan], of scene: LoadedScene, model: SceneModel) throws
    -> [CaptionOutput]
  {
    var files: [CaptionOutput] = []
    for plan in plans {
      guard let whole = plan.track else { continue }
      let frames = try frames(model, of: plan)
      let start = model.frameRate.time(ofFrame: frames.lowerBound)
      let end = model.frameRate.time(ofFrame: frames.upperBound)
      let track = whole.part(from: start, to: end)
      guard !track.timedTexts.isEmpty else {
        let noun = whole.kind == .descriptions ? "descriptions" : "captions"
        let place = "there are no \(noun) between \(start.description) and \(end.description)"
        // An empty file beside others, such as one language of several, does not fail the build.
        guard plans.count > 1 else {
          throw CallError(message: "'\(visible(plan.path))' would be empty: \(place)")
        }
        reporter.note("'\(visible(plan.path))' is not written: \(place)")
        continue
      }
      let chapters = model.chapters.filter { $0.start >= start && $0.start < end }.map {
        Chapter(start: $0.start - start, title: $0.title)
      }
      let file = try CaptionOutput(
        plan, track, chapters: chapters, inputs: scene.inputs.paths)
      if file.omittedCount > 0 {
        let noun = whole.kind == .descriptions ? "description" : "caption"
        let count = NumberFormat.count(file.omittedCount, of: noun)
        reporter.note("\(count) shorter than a millisecond omitted from '\(visible(plan.path))'")
      }
      files.append(file)
    }
    return files
  }

  /// Notes how to show the caption tracks of the first video in a browser.
  func noteEmbeddedCaptions(in plans: [OutputPlan], _ model: SceneModel) {
    guard let plan = plans.first(where: \.captions.hasTracks) else { return }
    let path = visible(plan.path)
    guard let track = model.captions.first else {
      return reporter.note("'\(path)' has no caption track: the scene has no captions")
    }
    if plans.contains(where: { $0.settings.file == .vtt }) { return }
    let name = (path.split(separator: "/").last ?? "").split(separator: ".").dropLast()
      .joined(separator: ".")
    var attributes = [("kind", track.kind.rawValue), ("src", name + ".vtt")]
    if !track.language.isEmpty { attributes.append(("srclang", track.language)) }
    if !track.label.isEmpty { attributes.append(("label", track.label)) }
    let tag = attributes.map { "\($0)=\"\(escaped($1))\" " }.joined()
    reporter.note(
      "browsers do not show the caption tracks of '\(path)'; write a caption file with --sidecar, and add: <track \(tag)default>"
    )
  }

  /// Notes that viewers of a video with drawn captions can see them twice if a page adds the
  /// caption file beside it.
  func noteDrawnCaptions(in plans: [OutputPlan]) {
    for plan in plans where plan.track?.isDrawn ?? false {
      guard let path = plan.videoOfSidecar, let video = plans.first(where: { $0.path == path }),
        video.captions.isDrawn
      else { continue }
      return reporter.note(
        "the captions in '\(visible(plan.path))' are also drawn in the frames of '\(visible(video.path))'; for a player that shows the file, set output { captions: track }"
      )
    }
  }

  /// Escapes the value of an attribute in HTML.
  private func escaped(_ text: String) -> String {
    CaptionFile.escaped(text).replacing("\"", with: "&quot;")
  }
}
