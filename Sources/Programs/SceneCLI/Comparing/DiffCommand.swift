// SPDX-License-Identifier: MIT
import SceneCheck
import SceneCompare
import SceneFiles
import SceneIR
import SceneModel
import SceneOutput
import SceneRaster
import SceneSession

/// The `scenec diff` command: compares two versions of a scene.
struct DiffCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    let operands = try DiffOperands(call.operands)
    var reader = OptionReader(call)
    let load = LoadOptions(&reader)
    let output = reader.text("output")
    let ending = output?.split(separator: ".").last.map { $0.lowercased() } ?? ""
    let format = call.value("format") ?? (["json", "html"].contains(ending) ? ending : "text")
    if !["text", "json", "html"].contains(format) {
      reader.report("'diff' supports text, json and html, not \(format)")
    }
    if let output, call.value("format") == nil, !["json", "html", "txt"].contains(ending),
      output != "-"
    {
      reader.report("the output of 'diff' must be .txt, .json or .html, found '\(output)'")
    }
    if let data = load.data, load.row == nil {
      reader.report("'diff' requires a single row of '\(data)': add --row 1")
    }
    try console.accept(reader, load: load, paths: [])
    if load.check.sceneName == nil, operands.new.revision == nil {
      console.noteOtherScenes(of: operands.new.path) { "use --scene \($0) to compare it" }
    }
    let old = try DiffSide(operands.old, load: load, console: console)
    let new = try DiffSide(operands.new, load: load, console: console)
    guard let old, let new, let before = old.side, let after = new.side else { return .sceneWrong }
    var comparer = Comparer(before, after)
    let images = DiffImages(old: old.scene.resources, new: new.scene.resources)
    // Frame programs do not contain glyphs, so texts in changed fonts must be drawn.
    let hasOtherFonts = DiffSide.changedFiles(old, new).contains(where: DiffCommand.isFont)
    let isDrawn = call.has("exact") || hasOtherFonts
    let comparison =
      isDrawn
      ? try comparer.comparison(
        isSuspect: { hasOtherFonts && $0.ops.contains(where: \.hasText) },
        isVisible: { try images.differ($0, $1) })
      : comparer.comparison()
    var report = DiffReport(
      comparison, old: old, new: new, rates: [before.model.frameRate, after.model.frameRate])
    if format == "html", !call.has("no-images") {
      for index in report.ranges.indices.prefix(DiffImages.mostRanges) {
        try images.add(to: &report.ranges[index], &comparer)
      }
    }
    try write(
      report, format, to: output,
      inputs: [operands.old.path, operands.new.path] + old.scene.inputs.paths
        + new.scene.inputs.paths)
    return report.isEqual ? .done : .checkFailed
  }

  private static func isFont(_ path: String) -> Bool {
    ["ttf", "otf", "ttc", "woff", "woff2"].contains(
      path.split(separator: ".").last?.lowercased() ?? "")
  }

  private func write(_ report: DiffReport, _ format: String, to path: String?, inputs: [String])
    throws
  {
    let text =
      switch format {
      case "json": try JSONDocument(schema: "diff/1", content: report).jsonText()
      case "html": report.html
      default: report.text
      }
    guard let path, path != "-" else { return Console.print(text) }
    let file = try OutputFile(path, inputs: inputs)
    try file.write(Array(text.utf8))
    try file.commit()
    if let folder = file.madeFolder { console.note("created folder '\(folder)'") }
    console.result(path)
  }
}
