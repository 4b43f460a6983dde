// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Compares all prose of the repository with the word list of CONTRIBUTING.md.
@Suite("Words", .cpuBudget(seconds: 6)) struct WordTests {
  /// Returns the quoted phrases of the section "Words".
  private func forbidden() throws -> [String] {
    let section = try Repository.text("CONTRIBUTING.md").components(separatedBy: "\n## Words\n")[1]
      .components(separatedBy: "\n## ")[0]
    return section.split(separator: "\n").flatMap { row in
      row.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }
  }

  /// Returns the text of a file on one line, so that phrases are found across line breaks.
  private func prose(_ file: String, where isIncluded: (Substring) -> Bool = { _ in true }) throws
    -> String
  {
    try Repository.lines(file).map { $0.drop { $0 == " " } }
      .filter { !$0.isEmpty && isIncluded($0) }
      .map { $0.drop { $0 == "/" || $0 == "#" || $0 == "*" || $0 == " " } }
      .joined(separator: " ")
  }

  private func isComment(_ line: Substring) -> Bool { line.hasPrefix("//") }

  private func pattern(_ phrases: [String]) throws -> NSRegularExpression {
    let any = phrases.map(NSRegularExpression.escapedPattern).joined(separator: "|")
    return try NSRegularExpression(
      pattern: "(?<!\\bthere )\\b(?:\(any))\\b", options: .caseInsensitive)
  }

  private func findings(_ pattern: NSRegularExpression, in text: String) -> [String] {
    let whole = text as NSString
    return pattern.matches(in: text, range: NSRange(location: 0, length: whole.length))
      .map { match in
        let start = max(0, match.range.location - 40)
        return whole.substring(
          with: NSRange(location: start, length: match.range.upperBound - start))
      }
  }

  private func files(_ folders: [String], _ endings: [String]) -> [String] {
    folders.flatMap { folder in endings.flatMap { Repository.files(in: folder, ending: $0) } }
  }

  @Test func phrasesAreFoundAsWholeWords() throws {
    let pattern = try pattern(["told of", "is due", "such a"])
    #expect(findings(pattern, in: "It is told of once.") == ["It is told of"])
    #expect(findings(pattern, in: "This duet is dueting, such as here.") == [])
  }

  /// Strings in Swift code, documents, scenes, editor packages, the preview page and C comments.
  @Test func textsOfUsersUseTheTermsOfTheTable() throws {
    let phrases = try forbidden()
    #expect(phrases.count > 60)
    let pattern = try pattern(phrases)
    let documents = try FileManager.default.contentsOfDirectory(atPath: Repository.path)
      .filter { $0.hasSuffix(".md") }
    let whole =
      files(["Sources"], [".md", ".c", ".h", ".scene", ".js", ".css", ".html"])
      + files(["Grammar"], [".md", ".ebnf", ".scene", ".txt"])
      + files(["Examples"], [".md", ".scene", ".swift", ".sh"])
      + files(["Editors"], [".md", ".js", ".vim", ".lua", ".el"]) + documents
    for file in Set(whole) {
      let found = findings(
        pattern,
        in: try prose(file) {
          file != "CONTRIBUTING.md" || !($0.hasPrefix("| ") || $0.contains("\""))
        })
      #expect(found == [], "\(file): see \"Words\" in CONTRIBUTING.md")
    }
    for file in files(["Sources"], [".swift"]) {
      let found = findings(pattern, in: try prose(file) { !isComment($0) })
      #expect(found == [], "\(file): see \"Words\" in CONTRIBUTING.md")
    }
  }

  @Test func commentsUseTheTermsOfTheTable() throws {
    let pattern = try pattern(try forbidden())
    for file in files(["Sources", "Tests"], [".swift"]) where !file.hasSuffix("WordTests.swift") {
      let found = findings(pattern, in: try prose(file, where: isComment))
      #expect(found == [], "\(file): see \"Words\" in CONTRIBUTING.md")
    }
  }
}
