// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneDiagnostics
import SceneIR
import SceneLower
import SceneModel
import SceneTestSupport
import SceneText
import Testing

/// Compares all outputs of the compiler for small scenes. With SCENEC_UPDATE_CORPUS set, the
/// outputs are rewritten for review before they are committed.
@Suite("Corpus", .cpuBudget(seconds: 6)) struct CorpusTests {
  private static func result(_ source: String) -> String {
    let text = Corpus.whole(source)
    var options = CheckOptions()
    if text.hasPrefix("// library") { options.purpose = .check }
    let checked = checked(text, options)
    var lines = checked.diagnostics.map { diagnostic in
      let file = checked.sources[Int(diagnostic.span.file.rawValue)]
      let at = file.position(at: diagnostic.span.start)
      let name = diagnostic.span.file.rawValue == 0 ? "" : "\(file.name):"
      var line = "\(diagnostic.code.rawValue) \(name)\(at.line):\(at.column) \(diagnostic.message)"
      // An unsafe fix is a suggestion.
      if let fix = diagnostic.fixIts.first { line += " [\(fix.message)\(fix.isSafe ? "" : "?")]" }
      for text in [diagnostic.label] + diagnostic.notes.map(\.message) where !text.isEmpty {
        line += "\n      \(text)"
      }
      return line
    }
    if checked.diagnostics.isEmpty || !checked.diagnostics.hasErrors, let model = checked.model {
      var lowerer = Lowerer(model, metrics: FixedMetrics())
      lines.append(lowerer.lower(frame: model.frameCount / 2).description)
    }
    return lines.joined(separator: "\n").trimmingCharacters(in: .newlines)
  }

  private static let isUpdate =
    ProcessInfo.processInfo.environment["SCENEC_UPDATE_CORPUS"] != nil

  @Test(.enabled(if: !isUpdate), arguments: Corpus.cases)
  func holds(_ row: Corpus.Case) throws {
    #expect(Self.result(row.source) == row.expected, "\(row.source)")
  }

  /// Writes the results to the files. The test fails, since it does not compare anything.
  @Test(.enabled(if: isUpdate)) func update() throws {
    for file in Corpus.files {
      let text = Corpus.cases.filter { $0.file == file }.map {
        "=== \($0.name)\n\($0.source)\n---\n\(Self.result($0.source))\n\n"
      }.joined().dropLast()
      try text.write(toFile: Repository.path + "/" + file, atomically: true, encoding: .utf8)
    }
    Issue.record("the corpus was written anew: read what changed, and run the tests again")
  }

  @Test func isLarge() throws {
    let names = Set(Corpus.cases.map(\.description))
    let codes = Set(
      Corpus.cases.flatMap { $0.expected.split(separator: "\n").map { String($0.prefix(5)) } })
    #expect(names.count >= 600, "\(names.count)")
    let elsewhere: Set<Code> = [
      .invalidUTF8, .unknownScene, .oddSize, .invalidOutputSetting, .transparentOutput,
      .outsideRoot,
      .undecodable, .fileNotFound, .limitedSound, .flashes, .goldenDiffers, .internalError,
    ]
    for code in Code.allCases where !elsewhere.contains(code) {
      #expect(codes.contains(code.rawValue), "no case for \(code)")
    }
  }
}
