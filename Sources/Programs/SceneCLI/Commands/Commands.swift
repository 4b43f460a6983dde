// SPDX-License-Identifier: MIT
import SceneCairo
import SceneCheck
import SceneDiagnostics
import SceneFiles
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneOutput
import SceneRaster
import SceneSession
import SceneSystem
import SceneText

/// The `scenec check` command.
struct CheckCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    guard !call.operands.isEmpty else {
      throw Invocation.Failure(message: "expected a file, such as 'scenec check intro.scene'")
    }
    var reader = OptionReader(call)
    var load = LoadOptions(&reader)
    load.check.purpose = .check
    let format = call.value("format") ?? "text"
    if format == "svg" { reader.report("'check' supports text, json and sarif, not svg") }
    let options = BuildOptions(&reader)
    try console.accept(reader, load: load, paths: call.operands)
    var code = ExitCode.done
    var reports: [DiagnosticReport] = []
    let session = Session(load)
    // A JSON or SARIF document also contains the diagnostics of the files before an unreadable one.
    let result = Result {
      for path in call.operands {
        let console = console.remembering()
        if call.has("fix") { try fix(path, session) }
        for request in try load.requests(for: path) {
          let scene = try session.load(path, request.check, isStrict: call.has("strict"))
          let errors = try diagnosticsOfOutputs(
            of: scene, check: request.check, options: options, session: session)
          if scene.isWrong || errors.hasErrors { code = .sceneWrong }
          if format == "text" {
            show(scene, errors: errors, path: path, row: request.row, on: console)
          } else {
            reports += (scene.diagnostics + errors).map { DiagnosticReport($0, scene.sources) }
          }
        }
      }
    }
    switch format {
    case "json":
      let document = JSONDocument(schema: "check/1", content: CheckReport(diagnostics: reports))
      Console.print(try document.jsonText())
    case "sarif": Console.print(try SARIFLog(reports).jsonText())
    default: break
    }
    try result.get()
    return code
  }

  /// Returns the errors of the scene's output files, each checked on its own.
  private func diagnosticsOfOutputs(
    of scene: LoadedScene, check: CheckOptions, options: BuildOptions, session: Session
  ) throws -> [Diagnostic] {
    guard let model = scene.model else { return [] }
    var errors = OutputPlans.errors(options, scene: scene.path, model: model)
    var known = Set(scene.diagnostics)
    for variant in model.variants {
      let place = "in the output with \(variant.description(beside: model))"
      errors += try session.load(scene.path, check.evaluating(variant, of: model)).diagnostics
        .filter { known.insert($0).inserted }
        .map { $0.code == .expectationFails ? $0.noting(place) : $0 }
    }
    return errors
  }

  private func show(
    _ scene: LoadedScene, errors: [Diagnostic], path: String, row: DataRows.Row?,
    on console: Console
  ) {
    let diagnostics = scene.diagnostics + errors
    if let row, !diagnostics.isEmpty { console.note("\(row.place):") }
    console.show(diagnostics, scene.sources, isStrict: call.has("strict"))
    guard diagnostics.isEmpty, !scene.isWrong else { return }
    let name = row.map { "\(path), row \($0.number)" } ?? path
    if let model = scene.model {
      console.note(
        "\(name): \(model.size), \(model.frameRate.description) fps, \(model.duration.description), \(NumberFormat.count(model.frameCount, of: "frame"))"
      )
    } else {
      let kind = name.split(separator: "/").last == ProjectFile.name[...] ? "project" : "library"
      console.note("\(name): a \(kind), no scene to render")
    }
  }
}

extension CheckCommand {
  /// Applies all safe fixes to a file.
  private func fix(_ path: String, _ session: Session) throws {
    guard path != "-" else {
      throw Invocation.Failure(message: "'--fix' requires a file and cannot change standard input")
    }
    let (bytes, count) = try allFixed(try SceneFile.read(path)) {
      try session.load(path, bytes: $0).diagnostics
    }
    guard count > 0 else { return }
    let file = try OutputFile(path, inputs: [])
    try file.write(bytes)
    try file.commit()
    console.note("\(path): applied \(count) \(count == 1 ? "fix" : "fixes")")
  }
}

/// Runs `scenec fonts`: lists font families with their styles, filtered by the operand.
func listFonts(_ call: Invocation) -> ExitCode {
  let wanted = call.operands.first?.lowercased() ?? ""
  let fonts = FontLibrary()
  fonts.addProjectFonts(forScenesIn: ".")
  var lines: [(String, [String])] = []
  for (family, style) in fonts.faces
  where family.lowercased().contains(wanted) || wanted.isEmpty {
    if lines.last?.0 == family {
      if lines[lines.count - 1].1.last != style { lines[lines.count - 1].1.append(style) }
    } else {
      lines.append((family, [style]))
    }
  }
  for (family, styles) in lines {
    Console.print("\(family): \(styles.filter { !$0.isEmpty }.joined(separator: ", "))\n")
    for axis in fonts.axes(of: family) {
      let numbers = [axis.minimum, axis.maximum, axis.initial].map { NumberFormat().text($0) }
      Console.print("    \(axis.tag) \(numbers[0]) to \(numbers[1]), default \(numbers[2])\n")
    }
  }
  return .done
}
