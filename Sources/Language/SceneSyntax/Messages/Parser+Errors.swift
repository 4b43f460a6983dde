// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

// Errors where an item or argument should have ended, with guesses at the intended syntax.
extension Parser {
  /// Consumes a token of the expected kind and returns `true`, or reports the unexpected one.
  @discardableResult
  mutating func expect(_ wanted: TokenKind, _ why: String = "") -> Bool {
    if take(wanted) { return true }
    expected(wanted.description + (why.isEmpty ? "" : " \(why)"))
    return false
  }

  mutating func expected(_ what: String, label: String = "", help: String? = nil) {
    // The lexer has already reported the unknown character.
    if kind == .unknown { return }
    let diagnostic = Diagnostic(
      .unexpectedToken, "expected \(what), found \(foundText)",
      at: isAtEnd || kind == .newline ? lastSpan : span, label: label)
    report(help.map(diagnostic.advising) ?? diagnostic)
  }

  /// Whether an error was reported on the line of the last token.
  var lastLineHasError: Bool {
    guard let last = diagnostics.last else { return false }
    return source.lineIndex(at: last.span.start) == source.lineIndex(at: lastSpan.start)
  }

  /// Reports a bracket that is missing at the end of a line, unless that line has another error.
  mutating func reportMissing(_ bracket: TokenKind) {
    if lastLineHasError { return }
    report(
      Diagnostic(
        .unexpectedToken, "expected \(bracket.description) at the end of the line", at: lastSpan,
        fixIts: [
          FixIt(
            "add \(bracket.description)", replacing: lastEnd,
            with: bracket == .leftBrace ? " {" : bracket == .leftBracket ? "[" : "(", isSafe: false)
        ]))
  }

  /// Returns the error for an item that continues after its end.
  func missingSeparator(after property: String?) -> Diagnostic {
    if kind == .rightParen || kind == .rightBracket {
      return Diagnostic(
        .unexpectedToken, "unmatched \(foundText)", at: span,
        label: "no matching opening bracket",
        fixIts: [FixIt("remove it", replacing: span, with: "", isSafe: false)])
    }
    let diagnostic = Diagnostic(
      .missingSeparator, "expected ';' or a new line before \(foundText)", at: span,
      label: "the previous item ends here")
    if beginsItem { return diagnostic.fixing("add ';'", replacing: lastEnd, with: ";") }
    if let stray = strayToken(diagnostic, after: property) { return stray }
    if property == nil, let meant = foreignItem(diagnostic) { return meant }
    if let note = property.flatMap({ Parser.shorthands[$0] }) { return diagnostic.advising(note) }
    switch kind {
    case .comma where kind(ahead: 2) == .colon:
      return diagnostic.fixing("change to ';'", replacing: span, with: ";")
    case .comma where meantClause != nil:
      let word = meantClause ?? ""
      let written = source.span(lastSpan.end, spanAhead.end)
      return diagnostic.advising(
        "write the parts of a motion without commas: 0 -> 1 over 1s after 0.5s"
      )
      .fixing("write '\(word)'", replacing: written, with: " \(word)")
    case .comma:
      if let repeated = repetition(diagnostic, ahead: 1) { return repeated }
      return diagnostic.advising("write a pair as (100, 200), and several values as a list: [a, b]")
    case .dot where beginsLine: return classSelector()
    case .plus:
      return diagnostic.advising("write values in texts in braces: \"Count: {n}\"")
    case .leftParen where lastKind == .identifier: return unexpectedCall(diagnostic)
    case .leftBrace:
      if let selector = classSelectorAfterItem() { return selector }
      return diagnostic.advising("write a block without ':': clip { … }, not clip: { … }")
    case .equal:
      guard property == nil, endedElement.count == 1, let name = endedElement.first else {
        return diagnostic.advising("write a property as 'name: value'")
      }
      if Parser.commonProperties.contains(String(name)) {
        let written = source.span(lastSpan.end, span.end)
        return diagnostic.fixing("write ':'", replacing: written, with: ":", isSafe: false)
      }
      return diagnostic.advising(
        "write a constant as 'let \(name) = …', and a property as '\(name): …'")
    case .number:
      if let inBody = lastNameAsProperty(diagnostic) { return inBody }
      return number(diagnostic)
    case .colon where lastKind == .number && kind(ahead: 1) == .number:
      return ratio(diagnostic)
    case .identifier, .forWord, .inWord: return word(diagnostic, after: property)
    default: return diagnostic
    }
  }

