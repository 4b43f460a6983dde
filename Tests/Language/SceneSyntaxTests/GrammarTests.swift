// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// `Grammar/scene.ebnf` and the parser agree.
@Suite("Grammar", .cpuBudget(seconds: 3)) struct GrammarTests {
  private let grammar: Grammar
  private let start: Int

  init() throws {
    grammar = Grammar(try Repository.text("Grammar/scene.ebnf"))
    start = try #require(grammar.rule("file"))
  }

  private static let spellings: [String: [String]] = [
    "IDENT": ["alpha", "card", "ease-in-out", "x", "_own", "größe", "t2"],
    "NUMBER": ["0", "12", "0.5", "1e3", "1_000", "2s", "90deg", "50%", "3f", "1.2Mbps"],
    "SIZE": ["1920x1080"], "COLOR": ["#fff", "#ff8a3d", "#00000080"],
    "STRING_START": ["\""], "STRING_END": ["\""],
    "TEXT": ["some text", "a\\n\\u{1F600}", "\\{x\\}"],
    "VALUE_START": ["{"], "VALUE_END": ["}"],
  ]

  private static let openings: Set<String> = ["(", "["]
  private static let closings: Set<String> = [")", "]"]

  /// Tokens that continue the previous line, so that a NEWLINE before them is written as `;`.
  private static let continuing: Set<String> = [
    "+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!=", "and", "or", "..", ".", "->", "?", ":",
  ]

  /// Returns terminals as text, with spaces between tokens except inside strings.
  private func written(_ terminals: [String], _ random: inout SeededGenerator) -> String {
    var text = ""
    var inText = false
    var values = 0
    for (index, terminal) in terminals.enumerated() {
      if terminal == "NEWLINE" {
        let next = index + 1 < terminals.count ? terminals[index + 1] : ""
        let mustBeSemicolon = values > 0 || Self.continuing.contains(next)
        text +=
          mustBeSemicolon
          ? ";" : ["\n", "\n\n  // note\n", " \r\n"].randomElement(using: &random) ?? ""
        continue
      }
      let spelling = Self.spellings[terminal]?.randomElement(using: &random) ?? terminal
      if !inText, terminal != "VALUE_END" {
        text += [" ", " ", "\t", " /* c */ "].randomElement(using: &random) ?? " "
      }
      text += spelling
      switch terminal {
      case "STRING_START": inText = true
      case "STRING_END": inText = false
      case "VALUE_START":
        inText = false
        values += 1
      case "VALUE_END":
        inText = true
        values -= 1
      default: break
      }
      // A string inside an interpolation ends within the text of the outer string.
      if terminal == "STRING_END", values > 0 { inText = false }
    }
    return text
  }

  @Test func acceptsWhatTheGrammarDerives() {
    var random = SeededGenerator(7)
    for round in 0..<4000 {
      let terminals = grammar.sentence(of: start, length: 4 + round % 120, using: &random)
      let text = written(terminals, &random)
      let parsed = parse(SourceFile(name: "x", text: text))
      #expect(parsed.tree.text == Array(text.utf8))
      #expect(parsed.diagnostics.isEmpty, "\(text)\n\(parsed.diagnostics.map(\.message))")
      if !parsed.diagnostics.isEmpty { return }
    }
  }

  @Test func formattingKeepsWhatTheGrammarDerives() {
    var random = SeededGenerator(13)
    for round in 0..<1500 {
      let terminals = grammar.sentence(of: start, length: 4 + round % 120, using: &random)
      checkFormat(written(terminals, &random), "sentence \(round)")
    }
  }

  @Test func rejectsWhatItDoesNotDerive() {
    var random = SeededGenerator(11)
    let replacements = [
      "alpha", "12", "#fff", "(", ")", "[", "]", "{", "}", ":", ";", ",", ".", "..", "->", "+",
      "*", "<", "==", "=", "?", "|", "let", "for", "in", "if", "else", "not", "and", "true",
      "keyframes", "1x1",
    ]
    var counts = (same: 0, rejected: 0)
    for round in 0..<2500 {
      let terminals = grammar.sentence(of: start, length: 4 + round % 50, using: &random)
      guard (2..<90).contains(terminals.count) else { continue }
      let text = written(terminals, &random)
      let tree = parse(SourceFile(name: "x", text: text)).tree
      let plain = tree.tokens.indices.filter { index in
        let kind = tree.tokens[index].kind
        return !kind.isTrivia
          && ![.stringText, .stringStart, .stringEnd, .interpolationStart, .interpolationEnd]
            .contains(kind)
      }
      guard let victim = plain.randomElement(using: &random) else { continue }
      let range = tree.range(ofToken: victim)
      var bytes = Array(text.utf8)
      let replacement =
        Bool.random(using: &random) ? "" : replacements.randomElement(using: &random) ?? ""
      bytes.replaceSubrange(range, with: Array((" " + replacement + " ").utf8))
      let mutant = SourceFile(id: FileID(0), name: "x", bytes: bytes)
      let parsed = parse(mutant)
      #expect(parsed.tree.text == bytes)
      let tokens = SignificantTokens(parsed.tree)
      // The parser continues after the keyword of a clause at the end of a line, but the newline
      // rule ends the item.
      if tokens.hasUncertainLineEnd { continue }
      let isDerived = grammar.derives(start, tokens.count, matches: tokens.matches)
      let isAccepted = parsed.diagnostics.isEmpty
      #expect(
        isDerived == isAccepted,
        "\(String(decoding: bytes, as: UTF8.self))\n\(parsed.diagnostics.map(\.message))")
      if isDerived != isAccepted { return }
      if isDerived { counts.same += 1 } else { counts.rejected += 1 }
    }
    #expect(counts.rejected > 250)
    #expect(counts.same > 20)
  }

  @Test func keywordsAreThoseOfTheLexer() throws {
    let text = try Repository.text("Grammar/scene.ebnf")
    for word in TokenKind.reserved.keys { #expect(text.contains("\"\(word)\""), "\(word)") }
  }
}

