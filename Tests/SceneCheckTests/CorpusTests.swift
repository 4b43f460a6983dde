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

/// Small scenes with all that the compiler makes of them, in `Tests/Corpus`.
///
/// A file holds cases: "=== name", the source, "---", and what is expected: a line for each
/// diagnostic, with its label and notes below, and the frame program in the middle of the scene when there is no error. A body
/// without `scene` or "// whole" stands in a scene of two seconds. With SCENEC_UPDATE_CORPUS set,
/// they are written anew, to be read before they are committed.
@Suite("Corpus") struct CorpusTests {
  static let files = Repository.files(in: "Tests/Corpus", ending: ".txt")

  static func whole(_ source: String) -> String {
    let isWhole = source.split(separator: "\n").contains {
      $0.hasPrefix("// whole")
        || $0.hasPrefix("scene") && ($0.contains("{") || $0.hasSuffix("scene"))
    }
    return isWhole ? source : "scene { for: 2s\n\(source)\n}"
  }

  private static func result(_ source: String) -> String {
    let text = whole(source)
    let checked = checked(text)
    var lines = checked.diagnostics.map { diagnostic in
      let file = checked.sources[Int(diagnostic.span.file.rawValue)]
      let at = file.position(at: diagnostic.span.start)
      let name = diagnostic.span.file.rawValue == 0 ? "" : "\(file.name):"
      var line = "\(diagnostic.code.rawValue) \(name)\(at.line):\(at.column) \(diagnostic.message)"
      if let fix = diagnostic.fixIts.first { line += " [\(fix.message)]" }
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

  /// One case of a file.
  struct Case: Sendable, CustomTestStringConvertible {
    let file: String
    let name: String
    let source: String
    let expected: String

    var testDescription: String { "\(file): \(name)" }
  }

  static let cases = files.flatMap { file in
    let text = (try? Repository.text(file)) ?? ""
    return text.components(separatedBy: "=== ").dropFirst().map { part in
      let name = part.prefix { $0 != "\n" }
      let halves = part.dropFirst(name.count + 1).components(separatedBy: "\n---\n")
      let expected = halves.count > 1 ? halves[1].trimmingCharacters(in: .newlines) : ""
      return Case(file: file, name: String(name), source: halves[0], expected: expected)
    }
  }

  /// The sources of all cases, as they are checked.
  static func sources() -> [String] { cases.map { whole($0.source) } }

  private static let isUpdate =
    ProcessInfo.processInfo.environment["SCENEC_UPDATE_CORPUS"] != nil

  @Test(.enabled(if: !isUpdate), arguments: cases)
  func holds(_ row: Case) throws {
    #expect(Self.result(row.source) == row.expected, "\(row.source)")
  }

  /// Writes what is found into the files. Such a run fails: it has compared nothing.
  @Test(.enabled(if: isUpdate)) func update() throws {
    for file in Self.files {
      let text = Self.cases.filter { $0.file == file }.map {
        "=== \($0.name)\n\($0.source)\n---\n\(Self.result($0.source))\n\n"
      }.joined()
      try text.write(toFile: Repository.path + "/" + file, atomically: true, encoding: .utf8)
    }
    Issue.record("the corpus was written anew: read what changed, and run the tests again")
  }

  @Test func isLarge() throws {
    let names = Set(Self.cases.map(\.testDescription))
    let codes = Set(
      Self.cases.flatMap { $0.expected.split(separator: "\n").map { String($0.prefix(5)) } })
    #expect(names.count >= 600, "\(names.count)")
    let elsewhere: Set<Code> = [
      .invalidUTF8, .unknownScene, .oddSize, .invalidOutputSetting, .transparentOutput,
      .outsideRoot,
      .undecodable, .fileNotFound, .internalFault,
    ]
    for code in Code.allCases where !elsewhere.contains(code) {
      #expect(codes.contains(code.rawValue), "no case for \(code)")
    }
  }
}