  /// Whether the next tokens begin an item.
  var beginsItem: Bool {
    let next = kind(ahead: 1)
    switch kind {
    case .letWord, .ifWord: return true
    case .forWord: return next == .colon || next == .identifier
    case .identifier:
      if next == .identifier {
        if isWord("change"), isWord("of", ahead: 1) { return true }
        return [.leftBrace, .stringStart].contains(kind(ahead: 2))
      }
      return [.colon, .leftBrace, .stringStart].contains(next)
    default: return false
    }
  }

  /// CSS shorthand properties with several values, and the equivalent scene syntax.
  private static let shorthands: [String: String] = {
    let shadow = "write a shadow as shadow: shadow(offset: (0, 8), blur: 24, color: black)"
    let border =
      "write a border as two properties: stroke: red; stroke-width: 2"
    let box = "write two values as a pair: (16, 24) is (horizontal, vertical)"
    let moving = "animate any property directly: opacity: 0 -> 1 over 0.3s with ease-out"
    let crossing = "\(moving); between the clips of a sequence, set transition: dissolve over 1s"
    return [
      "shadow": shadow, "box-shadow": shadow, "text-shadow": shadow, "drop-shadow": shadow,
      "border": border, "outline": border, "stroke": border,
      "padding": box, "gap": box, "margin": "use 'position', or 'gap' and 'padding' on a row",
      "transition": crossing, "animation": moving,
      "transform": "use the properties 'translate', 'rotate', 'scale' and 'skew'",
      "filter": "write several filters as a list: [blur(4), brightness(1.2)]",
      "font": "put the font name in quotes: font: \"EB Garamond\"; write several fonts as a list",
      "background":
        "use an image as the background: image \"a.jpg\" { size: 100% }",
      "flex": "use 'row', 'column' or 'grid'",
      "border-radius": "set one radius for all four corners",
    ]
  }()

  /// The clause intended by a word after `,`, as in `over 1s, delay 0.5s`.
  private var meantClause: String? {
    guard kind(ahead: 1) == .identifier, kind(ahead: 2) != .colon else { return nil }
    switch tokenText(ahead: 1) {
    case "after", "delay", "wait": return "after"
    case "over", "duration", "during": return "over"
    case "with", "easing", "ease": return "with"
    default: return nil
    }
  }

  /// The words of the preceding item if that is an element without a body.
  var endedElement: [Substring] {
    guard let item = nodes.last, item.kind == .element else { return [] }
    let start = Int(tokens[Int(item.firstToken)].start)
    return source.text(source.span(start, lastSpan.end)).split(separator: " ")
  }

  /// Returns an error for an element without a body that was probably intended as something else: a
  /// property without `:`, a declaration of another language, or a text without quotes. Returns
  /// `nil` for other elements.
  private func foreignItem(_ diagnostic: Diagnostic) -> Diagnostic? {
    let words = endedElement
    guard let first = words.first, let item = nodes.last else { return nil }
    let start = Int(tokens[Int(item.firstToken)].start)
    let whole = source.span(start, start + first.utf8.count)
    switch (first, kind) {
    case ("var", .equal), ("const", .equal), ("val", .equal), ("set", .equal):
      return Diagnostic(
        .missingSeparator, "unknown keyword '\(first)'; declare constants with 'let'",
        at: whole
      ).suggesting("let", isSafe: true)
    case ("repeat", .number):
      return Diagnostic(.unexpectedToken, "'repeat' cannot be followed by a number", at: span)
        .advising(
          "write repeat { copies: \(tokenText())  … }, or a loop: for i in 0..\(tokenText()) { … }")
    case _ where Parser.otherLoops.contains(String(first)):
      return Diagnostic(.unexpectedToken, "unknown loop '\(first)'", at: whole)
        .advising("write a loop with a range: for i in 0..10 { … }")
    case ("wait", .number), ("delay", .number), ("pause", .number), ("sleep", .number):
      if isInSteps {
        return diagnostic.fixing(
          "write step { for: \(tokenText()) }", replacing: whole.union(span),
          with: "step { for: \(tokenText()) }", isSafe: false)
      }
      return diagnostic.advising(
        "set the start time on the element: at: \(tokenText()); in a sequence, add an empty 'group { for: \(tokenText()) }'"
      )
    case ("text", .number):
      return diagnostic.advising("put a text in quotes")
        .fixing("write \"\(tokenText())\"", replacing: span, with: "\"\(tokenText())\"")
    case ("audio", .dot), ("video", .dot), ("image", .dot):
      guard words.count == 2, kind(ahead: 1) == .identifier else { return nil }
      let file = "\(words[1]).\(tokenText(ahead: 1))"
      let written = source.span(lastSpan.start, spanAhead.end)
      return diagnostic.advising("put a file name in quotes")
        .fixing("write \"\(file)\"", replacing: written, with: "\"\(file)\"")
    case ("yield", .star):
      return diagnostic.advising("write the animation in the element: radius: 0 -> 80 over 1s")
    case ("text", .leftBracket), ("text", .dot):
      let name = words.count > 1 ? String(words[1]) : "x"
      return diagnostic.advising("write values in texts in braces: text \"{\(name)[0]}\"")
    case (_, .number), (_, .color), (_, .pairLiteral), (_, .trueWord), (_, .falseWord):
      guard words.count == 1, Parser.commonProperties.contains(String(first)) else { return nil }
      return diagnostic.advising("add ':' after a property name: \(first): \(tokenText())")
        .fixing("add ':'", replacing: lastEnd, with: ":")
    default: return nil
    }
  }

