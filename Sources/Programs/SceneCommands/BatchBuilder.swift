// SPDX-License-Identifier: MIT
import SceneBuild
import SceneCLI
import SceneCheck
import SceneLanguage
import SceneModel
import SceneOutput
import SceneSession
import SceneText

/// Builds several videos of one scene file: one for each scene, each row of a table, or both.
///
/// A failed video does not stop the others.
struct BatchBuilder {
  private let load: LoadOptions
  private let options: BuildOptions
  private let reporter: BuildConsole
  private let interruption: Interruption

  init(
    load: LoadOptions, options: BuildOptions, reporter: BuildConsole,
    interruption: Interruption
  ) {
    self.load = load
    self.options = options
    self.reporter = reporter
    self.interruption = interruption
  }

  private var console: Console { reporter.console }

  private struct Video {
    let scene: String?
    let parameters: [GivenParameter]
    /// The output files; `nil` if a table cell used in a file name is empty.
    let outputs: [OutputRequest]?
    /// The name of the video in messages.
    let title: String
    /// The origin of the video, such as a table row, in messages.
    let place: String
  }

  func build(_ path: String) -> ExitCode {
    do {
      let videos = try self.videos(path)
      let session = Session(load)
      let store = PacketStore.open(load.store, reporter) ?? PacketStore(load.store)
      try checkOutputs(of: videos, path, in: session)
      var failed = 0
      for (index, video) in videos.enumerated() {
        guard let outputs = video.outputs else {
          failed += 1
          console.error("\(video.place): \(video.title) has no value for its file name")
          continue
        }
        let paths = outputs.map(\.path).joined(separator: ", ")
        console.note("\(video.title), \(index + 1) of \(videos.count): \(paths)")
        var options = options
        options.outputs = outputs
        let outcome = Builder(
          options, reporter: reporter, interruption: interruption, store: store
        ).build(path, in: session, check: checkOptions(video))
        if interruption.caught != 0 { return .interrupted }
        if outcome == .invalidRequest { return .callWrong }
        if outcome != .done {
          failed += 1
          console.error(
            "\(video.place): '\(paths)' \(outputs.count == 1 ? "was" : "were") not built")
        }
      }
      if console.repeatedWarnings > 0 {
        let warnings = NumberFormat.count(console.repeatedWarnings, of: "warning")
        console.note("\(warnings) repeated in later videos")
      }
      reporter.note(store.takeCounts())
      guard failed > 0 else { return .done }
      let all = NumberFormat.count(videos.count, of: "video")
      console.error("\(failed) of \(all) \(failed == 1 ? "was" : "were") not built")
      return .sceneWrong
    } catch {
      return console.report(error)
    }
  }

  private func checkOptions(_ video: Video) -> CheckOptions {
    var check = load.check
    check.sceneName = video.scene ?? check.sceneName
    // Parameters from the command line apply to every row.
    check.parameters = video.parameters + load.check.parameters
    return check
  }

  /// Throws if a video would replace a file of another one, such as captions that both write to the
  /// same file. All other errors are reported when the videos are built.
  private func checkOutputs(of videos: [Video], _ path: String, in session: Session) throws {
    guard videos.count > 1 else { return }
    var ledger = OutputLedger()
    for video in videos where interruption.caught == 0 {
      guard let outputs = video.outputs else { continue }
      var options = options
      options.outputs = outputs
      guard let scene = try? session.load(path, checkOptions(video), isStrict: options.isStrict),
        let model = scene.model,
        let plans = try? OutputPlans(options, scene: scene.path, model: model).plans
      else { continue }
      do {
        try ledger.add(plans, of: video.title, model: model, options)
      } catch PlanError.call(let message) {
        throw Invocation.Failure(message: message)
      }
    }
  }

  /// Returns all videos with their outputs. All output paths must differ.
  private func videos(_ path: String) throws -> [Video] {
    let patterns = options.outputs
    guard !patterns.isEmpty, load.row != nil || patterns.allSatisfy({ $0.path.contains("{") })
    else {
      throw Invocation.Failure(
        message:
          "each row requires its own file: use -o \"{column}.mp4\", or {row} for the row number")
    }
    let outline = try FileOutline(path)
    let named = load.check.sceneName.map { [$0] } ?? outline.independentScenes
    let scenes: [String?] =
      patterns.contains { $0.path.contains("{scene}") } ? named : [load.check.sceneName]
    let table = try load.data.map { try DataRows($0, for: path) }
    var rows: [DataRows.Row?] = table?.rows ?? [nil]
    if let table, let number = load.row {
      rows = [try table.row(number, of: load.data ?? "")]
    }
    var videos: [Video] = []
    var titles: [String: String] = [:]
    for row in rows {
      for scene in scenes {
        let outputs = try patterns.map { try fill($0, scene: scene, row) }
        var title = row.map { "row \($0.number)" } ?? "scene '\(scene ?? "")'"
        if row != nil, scenes.count > 1, let scene { title += ", scene '\(scene)'" }
        let place = row?.place ?? path
        for case let output? in outputs {
          guard let other = titles.updateValue(title, forKey: output.path) else { continue }
          throw Invocation.Failure(
            message:
              "\(other) and \(title) have the same output '\(output.path)'; add \(row == nil ? "{scene}" : "{row}") to -o"
          )
        }
        videos.append(
          Video(
            // The default name of an unnamed scene cannot be passed on as a name.
            scene: scene == "scene" && !outline.scenes.contains("scene") ? nil : scene,
            parameters: row.flatMap { row in table?.parameters(of: row) } ?? [],
            outputs: outputs.contains(nil) ? nil : outputs.compactMap { $0 }, title: title,
            place: place))
      }
    }
    return videos
  }

  /// Replaces `{scene}`, `{row}` and `{column}`, but not the `{language}` of a caption file;
  /// returns `nil` if the cell is empty. A cell's value cannot leave its path component.
  private func fill(_ pattern: OutputRequest, scene: String?, _ row: DataRows.Row?) throws
    -> OutputRequest?
  {
    var filled = pattern
    var result = ""
    var rest = pattern.path[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw Invocation.Failure(message: "unclosed '{' in -o")
      }
      let name = String(rest[rest.index(after: open)..<close])
      if name == "scene", let scene {
        result += scene
      } else if name == "row", let row {
        result += String(row.number)
      } else if let cell = row?.cells.first(where: { $0.name == name }) {
        var safe = cell.text.map { $0 == "/" || $0 == "\0" || $0.isNewline ? "_" : $0 }
        while safe.first == "." { safe.removeFirst() }
        if safe.isEmpty { return nil }
        result += String(safe)
        filled.hasLanguageColumn = filled.hasLanguageColumn || name == "language"
      } else if name == "language", FileFormat(path: pattern.path)?.isText == true {
        // Each video replaces it by the languages of its captions.
        result += "{language}"
      } else {
        throw Invocation.Failure(message: unknown(name, row))
      }
      rest = rest[rest.index(after: close)...]
    }
    filled.path = result + rest
    return filled
  }

  private func unknown(_ name: String, _ row: DataRows.Row?) -> String {
    guard let row else {
      return
        "'{\(name)}' in -o requires a table: add --data FILE; only {scene} is available without one"
    }
    let near = nearest(name, in: row.cells.map(\.name)).map { "; did you mean {\($0)}?" } ?? ""
    return "unknown column '\(name)'\(near)"
  }
}
