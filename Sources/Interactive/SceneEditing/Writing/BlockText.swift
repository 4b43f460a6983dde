// SPDX-License-Identifier: MIT
import SceneText

/// Formats a `"""` string with the indentation of the string that it replaces.
struct BlockText {
  /// The indentation of each line; `nil` if the string is on one line.
  private let indentation: String?

  /// Creates the format; `old` is the literal in the source.
  init(like old: String) {
    let lines = old.dropFirst(3).dropLast(3).split(
      omittingEmptySubsequences: false, whereSeparator: \.endsLine)
    let isOwnLine = lines.count > 1 && lines[0].isBlank && lines[lines.count - 1].isBlank
    indentation = isOwnLine ? String(lines[lines.count - 1]) : nil
  }

  func written(_ text: String) -> String {
    guard let indentation else {
      // Leading white space would count as indentation, so it is escaped.
      let all = text.unicodeScalars.map { $0 == "\"" ? "\\\"" : Literal.escaped($0) }.joined()
      return "\"\"\"" + BlockText.keepingBlank(all) + "\"\"\""
    }
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine).map {
      BlockText.escaped($0)
    }
    // White space common to all lines would count as indentation too.
    let isShared = lines.filter { !$0[...].isBlank }.allSatisfy { $0.first?.isBlank == true }
    let first = lines.firstIndex { !$0[...].isBlank } ?? lines.firstIndex { !$0.isEmpty }
    if isShared, let first { lines[first] = BlockText.keepingBlank(lines[first]) }
    let body = lines.map { ($0.isEmpty ? "" : indentation + $0) + "\n" }.joined()
    return "\"\"\"\n" + body + indentation + "\"\"\""
  }

  /// Escapes a line; quotes that cannot end the string are kept.
  private static func escaped(_ line: Substring) -> String {
    let mayEnd = line.contains("\"\"\"") || line.hasSuffix("\"")
    return line.unicodeScalars.map {
      $0 == "\t" || ($0 == "\"" && !mayEnd) ? String($0) : Literal.escaped($0)
    }.joined()
  }

  /// Escapes leading white space that is not indentation.
  private static func keepingBlank(_ line: String) -> String {
    switch line.first {
    case " ": "\\u{20}" + line.dropFirst()
    case "\t": "\\t" + line.dropFirst()
    default: line
    }
  }
}

extension Substring {
  fileprivate var isBlank: Bool { allSatisfy(\.isBlank) }
}

extension Character {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
