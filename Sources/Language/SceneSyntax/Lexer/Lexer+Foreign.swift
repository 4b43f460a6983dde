// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

// Recovery from syntax of other languages: reported once with the scene syntax, then lexed as that
// syntax.
extension Lexer {
  /// Lexes an operator of another language; returns `false` if there is none.
  mutating func foreignOperator() -> Bool {
    let start = index
    switch (bytes[start], byte(1)) {
    case (UInt8(ascii: "&"), UInt8(ascii: "&")): word("&&", replacement: "and", kind: .andWord)
    case (UInt8(ascii: "|"), UInt8(ascii: "|")): word("||", replacement: "or", kind: .orWord)
    case (UInt8(ascii: "!"), _) where isImportant(start):
      index += Lexer.important.count
      foreign(
        "unknown flag '!important'", start,
        fix: FixIt("remove it", replacing: file.span(start, index), with: ""))
      add(.whitespace, start)
    case (UInt8(ascii: "!"), let next) where next != UInt8(ascii: "="):
      word("!", replacement: "not", kind: .notWord)
    case (UInt8(ascii: "*"), UInt8(ascii: "*")):
      index += 2
      foreign("unknown operator '**'", start, note: "write a power as pow(2, 3)")
      add(.star, start)
    case (UInt8(ascii: "%"), _): percent()
    case (UInt8(ascii: "@"), _): atRule()
    default: return false
    }
    return true
  }

  private static let important = Array("!important".utf8)

  /// Returns whether `!important` follows a value, as in CSS.
  private func isImportant(_ start: Int) -> Bool {
    let end = start + Lexer.important.count
    guard bytes[start...].starts(with: Lexer.important),
      end == bytes.count || !Lexer.isIdentifierByte(bytes[end]) && bytes[end] != UInt8(ascii: "-"),
      let last = tokens.suffix(2).last(where: { $0.kind != .whitespace })?.kind
    else { return false }
    return [.identifier, .number, .color, .pairLiteral, .stringEnd, .rightParen].contains(last)
  }

  private mutating func word(_ sign: String, replacement word: String, kind: TokenKind) {
    let start = index
    index += sign.utf8.count
    let isTight = start > 0 && bytes[start - 1] != 32 && bytes[start - 1] != 40
    let before = kind == .notWord || !isTight ? "" : " "
    let after = byte(0) == 32 ? "" : " "
    foreign(
      "unknown operator '\(sign)'", start,
      fix: FixIt(
        "write '\(word)' instead", replacing: file.span(start, index), with: before + word + after))
    add(kind, start)
  }

  /// The maximum length in bytes of a size such as `50%x20%`.
  private static let longestSize = 60

  /// Lexes a `%` that does not follow a number: a remainder operator, or the end of a size such as
  /// `50%x20%`.
  private mutating func percent() {
    let start = index
    index += 1
    // Without a limit, a long run of signs would take quadratic time.
    let lowest = start - Lexer.longestSize
    var first = start
    while first > max(0, lowest), isPartOfSize(bytes[first - 1]) { first -= 1 }
    let written = file.text(file.span(first, index))
    let parts = written.split(separator: "x")
    if first > lowest, parts.count == 2,
      parts.allSatisfy({ Double($0.last == "%" ? $0.dropLast() : $0) != nil })
    {
      let pair = "(\(parts[0]), \(parts[1]))"
      foreign(
        "a percentage size must be a pair", first,
        fix: FixIt("write \(pair)", replacing: file.span(first, index), with: pair))
    } else {
      foreign("unknown operator '%'", start, note: "write a remainder as mod(5, 2)")
    }
    add(.unknown, start)
  }

  private func isPartOfSize(_ byte: UInt8) -> Bool {
    (48...57).contains(byte)
      || [UInt8(ascii: "."), UInt8(ascii: "%"), UInt8(ascii: "x")]
        .contains(byte)
  }

  /// Lexes a `#` that does not begin a color. At the start of an item, the rest of the line is a
  /// comment in other languages.
  mutating func foreignComment(_ start: Int) {
    guard isAtItem(start) else {
      report(
        Diagnostic(
          .invalidColor, "invalid color '#'", at: file.span(start, start + 1),
          label: "write a color as #rgb, #rgba, #rrggbb or #rrggbbaa with digits 0-9 a-f",
          notes: [Note(help: "write comments after '//'")]))
      return add(.color, start)
    }
    foreign(
      "invalid comment marker '#'", start, note: "write comments after '//'",
      fix: FixIt("replace it with '//'", replacing: file.span(start, start + 1), with: "//"))
    while index < bytes.count, !endsLine { index += 1 }
    add(.lineComment, start)
  }

  /// Returns whether an item could begin at an offset.
  func isAtItem(_ start: Int) -> Bool {
    guard let before = bytes[..<start].last(where: { $0 != 32 && $0 != 9 }) else { return true }
    return [10, 13, UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}")].contains(before)
  }

  /// Lexes `@keyframes` and other at-rules of CSS.
  private mutating func atRule() {
    let start = index
    index += 1
    while isLetter(at: 0) || byte(0) == UInt8(ascii: "-") { index += 1 }
    let rule = file.text(file.span(start, index))
    let note: String? =
      switch rule {
      case "@keyframes":
        "write keyframes as the value of a property: opacity: keyframes { 0s: 0; 1s: 1 }"
      case "@import", "@use": "write import \"brand.scene\""
      case "@font-face": "set the font file where you use the font: font: \"fonts/Name.ttf\""
      default: nil
      }
    let what = rule == "@" ? "unexpected character '@'" : "unsupported rule '\(rule)'"
    foreign(what, start, note: note)
    add(.unknown, start)
  }

