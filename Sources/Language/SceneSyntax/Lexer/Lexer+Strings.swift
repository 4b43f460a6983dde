// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

extension Lexer {
  /// A string that is interrupted by an interpolation.
  struct OpenString {
    let start: Int
    let isBlock: Bool
    /// The number of open braces inside the interpolation; `nil` while lexing string text.
    var braces: Int?
    var interpolationStart = 0
    /// Whether an ordinary string spans several lines, which has been reported.
    var isOverLines = false
  }

  /// Lexes the rest of a string in other quotes; reported once, with a fix. Returns `false` if the
  /// line does not contain the closing quote.
  mutating func otherQuotes(_ start: Int, closing: [Unicode.Scalar]) -> Bool {
    guard let quote = closingQuote(closing) else { return false }
    let inner = file.text(file.span(index, quote.start))
    index = quote.end
    let isSafe = isEndOfValue && !isAfterDoubtfulQuote(start)
    report(
      Diagnostic(
        .unexpectedCharacter, "a text must be in double quotes", at: file.span(start, index),
        fixIts: inner.contains("\"")
          ? []
          : [
            FixIt(
              "change to \"\(inner)\"", replacing: file.span(start, index), with: "\"\(inner)\"",
              isSafe: isSafe)
          ]))
    add(.unknown, start)
    return true
  }

  /// The maximum number of apostrophes that are skipped.
  private static let mostApostrophes = 8

  /// Returns the next quote in the line that is not an apostrophe, which is between two letters, as
  /// in `Don't`. Returns the first apostrophe if there are no other quotes.
  private func closingQuote(_ closing: [Unicode.Scalar]) -> (start: Int, end: Int)? {
    var first: (start: Int, end: Int)?
    var (position, wasLetter, count) = (index, false, 0)
    while position < bytes.count, count <= Lexer.mostApostrophes,
      !SourceFile.endsLine(bytes, at: position), let scalar = scalar(at: position)
    {
      let end = position + UTF8.width(scalar)
      if closing.contains(scalar) {
        let isBeforeLetter = end < bytes.count && self.scalar(at: end).map(isLetter) == true
        guard wasLetter, isBeforeLetter else { return (position, end) }
        if first == nil { first = (position, end) }
        count += 1
      }
      (position, wasLetter) = (end, isLetter(scalar))
    }
    return first
  }

