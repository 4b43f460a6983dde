// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

// What stands where an item or an argument should have ended, and what was probably meant by it.
extension Parser {
  /// The fault of an item that goes on where it has ended.
  func missingSeparator(after property: String?) -> Diagnostic {
    if kind == .rightParen || kind == .rightBracket {
      return Diagnostic(
        .unexpectedToken, "\(foundText) closes nothing", at: span,
        label: "no bracket of this kind is open",
        fixIts: [FixIt("remove it", replacing: span, with: "")])
    }
    let fault = Diagnostic(
      .missingSeparator, "expected ';' or a new line before \(foundText)", at: span,
      label: "the item before it has ended")
    if beginsItem { return fault.mended("add ';'", lastEnd, ";") }
    if let note = property.flatMap({ Parser.shorthands[$0] }) { return fault.noting(note) }
    switch kind {
    case .comma where kind(ahead: 2) == .colon: return fault.mended("change to ';'", span, ";")
    case .comma: return fault.noting("a pair is (100, 200); several values are a list: [a, b]")
    case .plus:
      return fault.noting("a text that is worked out holds it in braces: \"Count: {n}\"")
    case .leftParen where lastKind == .identifier:
      return fault.noting("a text that is worked out holds it in braces: text \"{f(x)}\"")
    case .leftBrace:
      return fault.noting("a block has no ':' before it: clip { … }, not clip: { … }")
    case .equal: return fault.noting("a property is written 'name: value'")
    case .number: return number(fault)
    case .identifier, .forWord, .inWord: return word(fault)
    default: return fault
    }
  }

  /// Whether the next tokens are the beginning of an item.
  var beginsItem: Bool {
    let next = kind(ahead: 1)
    switch kind {
    case .letWord, .ifWord: return true
    case .forWord: return next == .colon || next == .identifier
    case .identifier:
      if next == .identifier {
        return [.leftBrace, .stringStart].contains(kind(ahead: 2))
      }
      return [.colon, .leftBrace, .stringStart].contains(next)
    default: return false
    }
  }

  /// Properties that take several values elsewhere, and how that is written here.
  private static let shorthands: [String: String] = {
    let shadow = "a shadow is shadow: shadow(offset: (0, 8), blur: 24, color: black)"
    let border = "a border is two properties: stroke: red; stroke-width: 2"
    let box = "two values are a pair: (16, 24), across and down"
    let moving = "any property may move: opacity: 0 -> 1 over 0.3s with ease-out"
    return [
      "shadow": shadow, "box-shadow": shadow, "text-shadow": shadow, "drop-shadow": shadow,
      "border": border, "outline": border, "stroke": border,
      "padding": box, "gap": box, "margin": "use 'position', or 'gap' and 'padding' of a row",
      "transition": moving, "animation": moving,
      "transform": "use the properties 'translate', 'rotate', 'scale' and 'skew'",
      "filter": "several filters are a list: [blur(4), brightness(1.2)]",
      "font": "the name of a font stands in quotes: font: \"EB Garamond\"; several are a list",
      "background": "a picture behind all is an image of size 100%: image \"a.jpg\" { size: 100% }",
      "flex": "use 'row', 'column' or 'grid'", "border-radius": "four corners are one radius here",
    ]
  }()

  private func number(_ fault: Diagnostic) -> Diagnostic {
    if ["over", "after"].contains(source.text(lastSpan)) {
      return fault.noting("'\(source.text(lastSpan))' belongs to a motion: 0 -> 1 over 1s")
    }
    if isTime(tokenText()) {
      return fault.noting("the length of a motion stands behind 'over': fade over 1s")
        .mended("add 'over'", source.span(span.start, span.start), "over ")
    }
    let before = source.text(lastSpan)
    if before.count == 1, "MLHVCSQTAZmlhvcsqtaz".contains(before) {
      return fault.noting("SVG's path data stand in a text: path \"M 0 0 L 10 10\"")
    }
    return fault.noting("two numbers are a pair: (300, 200), or 300x200")
  }

