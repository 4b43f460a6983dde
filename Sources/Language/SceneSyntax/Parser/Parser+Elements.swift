// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

/// The kind of body, which determines its items: only the body of a path has segments, and only
/// that of an expectation has conditions.
enum BodyContext {
  case element, path, expect
}

extension Parser {
  /// The segment keywords of a path body, with their numbers of points.
  static let segments: [String: ClosedRange<Int>] = [
    "move": 1...1, "line": 1...1, "curve": 3...3, "smooth": 2...2, "quad": 2...2, "arc": 2...2,
    "through": 1...10_000, "close": 0...0,
  ]

  mutating func element() {
    let start = mark
    let context: BodyContext = isWord("path") ? .path : isWord("expect") ? .expect : .element
    let isChange = isWord("change")
    let qualified = mark
    leaf(.name)
    while kind == .dot {
      advance()
      if !name("after '.'") { break }
    }
    finish(.qualifiedName, qualified)
    if kind == .identifier, !(isChange && beginsTarget) {
      leaf(.name)
      rejectDigitPart()
    }
    if isChange, beginsTarget { target() }
    if kind == .stringStart { string() }
    if rawKind == .leftBrace { bodyOrError(of: context) } else { _ = impliedBody(of: context) }
    finish(.element, start)
  }

  /// Whether `of` and the target of a `change` follow; `change of { }` is a change named `of`.
  private var beginsTarget: Bool {
    isWord("of") && [.identifier, .leftBracket].contains(kind(ahead: 1))
  }

  /// Parses `of card`, `of cards[2]`, `of logo.wheel` or `of [card, label]`.
  private mutating func target() {
    let start = mark
    advance()
    if kind == .leftBracket { list() } else { place() }
    finish(.target, start)
  }

  /// Parses a body; reports a `{` that is missing or on the next line.
  mutating func bodyOrError(of context: BodyContext) {
    if kind == .newline, rawKind == .leftBrace {
      let diagnostic = Diagnostic(
        .braceOnNextLine, "'{' is on a line of its own", at: span,
        label: "'{' must end the line above")
      let gap = source.span(lastSpan.end, span.start)
      let isFree = source.text(gap).allSatisfy(\.isWhitespace)
      report(
        isFree
          ? diagnostic.fixing("move it to the line above", replacing: gap, with: " ") : diagnostic)
      _ = take(.newline)
    }
    if kind == .leftBrace { return body(of: context) }
    if !impliedBody(of: context) { expected("'{'") }
  }

  /// Parses a body whose `{` is missing at the end of the line. Returns whether there is one.
  private mutating func impliedBody(of context: BodyContext) -> Bool {
    impliesBody(as: .body) { $0.items(context) }
  }

  /// Parses the items of a body whose `{` is missing at the end of the line, and builds a node of
  /// them if it has a kind. Returns whether there is one.
  mutating func impliesBody(as kind: SyntaxKind?, _ items: (inout Parser) -> Void) -> Bool {
    guard let missing = missingBracket(), missing.kind == .leftBrace else { return false }
    reportMissing(.leftBrace)
    skip(to: missing.line)
    let start = mark
    nested { parser in
      let outer = parser.insideBrackets
      parser.insideBrackets = false
      items(&parser)
      parser.insideBrackets = outer
    }
    _ = take(.rightBrace)
    if let kind { finish(kind, start) }
    return true
  }

  mutating func body(of context: BodyContext) {
    let start = mark
    let brace = span
    advance()
    nested { parser in
      parser.within(brackets: false) { $0.items(context) }
      parser.closingBrace(brace)
    }
    finish(.body, start)
  }

