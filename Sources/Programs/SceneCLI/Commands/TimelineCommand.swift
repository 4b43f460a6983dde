// SPDX-License-Identifier: MIT
import FoundationEssentials
import SceneCheck
import SceneDiagnostics
import SceneFiles
package import SceneModel
import SceneOutput
package import SceneSession
import SceneSystem
import SceneText
package import SceneTimeline

/// The `scenec timeline` command: prints the lifetimes of all elements as text, JSON or SVG.
package struct TimelineCommand {
  private let call: Invocation
  private let console: Console
  /// Mixes the audio of a scene and measures it in equal parts.
  private let mix: (LoadedScene, SceneModel, _ parts: Int) throws -> Timeline.Mix?

  package init(
    call: Invocation, console: Console,
    mix: @escaping (LoadedScene, SceneModel, _ parts: Int) throws -> Timeline.Mix?
  ) {
    self.call = call
    self.console = console
    self.mix = mix
  }

  package func run() throws -> ExitCode {
    guard call.operands.count == 1, let path = call.operands.first else {
      let count = call.operands.count
      throw Invocation.Failure(
        message:
          "'timeline' requires a single file\(count > 1 ? ", found \(count)" : ""): scenec timeline intro.scene"
      )
    }
    var reader = OptionReader(call)
    let load = LoadOptions(&reader)
    let ending = call.value("output")?.split(separator: ".").last.map { $0.lowercased() } ?? ""
    let format = call.value("format") ?? (["json", "svg"].contains(ending) ? ending : "text")
    if call.has("output"), call.value("format") == nil,
      !["json", "svg", "txt", "-"].contains(ending)
    {
      reader.report(
        "the output of a timeline must be .txt, .json or .svg, found '\(call.value("output") ?? "")'"
      )
    }
    if !["text", "json", "svg"].contains(format) {
      reader.report("'--format' must be text, json or svg, found '\(format)'")
    }
    if let data = load.data, load.row == nil {
      reader.report("'timeline' requires a single row of '\(data)': add --row 1")
    }
    let output = reader.text("output")
    try console.accept(reader, load: load, paths: [path])
    var check = try load.requests(for: path)[0].check
    check.recordsElements = true
    let scene = try Session(load).load(path, check).asBuilt
    guard let model = scene.model, let record = scene.record else {
      console.show(scene.diagnostics, scene.sources)
      return .sceneWrong
    }
    // The text format contains the warnings; for other formats they are shown with their locations.
    if format != "text" { console.show(scene.diagnostics, scene.sources) }
    let columns = format == "text" ? max(40, min(96, Console.columns - 56)) : 240
    var maker = TimelineMaker(
      model, record: record, sources: scene.sources, metrics: scene.metrics, columns: columns)
    let sound = call.has("no-sound") ? nil : try mix(scene, model, columns)
    let timeline = maker.timeline(scene.diagnostics, sound: sound)
    try write(try written(timeline, format), to: output, inputs: scene.inputs.paths)
    return .done
  }

  private func written(_ timeline: Timeline, _ format: String) throws -> String {
    switch format {
    case "json":
      return try JSONDocument(schema: "timeline/1", content: timeline).jsonText()
    case "svg": return timeline.svg
    default:
      return timeline.text(
        TimelineCommand.isUnicode ? .unicode : .ascii, isVerbose: call.has("verbose"))
    }
  }

  /// Whether the locale of the terminal supports Unicode.
  private static var isUnicode: Bool {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
      guard let value = OwnProcess.environment(name), !value.isEmpty else { continue }
      return value.lowercased().contains("utf-8") || value.lowercased().contains("utf8")
    }
    return true
  }

  private func write(_ text: String, to path: String?, inputs: [String]) throws {
    guard let path, path != "-" else { return Console.print(text) }
    let file = try OutputFile(path, inputs: inputs)
    try file.write(Array(text.utf8))
    try file.commit()
    if let folder = file.madeFolder { console.note("created folder '\(folder)'") }
    console.result(path)
  }
}
