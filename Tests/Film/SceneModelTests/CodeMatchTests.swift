// SPDX-License-Identifier: MIT
import SceneModel
import SceneTestSupport
import Testing

/// The correspondence between the tokens of two versions of a program.
@Suite("Code match", .cpuBudget(seconds: 1)) struct CodeMatchTests {
  private static func code(_ text: String) -> CodeText { CodeText([CodePiece(text, .plain)]) }

  private static func match(_ a: String, _ b: String) -> (CodeText, CodeText, CodeMatch) {
    let (x, y) = (code(a), code(b))
    return (x, y, CodeMatch(from: x.tokens, to: y.tokens))
  }

  /// Returns the removed, inserted and kept tokens.
  private static func described(_ a: String, _ b: String) -> [String] {
    let (x, y, match) = match(a, b)
    return [
      match.gone.map { x.tokens[$0].text }.joined(separator: " "),
      match.come.map { y.tokens[$0].text }.joined(separator: " "),
      match.pairs.map { x.tokens[$0.from].text }.joined(separator: " "),
    ]
  }

  @Test func runsAreTheText() {
    let text = "let a = \"b c\" // é\n\n  d += 1\n"
    let code = Self.code(text)
    #expect(code.runs.map(\.text).joined() == text)
    #expect(code.lines == ["let a = \"b c\" // é", "", "  d += 1", ""])
    #expect(code.tokens.map(\.text).contains("é"))
    for token in code.tokens {
      #expect(code.lines[token.line].hasPrefix(token.prefix + token.text))
    }
  }

  @Test(arguments: [
    // A new name.
    (
      "let a = 1\nprint(a)", "let count = 1\nprint(count)",
      ["a a", "count count", "let = 1 print ( )"]
    ),
    // A loop around a line.
    (
      "f(x)", "for x in xs {\n  f(x)\n}", ["", "for x in xs { }", "f ( x )"]
    ),
    // A line that moves into another function.
    (
      "func g() {\n  var sum = 0\n  sum += price\n  return sum\n}",
      "func add() {\n  sum += price\n}\n\nfunc g() {\n  var sum = 0\n  add(price)\n  return sum\n}",
      [
        "", "func add ( ) { } add ( price )",
        "func g ( ) { var sum = 0 sum + = price return sum }",
      ]
    ),
    ("same", "same", ["", "", "same"]), ("", "a b", ["", "a b", ""]), ("a b", "", ["a b", "", ""]),
  ])
  func tokensArePaired(_ a: String, _ b: String, _ expected: [String]) {
    #expect(Self.described(a, b) == expected)
  }

  /// Each token of both versions is in one pair, removed or inserted; pairs have equal texts.
  @Test(arguments: 0..<200) func everyTokenIsCounted(_ seed: Int) {
    var random = Generator(seed: UInt64(seed))
    let words = ["let", "a", "b", "sum", "+", "=", "(", ")", "{", "}", "\n", "return", "price"]
    func text() -> String {
      (0..<Int.random(in: 0...40, using: &random)).map { _ in
        words[Int.random(in: words.indices, using: &random)]
      }.joined(separator: " ")
    }
    let (a, b, match) = Self.match(text(), text())
    #expect((match.pairs.map(\.from) + match.gone).sorted() == Array(a.tokens.indices))
    #expect((match.pairs.map(\.to) + match.come).sorted() == Array(b.tokens.indices))
    for pair in match.pairs { #expect(a.tokens[pair.from].text == b.tokens[pair.to].text) }
  }
}
