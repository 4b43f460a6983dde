// SPDX-License-Identifier: MIT
import SceneSyntax
import SceneText

extension Cursor {
  /// Access to significant tokens: all but spaces and comments, including line ends.
  struct Reader {
    let tree: SyntaxTree
    let end: Int

    /// Returns whether a line is at the top level: empty so far, or with the keyword of a
    /// declaration in the first column.
    func beginsFile(after newline: Int, _ item: [Int]) -> Bool {
      let start = Int(tree.tokens[newline].start) + 1
      guard let first = item.first else {
        // In a file with CRLF line ends, an empty line contains `\r`.
        return tree.file.lineIndex(at: end) == tree.file.lineIndex(at: start)
          && tree.tokens.indices.contains(newline + 1)
          && (kind(newline + 1) != .whitespace || text(newline + 1) == "\r")
      }
      return Int(tree.tokens[first].start) == start
        && SyntaxTree.declarationWords.contains(text(first))
    }

    /// Whether the parser ended a scene above because a later line starts a declaration in the
    /// first column.
    var isAtTop: Bool {
      !tree.path(writingAt: end).contains { FileFacts.bodies.contains(tree.nodes[$0].kind) }
        && tree.tokens.indices.contains { newline in
          Int(tree.tokens[newline].start) < end && kind(newline) == .newline
            && tree.tokens.indices.contains(newline + 1)
            && beginsFile(after: newline, [newline + 1])
        }
    }

    /// Returns whether a complete value precedes a token, so that another value cannot follow.
    func hasValue(before token: Int) -> Bool {
      guard let last = before(token) else { return false }
      switch kind(last) {
      case .number, .pairLiteral, .color, .stringEnd, .trueWord, .falseWord, .noneWord,
        .rightParen, .rightBracket, .rightBrace, .forWord:
        return true
      case .identifier:
        var first = before(last)
        // A continued line does not start an item.
        while let line = first, kind(line) == .newline, let end = before(line),
          [.comma, .leftParen, .leftBracket].contains(kind(end))
        {
          first = end
        }
        let begins = first.map { [.newline, .leftBrace, .semicolon].contains(kind($0)) } ?? true
        return !begins && !["over", "after", "with", "by"].contains(text(last))
      default: return false
      }
    }

    /// Returns whether a token is after the comma between the variables of a loop, where a new name
    /// is declared.
    func declaresRound(before token: Int) -> Bool {
      guard let comma = before(token), kind(comma) == .comma, let name = before(comma),
        let word = before(name)
      else { return false }
      return kind(name) == .identifier && kind(word) == .forWord
    }

    /// Returns the name of the argument whose name ends at a colon.
    func named(at colon: Int) -> String? {
      guard kind(colon) == .colon, let name = before(colon), kind(name) == .identifier,
        let start = before(name), [.leftParen, .comma, .newline].contains(kind(start))
      else { return nil }
      return text(name)
    }

    /// Returns the names of the arguments after a token.
    func named(from token: Int) -> [String] {
      var (depth, names): (Int, [String]) = (0, [])
      for index in min(token + 1, tree.tokens.count)..<tree.tokens.count {
        switch kind(index) {
        case .leftBrace, .leftParen, .leftBracket, .interpolationStart: depth += 1
        case .rightBrace where depth == 0, .rightParen where depth == 0,
          .rightBracket where depth == 0, .interpolationEnd where depth == 0:
          return names
        case .rightBrace, .rightParen, .rightBracket, .interpolationEnd: depth -= 1
        case .colon where depth == 0: if let name = named(at: index) { names.append(name) }
        default: break
        }
      }
      return []
    }

    func kind(_ token: Int) -> TokenKind { tree.tokens[token].kind }
    func text(_ token: Int) -> String { tree.text(ofToken: token) }

    /// Returns the last significant token before another.
    func before(_ token: Int) -> Int? {
      var index = token - 1
      while index >= 0 {
        let kind = kind(index)
        if (!kind.isTrivia && kind != .endOfFile) || kind == .newline { return index }
        index -= 1
      }
      return nil
    }
  }
}
