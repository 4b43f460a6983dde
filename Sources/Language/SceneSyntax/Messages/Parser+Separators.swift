// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

// Guesses at the intended syntax where an item is not followed by a separator.
extension Parser {
  /// Returns the error for a token that other languages permit after an item; `nil` for other
  /// tokens.
  func strayToken(_ diagnostic: Diagnostic, after property: String?) -> Diagnostic? {
    if let unit = separateUnit(diagnostic) { return unit }
    switch kind {
    case .comma where [.newline, .semicolon, .rightBrace].contains(kind(ahead: 1)):
      return diagnostic.fixing("remove the comma", replacing: span, with: "")
    case .plus, .minus, .star, .slash:
      guard property == nil, kind(ahead: 1) == .equal, lastKind == .identifier else { return nil }
      return diagnostic.advising("write the value as '\(source.text(lastSpan)): …'")
    case .number where property == "filter" && lastKind == .identifier:
      let call = "\(source.text(lastSpan))(\(tokenText()))"
      return diagnostic.fixing(
        "write \(call)", replacing: source.span(lastSpan.start, span.end), with: call,
        isSafe: false)
    case .less where property == nil && kind(ahead: 1) == .identifier:
      return diagnostic.advising(
        "write an element without '<' and '>': \(source.text(spanAhead)) { … }")
    case .identifier where property == nil && isAfterLess:
      let name = source.text(lastSpan)
      return diagnostic.advising("write an element without '<' and '>': \(name) { … }")
    default: return nil
    }
  }

  /// Whether the last token is directly after `<`, as in HTML.
  private var isAfterLess: Bool {
    lastSpan.start > 0 && source.bytes[lastSpan.start - 1] == UInt8(ascii: "<")
  }

  /// Returns the error for a space between a number and its unit, such as `500 ms`.
  func separateUnit(_ diagnostic: Diagnostic) -> Diagnostic? {
    guard kind == .identifier, lastKind == .number else { return nil }
    let unit = tokenText()
    let space = source.span(lastSpan.end, span.start)
    guard NumberUnit(rawValue: unit) != nil, source.text(lastSpan).last?.isNumber == true,
      source.text(space).allSatisfy({ $0 == " " })
    else { return nil }
    return diagnostic.fixing(
      "remove the space: \(source.text(lastSpan))\(unit)",
      replacing: space, with: "")
  }

  /// Returns advice about four values in parentheses that begin at an offset, if they are a padding;
  /// otherwise, `nil`.
  func advice(onFourValuesAt offset: Int) -> String? {
    let before = source.text(source.span(max(0, offset - 12), offset))
    return before.filter { !$0.isWhitespace }.hasSuffix("padding:")
      ? "set 'padding-left', 'padding-top', 'padding-right' and 'padding-bottom'" : nil
  }
}
