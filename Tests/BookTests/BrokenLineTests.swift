// SPDX-License-Identifier: MIT
import Foundation
import SceneDiagnostics
import SceneSession
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Errors while the user types a line. Some scenes are checked with each line truncated after each
/// of its tokens.
@Suite("Broken lines", .cpuBudget(seconds: 2)) struct BrokenLineTests {
  private static let files = [
    "Examples/steps/scene.scene", "Examples/explainer/scene.scene",
    "Examples/narration/scene.scene", "Examples/tutorial/step-8.scene",
  ]

  /// The stride through the truncated scenes: all with `SCENEC_ALL=1`, otherwise every ninth.
  private static let step =
    ProcessInfo.processInfo.environment["SCENEC_ALL"] != nil ? 1 : 9

  /// A scene with one truncated line.
  private struct Cut {
    let line: Int
    let bytes: [UInt8]
  }

  private static func cuts(of path: String) throws -> [Cut] {
    let text = Array(try Repository.text(path).utf8)
    let tree = parse(SourceFile(id: FileID(0), name: path, bytes: text)).tree
    var cuts: [Cut] = []
    for token in tree.tokens.indices.dropLast() where !tree.tokens[token].kind.isTrivia {
      let end = tree.range(ofToken: token).upperBound
      let line = tree.file.lineIndex(at: end)
      let rest = text[end..<tree.file.lineRange(line).upperBound]
      guard rest.contains(where: { $0 != 32 }) else { continue }
      cuts.append(Cut(line: line, bytes: Array(text[..<end] + text[(end + rest.count)...])))
    }
    return cuts
  }

  @Test(arguments: files) func haveAtMostTwoErrors(_ path: String) throws {
    let session = ExampleScene.session()
    let cuts = try Self.cuts(of: path)
    var (count, many) = (0, [String]())
    for index in stride(from: 0, to: cuts.count, by: Self.step) {
      let scene = try session.load(Repository.path + "/" + path, bytes: cuts[index].bytes)
      let errors = scene.diagnostics.filter { $0.severity == .error }
      count += 1
      if errors.count > 2 {
        let codes = errors.map {
          "\($0.code.rawValue) \(scene.source.lineIndex(at: $0.span.start) + 1)"
        }
        many.append("\(cuts[index].line + 1): \(codes)")
      }
    }
    #expect(count >= 25)
    #expect(Double(many.count) <= 0.05 * Double(count), "\(many.count) of \(count): \(many)")
  }
}
