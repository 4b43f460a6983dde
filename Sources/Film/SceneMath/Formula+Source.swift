// SPDX-License-Identifier: MIT

extension Formula {
  /// Returns the TeX source of a text that contains formulas between dollar signs. The source of
  /// `$a + b$` is `a + b`, and that of `$a$ = $b$` is `{a} = {b}`.
  ///
  /// Dollar signs in the argument of a command such as `\text` remain. A text with an unpaired
  /// dollar sign is returned unchanged.
  package static func source(of text: String) -> String {
    guard text.contains("$") else { return text }
    let scalars = Array(text.unicodeScalars)
    let signs = dollarSigns(in: scalars)
    guard signs.count.isMultiple(of: 2) else { return text }
    var source = String.UnicodeScalarView()
    if signs == [0, scalars.count - 1] {
      source.append(contentsOf: scalars[1..<(scalars.count - 1)])
      return String(source)
    }
    var rest = signs[...]
    for (index, scalar) in scalars.enumerated() {
      if rest.first == index {
        source.append(rest.count.isMultiple(of: 2) ? "{" : "}")
        rest = rest.dropFirst()
      } else {
        source.append(scalar)
      }
    }
    return String(source)
  }

  /// Returns the indices of the dollar signs that are not escaped and not in literal text.
  private static func dollarSigns(in scalars: [Unicode.Scalar]) -> [Int] {
    var signs: [Int] = []
    var depth = 0
    // The number of braces around the innermost literal text.
    var textDepth: Int?
    var isBeforeText = false
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      if scalar == "\\" {
        let name = scalars[(index + 1)...].prefix { FormulaParser.isLetter($0) }
        isBeforeText = hasText(String(String.UnicodeScalarView(name)))
        index += 1 + max(1, name.count)
        continue
      }
      switch scalar {
      case "{":
        if isBeforeText, textDepth == nil { textDepth = depth }
        depth += 1
      case "}":
        depth -= 1
        if textDepth == depth { textDepth = nil }
      case "$" where textDepth == nil: signs.append(index)
      default: break
      }
      isBeforeText = isBeforeText && scalar == " "
      index += 1
    }
    return signs
  }

  private static func hasText(_ command: String) -> Bool {
    ["text", "mbox", "operatorname"].contains(command) || MathSymbols.textAlphabets[command] != nil
  }
}
