// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

extension Lexer {
  /// Lexes a formula between dollar signs, whose text is raw since TeX has braces and backslashes
  /// of its own. A formula between `$$` may span several lines.
  mutating func formula() {
    if variable() { return }
    let start = index
    let sign = byte(1) == UInt8(ascii: "$") ? "$$" : "$"
    index += sign.count
    add(.stringStart, start)
    let first = index
    while index < bytes.count, byte(0) != 36 || sign == "$$" && byte(1) != 36 {
      if endsLine, sign == "$" { break }
      // A backslash escapes the next character.
      index +=
        byte(0) == UInt8(ascii: "\\") && index + 1 < bytes.count
          && !SourceFile.endsLine(bytes, at: index + 1) ? 2 : 1
    }
    if index > first { add(.stringText, first) }
    add(.stringEnd, index)
    if byte(0) == 36 {
      index += sign.count
      return
    }
    var diagnostic = Diagnostic(
      .unterminatedString, "unterminated formula, missing '\(sign)'", at: file.span(start, first),
      label: sign == "$" ? "expected $ on the same line" : "expected $$")
    diagnostic.fixIts = [
      FixIt(
        "add the closing \(sign)", replacing: file.span(index, index), with: sign, isSafe: false)
    ]
    report(diagnostic)
  }

  /// Lexes TeX in quotes after `math` or `part`, which is reported once, with a fix. Returns
  /// `false` for other strings.
  mutating func formulaInQuotes(_ start: Int) -> Bool {
    var (end, hasCommand) = (start + 1, false)
    while end + 1 < bytes.count, !SourceFile.endsLine(bytes, at: end),
      bytes[end] != UInt8(ascii: "\"")
    {
      let isBackslash = bytes[end] == UInt8(ascii: "\\")
      hasCommand = hasCommand || isBackslash && (97...122).contains(bytes[end + 1] | 0x20)
      end += isBackslash ? 2 : 1
    }
    guard hasCommand, end < bytes.count, bytes[end] == UInt8(ascii: "\""), isAfterFormulaHead
    else { return false }
    index = end + 1
    let inner = file.text(file.span(start + 1, end))
    let fix = FixIt(
      "change to $\(inner)$", replacing: file.span(start, index), with: "$\(inner)$")
    report(
      Diagnostic(
        .invalidEscape, "a formula with commands must be between dollar signs",
        at: file.span(start, index),
        label: "backslashes and braces have a different meaning in quotes",
        fixIts: inner.contains("$") ? [] : [fix]))
    add(.unknown, start)
    return true
  }

  /// Whether `math`, `math name` or `part` precedes the string.
  var isAfterFormulaHead: Bool {
    tokens.indices.suffix(5).filter { !tokens[$0].kind.isTrivia }.suffix(2).contains { at in
      let end = at + 1 < tokens.count ? Int(tokens[at + 1].start) : index
      let word = bytes[Int(tokens[at].start)..<end]
      return word.elementsEqual("math".utf8) || word.elementsEqual("part".utf8)
    }
  }
}
