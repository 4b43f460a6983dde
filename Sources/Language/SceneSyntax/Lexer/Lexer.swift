// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

/// Splits a source file into tokens; every byte belongs to exactly one of them.
struct Lexer {
  let file: SourceFile
  let bytes: [UInt8]
  var index = 0
  var open: [OpenString] = []
  /// The offset of the last `$` or line end that the search for the end of a formula found.
  var knownDollar = -1
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

  func scalar(at position: Int) -> Unicode.Scalar? {
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
    if typography(scalar, start) { return }
    if !isFull {
      report(.unexpectedCharacter, "unexpected character '\(scalar)'", from: start, to: index)
    }
    add(.unknown, start)
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
      if bytes[..<start].suffix(4).elementsEqual("url(".utf8) {
        diagnostic = diagnostic.advising("write a gradient, such as linear-gradient(red, blue)")
      }
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
    if kind == nil, bytes[start] == UInt8(ascii: "'"), otherQuotes(start, closing: ["'"]) { return }
    if kind == nil, bytes[start] == UInt8(ascii: "\\"), escapeInValue(start) { return }
    if kind == nil, !isFull {
      let shown = visible(file.text(file.span(start, index)))
      report(
        .unexpectedCharacter, "unexpected character '\(shown)'", from: start, to: index,
        label: shown == "^" ? "write pow(a, b) for a power" : "")
    }
    add(kind ?? .unknown, start)
  }
}
