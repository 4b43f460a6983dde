// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

extension Parser {
  /// Parses a file that contains a single value.
  mutating func value() {
    let start = mark
    insideBrackets = true
    expression()
    if !isAtEnd { expected("the end of the value") }
    finish(.file, start)
  }

  /// Parses `conditional { clause }`, `conditional { "->" conditional { clause } }`, or an
  /// anonymous function.
  mutating func expression() {
    if isWord("fn"), kind(ahead: 1) == .leftParen { return lambda() }
    let start = mark
    conditional()
    if kind == .arrow {
      while kind == .arrow {
        let leg = mark
        advance()
        conditional()
        clauses()
        finish(.leg, leg)
      }
      finish(.tween, start)
    } else if isClause {
      clauses()
      finish(.timed, start)
    }
  }

  /// Parses `fn(a, b) = a + b`, with optional types.
  private mutating func lambda() {
    nested { parser in
      let start = parser.mark
      parser.advance()
      parser.parameterList(typesRequired: false)
      if parser.take(.arrow) { parser.type() }
      if parser.kind == .equal {
        parser.initializer()
      } else {
        parser.expected("'=' and the value of the function", label: "such as fn(x) = 2 * x")
      }
      parser.finish(.lambda, start)
    }
  }

  private var isClause: Bool {
    kind == .identifier && (isWord("over") || isWord("after") || isWord("with"))
      && kind(ahead: 1) != .colon
  }

  mutating func clauses() {
    while isClause {
      let start = mark
      advance()
      conditional()
      finish(.clause, start)
    }
  }

  mutating func conditional() {
    nested { parser in
      let start = parser.mark
      let condition = parser.span.start
      parser.range()
      guard parser.take(.question) else { return }
      let first = parser.span.start
      parser.conditional()
      if parser.kind == .arrow { parser.tweenInChoice(from: first) }
      if parser.isClause {
        parser.restOfChoice(from: condition)
      } else if parser.expect(.colon, "and the value when the condition is false") {
        parser.conditional()
      }
      parser.finish(.conditional, start)
    }
  }

  /// Parses and reports clauses between `?` and `:`, such as `over 1s`, and parses the second
  /// value.
  private mutating func restOfChoice(from start: Int) {
    let errors = diagnostics.count
    let choice = source.text(source.span(start, lastSpan.end))
    let word = span
    clauses()
    let clause = source.text(source.span(word.start, lastSpan.end))
    guard expect(.colon, "and the value when the condition is false") else { return }
    let second = span.start
    conditional()
    // A second value can have the same error.
    guard diagnostics.count == errors else { return }
    let whole = "(\(choice) : \(source.text(source.span(second, lastSpan.end)))) \(clause)"
    let isShort = whole.count <= 100 && !whole.contains(where: \.isNewline)
    report(
      Diagnostic(
        .tweenNeedsParentheses,
        "'\(source.text(word))' in 'c ? a : b' must follow the choice in parentheses", at: word
      ).advising("write \(isShort ? whole : "(c ? a : b) \(clause)")"))
  }

  /// Parses and reports a tween between `?` and `:`.
  private mutating func tweenInChoice(from start: Int) {
    let arrow = span
    while kind == .arrow {
      advance()
      conditional()
      clauses()
    }
    let motion = source.span(start, lastSpan.end)
    report(
      Diagnostic(
        .tweenNeedsParentheses, "a motion in 'c ? a : b' must be in parentheses", at: arrow
      ).fixing(
        "write (\(source.text(motion)))", replacing: motion, with: "(\(source.text(motion)))"))
  }

  private mutating func range() {
    let start = mark
    or()
    guard take(.dotDot) else { return }
    or()
    finish(.range, start)
    if kind == .dotDot {
      report(
        Diagnostic(.chainedOperator, "a range can have only two ends", at: span, label: "third end")
      )
      // Parses the rest of the chain, so that only this error is reported.
      while take(.dotDot) { or() }
    }
  }

  private mutating func or() { leftAssociative(.orWord) { $0.and() } }

  private mutating func and() { leftAssociative(.andWord) { $0.comparison() } }

  /// Whether the previous tokens are `(` or `,` and a name.
  private var isAfterArgumentName: Bool {
    insideBrackets && position >= 2 && lastKind == .identifier
      && [.leftParen, .comma].contains(kinds[position - 2])
  }

  private mutating func comparison() {
    let start = mark
    sum()
    guard kind.isComparison else {
      if kind == .equal, source.bytes[span.end...].first == UInt8(ascii: ">") {
        let arrow = source.span(span.start, span.end + 1)
        report(
          Diagnostic(
            .unexpectedToken, "unknown operator '=>'", at: arrow,
            label: "a motion is written with '->'",
            fixIts: [FixIt("change to '->'", replacing: arrow, with: "->")]))
      } else if kind == .equal, isAfterArgumentName {
        report(
          Diagnostic(.unexpectedToken, "expected ':' after the name of an argument", at: span)
            .advising("compare values with '=='")
            .fixing("change to ':'", replacing: span, with: ":", isSafe: false))
      } else if kind == .equal {
        report(
          Diagnostic(
            .unexpectedToken, "'=' cannot compare values", at: span, label: "use '=='",
            fixIts: [FixIt("change to '=='", replacing: span, with: "==")]))
      }
      return
    }
    advance()
    sum()
    finish(.binary, start)
    if kind.isComparison {
      report(
        Diagnostic(
          .chainedOperator, "comparisons cannot be chained", at: span,
          label: "join two comparisons with 'and'"))
      while kind.isComparison {
        advance()
        sum()
      }
    }
  }