  /// Words of other languages for the parts of a motion.
  private func word(_ fault: Diagnostic) -> Diagnostic {
    let text = tokenText()
    let hasTime = kind(ahead: 1) == .number && isTime(tokenText(ahead: 1))
    switch text {
    case "x" where kind(ahead: 1) == .number:
      return fault.noting("a size is one word: 300x200, and a pair is (300, 200)")
    case "to": return fault.noting("a motion is written a -> b").mended("write '->'", span, "->")
    case "in", "for", "during", "duration":
      guard hasTime else { break }
      return fault.noting("the length of a motion stands behind 'over'")
        .mended("write 'over'", span, "over")
    case "delay", "at", "wait":
      guard hasTime else { break }
      return fault.noting("the delay of a motion stands behind 'after'")
        .mended("write 'after'", span, "after")
    case _ where text.hasPrefix("ease") || Parser.easings.contains(text):
      return fault.noting("an easing stands behind 'with'")
        .mended("add 'with'", source.span(span.start, span.start), "with ")
    default: break
    }
    return fault.noting("several values are a list: [a, b]; another item follows ';'")
  }

  private static let easings: Set<String> = ["linear", "cubic-bezier", "spring", "steps"]

  private func isTime(_ number: String) -> Bool {
    guard number.first?.isNumber == true else { return false }
    let unit = String(number.drop { !$0.isLetter })
    return ["s", "ms", "min", "f", "beat"].contains(unit)
  }

  /// What follows a name at once as in `logo-1`: behind a `-`, a name goes on with a letter.
  mutating func rejectDigitPart() {
    guard kind == .minus, kind(ahead: 1) == .number else { return }
    let number = source.span(span.start, span.end + tokenText(ahead: 1).utf8.count)
    guard span.start == lastSpan.end, source.text(number) == "-" + tokenText(ahead: 1) else {
      return
    }
    let name = source.text(lastSpan)
    report(
      Diagnostic(
        .unexpectedToken, "a name cannot hold '-' before a digit", at: number,
        label: "write \(name)\(tokenText(ahead: 1)) or \(name)_\(tokenText(ahead: 1))"))
    advance()
    advance()
    rejectName()
  }

  /// Whether the item before ended in a number with a unit that is none, as in `80x(h)`: told of.
  var followsUnknownUnit: Bool {
    let text = source.text(lastSpan)
    return kind == .leftParen && text.first?.isNumber == true && text.last == "x"
  }

  // MARK: Values in texts

  /// `{}` in a text.
  func emptyValue(_ brace: SourceSpan) -> Diagnostic {
    Diagnostic(
      .unexpectedToken, "there is no value between these braces",
      at: source.span(brace.start, span.end), label: "a brace in a text is written '\\{'"
    ).mended("write '\\{'", brace, "\\{")
  }

  /// What stands behind a value in the braces of a text. Code that is shown has a blank, a line of it
  /// or a name with a colon behind its brace: there a brace was meant.
  func unendedValue(_ brace: SourceSpan) -> Diagnostic {
    let fault = Diagnostic(
      .unexpectedToken, "expected '}' after the value in this text, found \(foundText)",
      at: isAtEnd ? lastSpan : span, label: "a brace in a text is written '\\{'")
    let isBlank = source.text(source.span(brace.end, brace.end + 1)) == " "
    guard isBlank || [.semicolon, .colon].contains(kind) else { return fault }
    return fault.mended("write '\\{' for the brace", brace, "\\{")
  }

  /// The fault of an argument behind which neither `,` nor the closing bracket stands.
  func missingComma(_ wanted: TokenKind) -> Diagnostic {
    let fault = Diagnostic(
      .unexpectedToken, "expected ',' or \(wanted.description), found \(foundText)",
      at: isAtEnd || kind == .newline ? lastSpan : span)
    switch kind {
    case .number where tokenText().hasSuffix("%") && source.text(lastSpan).last?.isNumber == false:
      return fault.noting("a colour with its place is stop(red, 30%)")
    case .number, .identifier, .stringStart, .color, .pairLiteral:
      return fault.noting("a ',' stands between two values")
    default: return fault
    }
  }

  var foundText: String {
    kind == .identifier || kind.isReservedWord ? "'\(tokenText())'" : kind.description
  }
}
