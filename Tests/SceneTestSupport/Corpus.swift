// SPDX-License-Identifier: MIT
import Foundation

/// The small scenes of `Tests/Corpus`.
///
/// A file contains cases: "=== name", the source, "---", and the expected result. The result has a
/// line for each diagnostic, with its label and notes below, and the frame program at the middle of
/// the scene if there is no error. A body without `scene` or "// whole" is wrapped in a scene of
/// two seconds. A case that starts with "// library" is a file for other cases.
package enum Corpus {
  package static let files = Repository.files(in: "Tests/Corpus", ending: ".txt")

  package static func whole(_ source: String) -> String {
    let isWhole = source.split(separator: "\n").contains {
      $0.hasPrefix("// whole") || $0.hasPrefix("// library")
        || $0.hasPrefix("scene") && ($0.contains("{") || $0.hasSuffix("scene"))
    }
    return isWhole ? source : "scene { for: 2s\n\(source)\n}"
  }

  /// A single case of a file.
  package struct Case: Sendable, CustomStringConvertible {
    package let file: String
    package let name: String
    package let source: String
    package let expected: String

    package var description: String { "\(file): \(name)" }

    /// Whether the file has errors, according to the expected result.
    package var hasErrors: Bool {
      expected.split(separator: "\n").contains { $0.hasPrefix("E0") }
    }

    /// Whether the case is a scene without errors, according to the expected result.
    package var isRight: Bool { !source.hasPrefix("// library") && !hasErrors }

    /// Whether a diagnostic has a fix, according to the expected result.
    package var hasFixes: Bool {
      expected.split(separator: "\n").contains {
        ($0.hasPrefix("E0") || $0.hasPrefix("W0")) && $0.hasSuffix("]")
      }
    }
  }

  package static let cases = files.flatMap { file in
    let text = (try? Repository.text(file)) ?? ""
    return text.components(separatedBy: "=== ").dropFirst().map { part in
      let name = part.prefix { $0 != "\n" }
      let halves = part.dropFirst(name.count + 1).components(separatedBy: "\n---\n")
      let expected = halves.count > 1 ? halves[1].trimmingCharacters(in: .newlines) : ""
      return Case(file: file, name: String(name), source: halves[0], expected: expected)
    }
  }

  /// The sources of all cases in the form that is checked.
  package static var sources: [String] { cases.map { whole($0.source) } }
}
