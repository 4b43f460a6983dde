// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// The word list of CONTRIBUTING.md, held against what people read.
@Suite("Words", .cpuBudget(seconds: 1)) struct WordTests {
  /// The quoted phrases of the table.
  private func forbidden() throws -> [String] {
    let section = try Repository.text("CONTRIBUTING.md").components(separatedBy: "\n## Words\n")[1]
      .components(separatedBy: "\n## ")[0]
    return section.split(separator: "\n").filter { $0.hasPrefix("| ") }.flatMap { row in
      row.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }
  }

  /// A file on one line, so that phrases are found across line ends; without comments of code and
  /// without the table itself.
  private func prose(_ file: String) throws -> String {
    try Repository.text(file).split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { line in
        file.hasSuffix(".swift")
          ? !line.hasPrefix("//") : file != "CONTRIBUTING.md" || !line.hasPrefix("| ")
      }
      .joined(separator: " ")
  }

  private func findings(_ phrases: [String], in text: String) throws -> [String] {
    let any = phrases.map(NSRegularExpression.escapedPattern).joined(separator: "|")
    let pattern = try NSRegularExpression(pattern: "\\b(?:\(any))\\b", options: .caseInsensitive)
    let whole = text as NSString
    return pattern.matches(in: text, range: NSRange(location: 0, length: whole.length))
      .map { whole.substring(with: $0.range) }
  }

  @Test func phrasesAreFoundAsWholeWords() throws {
    #expect(try findings(["told of", "is due"], in: "It is told of once.") == ["told of"])
    #expect(try findings(["is due"], in: "This duet is dueting.") == [])
  }

  @Test func messagesAndDocumentsUseEverydayWords() throws {
    let phrases = try forbidden()
    #expect(phrases.count > 20)
    let documents = try FileManager.default.contentsOfDirectory(atPath: Repository.path)
      .filter { $0.hasSuffix(".md") }
    let files =
      Repository.files(in: "Sources", ending: ".swift")
      + Repository.files(in: "Sources/SceneLibrary", ending: ".scene")
      + Repository.files(in: "Grammar", ending: ".md")
      + Repository.files(in: "Grammar", ending: ".ebnf") + documents
    for file in files {
      let found = try findings(phrases, in: try prose(file))
      #expect(found == [], "\(file): see \"Words\" in CONTRIBUTING.md")
    }
  }
}
