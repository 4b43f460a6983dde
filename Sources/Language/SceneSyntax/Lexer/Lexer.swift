// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

/// Splits a source file into tokens; every byte belongs to exactly one of them.
struct Lexer {
  /// A string that is interrupted by an interpolation.
  private struct OpenString {
    let start: Int
    let isBlock: Bool
    /// The number of open braces inside the interpolation; `nil` while lexing string text.
    var braces: Int?
    var interpolationStart = 0
    /// Whether an ordinary string spans several lines, which has been reported.
    var isOverLines = false
  }

  let file: SourceFile
  let bytes: [UInt8]
  var index = 0
  private var open: [OpenString] = []
  private(set) var tokens: [Token] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ file: SourceFile) {
    self.file = file
    bytes = file.bytes
    tokens.reserveCapacity(bytes.count / 3 + 8)
  }

  mutating func run() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      index = 3
      add(.whitespace, 0)
    }
    while index < bytes.count {
      if let string = open.last, string.braces == nil { stringPart() } else { next() }
    }
    if let string = open.last { closeUnterminated(string) }
    tokens.append(Token(.endOfFile, bytes.count))
  }

  func byte(_ offset: Int) -> UInt8 {
    let at = index + offset
    return at < bytes.count ? bytes[at] : 0
  }

  mutating func add(_ kind: TokenKind, _ start: Int) { tokens.append(Token(kind, start)) }

  mutating func report(
    _ code: Code, _ message: String, from start: Int, to end: Int, label: String = ""
  ) {
    report(Diagnostic(code, message, at: file.span(start, end), label: label))
  }

  mutating func report(_ diagnostic: Diagnostic) {
    if !isFull { diagnostics.append(diagnostic) }
  }

  var isFull: Bool { diagnostics.count >= Diagnostic.greatestCount }

  private mutating func next() {
    switch bytes[index] {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      if endsLine { newline() } else { whitespace() }
    case UInt8(ascii: " "), UInt8(ascii: "\t"): whitespace()
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"): lineComment()
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): blockComment()
    case UInt8(ascii: "\""): stringStart()
    case UInt8(ascii: "$"): formula()
    case UInt8(ascii: "#"): color()
    case 48...57: number()
    case UInt8(ascii: ".") where beginsFraction: fraction()
    case UInt8(ascii: "_"), 65...90, 97...122: word()
    case 0x80...: nonASCII()
    default: punctuation()
    }
  }

  /// Whether the next byte ends the line.
  var endsLine: Bool { index < bytes.count && SourceFile.endsLine(bytes, at: index) }

  private mutating func whitespace() {
    let start = index
    repeat { index += 1 } while [0x20, 0x09, 0x0D].contains(byte(0)) && !endsLine
    add(.whitespace, start)
  }

  private mutating func newline() {
    if let string = open.last {
      report(
        .newlineInInterpolation, "line break inside '{ }' in a text",
        from: string.interpolationStart, to: string.interpolationStart + 1,
        label: "write '\\{' for a literal brace; an embedded value must end on its line")
      open.removeLast()
      add(.interpolationEnd, index)
      add(.stringEnd, index)
      return
    }
    add(.newline, index)
    index += 1
  }

  private mutating func lineComment() {
    let start = index
    while index < bytes.count, !endsLine { index += 1 }
    let isDoc =
      index - start >= 3 && bytes[start + 2] == 47
      && !(index - start >= 4 && bytes[start + 3] == 47)
    add(isDoc ? .docComment : .lineComment, start)
  }

  private mutating func blockComment() {
    let start = index
    var depth = 0
    repeat {
      if byte(0) == 47, byte(1) == 42 {
        depth += 1
        index += 2
      } else if byte(0) == 42, byte(1) == 47 {
        depth -= 1
        index += 2
      } else {
        index += 1
      }
    } while depth > 0 && index < bytes.count
    index = min(index, bytes.count)
    if depth > 0 {
      report(
        .unterminatedComment, "unterminated block comment", from: start, to: start + 2,
        label: "expected a matching '*/'; comments nest")
    }
    add(.blockComment, start)
  }

  static func isIdentifierByte(_ byte: UInt8) -> Bool {
    (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
      || byte == 95
  }

  func isLetter(at offset: Int) -> Bool {
    let b = byte(offset)
    if (97...122).contains(b) || (65...90).contains(b) { return true }
    return b >= 0x80 && scalar(at: index + offset)?.properties.isAlphabetic == true
  }

  private func scalar(at position: Int) -> Unicode.Scalar? {
    guard position < bytes.count else { return nil }
    let tail = bytes[position..<min(position + 4, bytes.count)]
    return String(decoding: tail, as: UTF8.self).unicodeScalars.first
  }

  private mutating func word() {
    let start = index
    while index < bytes.count {
      let b = bytes[index]
      if Lexer.isIdentifierByte(b) {
        index += 1
      } else if b >= 0x80, let scalar = scalar(at: index), scalar.properties.isAlphabetic {
        index += UTF8.width(scalar)
      } else if b == UInt8(ascii: "-"), isLetter(at: 1) {
        index += 1
      } else {
        break
      }
    }
    add(TokenKind.reserved(bytes[start..<index]) ?? .identifier, start)
  }

  private mutating func nonASCII() {
    if isLetter(at: 0) { return word() }
    if degreeSign() { return }
    let start = index
    let scalar = scalar(at: index) ?? "?"
    index = min(bytes.count, index + UTF8.width(scalar))
    if !isFull {
      report(.unexpectedCharacter, "unexpected character '\(scalar)'", from: start, to: index)
    }
    add(.unknown, start)
  }

  mutating func number() {
    let start = index
    func digits() {
      while (48...57).contains(byte(0)) || byte(0) == 95 { index += 1 }
    }
    digits()
    if byte(0) == UInt8(ascii: "x"), (48...57).contains(byte(1)) {
      index += 1
      digits()
      rejectTail(start, "a size such as 1920x1080")
      return add(.pairLiteral, start)
    }
    if byte(0) == UInt8(ascii: "."), (48...57).contains(byte(1)) {
      index += 1
      digits()
    }
    if byte(0) & 0xDF == UInt8(ascii: "E") {
      let sign = byte(1) == 43 || byte(1) == 45
      if (48...57).contains(byte(sign ? 2 : 1)) {
        index += sign ? 2 : 1
        digits()
      }
    }
    let unitStart = index
    if byte(0) == UInt8(ascii: "%") {
      index += 1
    } else {
      while Lexer.isIdentifierByte(byte(0)) { index += 1 }
    }
    checkNumber(start, unitStart)
    add(.number, start)
  }

  /// Alternative spellings of units.
  private static let sameUnits: [String: String] = [
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms", "m": "min",
    "minute": "min", "minutes": "min", "frame": "f", "frames": "f", "beats": "beat",
    "degree": "deg", "degrees": "deg", "radians": "rad", "turns": "turn", "db": "dB", "DB": "dB",
    "hz": "Hz", "khz": "kHz", "KHz": "kHz", "kbit": "kbps", "k": "kbps", "mbps": "Mbps",
    "M": "Mbps",
  ]

  /// Unsupported units, with the replacement.
  private static let otherUnits: [String: String] = [
    "x": "write a computed size as a pair: (80, 2 * h)",
    "fps": "write the frame rate as a plain number: fps: 30",
    "h": "write hours in minutes, such as 90min",
    "vw": "use px, or a percentage of the containing box",
    "vh": "use px, or a percentage of the containing box",
    "em":
      "use px, or a percentage of the containing box; letter-spacing and line-height accept percentages of the font size",
    "rem": "use px, or a percentage of the containing box",
    "LUFS": "write loudness as a number: loudness: -16", "LU": "write loudness as a number",
    "fr": "use 'gap', 'align' and 'padding' on rows, columns and grids",
  ]

  private mutating func checkNumber(_ start: Int, _ unitStart: Int) {
    if let value = numberValue(bytes[start..<unitStart]), value.isFinite {
      guard unitStart < index else { return }
      let unit = String(decoding: bytes[unitStart..<index], as: UTF8.self)
      if NumberUnit(rawValue: unit) == nil {
        var found = Diagnostic(
          .invalidNumber, "unknown unit '\(unit)'", at: file.span(unitStart, index),
          label: "the units are px % s ms min f beat deg rad turn dB Hz kHz kbps Mbps")
        if let note = Lexer.otherUnits[unit] {
          found = found.advising(note)
        } else {
          let same = Lexer.sameUnits[unit]
          // A minute, a meter or a million: a single letter is ambiguous.
          found = found.suggesting(
            same ?? nearest(unit, in: NumberUnit.allCases.map(\.rawValue)),
            isSafe: same != nil && unit.utf8.count > 1)
        }
        report(found)
      }
    } else {
      report(.invalidNumber, "number is too large", from: start, to: index)
    }
  }

  private mutating func rejectTail(_ start: Int, _ what: String) {
    let tail = index
    while Lexer.isIdentifierByte(byte(0)) { index += 1 }
    if index > tail { report(.invalidNumber, "expected \(what)", from: start, to: index) }
  }

  private mutating func color() {
    let start = index
    index += 1
    if [32, 9, 10, 13].contains(byte(0)) || index == bytes.count { return foreignComment(start) }
    while Lexer.isIdentifierByte(byte(0)) { index += 1 }
    let digits = bytes[(start + 1)..<index]
    let isHex = digits.allSatisfy {
      (48...57).contains($0) || (65...70).contains($0) || (97...102).contains($0)
    }
    if !isHex || ![3, 4, 6, 8].contains(digits.count) {
      var diagnostic = Diagnostic(
        .invalidColor, "invalid color", at: file.span(start, index),
        label: "write a color as #rgb, #rgba, #rrggbb or #rrggbbaa with digits 0-9 a-f")
      if !isHex, isAtItem(start) { diagnostic = diagnostic.advising("write comments after '//'") }
      report(diagnostic)
    }
    add(.color, start)
  }

  private mutating func punctuation() {
    let start = index
    if foreignOperator() { return }
    let kind: TokenKind?
    var length = 1
    func pair(_ second: Character, _ two: TokenKind, else one: TokenKind?) -> TokenKind? {
      if byte(1) == second.asciiValue {
        length = 2
        return two
      }
      return one
    }
    switch bytes[index] {
    case UInt8(ascii: "{"):
      if let last = open.indices.last { open[last].braces? += 1 }
      kind = .leftBrace
    case UInt8(ascii: "}"):
      if let last = open.indices.last, let braces = open[last].braces {
        if braces == 0 {
          open[last].braces = nil
          kind = .interpolationEnd
          break
        }
        open[last].braces = braces - 1
      }
      kind = .rightBrace
    case UInt8(ascii: "("): kind = .leftParen
    case UInt8(ascii: ")"): kind = .rightParen
    case UInt8(ascii: "["): kind = .leftBracket
    case UInt8(ascii: "]"): kind = .rightBracket
    case UInt8(ascii: ":"): kind = .colon
    case UInt8(ascii: ";"): kind = .semicolon
    case UInt8(ascii: ","): kind = .comma
    case UInt8(ascii: "."): kind = pair(".", .dotDot, else: .dot)
    case UInt8(ascii: "-"): kind = pair(">", .arrow, else: .minus)
    case UInt8(ascii: "+"): kind = .plus
    case UInt8(ascii: "*"): kind = .star
    case UInt8(ascii: "/"): kind = .slash
    case UInt8(ascii: "<"): kind = pair("=", .lessEqual, else: .less)
    case UInt8(ascii: ">"): kind = pair("=", .greaterEqual, else: .greater)
    case UInt8(ascii: "="): kind = pair("=", .equalEqual, else: .equal)
    case UInt8(ascii: "!"): kind = pair("=", .notEqual, else: nil)
    case UInt8(ascii: "?"): kind = .question
    case UInt8(ascii: "|"): kind = .bar
    default: kind = nil
    }
    index += length
    if kind == nil, bytes[start] == UInt8(ascii: "'"), singleQuotes(start) { return }
    if kind == nil, bytes[start] == UInt8(ascii: "\\"), escapeInValue(start) { return }
    if kind == nil, !isFull {
      let shown = visible(file.text(file.span(start, index)))
      report(.unexpectedCharacter, "unexpected character '\(shown)'", from: start, to: index)
    }
    add(kind ?? .unknown, start)
  }

  /// Lexes a string in single quotes; reported once, with a fix.
  private mutating func singleQuotes(_ start: Int) -> Bool {
    var end = start + 1
    while end < bytes.count, bytes[end] != 10, bytes[end] != UInt8(ascii: "'") { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "'") else { return false }
    index = end + 1
    let inner = file.text(file.span(start + 1, end))
    report(
      Diagnostic(
        .unexpectedCharacter, "a text must be in double quotes", at: file.span(start, index),
        fixIts: inner.contains("\"")
          ? []
          : [
            FixIt(
              "change to \"\(inner)\"", replacing: file.span(start, index), with: "\"\(inner)\"")
          ]))
    add(.unknown, start)
    return true
  }

  /// Lexes `\"` inside an interpolation; reports one error for the whole escaped string.
  private mutating func escapeInValue(_ start: Int) -> Bool {
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

  private mutating func stringStart() {
    let start = index
    let isBlock = byte(1) == 34 && byte(2) == 34
    if !isBlock, formulaInQuotes(start) { return }
    index += isBlock ? 3 : 1
    add(.stringStart, start)
    open.append(OpenString(start: start, isBlock: isBlock))
  }

  /// Lexes one part of an open string: text up to a brace or the closing quote, a brace, or the
  /// closing quote.
  private mutating func stringPart() {
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
  /// line: the next quote, unless that quote opens another string.
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
        label: "expected \"\"\" and \"\"\" around a multi-line text",
        fixIts: [
          FixIt(
            "put it between \"\"\" and \"\"\"", replacing: file.span(string.start, end + 1),
            with: "\"\"\"\(lines.joined())\n\(indent)\"\"\"", isSafe: false)
        ]))
  }

  private mutating func closeUnterminated(_ string: OpenString) {
    open.removeLast()
    if let outer = open.last {
      // The quote is inside an interpolation with an unclosed brace, so it did not close a string.
      report(
        .newlineInInterpolation, "line break inside '{ }' in a text",
        from: outer.interpolationStart,
        to: outer.interpolationStart + 1,
        label: "write '\\{' for a literal brace; an embedded value must end on its line")
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
      if !closed || UInt32(text, radix: 16).flatMap(Unicode.Scalar.init) == nil {
        report(
          .invalidEscape, "invalid Unicode escape", from: start, to: index,
          label: "expected \\u{…} with 1 to 6 hexadecimal digits")
      }
    default:
      let end = min(bytes.count, index + 1)
      report(
        .invalidEscape, "unknown escape '\\\(visible(file.text(file.span(index, end))))'",
        from: start, to: end, label: #"the escapes are \n \t \" \\ \{ \} \u{…}"#)
      if index < bytes.count, !endsLine { index += 1 }
    }
  }
}

/// The units that may follow a number.
package enum NumberUnit: String, Hashable, Sendable, CaseIterable {
  case px, percent = "%", s, ms, min, f, beat, deg, rad, turn, dB, hertz = "Hz", kHz, kbps
  case mbps = "Mbps"
}
