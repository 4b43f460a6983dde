// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

/// Which items a body may hold: only the body of a path has segments.
enum BodyContext {
  case element, path
}

extension Parser {
  /// The words of segments in the body of a path and how many points each takes.
  static let segments: [String: ClosedRange<Int>] = [
    "move": 1...1, "line": 1...1, "curve": 3...3, "smooth": 2...2, "quad": 2...2, "arc": 2...2,
    "through": 1...10_000, "close": 0...0,
  ]

  mutating func element() {
    let start = mark
    let isPath = isWord("path")
    let qualified = mark
    leaf(.name)
    while kind == .dot {
      advance()
      if !name("behind '.'") { break }
    }
    finish(.qualifiedName, qualified)
    if kind == .identifier { leaf(.name) }
    if kind == .stringStart { string() }
    if rawKind == .leftBrace { bodyOrFault(of: isPath ? .path : .element) }
    finish(.element, start)
  }

  /// A body; tells of a `{` that is missing or stands on the next line.
  mutating func bodyOrFault(of context: BodyContext) {
    if kind == .newline, rawKind == .leftBrace {
      report(
        Diagnostic(
          .braceOnNextLine, "'{' stands on a line of its own", at: span,
          label: "it belongs at the end of the line above"))
      _ = take(.newline)
    }
    if kind == .leftBrace { body(of: context) } else { expected("'{'") }
  }

  mutating func body(of context: BodyContext) {
    let start = mark
    let brace = span
    advance()
    nested { parser in
      parser.within(brackets: false) { $0.items(context) }
    }
    // Only the innermost of several open braces is told of.
    if !take(.rightBrace), !diagnostics.contains(where: { $0.code == .unclosedBracket }) {
      report(
        Diagnostic(
          .unclosedBracket, "this '{' is never closed", at: brace, label: "needs a '}'",
          fixIts: [FixIt("add '}' at the end", replacing: lastEnd, with: "\n}")]))
    }
    finish(.body, start)
  }

  private var lastEnd: SourceSpan { source.span(lastSpan.end, lastSpan.end) }

  private mutating func items(_ context: BodyContext) {
    while kind != .rightBrace, !isAtEnd {
      if take(.semicolon) || take(.newline) { continue }
      let before = span.start
      item(context)
      endOfItem()
      if span.start == before, kind != .rightBrace, !isAtEnd { advance() }
    }
  }

  private mutating func item(_ context: BodyContext) {
    if kind(ahead: 1) == .colon, kind == .identifier || kind == .forWord { return property() }
    switch kind {
    case .letWord: letDeclaration()
    case .forWord: forItem(context)
    case .ifWord: ifItem(context)
    case .identifier:
      if context == .path, let points = Parser.segments[tokenText()] {
        segment(points)
      } else if kind(ahead: 1) == .leftParen {
        callInsteadOfItem()
      } else {
        element()
      }
    default:
      expected("a property, an element, 'let', 'for' or 'if'")
      skipItem()
    }
  }

  private mutating func callInsteadOfItem() {
    report(
      Diagnostic(
        .unexpectedToken, "a call cannot stand alone in a body", at: span,
        label: "an element has no '(…)'; give its properties in '{ }'"))
    skipItem()
  }

  /// Behind an item: `;`, a new line, `}` or the end of the file.
  mutating func endOfItem() {
    if take(.semicolon) || take(.newline) || kind == .rightBrace || isAtEnd { return }
    if kind == .unknown { return skipItem() }
    var fault = Diagnostic(
      .missingSeparator, "expected ';' or a new line before \(foundText)", at: span,
      label: "the item before it has ended")
    if kind == .identifier, kind(ahead: 1) == .leftParen {
      fault.notes = [Note("several values are a list: [a, b]")]
    } else if kind == .leftBrace {
      fault.notes = [Note("a block has no ':' before it: clip { … }, not clip: { … }")]
    } else if kind == .identifier || kind.isReservedWord {
      let gap = source.span(lastSpan.end, lastSpan.end)
      fault.fixIts = [FixIt("add ';'", replacing: gap, with: ";")]
    } else if kind == .number {
      fault.notes = [Note("two numbers are a pair: (300, 200), or 300x200")]
    } else if kind == .equal {
      fault.notes = [Note("a property is written 'name: value'")]
    } else if kind == .comma {
      fault.fixIts = [FixIt("change to ';'", replacing: span, with: ";")]
    } else if [.rightParen, .rightBracket].contains(kind) {
      fault = Diagnostic(
        .unexpectedToken, "\(foundText) closes nothing", at: span,
        label: "no bracket of this kind is open",
        fixIts: [FixIt("remove it", replacing: span, with: "")])
    }
    report(fault)
    if kind != .identifier || !(kind(ahead: 1) == .colon || kind(ahead: 1) == .leftBrace) {
      skipItem()
    }
  }

  private var foundText: String {
    kind == .identifier ? "'\(tokenText())'" : kind.description
  }

  mutating func property() {
    let start = mark
    leaf(.name)
    advance()
    expression()
    finish(.property, start)
  }

  private mutating func forItem(_ context: BodyContext) {
    let start = mark
    advance()
    name("behind 'for'")
    if take(.comma) { name("for the index") }
    if expect(.inWord, "and what to go through") { conditional() }
    bodyOrFault(of: context)
    finish(.forItem, start)
  }

  private mutating func ifItem(_ context: BodyContext) {
    let start = mark
    advance()
    conditional()
    bodyOrFault(of: context)
    if kind == .elseWord {
      advance()
      if kind == .ifWord {
        nested { $0.ifItem(context) }
      } else {
        bodyOrFault(of: context)
      }
    }
    finish(.ifItem, start)
  }

  private mutating func segment(_ points: ClosedRange<Int>) {
    let start = mark
    let word = tokenText()
    let wordSpan = span
    advance()
    var count = 0
    if points.upperBound > 0 {
      if isWord("by") { advance() }
      repeat {
        if word == "arc", count >= 2, kind == .identifier, kind(ahead: 1) == .colon {
          namedArgument()
        } else {
          let argument = mark
          expression()
          finish(.argument, argument)
          count += 1
        }
      } while take(.comma)
    }
    if !points.contains(count) {
      let what = points.lowerBound == 1 ? "1 point" : "\(points.lowerBound) points"
      report(
        Diagnostic(
          .unexpectedToken, "'\(word)' takes \(what), found \(count)", at: wordSpan,
          label: points.upperBound == 1 && count == 2
            ? "a point stands in parentheses: \(word) (x, y)" : Parser.segmentForms[word] ?? ""))
    }
    finish(.segment, start)
  }

  private static let segmentForms: [String: String] = [
    "move": "move p", "line": "line p", "curve": "curve c1, c2, p", "smooth": "smooth c2, p",
    "quad": "quad c, p", "arc": "arc (rx, ry), p", "through": "through p, p, …",
  ]
}