  /// Lexes `90°` as `90deg`; returns `false` if no number precedes the sign.
  mutating func degreeSign() -> Bool {
    let start = index
    guard start > 0, (48...57).contains(bytes[start - 1]), byte(0) == 0xC2, byte(1) == 0xB0 else {
      return false
    }
    index += 2
    foreign(
      "unknown unit '°'", start,
      fix: FixIt("write 'deg' instead", replacing: file.span(start, index), with: "deg"))
    add(.unknown, start)
    return true
  }

  /// Lexes a character that word processors insert, such as a curly quote; returns `false` for
  /// other characters.
  mutating func typography(_ scalar: Unicode.Scalar, _ start: Int) -> Bool {
    func replaced(by text: String) -> FixIt {
      FixIt("change to '\(text)'", replacing: file.span(start, index), with: text, isSafe: false)
    }
    switch scalar {
    case "“", "”", "„", "‟":
      if otherQuotes(start, closing: ["“", "”"]) { return true }
    case "‘", "’", "‚":
      if otherQuotes(start, closing: ["‘", "’"]) { return true }
    case "«", "»":
      if otherQuotes(start, closing: ["«", "»"]) { return true }
    case "×":
      foreign(
        "unknown operator '×'", start, note: "write a size as 300x200, and a product as 3 * 4")
      add(.star, start)
      return true
    case "–", "—", "−":
      foreign("unexpected dash '\(scalar)'", start, fix: replaced(by: "-"))
      add(.minus, start)
      return true
    case "\u{A0}", "\u{202F}":
      foreign("unexpected no-break space", start, fix: replaced(by: " "))
      add(.whitespace, start)
      return true
    case "→", "⟶", "⇒":
      // In other languages, `⇒` is also a function.
      foreign(
        "unexpected arrow '\(scalar)'", start,
        fix: FixIt(
          "change to '->'", replacing: file.span(start, index), with: "->", isSafe: scalar != "⇒"))
      add(.arrow, start)
      return true
    default: break
    }
    return false
  }

  /// Lexes the `$` of a variable of other languages, as in `fill: $accent`, as white space. Returns
  /// `false` if the `$` begins a formula.
  mutating func variable() -> Bool {
    let start = index
    var end = start + 1
    while end < bytes.count, Lexer.isIdentifierByte(bytes[end]) || bytes[end] == 45 { end += 1 }
    guard isLetter(at: 1), !isAfterFormulaHead else { return false }
    let isAtEnd = end == bytes.count || SourceFile.endsLine(bytes, at: end)
    guard isAtEnd || " ,;:)}]".utf8.contains(bytes[end]) else { return false }
    // A formula ends on its line, and no name follows it without a space.
    let close = closingDollar(from: end)
    let isClosed = close < bytes.count && bytes[close] == 36
    let isFollowed = close + 1 < bytes.count && Lexer.isIdentifierByte(bytes[close + 1])
    guard !isClosed || isFollowed else { return false }
    let name = file.text(file.span(start + 1, end))
    index += 1
    if isAtItem(start), end < bytes.count, bytes[end] == UInt8(ascii: ":") {
      foreign(
        "unexpected '$' before a name", start,
        note: "declare a constant with let \(name) = …, and use it as \(name)")
    } else {
      foreign(
        "unexpected '$' before a name", start,
        fix: FixIt("remove '$'", replacing: file.span(start, index), with: "", isSafe: false))
    }
    add(.whitespace, start)
    return true
  }

  /// Returns the offset of the next `$` that is not escaped, or of the end of the line. The result
  /// also applies to names before it, since no name ends within an escape sequence.
  private mutating func closingDollar(from start: Int) -> Int {
    if knownDollar >= start { return knownDollar }
    var close = start
    while close < bytes.count, bytes[close] != 36, !SourceFile.endsLine(bytes, at: close) {
      let isEscape =
        bytes[close] == UInt8(ascii: "\\") && close + 1 < bytes.count
        && !SourceFile.endsLine(bytes, at: close + 1)
      close += isEscape ? 2 : 1
    }
    knownDollar = close
    return close
  }

  /// Whether a number such as `.5` begins here, as opposed to the end of a range or a member
  /// access.
  var beginsFraction: Bool {
    guard (48...57).contains(byte(1)) else { return false }
    guard index > 0 else { return true }
    let before = bytes[index - 1]
    return !(Lexer.isIdentifierByte(before) || [0x29, 0x2E, 0x5D].contains(before))
  }

  mutating func fraction() {
    let start = index
    number()
    if isInFormat(start) { return }
    // The text may be displayed code, as in `{opacity:.5}`.
    let isSafe = open.last?.braces == nil || bytes[start - 1] != UInt8(ascii: ":")
    report(
      Diagnostic(
        .invalidNumber, "missing digit before '.'", at: file.span(start, index),
        fixIts: [
          FixIt(
            "write 0.\(file.text(file.span(start + 1, index)))",
            replacing: file.span(start, start), with: "0", isSafe: isSafe)
        ]))
  }

  /// Returns whether a number is part of a format, as in `{x:.2f}`, which the parser reports.
  func isInFormat(_ start: Int) -> Bool {
    guard open.last?.braces != nil else { return false }
    let colon = bytes[..<start].suffix(ForeignFormat.longest).lastIndex(of: UInt8(ascii: ":"))
    guard let colon, let format = ForeignFormat(bytes, at: colon + 1) else { return false }
    return format.end > start
  }

  private mutating func foreign(
    _ message: String, _ start: Int, note: String? = nil, fix: FixIt? = nil
  ) {
    if isFull { return }
    report(
      Diagnostic(
        .unexpectedCharacter, message, at: file.span(start, index),
        notes: note.map { [Note(help: $0)] } ?? [], fixIts: fix.map { [$0] } ?? []))
  }
}
