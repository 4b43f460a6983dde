// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

extension Parser {
  mutating func parenthesised() {
    let start = mark
    let open = span
    advance()
    if kind == .identifier, kind(ahead: 1) == .colon {
      fields()
      closing(.rightParen, open)
      return finish(.record, start)
    }
    var count = 0
    // Nesting is counted by the expressions inside.
    within(brackets: true) { parser in
      repeat {
        parser.expression()
        count += 1
      } while parser.take(.comma) && !parser.isAtEnd
    }
    closing(.rightParen, open)
    finish(count == 1 ? .paren : .pair, start)
    if count > 2 {
      report(
        Diagnostic(
          .unexpectedToken, "a pair must have two values, found \(count)",
          at: source.span(open.start, lastSpan.end), label: "write a list as [ … ]"))
    }
  }

  /// Parses the fields `name: value, …` of a record.
  private mutating func fields() {
    nested { parser in
      parser.within(brackets: true) { parser in
        parser.items(until: .rightParen) { parser in
          guard parser.kind == .identifier, parser.kind(ahead: 1) == .colon else {
            return parser.expected("a field name and ':'", label: "such as tint: orange")
          }
          parser.namedArgument()
        }
      }
    }
  }

  mutating func list() {
    let start = mark
    let open = span
    advance()
    var kind = SyntaxKind.list
    nested { parser in
      parser.within(brackets: true) { parser in
        if parser.kind == .forWord {
          kind = .comprehension
          parser.comprehension()
          return
        }
        parser.items(until: .rightBracket) { $0.expression() }
      }
      parser.closing(.rightBracket, open)
    }
    finish(kind, start)
  }

  private mutating func comprehension() {
    advance()
    name("after 'for'", label: "such as [for i in 0..5: i * 10]")
    if take(.comma) { name("for the index") }
    if expect(.inWord, "and a range or list") { conditional() }
    bound()
    if kind == .forWord {
      // A nested loop.
      nested { parser in
        let inner = parser.mark
        parser.comprehension()
        parser.finish(.comprehension, inner)
      }
      return
    }
    if expect(.colon, "and the value of each item") { expression() }
  }

  /// Parses the condition in the head of a loop, if there is one.
  mutating func bound() {
    guard kind == .ifWord else { return }
    let start = mark
    advance()
    conditional()
    finish(.bound, start)
  }

  mutating func keyframes() {
    let start = mark
    advance()
    if kind == .leftBrace {
      keys()
    } else if !impliesBody(as: nil, { $0.keyItems() }) {
      expected("'{' and keyframes such as '0s: 10'")
    }
    finish(.keyframes, start)
  }

  private mutating func keys() {
    let open = span
    advance()
    nested { parser in
      parser.within(brackets: false) { $0.keyItems() }
      parser.closingBrace(open)
    }
  }

  private mutating func keyItems() {
    while kind != .rightBrace, !isAtEnd {
      if take(.semicolon) || take(.newline) { continue }
      let before = span.start
      if kind == .forWord { keyFor() } else { key() }
      endOfItem()
      if span.start == before, kind != .rightBrace { advance() }
    }
  }

  private mutating func keyFor() {
    let start = mark
    advance()
    name("after 'for'")
    if take(.comma) { name("for the index") }
    if expect(.inWord, "and a range or list") { conditional() }
    if kind == .forWord {
      nested { $0.keyFor() }
    } else if kind == .leftBrace {
      keys()
    } else {
      expected("'{' and keys")
    }
    finish(.keyFor, start)
  }

  private mutating func key() {
    let start = mark
    conditional()
    if expect(.colon, "between the time and the value of a keyframe") {
      conditional()
      if kind == .arrow {
        report(
          Diagnostic(
            .tweenNeedsParentheses, "a tween as the value of a keyframe must be in parentheses",
            at: span,
            label: "write '(a -> b)', or make the end value a separate keyframe"))
        skipItem()
      }
      clauses()
    } else {
      skipItem()
    }
    finish(.key, start)
  }

  mutating func string() {
    let start = mark
    advance()
    while !isAtEnd, kind != .stringEnd {
      if kind == .interpolationStart {
        let part = mark
        let brace = span
        advance()
        if kind == .interpolationEnd {
          report(emptyValue(brace))
        } else {
          nested { parser in
            parser.within(brackets: true) { $0.expression() }
          }
          if kind != .interpolationEnd, kind != .unknown { report(unendedValue(brace)) }
        }
        while kind != .interpolationEnd, kind != .stringEnd, !isAtEnd { advance() }
        _ = take(.interpolationEnd)
        finish(.interpolation, part)
      } else if kind == .stringText {
        advance()
      } else {
        break
      }
    }
    _ = take(.stringEnd)
    finish(.string, start)
  }
}