  /// Parses the closing brace of a body, or reports the unclosed opening one. Of several nested
  /// unclosed braces, only the innermost is reported.
  mutating func closingBrace(_ open: SourceSpan) {
    if take(.rightBrace) { return pair(open, lastSpan) }
    if diagnostics[errorsBefore...].contains(where: { $0.code == .unclosedBracket }) { return }
    if let inner = unclosedBrace(within: open) {
      return report(
        Diagnostic(
          .unclosedBracket, "unclosed '{'", at: inner, label: "expected a matching '}'",
          fixIts: [closing(inner)]))
    }
    if isAtRepair {
      // A line that is cut short has one error.
      if lastLineHasError { return }
      return report(
        Diagnostic(
          .unclosedBracket, "unclosed '{'", at: open, label: "expected a matching '}'",
          fixIts: [
            rawKind == .elseWord
              ? FixIt("add '}'", replacing: source.span(span.start, span.start), with: "} ")
              : closing(open)
          ]))
    }
    let place = isAtRestart ? "before '\(tokenText())'" : "at the end of the file"
    report(
      Diagnostic(
        .unclosedBracket, "unclosed '{'", at: open, label: "expected a matching '}'",
        fixIts: [FixIt("add '}' \(place)", replacing: lastEnd, with: "\n}", isSafe: false)]))
  }

  /// Returns the fix that closes a brace before the first following line that is not indented
  /// further.
  private func closing(_ open: SourceSpan) -> FixIt {
    func head(_ line: Int) -> ArraySlice<UInt8> {
      source.bytes[source.lineRange(line)].prefix { $0 == 32 || $0 == 9 }
    }
    let first = source.lineIndex(at: open.start)
    let indentation = head(first)
    var last = first
    for line in (first + 1)..<max(first + 1, source.lineStarts.count) {
      let range = source.lineRange(line)
      if source.bytes[range].allSatisfy({ $0 == 32 || $0 == 9 || $0 == 13 }) { continue }
      guard head(line).count > indentation.count else { break }
      last = line
    }
    let end = source.lineRange(last).upperBound
    let brace = last == first ? " }" : "\n" + String(decoding: indentation, as: UTF8.self) + "}"
    return FixIt("add '}' after line \(last + 1)", replacing: source.span(end, end), with: brace)
  }

  var lastEnd: SourceSpan { source.span(lastSpan.end, lastSpan.end) }

  private mutating func items(_ context: BodyContext) {
    var lastError: String?
    while kind != .rightBrace, !isAtEnd {
      if take(.semicolon) || take(.newline) { continue }
      if kind == .unknown {
        // The lexer has already reported this token; the following ones may be valid.
        advance()
        continue
      }
      if kind == .rightParen || kind == .rightBracket {
        report(missingSeparator(after: nil))
        advance()
        continue
      }
      let before = span.start
      let property = kind(ahead: 1) == .colon ? tokenText() : nil
      let countBefore = diagnostics.count
      item(context)
      endOfItem(property: property)
      lastError = dropRepetition(of: lastError, at: before, since: countBefore)
      if span.start == before, kind != .rightBrace, !isAtEnd { advance() }
    }
  }

  private mutating func item(_ context: BodyContext) {
    if kind(ahead: 1) == .colon, kind == .identifier || kind == .forWord { return property() }
    switch kind {
    case .letWord: letDeclaration()
    case .forWord: forItem(context)
    case .ifWord: ifItem(context)
    case _ where context == .expect: expectation()
    case .identifier where beginsDeclaration: misplacedDeclaration()
    case .identifier:
      if context == .path, let points = Parser.segments[tokenText()] {
        segment(points)
      } else if beginsProse {
        prose()
      } else if kind(ahead: 1) == .leftParen {
        callInsteadOfItem(context)
      } else {
        element()
      }
    case .stringStart:
      expected(
        "a property, an element, 'let', 'for' or 'if'",
        label: "to show a value, write text \"…\"")
      skipItem()
    case .keyframesWord:
      report(
        Diagnostic(.unexpectedToken, "keyframes must be the value of a property", at: span)
          .advising("write them after a property name: opacity: keyframes { 0s: 0; 1s: 1 }"))
      skipItem()
    case .dot where kind(ahead: 1) == .identifier:
      report(classSelector())
      skipItem()
    default:
      expected("a property, an element, 'let', 'for' or 'if'")
      skipItem()
    }
  }

  /// Parses a condition in the body of an `expect`.
  private mutating func expectation() {
    let start = mark
    if kind == .identifier, [.leftBrace, .stringStart, .identifier].contains(kind(ahead: 1)) {
      report(
        Diagnostic(.unexpectedToken, "an 'expect' cannot contain elements", at: span)
          .advising("write conditions, such as inside(title, safe-area) or title.end <= 8s"))
      return skipItem()
    }
    conditional()
    finish(.expectation, start)
  }

