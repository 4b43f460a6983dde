// SPDX-License-Identifier: MIT
import SceneCLI
import SceneDiagnostics
import SceneFiles
import SceneLint
import SceneModel
import SceneText

/// The results of `scenec test`.
struct TestResults {
  let files: [TestedFile]

  var cases: [TestCase] { files.flatMap(\.cases) }

  func count(_ state: TestCase.State) -> Int { cases.count { $0.state == state } }

  /// The exit status: a file that cannot be read, then a scene with errors, then a failure.
  var code: ExitCode {
    if files.contains(where: { $0.error != nil }) { return .worldRefused }
    if files.contains(where: { !$0.errors.diagnostics.isEmpty }) { return .sceneWrong }
    return cases.allSatisfy { $0.state == .passed } ? .done : .checkFailed
  }

  var summary: String {
    let (failed, unproven) = (count(.failed), count(.unproven))
    var parts = ["\(count(.passed)) passed"]
    if failed > 0 { parts.append("\(failed) failed") }
    if unproven > 0 { parts.append("\(unproven) not proven") }
    let wrong = files.count { $0.error != nil || !$0.errors.diagnostics.isEmpty }
    if wrong > 0 { parts.append("\(NumberFormat.count(wrong, of: "file")) with errors") }
    return "\(NumberFormat.count(cases.count, of: "expectation")): "
      + parts.joined(separator: ", ")
  }
}

/// The expectations of one file.
struct TestedFile: Sendable {
  let path: String
  var cases: [TestCase] = []
  /// The errors of the scene, which prevent its test.
  var errors: (diagnostics: [Diagnostic], sources: [SourceFile]) = ([], [])
  /// The error of the environment that ended the test.
  var error: FileError?
  var note: String?
  /// Whether several scenes of the file are tested.
  var hasScenes = false
  /// The number of golden frames that replaced their stored images.
  var acceptedCount = 0

  /// The messages of the errors; `nil` without errors.
  var problem: String? {
    if let error { return error.message }
    if errors.diagnostics.isEmpty { return nil }
    return DiagnosticPrinter(files: errors.sources, colored: false).print(errors.diagnostics)
  }
}

/// One expectation in one scene, row of data and layout.
struct TestCase: Sendable {
  /// The result of a test. An expectation that is not proven did not pass.
  enum State: String, Encodable {
    case passed, failed, unproven
  }

  let title: String
  /// The file and line, such as `film.scene:8`.
  let place: String
  /// The scene, row and layout, if there are several.
  let details: [String]
  private(set) var state: State
  private(set) var diagnostics: [Diagnostic]
  /// The golden frames that differ from their stored images.
  private(set) var differences: [GoldenFrames.Difference] = []
  let sources: [SourceFile]

  init(_ proof: Proof, sources: [SourceFile], details: [String]) {
    let span = proof.expectation.span
    let source = sources[Int(span.file.rawValue)]
    let line = source.position(at: span.start).line
    place = "\(source.name):\(line)"
    let name = proof.expectation.name ?? "expectation in line \(line)"
    title = details.isEmpty ? name : "\(name) (\(details.joined(separator: ", ")))"
    self.details = details
    self.sources = sources
    diagnostics = proof.diagnostics
    let isProven = proof.verdicts.allSatisfy { if case .holds = $0 { true } else { false } }
    state = isProven ? .passed : proof.failures.isEmpty ? .unproven : .failed
  }

  /// Creates a failure about a stored image that no expectation names.
  init(stale name: String, message: String, at span: SourceSpan, sources: [SourceFile]) {
    let source = sources[Int(span.file.rawValue)]
    place = "\(source.name):\(source.position(at: span.start).line)"
    title = "golden frames"
    details = []
    self.sources = sources
    state = .failed
    diagnostics = [
      Diagnostic(
        .goldenDiffers, message, at: span, label: "",
        notes: [Note(help: "'scenec test --accept' deletes stored images without an expectation")])
    ]
  }

  /// Creates a failure about golden frames whose scene file does not exist.
  init(_ goldens: AbandonedGoldens) {
    place = goldens.path
    title = "golden frames"
    details = []
    sources = [SourceFile(name: goldens.index, text: "")]
    state = .failed
    diagnostics = [
      Diagnostic(
        .goldenDiffers, goldens.message,
        at: SourceSpan(file: FileID(0), start: 0, end: 0),
        label: "", notes: [Note(help: goldens.help)])
    ]
  }

  /// Adds a failure.
  mutating func fail(_ diagnostic: Diagnostic, _ difference: GoldenFrames.Difference?) {
    state = .failed
    diagnostics.append(diagnostic)
    if let difference { differences.append(difference) }
  }

  /// The messages of the failures without colors.
  var text: String { DiagnosticPrinter(files: sources, colored: false).print(diagnostics) }
}

extension TestResults: Encodable {
  private struct Case: Encodable {
    let file: String
    let title: String
    let place: String
    let state: TestCase.State
    let diagnostics: [DiagnosticReport]
  }

  private struct Errors: Encodable {
    let file: String
    let message: String?
    let diagnostics: [DiagnosticReport]
  }

  private enum Key: CodingKey {
    case passed, failed, unproven, expectations, errors
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(count(.passed), forKey: .passed)
    try container.encode(count(.failed), forKey: .failed)
    try container.encode(count(.unproven), forKey: .unproven)
    let all = files.flatMap { file in
      file.cases.map { it in
        Case(
          file: file.path, title: it.title, place: it.place, state: it.state,
          diagnostics: it.diagnostics.map { DiagnosticReport($0, it.sources) })
      }
    }
    try container.encode(all, forKey: .expectations)
    let errors = files.filter { $0.error != nil || !$0.errors.diagnostics.isEmpty }.map { file in
      Errors(
        file: file.path, message: file.error?.message,
        diagnostics: file.errors.diagnostics.map { DiagnosticReport($0, file.errors.sources) })
    }
    try container.encode(errors, forKey: .errors)
  }
}