  private mutating func sum() { leftAssociative(.plus, or: .minus) { $0.product() } }

  private mutating func product() { leftAssociative(.star, or: .slash) { $0.unary() } }

  private mutating func leftAssociative(
    _ one: TokenKind, or other: TokenKind? = nil, of next: (inout Parser) -> Void
  ) {
    let start = mark
    next(&self)
    while kind == one || kind == other {
      advance()
      next(&self)
      finish(.binary, start)
    }
  }

  private mutating func unary() {
    guard kind == .minus || kind == .plus || kind == .notWord else { return postfix() }
    let start = mark
    advance()
    nested { $0.unary() }
    finish(.unary, start)
  }

  private mutating func postfix() {
    let start = mark
    var callable = kind == .identifier
    primary()
    while true {
      if kind == .dot {
        advance()
        if !name("after '.'") { return }
        finish(.member, start)
      } else if kind == .leftBracket {
        index(start)
        callable = false
      } else if kind == .leftParen, callable {
        arguments()
        finish(.call, start)
        callable = false
      } else {
        return
      }
    }
  }

  /// Parses a name with members and indices: the target of a `change`.
  mutating func place() {
    let start = mark
    leaf(.reference)
    while true {
      if kind == .dot {
        advance()
        if !name("after '.'") { return }
        finish(.member, start)
      } else if kind == .leftBracket {
        index(start)
      } else {
        return
      }
    }
  }

  private mutating func index(_ start: Mark) {
    let bracket = span
    let before = lastSpan.end
    advance()
    within(brackets: true) { parser in
      parser.conditional()
      guard parser.kind == .comma, before < bracket.start else { return }
      // A list that follows a value without a comma.
      parser.report(
        Diagnostic(.unexpectedToken, "expected ',' before '['", at: bracket)
          .fixing(
            "add ','", replacing: parser.source.span(before, before), with: ",", isSafe: false))
      while parser.take(.comma), parser.kind != .rightBracket { parser.expression() }
    }
    closing(.rightBracket, bracket)
    finish(.index, start)
  }

  private mutating func arguments() {
    let callee = lastSpan
    let open = span
    advance()
    nested { parser in
      parser.within(brackets: true) { parser in
        parser.items(until: .rightParen) { parser in
          if parser.kind == .identifier, parser.kind(ahead: 1) == .colon {
            parser.namedArgument()
          } else {
            let start = parser.mark
            parser.expression()
            parser.finish(.argument, start)
          }
          if parser.kind != .comma, !parser.lastLineHasError { parser.shadowOfCSS(callee, open) }
        }
      }
      parser.closing(.rightParen, open)
    }
  }

  mutating func namedArgument() {
    let start = mark
    leaf(.name)
    advance()
    expression()
    finish(.argument, start)
  }

  /// Parses the closing bracket, or reports the unclosed opening one.
  mutating func closing(_ wanted: TokenKind, _ open: SourceSpan? = nil) {
    if take(wanted) { return }
    if isAtRepair, lastLineHasError { return }
    guard let open, isAtEnd || isAtRepair || kind == .rightBrace || kind == .semicolon else {
      if kind != .unknown { report(missingComma(wanted)) }
      skip(toCommaOr: wanted)
      _ = take(wanted)
      return
    }
    report(
      Diagnostic(
        .unclosedBracket, "unclosed bracket", at: open,
        label: "expected a matching \(wanted.description)"))
  }

  /// Whether a line ends where a value is required and the next line begins with another argument,
  /// such as `size:` above `color: red` inside brackets.
  private var lacksArgument: Bool {
    insideBrackets && beginsLine && kind == .identifier && kind(ahead: 1) == .colon
      && [.colon, .equal, .arrow].contains(lastKind)
  }

  private mutating func primary() {
    if isAtDeclaration || lacksArgument {
      // In a case such as `let a =` above `scene {`, the next token does not begin a value.
      report(
        Diagnostic(
          .unexpectedToken, "expected a value after '\(source.text(lastSpan))'", at: lastSpan))
      let start = mark
      return finish(.error, start)
    }
    switch kind {
    case .number: leaf(.number)
    case .pairLiteral: leaf(.pairLiteral)
    case .color: leaf(.color)
    case .trueWord, .falseWord: leaf(.bool)
    case .noneWord: leaf(.noneLiteral)
    case .identifier: leaf(.reference)
    case .stringStart: string()
    case .leftParen: parenthesised()
    case .leftBracket: list()
    case .keyframesWord: keyframes()
    case .ifWord where diagnostics.last?.span.start != span.start: choiceInWords()
    default:
      expected("a value", help: equivalentOfValue)
      let start = mark
      finish(.error, start)
    }
  }
}
