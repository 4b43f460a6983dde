// SPDX-License-Identifier: MIT
import SceneTestSupport
import Testing

/// A rule for the parameters of functions in C and C++.
@Suite("Signatures in C", .cpuBudget(seconds: 1)) struct CSignatureTests {
  /// Functions whose signatures are prescribed by a library.
  private static let callbacks: Set = [
    // HarfBuzz passes each coordinate of a curve separately.
    "scene_math_curve"
  ]

  @Test func functionsHaveAtMostSixParameters() throws {
    var found: Set<String> = []
    for ending in [".h", ".c", ".cpp"] {
      for file in Repository.files(in: "Sources/C", ending: ending) {
        for function in CScan(try Repository.text(file)).functions where function.count > 6 {
          found.insert(function.name)
          let isCallback = Self.callbacks.contains(function.name)
          #expect(
            isCallback, "\(file): \(function.name) has \(function.count) parameters; pass a struct")
        }
      }
    }
    #expect(found == Self.callbacks)
  }

  @Test func theScannerCountsParameters() {
    let functions = CScan(
      """
      #define MACRO(a, b, c) \\
        other(a, b, c)
      extern "C" {
      // comment(a, b)
      typedef struct { int (*member)(int a, int b); } scene_struct;
      __attribute__((pure)) static inline int first(void);
      int second(int (*callback)(int, int), const char *text) { return third("a(", 1, 2); }
      static __attribute__((noinline)) void fourth(
          int a, int b, int c) /* (d, e) */ {
        while (a) fifth(a, b);
      }
      }
      """
    ).functions
    #expect(functions.map(\.name) == ["first", "second", "fourth"])
    #expect(functions.map(\.count) == [1, 2, 3])
  }
}

/// A C function with its parameter count.
private struct CFunction {
  let name: String
  let count: Int
}

/// The code of a C source without comments, preprocessor lines and the content of literals.
private struct CScan {
  private let code: [UInt8]

  init(_ text: String) {
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
  var functions: [CFunction] {
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
