// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

extension Lexer {
  /// A text between dollar signs, which is as it is written: TeX has braces and backslashes of its own.
  /// Between `$$` it may go over several lines.
  mutating func formula() {
    let start = index
    let isBlock = byte(1) == UInt8(ascii: "$")
    index += isBlock ? 2 : 1
    add(.stringStart, start)
    let first = index
    while index < bytes.count {
      let b = bytes[index]
      if b == UInt8(ascii: "$"), !isBlock || byte(1) == b { break }
      if b == 10, !isBlock { break }
      // What is behind a backslash closes nothing.
      index += b == UInt8(ascii: "\\") && index + 1 < bytes.count && byte(1) != 10 ? 2 : 1
    }
    if index > first { add(.stringText, first) }
    let end = index
    if index < bytes.count, bytes[index] == UInt8(ascii: "$") {
      index += isBlock ? 2 : 1
    } else {
      let sign = isBlock ? "$$" : "$"
      var fault = Diagnostic(
        .unterminatedString, "this formula has no closing '\(sign)'",
        at: file.span(start, start + sign.utf8.count),
        label: isBlock ? "needs $$" : "needs $ on the same line")
      fault.fixIts = [FixIt("close it with \(sign)", replacing: file.span(end, end), with: sign)]
      report(fault)
    }
    add(.stringEnd, end)
  }

  /// TeX in quotes, after `math` or `part`: reported once, with its fix.
  mutating func formulaInQuotes(_ start: Int) -> Bool {
    guard isAfterFormulaHead else { return false }
    var end = start + 1
    var hasCommand = false
    while end < bytes.count, bytes[end] != 10, bytes[end] != UInt8(ascii: "\"") {
      let isBackslash = bytes[end] == UInt8(ascii: "\\")
      if isBackslash, end + 1 < bytes.count {
        hasCommand = hasCommand || (97...122).contains(bytes[end + 1] | 0x20)
      }
      end += isBackslash ? 2 : 1
    }
    guard hasCommand, end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return false }
    index = end + 1
    let inner = file.text(file.span(start + 1, end))
    report(
      Diagnostic(
        .invalidEscape, "a formula with commands must be between dollar signs",
        at: file.span(start, index), label: "in quotes, backslashes and braces have other meanings",
        fixIts: inner.contains("$")
          ? []
          : [
            FixIt("change to $\(inner)$", replacing: file.span(start, index), with: "$\(inner)$")
          ]))
    add(.unknown, start)
    return true
  }

  /// Whether the words before a text are `math`, `math name` or `part`.
  private var isAfterFormulaHead: Bool {
    let words = tokens.suffix(5).filter { !$0.kind.isTrivia }.suffix(2)
    return words.contains { token in
      token.kind == .identifier
        && ["math", "part"].contains { word in
          let start = Int(token.start)
          let end = start + word.utf8.count
          return bytes[start...].starts(with: word.utf8)
            && (end >= bytes.count || !Lexer.isIdentifierByte(bytes[end]) && bytes[end] != 45)
        }
    }
  }
}
