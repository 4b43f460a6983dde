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
/// without `scene` or "// whole" stands in a scene of two seconds. With SCENEC_UPDATE_CORPUS set, the tests write
/// what they find into the files, to be read before it is committed.
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

  /// The sources of all cases, as they are checked.
  static func sources() throws -> [String] {
    try files.flatMap { file in
      try Repository.text(file).components(separatedBy: "=== ").dropFirst().map {
        let source = $0.components(separatedBy: "\n---\n")[0]
        return whole(String(source.drop { $0 != "\n" }.dropFirst()))
      }
    }
  }

  @Test(arguments: files) func holds(_ file: String) throws {
    let isUpdate = ProcessInfo.processInfo.environment["SCENEC_UPDATE_CORPUS"] != nil
    var written = ""
    for part in try Repository.text(file).components(separatedBy: "=== ").dropFirst() {
      let name = part.prefix { $0 != "\n" }
      let halves = part.dropFirst(name.count + 1).components(separatedBy: "\n---\n")
      let found = Self.result(halves[0])
      written += "=== \(name)\n\(halves[0])\n---\n\(found)\n\n"
      if isUpdate { continue }
      let expected = halves.count > 1 ? halves[1].trimmingCharacters(in: .newlines) : ""
      #expect(found == expected, "\(file): \(name)\n\(halves[0])")
    }
    if isUpdate {
      try written.write(toFile: Repository.path + "/" + file, atomically: true, encoding: .utf8)
    }
  }

  @Test func isLarge() throws {
    var names: Set<String> = []
    var codes: Set<String> = []
    for file in Self.files {
      let text = try Repository.text(file)
      for part in text.components(separatedBy: "=== ").dropFirst() {
        names.insert("\(file) \(part.prefix { $0 != "\n" })")
        let result = part.components(separatedBy: "\n---\n").last ?? ""
        for line in result.split(separator: "\n") where line.count > 5 {
          codes.insert(String(line.prefix(5)))
        }
      }
    }
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
