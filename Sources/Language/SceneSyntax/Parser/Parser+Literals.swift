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
      let advice = count == 4 ? advice(onFourValuesAt: open.start) : nil
      let diagnostic = Diagnostic(
        .unexpectedToken, "a pair must have two values, found \(count)",
        at: source.span(open.start, lastSpan.end),
        label: advice == nil ? "write a list as [ … ]" : "")
      report(advice.map(diagnostic.advising) ?? diagnostic)
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
    if expect(.inWord, "and a range or list") {
      let first = span.start
      conditional()
      rangeInWords(from: first)
    }
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

// Advice about numbers that do not continue the value before them.
extension Parser {
  /// Returns the diagnostic with advice about a ratio such as `4.5:1`, or about a time such as
  /// `1:30`.
  func ratio(_ diagnostic: Diagnostic) -> Diagnostic {
    let (first, second) = (source.text(lastSpan), tokenText(ahead: 1))
    let property = propertyBeforeNumber
    if property == "size" {
      return diagnostic.advising("write a size in pixels: 1920x1080")
    }
    if let property, Parser.timeProperties.contains(property) {
      guard let minutes = Int(first), let seconds = Int(second), minutes < 1000, seconds < 60,
        kind(ahead: 2) != .colon
      else { return diagnostic.advising("write a time in seconds, such as 90s") }
      let time = "\(60 * minutes + seconds)s"
      return diagnostic.fixing(
        "write a time in seconds: \(time)",
        replacing: source.span(lastSpan.start, spanAhead.end), with: time)
    }
    // Numbers with units are not a ratio.
    guard Double(first) != nil, Double(second) != nil else { return diagnostic }
    let ratio = second == "1" ? first : "\(first) / \(second)"
    return diagnostic.fixing(
      "write a ratio as a number: \(ratio)",
      replacing: source.span(lastSpan.start, spanAhead.end), with: ratio)
  }

  private static let timeProperties: Set<String> = ["at", "for", "from", "to", "time", "trim"]

  private static let numberProperties: Set<String> = [
    "opacity", "font-size", "font-weight", "line-height", "stroke-width", "corner-radius", "rotate",
    "z", "zoom", "fps", "columns", "copies", "count", "speed", "volume", "grow",
  ]

  private static let pairProperties: Set<String> = [
    "position", "anchor", "translate", "scale", "size", "origin", "center", "focus",
    "from",
    "to", "step-translate", "step-scale",
  ]

  /// The name of the property whose value starts with the last number, or `nil`.
  private var propertyBeforeNumber: String? {
    guard lastKind == .number else { return nil }
    let blank = UInt8(ascii: " ")
    let before = source.bytes[..<lastSpan.start].reversed().drop { $0 == blank }
    guard before.first == UInt8(ascii: ":") else { return nil }
    let name = before.dropFirst().drop { $0 == blank }.prefix {
      $0 == UInt8(ascii: "-") || (97...122).contains($0)
    }
    return name.isEmpty ? nil : String(decoding: name.reversed(), as: UTF8.self)
  }

  func number(_ diagnostic: Diagnostic) -> Diagnostic {
    if ["over", "after"].contains(source.text(lastSpan)) {
      return diagnostic.advising("use '\(source.text(lastSpan))' only in a motion: 0 -> 1 over 1s")
    }
    if isTime(tokenText()), endsMotion {
      return diagnostic.advising(
        "write the delay of a motion after 'after': 0 -> 1 over 1s after 0.5s"
      )
      .fixing("add 'after'", replacing: source.span(span.start, span.start), with: "after ")
    }
    if isTime(tokenText()) {
      return diagnostic.advising("write the duration of a motion after 'over': fade over 1s")
        .fixing("add 'over'", replacing: source.span(span.start, span.start), with: "over ")
    }
    let before = source.text(lastSpan)
    if before.count == 1, "MLHVCSQTAZmlhvcsqtaz".contains(before) {
      return diagnostic.advising("write SVG path data in quotes: path \"M 0 0 L 200 0\"")
    }
    if let property = propertyBeforeNumber, let fix = twoNumbers(of: property) {
      return diagnostic.fixing(
        "write \(fix)", replacing: source.span(lastSpan.start, span.end), with: fix)
    }
    if let property = propertyBeforeNumber, Parser.numberProperties.contains(property) {
      return diagnostic.advising("write one number for '\(property)'")
    }
    return diagnostic.advising("write two numbers as a pair: (300, 200), or 300x200")
  }

  /// Returns the value that exactly two numbers of a property mean: a list for `dash: 10 5`, a pair
  /// for `position: 26% 52%`. Returns `nil` for other properties.
  private func twoNumbers(of property: String) -> String? {
    guard ![.number, .comma].contains(kind(ahead: 1)), source.text(lastSpan).last != "x" else {
      return nil
    }
    let numbers = "\(source.text(lastSpan)), \(tokenText())"
    if property == "dash" { return "[\(numbers)]" }
    return Parser.pairProperties.contains(property) ? "(\(numbers))" : nil
  }
}