  private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? Lexer.isIdentifierByte(UInt8(scalar.value)) : scalar.properties.isAlphabetic
  }

  /// Returns whether it is unclear where an earlier text in the line ends.
  private func isAfterDoubtfulQuote(_ start: Int) -> Bool {
    guard let last = diagnostics.last, last.code == .unexpectedCharacter,
      last.fixIts.contains(where: { !$0.isSafe }), last.span.end <= start
    else { return false }
    return !bytes[last.span.end..<start].contains { $0 == 10 || $0 == 13 }
  }

  /// Whether the rest of the line can follow a value.
  private var isEndOfValue: Bool {
    let rest = bytes[index...].prefix(64).drop { $0 == 32 || $0 == 9 }
    guard let next = rest.first else { return index == bytes.count }
    return ",;)]}{\n\r".utf8.contains(next) || rest.starts(with: "//".utf8)
  }

  /// Lexes `\"` inside an interpolation; reports one error for the whole escaped string. Returns
  /// `false` elsewhere.
  mutating func escapeInValue(_ start: Int) -> Bool {
    guard let string = open.last, string.braces != nil, byte(0) == 34 else { return false }
    while index < bytes.count, !endsLine, ![123, 125].contains(bytes[index]), !isQuote(at: index) {
      index += 1
    }
    report(
      Diagnostic(
        .unexpectedCharacter, "a quote inside '{ }' in a text must not be escaped",
        at: file.span(start, start + 2),
        notes: [
          Note(help: "write a value as \"{format(x, group: \",\")}\", and a literal brace as \\{")
        ]))
    add(.unknown, start)
    return true
  }

  mutating func stringStart() {
    let start = index
    let isBlock = byte(1) == 34 && byte(2) == 34
    if !isBlock, formulaInQuotes(start) { return }
    index += isBlock ? 3 : 1
    add(.stringStart, start)
    open.append(OpenString(start: start, isBlock: isBlock))
  }

  /// Lexes the text of a string up to its end or the next interpolation, and the token there.
  mutating func stringPart() {
    guard let string = open.last else { return }
    let start = index
    while index < bytes.count {
      let b = bytes[index]
      if b == UInt8(ascii: "{") { break }
      if endsLine, !string.isBlock, !open[open.count - 1].isOverLines {
        guard let end = endOverLines(string) else { break }
        reportOverLines(string, end)
      }
      if b == 34, !string.isBlock || (byte(1) == 34 && byte(2) == 34) { break }
      if b == UInt8(ascii: "\\") { escape() } else { index += 1 }
    }
    if index > start { add(.stringText, start) }
    guard index < bytes.count else { return }
    let end = index
    switch bytes[index] {
    case UInt8(ascii: "{"):
      index += 1
      add(.interpolationStart, end)
      open[open.count - 1].braces = 0
      open[open.count - 1].interpolationStart = end
    case 34:
      index += string.isBlock ? 3 : 1
      add(.stringEnd, end)
      open.removeLast()
    default: closeUnterminated(string)
    }
  }

  /// Returns the position at which a string without a closing quote on its line ends on a later
  /// line: the next quote, unless that quote opens another string. Returns `nil` if there is no
  /// such quote.
  private func endOverLines(_ string: OpenString) -> Int? {
    guard open.count == 1, let quote = (index..<bytes.count).first(where: { isQuote(at: $0) })
    else { return nil }
    let rest = bytes[(quote + 1)..<file.lineRange(file.lineIndex(at: quote)).upperBound]
    guard rest.count(where: { $0 == 34 }).isMultiple(of: 2),
      let next = rest.first(where: { $0 != 32 && $0 != 9 && $0 != 13 })
    else { return rest.allSatisfy { $0 <= 32 } ? quote : nil }
    return Array("{;}),]/+-".utf8).contains(next) ? quote : nil
  }

  private func isQuote(at place: Int) -> Bool { bytes[place] == 34 && bytes[place - 1] != 92 }

  private mutating func reportOverLines(_ string: OpenString, _ end: Int) {
    open[open.count - 1].isOverLines = true
    let lineStart = file.lineStarts[file.lineIndex(at: string.start)]
    let indent = String(
      decoding: bytes[lineStart...].prefix { $0 == 32 || $0 == 9 }, as: UTF8.self)
    let lines = file.text(file.span(string.start + 1, end)).split(
      omittingEmptySubsequences: false, whereSeparator: \.endsLine
    ).map { "\n" + indent + "    " + $0.drop { $0.isWhitespace } }
    report(
      Diagnostic(
        .unterminatedString, "a text in \"…\" must end on its line",
        at: file.span(string.start, string.start + 1),
        label: "expected \"\"\" before and after a multi-line text",
        fixIts: [
          FixIt(
            "put it between \"\"\" and \"\"\"", replacing: file.span(string.start, end + 1),
            with: "\"\"\"\(lines.joined())\n\(indent)\"\"\"", isSafe: false)
        ]))
  }

  mutating func closeUnterminated(_ string: OpenString) {
    open.removeLast()
    if let outer = open.last {
      // The quote is inside an interpolation with an unclosed brace, so it did not close a string.
      let diagnostic = Diagnostic(
        .newlineInInterpolation, "unclosed '{' in a text",
        at: file.span(outer.interpolationStart, outer.interpolationStart + 1),
        label: "expected '}' on the same line")
      report(diagnostic.advising("write '\\{' for a brace"))
    } else if string.braces != nil {
      report(
        .newlineInInterpolation, "unclosed '{' in a text",
        from: string.interpolationStart, to: string.interpolationStart + 1, label: "expected '}'")
      add(.interpolationEnd, index)
    } else {
      let quote = string.isBlock ? "\"\"\"" : "\""
      var diagnostic = Diagnostic(
        .unterminatedString, "unterminated text, missing closing quote",
        at: file.span(string.start, string.start + quote.utf8.count),
        label: string.isBlock ? "expected \(quote)" : "expected \(quote) on the same line")
      diagnostic.fixIts = [
        FixIt(
          "add the closing \(quote)", replacing: file.span(index, index), with: quote, isSafe: false
        )
      ]
      report(diagnostic)
    }
    add(.stringEnd, index)
    if !open.isEmpty {
      add(.interpolationEnd, index)
      add(.stringEnd, index)
      open.removeAll()
    }
  }

  private mutating func escape() {
    let start = index
    index += 1
    switch byte(0) {
    case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "\""), UInt8(ascii: "\\"),
      UInt8(ascii: "{"), UInt8(ascii: "}"):
      index += 1
    case UInt8(ascii: "u") where byte(1) == UInt8(ascii: "{"):
      index += 2
      let digits = index
      while index < bytes.count, index - digits < 9, bytes[index] != 125, bytes[index] != 34,
        !endsLine
      {
        index += 1
      }
      let text = String(decoding: bytes[digits..<index], as: UTF8.self)
      let closed = byte(0) == 125
      if closed { index += 1 }
      let value = UInt32(text, radix: 16)
      if !closed || value.flatMap(Unicode.Scalar.init) == nil {
        let isNumber = closed && value != nil
        report(
          .invalidEscape, "invalid Unicode escape", from: start, to: index,
          label: isNumber
            ? "expected at most 10FFFF, without the surrogates D800 to DFFF"
            : "expected \\u{…} with 1 to 6 hexadecimal digits")
      }
    default:
      let end = min(bytes.count, index + 1)
      // An escape of several letters is probably a TeX command.
      let letters = bytes[index...].prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
      // A formula begins shortly before its first command. A whole line would be read again for
      // each of its escapes.
      let before = bytes[max(0, start - 256)..<start]
      let isFormula = before.reversed().prefix { $0 != 34 && $0 != 10 }.contains(36)
      let help =
        letters.count < 2
        ? nil
        : isFormula
          ? #"in quotes, write '\\' for a backslash and '\{' for a brace: "$\\frac\{a\}\{b\}$""#
          : #"write a formula between dollar signs: $\frac{a}{b}$"#
      let diagnostic = Diagnostic(
        .invalidEscape, "unknown escape '\\\(visible(file.text(file.span(index, end))))'",
        at: file.span(start, end), label: #"the escapes are \n \t \" \\ \{ \} \u{…}"#)
      report(help.map(diagnostic.advising) ?? diagnostic)
      if index < bytes.count, !endsLine { index += 1 }
    }
  }
}