  /// Frequent properties whose names are unlikely to be mistaken for elements.
  static let commonProperties: Set<String> = [
    "at", "for", "fill", "stroke", "radius", "size", "width", "position", "anchor", "opacity",
    "rotate", "scale", "translate", "font-size", "font-weight", "stroke-width", "background", "fps",
    "visible", "corner-radius", "gap", "padding", "zoom", "z", "rotate-x", "rotate-y",
    "translate-z", "perspective", "along", "along-shape", "letter-spacing", "line-height",
    "enter", "exit", "align",
  ]

  /// Returns an error for words of other languages in place of tween clauses.
  private func word(_ diagnostic: Diagnostic, after property: String?) -> Diagnostic {
    let text = tokenText()
    if let repeated = repetition(diagnostic) { return repeated }
    if let point = pointInTwoWords(diagnostic, of: property) { return point }
    if let inBody = propertyOutsideBody(diagnostic) { return inBody }
    if let element = endedSource {
      return diagnostic.advising(
        "write properties in the body of the element: \(Parser.body(of: element, "fill: red"))")
    }
    let hasTime = kind(ahead: 1) == .number && isTime(tokenText(ahead: 1))
    switch text {
    case "x" where kind(ahead: 1) == .number:
      return diagnostic.advising(
        "write a size without spaces, such as 300x200, and a product as 3 * 4")
    case "to":
      return diagnostic.advising("write a motion as a -> b").fixing(
        "write '->'", replacing: span, with: "->")
    case "in", "for", "during", "duration":
      guard hasTime else { break }
      return diagnostic.advising("write the duration of a motion after 'over'")
        .fixing("write 'over'", replacing: span, with: "over")
    case "delay", "at", "wait":
      guard hasTime else { break }
      return diagnostic.advising("write the delay of a motion with 'after'")
        .fixing("write 'after'", replacing: span, with: "after")
    case _ where text.hasPrefix("ease") || Parser.easings.contains(text):
      return diagnostic.advising("write an easing after 'with'")
        .fixing("add 'with'", replacing: source.span(span.start, span.start), with: "with ")
    default: break
    }
    return diagnostic.advising("write several values as a list: [a, b], or separate items with ';'")
  }

  /// Whether the tokens are the first words of a sentence, such as an explanation around a pasted
  /// scene. No item begins with three words, apart from a change of an element with a body.
  var beginsProse: Bool {
    let words: [TokenKind] = [.identifier, .forWord, .inWord, .ifWord, .letWord]
    return kind == .identifier && words.contains(kind(ahead: 1)) && words.contains(kind(ahead: 2))
      && !isWord("change") && !isAtDeclaration && kind(ahead: 1) != .inWord
      && ![.leftBrace, .stringStart, .colon, .equal].contains(kind(ahead: 3))
  }

