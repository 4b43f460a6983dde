// SPDX-License-Identifier: MIT

// Comma-separated lists, and missing brackets.
extension Parser {
  /// Parses comma-separated items up to the closing bracket.
  mutating func items(until close: TokenKind, _ item: (inout Parser) -> Void) {
    var lacksComma = false
    while kind != close, !isAtEnd {
      let before = position
      item(&self)
      if take(.comma) { continue }
      if kind == close || isAtEnd { return }
      if position > before, startsLine[position], isAtRepair || lastLineHasError {
        // The line above was cut short.
        continue
      }
      if isAtRepair || kind == .rightBrace || kind == .semicolon { return }
      // Items that are written like the first wrong one are not reported again.
      if kind != .unknown, !lacksComma { report(missingComma(close)) }
      lacksComma = true
      if position > before, kind == .identifier, kind(ahead: 1) == .colon { continue }
      let skipped = mark
      skip(toCommaOr: close)
      // The item counts, so that indices remain valid.
      if close == .rightBracket { finish(.error, skipped) }
      if !take(.comma) { return }
    }
  }

  /// Skips to the next comma or closing bracket outside nested brackets, if there is one.
  mutating func skip(toCommaOr close: TokenKind) {
    var level = 0
    for index in position..<max(position, end) {
      let kind = kinds[index]
      switch kind {
      case .leftBrace, .leftParen, .leftBracket, .interpolationStart:
        level += 1
        if level > Parser.nestingLimit { return }
      case .comma where level == 0: return skip(to: index)
      case .semicolon where level == 0: return
      case .rightBrace, .rightParen, .rightBracket, .interpolationEnd:
        if level == 0 {
          if kind == close { skip(to: index) }
          return
        }
        level -= 1
      default: break
      }
    }
  }

  /// Whether an unclosed bracket ends before the next token.
  var isAtRepair: Bool { repair.places.contains(position) }

  /// Whether the line above lacks a bracket that began no body.
  var isBehindMissingBracket: Bool { repair.missing[position] != nil }

  /// Returns the bracket that the current line lacks at its end, if there is one.
  func missingBracket() -> MissingBracket? {
    guard !repair.missing.isEmpty else { return nil }
    var line = position
    while line < kinds.count - 1, !startsLine[line] { line += 1 }
    guard let token = repair.missing[line], token < end else { return nil }
    let kind = kinds[token]
    return MissingBracket(line: line, token: token, kind: kind.opening ?? kind)
  }
}
