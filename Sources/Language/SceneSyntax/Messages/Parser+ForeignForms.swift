// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

// Functions, selectors, choices and ranges of other languages, with the equivalent scene syntax.
extension Parser {
  /// The maximum length in bytes of source text that is repeated in a message.
  private static let longest = 80

  /// Returns source text without the white space around it, or `…` for a long or multi-line text.
  private func excerpt(_ start: Int, _ end: Int) -> String {
    guard start < end, end - start <= Parser.longest else { return "…" }
    let text = source.text(source.span(start, end))
    let trimmed = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
    return trimmed.isEmpty || trimmed.contains(where: \.isNewline) ? "…" : String(trimmed)
  }

  /// Skips to the end of the item, to a closing bracket, or to a token for which `ends` is true,
  /// all outside nested brackets. Returns the skipped text for messages.
  private mutating func skipPart(_ ends: (TokenKind, String) -> Bool) -> String {
    let start = span.start
    let first = position
    var level = 0
    while !isAtEnd, kind != .newline, kind != .semicolon {
      if level == 0, ends(kind, kind == .identifier ? tokenText() : "") { break }
      switch kind {
      case .leftBrace, .leftParen, .leftBracket: level += 1
      case .rightBrace, .rightParen, .rightBracket, .interpolationEnd: level -= 1
      default: break
      }
      if level < 0 { break }
      advance()
    }
    return position == first ? "…" : excerpt(start, lastSpan.end)
  }

  // MARK: Functions

  /// The keywords that declare a function in other languages.
  private static let functionWords: Set<String> = ["function", "func", "def", "fun", "fn"]

  /// Returns the advice for a function in a body, as in `function f(x) { return x }`, from the
  /// words before its parameters; `nil` for other words.
  static func function(_ words: [Substring]) -> String? {
    guard words.count == 2, functionWords.contains(String(words[0])) else { return nil }
    return
      "declare a function at the top level of the file: fn \(words[1])(x: number) -> number = …"
  }

  /// Reports and skips the body of a function of another language: `{ return x }`, or `: return x`
  /// as in Python. Returns `false` if no such body follows.
  ///
  /// - Parameter head: The function up to its body in messages, such as `f(x: number) -> number`.
  mutating func foreignBody(of head: @autoclosure () -> String) -> Bool {
    guard kind == .leftBrace || kind == .colon else { return false }
    let open = span
    let isBlock = kind == .leftBrace
    advance()
    if isWord("return") { advance() }
    var value = skipPart { kind, _ in kind == .rightBrace }
    let isStatement = ["if ", "for ", "let ", "var ", "const "].contains { value.hasPrefix($0) }
    if isBlock, kind == .semicolon { advance() }
    if isStatement || isBlock && rawKind != .rightBrace { value = "…" }
    if isBlock {
      var level = 0
      while !isAtEnd, level > 0 || rawKind != .rightBrace {
        level += rawKind == .leftBrace ? 1 : rawKind == .rightBrace ? -1 : 0
        advance()
      }
      if rawKind == .rightBrace { advance() }
    }
    report(
      Diagnostic(
        .unexpectedToken, "the body of a function must be an expression after '='", at: open
      ).advising("write fn \(head()) = \(value)"))
    return true
  }

  // MARK: Selectors

  /// Returns the error for a class selector of CSS, such as `.card`. The next token is the dot.
  func classSelector() -> Diagnostic {
    selector(span.union(spanAhead))
  }

  /// Returns the error for a class selector of CSS above a line that was parsed as its start, as in
  /// `size: 100` above `.card { … }`; `nil` for other items. The next token is the brace.
  func classSelectorAfterItem() -> Diagnostic? {
    guard position >= 2, lastKind == .identifier, kinds[position - 2] == .dot,
      startsLine[position - 2]
    else { return nil }
    return selector(source.span(lastSpan.start - 1, lastSpan.end))
  }

  private func selector(_ span: SourceSpan) -> Diagnostic {
    let name = source.text(span).drop { $0 == "." }
    return Diagnostic(
      .unexpectedToken, "a CSS selector cannot begin an item", at: span
    ).advising(
      "declare a style at the top level of the file: style \(name) { … }; apply it with 'style: \(name)'"
    )
  }

  // MARK: Choices and ranges

  /// Reports and skips a choice such as `if a then b else c` in place of a value.
  mutating func choiceInWords() {
    let start = mark
    let first = span
    advance()
    let begin = span.start
    var condition = skipPart { kind, word in
      kind == .leftBrace || kind == .elseWord || word == "then"
    }
    var values = [String]()
    if isWord("then") || kind == .leftBrace {
      values.append(branch(isLast: false))
    } else if let split = split(begin) {
      (condition, values) = (split.condition, [split.value])
    }
    if kind == .elseWord { values.append(branch(isLast: true)) }
    let choice = "\(condition) ? \(values.joined(separator: " : "))"
    let error = Diagnostic(.unexpectedToken, "expected a value, found 'if'", at: first)
    // A motion or another choice in a branch requires parentheses.
    let isPlain =
      values.count == 2
      && ([condition] + values).allSatisfy { part in
        !["…", "->", "if ", "?", " over "].contains { part.contains($0) }
      }
    report(
      isPlain
        ? error.fixing(
          "write \(choice)", replacing: source.span(first.start, lastSpan.end), with: choice,
          isSafe: false)
        : error.advising("write a choice as condition ? a : b, such as t > 1s ? 1 : 0"))
    finish(.error, start)
  }

  /// Parses a branch after `then`, `else` or `{`, including its braces, and returns its text. The
  /// last branch may be another choice.
  private mutating func branch(isLast: Bool) -> String {
    if kind != .leftBrace { advance() }
    guard take(.leftBrace) else {
      return skipPart { kind, _ in kind == .elseWord && !isLast || kind == .comma }
    }
    let value = skipPart { _, _ in false }
    _ = take(.rightBrace)
    return value
  }

  /// Splits the skipped text of `if (a) b` after its first closing parenthesis.
  private func split(_ start: Int) -> (condition: String, value: String)? {
    guard lastSpan.end - start <= Parser.longest else { return nil }
    let text = source.text(source.span(start, lastSpan.end))
    var level = 0
    for index in text.indices {
      if text[index] == "(" { level += 1 }
      if text[index] == ")" { level -= 1 }
      guard level == 0 else { continue }
      let value = text[text.index(after: index)...].drop(while: \.isWhitespace)
      guard text[index] == ")", !value.isEmpty else { return nil }
      return (String(text[...index].dropFirst().dropLast()), String(value))
    }
    return nil
  }

  /// Reports a range such as `1 to 5` in the head of a loop, and parses its end. The start of the
  /// range has been parsed.
  ///
  /// - Parameter start: The offset of the range.
  mutating func rangeInWords(from start: Int) {
    guard kind == .identifier, ["to", "until", "through", "upto"].contains(tokenText()) else {
      return
    }
    let word = span
    let low = excerpt(start, lastSpan.end)
    advance()
    let begin = span.start
    conditional()
    let high = excerpt(begin, lastSpan.end)
    let last =
      source.text(word) == "until" ? high : Int(high).map { "\($0 &+ 1)" } ?? "\(high) + 1"
    let range = "\(low)..\(last)"
    let error = Diagnostic(
      .unexpectedToken, "expected '..' in a range, found '\(source.text(word))'", at: word
    ).noting("a range excludes its end: 1..6 is 1, 2, 3, 4, 5")
    report(
      range.contains("…")
        ? error
        : error.fixing(
          "write \(range)", replacing: source.span(start, lastSpan.end), with: range,
          isSafe: false))
  }
}