  private mutating func callInsteadOfItem(_ context: BodyContext) {
    let word = tokenText()
    if context == .path {
      report(
        Diagnostic(.unexpectedToken, "unknown path segment '\(word)'", at: span)
          .noting("the segments are \(Parser.segments.keys.sorted().joined(separator: ", "))")
          .suggesting(nearestTo: word, in: Parser.segments.keys.sorted()))
      return skipItem()
    }
    let error = Diagnostic(.unexpectedToken, "a call cannot be an item of a body", at: span)
    if let meant = equivalent(ofCall: [word[...]], ahead: 1) {
      report(error.advising(meant))
      return skipItem()
    }
    report(
      Parser.commonProperties.contains(word)
        ? error.fixing(
          "add ':' after the property name", replacing: source.span(span.end, span.end), with: ":")
        : error.labelled("write the properties of an element in '{ }'"))
    skipItem()
  }

  private static let blocks: Set<SyntaxKind> = [
    .element, .forItem, .ifItem, .componentDecl, .styleDecl, .effectDecl, .transitionDecl,
    .filterDecl, .paintDecl,
  ]

  /// Whether the last item ended with a body, after which another item may follow on the same line.
  private var followsBlock: Bool {
    guard let item = nodes.last, Parser.blocks.contains(item.kind), lastKind == .rightBrace else {
      return false
    }
    return [.identifier, .letWord, .forWord, .ifWord].contains(kind)
  }

  /// Parses the end of an item: `;`, a newline, `}` or the end of the file.
  mutating func endOfItem(property: String? = nil) {
    if isBehindMissingBracket, let missing = missingBracket() {
      // The lines inside the bracket are not items of this body.
      reportMissing(missing.kind)
      skip(to: missing.token + 1)
    }
    if take(.semicolon) || take(.newline) || kind == .rightBrace || isAtEnd { return }
    if followsBlock || isAtDeclaration { return }
    if kind == .unknown || followsUnknownUnit { return skipItem() }
    report(missingSeparator(after: property))
    if !beginsItem { skipItem() }
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
    name("after 'for'", label: "such as for i in 0..5 { … }")
    if take(.comma) { name("for the index") }
    if take(.inWord) {
      let first = span.start
      conditional()
      rangeInWords(from: first)
    } else {
      let isOther = isWord("of") || isWord("from")
      if isOther {
        report(
          Diagnostic(.unexpectedToken, "expected 'in' before the list of a loop", at: span)
            .suggesting("in", isSafe: true))
        advance()
        conditional()
      } else {
        expected("'in' and a range or list", label: "such as for i in 0..5 { … }")
      }
      while ![.leftBrace, .rightBrace, .newline].contains(kind), !isAtEnd { advance() }
    }
    bound()
    if kind == .forWord {
      nested { $0.forItem(context) }
    } else {
      bodyOrError(of: context)
    }
    finish(.forItem, start)
  }

  private mutating func ifItem(_ context: BodyContext) {
    let start = mark
    advance()
    conditional()
    bodyOrError(of: context)
    if kind == .elseWord {
      advance()
      if kind == .ifWord {
        nested { $0.ifItem(context) }
      } else {
        bodyOrError(of: context)
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
    let countBefore = diagnostics.count
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
    if !points.contains(count), diagnostics.count == countBefore {
      let what = points.lowerBound == 1 ? "1 point" : "\(points.lowerBound) points"
      report(
        Diagnostic(
          .unexpectedToken, "'\(word)' requires \(what), found \(count)", at: wordSpan,
          label: points.upperBound == 1 && count == 2
            ? "put a point in parentheses: \(word) (x, y)" : Parser.segmentForms[word] ?? ""))
    }
    finish(.segment, start)
  }

  private static let segmentForms: [String: String] = [
    "move": "move p", "line": "line p", "curve": "curve c1, c2, p", "smooth": "smooth c2, p",
    "quad": "quad c, p", "arc": "arc (rx, ry), p", "through": "through p, p, …",
  ]
}