/// The tokens of a file with the newlines that end items, by the rule in the grammar's comment.
///
/// Implemented independently of the parser, so that each checks the other.
private struct SignificantTokens {
  private var kinds: [TokenKind] = []
  private var texts: [String] = []
  private(set) var hasUncertainLineEnd = false

  var count: Int { kinds.count }

  private static let enders: Set<TokenKind> = [
    .identifier, .number, .pairLiteral, .color, .stringEnd, .trueWord, .falseWord, .noneWord,
    .rightParen, .rightBracket, .rightBrace,
  ]

  init(_ tree: SyntaxTree) {
    var open: [TokenKind] = []
    var newline = false
    for index in tree.tokens.indices {
      let kind = tree.tokens[index].kind
      let text = tree.text(ofToken: index)
      if kind == .endOfFile { return }
      if kind.isTrivia {
        if text.contains("\n") || kind == .lineComment {
          newline = true
        }
        continue
      }
      if newline, let last = kinds.last, Self.enders.contains(last),
        open.last == nil || open.last == .leftBrace, !goesOn(kind, text, tree, index)
      {
        add(.newline, "\n")
      }
      if newline,
        ["over", "after", "with", "by", ">"].contains(texts.last(where: { $0 != "\n" }) ?? "")
      {
        hasUncertainLineEnd = true
      }
      newline = false
      switch kind {
      case .leftBrace, .leftParen, .leftBracket, .interpolationStart: open.append(kind)
      case .rightBrace, .rightParen, .rightBracket, .interpolationEnd: _ = open.popLast()
      default: break
      }
      add(kind, text)
    }
  }

  private mutating func add(_ kind: TokenKind, _ text: String) {
    kinds.append(kind)
    texts.append(text)
  }

  private func goesOn(_ kind: TokenKind, _ text: String, _ tree: SyntaxTree, _ index: Int) -> Bool {
    switch kind {
    case .plus, .minus, .star, .slash, .less, .lessEqual, .greater, .greaterEqual, .equalEqual,
      .notEqual, .andWord, .orWord, .dotDot, .dot, .arrow, .question, .colon, .semicolon,
      .rightBrace, .rightParen, .rightBracket, .interpolationEnd:
      return true
    case .elseWord: return kinds.last == .rightBrace
    case .identifier where ["over", "after", "with"].contains(text):
      let next = tree.tokens[(index + 1)...].first { !$0.kind.isTrivia }
      return next?.kind != .colon
    default: return false
    }
  }

  func matches(_ terminal: String, _ token: Int) -> Bool {
    switch terminal {
    case "IDENT":
      // Excludes the `fn` of anonymous functions and function types.
      kinds[token] == .identifier
        && !(texts[token] == "fn" && token + 1 < count && kinds[token + 1] == .leftParen)
    case "NUMBER": kinds[token] == .number
    case "SIZE": kinds[token] == .pairLiteral
    case "COLOR": kinds[token] == .color
    case "STRING_START": kinds[token] == .stringStart
    case "STRING_END": kinds[token] == .stringEnd
    case "TEXT": kinds[token] == .stringText
    case "VALUE_START": kinds[token] == .interpolationStart
    case "VALUE_END": kinds[token] == .interpolationEnd
    case "NEWLINE": kinds[token] == .newline
    default:
      texts[token] == terminal && kinds[token] != .stringText
        && kinds[token] != .interpolationStart && kinds[token] != .interpolationEnd
    }
  }
}