  /// Reports a sentence and skips its line, or reports a property without `:`.
  mutating func prose() {
    let first = span
    let word = tokenText()
    if Parser.commonProperties.contains(word) {
      report(
        Diagnostic(.unexpectedToken, "expected ':' after the property '\(word)'", at: first)
          .fixing(
            "add ':'", replacing: source.span(first.end, first.end), with: ":", isSafe: false))
      return skipItem()
    }
    let startsWithLine = beginsLine
    proseLines.insert(source.lineIndex(at: first.start))
    skipLine()
    let error = Diagnostic(
      .unexpectedToken, "expected a property or an element, found a sentence", at: first)
    // A comment would include the rest of the line.
    let isWholeLine = startsWithLine && (isAtEnd || beginsLine)
    report(
      isWholeLine
        ? error.fixing(
          "make it a comment", replacing: source.span(first.start, first.start), with: "// ",
          isSafe: false)
        : error)
  }

  private static let easings: Set<String> = ["linear", "cubic-bezier", "spring", "steps"]

  func isTime(_ number: String) -> Bool {
    guard number.first?.isNumber == true else { return false }
    let unit = String(number.drop { !$0.isLetter })
    return ["s", "ms", "min", "f", "beat"].contains(unit)
  }

  /// Reports a name directly followed by `-` and a number, as in `logo-1`: after a `-`, a name must
  /// continue with a letter.
  mutating func rejectDigitPart() {
    guard kind == .minus, kind(ahead: 1) == .number else { return }
    let number = source.span(span.start, span.end + tokenText(ahead: 1).utf8.count)
    guard span.start == lastSpan.end, source.text(number) == "-" + tokenText(ahead: 1) else {
      return
    }
    let name = source.text(lastSpan)
    report(
      Diagnostic(
        .unexpectedToken, "a name cannot contain '-' before a digit", at: number,
        label: "write \(name)\(tokenText(ahead: 1)) or \(name)_\(tokenText(ahead: 1))"))
    advance()
    advance()
    rejectName()
  }

  /// Whether the previous item ended in a number with an unknown unit, as in `80x(h)` and `1fr 2fr`,
  /// which has been reported.
  var followsUnknownUnit: Bool {
    guard kind == .leftParen || kind == .number, lastKind == .number else { return false }
    let text = source.text(lastSpan)
    guard kind == .number else { return text.last == "x" }
    let unit = text.reversed().prefix { $0.isLetter }.reversed()
    return !unit.isEmpty && NumberUnit(rawValue: String(unit)) == nil
  }

  /// Loop keywords of other languages.
  static let otherLoops: Set<String> = ["while", "loop", "repeat"]

  /// Parses the rest of a CSS shadow such as `drop-shadow(0 0 5px black)`, and reports the scene
  /// syntax for it.
  mutating func shadowOfCSS(_ callee: SourceSpan, _ open: SourceSpan) {
    guard kind != .rightParen, !isAtEnd,
      ["drop-shadow", "box-shadow", "text-shadow", "shadow"].contains(source.text(callee))
    else { return }
    var level = 0
    while ![.semicolon, .leftBrace, .rightBrace].contains(kind), !isAtEnd {
      if kind == .rightParen, level == 0 { break }
      level += kind == .leftParen ? 1 : kind == .rightParen ? -1 : 0
      advance()
    }
    let written = source.text(source.span(open.end, span.start))
    let meant = Parser.shadow(fromCSS: written)
    let form = meant ?? "shadow(offset: (0, 8), blur: 24, color: black)"
    var diagnostic = Diagnostic(
      .unexpectedToken, "the arguments of a shadow must have names",
      at: source.span(open.end, lastSpan.end)
    ).advising("set a shadow as a property: shadow: \(form)")
    // A list of filters may contain more than the shadow.
    let before = source.text(
      source.span(source.lineRange(source.lineIndex(at: callee.start)).lowerBound, callee.start))
    if let meant, kind == .rightParen, let name = Parser.shadowProperty(before) {
      let whole = source.span(callee.start - name.utf8.count, span.end)
      diagnostic = diagnostic.fixing(
        "write shadow: \(meant)", replacing: whole, with: "shadow: \(meant)")
    }
    report(diagnostic)
  }

  /// Returns the text from the property name to the shadow, if the shadow is the property's whole
  /// value; otherwise, `nil`.
  private static func shadowProperty(_ before: String) -> String? {
    for name in ["filter", "box-shadow", "text-shadow", "drop-shadow", "shadow"] {
      for tail in ["\(name): ", "\(name):"]
      where before.hasSuffix(tail) && before.dropLast(tail.count).last != "-" { return tail }
    }
    return nil
  }

