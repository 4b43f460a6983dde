// SPDX-License-Identifier: MIT

/// A C function with its parameter count.
package struct CFunction: Sendable {
  package let name: String
  package let count: Int
}

/// The code of a C source without comments, preprocessor lines and the content of literals.
package struct CScan {
  private let code: [UInt8]

  package init(_ text: String) {
    let literals = text.replacing(#/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'/#, with: "0")
    let plain = literals.replacing(#/\/\*(?:.|\n)*?\*\/|\/\/[^\n]*/#, with: "")
    let lines = plain.split(separator: "\n")
    var isContinued = false
    code = Array(
      lines.filter { line in
        let isPreprocessed = isContinued || line.drop { $0 == " " }.hasPrefix("#")
        isContinued = isPreprocessed && line.hasSuffix("\\")
        return !isPreprocessed
      }.joined(separator: "\n").replacing("extern 0 {", with: "").utf8)
  }

  /// The functions that are declared or defined outside braces.
  package var functions: [CFunction] {
    var found: [CFunction] = []
    var (depth, place) = (0, 0)
    while place < code.count {
      switch code[place] {
      case UInt8(ascii: "{"): depth += 1
      // The brace that ends `extern "C"` has no counterpart.
      case UInt8(ascii: "}"): depth = max(0, depth - 1)
      case UInt8(ascii: "(") where depth == 0:
        let (name, end) = (word(before: place), closing(place))
        if !["", "__attribute__", "__typeof__", "_Static_assert"].contains(name) {
          found.append(CFunction(name: name, count: count(place + 1..<end)))
        }
        place = end
      default: break
      }
      place += 1
    }
    return found
  }

  private func word(before place: Int) -> String {
    let word = code[..<place].reversed().prefix {
      $0 == UInt8(ascii: "_") || (48...57).contains($0) || (97...122).contains($0 | 0x20)
    }
    return String(decoding: word.reversed(), as: UTF8.self)
  }

  /// Returns the offset of the closing parenthesis that matches an opening one.
  private func closing(_ open: Int) -> Int {
    var depth = 0
    for place in open..<code.count {
      if code[place] == UInt8(ascii: "(") { depth += 1 }
      if code[place] == UInt8(ascii: ")") { depth -= 1 }
      if depth == 0 { return place }
    }
    return code.count
  }

  /// Returns the number of parameters in a list.
  private func count(_ list: Range<Int>) -> Int {
    var (depth, count) = (0, 1)
    for byte in code[list] {
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
      if byte == UInt8(ascii: ","), depth == 0 { count += 1 }
    }
    return count
  }
}
