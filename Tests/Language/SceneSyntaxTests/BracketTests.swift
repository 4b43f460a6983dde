// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// A single missing, surplus or mismatched bracket causes few errors.
@Suite("Wrong brackets", .cpuBudget(seconds: 3)) struct BracketTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let source: String
    let expected: [String]

    init(_ source: String, _ expected: String...) {
      self.source = source
      self.expected = expected
    }

    var testDescription: String { source }
  }

  private func errors(_ text: String) -> [String] {
    parse(SourceFile(name: "x", text: text)).diagnostics.map(\.message)
  }

  @Test(arguments: [
    // Surplus.
    Row("scene a {\n  b { c: 1 } }\n  d { }\n}", "unmatched '}'"),
    Row("scene a {\n  b {\n    c { }\n    }\n    d: 1\n  }\n}", "unmatched '}'"),
    Row("scene a {\n  b {\n    c { }\n    }\n  }\n  d: 1\n}", "unmatched '}'"),
    Row("scene a {\n  b: f(1, }2)\n  d { }\n}", "unmatched '}'"),
    Row("scene a {\n  b: [1, )2]\n  d { }\n}", "unmatched ')'"),
    Row("scene a {\n  b: }1\n  d { }\n}", "unmatched '}'"),
    // Of the wrong kind.
    Row("scene a {\n  b: f(1, 2}\n  d { }\n}", "expected ')', found '}'"),
    Row("scene a {\n  b: [1, 2)\n  d { }\n}", "expected ']', found ')'"),
    Row("scene a {\n  b: f(1, 2[\n  d { }\n}", "expected ')', found '['"),
    Row("scene a {\n  b: f(1, [2[, 3)\n  d { }\n}", "expected ']', found '['"),
    Row("scene a {\n  b: }1, 2)\n  d { }\n}", "expected '(', found '}'"),
    Row("scene a {\n  b (\n    c: 1\n  }\n  d { }\n}", "expected '{', found '('"),
    Row("scene a }\n  b { }\n  d { }\n}", "expected '{', found '}'"),
    Row("scene a ]\n  b { }\n  d { }\n}", "expected '{', found ']'"),
    Row("scene a {\n  b {\n    c: 1\n  )\n  d { }\n}", "expected '}', found ')'"),
    Row("scene a {\n  b {\n    c: 1\n  {\n  d { }\n}", "expected '}', found '{'"),
    Row("scene a {\n  b: keyframes ]\n    0s: 1\n    1s: 2\n  }\n}", "expected '{', found ']'"),
    // Missing, with one error for all items.
    Row(
      "scene a {\n  b: keyframes\n    0s: 1\n    1s: 2\n  }\n}",
      "expected '{' at the end of the line"),
    Row("  b: 1\n  for c in 0..3 { d { } }\n  e { }\n}\n", "'b' must be inside a scene"),
    Row("scene a {\n  move(1)\n  line(2)\n  b: c\n}", "a call cannot be an item of a body"),
    // Two mistakes.
    Row(
      "scene a {\n  b: f(1, }2)\n  d: [1, 2)\n}", "unmatched '}'", "expected ']', found ')'"),
  ])
  func areFound(_ row: Row) { #expect(errors(row.source) == row.expected) }

  /// The position and the kind of a bracket are guesses.
  @Test func fixesAreSuggestions() {
    let text = "scene a {\n  b { c: 1 } }\n  d: [1, 2)\n}"
    let fixes = parse(SourceFile(name: "x", text: text)).diagnostics.flatMap(\.fixIts)
    #expect(fixes.count == 2 && fixes.allSatisfy { !$0.isSafe })
  }

  @Test func oneWrongBracketCausesFewErrors() throws {
    let texts = try Repository.files(in: "Examples", ending: ".scene").map {
      try Array(Repository.text($0).utf8)
    }.filter { $0.count < 9000 }
    var generator = Generator(seed: 7)
    var counts = [0, 0, 0, 0]
    for _ in 0..<2000 {
      let text = texts[Int.random(in: texts.indices, using: &generator)]
      let counted = errors(String(decoding: Self.mutant(text, &generator), as: UTF8.self)).count
      counts[min(counted, 3)] += 1
    }
    #expect(counts[3] <= 40, "\(counts)")
  }

  /// Returns a text in which a bracket is lost, inserted or replaced.
  private static func mutant(_ text: [UInt8], _ generator: inout Generator) -> [UInt8] {
    let brackets = Array("{}()[]".utf8)
    var text = text
    let places = text.indices.filter { brackets.contains(text[$0]) }
    let place = places.randomElement(using: &generator) ?? 0
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: text.remove(at: place)
    case 1: text[place] = brackets.randomElement(using: &generator) ?? 0
    default:
      let starts = text.indices.dropFirst().filter { text[$0 - 1] == 32 && text[$0] != 32 }
      text.insert(
        brackets.randomElement(using: &generator) ?? 0,
        at: starts.randomElement(using: &generator) ?? 0)
    }
    return text
  }
}