  /// Converts `0 8px 24px black` to named arguments; returns `nil` for other texts.
  private static func shadow(fromCSS text: String) -> String? {
    var words = text.split(separator: " ")
    let isNumber = { (word: Substring) in word.first?.isNumber == true || word.first == "-" }
    let color = words.first { !isNumber($0) }
    words.removeAll { !isNumber($0) }
    guard (2...3).contains(words.count), text.split(separator: " ").count <= words.count + 1,
      color?.contains("(") != true
    else { return nil }
    let blur = words.count == 3 ? ", blur: \(words[2])" : ""
    return "shadow(offset: (\(words[0]), \(words[1]))\(blur)"
      + (color.map { ", color: \($0)" } ?? "") + ")"
  }

  // MARK: Interpolations

  /// Returns the error for `{}` in a text.
  func emptyValue(_ brace: SourceSpan) -> Diagnostic {
    Diagnostic(
      .unexpectedToken, "missing value between '{' and '}'",
      at: source.span(brace.start, span.end), label: "write a literal brace as '\\{'"
    ).fixing("write '\\{'", replacing: brace, with: "\\{", isSafe: false)
  }

  /// Returns the error for an unexpected token after a value in an interpolation. If a space
  /// follows the brace, or a `;` or `:` follows the value, the text is probably displayed code, so
  /// the fix escapes the brace.
  func unendedValue(_ brace: SourceSpan) -> Diagnostic {
    if kind == .colon, let diagnostic = foreignFormat(brace) { return diagnostic }
    let diagnostic = Diagnostic(
      .unexpectedToken, "expected '}' after the value in this text, found \(foundText)",
      at: isAtEnd ? lastSpan : span, label: "write a literal brace as '\\{'")
    let isBlank = source.text(source.span(brace.end, brace.end + 1)) == " "
    guard isBlank || [.semicolon, .colon].contains(kind) else { return diagnostic }
    return diagnostic.fixing(
      "write the brace as '\\{'", replacing: brace, with: "\\{", isSafe: false)
  }

  /// Returns the error for the format of a number in other languages, as in `{x:.2f}`; `nil` for
  /// other text after the colon.
  private func foreignFormat(_ brace: SourceSpan) -> Diagnostic? {
    guard let format = ForeignFormat(source.bytes, at: span.end) else { return nil }
    let value = source.text(source.span(brace.end, span.start))
    let groups = format.hasGroups ? ", group: \",\"" : ""
    let call = "format(\(value), decimals: \(format.decimals)\(groups))"
    return Diagnostic(
      .unexpectedToken, "a value in a text has no format after ':'",
      at: source.span(span.start, format.end)
    ).fixing(
      "write \(call)", replacing: source.span(brace.end, format.end), with: call,
      isSafe: format.isPlain)
  }

  /// Returns the error for an argument that is not followed by `,` or the closing bracket.
  func missingComma(_ wanted: TokenKind) -> Diagnostic {
    let diagnostic = Diagnostic(
      .unexpectedToken, "expected ',' or \(wanted.description), found \(foundText)",
      at: isAtEnd || kind == .newline ? lastSpan : span)
    if let unit = separateUnit(diagnostic) { return unit }
    switch kind {
    case .number where tokenText().hasSuffix("%") && lastKind != .number:
      return diagnostic.advising("write a color with its offset as stop(red, 30%)")
    case .identifier where source.text(lastSpan) == "to" && Parser.angles[tokenText()] != nil:
      let angle = Parser.angles[tokenText()] ?? ""
      return diagnostic.advising(
        "write the direction of a gradient as an angle: 0deg points right, 90deg down"
      )
      .fixing(
        "write angle: \(angle)", replacing: source.span(lastSpan.start, span.end),
        with: "angle: \(angle)")
    case .number, .identifier, .stringStart, .color, .pairLiteral:
      return diagnostic.advising("separate the values with ','")
    default: return diagnostic
    }
  }

  /// The CSS gradient directions as angles.
  private static let angles = [
    "right": "0deg", "bottom": "90deg", "left": "180deg", "top": "270deg",
  ]

  var foundText: String {
    kind == .identifier || kind.isReservedWord || isAtRestart
      ? "'\(tokenText())'" : kind.description
  }
}
