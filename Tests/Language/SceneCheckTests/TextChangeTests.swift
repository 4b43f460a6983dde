// SPDX-License-Identifier: MIT
import SceneIR
import SceneTestSupport
import Testing

/// Texts with several changes, of which a later one can begin before the previous one ends.
@Suite("Changes of texts", .cpuBudget(seconds: 1)) struct TextChangeTests {
  private static let component = "component C(words: text) { text \"{words}\" { } }\n"

  /// Returns the visible text at a time; `nil` if no text is drawn.
  private static func text(_ body: String, at seconds: Double) throws -> String? {
    let source = component + scene(body)
    let frame = try #require(program(source, at: seconds), "\(diagnose(source))").description
    return frame.split(separator: "run \"").dropFirst().first.map {
      String($0.prefix { $0 != "\"" })
    }
  }

  private static func scenes(_ changes: [(at: String, for: String, text: String)]) -> [String] {
    ["text \"Hello\" {\n", "C { words: \"Hello\"\n"].enumerated().map { index, head in
      let property = index == 0 ? "content" : "words"
      return head
        + changes.map { "change { at: \($0.at);  for: \($0.for);  \(property): \"\($0.text)\" }\n" }
        .joined() + "}"
    }
  }

  /// A change that starts before the previous one ends finds the whole text of that change.
  @Test func aLaterChangeShortensTheOneBefore() throws {
    for body in Self.scenes([("0.5s", "2s", "Hexagon"), ("1s", "2s", "Hello again")]) {
      #expect(try Self.text(body, at: 0.5) == "Hello")
      #expect(try Self.text(body, at: 1) == "Hexagon")
      let lengths = try stride(from: 1.0, through: 3, by: 0.05).map {
        try Self.text(body, at: $0)?.count ?? 0
      }
      // The text is deleted down to "He" once, and then only grows.
      let least = try #require(lengths.min())
      let turn = try #require(lengths.firstIndex(of: least))
      #expect(least == 2)
      #expect(lengths[...turn].reversed() == lengths[...turn].sorted())
      #expect(Array(lengths[turn...]) == lengths[turn...].sorted())
      #expect(try Self.text(body, at: 3.2) == "Hello again")
    }
  }

  /// Changes in succession keep their durations.
  @Test func changesInSuccessionRest() throws {
    for body in Self.scenes([("0.5s", "1s", "Hexagon"), ("2s", "1s", "Helium")]) {
      #expect(try Self.text(body, at: 1.0)?.count ?? 9 < 7)
      for time in [1.5, 1.8, 2] { #expect(try Self.text(body, at: time) == "Hexagon") }
      #expect(try Self.text(body, at: 3) == "Helium")
    }
  }

  /// Of changes with the same start, the last one is shown.
  @Test func changesWithTheSameStart() throws {
    for body in Self.scenes([("1s", "1s", "Hexagon"), ("1s", "1s", "Helium")]) {
      #expect(try Self.text(body, at: 0.9) == "Hello")
      #expect(try Self.text(body, at: 2) == "Helium")
    }
  }
}
