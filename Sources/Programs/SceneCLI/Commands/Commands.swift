// SPDX-License-Identifier: MIT
import CLinux
import Foundation
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
    scene_use_huge_pages()
    var reader = OptionReader(call)
    var load = LoadOptions(&reader)
    load.check.purpose = .check
    load.check.endsProcess = call.operands.count == 1 && load.data == nil
    let format = call.value("format") ?? "text"
    if format == "svg" { reader.report("'check' supports text, json and sarif, not svg") }
    let options = BuildOptions(&reader)
    try console.accept(reader, load: load, paths: call.operands)
    var code = ExitCode.done
    var reports: [DiagnosticReport] = []
    var earlier = EarlierDiagnostics()
    let session = Session(load)
    // A JSON or SARIF document also contains the diagnostics of the files before an unreadable one.
    let result = Result {
      for path in call.operands {
        let console = console.remembering()
        if call.has("fix") { try fix(path, session) }
        earlier.beginFile()
        for request in try load.requests(for: path) {
          let scene = try session.load(path, request.check, isStrict: call.has("strict"))
          let errors = try diagnosticsOfOutputs(
            of: scene, check: request.check, options: options, session: session)
          if scene.isWrong || errors.hasErrors { code = .sceneWrong }
          let all = scene.diagnostics + errors
          let diagnostics = earlier.remaining(of: all, in: scene.sources)
          if format == "text" {
            show(scene, diagnostics, of: all, path: path, row: request.row, on: console)
          } else {
            reports += diagnostics.map { DiagnosticReport($0, scene.sources) }
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

  /// Shows the diagnostics in `all` that were not shown for an earlier file, `diagnostics`.
  private func show(
    _ scene: LoadedScene, _ diagnostics: [Diagnostic], of all: [Diagnostic], path: String,
    row: DataRows.Row?, on console: Console
  ) {
    if let row, !diagnostics.isEmpty { console.note("\(row.place):") }
    console.show(diagnostics, scene.sources, isStrict: call.has("strict"))
    let name = row.map { "\(path), row \($0.number)" } ?? path
    if diagnostics.isEmpty, !all.isEmpty {
      console.note("\(name): \(DiagnosticPrinter.summary(all)), shown above")
    }
    guard all.isEmpty, !scene.isWrong else { return }
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

/// The diagnostics of the files that a call has checked, to report those of a shared import once.
private struct EarlierDiagnostics {
  /// The identity of a diagnostic in all scenes: the file ids of spans are those of one scene.
  private struct Key: Hashable {
    let file: String
    let start: Int
    let end: Int
    let code: Code
    let message: String
  }

  private var earlier: Set<Key> = []
  private var current: Set<Key> = []

  /// Begins another file. The rows of a table do not: each row shows its own errors.
  mutating func beginFile() {
    earlier.formUnion(current)
    current = []
  }

  /// Returns the diagnostics of a scene without those of earlier files.
  mutating func remaining(of list: [Diagnostic], in files: [SourceFile]) -> [Diagnostic] {
    list.filter { it in
      // The same file may be imported by different paths, such as "a/../shared.scene". A scene that
      // cannot be read has no files.
      let file = Int(it.span.file.rawValue)
      guard files.indices.contains(file) else { return true }
      let path = URL(fileURLWithPath: files[file].name).standardizedFileURL.path
      let key = Key(
        file: path, start: it.span.start, end: it.span.end, code: it.code,
        message: it.message)
      current.insert(key)
      return !earlier.contains(key)
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
